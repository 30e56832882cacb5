"""Relative equilibria: a chain that turns about the vertical as one, each body at rest in the turning axes.

Source: Chebanov, Khlistunova (2.2) with equal speeds ω. The left side F is the gradient of the energy in the turning
axes, Π − ½ ω² I, by the small turns of the bodies, so that its derivative K (see `rotation_growth`) is symmetric
where F = 0. Newton's method leaves out the directions that change nothing (`symmetry_directions`): a turn of all
about the vertical, and of a symmetric body about its own axis.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from ...errors import MbwidgetsError, StateError, shorten
from ...model.model import Model
from ..base.arguments import as_array
from ..base.rotations import farthest_axis, skew_matrix, unit_vector
from .ball_chain import Chain, Posed
from .growth_rates import (
    Growth,
    SteadyRotation,
    linearised_equations,
    orthogonal_complement,
    rotation_growth,
    symmetry_directions,
)
from .permanent import Permanent, moment_scale, permanent_rotation_of_chain

__all__ = ["ConvergenceError", "Equilibrium", "relative_equilibrium"]

STEPS = 60
"""Of Newton's method. One turns a body by ½ rad at most, so that seven lead half around; where branches cross, at a
double root, F falls to a quarter in each, and 22 more lead to `CONVERGED`."""
CONVERGED = 1e-13
"""Of the moments that are to balance: some hundreds of roundings. Steps go on below it as long as they halve F; what
is left after the last may be a hundred times this."""


class ConvergenceError(MbwidgetsError, ArithmeticError):
    """Newton's method did not settle.

    >>> issubclass(mb.ConvergenceError, mb.MbwidgetsError)
    True
    """


@dataclass(frozen=True, repr=False)
class Equilibrium(SteadyRotation):
    """A chain that turns as one at ω about the vertical.

    ``turns`` (n, 3, 3) world rotations of the bodies, ``residual`` the largest |F| left, N m, ``steps`` of Newton.
    """

    chain: Chain
    omega: float
    turns: np.ndarray
    residual: float
    steps: int

    @cached_property
    def posed(self) -> Posed:
        """The bodies in axes with e3 = ν."""
        return self.chain.posed(self.turns)

    @cached_property
    def tilt(self) -> np.ndarray:
        """Angle (n,) from the vertical to each a_i (to the barycentre), rad; 0 hangs, π stands.

        Signed: negative for a body that leans to the side opposite to the first that leans at all.
        """
        return tilt_angles(self.posed)

    @property
    def azimuth(self) -> np.ndarray:
        """Direction (n,) in which each a_i leans, from e1 towards e2, rad."""
        a = self.posed.static
        return np.arctan2(a[:, 1], a[:, 0])

    @cached_property
    def small_motions(self) -> Growth:
        """Growth rates of small motions about it."""
        return rotation_growth(self.posed, np.full(len(self.chain), self.omega))

    @property
    def permanent(self) -> Permanent:
        """The same rotation as `permanent` judges it."""
        return permanent_rotation_of_chain(self.chain, np.full(len(self.chain), self.omega), self.turns)

    def state(self) -> tuple[np.ndarray, np.ndarray]:
        """q (4n,) and u (3n,) for `simulate`."""
        speeds = np.tile(self.omega * self.chain.basis[:, 2], (len(self.chain), 1))
        return self.chain.quaternions(self.turns), self.chain.relative_speeds(self.turns, speeds)

    def __repr__(self) -> str:
        angles = ", ".join(f"{np.degrees(value):.4g}°" for value in self.tilt)
        return f"<relative equilibrium at ω = {self.omega:.5g} rad/s: tilts {angles}>"


def tilt_angles(posed: Posed) -> np.ndarray:
    """Signed angles (n,) from the vertical to each a_i, rad."""
    a = posed.static
    across = np.hypot(a[:, 0], a[:, 1])
    angle = np.arctan2(across, a[:, 2])
    leaning = np.flatnonzero(across > 1e-9 * np.linalg.norm(a, axis=1))
    if not leaning.size:
        return angle
    first = a[leaning[0], :2]
    return np.where(a[:, :2] @ first < 0.0, -angle, angle)


def relative_equilibrium(model: Model, omega: float, tilt: Any = None, q: Any = None) -> Equilibrium:
    """The relative equilibrium at ω that Newton's method finds from a guess.

    Parameters
    ----------
    model : a chain on spherical joints under gravity alone
    omega : rad/s, the same for all bodies
    tilt : (n,) angles of the a_i from the vertical, rad, all in one plane; a negative one leans to the other side
    q : a pose instead; without either the model's own

    Raises
    ------
    ConvergenceError : no equilibrium was found from there

    >>> mb.relative_equilibrium(mb.library.spherical_chain(2), 3.0)
    <relative equilibrium at ω = 3 rad/s: tilts 33.06°, 42.38°>
    """
    chain = Chain.of(model)
    speed = np.asarray(omega)
    if speed.shape != () or speed.dtype.kind not in "iuf" or not np.isfinite(speed):
        raise StateError(f"omega = {shorten(omega)}", remedy="give one finite number: all bodies turn as one")
    pose = model.q0 if q is None else as_array(q, model.coordinate_names, "q")
    turns = chain.turns(pose) if tilt is None else rotations_with_tilts(chain, tilt)
    return solve_equilibrium(chain, float(omega), turns)


def rotations_with_tilts(chain: Chain, tilt: Any) -> np.ndarray:
    """World rotations (n, 3, 3) that lean every a_i by its angle from the vertical, in the plane of e1 and ν."""
    angles = np.asarray(tilt, dtype=float)
    if angles.shape != (len(chain),) or not np.all(np.isfinite(angles)):
        raise StateError(f"tilt = {shorten(tilt)}", remedy=f"give {len(chain)} angles, rad")
    turns = np.empty((len(chain), 3, 3))
    for i, angle in enumerate(angles):
        wanted = chain.basis @ np.array([np.sin(angle), 0.0, np.cos(angle)])
        a = chain.static[i]
        length = np.linalg.norm(a)
        turns[i] = smallest_rotation_matrix(a / length, wanted) if length > 0.0 else np.eye(3)
    return turns


def smallest_rotation_matrix(start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """The smallest rotation from one direction to another."""
    cosine = float(start @ end)
    if cosine < -1.0 + 1e-14:
        across = unit_vector(np.cross(start, farthest_axis(start)))
        return np.asarray(Rotation.from_rotvec(np.pi * across).as_matrix())
    w = skew_matrix(np.cross(start, end))
    return np.asarray(np.eye(3) + w + w @ w / (1.0 + cosine))


def rotate_bodies(chain: Chain, turns: np.ndarray, step: np.ndarray) -> np.ndarray:
    """exp[θ_i] R_i for small turns θ (3n,) in the vertical basis."""
    world = step.reshape(-1, 3) @ chain.basis.T
    return np.asarray(Rotation.from_rotvec(world).as_matrix() @ turns)


def solve_equilibrium(chain: Chain, omega: float, rotations: np.ndarray) -> Equilibrium:
    """Newton's method on (2.2) from world rotations, with steps of at most half a radian."""
    speeds = np.full(len(chain), omega)
    scale = moment_scale(chain.posed(rotations), speeds)
    size = np.inf
    for count in range(STEPS):
        posed = chain.posed(rotations)
        linear = linearised_equations(posed, speeds, omega)
        last, size = size, float(np.abs(linear.residual).max())
        if size <= CONVERGED * scale and (size >= last / 2 or size == 0.0):
            return Equilibrium(chain, omega, rotations, size, count)
        free = orthogonal_complement(symmetry_directions(posed))
        step = free @ np.linalg.lstsq(free.T @ linear.stiffness @ free, -free.T @ linear.residual, rcond=1e-13)[0]
        longest = float(np.abs(step).max())
        rotations = rotate_bodies(chain, rotations, step * min(1.0, 0.5 / max(longest, 1e-300)))
    if size <= 100 * CONVERGED * scale:
        return Equilibrium(chain, omega, rotations, size, STEPS)
    raise ConvergenceError(
        f"no relative equilibrium was found at ω = {omega:g} rad/s: {size:.3g} N m are left after {STEPS} steps",
        remedy="start from other tilts, or follow a branch: mb.branch_diagram(model)",
    )
