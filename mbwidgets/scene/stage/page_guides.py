"""Points of guides that parameters move, for a page: what the stage draws of circles and lines goes with them."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ...expressions import Expression
from ...model.model import Model
from ...numeric.base.rotations import farthest_axis, unit_vector
from ...numeric.motion.motion import Motion
from ...numeric.motion.traced_motion import TracedMotion, parameters_of
from ...numeric.packing.frame_programs import frame_program
from ...numeric.packing.traced_numbers import Tracer

__all__ = ["guide_points", "page_guides"]

AROUND: Final = 72
"""Points of a circle: what lies between two of them is a thousandth nearer to the centre than it should be."""

UPRIGHT: Final = 0.5
"""Cosine between a circle's normal and the way up below which posts hold it, as in `guides`."""
SLIGHT: Final = 1e-9


def page_guides(motion: Motion, model: Model, up: np.ndarray) -> dict[str, Any] | None:
    """For JSON: the program of the points, and which of them stand on posts; None where no parameter moves any.

    ``model`` is the one that the page is given, ``up`` (3,) the way from the floor.
    """
    if not any(_is_moved(item) for item in model.constraints):
        return None
    tracer = Tracer(parameters_of(model))
    points, standing = guide_points(TracedMotion(motion, tracer).model, up)
    document = frame_program(tracer, list(np.reshape(points, -1))).document()
    return {"program": {**document, "name": f"guides of {model.name}"}, "standing": standing}


def guide_points(model: Any, up: np.ndarray) -> tuple[np.ndarray, list[int]]:
    """Points (k, 3) of all circles, lines and spheres to which points are bound; and those that stand on posts."""
    found: list[np.ndarray] = []
    standing: list[int] = []
    for item in model.constraints:
        if item.type == "on_circle" and not _has_parameters(item.normal):
            if abs(unit_vector(np.array(item.normal, dtype=float)) @ up) < UPRIGHT:
                standing += [len(found), len(found) + AROUND // 2]
            found += _circle(model, item, up)
        elif item.type == "on_line":
            found.append(_numbers(model, item.point))
        elif item.type == "on_sphere":
            centre, radius = _numbers(model, item.centre), model.number(item.radius)
            found += [centre + sign * radius * axis for axis in np.eye(3) for sign in (-1.0, 1.0)]
    return np.array(found).reshape(-1, 3), standing


def _circle(model: Any, item: Any, up: np.ndarray) -> list[np.ndarray]:
    """The first point, and the one opposite to it, lie to the sides, where posts hold an upright circle."""
    normal = unit_vector(np.array(item.normal, dtype=float))
    flat = abs(normal @ up) > 1.0 - SLIGHT
    side = unit_vector(np.cross(farthest_axis(normal) if flat else up, normal))
    other, turns = np.cross(normal, side), np.arange(AROUND) * (2.0 * np.pi / AROUND)
    centre, radius = _numbers(model, item.centre), model.number(item.radius)
    return [centre + radius * (np.cos(angle) * side + np.sin(angle) * other) for angle in turns]


def _is_moved(item: Any) -> bool:
    """Whether parameters stand in the numbers of a guide."""
    names = ("centre", "radius", "point")
    return item.type.startswith("on_") and any(_has_parameters(getattr(item, name, 0.0)) for name in names)


def _has_parameters(value: Any) -> bool:
    return any(isinstance(part, Expression) for part in (value if isinstance(value, tuple | list) else [value]))


def _numbers(model: Any, values: Any) -> np.ndarray:
    return np.array([model.number(part) for part in values])
