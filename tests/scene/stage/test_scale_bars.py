"""A scale bar is true: as long as an arrow of its value across the line of sight where the camera looks."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.export.pictures.film import FINER, Film
from mbwidgets.export.pictures.raster import rgb
from mbwidgets.scene.look.palette import QUANTITY
from mbwidgets.scene.page import player
from mbwidgets.scene.stage.composition import compose
from mbwidgets.scene.stage.picture import Picture
from mbwidgets.scene.stage.scale_bars import FORCES, MOST, NEUTRAL, WIDEST, force_sum, forces_on, scale_bars
from mbwidgets.widgets.views.explorer import first_vectors

VECTORS = ("axis", "force", "weight", "moment")
# a picture of a few hundred pixels, to a hundredth of one
PIXEL = 1e-2


@pytest.fixture(scope="module")
def film() -> Film:
    return Film(mb.simulate(mb.library.three_body_arm(), duration=1), VECTORS, view="front")


def test_every_quantity_that_is_drawn_has_a_bar_in_its_colour_with_a_round_value(film: Film) -> None:
    bars = {bar.unit: bar for bar in film.bars}
    assert set(bars) == {"N", "N m"}
    assert bars["N"].colours == (QUANTITY["force"], QUANTITY["weight"])
    assert bars["N m"].colours == (QUANTITY["moment"],)
    for bar in bars.values():
        assert float(f"{bar.value:e}".split("e")[0]) in (1, 2, 5)
        assert WIDEST / 2.5 < bar.pixels <= WIDEST


def test_a_bar_is_as_long_as_an_arrow_of_its_value_where_the_camera_looks(film: Film) -> None:
    target = film.composition.viewpoint("front", film.width / film.height).target
    for bar in film.bars:
        scale = next(arrow.scale for arrow in film.composition.arrows if arrow.unit == bar.unit)
        ends = np.array([target, target + np.array([bar.value * scale, 0, 0])])
        across = np.diff(film.camera(0).project(ends)[:, 0])[0] / FINER
        assert bar.pixels == pytest.approx(across, abs=PIXEL)


def test_a_still_has_its_bars_in_the_lower_left_corner(film: Film) -> None:
    picture = np.asarray(film.frame(0.0), dtype=float) / 255
    rows, bars = film.height, film.bars
    corner = picture[rows - 90 :, :360]  # words on what is too short stand below the bars, which stand in a row
    for bar in bars:
        # lines of a pixel and a half: some of their pixels have the colour itself
        assert (np.abs(corner - rgb(bar.ink)).sum(axis=2) < 0.1).sum() > 20


def test_directions_have_no_bar_and_what_is_not_drawn_has_none() -> None:
    motion = mb.simulate(mb.library.three_body_arm().with_values(g=0), duration=0.1)
    picture = Picture()
    picture.show(motion, ("axis", "weight"), (0,))
    assert scale_bars(picture.composition.arrows, 100.0) == []
    assert picture.player.units == ["", ""]
    picture.close()


def test_the_page_has_the_rule_of_the_stills() -> None:
    text = (Path(player.__file__).parent / "scale_bars.js").read_text(encoding="utf-8")
    for name, value in (("WIDEST", WIDEST), ("MOST_NAMED", MOST)):
        found = re.search(rf"^const {name} = (\d+);", text, re.MULTILINE)
        assert found is not None, name
        assert float(found[1]) == value
    assert f'const MUTED = "{NEUTRAL.lower()}";' in text
    assert "const FORCES = " + str(list(FORCES)).replace("'", '"') in text


@pytest.mark.parametrize("name", ["three_body_arm", "slider_crank", "body_on_circle", "four_bar"])
def test_the_sum_that_is_written_holds_for_the_arrows_that_are_drawn(name: str) -> None:
    motion = mb.simulate(getattr(mb.library, name)(), duration=0.5)
    for index, body in enumerate(motion.model.bodies):
        arrows = compose(motion, first_vectors(motion.model), [index]).arrows
        forces = forces_on(motion, arrows)
        total = "".join(text for text, _ in force_sum(arrows, forces))
        assert total.endswith(" = m a_C"), total
        moved = next(arrow for arrow in arrows if arrow.key == "acceleration")
        found = sum(arrow.value for arrow in arrows if arrow.key in forces[index])
        expected = motion.model.number(body.mass) * moved.value
        assert found == pytest.approx(expected, abs=1e-8 * np.abs(expected).max())
        # without one of them nothing is claimed
        assert force_sum([arrow for arrow in arrows if arrow.key != "weight"], forces) == []
        assert force_sum([arrow for arrow in arrows if arrow is not moved], forces) == []


def test_a_sum_keeps_the_signs_of_its_symbols_and_is_short_where_there_are_many() -> None:
    motion = mb.simulate(mb.library.three_body_arm(), duration=0.2)
    arrows = compose(motion, first_vectors(motion.model), [1]).arrows
    forces = forces_on(motion, arrows)
    assert "".join(text for text, _ in force_sum(arrows, forces)) == "F_R \u2212 F_R3 + G = m a_C"
    weight = next(arrow for arrow in arrows if arrow.key == "weight")
    assert "".join(text for text, _ in force_sum([*arrows, *[weight] * 4], forces)) == "Σ F = m a_C"
    both = compose(motion, first_vectors(motion.model), [0, 1]).arrows
    assert force_sum(both, forces) == []
