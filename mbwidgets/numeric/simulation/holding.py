"""Efforts that hold a pose, as the drives of a machine do: they carry the weight and pull back what strays."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, Final

import numpy as np

from ...errors import StateError
from ...expressions import Variable
from ...model.arguments import as_model
from ...model.model import Model
from ..base.arguments import as_state
from ..base.outcome import Result
from ..base.rotations import unit_vector
from ..packing.pack import pack_model
from ..states.dynamics import Dynamics
from .consistent_start import assemble_start

__all__ = ["drives_of", "hold", "undriven_slides"]

STIFF: Final = 4.0
"""Of a drive's own frequency over that of a pendulum as long as the mechanism: firm, and nothing that shakes."""
DAMPED: Final = 0.7
"""Of critical damping: a drive that has been pushed comes back in one swing."""
STANDARD_GRAVITY: Final = 9.80665
"""m/s²: sets how fast drives are, with the weight or without it."""
SLIDES: Final = ("prismatic", "cylindrical")
"""Joints that guide a slide: what only floats, in a plane or in space, has no drive."""
LEVEL: Final = 1e-6
"""Cosine between a slide and gravity below which the slide is level, but for rounding."""
MACHINE: Final = 2
"""Joints that a slide carries at least where it is the lift of a machine: a block on an incline is to slide, and a cart
with a pendulum, too."""


def hold(model: Model, joints: Iterable[str | int] | str | int | None = None, q: Any = None) -> dict[str, list[Any]]:
    """Efforts, N m or N, that hold joints where they are, for ``tau`` of `simulate`: they are no part of the model.

    τ = G − k (q − q₀) − c u for each free direction, with G what carries the weight and the model's own forces in the
    pose q₀, k = a ω², c = 1.4 a ω, a its entry of the mass matrix, ω four times that of a pendulum as long as the
    mechanism. A ball is turned back by the vector 2 e of the quaternion that it is away.

    Parameters
    ----------
    model : what is to be held
    joints : which ones, or one; all that move unless told
    q : the pose, or a dict by joint of what differs from the model's initial state, which it is by default

    >>> arm = mb.library.opnchain_manipulator()
    >>> motion = mb.simulate(arm, tau=mb.hold(arm, ["lift", "reach"]), duration=2)
    >>> bool(abs(motion.q[:, 0]).max() < 0.2)  # m: without the drives it would fall 20 m
    True
    """
    as_model(model)
    place = _allowed(model, as_state(model, q, model.q0, "q"))
    dynamics = Dynamics(model)
    if isinstance(joints, str | int | np.integer):
        joints = [joints]
    wanted = range(len(model.bodies)) if joints is None else sorted({model.index(joint) for joint in joints})
    weight = _weight(dynamics, place, [k for k in wanted if model.bodies[k].joint.nv])
    inertia = np.diag(dynamics.mass_matrix(place))
    rate = STIFF * math.sqrt(STANDARD_GRAVITY / _length(model, dynamics, place))
    efforts = {}
    for index in wanted:
        body, first = model.bodies[index], model.u_offsets[index]
        away = _departures(body.joint, place, model.q_offsets[index])
        efforts[body.name] = [
            float(weight[j]) - float(inertia[j]) * (rate**2 * off + 2.0 * DAMPED * rate * Variable("u", j))
            for j, off in enumerate(away, first)
        ]
    return {name: values for name, values in efforts.items() if values}


def _allowed(model: Model, q: np.ndarray) -> np.ndarray:
    """The nearest pose that the constraints allow."""
    if not model.constraints:
        return q
    start = assemble_start(model, pack_model(model), q, np.zeros(model.nv))
    if start.fault is not None and start.fault.result is Result.CONTRADICTORY:
        raise StateError(start.fault.message, where="hold", remedy="give a pose that the constraints allow")
    return start.q


def _weight(dynamics: Dynamics, q: np.ndarray, joints: list[int]) -> np.ndarray:
    """Efforts that balance the weight and the model's own forces: in a closed loop those of the joints that are held,
    if they can."""
    still = np.zeros(dynamics.model.nv)
    if dynamics.model.constraints:
        try:
            return dynamics.inverse(q, still, still, actuated=joints)
        except StateError:  # they cannot: each carries its share
            pass
    return dynamics.inverse(q, still, still)


def drives_of(model: Model) -> dict[str, list[Any]] | None:
    """Efforts that hold the slides of a machine which would fall for ever without its drives; None for all else."""
    slides = undriven_slides(model)
    return hold(model, slides) if slides else None


def undriven_slides(model: Model) -> tuple[str, ...]:
    """Slides of a machine that would fall for ever because nothing drives its lift; none where it would not.

    A lift is a slide on the ground, along gravity or at an angle with it, which no force of the model acts on and which
    carries two joints or more. The other slides of such a machine lack their drives, too.
    """
    if model.constraints:
        return ()
    gravity = np.array([model.number(item) for item in model.gravity])
    strength = float(np.linalg.norm(gravity))
    driven = {getattr(force, "joint", None) for force in model.forces}
    held_by = {getattr(getattr(force, end, None), "body", None) for force in model.forces for end in ("start", "end")}
    found = []
    for index, body in enumerate(model.bodies):
        if body.joint.type not in SLIDES or body.name in driven or not strength > 0.0:
            continue
        carried = model.subtree(index)
        if model.parents[index] < 0:
            axis = unit_vector([model.number(item) for item in body.joint.columns()[0].axis])
            moving = sum(model.bodies[other].joint.nv > 0 for other in carried) - 1
            supported = held_by & {model.bodies[other].name for other in carried}
            if abs(axis @ gravity) > LEVEL * strength and moving >= MACHINE and not supported:
                found.append(set(carried))
    return tuple(
        body.name
        for index, body in enumerate(model.bodies)
        if body.joint.type in SLIDES and body.name not in driven and any(index in machine for machine in found)
    )


def _departures(joint: Any, place: np.ndarray, first: int) -> list[Any]:
    """How far each free direction of a joint is from a pose: expressions of its coordinates."""
    found: list[Any] = []
    for column in joint.columns():
        if column.kind == "ball":
            (x, y, z, w), (a, b, c, d) = (Variable("q", first + k) for k in range(4)), map(float, place[first:][:4])
            found += [2.0 * (d * x - a * w - (b * z - c * y))]
            found += [2.0 * (d * y - b * w - (c * x - a * z))]
            found += [2.0 * (d * z - c * w - (a * y - b * x))]
            first += 4
        else:
            found.append(Variable("q", first) - float(place[first]))
            first += 1
    return found


def _length(model: Model, dynamics: Dynamics, place: np.ndarray) -> float:
    """How far the mechanism reaches, m, from the middle of its joints; 1 where it is a point."""
    origins = dynamics.poses(place)[0]
    points = np.concatenate([origins, np.zeros((1, 3))])
    arms = [math.hypot(*(model.number(item) for item in body.com)) for body in model.bodies]
    length = float(np.linalg.norm(points - points.mean(axis=0), axis=1).max()) + max(arms)
    return length if length > 0.0 else 1.0
