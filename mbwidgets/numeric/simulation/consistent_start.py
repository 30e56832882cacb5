"""The start of a constrained motion: a state that meets the constraints, their rank, and what stands in the way."""

from __future__ import annotations

from typing import Final

import numpy as np

from ...model.constraint_primitives import constraint_title
from ...model.model import Model
from ..base.outcome import Outcome, Result
from ..base.tolerances import START_MOVED
from ..kernels import assembly
from ..packing.pack import Packed
from ..states.constraint_system import Assembly, Constraints, equation_names, set_nearest_curve_parameters
from ..states.unresisted_motion import explain_unresisted_motion

NOTHING: Final = 1e-24
"""A change, SI, that no mechanism is small enough to notice."""


def assemble_start(model: Model, packed: Packed, q: np.ndarray, u: np.ndarray) -> Assembly:
    """Consistent coordinates and velocities near those given, and the rank of the constraints."""
    set_nearest_curve_parameters(packed, q)
    system, closed, started = Constraints(model, packed), q.copy(), u.copy()
    status, (which, off, here, rank) = system.assemble(closed, started)
    if status != assembly.ASSEMBLED:
        fault = _fault(model, packed, status, int(which), float(off))
        return Assembly(q if status in (assembly.UNKNOWN, assembly.OPEN) else closed, u, system.equations, fault=fault)
    singular: Outcome | None = None
    if here < rank:
        system.observe(0.0, closed, started)
        singular = _singular_start(model, system, int(here), int(rank))
    moved = _differences(system, q, closed, u, started)
    return Assembly(closed, started, system.equations, int(rank), moved, singular)


def _fault(model: Model, packed: Packed, status: int, which: int, off: float) -> Outcome:
    """Why a start cannot be made consistent."""
    if status == assembly.HALF_TURNED:
        details = (
            f"At the start {constraint_title(which, model.constraints[which])} holds with its bodies half a turn "
            "apart, not in their zero-pose orientation: start nearer to it."
        )
        return Outcome(Result.CONTRADICTORY, 0.0, details)
    name = equation_names(model, packed)[which]
    if status == assembly.UNKNOWN:
        details = f"At the start {name} has no finite value or slope: change it, or the start."
        return Outcome(Result.NOT_FINITE, 0.0, details)
    if status == assembly.OPEN:
        return _contradiction(f"At the start {name} is off by {abs(off):.3g}", "the positions")
    return _contradiction(f"At the start {name} asks for a velocity that is off by {off:.3g}", "the velocities")


def _singular_start(model: Model, system: Constraints, here: int, rank: int) -> Outcome:
    """Why a motion cannot leave the state last observed, where the rank is less than beside it."""
    if (lack := explain_unresisted_motion(model, system.massless_free_velocities())) is not None:
        return Outcome(Result.SINGULAR, 0.0, f"The constraints leave such a motion free. {lack.details}")
    return Outcome(
        Result.UNDETERMINED,
        0.0,
        f"The start is a singular position, rank {here} instead of {rank}, which more than one motion can leave: "
        "start beside it.",
    )


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
