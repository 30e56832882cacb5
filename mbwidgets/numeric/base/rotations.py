"""Quaternions x, y, z, w and rotation matrices, for one or for many frames at once."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["continuous_quaternions", "quaternion_from_y", "quaternion_of_matrix", "rotate_vectors", "rotation_matrices"]


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
    return np.asarray((rotation @ np.asarray(vector, dtype=float)[..., None])[..., 0])


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
    x, y, z = np.asarray(direction, dtype=float) / np.linalg.norm(direction)
    if y < -1 + 1e-12:
        return (1.0, 0.0, 0.0, 0.0)
    q = np.array([z, 0.0, -x, 1 + y])
    q /= np.linalg.norm(q)
    return (float(q[0]), float(q[1]), float(q[2]), float(q[3]))


def continuous_quaternions(quaternions: np.ndarray) -> np.ndarray:
    """The same rotations (frames, …, 4) with signs that do not jump from frame to frame."""
    dots = np.einsum("f...i,f...i->f...", quaternions[1:], quaternions[:-1])
    # cumprod of signs: a jump flips all that follows it
    signs = np.cumprod(np.where(dots < 0, -1.0, 1.0), axis=0)
    result = quaternions.copy()
    result[1:] *= signs[..., None]
    return result
