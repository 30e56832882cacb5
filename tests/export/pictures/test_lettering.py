"""Letters of stills are as sharp as the picture: ink and paper and what is between, no halo, each with a face."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("PIL")
from PIL import Image

import mbwidgets as mb
from mbwidgets.export.pictures.film import Film
from mbwidgets.export.pictures.lettering import Lettering, Surroundings, letter_rows, symbol_width, write_labels
from mbwidgets.export.pictures.raster import rgb
from mbwidgets.scene.look.ink import inked

PAPER, INK = "#F4F6F8", "#D55E00"


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("F_R₂", [("F", 0), ("R2", -1)]),
        ("ℜ₂ʳ³", [("ℜ", 0), ("2", -1), ("r3", 1)]),
        ("Fₖᵢₙ", [("F", 0), ("kin", -1)]),
        ("−R", [("−R", 0)]),
    ],
)
def test_letters_stand_above_on_and_below_the_line(text: str, rows: list[tuple[str, int]]) -> None:
    assert letter_rows(text) == rows


def written(text: str, bodies: bool = False) -> np.ndarray:
    picture = Image.new("RGB", (80, 60), PAPER)
    about = Surroundings([], np.full((60, 80), bodies))
    write_labels(picture, [Lettering((30.0, 30.0), text, INK)], about, 17, PAPER)
    return np.asarray(picture, dtype=float) / 255


@pytest.mark.parametrize("text", ["F_R", "𝔍ₙ", "ω̇J₁", "|w|ℜ"])
def test_a_label_has_ink_and_paper_and_nothing_else(text: str) -> None:
    picture, paper = written(text), rgb(PAPER)
    way = rgb(inked(INK, PAPER)) - paper
    share = (picture - paper) @ way / (way @ way)
    # a step of eight bits
    assert np.abs(picture - paper - share[..., None] * way).max() < 1.5 / 255
    assert share.min() > -0.01, "lighter than the paper: a halo"
    assert share.max() > 0.95, "no stroke has the whole colour"


def test_every_letter_of_the_registry_has_a_face() -> None:
    from mbwidgets.scene.quantities.motion_quantities import find_quantity, quantity_names

    box = written("\uffff")
    for key in quantity_names():
        label = find_quantity(key).label
        assert symbol_width(label, 17) > 3
        assert not np.array_equal(written(label), box), key


def test_stills_say_which_arrows_are_too_short_to_see() -> None:
    motion = mb.simulate(mb.library.hammer_crusher(), duration=4)
    film = Film(motion, ("force", "weight"), ["hammer"], view="front")
    told: list[dict[str, list[tuple[str, str, str]]]] = []
    film._write = lambda picture, labels, unseen, about: told.append(dict(unseen))  # type: ignore[method-assign]
    film.frame(0.0)
    found = {text: much for text, _, much in told[0]["short"]}
    assert found == {"F_A": "31 N", "G": "29 N"}, "beside 700 N later on"
