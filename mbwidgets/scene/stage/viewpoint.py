"""Where the camera stands, as data: the standard views, with what must be seen fitted into the picture."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from ...numeric.base.rotations import unit_vector
from ..look.surfaces import KEY, Sun
from .setting import Setting

__all__ = [
    "ASIDE",
    "FIELD",
    "VIEWS",
    "Viewpoint",
    "all_seen",
    "direction_of",
    "sun_of",
    "turned_about_up",
    "view_axes",
    "viewpoint_of",
]

ASIDE, ABOVE = np.radians(30.0), np.radians(18.0)
"""Of the camera that sees depth: how far from the front, and how high."""
VIEWS: Final[dict[str, tuple[float, float, float]]] = {
    "iso": (float(np.sin(ASIDE)), float(-np.cos(ASIDE)), float(np.tan(ABOVE))),
    "front": (0.0, -1.0, 0.0),
    "back": (0.0, 1.0, 0.0),
    "right": (1.0, 0.0, 0.0),
    "left": (-1.0, 0.0, 0.0),
    "top": (0.0, -1e-3, 1.0),
}
"""Directions from the target to the camera, in the picture's axes: right, away and up."""
FIELD: Final = 14.0
"""Angle of the picture's height, degrees: so narrow that verticals are all but parallel, and polygons close by eye."""
CLOSE: Final = 1.11
"""Distance of the camera over that at which what it must hold touches the sides of the picture: 5 % stay free."""
ASIDE_OF_WORDS: Final = 0.4
"""By which share of the room that is left on either side all is seen to the right of the picture's middle."""
NEAR, BEYOND = 0.01, 200.0
"""What is nearer and what is farther, in sizes of the mechanism, is not drawn."""


class Viewpoint(NamedTuple):
    """The camera's place and target (3,), its axes right, up, back as rows (3, 3), and the depths that it sees, m.

    All in the picture's axes.
    """

    place: np.ndarray
    target: np.ndarray
    axes: np.ndarray
    near: float
    far: float


def view_axes(direction: Any) -> np.ndarray:
    """Right, up and back (3, 3) of a camera that stands in a direction from its target, z up."""
    back = unit_vector(direction)
    right = unit_vector(np.cross((0.0, 0.0, 1.0), back))
    return np.array([right, np.cross(back, right), back])


def turned_about_up(way: Any, angle: float) -> np.ndarray:
    """A direction (3,) of the picture's axes, turned about the vertical to the right of who looks along it, rad."""
    cosine, sine = np.cos(angle), np.sin(angle)
    x, y, z = way
    return np.array([cosine * x - sine * y, sine * x + cosine * y, z])


def all_seen(viewpoint: Viewpoint, setting: Setting, balls: np.ndarray, aspect: float) -> bool:
    """Whether a camera sees the middles of all balls (k, 4) of the world in a picture of a width over its height."""
    seen = (balls[:, :3] @ setting.upright.T - viewpoint.place) @ viewpoint.axes.T
    slope = np.tan(np.radians(FIELD / 2)) * np.array([aspect, 1.0])
    return bool((np.abs(seen[:, :2]) <= slope * -seen[:, 2:]).all())


def sun_of(setting: Setting) -> Sun:
    """The light with a direction: it comes from where the first view is seen from, and from above and its left."""
    if not setting.turned:
        return KEY
    right, away, up = (float(part) for part in turned_about_up(KEY.towards, setting.turned))
    return KEY._replace(towards=(right, away, up))


def direction_of(setting: Setting, view: str) -> np.ndarray:
    """From where a standard view looks (3,), in the picture's axes: the first is from the side that shows most."""
    return turned_about_up(VIEWS[view], setting.turned if view == "iso" else 0.0)


def viewpoint_of(setting: Setting, view: str, aspect: float) -> Viewpoint:
    """The camera for a standard view and a picture's width over its height."""
    axes = view_axes(direction_of(setting, view))
    balls = setting.balls
    seen, reach = (balls[:, :3] - setting.target) @ (axes @ setting.upright).T, balls[:, 3:]
    slope = np.tan(np.radians(FIELD / 2)) * np.array([aspect, 1.0])
    # a ball touches none of the sides from a distance of at least z + r / sin ± (x - c) / slope, with the picture's
    # middle at c: both sides are touched at once where it is half way
    ahead = seen[:, 2:] + reach / np.sin(np.arctan(slope))
    right, left = (ahead + seen[:, :2] / slope).max(axis=0), (ahead - seen[:, :2] / slope).max(axis=0)
    distance = max(CLOSE * float((right + left).max()) / 2, setting.radius)
    middle = slope * (right - left) / 2
    # in a wide picture words stand on the left
    spare = 1 - CLOSE * float((right + left)[0]) / 2 / distance
    middle[0] -= ASIDE_OF_WORDS * max(spare, 0.0) * slope[0] * distance
    target = setting.upright @ setting.target + middle @ axes[:2]
    return Viewpoint(target + distance * axes[2], target, axes, NEAR * setting.size, BEYOND * setting.size)
