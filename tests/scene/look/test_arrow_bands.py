"""Rings, bars and stripes: which arrows have them, where they are, and that the page reads them from their names."""

from __future__ import annotations

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.scene.look.arrow_bands import LEAST, PATTERN_OF, PATTERNS, STRIPES, band_name, band_parts
from mbwidgets.scene.look.arrow_shape import HEAD_PIXELS
from mbwidgets.scene.quantities.motion_quantities import find_quantity, quantity_names
from mbwidgets.scene.stage.picture import Picture

HEAD = 0.15
PIXEL = HEAD / HEAD_PIXELS


def test_moments_and_rotations_have_two_heads_and_mass_moments_a_ring_for_each_length() -> None:
    double = {key for key in quantity_names() if find_quantity(key).double}
    assert {"moment", "angular velocity", "angular momentum"} <= double
    assert not {"force", "weight", "acceleration", "axis"} & double
    rings = {key: len(PATTERNS[PATTERN_OF[key]]) for key in ("static", "inertia", "deviation")}
    assert rings == {"static": 1, "inertia": 2, "deviation": 2}
    assert set(PATTERN_OF) <= set(quantity_names()) | {"coupled rotators"}


def test_bands_lie_on_the_shaft_and_a_short_one_has_none() -> None:
    begin, vector = np.array([1.0, 2.0, 3.0]), np.array([0.0, 0.0, 2.0])
    for pattern, bands in PATTERNS.items():
        parts = band_parts(begin, vector, HEAD, False, pattern)
        assert len(parts) == len(bands)
        for part, band in zip(parts, bands, strict=True):
            along = np.array(part.at) - begin
            assert along == pytest.approx([0, 0, band.share * (2 - HEAD) + band.beyond * PIXEL])
            assert part.scale == pytest.approx((band.radius * PIXEL, band.thick * PIXEL, band.radius * PIXEL))
    assert band_parts(begin, vector, HEAD, False, "") == []
    short = np.array([0.0, 0.0, HEAD + (LEAST - 1) * PIXEL])
    assert band_parts(begin, short, HEAD, False, "ring") == []


def test_arrows_of_the_page_carry_their_bands_by_name() -> None:
    picture = Picture()
    motion = mb.simulate(mb.library.three_body_arm(), duration=0.1)
    picture.show(motion, ("force", "static", "inertia", "pressure"), (1,))
    names = [[mesh.name for mesh in group.children[2:-2]] for group in picture.player.arrows]  # foot and seat are last
    assert names == [[], *([band_name(band) for band in PATTERNS[kind]] for kind in ("ring", "rings", STRIPES))]
    picture.close()
