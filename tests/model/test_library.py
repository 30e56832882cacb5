"""The ready mechanisms: valid, with sliders, written and read without loss, and conservative."""

from __future__ import annotations

import json

import pytest

from mbwidgets.errors import ModelError
from mbwidgets.model import forces, library
from mbwidgets.model.model import Model

CONSERVATIVE = forces.Spring | forces.JointSpring | forces.ElasticAlignment
DRIVEN = {"andrews_squeezer", "flyball_governor", "hammer_crusher"}


def mechanism(name: str) -> Model:
    model = getattr(library, name)()
    assert isinstance(model, Model)
    return model


def test_names_lists_every_mechanism_that_the_library_promises() -> None:
    promised = {"pendulum", "three_body_arm", "opnchain_manipulator", "rotor", "scara", "six_axis_arm"}
    promised |= {"walking_figure", "gyroscope", "spherical_chain", "cart_pendulum"}
    promised |= {"four_bar", "slider_crank", "n_four_bar", "hammer_crusher", "body_on_circle", "andrews_squeezer"}
    promised |= {"bricard", "flyball_governor"}
    assert promised <= set(library.names())


@pytest.mark.parametrize("name", library.names())
def test_a_mechanism_survives_its_json_form(name: str) -> None:
    model = mechanism(name)
    assert Model.from_dict(json.loads(json.dumps(model.to_dict()))) == model


@pytest.mark.parametrize("name", library.names())
def test_a_mechanism_has_sliders_with_bounds_and_units(name: str) -> None:
    parameters = mechanism(name).parameters.values()
    assert parameters
    for parameter in parameters:
        assert parameter.min < parameter.max
        assert parameter.min <= parameter.value <= parameter.max
        assert parameter.unit


@pytest.mark.parametrize("name", library.names())
def test_a_mechanism_stays_valid_at_the_ends_of_its_sliders(name: str) -> None:
    model = mechanism(name)
    for parameter in model.parameters.values():
        for value in (parameter.min, parameter.max):
            model.with_values(**{parameter.name: value})


@pytest.mark.parametrize("name", library.names())
def test_every_body_can_be_seen_and_no_force_takes_energy(name: str) -> None:
    model = mechanism(name)
    # what has no solid is drawn as a link from its joint to its mass centre
    assert all(body.shape is not None or any(map(model.number, body.com)) for body in model.bodies)
    assert name in DRIVEN or all(isinstance(force, CONSERVATIVE) for force in model.forces)


@pytest.mark.parametrize("name", library.names())
def test_a_mechanism_says_what_it_is(name: str) -> None:
    assert len(getattr(library, name).__doc__) > 60
    assert mechanism(name).name


@pytest.mark.parametrize("n", [1, 2, 7])
def test_a_chain_has_as_many_rods_as_asked_for(n: int) -> None:
    assert library.pendulum(n).nv == n
    assert library.spherical_chain(n).nv == 3 * n


@pytest.mark.parametrize("n", [0, -1, 2.5, True, 10**6])
def test_a_chain_of_no_sensible_length_is_refused(n: int) -> None:
    with pytest.raises(ModelError, match="whole number"):
        library.pendulum(n)


def test_the_manipulator_is_exact() -> None:
    """Multibody Systems Handbook (1990), in the corrected form: fractions stay fractions."""
    model = library.opnchain_manipulator()
    assert [model.number(body.mass) for body in model.bodies] == [0, 250, 0, 150, 100]
    assert all(not isinstance(x, float) for body in model.bodies for row in body.inertia for x in row)
    assert [body.joint.type for body in model.bodies] == [
        "prismatic",
        "revolute",
        "prismatic",
        "revolute",
        "revolute",
    ]


def test_a_held_manipulator_differs_by_its_springs_only() -> None:
    free, held = library.opnchain_manipulator(), library.opnchain_manipulator(held=True)
    assert held.bodies == free.bodies
    assert len(held.forces) == 2
