"""Vectors, quaternions x, y, z, w and rotation matrices in three dimensions, for one or for many frames at once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...errors import ModelError

__all__ = [
    "continuous_quaternions",
    "cross_rows",
    "farthest_axis",
    "parallel_axes",
    "quaternion_from_y",
    "quaternion_of_matrix",
    "quaternion_product",
    "rotate_vectors",
    "rotation_matrices",
    "skew_matrix",
    "unit_components",
    "unit_vector",
]


def unit_vector(vector: Any) -> np.ndarray:
    """v/|v| for one vector that is not zero."""
    v = np.asarray(vector, dtype=float)
    return np.asarray(v / np.linalg.norm(v))


def unit_components(vector: Sequence[float], what: str = "an axis") -> list[float]:
    """The components of v/|v|; ``what`` names it if it is zero."""
    length = math.hypot(*vector)
    if length == 0.0:
        raise ModelError(f"{what} is the zero vector", remedy="give a direction")
    return [item / length for item in vector]


def farthest_axis(vector: np.ndarray) -> np.ndarray:
    """The one of x, y, z that a vector is farthest from: with it a cross product is never zero."""
    return np.asarray(np.eye(3)[int(np.argmin(np.abs(vector)))])


def cross_rows(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a × b for rows (n, 3): np.cross takes ten times as long for a few rows."""
    return np.asarray(a[:, (1, 2, 0)] * b[:, (2, 0, 1)] - a[:, (2, 0, 1)] * b[:, (1, 2, 0)])


def skew_matrix(v: np.ndarray) -> np.ndarray:
    """[v], the matrix of v ×, for vectors (…, 3)."""
    out = np.zeros((*v.shape, 3), dtype=v.dtype)
    out[..., 0, 1], out[..., 0, 2], out[..., 1, 2] = -v[..., 2], v[..., 1], -v[..., 0]
    out[..., 1, 0], out[..., 2, 0], out[..., 2, 1] = v[..., 2], -v[..., 1], v[..., 0]
    return out


def parallel_axes(central: np.ndarray, mass: Any, arm: np.ndarray) -> np.ndarray:
    """J_C + m (d·d I − d dᵀ) = J_C − m [d]²: inertia (…, 3, 3) at a pole, ``arm`` d (…, 3) from it to C, or back."""
    matrix = skew_matrix(arm)
    return np.asarray(central - np.asarray(mass)[..., None, None] * (matrix @ matrix))


def rotation_matrices(quaternions: np.ndarray) -> np.ndarray:
    """Rotation matrices (…, 3, 3) of unit quaternions (…, 4)."""
    x, y, z, w = np.moveaxis(quaternions, -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def rotate_vectors(rotation: np.ndarray, vector: Any) -> np.ndarray:
    """A · v over the frames: (…, 3, 3) and (3,) or (…, 3)."""
    return np.asarray((rotation @ np.asarray(vector)[..., None])[..., 0])


def quaternion_of_matrix(rotation: np.ndarray) -> tuple[float, float, float, float]:
    """The unit quaternion of one proper rotation matrix (3, 3)."""
    # Shepperd: the largest of the four squares is taken, so that nothing cancels.
    a = rotation
    squares = np.array([1 + 2 * a[i, i] - np.trace(a) for i in range(3)] + [1 + np.trace(a)])
    k = int(np.argmax(squares))
    if k == 3:
        q = np.array([a[2, 1] - a[1, 2], a[0, 2] - a[2, 0], a[1, 0] - a[0, 1], squares[3]])
    else:
        i, j = (k + 1) % 3, (k + 2) % 3
        q = np.empty(4)
        q[k], q[i], q[j] = squares[k], a[i, k] + a[k, i], a[j, k] + a[k, j]
        q[3] = a[j, i] - a[i, j]
    q /= np.linalg.norm(q)
    return (float(q[0]), float(q[1]), float(q[2]), float(q[3]))


def quaternion_from_y(direction: Any) -> tuple[float, float, float, float]:
    """The smallest rotation that takes y, the axis of a three.js cylinder, to a direction."""
    x, y, z = unit_vector(direction)
    if y < -1 + 1e-12:
        return (1.0, 0.0, 0.0, 0.0)
    q = np.array([z, 0.0, -x, 1 + y])
    q /= np.linalg.norm(q)
    return (float(q[0]), float(q[1]), float(q[2]), float(q[3]))


def quaternion_product(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """p ∘ q for quaternions (…, 4): turned by q in the axes that p has turned."""
    a, b = first[..., :3], second[..., :3]
    v, w = first[..., 3:], second[..., 3:]
    return np.concatenate([v * b + w * a + np.cross(a, b), v * w - (a * b).sum(axis=-1, keepdims=True)], axis=-1)


def continuous_quaternions(quaternions: np.ndarray) -> np.ndarray:
    """The same rotations (frames, …, 4) with signs that do not jump from frame to frame."""
    dots = np.einsum("f...i,f...i->f...", quaternions[1:], quaternions[:-1])
    # cumprod of signs: a jump flips all that follows it
    signs = np.cumprod(np.where(dots < 0, -1.0, 1.0), axis=0)
    result = quaternions.copy()
    result[1:] *= signs[..., None]
    return result
