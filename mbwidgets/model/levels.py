"""Rows of constraint equations at comparable lengths."""

from __future__ import annotations

import numpy as np

__all__ = ["row_level"]


def row_level(size: np.ndarray, expressed: np.ndarray) -> np.ndarray:
    """What rows of these lengths (…, m) are divided by: the longest; that of an expression, whose size is the user's
    choice, by its own length."""
    longest = np.where(expressed, 0.0, size).max(axis=-1, initial=0.0, keepdims=True)
    found = np.where(expressed, size, longest)
    return np.asarray(np.where(found > 0.0, found, 1.0))
