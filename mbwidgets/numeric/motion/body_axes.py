"""Axes of joints and angular velocities of bodies over the frames of a motion, world axes."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...model.model import Model
from ..base.rotations import rotate_vectors, unit_vector

__all__ = ["angular_velocities", "free_directions", "joint_axis", "joint_axis_or_omega_direction"]


def joint_axis(model: Model, index: int) -> np.ndarray | None:
    """*The* axis of a joint (3,): `Joint.own_axis`, a unit vector in the axes of the body; None where it has none."""
    own = model.bodies[index].joint.own_axis
    return None if own is None else unit_vector(_numbers(model, own))


def joint_axis_or_omega_direction(model: Model, rotations: np.ndarray, index: int, omega: np.ndarray) -> np.ndarray:
    """e_k (frames, 3): the joint's own axis, or where it has none the direction of ω_k, zero where that is zero.

    ``rotations`` (frames, n, 3, 3), ``omega`` (frames, n, 3).
    """
    own = joint_axis(model, index)
    if own is not None:
        return rotate_vectors(rotations[:, index], own)
    spin = omega[:, index]
    length = np.linalg.norm(spin, axis=1, keepdims=True)
    return np.asarray(np.divide(spin, length, out=np.zeros_like(spin), where=length > 0))


def free_directions(model: Model, rotations: np.ndarray, index: int) -> list[tuple[str, np.ndarray]]:
    """Kind (``rotation``, ``translation``, ``ball``) and axis (frames, 3) of each velocity u of a joint."""
    parent, after = model.parents[index], rotations[:, index]
    before = rotations[:, parent] if parent >= 0 else np.broadcast_to(np.eye(3), after.shape)
    found: list[tuple[str, np.ndarray]] = []
    for column in model.bodies[index].joint.columns():
        if column.kind == "ball":
            found += [("ball", after[:, :, k]) for k in range(3)]
            continue
        # the first axis is fixed in the parent, a second one in the body
        turned = column.kind == "rotation" and any(kind == "rotation" for kind, _ in found)
        axis = _numbers(model, column.axis)
        axis = axis if axis.dtype == object else unit_vector(axis)  # traced ones are unit vectors
        found.append((column.kind, rotate_vectors(after if turned else before, axis)))
    return found


def angular_velocities(model: Model, rotations: np.ndarray, u: np.ndarray) -> np.ndarray:
    """ω_i = Σ ξ̄_a e_a q̇_a over the path, (frames, n, 3)   (Cajić-Lazarević (21))"""
    out = np.zeros(rotations.shape[:-1])
    for index in model.order:
        parent, at = model.parents[index], model.u_offsets[index]
        if parent >= 0:
            out[:, index] = out[:, parent]
        for k, (kind, axis) in enumerate(free_directions(model, rotations, index)):
            if kind != "translation":
                out[:, index] += axis * u[:, at + k, None]
    return out


def _numbers(model: Model, values: Any) -> np.ndarray:
    return np.array([model.number(value) for value in values])
