"""Motions that nothing resists: which joint makes them, along or about which axis, and what would resist."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from ...errors import SingularError
from ...model.model import Model
from ..base.tolerances import MOTION_MASSLESS

__all__ = ["Lack", "explain_unresisted_motion", "massless_joint_error", "massless_velocities"]

SHARE: Final = 1e-6
"""Part of a motion that a joint must have to be named for it."""


class Lack(NamedTuple):
    """The joint that moves nothing, what is missing, and the remedy."""

    joint: str
    what: str
    remedy: str

    @property
    def details(self) -> str:
        """The same as sentences."""
        return f"It is joint {self.joint!r}: {self.what}; {self.remedy}."


def massless_velocities(M: np.ndarray, free: np.ndarray | None = None) -> np.ndarray:
    """A basis (nv, k) of the velocities, of those in ``free`` (nv, f) if given, that have no kinetic energy."""
    weights = np.sqrt(np.maximum(M.diagonal(), 0.0))
    weights[weights == 0.0] = 1.0
    left = np.eye(len(M)) if free is None else np.linalg.qr(free * weights[:, None])[0]
    sizes, axes = np.linalg.eigh(left.T @ (M / np.outer(weights, weights)) @ left)
    return np.asarray((left @ axes[:, sizes < MOTION_MASSLESS]) / weights[:, None])


def explain_unresisted_motion(model: Model, motions: np.ndarray, joint: int | None = None) -> Lack | None:
    """What makes these motions (nv, k) unresisted: at a joint, or at the one that has most of them; None without."""
    if not motions.size or not motions.any():
        return None
    joints = range(len(model.bodies)) if joint is None else [joint]
    sizes = {k: abs(motions[model.u_offsets[k] : model.u_offsets[k + 1]]).max(initial=0.0) for k in joints}
    index = max(sizes, key=lambda k: sizes[k])
    if not sizes[index] > 0.0:
        return None
    body = model.bodies[index]
    part = motions[model.u_offsets[index] : model.u_offsets[index + 1]]
    place = 0
    for column in body.joint.columns():
        width = 3 if column.kind == "ball" else 1
        here = part[place : place + width]
        place += width
        if not abs(here).max() > SHARE * sizes[index]:
            continue
        if column.kind == "ball":
            return _ball(str(body.name), body.joint.type, here)
        axis = _shown(np.array([model.number(item) for item in column.axis]))
        if column.kind == "translation":
            what = f"nothing that it carries has mass, which its slide along {axis} would need"
            return Lack(str(body.name), what, "give the body, or one that it carries, mass")
        what = f"nothing that it carries has inertia about its axis {axis}"
        return Lack(str(body.name), what, "give the body, or one that it carries, inertia about it or mass beside it")
    return None


def _ball(name: str, kind: str, turns: np.ndarray) -> Lack:
    """What a ball lacks that these angular velocities (3, k), in body axes, do not move."""
    axes, sizes, _ = np.linalg.svd(turns)
    missing = int((sizes > SHARE * sizes.max()).sum())
    if missing == 1:
        what = f"nothing that it carries has inertia about the axis {_shown(axes[:, 0])} of the body through the joint"
        slim = "a thin rod has none about itself"
        return Lack(name, what, f"{slim}: give it a radius, or the body inertia about that axis")
    about = "any axis" if missing == 3 else f"the axes across {_shown(axes[:, 2])} of the body"
    other = "three mb.Prismatic joints, which do not turn it" if kind == "free" else "joints that do not turn it"
    what = f"nothing that it carries has inertia about {about} through the joint"
    return Lack(name, what, f"a point has none: give the body inertia, or {other}")


def _shown(axis: np.ndarray) -> str:
    """A direction of length one, its largest component positive."""
    axis = axis / np.linalg.norm(axis) * np.sign(axis[abs(axis).argmax()])
    return "(" + ", ".join(f"{round(float(x), 4) + 0.0:g}" for x in axis) + ")"


def massless_joint_error(model: Model, index: int, M: np.ndarray) -> SingularError:
    """The error for a joint that moves nothing that has mass, at a state with this mass matrix."""
    lack = explain_unresisted_motion(model, massless_velocities(M), index)
    name = model.bodies[index].name
    if lack is None:
        lack = Lack(str(name), "it moves too little", "give the body, or one that it carries, mass or inertia")
    return SingularError(f"the mass matrix is singular: {lack.what}", where=f"joint {name!r}", remedy=lack.remedy)
