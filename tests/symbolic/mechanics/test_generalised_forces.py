"""Generalised forces of springs, dampers, actuators and loads, exactly."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy

from mbwidgets.expressions import parse_expression
from mbwidgets.model import forces as f
from mbwidgets.model.bodies import Body
from mbwidgets.model.joints import Prismatic, Revolute, Universal
from mbwidgets.model.model import Model
from mbwidgets.model.parameters import Parameter
from mbwidgets.symbolic import Formula, covariant
from mbwidgets.symbolic.ring.element import Element


def arm(*loads: Any) -> Model:
    bodies = [
        Body("a", Revolute("z"), mass=2, com=(1, 0, 0), inertia=(1, 1, 1)),
        Body("b", Revolute((1, 2, 2), at=(1, 0, 0)), mass=1, com=(0, 1, 0), inertia=(1, 1, 1)),
        Body("c", Prismatic("y", at=(0, 1, 0)), mass=1, com=(0, 0, 1), inertia=(1, 1, 1)),
        Body("d", Universal("x", "y", at=(0, 1, 0)), mass=1, com=(0, 0, 1), inertia=(1, 1, 1), parent="a"),
    ]
    parameters = [Parameter("k", 3.0), Parameter("rest", 0.4)]
    return Model(bodies, forces=loads, parameters=parameters)


K, REST = Parameter("k", 3.0), Parameter("rest", 0.4)
CONSERVATIVE = {
    "spring": f.Spring(f.Anchor("c", (0, 0, 1)), f.Anchor(None, (2, 1, 0)), stiffness=K, length=REST),
    "spring without length": f.Spring(f.Anchor("d", (1, 0, 0)), f.Anchor("c"), stiffness=K),
    "joint spring": f.JointSpring("b", stiffness=K, rest=0.25),
    "joint spring of a universal joint": f.JointSpring("d", stiffness=K, coordinate=1),
    "elastic alignment": f.ElasticAlignment("d", (1, 2, 2), (0, 0, 1), stiffness=K),
}


@pytest.mark.parametrize("name", CONSERVATIVE)
def test_elastic_forces_are_minus_the_slope_of_their_energy(name: str) -> None:
    equations = covariant(arm(CONSERVATIVE[name]))
    weight = covariant(arm()).potential_energy
    elastic = equations.potential_energy - weight
    assert equations.forces
    assert equations.forces == -elastic.diff(range(equations.n))


def test_the_energy_of_a_spring_is_that_of_its_length(rng: np.random.Generator) -> None:
    equations = covariant(arm(CONSERVATIVE["spring"]))
    elastic = equations.potential_energy - covariant(arm()).potential_energy
    q = rng.normal(size=(5, 5))
    turn, place = pose(equations, "c")
    tip = Formula([_element(equations, place[i]) + _element(equations, turn[i][2]) for i in range(3)])
    length = np.linalg.norm(tip.evaluate(q=q) - [2, 1, 0], axis=-1)
    np.testing.assert_allclose(elastic.evaluate(q=q), 1.5 * (length - 0.4) ** 2, rtol=1e-12)


def pose(equations: Any, body: str) -> Any:
    place = next(i for i, s in enumerate(equations.mechanism.segments) if s.name == body)
    return equations.mechanism.poses[place]


def _element(equations: Any, p: Any) -> Any:
    return Element(equations.mechanism.ring, p)


def test_a_damper_takes_energy_at_the_rate_of_its_length() -> None:
    damper = f.Damper(f.Anchor("c", (0, 0, 1)), f.Anchor(None, (2, 1, 0)), damping=K)
    spring = f.Spring(damper.start, damper.end, stiffness=2)
    equations = covariant(arm(damper))
    square = covariant(arm(spring)).potential_energy - covariant(arm()).potential_energy
    power = equations.forces @ equations.velocities
    # ℓ̇ = (ℓ²)˙/(2ℓ): the power is −k ℓ̇² = −k ((ℓ²)˙)²/(4ℓ²)
    rate = square.dt()
    assert power * 4 * square == -Formula("k") * rate * rate


def test_joint_dampers_and_friction_act_on_their_own_joint() -> None:
    damped = covariant(arm(f.JointDamper("d", damping=K))).forces
    assert damped == ["0", "0", "0", "-k*u[3]", "-k*u[4]"]
    rubbed = covariant(arm(f.JointFriction("a", viscous=2, coulomb=K, smoothing=0.5))).forces
    assert str(rubbed[0]) in {"-2*u[0] - k*tanh(2*u[0])", "-(2*u[0] + k*tanh(2*u[0]))"}
    k, u0 = sympy.Symbol("k"), sympy.Symbol("u[0]")
    assert sympy.expand(rubbed[0].sympy) == -2 * u0 - k * sympy.tanh(2 * u0)
    u = np.array([0.3, 0, 0, 0, 0])
    assert rubbed.evaluate(u=u)[0] == pytest.approx(-0.6 - 3 * np.tanh(0.6), rel=1e-15)
    assert rubbed[0].diff("u[0]").evaluate(u=u) == pytest.approx(-2 - 3 * 2 / np.cosh(0.6) ** 2, rel=1e-14)


def test_efforts_take_time_and_state() -> None:
    driven = covariant(arm(f.Effort("b", "k*sin(2*t) - q[0]*u[1] + sin(q[0])"))).forces
    assert driven[1].diff("t").evaluate(t=0.3) == pytest.approx(6 * np.cos(0.6), rel=1e-15)
    cosine = covariant(arm()).mechanism.reader.read(parse_expression("cos(q[0])"))
    assert driven[1].diff(0) == -Formula("u[1]") + Formula(cosine)


def test_external_forces_do_the_work_of_their_point(rng: np.random.Generator) -> None:
    load = f.Force("c", (1, 2, 3), at=(0.5, 0, 1))
    equations = covariant(arm(load))
    q, u = rng.normal(size=(2, 5))
    turn, place = pose(equations, "c")
    arm_ = Formula([_element(equations, place[i]) for i in range(3)])
    frame = Formula([[_element(equations, turn[i][j]) for j in range(3)] for i in range(3)])
    point = arm_ + frame @ Formula([0.5, 0, 1])
    power = (point.dt() @ Formula([1, 2, 3])).evaluate(q=q, u=u)
    assert equations.forces.evaluate(q=q) @ u == pytest.approx(power, rel=1e-13)


@pytest.mark.parametrize("axes", ["world", "body"])
def test_a_torque_does_the_work_of_the_angular_velocity(axes: str, rng: np.random.Generator) -> None:
    load = f.Torque("d", (1, "k", 3), axes=axes)
    equations = covariant(arm(load))
    q, u = rng.normal(size=(2, 5))
    turn, _ = pose(equations, "d")
    frame = Formula([[_element(equations, turn[i][j]) for j in range(3)] for i in range(3)])
    spin = (frame.dt() @ frame.T).evaluate(q=q, u=u)
    omega = np.array([spin[2, 1], spin[0, 2], spin[1, 0]])
    moment = np.array([1, 3, 3])
    if axes == "body":
        moment = frame.evaluate(q=q) @ moment
    assert equations.forces.evaluate(q=q) @ u == pytest.approx(moment @ omega, rel=1e-13)


def with_springs(n: int, springs: int) -> Model:
    """A chain with springs of a natural length from its last bodies to the ground."""
    bodies = [
        Body(
            f"b{i}",
            Revolute("xyz"[i % 3], at=(0, 1, 1) if i else (0, 0, 0)),
            mass=1,
            com=(0, 0, 0.5),
            inertia=(1, 1, 2),
        )
        for i in range(n)
    ]
    loads = [
        f.Spring(f.Anchor(f"b{i}", (1, 0, 1)), f.Anchor(None, (1, i, 2)), stiffness=100, length=1)
        for i in range(n - springs, n)
    ]
    return Model(bodies, forces=loads)


def test_accelerations_under_several_springs_solve_the_equations_exactly() -> None:
    equations = covariant(with_springs(3, 3))
    found = equations.equations("contravariant")
    assert equations.metric @ found + equations.bias == Formula([0, 0, 0])


def test_accelerations_under_several_springs_have_one_denominator_a_spring() -> None:
    """det a and three squares of lengths, the last of 34 terms: a product of those, and no power."""
    found = covariant(with_springs(4, 3), terms=50_000, seconds=60).equations("contravariant")
    assert found.terms < 50_000
