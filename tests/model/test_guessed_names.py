"""Names that people guess: the ground, joints by their own names, fields as they are called elsewhere."""

from __future__ import annotations

from typing import Any

import pytest

import mbwidgets as mb


def test_ground_is_the_ground_where_no_body_has_that_name() -> None:
    rod = mb.Body("rod", mb.Revolute("y"), mass=1, com=(0, 0, -1), parent="ground")
    spring = mb.Spring(("rod", (0, 0, -1)), ("ground", (1, 0, 0)), stiffness=2)
    pin = mb.PointConstraint(("rod", (0, 0, -1)), ("ground", (0, 0, -1)))
    model = mb.Model([rod], forces=[spring], constraints=[pin])
    assert model == mb.Model(
        [rod.replace(parent=None)],
        forces=[mb.Spring(("rod", (0, 0, -1)), (None, (1, 0, 0)), stiffness=2)],
        constraints=[mb.PointConstraint(("rod", (0, 0, -1)), (None, (0, 0, -1)))],
    )
    named = mb.Model([mb.Body("ground", mass=1), mb.Body("a", parent="ground", mass=1)])
    assert named.parents == (-1, 0)
    assert mb.Model.from_dict(named.to_dict()) == named


def test_a_joint_is_known_by_its_own_name_too() -> None:
    joint = mb.Revolute("y", name="shoulder", max_effort=10, max_speed="5/2")
    model = mb.Model([mb.Body("upper", joint, mass=1, com=(0, 0, -1))])
    assert model.index("shoulder") == model.index("upper") == 0
    assert mb.simulate(model, duration=0.1).reactions("shoulder").shape == (7, 6)
    again = mb.Model.from_dict(model.to_dict())
    assert again == model
    assert again.body(0).joint.max_effort == 10
    with pytest.raises(mb.ModelError, match="max_effort: -1 is negative"):
        mb.Revolute("y", max_effort=-1)


def test_two_names_that_mean_two_joints_are_refused() -> None:
    def body(name: str, joint: str) -> mb.Body:
        return mb.Body(name, mb.Revolute("y", name=joint), mass=1, com=(0, 0, -1))

    with pytest.raises(mb.ModelError, match="'hip' is the name of two joints"):
        mb.Model([body("a", "hip"), body("b", "hip")])
    with pytest.raises(mb.ModelError, match="'a' names a joint and another body"):
        mb.Model([body("a", "knee"), body("b", "a")])
    assert mb.Model([body("a", "a")]).index("a") == 0


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: mb.Spring(("a",), (None,), stiffness=1, rest=2), "Spring: no field 'rest'; say 'length'"),
        (lambda: mb.JointSpring("a", stiffness=1, length=2), "JointSpring: no field 'length'; say 'rest'"),
        (lambda: mb.Revolute("z", position=(0, 0, 1)), "Revolute: no field 'position'; say 'at'"),
        (lambda: mb.Body("a", m=1), "Body: no field 'm'; say 'mass'"),
        (lambda: mb.Body("a", mas=1), "did you mean 'mass'"),
    ],
)
def test_a_field_by_another_name_is_answered_with_its_own(make: Any, told: str) -> None:
    with pytest.raises(mb.ModelError, match=told):
        make()


def test_a_parameter_is_changed_by_name() -> None:
    model = mb.library.pendulum(1).with_parameter("l", max=30, value=25)
    assert (model.values["l"], model.parameters["l"].max, model.parameters["l"].unit) == (25, 30, "m")
    assert list(model.parameters) == list(mb.library.pendulum(1).parameters)
    with pytest.raises(mb.UnknownNameError, match="no parameter"):
        model.with_parameter("length", max=2)
    with pytest.raises(mb.ModelError, match="a parameter has no 'maximum'; did you mean 'max'"):
        model.with_parameter("l", maximum=2)


def test_printing_a_result_never_floods_the_screen() -> None:
    motion = mb.simulate(mb.library.four_bar(), duration=2)
    dynamics, q, u = mb.Dynamics(motion.model), motion.q[0], motion.u[0]
    for result in (
        motion.constraint_forces,
        motion.reaction_parts(0),
        motion.point(0),
        motion.mass_moments(0),
        motion.closure,
        motion.assembly,
        dynamics.constraints(q, u),
        dynamics.frame(q, u, u, 0),
        mb.linearise(motion.model),
        motion,
        motion.energy,
        motion.bearings(0, -1, 1),
        motion.release(0),
    ):
        assert len(repr(result)) < 1000


def test_slips_of_a_first_day_are_answered_with_what_is_meant() -> None:
    motion = mb.simulate(mb.library.pendulum(1), duration=0.1)
    for call, told in [
        (lambda: mb.linearize, "did you mean 'linearise'"),
        (lambda: mb.Explorer(motion), r"not a Model; give its \.model"),
        (lambda: motion.maximum("force(rod 1)"), r"write force\[rod\]"),
        (lambda: motion.maximum("torque[rod 1]"), "'drive' of what drives a joint, 'moment'"),
        (lambda: mb.simulate(motion.model, events=["q[0] < 1"]), "what crosses zero"),
        (lambda: mb.Effort("rod 1", "t^2"), r"write \*\* for a power"),
    ]:
        with pytest.raises((mb.MbwidgetsError, AttributeError), match=told):
            call()


def test_the_force_of_one_bearing_is_a_signal() -> None:
    rotor = mb.simulate(mb.library.rotor(), duration=2, rate=200)
    found = rotor.bearings(0, -0.2, 0.3)
    assert (rotor.signal(("bearing", 0, -0.2, 0.3)) == found.a).all()
    assert (rotor.signal(("bearing", 0, 0.3, -0.2)) == found.b).all()
    assert rotor.spectrum(("bearing", 0, -0.2, 0.3)).amplitude.max() > 0
    for text, pair in (
        ("bearing[rotor, -0.2, 0.3]", ("bearing", 0, -0.2, 0.3)),
        ("moment[rotor, O*, body]", ("moment", 0, "O*", "body")),
        ("force[rotor, (0, 0, 1), body]", ("force", 0, (0, 0, 1), "body")),
        ("mx[rotor, O*]", ("mx", 0, "O*")),
    ):
        assert (rotor.signal(text) == rotor.signal(pair)).all()
    shown = rotor.spectrum(("bearing", 0, -0.2, 0.3))
    assert (rotor.spectrum(shown.signal).amplitude == shown.amplitude).all()  # the name that it prints asks for it
    for given, told in [
        ("bearing[rotor]", r'give \("bearing", joint, at, other\)'),
        (("bearing",), r'give \("bearing", joint, at, other\)'),
        (("drive", 0, 1), r'give \("drive", joint\)'),
        (found.b, r'the pair that is read: \("bearing", joint, at, other\)'),
        ("force[rotor, 2]", "the point 2 of the body has 1 of 3 coordinates; write force"),
        (("position", 0, (0.6, 0)), r"the point \(0.6, 0\) of body 'rotor': 2 numbers; give 3"),
        (("fx", 0, 1), r"the point \(1,\) of body 'rotor': 1 numbers; give 3"),
    ]:
        with pytest.raises(mb.MbwidgetsError, match=told):
            rotor.maximum(given)
    with pytest.raises(mb.ModelError, match=r"the point \(0.6, 0\) of body 'rotor': 2 numbers"):
        rotor.point(0, at=(0.6, 0))


def test_a_constraint_or_a_force_is_added_to_those_there_are() -> None:
    loop = mb.library.four_bar()
    driven = loop.with_constraint(mb.Prescribed("crank", "2*t"))
    assert driven.constraints[:-1] == loop.constraints
    assert [item.type for item in driven.constraints] == ["point", "prescribed"]
    motion = mb.simulate(driven, duration=0.5)
    assert motion.outcome.ok
    assert motion.constraint_residual.max() < 1e-8  # the loop is closed still
    governed = mb.library.flyball_governor()
    braked = governed.with_force(mb.JointDamper(0, 0.2), {"type": "effort", "joint": 0, "value": "sin(t)"})
    assert braked.forces[:-2] == governed.forces
    assert [item.type for item in braked.forces[-2:]] == ["joint_damper", "effort"]
    assert loop.with_constraint() == loop
    with pytest.raises(mb.ModelError, match=r"constraint 1: .* is not a constraint"):
        loop.with_constraint(mb.JointDamper("crank", 1.0))
    with pytest.raises(mb.UnknownNameError, match=r"constraint 1 \(prescribed\): .*did you mean 'crank'"):
        loop.with_constraint(mb.Prescribed("crunk", "t"))
