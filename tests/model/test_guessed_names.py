"""Names that people guess: the ground, joints by their own names, fields as they are called elsewhere."""

from __future__ import annotations

import copy
import inspect
import pickle
import re
from typing import Any

import pytest

import mbwidgets as mb
from mbwidgets.model.guesses import GUESSES, answer_arguments
from mbwidgets.numeric.motion.asking import Asking
from mbwidgets.numeric.motion.motion import Motion


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


def test_arguments_methods_and_mechanisms_that_people_guess_are_answered() -> None:
    model = mb.library.pendulum(1)
    motion = mb.simulate(model, duration=0.1)
    for call, told in [
        (lambda: mb.simulate(model, t_end=3), "simulate has no argument 't_end'; say duration"),
        (lambda: mb.simulate(model, dt=0.1), "'dt'; say rate"),
        (lambda: mb.simulate(model, durtion=3), "did you mean 'duration'"),
        (lambda: mb.Controller(lambda t: 0.0, dt=0.1), "Controller has no argument 'dt'; say sample"),
        (lambda: mb.Event("t", stop=True), "Event has no argument 'stop'; say terminal"),
        (lambda: motion.max, r"'max'; say motion\.maximum\(signal\)"),
        (lambda: motion.torque, r"'torque'; say motion\.drive\(joint\)"),
        (lambda: motion.position, r"'position'; say motion\.point\(body, at\)\.position"),
        (lambda: motion.maximun, "did you mean 'maximum'"),
        (lambda: motion.maximum("force", "rod 1"), r'one pair, \("force", "rod"\)'),
        (lambda: motion.signal("force", "rod 1"), r'one pair, \("force", "rod"\)'),
        (lambda: mb.library.double_pendulum, r"say mb\.library\.pendulum\(2\)"),
        (lambda: mb.library.slider_crnk, "did you mean 'slider_crank'"),
        (lambda: mb.library.pendulum(phi0=1), r"a parameter: mb\.library\.pendulum\(…\)\.with_values\(phi0=…\)"),
        (lambda: mb.library.pendulum(2, length=3), r"its parameters are m, l, g, phi0, \.with_values"),
        (lambda: model.add_constraint, r"say model\.with_constraint"),
        (lambda: model.with_constraints, r"say model\.with_constraint"),
        (lambda: mb.simulate(), "missing 1 required positional argument: 'model'"),
    ]:
        with pytest.raises((AttributeError, TypeError), match=told):
            call()  # type: ignore[no-untyped-call]


def test_what_guesses_are_answered_with_is_there() -> None:
    owners: dict[str, Any] = {
        "simulate": mb.simulate, "Controller": mb.Controller, "Event": mb.Event,
        "maximum": Motion.maximum, "minimum": Motion.minimum, "signal": Motion.signal,
        "period": Motion.period, "spectrum": Motion.spectrum,
    }  # fmt: skip
    things: dict[str, Any] = {
        "motion": mb.simulate(mb.library.pendulum(1), duration=0.1),
        "model": mb.library.pendulum(1),
        "library": mb.library,
    }
    assert set(GUESSES) == {*owners, *things}
    for owner, table in GUESSES.items():
        for name, told in table.items():
            if owner in owners:
                arguments = inspect.signature(owners[owner]).parameters
                assert name not in arguments
                assert name == "()" or re.match(r"\w+", told)[0] in arguments, told  # type: ignore[index]
                continue
            assert not hasattr(things[owner], name), name
            named = re.findall(r"\b(motion|model|mb\.library)\.(\w+)", told)
            assert named, told
            for of, meant in named:
                assert hasattr(things[of.removeprefix("mb.")], meant), told


def test_answers_change_neither_failures_nor_copies() -> None:
    with pytest.raises(TypeError, match="unsupported operand"):
        answer_arguments(lambda items: items / 2)([])  # it fails inside, and says so itself
    motion = mb.simulate(mb.library.pendulum(1), duration=0.1)
    assert not hasattr(motion, "__array__")
    assert copy.copy(motion).t[-1] == pytest.approx(0.1)
    assert pickle.loads(pickle.dumps(mb.library.pendulum))(2).nv == 2  # noqa: S301  our own
    assert pickle.loads(pickle.dumps(mb.simulate)) is mb.simulate  # noqa: S301
    assert list(inspect.signature(mb.library.pendulum).parameters) == ["n"]

    class Broken(Asking):
        @property
        def half(self) -> float:
            return self.nothing / 2.0  # type: ignore[attr-defined, no-any-return]

    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = Broken().half
