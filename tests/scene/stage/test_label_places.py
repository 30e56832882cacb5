"""Labels stand beyond their tips, cover nothing that matters, and no two are alike; the page has the same rule."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.scene.look.ink import contrast_of, inked
from mbwidgets.scene.look.palette import QUANTITY, THEMES
from mbwidgets.scene.quantities.motion_quantities import quantity_names
from mbwidgets.scene.stage.drawn_arrows import TAKEN, OwnArrow, quantity_arrows, scaled_own_arrows
from mbwidgets.scene.stage.label_places import CLEAR, Box, LabelItem, how_seen, place_labels

CASES = json.loads((Path(__file__).parents[2] / "javascript" / "label_places.json").read_text(encoding="utf-8"))
ROOM = (400.0, 300.0)


def overlap(a: Box, b: Box) -> float:
    right = min(a.x + a.w / 2, b.x + b.w / 2) - max(a.x - a.w / 2, b.x - b.w / 2)
    down = min(a.y + a.h / 2, b.y + b.h / 2) - max(a.y - a.h / 2, b.y - b.h / 2)
    return max(right, 0.0) * max(down, 0.0)


@pytest.mark.parametrize("number", range(len(CASES)))
def test_labels_are_placed_where_those_of_the_page_are(number: int) -> None:
    case = CASES[number]
    left, top, right, low = case["body"]
    solid = Box((left + right) / 2, (top + low) / 2, right - left, low - top)
    items = [
        LabelItem(tuple(i["tip"]), i["way"] and tuple(i["way"]), i["w"], i["h"], i["loose"]) for i in case["items"]
    ]
    lines = [(tuple(p), tuple(q)) for p, q in case["lines"]]
    found = place_labels(
        items, lines, [Box(**spot) for spot in case["spots"]], ROOM, lambda box: overlap(box, solid) / (box.w * box.h)
    )
    # the file has six decimals
    assert np.array([(box.x, box.y) for box in found]) == pytest.approx(np.array(case["places"]), abs=1e-5)


def test_labels_cover_neither_each_other_nor_a_spot_while_there_is_room() -> None:
    spot = Box(216, 150, 14, 14)
    found = place_labels([LabelItem((200, 150), (1, 0), 20, 20)] * 5, [], [spot], ROOM)
    for k, box in enumerate(found):
        assert overlap(box, spot) == 0
        assert not any(overlap(box, other) for other in found[:k])


def test_a_label_keeps_clear_of_the_shaft_of_another_arrow() -> None:
    other = ((120.0, 137.0), (300.0, 137.0))  # the label beside its tip would end three pixels below it
    (box,) = place_labels([LabelItem((200, 150), (1, 0), 20, 20)], [other], [], ROOM)
    assert box.y - box.h / 2 - 137 >= CLEAR
    # its own may end there
    (own,) = place_labels([LabelItem((200, 150), (1, 0), 20, 20)], [((100.0, 150.0), (200.0, 150.0))], [], ROOM)
    assert (own.x, own.y) == pytest.approx((216, 150))


def test_an_arrow_that_is_a_dot_is_told_short_or_end_on() -> None:
    zero = np.zeros(2)
    # a head of 15 pixels that has begun to shrink: what is shorter hides behind its foot or the mark of a mass centre
    assert how_seen(zero, np.array([10.0, 0.0]), 10.0) == "seen"
    assert how_seen(zero, np.array([9.9, 0.0]), 9.9) == "short"
    assert how_seen(zero, np.array([1.0, 0.0]), 60.0) == "end-on"


@pytest.mark.parametrize("theme", THEMES)
def test_every_label_can_be_read(theme: str) -> None:
    paper = THEMES[theme].background
    for colour in QUANTITY.values():
        assert contrast_of(inked(colour, paper), paper) >= 4.5


@pytest.mark.parametrize("name", mb.library.names())
def test_no_two_labels_of_a_picture_are_alike(name: str) -> None:
    motion = mb.simulate(getattr(mb.library, name)(), duration=0.01)
    count = len(motion.model.bodies)
    for indices in (range(count), range(count - 1, count)):
        arrows = quantity_arrows(motion, quantity_names(), list(indices), 1.0).arrows
        alike = Counter([*TAKEN, *(arrow.label for arrow in arrows)])
        assert max(alike.values()) == 1, alike.most_common(3)


def test_arrows_of_a_view_with_one_symbol_are_numbered() -> None:
    at = np.zeros((1, 3))
    arrows = [OwnArrow(key, label, "#000000", at, at, "N") for key, label in (("a", "F"), ("b", "F"), ("c", "z"))]
    arrows += [OwnArrow(key, " ", "#000000", at, at, "N") for key in "de"]
    assert [arrow.label for arrow in scaled_own_arrows(arrows, 1.0).arrows] == ["F₁", "F₂", "z₁", " ", " "]
