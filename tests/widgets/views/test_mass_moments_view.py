"""The view of mass moments without a browser: its vectors are the exact ones, pole and axis move them."""

from __future__ import annotations

import numpy as np
import pytest

import mbwidgets as mb
from tests.widgets.views.test_reactions_view import numbers

NAMES = {"static": "static", "inertia": "inertia", "deviation": "deviation", "mass": "mass"}


@pytest.fixture
def view():
    made = mb.MassMomentsView(duration=1.0)
    yield made
    made.close()


def test_the_rotor_has_the_moments_computed_by_hand(view: mb.MassMomentsView) -> None:
    np.testing.assert_allclose(numbers(view.table, "static")[0], [0, 0.2, 0, 0.2], atol=1e-7)
    np.testing.assert_allclose(numbers(view.table, "deviation")[0], [-0.04, 0, 0, 0.04], atol=1e-7)
    np.testing.assert_allclose(numbers(view.table, "axial")[0], [0, 0, 0.104, 0.104], atol=1e-7)


@pytest.mark.parametrize("axes", ["body", "world"])
def test_any_pole_and_axis_give_the_exact_vectors(
    view: mb.MassMomentsView, rng: np.random.Generator, axes: str
) -> None:
    view.axes = axes
    for _ in range(3):
        view.axis, view.pole = tuple(rng.normal(size=3)), tuple(rng.normal(size=3))
        exact = mb.mass_moments(view.model, "rotor", view.axis, view.pole, axes=axes)
        for key, name in NAMES.items():
            shown = numbers(view.table, key)[30, :3]
            wanted = getattr(exact, name).evaluate(q=view.motion.q[30])
            np.testing.assert_allclose(shown, wanted, atol=2e-6 * np.abs(wanted).max())


def test_the_first_arrows_stand_apart_and_the_tips_on_one_line_too(view: mb.MassMomentsView) -> None:
    drawn = {arrow.key: arrow for arrow in view.picture.composition.arrows}
    assert list(drawn) == ["n", "static", "inertia", "axial", "deviation", "beside J n", "beside D"]
    tips = {key: arrow.begin[0] + arrow.scale * arrow.value[0] for key, arrow in drawn.items()}
    apart = ("n", "static", "inertia", "deviation")
    ways = [drawn[key].value[0] / np.linalg.norm(drawn[key].value[0]) for key in apart]
    angles = [np.degrees(np.arccos(a @ b)) for k, a in enumerate(ways) for b in ways[:k]]
    assert min(angles) > 15  # 𝔍 is 21° off n: so wide an angle parts letters at the tips
    radius = view.picture.stage.radius
    lengths = [np.linalg.norm(tips[key] - drawn[key].begin[0]) for key in apart]
    assert min(lengths) > 0.4 * radius
    assert np.linalg.norm(tips["n"] - tips["axial"]) > 0.1 * radius  # J n lies on n: their letters stand apart


def test_dashes_close_the_rectangle_of_the_inertia_moment(view: mb.MassMomentsView, rng: np.random.Generator) -> None:
    for _ in range(5):
        view.axis, view.pole = tuple(rng.normal(size=3)), tuple(0.1 * rng.normal(size=3))
        drawn = {arrow.key: arrow for arrow in view.picture.composition.arrows}
        tips = {key: arrow.begin + arrow.scale * arrow.value for key, arrow in drawn.items()}
        size = np.abs(tips["inertia"]).max()
        for side, start in (("beside J n", "deviation"), ("beside D", "axial")):
            np.testing.assert_allclose(drawn[side].begin, tips[start], atol=1e-12 * size)
            np.testing.assert_allclose(tips[side], tips["inertia"], atol=1e-12 * size)
        whole, axial, across = view.split.array()[0]
        exact = mb.mass_moments(view.model, "rotor", view.axis, view.pole, axes="body")
        n = np.array(view.axis)
        inertia = np.array(exact.inertia.evaluate(q=view.motion.q[0]), dtype=float).ravel()
        # the picture has single precision
        np.testing.assert_allclose(whole, axial + across, atol=1e-6 * np.abs(whole).max())
        np.testing.assert_allclose(axial, (0, inertia @ n, 0), rtol=1e-6)
        np.testing.assert_allclose(np.linalg.norm(whole), np.linalg.norm(inertia), rtol=1e-6)
    view.vectors = ("n", "inertia", "axial")
    assert [arrow.key for arrow in view.picture.composition.arrows] == ["n", "inertia", "axial"]


def test_buttons_put_the_pole_at_the_mass_centre_and_n_along_a_principal_axis(view: mb.MassMomentsView) -> None:
    buttons = {
        button.description: button
        for row in view.children[1].children[1].children
        for button in getattr(row, "children", ())
        if hasattr(button, "click")
    }
    buttons["at C"].click()
    assert view.pole == pytest.approx((0.02, 0, 0.05))
    assert "Sn = 0" in view.finding.said()
    for name in ("principal 1", "principal 2", "principal 3"):
        buttons[name].click()
        assert "Dn = 0" in view.finding.said(), name
        tensor = view.chosen.tensor
        np.testing.assert_allclose(np.cross(tensor @ view.axis, view.axis), 0, atol=1e-11)
    buttons["joint"].click()
    assert view.axis == (0, 0, 1)
    assert "Dn ≠ 0" in view.finding.said()


def test_sliders_turn_n_and_shift_the_pole(view: mb.MassMomentsView) -> None:
    view.controls.edit = {"key": "elevation", "value": 30.0, "number": 1}
    view.controls.edit = {"key": "azimuth", "value": 90.0, "number": 2}
    assert view.axis == pytest.approx((0, np.sqrt(3) / 2, 0.5))
    view.controls.edit = {"key": "pole y", "value": 0.25, "number": 3}
    assert view.pole == (0, 0.25, 0)
    assert not view.history.can_undo, "the model did not change"


def test_a_double_click_puts_the_pole_under_the_pointer(view: mb.MassMomentsView) -> None:
    view.time = 0.5
    frame = view.motion.index(0.5)
    place = np.array([0.05, 0.02, 0.08])
    world = view.motion.poses[0][frame, 0] + view.motion.rotations[frame, 0] @ place
    picker = view.picture.stage.picker
    picker.object = view.picture.bodies[0].meshes[0]
    # a click is told in the axes of the picture, which is turned so that gravity points down
    picker.point = tuple(view.picture.stage.setting.upright @ world)
    assert view.pole == pytest.approx(tuple(place), abs=1e-6)


def test_j_is_stationary_where_d_vanishes(view: mb.MassMomentsView) -> None:
    angles = np.linspace(-90, 90, 3601)
    axial, size = view.chosen.turned(angles).T
    least = size[1:-1].argmin() + 1
    slope = np.gradient(axial, np.radians(angles))
    assert abs(slope[least]) < 5e-4
    # dJ/dα = 2 D·d: the slope is twice the signed deviation
    np.testing.assert_allclose(np.abs(slope[1:-1]), 2 * size[1:-1], atol=2e-6)


@pytest.mark.parametrize("bad", [(0, 0, 0), (1, 2), (np.nan, 0, 1)])
def test_an_axis_that_is_none_is_refused(view: mb.MassMomentsView, bad: tuple) -> None:
    with pytest.raises(mb.ModelError, match="axis"):
        view.axis = bad
    assert view.axis == (0, 0, 1)


def test_another_body_has_its_own_axis(view: mb.MassMomentsView) -> None:
    view.model = mb.library.three_body_arm()
    view.pole = (0.1, 0, 0)
    view.selected = "upper"
    assert view.axis == (1, 0, 0)
    assert view.pole == (0, 0, 0)
    exact = mb.mass_moments(view.model, "upper", "upper", axes="body")
    np.testing.assert_allclose(numbers(view.table, "static")[0, :3], exact.static.evaluate(), atol=1e-6)


def test_every_mechanism_can_be_shown(view: mb.MassMomentsView) -> None:
    view.duration = 0.1
    for name in mb.library.names():
        view.model = getattr(mb.library, name)()
        assert view.motion.model is view.model, name
        for tab in range(2):
            view.tabs.selected_index = tab
