"""Tails of comets: the past only, as long as they may be; the page has the same rule."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.scene.look import tails
from mbwidgets.scene.look.tails import BETWEEN, comet_tail, smooth_tail
from mbwidgets.scene.page import player
from mbwidgets.scene.stage.drawn_arrows import quantity_arrows, traced_arrows

LINE = np.arange(6.0)[:, None] * [1.0, 0.0, 0.0]


def test_a_tail_goes_back_as_far_as_it_may_and_fades_to_nothing() -> None:
    points, shares = comet_tail(LINE, 2.25)
    assert points[:, 0] == pytest.approx([5, 4, 3, 2.75])
    assert shares == pytest.approx([1, 1.25 / 2.25, 0.25 / 2.25, 0])


def test_a_short_past_fades_over_all_of_it_and_what_stands_still_has_none() -> None:
    points, shares = comet_tail(LINE, 100.0)
    assert len(points) == 6
    assert shares[[0, -1]] == pytest.approx([1, 0])
    assert len(comet_tail(np.ones((5, 3)), 1.0)[0]) == 0
    assert len(comet_tail(LINE[:1], 1.0)[0]) == 0


def test_a_place_that_is_none_ends_a_tail() -> None:
    broken = LINE.copy()
    broken[2] = np.nan
    assert comet_tail(broken, 100.0)[0][:, 0] == pytest.approx([5, 4, 3])


def test_the_page_has_the_rule_of_the_stills() -> None:
    text = (Path(player.__file__).parent / "comets.js").read_text(encoding="utf-8")
    assert f"const TAIL = {tails.TAIL};" in text
    for name in ("COMET", "TRACE"):
        found = re.search(rf"\[{name}_WIDTHS, {name}_STRENGTH\] = \[\[(\S+), (\S+)\], (\S+)\];", text)
        assert found is not None
        assert (float(found[1]), float(found[2])) == getattr(tails, f"{name}_WIDTHS")
        assert float(found[3]) == getattr(tails, f"{name}_STRENGTH")


def test_forces_that_change_leave_a_trace_and_weights_and_moments_do_not() -> None:
    motion = mb.simulate(mb.library.hammer_crusher(), duration=2)
    arrows = quantity_arrows(motion, ("axis", "weight", "force", "moment"), [1], 1.0).arrows
    assert [arrows[place].key for place in traced_arrows(arrows)] == ["force"]


def test_a_tail_is_smooth_through_its_points() -> None:
    """On a circle of 12 points the points between are on it to 1 %: a straight way would be off by 3.4 %."""
    turns = np.arange(13) * np.pi / 6
    points = np.stack([np.cos(turns), np.sin(turns), 0 * turns], axis=1)
    found, shares = smooth_tail(points, np.linspace(1, 0, 13))
    assert len(found) == len(shares) == 2 + 11 * BETWEEN
    assert found[1::BETWEEN] == pytest.approx(points[1:], abs=1e-15)
    inside = found[1 + BETWEEN : -BETWEEN]  # the ends lean on nothing
    assert np.linalg.norm(inside, axis=1) == pytest.approx(np.ones(len(inside)), abs=0.01)
    assert np.diff(shares).max() < 0
