"""The equations of motion to first order about a state, for every model: trees, balls, loops, prescribed motions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...errors import StateError
from ...expressions import PI as pi
from ...model.arguments import as_model
from ...model.model import Model
from ..base.arguments import as_state, as_time, velocities_of
from ..packing.pack import pack_model
from ..simulation.consistent_start import assemble_start
from .kinks import refuse_kinks
from .output_rows import output_rows
from .state_slopes import Slopes, change_names, turning_of_changes

if TYPE_CHECKING:
    from ...symbolic.papers.covariant import Linearised
    from ..motion.motion import Motion

__all__ = ["Linear", "linearise"]

LEAST_SHARE: Final = 0.1
"""Sine of the angle that a velocity must make with those chosen before it to be chosen: one digit is lost at most, and
the first of a model, its crank, is kept wherever it is not stuck."""


AWAY: Final = 1e-4
"""rad or m from an equilibrium, as far as the slopes tell, within which a state is one: they are off by as much."""
ROUNDING: Final = 1e-9
"""Part of gravity and of the largest ω² that accelerations may have which cancel: some thousand roundings and more,
where no slope tells what is far."""
PARTS: Final = 12
"""Of π: angles that are multiples of π/12 have sines and cosines in square roots."""
SAME_ANGLE: Final = 1e-13
"""rad or m by which a coordinate may miss such a place: some hundred roundings of an equilibrium that was sought."""
DOUBLE: Final = 1e-6
"""Of the largest |λ|: a double eigenvalue, such as the pair of zeros of a free joint, is known to √ε = 1.5e-8 only, and
a threefold one to ε^⅓ = 6e-6 of what couples it."""


@dataclass(frozen=True, eq=False, repr=False)
class Linear:
    """ẋ = A x + B w about a state, x = (δξ, δu) of the independent coordinates; made by `linearise`.

    Attributes
    ----------
    A, B : (2k, 2k) and (2k, m), k degrees of freedom, m inputs
    M, C, K : (k, k), M δξ̈ + C δξ̇ + K δξ = F δw: the same in second-order form
    F : (k, m), the inputs' share in it
    G, D : (p, 2k) and (p, m) of the outputs, δy = G x + D w; the book's C and D
    coordinates, velocities : names of δξ and δu: angles and lengths; for a ball small turns about body axes
    inputs, outputs : names
    independent : numbers of the independent velocities among all
    null_space : L (nv, k): all velocities by the independent ones, δu = L δu_k; the identity for a tree
    q, u, ud : the state, and its accelerations: where they are not zero, or do not stay so, x is a change of a motion
        that goes on meanwhile, and ``steady`` is False
    moved : what had to be changed of the state that was given, so that it meets the constraints, in words

    >>> small = mb.linearise(mb.library.pendulum(1), q=[0])
    >>> small.A.round(4).tolist(), small.coordinates
    ([[0.0, 1.0], [-14.715, 0.0]], ('rod 1',))
    """

    model: Model
    A: np.ndarray
    B: np.ndarray
    M: np.ndarray
    C: np.ndarray
    K: np.ndarray
    F: np.ndarray
    G: np.ndarray
    D: np.ndarray
    coordinates: tuple[str, ...]
    velocities: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    independent: tuple[int, ...]
    null_space: np.ndarray
    q: np.ndarray
    u: np.ndarray
    ud: np.ndarray
    moved: tuple[str, ...] = ()

    @cached_property
    def _pairs(self) -> tuple[np.ndarray, np.ndarray]:
        values, vectors = np.linalg.eig(self.A)
        order = np.lexsort((-values.imag, abs(values.imag).round(12), values.real.round(12)))[::-1]
        return values[order], vectors[:, order]

    @property
    def eigenvalues(self) -> np.ndarray:
        """λ (2k,), 1/s, the one that grows fastest first: exp(λ t); real part growth, imaginary part angular
        frequency."""
        return self._pairs[0]

    @property
    def modes(self) -> np.ndarray:
        """Eigenvectors (2k, 2k) of A, a column for each of the eigenvalues: A v = λ v, length one."""
        return self._pairs[1]

    @property
    def shapes(self) -> np.ndarray:
        """What each mode moves (nv, 2k): δξ of all joints, rad or m, complex, the dependent ones included."""
        return np.asarray(self.null_space @ self.modes[: len(self.coordinates)])

    @property
    def stable(self) -> bool:
        """Whether no small motion grows: Re λ ≤ 0 to rounding; says nothing where Re λ = 0."""
        return bool((self.eigenvalues.real <= DOUBLE * abs(self.eigenvalues).max(initial=0.0)).all())

    @cached_property
    def _leaves(self) -> tuple[str, ...]:
        """Where the state does not stay: accelerations that are not zero, or not for long, in words."""
        k, chosen = len(self.coordinates), list(self.independent)
        by_pose, by_rate = self.A[k:, :k], self.A[k:, k:]
        u, ud = self.u[chosen], self.ud[chosen]
        gravity = float(np.linalg.norm([self.model.number(item) for item in self.model.gravity]))
        least = AWAY * abs(by_pose).max(initial=0.0) + ROUNDING * max(gravity, (self.u**2).max(initial=0.0))
        names = self.velocities
        found = [f"u̇ of {names[i]} = {ud[i]:.3g}" for i in range(k) if abs(ud[i]) > least]
        if found:
            return tuple(found)
        change = by_pose @ u + by_rate @ ud
        least *= max(1.0, abs(self.u).max(initial=0.0))
        return tuple(f"u̇ of {names[i]} changes by {change[i]:.3g} a second" for i in range(k) if abs(change[i]) > least)

    @property
    def steady(self) -> bool:
        """Whether the state is an equilibrium or a steady motion: u̇ = 0 of the independent velocities, and stays so.

        Elsewhere A and B hold about the motion that passes through the state, and only as long as it is near; its
        eigenvalues are no frequencies.

        >>> model = mb.library.pendulum(1)
        >>> mb.linearise(model, q=[1]).steady, mb.linearise(mb.equilibrium(model, q=[3])).steady
        (False, True)
        """
        return not self._leaves

    @property
    def formulae(self) -> Linearised:
        """M, C, K and the residual in letters, exact, at this state; of trees with one-axis joints.

        Angles that are multiples of π/12 but for rounding are taken as such: a rod stands at π, not at 3.14159….

        >>> print(mb.linearise(mb.library.pendulum(1), q=[0]).formulae.stiffness[0, 0])
        g*l*m/2
        """
        from ...symbolic.papers.covariant import covariant

        still = self.steady and not self.u.any()  # what is left of u̇ there is rounding
        ud = [0] * len(self.ud) if still else list(self.ud)
        return covariant(self.model).linearised(q=_exact_coordinates(self.model, self.q), u=list(self.u), ud=ud)

    def play(self, mode: int = 0, amplitude: float = 0.1, duration: float | None = None, rate: int = 60) -> Motion:
        """A mode as a motion about the state, to be looked at: ``explorer.motion = small.play(0)``.

        Parameters
        ----------
        mode : its number among the eigenvalues
        amplitude : of the coordinate that moves most, rad or m
        duration : s; two periods, or twice the time in which it grows or falls e-fold
        """
        from .mode_motion import mode_motion

        return mode_motion(self, mode, amplitude, duration, rate)

    def __repr__(self) -> str:
        first = ", ".join(f"{value:.4g}" for value in self.eigenvalues[:6])
        more = ", …" if len(self.eigenvalues) > 6 else ""
        away = ""
        if self._leaves:
            told = ", ".join(self._leaves[:3]) + (", …" if len(self._leaves) > 3 else "")
            remedy = "for an equilibrium mb.linearise(mb.equilibrium(model, q=…))"
            away = f"; u̇ ≠ 0 here: {told}: neither an equilibrium nor a steady motion; {remedy}"
        return (
            f"<{self.model.name!r} to first order: {', '.join(self.coordinates[:6])}; eigenvalues {first}{more}{away}>"
        )


def linearise(
    model: Model,
    q: Any = None,
    u: Any = None,
    inputs: Any = (),
    outputs: Any = (),
    *,
    tau: Any = None,
    t: float = 0.0,
    coordinates: Any = (),
) -> Linear:
    """The equations of motion to first order about a state: exact slopes by dual numbers, constraints eliminated.

    δξ̇ = δu + W δξ, δu̇ = ∂u̇/∂ξ δξ + ∂u̇/∂u δu + M⁻¹ δτ, of the coordinates that the constraints leave independent; the
    others follow by L_τ and, where the mechanism moves, by δ(J u) = 0 (Tătaru's orthogonal complement, scaled so that
    its rows for the independent velocities are one).

    Parameters
    ----------
    model : any model; forces and prescribed motions that depend on t are taken at ``t``
    q, u : the state, brought to the constraints as `simulate` does; the model's start unless told. Eigenvalues mean
        growth and frequency where it is an equilibrium, ``mb.equilibrium(model, q=[0, pi])``, or a steady motion,
        ``.steady``
    inputs : joints whose effort is an input (all its directions), or names as ``model.velocity_names`` has them
    outputs : expressions of t, q[rod], u[rod] and of points, x[rod], as `simulate` takes them for ``tau``, or pairs
        ("position", body), ("velocity", body), ("position", body, at)
    tau : (nv,) efforts that act besides at the state, N m or N
    t : s
    coordinates : joints to be independent, before others

    Returns
    -------
    Linear : ``.A .B`` of ẋ = A x + B w, ``.M .C .K .F`` of the second-order form, ``.G .D`` of the outputs,
        ``.coordinates .velocities`` the order of x = (δξ, δu), ``.eigenvalues .modes .shapes .stable .steady``,
        ``.q .u .ud`` the state, ``.formulae``, ``.play(mode)``

    >>> small = mb.linearise(mb.library.four_bar(), inputs=["crank"])
    >>> small.coordinates, small.A.shape, small.B.shape
    (('crank',), (2, 2), (2, 1))
    """
    as_model(model)
    place = as_state(model, q, model.q0, "q")
    rates = as_state(model, u, model.u0, "u")
    efforts = as_state(model, tau, np.zeros(model.nv), "tau")
    for values, names, what in (
        (place, model.coordinate_names, "q"),
        (rates, model.velocity_names, "u"),
        (efforts, model.velocity_names, "tau"),
    ):
        for name, value in zip(names, values, strict=True):
            if not np.isfinite(value):
                raise StateError(f"{what} of {name!r} is {value}", remedy="give finite numbers")
    columns, names = velocities_of(model, inputs, "inputs")
    first, _ = velocities_of(model, coordinates, "coordinates")
    moved: tuple[str, ...] = ()
    if model.constraints:
        place, rates, moved = _assembled(model, place, rates)
    refuse_kinks(model, place, rates, as_time(t))
    slopes = Slopes(model, place, rates, efforts, as_time(t))
    return _linear(slopes, columns, names, first, outputs, moved)


def _exact_coordinates(model: Model, q: np.ndarray) -> list[Any]:
    """Coordinates, of one-axis joints, with multiples of π/12 for angles that are these but for rounding, and zeros."""
    kinds = [column.kind for body in model.bodies for column in body.joint.columns()]
    found: list[Any] = []
    for kind, value in zip(kinds, q.tolist(), strict=True):
        parts = round(PARTS * value / np.pi) if kind == "rotation" else 0
        near = abs(value - parts * np.pi / PARTS) <= SAME_ANGLE * max(1.0, abs(value))
        found.append(Fraction(parts, PARTS) * pi if near else value)
    return found


def _assembled(model: Model, q: np.ndarray, u: np.ndarray) -> tuple[np.ndarray, np.ndarray, tuple[str, ...]]:
    """A state on the constraints near the one given."""
    start = assemble_start(model, pack_model(model), q, u)
    if start.fault is not None:
        raise StateError(start.fault.message, where="the state", remedy="give one that the constraints allow")
    return start.q, start.u, start.moved


def independent_velocities(free: np.ndarray, mass: np.ndarray, first: Sequence[int] = ()) -> np.ndarray:
    """Which k of the velocities determine all others: those of ``first``, then the model's first, that are not stuck.

    ``free`` (nv, k) spans what is left; velocities are compared in units of 1/√M_ii.
    """
    weights = np.sqrt(np.maximum(np.diagonal(mass), 0.0))
    weights[weights == 0.0] = weights[weights > 0.0].min(initial=1.0)
    rows = np.linalg.qr(free * weights[:, None])[0]
    chosen: list[int] = []
    left = rows.copy()
    order = [*dict.fromkeys([*first, *range(len(rows))])]
    for least in (LEAST_SHARE, 0.0):
        while len(chosen) < free.shape[1]:
            sizes = np.linalg.norm(left, axis=1)
            able = [k for k in order if k not in chosen and sizes[k] > least * np.linalg.norm(rows[k])]
            able = [k for k in able if sizes[k] > least * sizes.max()] if least else able
            if not able:
                break
            best = able[0] if least else max(able, key=lambda k: sizes[k])
            chosen.append(best)
            axis = left[best] / sizes[best]
            left = left - np.outer(left @ axis, axis)
    return np.array(sorted(chosen, key=order.index) if first else sorted(chosen), dtype=int)


def _linear(
    slopes: Slopes, columns: list[int], names: tuple[str, ...], first: list[int], outputs: Any, moved: tuple[str, ...]
) -> Linear:
    model, nv = slopes.model, slopes.model.nv
    chosen = independent_velocities(slopes.free, slopes.mass, first)
    k = len(chosen)
    L = np.asarray(slopes.free @ np.linalg.inv(slopes.free[chosen])) if k else np.zeros((nv, 0))
    L[chosen] = np.eye(k)
    follow = slopes.dependent_velocities(chosen, L)
    by_pose, by_rate = slopes.along(L, follow)[0][chosen], slopes.along(np.zeros_like(L), L)[0][chosen]
    turning = (turning_of_changes(model, slopes.u) @ L)[chosen]
    mass = L.T @ slopes.mass @ L
    effort = L.T[:, columns]
    A = np.block([[turning, np.eye(k)], [by_pose, by_rate]])
    B = np.vstack([np.zeros((k, len(columns))), np.linalg.solve(mass, effort) if k else effort])
    rows = output_rows(slopes, outputs)
    free_change = np.block([[L, np.zeros((nv, k))], [follow, L]])
    labels = change_names(model)
    return Linear(
        model=model,
        A=A,
        B=B,
        M=mass,
        # δu = δξ̇ − W δξ, and a steady motion has a steady W
        C=-mass @ (turning + by_rate),
        K=-mass @ (by_pose - by_rate @ turning),
        F=effort.copy(),
        G=rows.by_state @ free_change,
        D=np.zeros((len(rows.names), len(columns))),
        coordinates=tuple(labels[i] for i in chosen),
        velocities=tuple(model.velocity_names[i] for i in chosen),
        independent=tuple(int(i) for i in chosen),
        inputs=names,
        outputs=rows.names,
        null_space=L,
        q=slopes.q,
        u=slopes.u,
        ud=slopes.ud,
        moved=moved,
    )
