"""Tails of comets: the past only, as long as they may be; the page has the same rule."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.scene.look import tails
from mbwidgets.scene.look.tails import BETWEEN, comet_tail, path_velocities, smooth_tail
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


CIRCLE = np.stack([np.cos(np.arange(13) * np.pi / 6), np.sin(np.arange(13) * np.pi / 6), np.zeros(13)], axis=1)


def test_a_tail_is_smooth_through_its_points() -> None:
    """On a circle of 12 points the points between are on it to 0.2 %: a straight way would be off by 3.4 %."""
    points, ways = CIRCLE[::-1], path_velocities(CIRCLE)[::-1]
    found, shares = smooth_tail(points, np.linspace(1, 0, 13), ways)
    assert len(found) == len(shares) == 1 + 12 * BETWEEN
    assert found[::BETWEEN] == pytest.approx(points, abs=1e-15)
    inside = found[2 * BETWEEN : -2 * BETWEEN]  # the ends have velocities of a lower order
    assert np.linalg.norm(inside, axis=1) == pytest.approx(np.ones(len(inside)), abs=0.002)
    assert np.linalg.norm(found, axis=1) == pytest.approx(np.ones(len(found)), abs=0.02)
    assert np.diff(shares).max() < 0


def test_velocities_of_a_path_are_exact_where_it_is_of_the_fourth_order_and_need_no_place_that_is_none() -> None:
    k = np.arange(9.0)
    path = np.stack([k**4, k**2, k], axis=1)
    assert path_velocities(path)[2:-2] == pytest.approx(np.stack([4 * k**3, 2 * k, np.ones(9)], axis=1)[2:-2])
    assert path_velocities(path)[[0, -1], 1:] == pytest.approx(np.array([[0, 1], [16, 1]]))
    path[4] = np.nan
    assert path_velocities(path)[[3, 5], 2] == pytest.approx([1, 1])
    assert np.isfinite(path_velocities(path)).all()


def test_a_tail_that_is_cut_stays_on_the_curve() -> None:
    tail, shares = comet_tail(CIRCLE, 1.7)
    ways = path_velocities(CIRCLE)[::-1][: len(tail)]
    found, _ = smooth_tail(tail, shares, ways)
    # the cut lies on the chord, which is off by 3.4 % at most
    assert np.linalg.norm(found, axis=1) == pytest.approx(np.ones(len(found)), abs=0.035)
