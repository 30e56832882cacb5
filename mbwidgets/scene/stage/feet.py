"""What stands on the floor: the ground as data, hatched feet and bolted flanges."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from ..look.forms import cylinder_outline, revolved, rounded_box
from ..look.shell import Role, Shell, join_shells

__all__ = ["FOOT", "Ground", "flange", "foot", "stripe", "turn_about_y"]

FOOT: Final = (4.6, 0.5, 3.6)
"""Width, height and depth of a foot, in radii of the link that it carries."""
STRIPES: Final = 7
"""Of the hatching of a foot."""
BOLTS: Final = 8
"""Of a flange; ``CIRCLE`` is where they are, over its radius."""
CIRCLE: Final = 0.8


@dataclass(frozen=True, eq=False)
class Ground:
    """The way up (3,), the way away from the camera of the front (3,), and the height of the floor, if there is one."""

    up: np.ndarray
    away: np.ndarray
    floor: float | None

    def height(self, place: np.ndarray) -> float | None:
        """Of a place over the floor, m."""
        return None if self.floor is None else float(self.up @ place) - self.floor


def turn_about_y(angle: float) -> np.ndarray:
    """The matrix (3, 3) of a turn about y."""
    cosine, sine = np.cos(angle), np.sin(angle)
    return np.array([[cosine, 0.0, sine], [0.0, 1.0, 0.0], [-sine, 0.0, cosine]])


def stripe(wide: float, long: float, side: float = 1.0) -> Shell:
    """A stripe of a hatching across y, of a width along x and a length along z, that looks up or down by its side."""
    x, z = wide / 2, long / 2
    corners = [(-x, 0.0, -z), (-x, 0.0, z), (x, 0.0, z), (x, 0.0, -z)]
    faces = np.array([(0, 1, 2), (0, 2, 3)])[:, :: int(side)]
    return Shell.of(corners, np.tile((0.0, side, 0.0), (4, 1)), faces, Role.HATCH)


@lru_cache(maxsize=32)
def foot(radius: float, hangs: bool = False) -> Shell:
    """A hatched plate that lies on y = 0, under what stands on it; over what hangs it is hatched outside."""
    wide, high, deep = (item * radius for item in FOOT)
    plate = rounded_box((wide, high, deep), 0.3 * high, Role.GROUND).moved((0.0, high / 2, 0.0))
    stripes = []
    for k in range(STRIPES):
        middle = (k - (STRIPES - 1) / 2) * 0.8 * wide / STRIPES
        turn = turn_about_y(0.35)
        level, side = (-0.02 * radius, -1.0) if hangs else (high + 0.02 * radius, 1.0)
        stripes.append(stripe(0.05 * radius, 0.86 * deep, side).moved((middle, level, 0.0), turn))
    return join_shells([plate, *stripes])


@lru_cache(maxsize=32)
def flange(radius: float, thick: float) -> Shell:
    """A round plate of a radius and a thickness that lies on y = 0, with bolts about what stands on it."""
    plate = revolved(cylinder_outline(radius, thick, 0.3 * thick, thick / 2), 36, Role.GROUND)
    wide = 0.075 * radius
    bolt = revolved(cylinder_outline(wide, 0.9 * wide, 0.2 * wide, thick + 0.4 * wide), 8, Role.STEEL)
    turns = 2 * np.pi * (np.arange(BOLTS) + 0.5) / BOLTS
    places = [(CIRCLE * radius * np.cos(turn), 0.0, CIRCLE * radius * np.sin(turn)) for turn in turns]
    return join_shells([plate, *(bolt.moved(place) for place in places)])
