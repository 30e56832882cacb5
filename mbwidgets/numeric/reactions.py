"""Reactions of a motion with their parts, and mass moments of its bodies, as arrays over the frames.

The parts come from the compiled kernel: without weight and loads it gives the kinetic part, at rest the static one,
without masses the applied one. So all joints have them, balls too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import MbwidgetsError, ModelError
from ..model.fields import as_axis, as_vector
from ..model.model import Model
from . import entries
from . import layout as at
from .pack import Packed, pack

__all__ = [
    "MassMomentFrames",
    "ReactionFrames",
    "mass_moments_of",
    "moments_about",
    "parts_of",
    "rotations_of",
    "tensor_at",
]

INSIDE = ("joint_spring", "joint_damper", "joint_friction", "effort")


@dataclass(frozen=True, eq=False)
class ReactionFrames:
    """Force and moment of one joint (frames, 6) at O_k, world axes, parent on body, and their parts.

    ``effort`` (frames, k): what acts along the joint's k free directions, and its parts. ``constraints`` is what closed
    loops and guides add, zero in a tree.
    """

    static: np.ndarray
    kinetic: np.ndarray
    applied: np.ndarray
    static_effort: np.ndarray
    kinetic_effort: np.ndarray
    applied_effort: np.ndarray
    constraints: np.ndarray | float = 0.0
    constraints_effort: np.ndarray | float = 0.0

    @property
    def total(self) -> np.ndarray:
        """All parts together (frames, 6)."""
        return self.static + self.kinetic + self.applied + self.constraints

    @property
    def pressure(self) -> np.ndarray:
        """Kinetic pressures, −kinetic (frames, 6)   (Cajić-Lazarević, section 3.5)"""
        return -self.kinetic

    @property
    def effort(self) -> np.ndarray:
        """What actuators, springs and friction in the joint supply together (frames, k)."""
        return self.static_effort + self.kinetic_effort + self.applied_effort + self.constraints_effort


Parts = dict[str, tuple[np.ndarray, np.ndarray]]


def parts_of(model: Model, packed: Packed, t: np.ndarray, q: np.ndarray, u: np.ndarray, ud: np.ndarray) -> Parts:
    """Efforts (frames, nv) and reactions (frames, n, 6) of all joints: static, kinetic, applied."""

    def run(memory: np.ndarray, u: np.ndarray, ud: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        tau, out = np.empty_like(u), np.empty((len(t), len(model.bodies), 6))
        entries.inverse(memory, t, q, u, ud, tau, out)
        return tau, out

    still = np.zeros_like(u)
    weight = packed.memory.copy()
    weight[at.FORCES] = 0
    light = weight.copy()
    light[at.GRAVITY : at.GRAVITY + 3] = 0
    found = {"static": run(weight, still, still.copy()), "kinetic": run(light, u, ud)}
    loads = [force for force in model.forces if force.type not in INSIDE]
    if not loads:
        return {**found, "applied": (still, np.zeros_like(found["static"][1]))}
    massless = pack(model.replace(forces=loads)).memory
    table = massless[at.HEADER : int(massless[at.AT_COLUMNS])].reshape(-1, at.BODY_SIZE)
    table[:, at.MASS] = 0
    table[:, at.INERTIA : at.BODY_GIVEN] = 0
    return {**found, "applied": run(massless, u, ud)}


@dataclass(frozen=True, eq=False)
class MassMomentFrames:
    """Mass moments of a body over a motion, world axes; `symbolic.mass_moments.MassMoments` is its exact twin.

    ``axis`` n, ``mass`` M n, ``static`` S_n, ``inertia`` 𝔍_n, ``deviation`` D_n (frames, 3); ``axial`` J_n (frames,).
    """

    axis: np.ndarray
    mass: np.ndarray
    static: np.ndarray
    inertia: np.ndarray
    axial: np.ndarray
    deviation: np.ndarray


def mass_moments_of(
    model: Model, rotations: np.ndarray, body: str | int, axis: Any, pole: Any = None
) -> MassMomentFrames:
    """Mass moments of a body (40)-(45); ``rotations`` (frames, n, 3, 3), see `symbolic.mass_moments`."""
    index = model.index(body)
    where = f"mass moments of body {model.bodies[index].name!r}"
    try:
        place = np.zeros(3) if pole is None else _numbers(model, as_vector(pole))
    except MbwidgetsError as error:
        raise error.at(f"{where}: pole") from None
    return moments_about(model, rotations[:, index], index, _axis(model, rotations, index, axis, where), place)


def moments_about(model: Model, R: np.ndarray, index: int, n: np.ndarray, place: np.ndarray) -> MassMomentFrames:
    """Mass moments of a body at rotations R (frames, 3, 3) for n (frames, 3), world axes, and a pole in body axes."""
    given = model.bodies[index]
    mass, d = model.number(given.mass), _numbers(model, given.com) - place
    seen = np.einsum("fji,fj->fi", R, n)
    inertia = np.einsum("fij,jk,fk->fi", R, tensor_at(model, index, place), seen)
    axial = np.einsum("fi,fi->f", n, inertia)
    static = mass * np.cross(n, R @ d)
    return MassMomentFrames(n, mass * n, static, inertia, axial, inertia - axial[:, None] * n)


def tensor_at(model: Model, index: int, place: np.ndarray) -> np.ndarray:
    """𝕁 = J_C + M (d·d I − d dᵀ), d = pole → C: a body's inertia at a pole from O*, body axes (3, 3)."""
    given = model.bodies[index]
    d = _numbers(model, given.com) - place
    return np.asarray(_numbers(model, given.inertia) + model.number(given.mass) * (d @ d * np.eye(3) - np.outer(d, d)))


def rotations_of(quaternions: np.ndarray) -> np.ndarray:
    """(…, 3, 3) of quaternions x, y, z, w (…, 4)."""
    x, y, z, w = np.moveaxis(quaternions, -1, 0)
    rows = (
        (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def _axis(model: Model, rotations: np.ndarray, index: int, axis: Any, where: str) -> np.ndarray:
    """n (frames, 3) in world axes: of a joint, or fixed in the body."""
    name = axis if isinstance(axis, str) else ""
    known = name in {body.name for body in model.bodies}
    whole = isinstance(axis, int | np.integer) and not isinstance(axis, bool)
    if not known and "." in name:
        return _inner_axis(model, rotations, name)
    if not known and not whole and (not name or name.lstrip("+-") in ("x", "y", "z")):
        try:
            return rotations[:, index] @ _unit(_numbers(model, as_axis(axis)))
        except MbwidgetsError as error:
            raise error.at(f"{where}: axis") from None
    joint = model.index(axis)
    own = model.bodies[joint].joint.own_axis
    if own is None:
        kind = model.bodies[joint].joint.type
        raise ModelError(f"a {kind} joint has no axis", where=where, remedy="give a direction")
    return rotations[:, joint] @ _unit(_numbers(model, own))


def _inner_axis(model: Model, rotations: np.ndarray, name: str) -> np.ndarray:
    """The axis ``"body.s"`` of a joint: the last one has the body's axes, all before it those of the parent."""
    body, _, wanted = name.rpartition(".")
    joint, parent = model.index(body), model.parents[model.index(body)]
    columns = model.bodies[joint].joint.columns()
    for place, column in enumerate(columns, start=1):
        if column.label == wanted and column.kind != "ball":
            axis = _unit(_numbers(model, column.axis))
            frame = joint if place == len(columns) else parent
            return np.tile(axis, (len(rotations), 1)) if frame < 0 else rotations[:, frame] @ axis
    known = ", ".join(repr(f"{body}.{c.label}") for c in columns if c.kind != "ball") or "none"
    raise ModelError(f"joint {body!r} has no axis {wanted!r}", remedy=f"give a direction, or one of its axes: {known}")


def _unit(vector: np.ndarray) -> np.ndarray:
    length = float(np.linalg.norm(vector))
    if length == 0.0:
        raise ModelError("the axis is the zero vector", remedy="give a direction")
    return np.asarray(vector / length)


def _numbers(model: Model, values: Any) -> np.ndarray:
    if isinstance(values, tuple | list):
        return np.array([_numbers(model, value) for value in values], dtype=float)
    return np.array(model.number(values))
