"""Places in a model: what is written is read back, and the model stays one of real bodies."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mbwidgets as mb
from mbwidgets.model.joints import JOINTS
from mbwidgets.numeric.base.outcome import Result
from mbwidgets.widgets.edit.joint_places import with_kind
from mbwidgets.widgets.edit.place import Place
from mbwidgets.widgets.edit.places import editable_places
from mbwidgets.widgets.edit.unit_vectors import unit_vector_with_component


def table(model: mb.Model, index: int = 1) -> dict[str, Place]:
    return {place.key: place for place in editable_places(model, index, 1.0)}


@pytest.mark.parametrize("name", mb.library.names())
def test_what_is_written_is_read_back(name: str, rng: np.random.Generator) -> None:
    model = getattr(mb.library, name)()
    for index in range(len(model.bodies)):
        for place in editable_places(model, index, 1.0):
            value = place.read(model)
            assert place.low <= value <= place.high, place
            # inertia goes only as far as it is physical
            if place.note or place.key.startswith("inertia"):
                continue
            wanted = value + 0.25 * (place.high - value) * rng.random()
            if place.options:
                wanted = round(wanted)
            try:
                changed = place.write(model, wanted)
            except mb.MbwidgetsError:  # a triangle inequality that another number would break
                continue
            # components of unit vectors are rounded to twelve digits, angles to as many
            near = {"rel": 1e-9, "abs": 1e-9} if place.unit in ("°", "1") else {"rel": 1e-12}
            assert place.read(changed) == pytest.approx(wanted, **near), place.key


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


def test_the_azimuth_is_not_lost_at_a_pole() -> None:
    arm = mb.library.three_body_arm()
    memory: dict[str, float] = {}

    def found(model: mb.Model) -> dict[str, Place]:
        return {place.key: place for place in editable_places(model, 1, 1.0, memory)}

    model = found(arm)["axis 1 0"].write(arm, 40.0)
    model = found(model)["axis 1 1"].write(model, 90.0)
    assert model.body("upper").joint.axis == (0, 0, 1)
    assert found(model)["axis 1 0"].read(model) == pytest.approx(40.0)
    model = found(model)["axis 1 0"].write(model, 70.0)
    assert found(model)["axis 1 0"].read(model) == pytest.approx(70.0)
    model = found(model)["axis 1 1"].write(model, 0.0)
    expected = (math.cos(math.radians(70)), math.sin(math.radians(70)), 0)
    assert [model.number(item) for item in model.body("upper").joint.axis] == pytest.approx(expected, abs=1e-11)


@given(st.lists(st.floats(-1, 1), min_size=3, max_size=3), st.integers(0, 2), st.floats(-1, 1))
def test_a_component_is_set_and_the_vector_stays_of_unit_length(vector: list[float], k: int, value: float) -> None:
    length = math.hypot(*vector)
    if length < 1e-3:
        return
    found = unit_vector_with_component([item / length for item in vector], k, value)
    # twelve digits are kept
    assert found[k] == pytest.approx(value, abs=1e-12)
    assert math.hypot(*found) == pytest.approx(1, abs=1e-11)
    others = [item for place, item in enumerate(vector) if place != k]
    if math.hypot(*others) > 1e-3 and abs(value) < 0.99:
        mine = [item for place, item in enumerate(found) if place != k]
        assert mine[0] * others[1] == pytest.approx(mine[1] * others[0], abs=1e-11)
        assert mine[0] * others[0] >= -1e-11


@pytest.mark.parametrize("name", mb.library.names())
def test_every_joint_can_become_any_other_kind_and_back(name: str) -> None:
    model = getattr(mb.library, name)()
    index = len(model.bodies) - 1
    for number, kind in enumerate(JOINTS):
        changed = table(model, index)[f"kind {index}"].write(model, number)
        assert changed.bodies[index].joint.type == kind
        assert changed.bodies[index].joint.at == model.bodies[index].joint.at
        first = model.q_offsets[index]
        assert list(changed.q0[:first]) == list(model.q0[:first])
        if not changed.constraints:
            assert mb.Dynamics(changed).reactions(changed.q0, changed.u0, np.zeros(changed.nv)).shape[1] == 6
        back = table(changed, index)[f"kind {index}"].write(changed, list(JOINTS).index(model.bodies[index].joint.type))
        assert back.nq == model.nq


# The last joint of each closed mechanism: the kinds with which it does not move, and what it says is in the way.
HELD_OFF = (Result.CONTRADICTORY, "At the start constraint 0 ")
WITHOUT_INERTIA = (Result.SINGULAR, "The constraints leave such a motion free. It is joint 'link 1': nothing")
REFUSED: dict[str, dict[str, tuple[Result, str]]] = {
    # K7 keeps its angle of rest, from which the bar K6 does not reach the pin
    "andrews_squeezer": dict.fromkeys(
        ("prismatic", "fixed"), (Result.CONTRADICTORY, "At the start constraint 2 (point)")
    ),
    # O₁ is held in the middle of the circle, or on its axis: it is R away from it
    "body_on_circle": dict.fromkeys(
        ("revolute", "prismatic", "spherical", "fixed", "cylindrical", "universal"), HELD_OFF
    ),
    # all its points are closed at rest, in whichever way the last rod is held
    "bricard": {},
    # the rocker lies along the base and ends l₃ + l₄ from the crank's pin, where l₁ + l₂ do not reach
    "four_bar": dict.fromkeys(("prismatic", "fixed"), HELD_OFF),
    # a thin rod has no inertia about its own axis
    "n_four_bar": dict.fromkeys(("spherical", "free", "universal"), WITHOUT_INERTIA),
    # the piston stays on the crank's axis, to which a rod of l > r does not bend back
    "slider_crank": dict.fromkeys(("revolute", "spherical", "fixed", "universal"), HELD_OFF),
}


def test_every_closed_mechanism_of_the_library_is_in_the_table() -> None:
    assert set(REFUSED) == {name for name in mb.library.names() if getattr(mb.library, name)().constraints}


@pytest.mark.parametrize("kind", JOINTS)
@pytest.mark.parametrize("name", REFUSED)
def test_a_closed_loop_moves_with_another_kind_of_joint_or_says_what_is_in_the_way(name: str, kind: str) -> None:
    model = getattr(mb.library, name)()
    index = len(model.bodies) - 1
    motion = mb.simulate(with_kind(model, index, kind), duration=0.02)
    result, words = REFUSED[name].get(kind, (Result.COMPLETED, ""))
    assert motion.outcome.result is result, motion.outcome
    assert motion.outcome.details.startswith(words)
    assert motion.reactions(index).shape == (2 if motion.outcome.ok else 1, 6)
    if motion.outcome.ok:
        assert np.isfinite(motion.reactions(index)).all()
        assert motion.constraint_residual.max() < 1e-10


def test_loads_on_a_coordinate_that_is_gone_go_with_it() -> None:
    model = mb.Model(
        [mb.Body("a", mb.Universal("x", "y"), mass=1, com=(0, 0, 1), inertia=(1, 1, 1))],
        forces=[mb.Effort("a", 1), mb.Effort("a", 2, coordinate=1), mb.JointSpring("a", 3)],
    )
    revolute = with_kind(model, 0, "revolute")
    assert [force.type for force in revolute.forces] == ["effort", "joint_spring"]
    assert with_kind(model, 0, "fixed").forces == ()
    assert mb.simulate(with_kind(model, 0, "spherical"), duration=0.1).outcome


def test_an_effort_is_added_changed_and_taken_away() -> None:
    arm = mb.library.three_body_arm()
    driven = table(arm)["effort 1 0"].write(arm, 12.5)
    assert driven.forces == (mb.Effort("upper", 12.5),)
    again = table(driven)["effort 1 0"].write(driven, -3.0)
    assert table(again)["effort 1 0"].read(again) == -3.0
    assert table(again)["effort 1 0"].write(again, 0.0) == arm
    timed = arm.replace(forces=[mb.Effort("upper", "3*t")])
    assert table(timed)["effort 1 0"].note == "follows from 3*t"


def test_a_quaternion_stays_of_unit_length() -> None:
    chain = mb.library.spherical_chain(2)
    at = chain.q_offsets[1]
    moved = table(chain)[f"q {at}"].write(chain, 0.6)
    found = [moved.number(item) for item in moved.q0[at : at + 4]]
    assert found[0] == pytest.approx(0.6)
    assert math.hypot(*found) == pytest.approx(1, abs=1e-11)


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
