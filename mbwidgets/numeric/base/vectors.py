"""Vectors of three numbers outside the kernels: unit vectors, cross products, the matrix of v ×."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...errors import ModelError

__all__ = ["cross_rows", "skew_matrix", "unit_array", "unit_vector"]


def unit_vector(vector: Sequence[float], what: str = "an axis") -> list[float]:
    """A vector of length 1, as a list; ``what`` names it if it is zero."""
    length = math.hypot(*vector)
    if length == 0.0:
        raise _without_direction(what)
    return [item / length for item in vector]


def unit_array(vector: Any) -> np.ndarray:
    """A vector of length 1, as an array."""
    length = float(np.linalg.norm(vector))
    if length == 0.0:
        raise _without_direction("the axis")
    return np.asarray(vector / length)


def _without_direction(what: str) -> ModelError:
    return ModelError(f"{what} is the zero vector", remedy="give a direction")


def cross_rows(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a × b for rows (n, 3): np.cross takes ten times as long for a few rows."""
    return np.asarray(a[:, (1, 2, 0)] * b[:, (2, 0, 1)] - a[:, (2, 0, 1)] * b[:, (1, 2, 0)])


def skew_matrix(v: np.ndarray) -> np.ndarray:
    """[v], the matrix of v ×, for vectors (…, 3)."""
    out = np.zeros((*v.shape, 3))
    out[..., 0, 1], out[..., 0, 2], out[..., 1, 2] = -v[..., 2], v[..., 1], -v[..., 0]
    out[..., 1, 0], out[..., 2, 0], out[..., 2, 1] = v[..., 2], -v[..., 1], v[..., 0]
    return out
