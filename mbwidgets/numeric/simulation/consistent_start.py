"""The start of a constrained motion: a state that meets the constraints, their rank, and what stands in the way."""

from __future__ import annotations

from typing import Final

import numpy as np

from ...model.displacement import displaced_coordinates
from ...model.model import Model
from ..base.outcome import Outcome, Result
from ..base.tolerances import NUDGE, START_BESIDE, START_CLOSED, START_LEFT_ALONE, START_MOVED
from ..packing.pack import Packed
from ..states.constraint_system import Assembly, Constraints, equation_names, poses_at, set_nearest_curve_parameters
from ..states.unresisted_motion import explain_unresisted_motion

NOTHING: Final = 1e-24
"""A change, SI, that no mechanism is small enough to notice."""


def assemble_start(model: Model, packed: Packed, q: np.ndarray, u: np.ndarray) -> Assembly:
    """Consistent coordinates and velocities near those given, and the rank of the constraints."""
    set_nearest_curve_parameters(model, packed, q)
    system, names = Constraints(model, packed), equation_names(model, packed)
    system.observe(0.0, q, u)
    unknown = ~(np.isfinite(system.phi) & np.isfinite(system.rate) & np.isfinite(system.jacobian).all(axis=1))
    if unknown.any():
        details = f"At the start {names[int(unknown.argmax())]} has no finite value or slope: change it, or the start."
        return Assembly(q, u, system.equations, 0, fault=Outcome(Result.NOT_FINITE, 0.0, details))
    closed = system.close(0.0, q)
    system.observe(0.0, closed, u)
    count, off = system.equations, system.off()
    if not off.max() < START_CLOSED:
        worst = int(np.where(off < START_CLOSED, 0.0, abs(system.phi)).argmax())
        fault = _contradiction(f"At the start {names[worst]} is off by {abs(system.phi[worst]):.3g}", "the positions")
        return Assembly(q, u, count, 0, fault=fault)
    if (turned := _half_turn(model, packed, closed)) is not None:
        details = (
            f"At the start {turned} holds with its bodies half a turn apart, not in their zero-pose orientation: "
            "start nearer to it."
        )
        return Assembly(closed, u, count, 0, fault=Outcome(Result.CONTRADICTORY, 0.0, details))
    started = u
    if system.rate_off(u).max() > START_LEFT_ALONE:
        started = u + system.least(-system.rate)
    system.observe(0.0, closed, started)
    off = system.rate_off(np.maximum(abs(u), abs(started)))  # a mechanism that is locked keeps rounding of what it had
    if not off.max() < START_CLOSED:
        worst = int(np.where(off < START_CLOSED, 0.0, abs(system.rate)).argmax())
        fault = _contradiction(
            f"At the start {names[worst]} asks for a velocity that is off by {system.rate[worst]:.3g}",
            "the velocities",
        )
        return Assembly(closed, u, count, 0, fault=fault)
    here = system.rank(0.0, closed)
    rank = max(here, *(system.rank(0.0, near) for near in _nearby(system, closed)))
    singular: Outcome | None = None
    system.observe(0.0, closed, started)
    if here < rank and (lack := explain_unresisted_motion(model, system.massless_free_velocities())) is not None:
        singular = Outcome(Result.SINGULAR, 0.0, f"The constraints leave such a motion free. {lack.details}")
    elif here < rank:
        singular = Outcome(
            Result.UNDETERMINED,
            0.0,
            f"The start is a singular position, rank {here} instead of {rank}, which more than one motion can leave: "
            "start beside it.",
        )
    moved = _differences(system, q, closed, u, started)
    return Assembly(closed, started, count, rank, moved, singular)


def _half_turn(model: Model, packed: Packed, q: np.ndarray) -> str | None:
    """The weld or orientation whose equations x·y′ = y·z′ = z·x′ = 0 are met with x′ = −x or the like; if any."""
    kept = [(k, item) for k, item in enumerate(model.constraints) if item.type in ("weld", "orientation")]
    if not kept:
        return None
    _, R = poses_at(model, packed, q)
    for owner, item in kept:
        a, b = (np.eye(3) if end.body is None else R[model.index(end.body)] for end in (item.a, item.b))
        if np.trace(a.T @ b) < 2.0:
            return f"constraint {owner} ({item.type})"
    return None


def _nearby(system: Constraints, q: np.ndarray) -> list[np.ndarray]:
    """Two positions on the constraints beside q, where a singular position shows that it is one."""
    system.observe(0.0, q, np.zeros(system.model.nv))
    free = system.free()
    random = np.random.default_rng(0)
    places = []
    for _ in range(2):
        change = free @ random.normal(size=free.shape[1])
        near = system.close(0.0, displaced_coordinates(system.model, q, change * (NUDGE / system.extent(change, q))))
        beside = system.extent(system.least(-system.phi), q)  # of a double root the residual itself does not tell
        places.append(near if min(system.off().max(), beside) < START_BESIDE else q)
    return places


def _contradiction(what: str, which: str) -> Outcome:
    return Outcome(Result.CONTRADICTORY, 0.0, f"{what}: change it, or {which} that the others ask for.")


def _differences(
    system: Constraints, q: np.ndarray, new_q: np.ndarray, u: np.ndarray, new_u: np.ndarray
) -> tuple[str, ...]:
    """What was changed by more than rounding, in words."""
    model, reach = system.model, system.reach(new_q)
    scale = system.slides.largest(np.stack([q, new_q]), np.stack([u, new_u]), reach)
    scale[model.nq :] = np.maximum(scale[model.nq :], 1e-6 * np.where(system.slides.u, reach, 1.0))
    names = [f"q of {name!r}" for name in model.coordinate_names] + [f"u of {name!r}" for name in model.velocity_names]
    changes = np.concatenate([new_q - q, new_u - u])
    found = zip(names, changes, scale, strict=True)
    return tuple(
        f"{name} by {change:.3g}" for name, change, size in found if abs(change) > max(START_MOVED * size, NOTHING)
    )
