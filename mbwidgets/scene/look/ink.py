"""Colours that can be read: nearer to black or to white where they would be faint on what is behind them.

``page/labels.js`` inks the labels of the page by the same rule.
"""

from __future__ import annotations

from typing import Final

import numpy as np

__all__ = ["CONTRAST", "contrast_of", "inked"]

CONTRAST: Final = 4.5
"""Of letters with what is behind them: WCAG 2.1 AA."""
STEP, MOST = 0.15, 8
"""How far a colour goes to black or white at once, and how often at most."""


def _shares(colour: str) -> np.ndarray:
    return np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)]) / 255


def _luminance(parts: np.ndarray) -> float:
    """The relative luminance of WCAG, of parts from 0 to 1."""
    linear = np.where(parts <= 0.03928, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return float(linear @ (0.2126, 0.7152, 0.0722))


def _contrast(one: np.ndarray, other: np.ndarray) -> float:
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def contrast_of(one: str, other: str) -> float:
    """The contrast of two colours ``#RRGGBB``, from 1 to 21."""
    return _contrast(_shares(one), _shares(other))


def inked(colour: str, paper: str, contrast: float = CONTRAST) -> str:
    """The colour, nearer to black or to white where it would be faint on the paper."""
    ink, behind = _shares(colour), _shares(paper)
    away = np.zeros(3) if _luminance(behind) > 0.3 else np.ones(3)
    for _ in range(MOST):
        if _contrast(ink, behind) >= contrast:
            break
        ink = ink + STEP * (away - ink)
    return "#" + "".join(f"{round(255 * part):02X}" for part in ink)
