"""Rows of constraint equations at comparable lengths."""

from __future__ import annotations

import numpy as np

__all__ = ["row_divisors"]


def row_divisors(lengths: np.ndarray, is_expression: np.ndarray) -> np.ndarray:
    """What rows of these lengths (…, m) are divided by: the longest; that of an expression, whose size is the user's
    choice, by its own length."""
    longest = np.where(is_expression, 0.0, lengths).max(axis=-1, initial=0.0, keepdims=True)
    found = np.where(is_expression, lengths, longest)
    return np.asarray(np.where(found > 0.0, found, 1.0))
