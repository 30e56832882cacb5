"""Mass moments of a body for a pole and an oriented axis: the one place where they are computed as numbers.

`symbolic.papers.mass_moments` is the exact twin.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import MbwidgetsError, ModelError
from ...model.fields import as_axis, as_vector
from ...model.model import Model
from ..base.brief import brief_text
from ..base.rotations import parallel_axes, unit_vector
from ..kernels import body_vectors as columns
from .body_axes import joint_axis, joint_axis_or_omega_direction

__all__ = ["MassMomentFrames", "body_moments", "mass_moments_of", "moments_about", "moments_in_columns", "tensor_at"]


@dataclass(frozen=True, eq=False)
class MassMomentFrames:
    """Mass moments of a body over a motion, world axes; `symbolic.papers.mass_moments.MassMoments` is its exact twin.

    ``axis`` n, ``mass`` M n, ``static`` S_n, ``inertia`` 𝔍_n, ``deviation`` D_n (frames, 3); ``axial`` J_n (frames,).
    """

    axis: np.ndarray
    mass: np.ndarray
    static: np.ndarray
    inertia: np.ndarray
    axial: np.ndarray
    deviation: np.ndarray

    def __repr__(self) -> str:
        return brief_text(self)


def mass_moments_of(
    model: Model, rotations: np.ndarray, omega: np.ndarray, body: str | int, axis: Any = None, pole: Any = None
) -> MassMomentFrames:
    """Mass moments of a body (40)-(45); ``rotations`` (frames, n, 3, 3), ``omega`` (frames, n, 3), world axes.

    ``axis`` and ``pole`` as in `symbolic.papers.mass_moments`; without an axis that of `joint_axis_or_omega_direction`.
    """
    index = model.index(body)
    where = f"mass moments of body {model.bodies[index].name!r}"
    try:
        place = np.zeros(3) if pole is None else _numbers(model, as_vector(pole))
    except MbwidgetsError as error:
        raise error.at(f"{where}: pole") from None
    own = axis is None
    n = (
        joint_axis_or_omega_direction(model, rotations, index, omega)
        if own
        else _axis(model, rotations, index, axis, where)
    )
    return moments_about(model, rotations[:, index], index, n, place)


def moments_about(model: Model, R: np.ndarray, index: int, n: np.ndarray, place: np.ndarray) -> MassMomentFrames:
    """Mass moments of a body at rotations R (frames, 3, 3) for n (frames, 3), world axes, and a pole in body axes."""
    given = model.bodies[index]
    mass, d = model.number(given.mass), _numbers(model, given.com) - place
    seen = np.einsum("fji,fj->fi", R, n)
    inertia = np.einsum("fij,jk,fk->fi", R, tensor_at(model, index, place), seen)
    axial = np.einsum("fi,fi->f", n, inertia)
    static = mass * np.cross(n, R @ d)
    return MassMomentFrames(n, mass * n, static, inertia, axial, inertia - axial[:, None] * n)


def moments_in_columns(mass: float, vectors: np.ndarray) -> MassMomentFrames:
    """Mass moments of a body for its joint's axis and the pole O*, from its rows (frames, 36) of `body_vectors`."""
    n, static, inertia, deviation = (vectors[:, k : k + 3] for k in (columns.E, columns.S, columns.J_N, columns.D_N))
    return MassMomentFrames(n, mass * n, static, inertia, np.einsum("fi,fi->f", n, inertia), deviation)


def body_moments(model: Model, index: int, n: np.ndarray, place: np.ndarray) -> MassMomentFrames:
    """Mass moments of a body for some unit vectors n (k, 3) and a pole, all in its own axes."""
    return moments_about(model, np.broadcast_to(np.eye(3), (len(n), 3, 3)), index, n, place)


def tensor_at(model: Model, index: int, place: np.ndarray) -> np.ndarray:
    """𝕁 = J_C + M (d·d I − d dᵀ), d = pole → C: a body's inertia at a pole from O*, body axes (3, 3)."""
    given = model.bodies[index]
    return parallel_axes(_numbers(model, given.inertia), model.number(given.mass), _numbers(model, given.com) - place)


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
    own = joint_axis(model, joint)
    if own is None:
        kind = model.bodies[joint].joint.type
        raise ModelError(f"a {kind} joint has no axis", where=where, remedy="give a direction")
    return rotations[:, joint] @ own


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
    if not vector.any():
        raise ModelError("the axis is the zero vector", remedy="give a direction")
    return unit_vector(vector)


def _numbers(model: Model, values: Any) -> np.ndarray:
    if isinstance(values, tuple | list):
        return np.array([_numbers(model, value) for value in values])
    return np.array(model.number(values))
