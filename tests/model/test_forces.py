"""Forces: how they are written, what they name, what they refuse."""

from __future__ import annotations

import math
from typing import Any

import pytest

import mbwidgets as mb
from mbwidgets.errors import MbwidgetsError
from mbwidgets.model.bodies import Body, ground
from mbwidgets.model.forces import (
    Anchor,
    Damper,
    Effort,
    ElasticAlignment,
    Force,
    JointDamper,
    JointFriction,
    JointSpring,
    Spring,
    Torque,
    read_force,
)
from mbwidgets.model.joints import Cylindrical, Fixed, Free, Revolute, Spherical
from mbwidgets.model.model import Model
from mbwidgets.model.parameters import Parameter


def model(force: Any, joint: Any = None, **values: Any) -> Model:
    parameters = [Parameter(name, value) for name, value in values.items()]
    return Model([Body("arm", joint or Revolute("z"), mass=1)], forces=[force], parameters=parameters)


def test_an_anchor_is_a_body_a_pair_or_a_record() -> None:
    assert Spring(ground, "arm", 1).start == Spring(None, "arm", 1).start == Anchor()
    assert Spring(("arm", (0, 0, 1)), None, 1).start == Anchor("arm", (0, 0, 1))
    assert Spring({"body": "arm"}, None, 1).start == Anchor("arm")


def test_the_json_names_are_from_and_to() -> None:
    assert Spring(None, "arm", 1).to_dict() == {
        "type": "spring",
        "from": {},
        "to": {"body": "arm"},
        "stiffness": 1,
    }
    assert read_force(Spring(None, "arm", 1).to_dict()) == Spring(None, "arm", 1)


def test_efforts_and_loads_may_hold_time_and_state() -> None:
    held = model(Effort("arm", "k*sin(t) - q[0]*u[0]"), k=2).forces[0]
    assert str(held.value) == "k*sin(t) - q[0]*u[0]"
    assert model(Force("arm", ("t", "q[0]", "u[0]")))
    assert model(Torque("arm", ("t", 0, 0), "body"))


def test_a_joint_with_several_coordinates_is_driven_one_by_one() -> None:
    assert model(Effort("arm", 1, coordinate=5), Free()).forces[0].coordinate == 5
    assert model(JointSpring("arm", 1, coordinate=2), Free())


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Spring(None, "arm", -1), "stiffness: -1 is negative; give a number ≥ 0"),
        (lambda: Damper(None, "arm", math.nan), "damping: .*nan is not finite"),
        (lambda: JointFriction("arm", smoothing=0), "smoothing 0.0 is not positive"),
        (lambda: ElasticAlignment("arm", (0, 0, 0), "x", 1), "axis_parent: the axis is the zero vector"),
        (lambda: Force("arm", (1, 0)), "value: 2 numbers; give 3"),
        (
            lambda: Force("arm", (1, 0, 0), axes="parent"),
            "axes: 'parent' is not known; use 'world' or 'body'",
        ),
        (lambda: Force(None, (1, 0, 0)), "body: None is not a body"),
        (lambda: Effort("arm", 1, coordinate=-1), "coordinate: -1 is not an index; count from 0"),
        (
            lambda: ElasticAlignment("arm", "x", "y", "t"),
            "stiffness: t cannot stand here; use parameters and numbers only",
        ),
        (lambda: read_force({"type": "sprin"}), "'sprin' is not a type of force; did you mean 'spring'"),
        (lambda: read_force({"type": "spring"}), "fields are missing; give from, to, stiffness"),
        (lambda: read_force("spring"), "'spring' is not a force"),
        (lambda: model(Effort("arm", 1, coordinate=1)), "joint 'arm' has no coordinate 1; count from 0 to 0"),
        (lambda: model(Effort("arm", 1), Fixed()), "a fixed joint has no such coordinate"),
        (lambda: model(JointSpring("arm", 1), Spherical()), "a spherical joint has no such coordinate"),
        (
            lambda: model(Effort("arm", "q[1]")),
            r"force 0 \(effort\): q\[1\] does not exist; count from 0 to 0",
        ),
        (lambda: model(JointDamper("leg", 1)), r"force 0 \(joint_damper\): no body 'leg'"),
        (
            lambda: model(JointDamper("arm", "k"), k=-1),
            r"force 0 \(joint_damper\): damping: -1.0 is negative",
        ),
        (lambda: model(JointFriction("arm", smoothing="k"), k=0), "smoothing 0.0 is not positive"),
        (lambda: model(Force("arm", ("1/k", 0, 0)), k=0), r"force 0 \(force\): .*no finite value"),
        (lambda: model(Force("arm", ("exp(1000)", 0, 0))), "no finite value"),
    ],
    ids=range(21),
)
def test_impossible_forces_are_refused_with_the_value_and_the_remedy(make: Any, message: str) -> None:
    with pytest.raises(MbwidgetsError, match=message):
        make()


def test_coordinates_go_by_name_in_forces_and_constraints() -> None:
    bodies = [Body("arm", Revolute("y"), mass=1, com=(0, 0, -1)), Body("slide 2", Cylindrical("x"), mass=2)]
    numbered = Model(bodies, forces=[Effort("arm", "-3*q[1] + u[0]*sin(u[2])")])
    named = Model(bodies, forces=[Effort("arm", "-3*q[slide 2.s] + u['arm']*sin(u[slide 2.φ˙])")])
    assert named == numbered
    assert Model.from_dict(named.to_dict()) == numbered
    held = Model(bodies, constraints=[mb.EquationConstraint("q[arm] - 2*q[slide 2.φ]")])
    assert str(held.constraints[0].expression) == "q[0] - 2*q[2]"
    for text, told in [
        ("q[leg]", r"force 0 \(effort\): q has no 'leg'; known: arm, slide 2"),
        ("u[slide 2]", r"u\[slide 2\] are 2 numbers; give u\[slide 2.s˙\], u\[slide 2.φ˙\]"),
    ]:
        with pytest.raises(mb.MbwidgetsError, match=told):
            Model(bodies, forces=[Effort("arm", text)])
    assert Effort("arm", "x[arm]").value.name == "x"  # what it is in coordinates tells the model
    with pytest.raises(mb.ExpressionError, match=r"x\[…\] cannot stand here.*tau"):
        Body("arm", Revolute("y"), mass="x[arm]")
    with pytest.raises(mb.ExpressionError, match="cannot stand here"):
        Body("arm", Revolute("y"), mass="q[arm]")


def test_gravity_that_changes_is_a_force_of_its_own() -> None:
    """In a lift that rises with a(t) things weigh m (g + a), as under a constant g of that size; T − work is kept."""
    rod = Body("rod", Revolute("y"), mass=2, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0.01))
    with pytest.raises(mb.ModelError, match=r"gravity: .* changes with t.*mb\.Gravity"):
        Model([rod], gravity=(0, 0, "-9.81*cos(t)"))
    lift = Model([rod], gravity=(0, 0, 0), forces=[mb.Gravity((0, 0, "-9.81 - 3*t - q[rod]**2"))], state={"q": [1.0]})
    assert mb.Dynamics(lift).forward([1.0], [0.0], t=2.0) == pytest.approx(
        mb.Dynamics(lift.replace(gravity=(0, 0, -16.81), forces=())).forward([1.0], [0.0]), rel=1e-14
    )
    motion = mb.simulate(lift, duration=2)
    assert motion.drift < 1e-9
    assert abs(motion.work).max() > 1
    assert lift.to_dict()["version"] == 2
    with pytest.raises(mb.ModelError, match="gravity that changes in a model of version 1"):
        Model.from_dict({**lift.to_dict(), "version": 1})
