"""Numbers as people read them, written by Python as the page writes them (`scene/page/shared/numbers.js`)."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Final

__all__ = ["scientific", "shortest", "signed"]

PLAIN: Final = (1e-6, 1e21)
"""Between these JavaScript writes numbers without a power of ten."""


def shortest(value: float, digits: int = 4) -> str:
    """As short as it can be said with so many digits: 229.3 → ``229`` with three; a true minus, – for no number."""
    if not math.isfinite(value):
        return "–"
    rounded = float(f"{value:.{digits - 1}e}")
    if rounded == 0.0:
        return "0"
    if PLAIN[0] <= abs(rounded) < PLAIN[1]:
        text = f"{Decimal(repr(rounded)):f}"
        text = text.rstrip("0").rstrip(".") if "." in text else text
    else:
        mantissa, power = f"{rounded:e}".split("e")
        text = f"{mantissa.rstrip('0').rstrip('.')}e{int(power)}"
    return signed(text)


def signed(text: str) -> str:
    """A number with a true minus."""
    return text.replace("-", "−")


def scientific(value: float, digits: int) -> str:
    """A power of ten with so many decimals, 2.7e−10."""
    return signed(f"{value:.{digits}e}")
