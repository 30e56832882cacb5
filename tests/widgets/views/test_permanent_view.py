"""`PermanentRotationsView` without a page: what it shows against what the core says, its changes, its life."""

from __future__ import annotations

import gc

import numpy as np
import pytest
from ipywidgets.widgets.widget import _instances

import mbwidgets as mb
from mbwidgets.numeric.permanent.rotation_states import axis_errors, rotation_of


@pytest.fixture
def view():
    made = mb.PermanentRotationsView(duration=4)
    yield made
    made.close()


def away(view: mb.PermanentRotationsView) -> np.ndarray:
    """The curves of the page, (frames, curves), degrees."""
    values = np.frombuffer(view.plot.values, dtype=np.float32)
    return values.reshape(len(view.motion), -1)


def test_the_first_rotation_is_permanent_and_all_conditions_have_their_tick(view: mb.PermanentRotationsView) -> None:
    core = mb.permanent(view.model, view.rotation.omega)
    assert core.holds
    assert "✓</span>" in view.verdict
    assert ">permanent<" in view.verdict
    assert view.checklist.count(">✓<") == len(core.conditions) == 3
    assert ">✗<" not in view.checklist
    assert not away(view).any()


def test_the_augmented_bodies_are_told_with_their_masses(view: mb.PermanentRotationsView) -> None:
    core = mb.augmented(view.model)
    for body, carried, place in zip(view.model.bodies, core.mass, core.barycentre, strict=True):
        mass = view.model.number(body.mass) + float(carried.evaluate())
        numbers = ", ".join(f"{float(item):.4g}".replace("-", "−") for item in place.evaluate())
        assert f"{body.name}</th>" in view._bodies.value
        assert f">{mass:.4g}</td>" in view._bodies.value
        assert f">({numbers})</td>" in view._bodies.value


@pytest.mark.parametrize("axis", [(0.1, 0.5, 0.5), (0.1, 0.9, -0.3), (0.3, 0.2, -1), (-0.9, -0.3, 0.3)])
def test_a_dragged_axis_snaps_to_the_cone_and_its_handle_shows_it(
    view: mb.PermanentRotationsView, axis: tuple[float, ...]
) -> None:
    basis = np.array(view.map.basis)
    view.map.edit = {"axis": [float(x) for x in basis @ axis], "number": 1}
    spot = mb.staude_cone(view.model).nearest(axis)
    shown = basis.T @ view.map.handle["spot"]
    np.testing.assert_allclose(shown, spot.axis, atol=1e-9)
    assert view.map.handle["speed"] == pytest.approx(spot.speed, rel=1e-9)
    assert view.rotation.holds
    assert view.motion.model is view.model


def test_an_axis_off_the_cone_says_which_condition_fails_and_by_how_much(view: mb.PermanentRotationsView) -> None:
    view.snap = False
    view.turn_to((0, 0, -1))
    (failure,) = mb.permanent(view.model, view.rotation.omega).failures
    assert failure.name == "iv"
    assert "✗</span>" in view.verdict
    assert ">not permanent<" in view.verdict
    assert f"{failure.amount:.3g} N m" in view.checklist
    assert "nothing to be near to" in view.lasting
    residual = np.frombuffer(view.residual.values, dtype=np.float32).reshape(len(view.motion), -1)
    expected = view.rotation.residual(view.motion.t).reshape(len(view.motion), -1)
    np.testing.assert_allclose(residual, expected, rtol=1e-5, atol=1e-7)
    view.snap = True
    assert view.rotation.holds


def test_perturbed_a_stable_rotation_stays_and_an_unstable_one_leaves(view: mb.PermanentRotationsView) -> None:
    view.perturbation = 1.0
    assert away(view)[0, 0] == pytest.approx(1.0, rel=1e-5)
    assert away(view)[:, 0].max() < 3.0
    view.turn_to((0.1, 0.5, 0.5))
    assert view.perturbation == 1.0
    assert f"λ = {view.rotation.growth:.4g} 1/s" in view.lasting
    assert "unstable" in view.lasting
    assert away(view)[:, 0].max() > 45.0
    assert view.plot.names == ["plate", "rotor", "1° e^(λt)"]
    early = view.motion.t < 0.3
    np.testing.assert_allclose(away(view)[early, 2], np.exp(view.rotation.growth * view.motion.t[early]), rtol=1e-5)
    view.perturbation = 0.0
    assert axis_errors(view.rotation, view.motion)[:60].max() < 1e-6


def test_the_cone_on_the_map_is_that_of_the_core(view: mb.PermanentRotationsView) -> None:
    cone = mb.staude_cone(view.model)
    basis = np.array(view.map.basis)
    assert len(view.map.curves) == len(cone.arcs) == 4
    for curve in view.map.curves:
        for point, speed in zip(curve["points"], curve["speeds"], strict=True):
            axis = basis.T @ point
            # six digits go to the page
            assert abs(cone.cone(axis)) < 1e-6
            if 1.0 < speed < 30.0:
                assert cone.square_speed(axis) == pytest.approx(speed**2, rel=1e-3)


def test_a_slider_of_a_body_moves_the_cone_and_the_rotation_follows(view: mb.PermanentRotationsView) -> None:
    before = view.map.curves
    view.controls.edit = {"key": "parameter m2", "value": 2.5, "number": 1}
    assert view.model.values["m2"] == 2.5
    assert view.map.curves != before
    assert view.rotation.holds
    view.undo()
    assert view.map.curves == before


def test_the_speed_of_the_first_body_leaves_the_cone_and_that_of_the_rotor_does_not(
    view: mb.PermanentRotationsView,
) -> None:
    view.speeds.edit = {"key": "speed 1", "value": -7.0, "number": 1}
    assert view.rotation.holds
    assert view.snap
    assert view.rotation.omega[1] == pytest.approx(-7.0)
    view.speeds.edit = {"key": "speed 0", "value": 5.0, "number": 2}
    assert not view.snap
    assert not view.rotation.holds
    np.testing.assert_allclose(view.rotation.omega, [5.0, -7.0])
    view.snap = True
    assert view.rotation.holds


def test_a_point_of_the_branches_becomes_the_rotation(view: mb.PermanentRotationsView) -> None:
    view.tabs.selected_index = 2
    assert len(view.diagram.series) == 4
    speed, tilt = view.diagram.series[2]["points"][20]
    view.diagram.edit = {"key": 2, "index": 20, "number": 1}
    assert view.rotation.holds
    assert view.rotation.omega[0] == pytest.approx(speed, abs=1e-4)
    assert view.diagram.marks[0][:2] == [pytest.approx(speed, abs=1e-4), pytest.approx(tilt, abs=1e-3)]
    view.diagram.edit = {"key": 99, "index": 0, "number": 2}
    assert view.rotation.omega[0] == pytest.approx(speed, abs=1e-4)


def test_a_chain_that_turns_as_one_snaps_to_its_equilibrium_and_shows_its_branches() -> None:
    model = mb.library.spherical_chain(2).with_values(omega=5.0, tilt=1.2)
    view = mb.PermanentRotationsView(model, duration=2)
    assert view.rotation.holds
    assert not view.cone.group.visible
    view.tabs.selected_index = 2
    core = mb.branch_diagram(model, 0.0, 12.0)
    assert view.diagram.critical == pytest.approx(core.critical)
    wanted = next(item for item in core.at(5.0) if item.tilt.min() > 0.1)
    assert [mark[1] for mark in view.diagram.marks] == pytest.approx(np.degrees(wanted.tilt), abs=1e-6)
    view.speeds.edit = {"key": "speed of all", "value": 3.5, "number": 1}
    assert view.rotation.holds
    np.testing.assert_allclose(view.rotation.omega, 3.5)
    view.close()


def test_what_is_no_chain_on_balls_is_refused_and_leaves_nothing() -> None:
    gc.collect()
    before = set(_instances)
    with pytest.raises(mb.ModelError, match="spherical"):
        mb.PermanentRotationsView(mb.library.three_body_arm())
    assert set(_instances) - before == set()


def test_reset_comes_back_to_the_first_rotation(view: mb.PermanentRotationsView) -> None:
    first = rotation_of(view.model).turns
    view.turn_to((1, 0.2, 0))
    assert np.abs(view.rotation.turns - first).max() > 0.1
    view.reset()
    np.testing.assert_allclose(view.rotation.turns, first)


def test_nonsense_from_the_page_changes_nothing(view: mb.PermanentRotationsView) -> None:
    model = view.model
    for number, axis in enumerate((None, "x", [0, 0, 0], [1, 2], [float("nan")] * 3)):
        view.map.edit = {"axis": axis, "number": number}
    view.diagram.edit = {"key": "0", "index": None}
    view.speeds.edit = {"key": "speed 7", "value": 3.0}
    assert view.model is model


def test_closing_a_perturbed_view_frees_everything() -> None:
    gc.collect()
    before = set(_instances)
    view = mb.PermanentRotationsView(duration=1)
    view.perturbation = 2.0
    view.close()
    assert set(_instances) - before == set()
