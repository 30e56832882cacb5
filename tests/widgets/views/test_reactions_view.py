"""The view of joint reactions without a browser: its numbers are the core's, and it stays alive."""

from __future__ import annotations

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.widgets.parts.ledger import Ledger
from mbwidgets.widgets.views.reaction_parts import PARTS, reaction_rows_and_arrows

ARM = mb.library.three_body_arm()


@pytest.fixture
def view():
    made = mb.ReactionsView(ARM, joint="upper", duration=2.0)
    yield made
    made.close()


def numbers(table: Ledger, key: str) -> np.ndarray:
    """The row of a table over the frames."""
    return table.array()[:, [row["key"] for row in table.rows].index(key)]


def test_the_parts_are_those_of_the_motion_and_add_up(view: mb.ReactionsView) -> None:
    parts = mb.simulate(ARM, duration=2.0).reaction_parts("upper")
    wanted = {
        "static force": parts.static[:, :3],
        "kinetic force": parts.kinetic[:, :3],
        "pressure": -parts.kinetic[:, :3],
        "force": parts.total[:, :3],
        "static reaction moment": parts.static[:, 3:],
        "kinetic moment": parts.kinetic[:, 3:],
        "pressure moment": -parts.kinetic[:, 3:],
        "moment": parts.total[:, 3:],
    }
    for key, value in wanted.items():
        shown = numbers(view.parts, key)
        size = np.abs(value).max()
        np.testing.assert_allclose(shown[:, :3], value, atol=1e-6 * size)  # the page has single precision
        np.testing.assert_allclose(shown[:, 3], np.linalg.norm(value, axis=1), atol=1e-6 * size)
    total = numbers(view.parts, "static force") + numbers(view.parts, "kinetic force")
    np.testing.assert_allclose(total[:, :3], numbers(view.parts, "force")[:, :3], atol=1e-3)


def test_both_methods_and_the_kernel_stand_side_by_side(view: mb.ReactionsView) -> None:
    motion = mb.simulate(ARM, duration=2.0)
    table = view.methods.array()
    reaction = motion.reactions("upper")
    for column in (0, 1, 3):
        np.testing.assert_allclose(table[:, :, column], reaction, rtol=1e-6, atol=1e-5)
    # both differences are round-off; another pause of the integrator rounds otherwise
    round_off = 1e-12 * np.abs(reaction).max()
    np.testing.assert_allclose(table[:, :, 2], motion.method_residual("upper"), atol=round_off)
    assert np.abs(table[:, :, 2]).max() < round_off
    assert "the methods agree" in view.agreement.value


def test_loads_count_in_both_methods() -> None:
    load = mb.Force("fore", (0, 0, -30.0), at=(0.3, 0, 0))
    view = mb.ReactionsView(ARM.replace(forces=[load]), joint="base", duration=0.5)
    assert np.abs(numbers(view.parts, "applied force")).max() == pytest.approx(30, rel=1e-6)
    gap = view.methods.array()[:, :, [2, 4]]
    assert np.abs(gap).max() < 1e-11 * np.abs(view.methods.array()[:, :, 0]).max()
    view.close()


def test_in_a_closed_loop_the_constraints_are_a_part() -> None:
    view = mb.ReactionsView(mb.library.four_bar(), joint="crank", duration=0.5)
    names = ("static force", "kinetic force", "constraint force")
    total = sum(numbers(view.parts, name)[:, :3] for name in names)
    np.testing.assert_allclose(total, view.motion.reactions("crank")[:, :3], rtol=1e-4, atol=1e-3)
    assert np.abs(numbers(view.parts, "constraint force")).max() > 1
    assert "one method only" in view.agreement.value
    view.close()


def test_moments_about_the_point_that_slides_with_the_body() -> None:
    """M* = M − ξ q e × F"""
    model = mb.library.opnchain_manipulator()
    view = mb.ReactionsView(model, joint=2, duration=1.0, vectors=("force", "moment"))
    motion, q = view.motion, view.motion.q[:, 2, None]
    about_O = numbers(view.parts, "moment")[:, :3].copy()
    view.pole = "O*"
    axis = motion.rotations[:, 1] @ np.array([0.0, 1.0, 0.0])
    wanted = about_O - q * np.cross(axis, motion.reactions(2)[:, :3])
    assert np.abs(wanted - about_O).max() > 1
    np.testing.assert_allclose(numbers(view.parts, "moment")[:, :3], wanted, atol=1e-4 * np.abs(wanted).max())
    np.testing.assert_allclose(view.methods.array()[:, 3:, 0], wanted, atol=1e-4 * np.abs(wanted).max())
    begin = np.frombuffer(view.picture.player.vectors, np.float32).reshape(len(motion), 2, 6)[:, :, :3]
    np.testing.assert_allclose(begin, np.repeat(motion.poses[0][:, 2:3], 2, axis=1), atol=1e-5)
    assert view._pole.layout.display is None
    view.selected = model.bodies[1].name
    assert view._pole.layout.display == "none"
    view.close()


def test_arrows_are_those_ticked(view: mb.ReactionsView) -> None:
    assert set(view.picture.player.quantities) == {"axis", "force", "static force", "kinetic force"}
    view.parts.chosen = ["moment"]
    assert view.vectors == ("moment",)
    assert list(view.picture.player.quantities) == ["moment"]
    vectors = np.frombuffer(view.picture.player.vectors, dtype=np.float32).reshape(-1, 1, 6)
    np.testing.assert_allclose(vectors[:, 0, 3:], view.motion.reactions("upper")[:, 3:], rtol=1e-5, atol=1e-5)


def test_force_arrows_share_one_scale(view: mb.ReactionsView) -> None:
    scales = view.picture.scales
    assert scales["force"] == scales["static force"] == scales["kinetic force"] > 0


def test_the_spectrum_marks_the_eigenfrequency_of_the_shaft(view: mb.ReactionsView) -> None:
    view.tabs.selected_index = 2
    found = view.motion.pressure_spectrum("upper", stiffness=view.stiffness)
    y = np.frombuffer(view.spectrum.y, dtype=np.float32)
    np.testing.assert_allclose(y, found.force, rtol=1e-5, atol=1e-5)
    assert view.spectrum.marks[0]["at"] == pytest.approx(np.sqrt(5000 / 8) / (2 * np.pi))
    view.stiffness = 20000.0
    assert view.spectrum.marks[0]["at"] == pytest.approx(np.sqrt(20000 / 8) / (2 * np.pi))


def test_a_slider_changes_the_model_or_the_view(view: mb.ReactionsView) -> None:
    view.controls.edit = {"key": "parameter m2", "value": 9.0, "number": 1}
    assert view.model.values["m2"] == 9
    reaction = mb.simulate(ARM.with_values(m2=9), duration=2.0).reactions("upper")
    np.testing.assert_allclose(view.methods.array()[:, :, 3], reaction, rtol=1e-6, atol=1e-5)
    view.controls.edit = {"key": "stiffness", "value": 700.0, "number": 2}
    assert view.stiffness == 700
    assert view.model.values["m2"] == 9


@pytest.mark.parametrize("bad", [0.0, -3.0, float("nan"), float("inf")])
def test_a_stiffness_that_is_none_is_refused(view: mb.ReactionsView, bad: float) -> None:
    with pytest.raises(mb.ModelError, match="stiffness"):
        view.stiffness = bad
    assert view.stiffness == 5000


def test_a_ball_joint_has_the_kernel_and_says_why_no_more() -> None:
    view = mb.ReactionsView(mb.library.spinning_top(), duration=0.5)
    assert "one method only" in view.agreement.value
    assert np.isnan(view.methods.array()[:, :, 0]).all()
    np.testing.assert_allclose(view.methods.array()[:, :, 3], view.motion.reactions(0), rtol=1e-5, atol=1e-5)
    for tab in range(4):
        view.tabs.selected_index = tab
    view.close()


def test_every_tab_of_every_mechanism_can_be_shown() -> None:
    view = mb.ReactionsView(duration=0.5)
    for name in mb.library.names():
        view.model = getattr(mb.library, name)()
        assert view.motion.model is view.model, name
        for tab in range(4):
            view.tabs.selected_index = tab
    view.close()


@pytest.mark.parametrize("name", ["four_bar", "body_on_circle", "spinning_top", "three_body_arm"])
def test_its_formulae_begin_with_one_that_the_mechanism_has(name: str) -> None:
    view = mb.ReactionsView(getattr(mb.library, name)(), duration=0.2)
    view.tabs.selected_index = 3
    assert view.formulae.kind.startswith("reaction force")
    assert "&=" in view.formulae.text
    assert "mbw-trouble" not in view.formulae.text
    view.close()


@pytest.mark.parametrize("half", ["force", "moment"])
def test_the_parts_of_a_reaction_are_laid_tip_to_tail_and_end_where_it_does(half: str) -> None:
    view = mb.ReactionsView(mb.library.scara(), joint="outer link", duration=0.5)
    parts = [PARTS[half][name] for name in ("static", "kinetic", "applied") if name in PARTS[half]]
    found = {row.key: arrow for row, arrow in reaction_rows_and_arrows(view.motion, view.index)}
    shown = [found[key] for key in parts if key in found]
    whole = found[PARTS[half]["reaction"]]
    reached = np.zeros_like(whole.value)
    for arrow in shown:
        np.testing.assert_array_equal(np.zeros_like(reached) if arrow.offset is None else arrow.offset, reached)
        reached = reached + arrow.value
    np.testing.assert_allclose(reached, whole.value, atol=1e-9 * np.abs(whole.value).max())
    # one that is not drawn leaves no gap
    alone = {row.key: arrow for row, arrow in reaction_rows_and_arrows(view.motion, view.index, "O", parts[1:2])}
    assert alone[parts[1]].offset is None
    view.close()
