"""A model whose start meets its constraints, with named joints held where they are put."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from ...errors import ModelError, StateError
from ...expressions import Variable
from ...model.arguments import as_model
from ...model.constraints import Prescribed
from ...model.model import Model
from ...model.state import State
from ..base.arguments import as_array, as_state
from ..base.outcome import Outcome
from ..packing.pack import pack_model
from .consistent_start import assemble_start

__all__ = ["assemble"]

LEAD: Final = 0.25
"""rad or m in a step, in which a held coordinate is led to its place: Newton's method stays on a branch for as much."""


def assemble(model: Model, q: Any = None, u: Any = None, /, **joints: Any) -> Model:
    """The model with a start that meets its constraints; the joints named keep the coordinates that they are given.

    The others move as little as they can, in the metric of the kinetic energy, from q, by default from the model's own
    start. Velocities follow: those of the joints named are kept as they are. A joint whose name is no word is given by
    a mapping: ``mb.assemble(model, {"rod 1": 0.3})``.

    Parameters
    ----------
    q, u : (nq,), (nv,) to begin with, or a mapping of joints that are to be held
    joints : coordinates, rad or m, by the name of the joint; a list for one that has several

    >>> linkage = mb.assemble(mb.library.four_bar(), crank=1.0)
    >>> linkage.q0.round(6).tolist(), float(mb.simulate(linkage, duration=0.1).constraint_residual.max()) < 1e-12
    ([1.0, -0.522969, 1.332358], True)
    """
    as_model(model)
    held = dict(joints)
    if isinstance(q, Mapping):
        held, q = {**q, **held}, None
    place = as_state(model, q, model.q0, "q").copy()
    rates = as_state(model, u, model.u0, "u").copy()
    wanted = _coordinates(model, held)
    if model.constraints:
        place, rates = _assembled(model, place, rates, wanted)
    else:
        for k, value in wanted.items():
            place[k] = value
    return model.replace(state=State(q=place.tolist(), u=rates.tolist(), duration=model.state.duration))


def _coordinates(model: Model, held: Mapping[Any, Any]) -> dict[int, float]:
    """Number and value of each coordinate that is held."""
    found: dict[int, float] = {}
    for joint, given in held.items():
        if isinstance(joint, str) and joint in model.coordinate_names:
            first = model.coordinate_names.index(joint)
            names = model.coordinate_names[first : first + 1]
        else:
            k = model.index(joint)
            first = model.q_offsets[k]
            names = model.coordinate_names[first : model.q_offsets[k + 1]]
        for number, value in enumerate(as_array(np.atleast_1d(given), names, f"joint {joint!r}")):
            if not np.isfinite(value):
                raise StateError(f"{value} is not finite", where=f"joint {joint!r}", remedy="give a finite number")
            found[first + number] = float(value)
    return found


def _assembled(
    model: Model, q: np.ndarray, u: np.ndarray, wanted: Mapping[int, float]
) -> tuple[np.ndarray, np.ndarray]:
    """A consistent state in which coordinates are held.

    They are led to their places in steps, so that the others stay on their branch of the linkage; in one step where
    that leads nowhere.
    """
    owners = {k: _owner(model, k) for k in wanted}
    far = max((abs(value - q[k]) for k, value in wanted.items()), default=0.0)
    steps = max(1, math.ceil(far / LEAD))
    told = ""
    for parts in dict.fromkeys((steps, 1)):
        here, rates = q, u
        fault: Outcome | None = None
        for part in range(1, parts + 1):
            fixed = [
                Prescribed(joint, q[k] + (value - q[k]) * part / parts + float(u[number]) * Variable("t"), coordinate)
                for (k, value), (joint, coordinate, number) in zip(wanted.items(), owners.values(), strict=True)
            ]
            clamped = model.replace(constraints=(*model.constraints, *fixed), state=None)
            start = assemble_start(clamped, pack_model(clamped), here, rates)
            here, rates, fault = start.q, start.u, start.fault
            if fault is not None:
                break
        if fault is None:
            return here, rates
        told = fault.message
    raise StateError(told, where="assemble", remedy="give other coordinates, or a start that is nearer")


def _owner(model: Model, k: int) -> tuple[str, int, int]:
    """The joint of a coordinate, its number there, and the number of its velocity."""
    index = next(i for i in range(len(model.bodies)) if model.q_offsets[i] <= k < model.q_offsets[i + 1])
    body = model.bodies[index]
    if body.joint.nq != body.joint.nv:
        raise ModelError(
            "its orientation cannot be held: a quaternion is no list of coordinates",
            where=f"joint {body.name!r}",
            remedy="add an mb.OrientationConstraint instead",
        )
    number = k - model.q_offsets[index]
    return str(body.name), number, model.u_offsets[index] + number
