"""The proportions of arrows as data: as thick on the screen wherever they stand; two heads for moments, rotations.

``page/arrows.js`` places the arrows that the player moves by the same rule; a test holds its numbers to these.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from ...numeric.base.rotations import quaternion_from_y
from .shapes import Part, triple_of

__all__ = [
    "CONE",
    "FOOT",
    "HEAD_PIXELS",
    "LABEL",
    "LEAST",
    "ONE_POINT",
    "PAIR",
    "RIM",
    "ROOM",
    "SEAT",
    "SHAFT",
    "STEP",
    "ArrowShape",
    "arrow_foot",
    "arrow_parts",
    "arrow_shape",
    "head_length",
]

HEAD: Final = 0.07
"""Room that a head takes, as a share of the radius of what is seen: where a picture is suited to its arrows."""
HEAD_PIXELS: Final = 15.0
"""Length of a head on the screen; of still arrows less."""
CONE: Final = 5.0 / HEAD_PIXELS
"""Radius of a head over its length; ``SHAFT`` is that of the shaft."""
SHAFT: Final = 1.55 / HEAD_PIXELS
FOOT: Final = 4.2 / HEAD_PIXELS
"""Radius of the dot where an arrow acts, in lengths of its head; it is seen through all that hides it. ``SEAT`` is
that of its middle, which has the colour of the body on which the arrow acts."""
SEAT: Final = 2.7 / HEAD_PIXELS
ROOM: Final = 1.25
"""An arrow shorter than its heads and a little shaft, in lengths of the heads, shrinks as a whole."""
PAIR, STEP = 1.7, 0.7
"""Two heads, in lengths of one, and how far the second is behind the first."""
LEAST: Final = 1e-3
"""An arrow shorter than this share of its head is none."""
RIM: Final = FOOT
"""From the point where several arrows act to the beginning of each, in lengths of a head: they come out of its dot, and
out of the mark of a mass centre, which is larger. ``ONE_POINT`` is how near their tails are seen, in pixels."""
ONE_POINT: Final = 5.0
LABEL: Final = 1.2
"""How far beyond the tip the symbol stands, in heads."""


@dataclass(frozen=True)
class ArrowShape:
    """Radius and length, m, of the shaft, which begins at zero, and of the heads; the middles of the heads."""

    shaft: tuple[float, float]
    head: tuple[float, float]
    middles: tuple[float, ...]


def head_length(scene_radius: float) -> float:
    """Length of the heads, m, in a picture of what lies within a radius."""
    return HEAD * scene_radius


def arrow_shape(length: float, head: float, double: bool = False) -> ArrowShape:
    """An arrow of a length with heads as long as ``head``; a short one shrinks, with a little shaft behind its head."""
    tip = min(head, length / (ROOM * (PAIR if double else 1.0)))
    shaft = length - tip
    middles = tuple(length - tip / 2 - STEP * k * tip for k in range(1 + double))
    return ArrowShape((SHAFT * tip, shaft), (CONE * tip, tip), middles)


def arrow_parts(begin: np.ndarray, vector: np.ndarray, head: float, double: bool = False) -> list[Part]:
    """Shaft and heads of an arrow, m; none where it is too short to be seen or not finite."""
    length = float(np.linalg.norm(vector))
    if not (np.isfinite(length) and np.isfinite(begin).all() and length > LEAST * head):
        return []
    shape, way, turn = arrow_shape(length, head, double), vector / length, quaternion_from_y(vector)
    (thick, long), (wide, tip) = shape.shaft, shape.head
    return [
        Part("cylinder", triple_of(begin + way * long / 2), turn, (thick, long, thick)),
        *(Part("cone", triple_of(begin + way * middle), turn, (wide, tip, wide)) for middle in shape.middles),
    ]


def arrow_foot(
    begin: np.ndarray, vector: np.ndarray, head: float, double: bool = False, share: float = FOOT
) -> list[Part]:
    """The dot where an arrow acts, of a radius in lengths of its head; none where the arrow is too short to be seen."""
    if not arrow_parts(begin, vector, head, double):
        return []
    radius = share * arrow_shape(float(np.linalg.norm(vector)), head, double).head[1]
    return [Part("ball", triple_of(begin), (0.0, 0.0, 0.0, 1.0), (radius, radius, radius))]
