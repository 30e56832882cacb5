"""What stands round a mechanism, as data: the ground and its grid, the world's axes, the arrow of gravity."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import numpy as np

from ...model.model import Model
from ..look.arrow_shape import LABEL, head_length
from ..look.ladder import rung_above
from ..look.shapes import STRAIGHT, Part

__all__ = [
    "AXES",
    "GRAVITY",
    "TRIAD",
    "Setting",
    "StillArrow",
    "floor_part",
    "gravity_arrow",
    "gravity_arrow_balls",
    "grid_cell",
    "grid_lines",
    "unit_grid",
    "world_axes",
]

CELLS: Final = 16
"""Of the grid, each 1, 2 or 5 of a decade wide, with no more than ``FINEST`` to what is seen."""
FINEST: Final = 8
AXES: Final = (("x", (1, 0, 0), "#C0392B"), ("y", (0, 1, 0), "#2E8B57"), ("z", (0, 0, 1), "#2C6FBB"))
TRIAD: Final = 0.34
"""Length of the world's axes, in radii."""
GRAVITY: Final = "#7A7F87"
"""Colour of gravity's arrow; ``CORNER`` is where it begins, in radii from the target, in the picture's axes."""
CORNER: Final = np.array([-0.72, -0.35, 0.55])
WEIGHT, EARTH, HEAVIEST = 0.26, 9.81, 2.0
"""Length of gravity's arrow on the earth, in radii; m/s² there; and how much longer it can be."""
SLIM: Final = 0.75
"""Heads of arrows that do not move, over those of others."""


@dataclass(frozen=True, eq=False)
class Setting:
    """What the stage is suited to: the size of the mechanism, the middle and radius of what is seen, m.

    ``floor`` is the height of the ground in the picture's axes, None where there is none; ``balls`` (n, 4) are middles
    and radii that the camera must hold; ``upright`` (3, 3) has the picture's axes right, away and up as rows;
    ``shifts`` (bodies, 3), m, lay plates side by side, each in its body's axes.
    """

    size: float
    target: np.ndarray
    radius: float
    floor: float | None
    balls: np.ndarray
    upright: np.ndarray = field(default_factory=lambda: np.eye(3))
    shifts: np.ndarray = field(default_factory=lambda: np.zeros((0, 3)))

    def shifts_of(self, model: Model) -> np.ndarray:
        """The shifts for a model's bodies; none where the stage was suited to another mechanism."""
        count = len(model.bodies)
        return self.shifts if len(self.shifts) == count else np.zeros((count, 3))

    @classmethod
    def about(cls, size: float, target: Any, radius: float, floor: float | None, upright: np.ndarray) -> Setting:
        """With all of the ball about the target held."""
        middle = np.asarray(target, dtype=float)
        return cls(size, middle, radius, floor, np.array([[*middle, radius]]), upright)


class StillArrow(NamedTuple):
    """An arrow that stands still: beginning and vector, m, the length of its head; ``through``: seen through bodies."""

    label: str
    colour: str
    begin: np.ndarray
    vector: np.ndarray
    head: float
    through: bool

    @property
    def label_place(self) -> np.ndarray:
        """Where its symbol stands."""
        length = float(np.linalg.norm(self.vector))
        return np.asarray(self.begin + self.vector * (1 + LABEL * self.head / length))


def world_axes(setting: Setting) -> list[StillArrow]:
    """x, y and z at the origin; seen through the bodies, which often stand there."""
    length, head = TRIAD * setting.radius, SLIM * head_length(setting.radius)
    return [StillArrow(name, colour, np.zeros(3), length * np.array(way), head, True) for name, way, colour in AXES]


def gravity_arrow(setting: Setting, gravity: Any) -> StillArrow | None:
    """The direction of gravity (3,), m/s², in a corner of the picture; None where there is none."""
    g = np.asarray(gravity, dtype=float)
    strength = float(np.linalg.norm(g))
    if not strength > 0:
        return None
    length = WEIGHT * setting.radius * min(HEAVIEST, strength / EARTH)
    place = setting.target + setting.radius * CORNER @ setting.upright
    return StillArrow("g", GRAVITY, place, length * g / strength, SLIM * head_length(setting.radius), False)


def gravity_arrow_balls(setting: Setting, arrow: StillArrow | None) -> np.ndarray:
    """Balls (k, 4) about the ends of gravity's arrow and its symbol, which the camera holds too."""
    if arrow is None:
        return np.zeros((0, 4))
    length = float(np.linalg.norm(arrow.vector))
    ends = np.array([arrow.begin, arrow.begin + (1 + 0.08 * setting.radius / length) * arrow.vector])
    return np.column_stack([ends, np.full(2, 0.04 * setting.radius)])


def grid_cell(setting: Setting) -> float:
    """Width of a cell of the grid, m."""
    return rung_above(max(setting.size, setting.radius) / FINEST)


def unit_grid() -> np.ndarray:
    """Ends of the lines of a grid of unit cells in the plane z = 0, (lines, 2, 3)."""
    half = CELLS / 2
    places = np.arange(CELLS + 1) - half
    ends = [((x, -half, 0), (x, half, 0)) for x in places] + [((-half, y, 0), (half, y, 0)) for y in places]
    return np.array(ends, dtype=float)


def grid_lines(setting: Setting) -> np.ndarray:
    """Ends of the lines on the floor, (lines, 2, 3) m, in the picture's axes."""
    if setting.floor is None:
        return np.zeros((0, 2, 3))
    cell = grid_cell(setting)
    return np.asarray(unit_grid() * (cell, cell, 1.0) + (0.0, 0.0, setting.floor))


def floor_part(setting: Setting) -> Part | None:
    """The ground under the grid, in the picture's axes."""
    if setting.floor is None:
        return None
    edge = CELLS * grid_cell(setting)
    at = (0.0, 0.0, setting.floor - 2e-3 * setting.size)
    return Part("box", at, STRAIGHT, (edge, edge, 1e-3 * setting.size))
