"""The programs by which a page fills tables, plots and arrows give the view's own numbers, of other values too."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.numeric.motion.traced_motion import observed_tables
from mbwidgets.numeric.packing.frame_programs import FrameProgram
from mbwidgets.widgets.edit.pole_and_axis import balance_sentences
from mbwidgets.widgets.views.mass_moments import ROWS
from mbwidgets.widgets.views.page_tables import ARROW, ONCE, often, reference_to, untold_parts

SAME = 1e-9
"""Of the largest number: the program adds in another order, and differences of large terms lose some digits."""


def evaluated(tables: dict[str, Any], motion: Any) -> np.ndarray:
    """The results of a view's program on a motion, (frames, results)."""
    document = tables["program"]
    inputs = tuple((document["tables"][table], place) for table, place in document["inputs"])
    machine = np.frombuffer(base64.b64decode(document["machine"]))
    program = FrameProgram(inputs, machine, document["programs"], tuple(document["results"]))
    return program.evaluate({**observed_tables(motion), "own": np.array([tables["own"]])}, motion.t)


def assert_same(found: np.ndarray, expected: np.ndarray, beside: float = 0.0) -> None:
    """``beside``: the largest of the numbers that it is shown with, and seen to the same scale."""
    flat = np.asarray(expected, dtype=float).reshape(len(found), -1)
    assert found.shape == flat.shape
    np.testing.assert_array_equal(np.isfinite(found), np.isfinite(flat))
    largest = np.nanmax(np.abs(flat), initial=beside)
    np.testing.assert_allclose(found, flat, rtol=0, atol=SAME * largest)


def assert_programs_give_the_views_numbers(view: Any, motion: Any) -> None:
    """Every part and every arrow, on a motion of the view's mechanism with whatever values."""
    tables = view.page_tables()
    results, fills = evaluated(tables, motion), often(view.page_fills())
    assert (tables["untold"], tables["drawn"]) == (untold_parts(view.page_never()), True)
    assert [item["part"] for item in tables["fills"]] == [f"IPY_MODEL_{fill.part.model_id}" for fill in fills]
    for item, fill in zip(tables["fills"], fills, strict=True):
        assert_same(results[:, item["first"] : item["first"] + item["columns"]], fill.values(motion))
    constant, once = [fill for fill in view.page_fills() if fill.kind in ONCE], {**tables, **tables["once"]}
    for item, fill in zip(once["fills"], constant, strict=True):
        numbers = evaluated(once, motion)[:1, item["first"] : item["first"] + item["columns"]]
        assert_same(numbers, fill.values(motion))
    sizes = {arrow.scale: 0.0 for arrow in view.page_arrows(motion)}
    for arrow in view.page_arrows(motion):
        sizes[arrow.scale] = max(sizes[arrow.scale], np.nanmax(np.abs(arrow.value), initial=0.0))
    for k, arrow in enumerate(view.page_arrows(motion)):
        offset = np.zeros_like(arrow.value) if arrow.offset is None else arrow.offset
        for part, value in enumerate((arrow.at, arrow.value, offset)):
            first = ARROW * k + 3 * part
            assert_same(results[:, first : first + 3], np.broadcast_to(value, offset.shape), sizes[arrow.scale])


def assert_parts_show(view: Any) -> None:
    """What the parts show of the present motion is what the fills give."""
    view.fill_unseen()
    for fill in view.page_fills():
        if fill.kind == "mark":
            np.testing.assert_allclose(fill.part.position, fill.values(view.motion)[0, :3], rtol=0, atol=1e-15)
            continue
        if fill.kind == "look":
            assert all(getattr(fill.part, name) == value for name, value in fill.look().items())
            continue
        if fill.kind == "handles":
            numbers = fill.values(view.motion)[0]
            for row in fill.part.rows:
                np.testing.assert_allclose(row["at"], numbers[:3], rtol=0, atol=1e-15)
                if row["direction"] is not None:
                    np.testing.assert_allclose(row["direction"], numbers[3:6], rtol=0, atol=1e-15)
            continue
        shown = np.frombuffer(fill.part.y if hasattr(fill.part, "y") else fill.part.values, dtype=np.float32)
        np.testing.assert_array_equal(shown, np.asarray(fill.values(view.motion), dtype=np.float32).reshape(-1))


ARM = mb.library.three_body_arm()
ROTATORS: list[tuple[Any, Callable[[Any], Any], dict[str, Any]]] = [
    (ARM, lambda model: model.with_values(m2=5.5, m3=1.25), {"joint": 0}),
    (ARM, lambda model: model.with_values(m1=3.0), {"joint": 1, "half": "moment"}),
    (ARM, lambda model: model.with_values(m1=3.0), {"joint": 0, "kinds": ("coupled",)}),
    (mb.library.rotor(), lambda model: model.with_body(0, mass=3.5), {"half": "moment"}),
    (mb.library.cart_pendulum(), lambda model: model.with_body(1, mass=0.75), {"joint": 0}),
]


@pytest.mark.parametrize(("model", "change", "options"), ROTATORS)
def test_the_program_of_rotators_is_true_of_other_values(model: Any, change: Any, options: dict[str, Any]) -> None:
    view = mb.RotatorsView(model, duration=0.5, **options)
    assert_parts_show(view)
    for motion in (view.motion, mb.simulate(change(model), duration=0.4)):
        assert_programs_give_the_views_numbers(view, motion)
    view.close()


def test_a_view_whose_program_would_be_too_long_leaves_parts_to_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mbwidgets.numeric.packing.frame_programs.LARGEST", 400)
    view = mb.RotatorsView(ARM, joint=0, duration=0.2)
    tables = view.page_solver.wanted["tables"]
    assert not tables["drawn"]
    assert f"IPY_MODEL_{view.table.model_id}" in [item["part"] for item in tables["untold"]]
    assert f"IPY_MODEL_{view.balance.plot.model_id}" in [item["part"] for item in tables["fills"]]
    view.close()


def test_a_mechanism_beyond_the_theory_of_rotators_is_still_shown() -> None:
    view = mb.RotatorsView(mb.library.spherical_chain(2), duration=0.2)
    tables = view.page_solver.wanted["tables"]
    assert [item["part"] for item in tables["fills"]] == [f"IPY_MODEL_{view.balance.plot.model_id}"]
    assert not tables["drawn"]
    view.close()


TILTED = {"axis": (0.3, -0.2, 0.9), "pole": (0.02, 0.1, -0.05)}
UPRIGHT = {"axis": (0, 0, 1), "pole": (0.0, 0.0, 0.0)}
MOMENTS: list[tuple[Any, Callable[[Any], Any], dict[str, Any], dict[str, Any]]] = [
    (mb.library.rotor(), lambda model: model.with_values(m=3.5, e=0.01), {}, TILTED),
    (mb.library.rotor(), lambda model: model.with_body(0, com=(0.1, 0.2, 0.0)), {"axes": "world"}, {}),
    (ARM, lambda model: model.with_values(m3=1.25), {"body": "upper", **TILTED}, UPRIGHT),
    (mb.library.spherical_chain(2), lambda model: model.with_body(1, mass=0.75), TILTED, UPRIGHT),
]


@pytest.mark.parametrize(("model", "change", "options", "own"), MOMENTS)
def test_the_program_of_mass_moments_is_true_of_other_values_poles_and_axes(
    model: Any, change: Any, options: dict[str, Any], own: dict[str, Any]
) -> None:
    view = mb.MassMomentsView(model, duration=0.5, **{"vectors": tuple(row[0] for row in ROWS), **options})
    assert_parts_show(view)
    assert_programs_give_the_views_numbers(view, view.motion)
    program = view.page_tables()
    changed = mb.simulate(change(model), duration=0.4)
    assert_programs_give_the_views_numbers(view, changed)
    for name, value in own.items():  # its sliders move numbers of the same program
        setattr(view, name, value)
    moved = view.page_tables()
    assert moved["own"] != program["own"] or not own
    assert moved["program"]["name"] == program["program"]["name"]
    assert_programs_give_the_views_numbers(view, changed)
    view.close()


@pytest.mark.parametrize(("pole", "axis"), [(True, 2), (True, 0), (False, 2), (False, 0)])
def test_the_page_says_of_pole_and_axis_what_python_says(pole: bool, axis: int) -> None:
    view = mb.MassMomentsView(mb.library.rotor(), duration=0.2)
    if pole:
        view.pole = tuple(view.chosen.centre)
    view.axis = tuple(view.chosen.principal[:, axis]) if pole else tuple(np.eye(3)[axis])
    item = next(entry for entry in view.page_tables()["fills"] if entry["part"] == reference_to(view.finding))
    numbers = evaluated(view.page_tables(), view.motion)[:, item["first"] : item["first"] + item["columns"]]
    text = " ".join(balance_sentences().said(list(numbers[0])))
    assert text == view.finding.said()
    assert ("Sn = 0" in text, "Dn = 0" in text) == (view.chosen.static_is_zero, view.chosen.deviation_is_zero)
    view.close()


RELEASES: list[tuple[Any, Callable[[Any], Any], dict[str, Any]]] = [
    (mb.library.hammer_crusher(), lambda model: model.with_values(m=2.0, a=0.3, R=0.5), {}),
    (mb.library.hammer_crusher(), lambda model: model.with_values(M=3.0), {"joint": 0, "coordinates": "joint"}),
    (ARM, lambda model: model.with_values(m3=1.25, l2=0.7), {"joint": "upper", "rows": "all six"}),
    (mb.library.cart_pendulum(), lambda model: model.with_body(1, mass=0.75), {"joint": 0}),
    (mb.library.spherical_chain(2), lambda model: model.with_body(1, mass=0.75), {}),
    (mb.library.four_bar(), lambda model: model.with_values(m=0.75), {"joint": 1}),
]


@pytest.mark.parametrize(("model", "change", "options"), RELEASES)
def test_the_program_of_a_released_joint_is_true_of_other_values_and_gaps(
    model: Any, change: Any, options: dict[str, Any]
) -> None:
    view = mb.ReleaseView(model, duration=0.5, rate=60, **options)
    view.fill_unseen()
    for fill in [item for item in view.page_fills() if item.kind == "values"]:
        shown = np.frombuffer(fill.part.values, dtype=np.float32)
        np.testing.assert_array_equal(shown, np.asarray(fill.values(view.motion), dtype=np.float32).reshape(-1))
    changed = mb.simulate(change(model), duration=0.4, rate=60)
    for motion in (view.motion, changed):
        assert_programs_give_the_views_numbers(view, motion)
    program = view.page_tables()["program"]["name"]
    view.gap = 0.5 * view.gap
    assert view.page_tables()["program"]["name"] == program
    assert_programs_give_the_views_numbers(view, changed)
    view.close()


def test_the_page_says_of_the_methods_what_python_says() -> None:
    view = mb.ReleaseView(duration=0.5)
    (item,) = view.page_tables()["words"]
    numbers = evaluated(view.page_tables(), view.motion)[:, item["first"] : item["first"] + item["columns"]]
    gap, size = np.abs(numbers).max(axis=0)
    assert gap <= 1e-12 * size  # rounding of numbers of some hundred newtons
    assert "● the methods agree" in view.agreement.value
    (words,) = view.page_words()
    assert "▲ the methods differ" in words.text_of([1.0, size])
    view.close()
