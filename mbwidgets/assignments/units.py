"""Units that an answer may carry: ``"kg m²"``, ``"kN"``, ``"rad/s"``, ``"deg"``, ``"rpm"``.

A unit is a number of SI units and the powers of m, kg and s; an angle has none of them, as in the SI.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from ..errors import AssignmentError, shorten

__all__ = ["Unit", "read_unit"]

MAX_LENGTH: Final = 60
MAX_POWER: Final = 9
_SUPERSCRIPTS: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_SYMBOLS: Final[dict[str, tuple[float, tuple[int, int, int]]]] = {
    "m": (1.0, (1, 0, 0)),
    "g": (1e-3, (0, 1, 0)),
    "s": (1.0, (0, 0, 1)),
    "N": (1.0, (1, 1, -2)),
    "J": (1.0, (2, 1, -2)),
    "W": (1.0, (2, 1, -3)),
    "Pa": (1.0, (-1, 1, -2)),
    "Hz": (1.0, (0, 0, -1)),
}
_PREFIXES: Final = {"": 1.0, "k": 1e3, "M": 1e6, "G": 1e9, "d": 1e-1, "c": 1e-2, "m": 1e-3, "µ": 1e-6, "μ": 1e-6}
_ALONE: Final[dict[str, tuple[float, tuple[int, int, int]]]] = {
    "1": (1.0, (0, 0, 0)),
    "%": (1e-2, (0, 0, 0)),
    "rad": (1.0, (0, 0, 0)),
    "deg": (math.pi / 180, (0, 0, 0)),
    "°": (math.pi / 180, (0, 0, 0)),
    "rev": (2 * math.pi, (0, 0, 0)),
    "rpm": (2 * math.pi / 60, (0, 0, -1)),
    "min": (60.0, (0, 0, 1)),
    "h": (3600.0, (0, 0, 1)),
    "t": (1e3, (0, 1, 0)),
}
TABLE: Final = {
    prefix + name: (size * value, powers)
    for name, (value, powers) in _SYMBOLS.items()
    for prefix, size in _PREFIXES.items()
} | _ALONE
_PART: Final = re.compile(r"(?P<name>[A-Za-zµμ°%]+|1)(?:(?:\^|\*\*)?\(?(?P<power>-?[0-9])\)?)?")
_BETWEEN: Final = re.compile(r"\s*(?P<sign>[*·/]?)\s*")


@dataclass(frozen=True)
class Unit:
    """``factor`` SI units with the powers of m, kg, s."""

    factor: float
    powers: tuple[int, int, int]

    def converts_to(self, other: Unit) -> bool:
        """Whether the two measure the same kind of thing."""
        return self.powers == other.powers


@lru_cache(maxsize=512)
def read_unit(text: str) -> Unit:
    """The unit that a text names; the empty text is the number 1. What follows a ``/`` is divided by."""
    if len(text) > MAX_LENGTH:
        raise _refused(text)
    plain = text.strip().translate(_SUPERSCRIPTS).replace("(", "").replace(")", "")
    factor, powers, place, below = 1.0, [0, 0, 0], 0, False
    while place < len(plain):
        between = _BETWEEN.match(plain, place)
        sign = between["sign"] if between else ""
        place = between.end() if between else place
        below = below or sign == "/"
        part = _PART.match(plain, place)
        if part is None or part["name"] not in TABLE:
            raise _refused(text)
        value, own = TABLE[part["name"]]
        power = int(part["power"] or 1) * (-1 if below else 1)
        factor *= value**power
        powers = [total + power * one for total, one in zip(powers, own, strict=True)]
        place = part.end()
    if max(map(abs, powers)) > MAX_POWER or not 1e-100 < factor < 1e100:
        raise _refused(text)
    return Unit(factor, (powers[0], powers[1], powers[2]))


def _refused(text: str) -> AssignmentError:
    return AssignmentError(f"{shorten(text)} is not a unit", remedy="write kg m², N m, rad/s, deg, mm …")
