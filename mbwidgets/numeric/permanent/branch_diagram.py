"""`branch_diagram(model)`: how the relative equilibria of a chain change with ω: tilts against speed.

Branches are followed by arc length in (turns of the bodies, ω), so that they may fold back; where the number of
unstable directions of the energy in the turning axes changes, another branch crosses, and is followed too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq

from ...errors import StateError, shorten
from ...model.model import Model
from .ball_chain import Chain, Posed, finite_array
from .equilibria import (
    ConvergenceError,
    Equilibrium,
    rotate_bodies,
    rotations_with_tilts,
    solve_equilibrium,
    tilt_angles,
)
from .growth_rates import (
    linearised_equations,
    moment_balance,
    orthogonal_complement,
    rotation_growth,
    symmetry_directions,
)
from .permanent import moment_scale

__all__ = ["BranchDiagram", "EquilibriumBranch", "branch_diagram"]

LONGEST, SHORTEST = 0.4, 1e-4
"""Arc length of a step, rad and rad/s together: a branch has some thirty points then; and where a branch is given up,
because a step that was halved so often fails for another reason than its length."""
MOST_POINTS, MOST_BRANCHES = 600, 24
"""Of a branch, and of a diagram, so that it ends: the library's chains of two and three bodies have forty points and
four branches at most."""
KICK = 0.03
"""How far a new branch is entered, in the norm of the bodies' turns, rad."""


class Point(NamedTuple):
    """A pose on a branch, the speed, the direction to go on (turns and ω) and the number of directions in which
    the energy falls."""

    turns: np.ndarray
    omega: float
    tangent: np.ndarray
    unstable: int


@dataclass(frozen=True, repr=False)
class EquilibriumBranch:
    """One branch: speeds ``omega`` (k,), rad/s, and world rotations ``turns`` (k, n, 3, 3), in order along it."""

    chain: Chain
    omega: np.ndarray
    turns: np.ndarray

    @cached_property
    def tilt(self) -> np.ndarray:
        """Signed angles (k, n) from the vertical to the a_i, rad; see `Equilibrium.tilt`."""
        return np.array([tilt_angles(self.chain.posed(turns)) for turns in self.turns])

    @cached_property
    def growth(self) -> np.ndarray:
        """The largest growth rate (k,) of small motions, 1/s."""
        speeds = np.ones(len(self.chain))
        pairs = zip(self.turns, self.omega, strict=True)
        return np.array([rotation_growth(self.chain.posed(turns), omega * speeds).largest for turns, omega in pairs])

    def at(self, omega: float) -> list[Equilibrium]:
        """The equilibria of this branch at a speed: one for each time that the branch passes it."""
        found = []
        for k in range(len(self.omega) - 1):
            low, high = sorted(self.omega[k : k + 2])
            if low <= omega < high or (k == len(self.omega) - 2 and omega == high):
                near = k if abs(self.omega[k] - omega) <= abs(self.omega[k + 1] - omega) else k + 1
                found.append(solve_equilibrium(self.chain, omega, self.turns[near]))
        return found

    def __len__(self) -> int:
        return len(self.omega)

    def __repr__(self) -> str:
        return f"<branch of {len(self)} points, ω from {self.omega.min():.4g} to {self.omega.max():.4g} rad/s>"


@dataclass(frozen=True)
class BranchDiagram:
    """The branches, and the speeds ``critical`` at which they cross, rad/s."""

    branches: tuple[EquilibriumBranch, ...]
    critical: tuple[float, ...]

    def at(self, omega: float) -> list[Equilibrium]:
        """All equilibria of the diagram at a speed."""
        return [item for branch in self.branches for item in branch.at(float(omega))]

    def __iter__(self) -> Iterator[EquilibriumBranch]:
        return iter(self.branches)

    def __len__(self) -> int:
        return len(self.branches)


def branch_diagram(model: Model, start: float = 0.0, end: float = 12.0, standing: bool = False) -> BranchDiagram:
    """The relative equilibria of a chain for ω from ``start`` to ``end``, rad/s.

    From the chain that hangs at ``start``, and with ``standing`` from every way in which its bodies hang or stand,
    along all branches that cross those.

    >>> len(mb.branch_diagram(mb.library.spherical_chain(1), end=4.0).branches)
    2
    """
    chain = Chain.of(model)
    start, end = float(finite_array(start, "start", ())), float(finite_array(end, "end", ()))
    if not 0.0 <= start < end:
        raise StateError(f"speeds from {shorten(start)} to {shorten(end)}", remedy="give 0 ≤ start < end, rad/s")
    ways = product((0.0, np.pi), repeat=len(chain)) if standing and len(chain) <= 4 else [(0.0,) * len(chain)]
    return _Walk(chain, float(start), float(end)).from_ways([list(way) for way in ways])


class _Walk:
    """The branches found so far, and those to come."""

    def __init__(self, chain: Chain, start: float, end: float) -> None:
        self.chain, self.start, self.end = chain, start, end
        self.branches: list[EquilibriumBranch] = []
        self.crossings: list[tuple[float, np.ndarray]] = []
        self.pending: list[tuple[Point, np.ndarray | None]] = []

    def from_ways(self, ways: list[list[float]]) -> BranchDiagram:
        # at rest the azimuths of the bodies do not matter, and nothing tells which to take
        first = self.start if self.start > 0.0 else 0.01 * self.end
        for way in ways:
            try:
                found = solve_equilibrium(self.chain, first, rotations_with_tilts(self.chain, way))
            except ConvergenceError:
                continue
            onward = np.append(np.zeros(3 * len(self.chain)), 1.0)
            self.pending.append((Point(found.turns, first, onward, self._index(found.turns, first)), None))
        if not self.pending:
            raise ConvergenceError(
                f"no relative equilibrium was found at ω = {first:g} rad/s", remedy="begin at another speed: start=…"
            )
        while self.pending and len(self.branches) < MOST_BRANCHES:
            point, kick = self.pending.pop(0)
            self._follow(point, kick)
        return BranchDiagram(tuple(self.branches), tuple(sorted(float(omega) for omega, _ in self.crossings)))

    def _follow(self, point: Point, kick: np.ndarray | None) -> None:
        points = [point]
        length = LONGEST / 4
        if kick is not None:
            try:
                point = self._corrected(point.turns, point.omega, np.append(kick, 0.0), KICK)
            except ConvergenceError:
                return
            points.append(point)
            length = KICK
        while len(points) < MOST_POINTS and self.start <= point.omega <= self.end:
            try:
                following = self._corrected(point.turns, point.omega, point.tangent, length)
            except ConvergenceError:
                length /= 2
                if length < SHORTEST:
                    break
                continue
            if following.unstable != point.unstable and following.tangent[-1] * point.tangent[-1] > 0.0:
                self._cross(point, following)
            points.append(following)
            point, length = following, min(LONGEST, length * 1.4)
        self._keep(points)

    def _corrected(self, turns: np.ndarray, omega: float, tangent: np.ndarray, length: float) -> Point:
        """One step along the tangent and back onto the branch, at right angles to it."""
        chain, n = self.chain, len(self.chain)
        turns, omega = rotate_bodies(chain, turns, length * tangent[:-1]), omega + length * tangent[-1]
        for _ in range(8):
            posed = chain.posed(turns)
            linear = linearised_equations(posed, np.full(n, omega), omega)
            free = orthogonal_complement(symmetry_directions(posed))
            matrix = np.column_stack([free.T @ linear.stiffness @ free, free.T @ _by_speed(posed, omega)])
            if np.abs(linear.residual).max() <= 1e-11 * moment_scale(posed, np.full(n, omega)):
                return self._point(turns, omega, free, matrix, tangent)
            ahead = np.append(free.T @ tangent[:-1], tangent[-1])
            try:
                step = np.linalg.solve(np.vstack([matrix, ahead]), np.append(-free.T @ linear.residual, 0.0))
            except np.linalg.LinAlgError:
                break
            if np.linalg.norm(step) > max(4 * length, KICK):
                break
            turns, omega = rotate_bodies(chain, turns, free @ step[:-1]), omega + float(step[-1])
        raise ConvergenceError("the branch was lost", remedy="take a shorter step")

    def _point(
        self, turns: np.ndarray, omega: float, free: np.ndarray, matrix: np.ndarray, tangent: np.ndarray
    ) -> Point:
        null = np.linalg.svd(matrix)[2][-1]
        onward = np.append(free @ null[:-1], null[-1])
        onward *= 1.0 if onward @ tangent >= 0.0 else -1.0
        values = np.linalg.eigvalsh((matrix[:, :-1] + matrix[:, :-1].T) / 2)
        return Point(turns, omega, onward, int((values < 0.0).sum()))

    def _modes(self, turns: np.ndarray, omega: float) -> tuple[np.ndarray, np.ndarray]:
        posed = self.chain.posed(turns)
        free = orthogonal_complement(symmetry_directions(posed))
        stiffness = free.T @ linearised_equations(posed, np.full(len(self.chain), omega), omega).stiffness @ free
        values, vectors = np.linalg.eigh((stiffness + stiffness.T) / 2)
        return values, free @ vectors

    def _index(self, turns: np.ndarray, omega: float) -> int:
        return int((self._modes(turns, omega)[0] < 0.0).sum())

    def _cross(self, before: Point, after: Point) -> None:
        """Find where between two points modes of the energy change sign, and queue the branches that cross there."""
        low, high = sorted((before.unstable, after.unstable))
        for which in range(low, high):
            try:
                omega = brentq(self._mode, before.omega, after.omega, (which, before.turns), xtol=1e-9, maxiter=40)
                turns = solve_equilibrium(self.chain, omega, before.turns).turns
            except (ValueError, RuntimeError, ConvergenceError):
                continue
            angles = np.sort(np.abs(tilt_angles(self.chain.posed(turns))))
            if any(abs(omega - o) < 1e-5 and np.abs(angles - a).max() < 1e-3 for o, a in self.crossings):
                continue
            self.crossings.append((omega, angles))
            values, vectors = self._modes(turns, omega)
            kick = vectors[:, which]
            # two modes at once: the chain is upright, and to lean one way or another is the same
            once = (np.abs(values) <= 1e-6 * np.abs(values).max()).sum() == 1
            for sign in (1.0, -1.0) if once else (1.0,):
                self.pending.append((Point(turns, omega, np.append(sign * kick, 0.0), which), sign * kick))

    def _mode(self, omega: float, which: int, near: np.ndarray) -> float:
        return float(self._modes(solve_equilibrium(self.chain, omega, near).turns, omega)[0][which])

    def _keep(self, points: list[Point]) -> None:
        """Keep what lies between the limits, closed by a point on each limit that was passed or nearly reached."""
        pairs = [(point.omega, point.turns) for point in points if self.start <= point.omega <= self.end]
        last = points[-1].omega
        if last > self.end:
            pairs += self._on_limit(self.end, points[-1])
        elif last < self.start:
            pairs += self._on_limit(self.start, points[-1])
        if self.start == 0.0 and points[0].omega == 0.01 * self.end:
            pairs = self._on_limit(0.0, points[0]) + pairs
        if len(pairs) < 2:
            return
        branch = EquilibriumBranch(self.chain, np.array([p[0] for p in pairs]), np.array([p[1] for p in pairs]))
        if not any(_same(branch, other) for other in self.branches):
            self.branches.append(branch)

    def _on_limit(self, omega: float, near: Point) -> list[tuple[float, np.ndarray]]:
        try:
            return [(omega, solve_equilibrium(self.chain, omega, near.turns).turns)]
        except ConvergenceError:
            return []


def _by_speed(posed: Posed, omega: float) -> np.ndarray:
    """∂F/∂ω = 2ω (F at ω = 1 without weight)"""
    bare = Posed(posed.static, posed.arm, posed.inertia, 0.0)
    return 2.0 * omega * moment_balance(bare, np.ones(len(posed))).residual.ravel()


def _same(new: EquilibriumBranch, old: EquilibriumBranch) -> bool:
    """Whether the middle of a branch lies on another."""
    middle = len(new) // 2
    try:
        there = old.at(float(new.omega[middle]))
    except ConvergenceError:
        return False
    wanted = new.tilt[middle]
    return any(min(np.abs(e.tilt - wanted).max(), np.abs(e.tilt + wanted).max()) < 1e-6 for e in there)
