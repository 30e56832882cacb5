"""Reactions as an engineer asks for them, about a pole, in the axes of a body, on two bearings; efforts of drives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...errors import MbwidgetsError, ModelError, UnknownNameError, shorten
from ...model.constraints import Prescribed
from ...model.fields import as_number, as_vector, suggest_name
from ...model.forces import Effort
from ...model.model import Model
from ..base.brief import brief_text
from ..packing.pack_efforts import effort_frames
from .body_axes import free_directions

if TYPE_CHECKING:
    from .motion import Motion

__all__ = ["BearingFrames", "bearing_forces", "body_point", "drive_efforts", "joint_efforts", "reactions_about"]

AXES = ("world", "parent", "body")


class BearingFrames(NamedTuple):
    """Forces of two radial bearings on the body (frames, 3), world axes, and what an axial one has (frames,), N.

    ``axial`` counts along the joint's axis.
    """

    a: np.ndarray
    b: np.ndarray
    axial: np.ndarray

    def __repr__(self) -> str:
        return brief_text(self)


def reactions_about(motion: Motion, joint: str | int, pole: Any, axes: str) -> np.ndarray:
    """Force F and moment M_P = M_O − OP × F of a joint (frames, 6), parent on body."""
    k = motion.model.index(joint)
    if axes not in AXES:
        raise UnknownNameError(f"axes {shorten(axes)}", where="reactions", remedy=suggest_name(str(axes), AXES))
    wrench = motion._reactions[:, k]
    arm = _arm(motion, k, pole)
    if arm is not None:
        force = wrench[:, :3]
        wrench = np.hstack([force, wrench[:, 3:] - np.cross(arm, force)])
    parent = motion.model.parents[k]
    if axes == "world" or (axes == "parent" and parent < 0):
        return wrench
    back = motion.rotations[:, k if axes == "body" else parent].transpose(0, 2, 1)
    return np.hstack([np.einsum("fij,fj->fi", back, part) for part in (wrench[:, :3], wrench[:, 3:])])


def _arm(motion: Motion, k: int, pole: Any) -> np.ndarray | None:
    """From O_k to the pole (frames, 3), world axes; None for O_k itself."""
    if isinstance(pole, str):
        if pole not in ("O", "O*"):
            raise UnknownNameError(
                f"pole {shorten(pole)}", where="reactions", remedy='give "O", "O*", or a point of the body (x, y, z)'
            )
        if pole == "O":
            return None
        point = np.zeros(3)
    else:
        point = body_point(motion.model, k, pole)
    place = motion.poses[0][:, k] + motion.rotations[:, k] @ point
    return np.asarray(place - joint_point(motion, k))


def body_point(model: Model, body: str | int, at: Any) -> np.ndarray:
    """The numbers (3,) of a point of a body, m from O* in its axes."""
    try:
        return np.array([model.number(item) for item in as_vector(at)])
    except MbwidgetsError as error:
        raise error.at(f"the point {shorten(at)} of body {model.bodies[model.index(body)].name!r}") from None


def joint_point(motion: Motion, k: int) -> np.ndarray:
    """O_k, the joint's point in the parent (frames, 3), world axes."""
    model, parent = motion.model, motion.model.parents[k]
    at = np.array([model.number(item) for item in model.bodies[k].joint.at])
    if parent < 0:
        return np.broadcast_to(at, (len(motion.t), 3))
    return np.asarray(motion.poses[0][:, parent] + motion.rotations[:, parent] @ at)


def bearing_forces(motion: Motion, joint: str | int, a: Any, b: Any) -> BearingFrames:
    """Two radial bearings at O + a n and O + b n: F_B = ([M, n] − a F⊥)/(b − a), F_A = (b F⊥ − [M, n])/(b − a)."""
    model, k = motion.model, motion.model.index(joint)
    where = f"joint {model.bodies[k].name!r}"
    columns = model.bodies[k].joint.columns()
    if len(columns) != 1 or columns[0].kind != "rotation":
        raise ModelError("only a revolute joint has two radial bearings", where=where, remedy="choose another")
    low, high = (model.number(as_number(place)) for place in (a, b))
    if low == high:
        raise ModelError("the two bearings are at one place", where=where, remedy="give a ≠ b, in m along the axis")
    force, moment = np.split(motion._reactions[:, k], 2, axis=1)
    n = free_directions(model, motion.rotations, k)[0][1]
    axial = np.einsum("fi,fi->f", force, n)
    across, turned = force - axial[:, None] * n, np.cross(moment, n)
    return BearingFrames((high * across - turned) / (high - low), (turned - low * across) / (high - low), axial)


def drive_efforts(motion: Motion, joint: str | int) -> np.ndarray:
    """What drives supply in a joint, N m or N: (frames,), or (frames, k) where it has k velocities.

    The sum of what its prescribed motions need, of its efforts and of ``tau``: with the sign of its velocity.
    """
    model, k = motion.model, motion.model.index(joint)
    if not _driven(motion, k):
        raise ModelError(
            "nothing drives it",
            where=f"joint {model.bodies[k].name!r}",
            remedy="prescribe its motion, mb.Prescribed(…), or give it tau or an mb.Effort",
        )
    found = _prescribed(motion, k)
    columns = slice(model.u_offsets[k], model.u_offsets[k + 1])
    if motion.efforts is not None:
        found = found + motion.efforts[:, columns]
    own = [force for force in model.forces if isinstance(force, Effort) and model.index(force.joint) == k]
    if own:
        found = found + effort_frames(model, own, motion.t, motion.q, motion.u)[:, columns]
    return found[:, 0] if found.shape[1] == 1 else found


def joint_efforts(motion: Motion, joint: str | int) -> np.ndarray:
    """What drives, springs and friction in a joint supply together (frames,) or (frames, k), prescribed motions too."""
    k = motion.model.index(joint)
    found = motion.reaction_parts(k).effort + _prescribed(motion, k)
    return found[:, 0] if found.shape[1] == 1 else found


def _prescribed(motion: Motion, k: int) -> np.ndarray:
    """What the prescribed motions of a joint need (frames, k)."""
    model = motion.model
    columns = slice(model.u_offsets[k], model.u_offsets[k + 1])
    found = np.zeros((len(motion.t), model.u_offsets[k + 1] - model.u_offsets[k]))
    for action in motion.constraint_forces:
        if action.body is None and _prescribes(model, model.constraints[action.constraint], k):
            found = found + action.effort[:, columns]
    return found


def _prescribes(model: Model, constraint: Any, k: int) -> bool:
    return isinstance(constraint, Prescribed) and model.index(constraint.joint) == k


def _driven(motion: Motion, k: int) -> bool:
    model = motion.model
    if motion.efforts is not None or any(_prescribes(model, item, k) for item in model.constraints):
        return True
    return any(isinstance(force, Effort) and model.index(force.joint) == k for force in model.forces)
