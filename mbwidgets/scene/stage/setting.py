"""What stands round a mechanism, as data: the ground and its grid, the ways of the world's axes and of gravity."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import numpy as np

from ...model.model import Model
from ..look.ladder import rung_above
from .pin_feet import Feet, Pin

__all__ = [
    "AXES",
    "GRAVITY",
    "Ground",
    "Setting",
    "axis_directions",
    "gravity_direction",
    "ground_of",
]

FINEST: Final = 16
"""Cells of the grid to what is seen, at most; each is 1, 2 or 5 of a decade wide."""
FADE: Final = 2.4
"""Where the ground has faded away, in radii of what is seen."""
AXES: Final = (("x", "#C0392B"), ("y", "#2E8B57"), ("z", "#2C6FBB"))
"""Of the world, with their colours: they stand in a corner, where no body hides them and they hide none."""
GRAVITY: Final = "#7A7F87"
"""Colour of gravity's arrow, which stands in a corner of the picture, as the camera sees its direction."""


@dataclass(frozen=True, eq=False)
class Setting:
    """What the stage is suited to: the size of the mechanism, the middle and radius of what is seen, m.

    ``floor`` is the height of the ground in the picture's axes, None where there is none; ``balls`` (n, 4) are middles
    and radii that the camera must hold; ``upright`` (3, 3) has the picture's axes right, away and up as rows;
    ``shifts`` (bodies, 3), m, lay plates side by side, each in its body's axes; ``heads`` are where pins end. The
    first view is ``turned`` about the vertical by so much, rad.
    """

    size: float
    target: np.ndarray
    radius: float
    floor: float | None
    balls: np.ndarray
    upright: np.ndarray = field(default_factory=lambda: np.eye(3))
    shifts: np.ndarray = field(default_factory=lambda: np.zeros((0, 3)))
    heads: Mapping[Pin, np.ndarray] = field(default_factory=dict)
    turned: float = 0.0

    def shifts_of(self, model: Model) -> np.ndarray:
        """The shifts for a model's bodies; none where the stage was suited to another mechanism."""
        count = len(model.bodies)
        return self.shifts if len(self.shifts) == count else np.zeros((count, 3))

    def feet_of(self, model: Model) -> Feet:
        """Where the arrows of a model's bodies begin."""
        return Feet(self.shifts_of(model), self.heads if len(self.shifts) == len(model.bodies) else {})

    @classmethod
    def about(cls, size: float, target: Any, radius: float, floor: float | None, upright: np.ndarray) -> Setting:
        """With all of the ball about the target held."""
        middle = np.asarray(target, dtype=float)
        return cls(size, middle, radius, floor, np.array([[*middle, radius]]), upright)


class Ground(NamedTuple):
    """The ground in the picture's axes: its height and the width of a cell of its grid, m.

    ``radius`` is that of what is seen, m, beneath whose middle shadows fall; at ``reach`` from there it has faded away.
    """

    height: float
    cell: float
    radius: float
    reach: float


def gravity_direction(setting: Setting, gravity: Any) -> tuple[float, float, float] | None:
    """The direction of gravity (3,), m/s², in the picture's axes; None where there is none."""
    g = np.asarray(gravity, dtype=float)
    strength = float(np.linalg.norm(g))
    if not strength > 0:
        return None
    right, away, up = (float(part) for part in setting.upright @ (g / strength))
    return right, away, up


def axis_directions(setting: Setting) -> list[tuple[float, float, float]]:
    """The directions of the world's x, y and z in the picture's axes."""
    return [(float(right), float(away), float(up)) for right, away, up in setting.upright.T]


def ground_of(setting: Setting) -> Ground | None:
    """The ground beneath a mechanism; None where there is none."""
    if setting.floor is None:
        return None
    cell = rung_above(max(setting.size, setting.radius) / FINEST)
    return Ground(float(setting.floor), cell, setting.radius, FADE * setting.radius)
