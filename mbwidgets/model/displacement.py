"""Positions beside a position: a change written like a velocity, quaternions included."""

from __future__ import annotations

import numpy as np

from .model import Model

__all__ = ["displaced_coordinates"]


def displaced_coordinates(model: Model, q: np.ndarray, change: np.ndarray) -> np.ndarray:
    """q (nq,) after a change (nv,) that is written like a velocity; quaternions keep their length."""
    result = q.copy()
    for body, qi, ui in zip(model.bodies, model.q_offsets, model.u_offsets, strict=False):
        for column in body.joint.columns():
            if column.kind == "ball":
                result[qi : qi + 4] = _turned(q[qi : qi + 4], change[ui : ui + 3])
                qi, ui = qi + 4, ui + 3
            else:
                result[qi] += change[ui]
                qi, ui = qi + 1, ui + 1
    return result


def _turned(quaternion: np.ndarray, change: np.ndarray) -> np.ndarray:
    x, y, z, w = quaternion
    a, b, c = change / 2
    step = np.array([w * a + y * c - z * b, w * b + z * a - x * c, w * c + x * b - y * a, -x * a - y * b - z * c])
    new = quaternion + step
    return np.asarray(new / np.linalg.norm(new))
