"""What stands on the floor: the ground as data, hatched feet and bolted flanges."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from ..look.forms import ONE, cylinder_outline, extruded, hull_outline, revolved
from ..look.shell import Role, Shell, join_shells

__all__ = ["FOOT", "Ground", "flange", "foot", "stripe", "turn_about_y"]

FOOT: Final = (5.2, 0.5, 4.2)
"""Width, height and depth of a foot, in radii of the link that it carries."""
CORNER: Final = 0.7
"""Radius of a foot's corners, in the same."""
STRIPES, LEAN = 12, 0.7
"""Of the hatching of a foot: how many, and by which angle they lean."""
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
    soft = CORNER * radius
    corners = [(x * (wide / 2 - soft), z * (deep / 2 - soft)) for x, z in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    plate = extruded(*hull_outline(corners, [soft] * 4, 16), high, 0.3 * high, Role.GROUND).moved((0.0, high / 2, 0.0))
    level, side = (-0.02 * radius, -1.0) if hangs else (high + 0.02 * radius, 1.0)
    inside = wide / 2 - 0.5 * soft, deep / 2 - 0.5 * soft
    stripes = [
        stripe(0.06 * radius, long, side).moved((x, level, z), turn_about_y(LEAN)) for x, z, long in _hatches(*inside)
    ]
    return join_shells([plate, *stripes])


def _hatches(x: float, z: float) -> Iterator[tuple[float, float, float]]:
    """Middles and lengths of leaning stripes, as far apart, within a rectangle of these half widths."""
    sine, cosine = np.sin(LEAN), np.cos(LEAN)
    reach = x * cosine + z * sine
    for far in (np.arange(STRIPES) + 0.5) / STRIPES * 2 * reach - reach:
        # the line far · (cos, −sin) + s · (sin, cos), from where it comes in to where it goes out
        ends = [((sign * x - far * cosine) / sine, (sign * z + far * sine) / cosine) for sign in (-1.0, 1.0)]
        low = max(min(pair) for pair in zip(*ends, strict=True))
        high = min(max(pair) for pair in zip(*ends, strict=True))
        if high > low:
            middle = (low + high) / 2
            yield far * cosine + middle * sine, -far * sine + middle * cosine, high - low


@lru_cache(maxsize=32)
def flange(radius: float, thick: float) -> Shell:
    """A round plate of a radius and a thickness that lies on y = 0, with bolts about what stands on it."""
    plate = revolved(cylinder_outline(radius, thick, 0.3 * thick, thick / 2), 36, Role.GROUND)
    wide = 0.075 * radius
    bolt = revolved(cylinder_outline(wide, 0.9 * wide, 0.2 * wide, thick + 0.4 * wide, ONE), 8, Role.STEEL)
    turns = 2 * np.pi * (np.arange(BOLTS) + 0.5) / BOLTS
    places = [(CIRCLE * radius * np.cos(turn), 0.0, CIRCLE * radius * np.sin(turn)) for turn in turns]
    return join_shells([plate, *(bolt.moved(place) for place in places)])
