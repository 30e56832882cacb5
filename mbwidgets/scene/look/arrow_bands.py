"""Rings, bars and stripes on the shafts of arrows, so that colour is never alone: which quantities have which.

One ring for mass × length, two for mass × length², a bar where a constraint holds, stripes on what is coupled or the
opposite of something; a line of dashes, which closes a parallelogram of arrows, is a shaft of bands alone; what cannot
be ends in a bar, and not in a head.
``page/arrows.js`` reads the sizes of bands in their names.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from ...numeric.base.rotations import quaternion_from_y
from .arrow_shape import HEAD_PIXELS, arrow_shape
from .shapes import Part, triple_of

__all__ = [
    "BARRED",
    "BARRED_TURN",
    "DASHES",
    "HEADLESS",
    "PATTERNS",
    "PATTERN_OF",
    "STRIPES",
    "Band",
    "band_name",
    "band_parts",
    "headed",
]

STRIPES: Final = "stripes"
"""The pattern whose bands are pale; those of the others have the arrow's colour."""
DASHES: Final = "dashes"
"""The pattern of a line without shaft, head and foot, of which only its bands are seen."""
BARRED: Final = "barred"
"""The pattern of a shaft that ends in a bar, where nothing can move; ``BARRED_TURN`` in two, where nothing can turn."""
BARRED_TURN: Final = "barred turn"
HEADLESS: Final = (DASHES, BARRED, BARRED_TURN)
LEAST: Final = 24.0
"""Pixels of a shaft below which it has no bands: they would hide it."""


class Band(NamedTuple):
    """Where it is along the shaft, 0 … 1, and how many pixels beyond that; its radius and its thickness, pixels."""

    share: float
    beyond: float
    radius: float
    thick: float


PATTERNS: Final[dict[str, tuple[Band, ...]]] = {
    "ring": (Band(0.5, 0.0, 3.8, 2.2),),
    "rings": (Band(0.5, -3.0, 3.8, 2.2), Band(0.5, 3.0, 3.8, 2.2)),
    "bar": (Band(0.0, 1.2, 6.0, 2.4),),
    STRIPES: tuple(Band(k / 6, 0.0, 1.95, 4.0) for k in range(1, 6)),
    DASHES: tuple(Band((k + 0.5) / 10, 0.0, 0.9, 6.0) for k in range(10)),
    BARRED: (Band(1.0, 0.0, 6.0, 2.4),),
    BARRED_TURN: (Band(1.0, 0.0, 6.0, 2.4), Band(1.0, -6.0, 6.0, 2.4)),
}
PATTERN_OF: Final = {
    "static": "ring",
    "inertia": "rings",
    "deviation": "rings",
    "constraint force": "bar",
    "constraint moment": "bar",
    "pressure": STRIPES,
    "pressure moment": STRIPES,
    "coupled rotators": STRIPES,
    "carried force": STRIPES,
}
"""The patterns of quantities, by their keys."""


def band_name(band: Band) -> str:
    """The name of a band's mesh, by which the page sizes it."""
    return "band " + " ".join(f"{value:.6g}" for value in band)


def headed(parts: list[Part], pattern: str) -> list[Part]:
    """Of the shaft and the heads of an arrow those that a pattern leaves."""
    return [] if pattern == DASHES else parts[:1] if pattern in HEADLESS else parts


def band_parts(begin: np.ndarray, vector: np.ndarray, head: float, double: bool, pattern: str) -> list[Part]:
    """The bands of an arrow, m; none where its shaft is short."""
    length = float(np.linalg.norm(vector))
    if not pattern or not (np.isfinite(length) and np.isfinite(begin).all() and length > 0):
        return []
    shape = arrow_shape(length, head, double)
    pixel, (_, long) = shape.head[1] / HEAD_PIXELS, shape.shaft
    if long < LEAST * pixel:
        return []
    way, turn = vector / length, quaternion_from_y(vector)
    return [
        Part(
            "cylinder",
            triple_of(begin + way * (band.share * long + band.beyond * pixel)),
            turn,
            (band.radius * pixel, band.thick * pixel, band.radius * pixel),
        )
        for band in PATTERNS[pattern]
    ]
