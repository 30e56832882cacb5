"""Places in a model: what is written is read back, and the model stays one of real bodies."""

from __future__ import annotations

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.widgets.places import Place, places


def table(model: mb.Model, index: int = 1) -> dict[str, Place]:
    return {place.key: place for place in places(model, index, 1.0)}


@pytest.mark.parametrize("name", mb.library.names())
def test_what_is_written_is_read_back(name: str, rng: np.random.Generator) -> None:
    model = getattr(mb.library, name)()
    for index in range(len(model.bodies)):
        for place in places(model, index, 1.0):
            value = place.read(model)
            assert place.low <= value <= place.high, place
            # elevation ±90° has no azimuth, and inertia goes only as far as it is physical
            if place.note or place.key.startswith(("axis", "inertia")):
                continue
            wanted = value + 0.25 * (place.high - value) * rng.random()
            try:
                changed = place.write(model, wanted)
            except mb.MbwidgetsError:  # a triangle inequality that another number would break
                continue
            assert place.read(changed) == pytest.approx(wanted, rel=1e-12), place.key


def test_an_axis_stays_a_unit_vector_and_exact_axes_stay_exact() -> None:
    arm = mb.library.three_body_arm()
    turned = table(arm)["axis 1 0"].write(arm, 90)
    assert turned.body("upper").joint.axis == (0, 1, 0)
    for azimuth in (-170.0, 12.3, 77.7):
        for elevation in (-80.0, 0.0, 45.0):
            model = table(arm)["axis 1 1"].write(table(arm)["axis 1 0"].write(arm, azimuth), elevation)
            axis = [model.number(item) for item in model.body("upper").joint.axis]
            assert np.linalg.norm(axis) == pytest.approx(1, abs=1e-15)
            found = table(model)
            assert found["axis 1 0"].read(model) == pytest.approx(azimuth, abs=1e-9)
            assert found["axis 1 1"].read(model) == pytest.approx(elevation, abs=1e-9)


def test_inertia_goes_as_far_as_it_is_physical_and_no_further(rng: np.random.Generator) -> None:
    arm = mb.library.three_body_arm()
    for key in ("inertia 1 00", "inertia 1 11", "inertia 1 22", "inertia 1 01", "inertia 1 02", "inertia 1 12"):
        for wanted in (-5.0, 0.0, 0.05, 5.0):
            model = table(arm)[key].write(arm, wanted)
            tensor = np.array([[model.number(item) for item in row] for row in model.body("upper").inertia])
            planar = 0.5 * np.trace(tensor) * np.eye(3) - tensor
            assert np.linalg.eigvalsh(planar)[0] > 0
            assert mb.simulate(model, duration=0.05).outcome


def test_a_number_that_is_a_parameter_moves_the_parameter() -> None:
    arm = mb.library.three_body_arm()
    place = table(arm)["mass 1"]
    assert place.title == "m = m2"
    assert place.write(arm, 7.0) == arm.with_values(m2=7.0)


def test_an_expression_of_several_parameters_stays_put_and_says_why() -> None:
    figure = mb.library.walking_figure()
    place = table(figure, 0)["mass 0"]
    assert place.note.startswith("follows from ")


def test_the_start_can_be_moved_where_the_model_gives_none() -> None:
    model = mb.Model([mb.Body("a", mass=1, com=(1, 0, 0), inertia=(1, 1, 1))])
    moved = table(model, 0)["u 0"].write(table(model, 0)["q 0"].write(model, 0.5), -2.0)
    assert (moved.q0[0], moved.u0[0]) == (0.5, -2.0)
