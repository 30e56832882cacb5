"""A pose of rest: where weight, springs and the constraints' forces balance."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from ...errors import StateError
from ...model.arguments import as_model
from ...model.model import Model
from ...model.state import State
from ..base.arguments import as_state, as_time
from ..kernels import memory_layout as layout
from ..packing.pack import pack_model
from ..permanent.equilibria import ConvergenceError
from ..simulation.consistent_start import assemble_start
from ..states.constraint_system import Slides
from .state_slopes import Slopes, moved_coordinates

__all__ = ["equilibrium"]

TURNS: Final = 60
"""Newton's method settles in ten; where it must be led first, in steps of LONGEST, a joint goes all around in 13."""
LONGEST: Final = 0.5
"""rad, or of the mechanism's length, in a step: a pendulum that leans less than half a right angle from its upright
pose does not fall through the hanging one."""
BALANCED: Final = 1e-12
"""Of the accelerations that the forces at the start and the weight would cause: some hundred roundings."""
NEUTRAL: Final = 1e-10
"""Of the largest stiffness, in the metric of the mass: a direction below it changes nothing, such as a turn about the
vertical, and is left alone."""
DOWNHILL: Final = 1e-3
"""Of the unbalanced acceleration that a Newton step must be able to take away: below it the pose is at the crest
between two equilibria, where stiffness is zero, and the step goes where the forces pull."""


def equilibrium(model: Model, q: Any = None, *, tau: Any = None, t: float = 0.0) -> Model:
    """The model with its start at rest in equilibrium: L_τᵀ f(q, u = 0) = 0, found by Newton's method near a pose.

    The pose may be stable or not: ``mb.linearise(model).stable`` tells. What is indifferent, as a turn about the
    vertical, stays as it was. Newton's method takes the exact stiffness of `linearise`, with steps of half a radian.

    Parameters
    ----------
    q : (nq,) where to begin; the model's start unless told
    tau : (nv,) efforts that act beside the model's forces, N m or N
    t : s, the time at which forces that depend on it are taken

    Raises
    ------
    ConvergenceError : nothing near balances the forces, as of a body that falls freely

    >>> hanging = mb.equilibrium(mb.library.pendulum(2), q=[0.3, -0.2])
    >>> bool(abs(hanging.q0).max() < 1e-12), mb.linearise(hanging).stable
    (True, True)
    """
    as_model(model)
    place = as_state(model, q, model.q0, "q")
    efforts = as_state(model, tau, np.zeros(model.nv), "tau")
    if not np.isfinite(np.concatenate([place, efforts])).all():
        raise StateError("q or tau is not finite", where="equilibrium", remedy="give finite numbers")
    place = _settled(model, place, efforts, as_time(t))
    return model.replace(state=State(q=place.tolist(), u=[0.0] * model.nv, duration=model.state.duration))


def _settled(model: Model, q: np.ndarray, tau: np.ndarray, t: float) -> np.ndarray:
    """The pose in which forces balance."""
    weight = math.sqrt(sum(model.number(body.mass) for body in model.bodies))
    weight *= math.hypot(*(model.number(item) for item in model.gravity))
    size, scale = np.inf, weight
    for _ in range(TURNS):
        q = _on_constraints(model, q)
        slopes = Slopes(model, q, np.zeros(model.nv), tau, t)
        if not slopes.free.shape[1]:
            return q
        force, stiffness, basis = _balance(slopes)
        last, size = size, float(np.linalg.norm(force))
        scale = max(scale, size)
        if size == 0.0 or (size <= BALANCED * scale and size >= last / 2):
            return q
        step, answered = _step(stiffness, force, BALANCED * scale)
        step = basis @ step
        if answered:
            step = _without_neutral(step, basis, stiffness, np.diagonal(slopes.mass))
        q = moved_coordinates(model, q, step * min(1.0, LONGEST / max(_extent(model, slopes, step), 1e-300)))
    if size <= 100.0 * BALANCED * scale:
        return q
    pulled = basis @ force
    worst = int(abs(pulled).argmax())
    raise ConvergenceError(
        f"no equilibrium was found near this pose: after {TURNS} steps the forces still accelerate "
        f"{model.velocity_names[worst]!r} by {pulled[worst]:.3g}",
        remedy="give a pose q that is nearer to one, or a spring, an effort or a support that balances the weight",
    )


def _on_constraints(model: Model, q: np.ndarray) -> np.ndarray:
    """The nearest pose that the constraints allow."""
    if not model.constraints:
        return q
    start = assemble_start(model, pack_model(model), q, np.zeros(model.nv))
    if start.fault is not None:
        raise StateError(start.fault.message, where="equilibrium", remedy="give a pose that the constraints allow")
    return start.q


def _balance(slopes: Slopes) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Unbalanced force (k,), stiffness (k, k) and the free directions (nv, k) with Vᵀ M V = 1.

    The efforts −M u̇ balance it: about that state M δu̇ is the change of the forces alone.
    """
    V = slopes.free @ np.linalg.inv(np.linalg.cholesky(slopes.reduced_mass)).T
    missing = slopes.mass @ slopes.ud
    held = Slopes(slopes.model, slopes.q, slopes.u, slopes.tau - missing, slopes.t)
    return V.T @ missing, -V.T @ slopes.mass @ held.along(V, np.zeros_like(V))[0], V


def _step(stiffness: np.ndarray, force: np.ndarray, rounding: float) -> tuple[np.ndarray, bool]:
    """Newton's step, and True; where stiffness cannot answer a force, as at a crest, the way that the force pulls."""
    step = np.linalg.lstsq(stiffness, force, rcond=NEUTRAL)[0]
    left = force - stiffness @ step
    if float(np.linalg.norm(left)) <= max(DOWNHILL * float(np.linalg.norm(force)), rounding):
        return step, True
    return left / np.linalg.norm(left), False


def _without_neutral(step: np.ndarray, basis: np.ndarray, stiffness: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """A step without what changes nothing: a cart stays, though with it the mass centre of cart and pendulum would.

    ``weights`` (nv,), M_ii, make angles and lengths comparable.
    """
    _, sizes, rows = np.linalg.svd(stiffness)
    neutral = basis @ rows[sizes <= NEUTRAL * sizes.max(initial=0.0)].T
    if not neutral.shape[1]:
        return step
    root = np.sqrt(np.maximum(weights, 0.0))
    share = np.linalg.lstsq(neutral * root[:, None], step * root, rcond=None)[0]
    return np.asarray(step - neutral @ share)


def _extent(model: Model, slopes: Slopes, step: np.ndarray) -> float:
    """The largest part of a step: angles in rad, lengths in parts of the mechanism's."""
    slides = Slides.of(model)
    length = float(slopes.packed.model[layout.LENGTH]) or 1.0
    return float((abs(step) / np.where(slides.u, length, 1.0)).max())
