"""Every primitive of forces and constraints: the exact reader against the compiled one, at random states."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, get_args

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.errors import ModelError
from mbwidgets.model import constraint_primitives as rows_of
from mbwidgets.model import force_primitives as parts_of
from mbwidgets.model.constraints import CONSTRAINTS
from mbwidgets.model.forces import FORCES
from mbwidgets.numeric.packing import pack
from mbwidgets.numeric.packing.pack import pack_model
from mbwidgets.numeric.states.constraint_system import Constraints
from mbwidgets.symbolic.mechanics import constraint_equations, generalised_forces, load_wrenches

PRECISION = 1e-12
"""Relative to the largest entry: exact formulae of a few dozen terms lose two or three digits of sixteen."""
K, REST, TILT = mb.Parameter("k", 3.5), mb.Parameter("rest", 0.7), mb.Parameter("tilt", 0.3)
FREE = {"mass": 1.5, "com": (0.1, 0, 0.3), "inertia": (0.1, 0.2, 0.15)}


def arm(**more: Any) -> mb.Model:
    """Two branches on one revolute body; the joints have axes of rational and of irrational length."""
    bodies = [
        mb.Body("one", mb.Revolute((0, 3, 4), at=(0.1, 0, 0)), **FREE),
        mb.Body("two", mb.Prismatic("x", at=(0.5, 0, 0)), **FREE),
        mb.Body("three", mb.Universal("x", "y", at=(0, 0.5, 0.1)), **FREE),
        mb.Body("four", mb.Revolute((1, 1, 0), at=(0, 0.2, 0)), parent="one", **FREE),
    ]
    return mb.Model(bodies, parameters=[K, REST, TILT], **more)


def near(found: Any, expected: Any) -> None:
    expected = np.asarray(expected, dtype=float)
    bound = PRECISION * max(1.0, float(np.abs(expected).max(initial=0.0)))
    np.testing.assert_allclose(np.asarray(found, dtype=float), expected, rtol=0, atol=bound)


START, END = mb.Anchor("four", (0, 0, 1)), mb.Anchor("three", (0.1, 0, 0.2))
LINE = {"bodies": (3, 2), "points": ((0, 0, 1), (0.1, 0, 0.2))}
DUFFING = parts_of.Law(K * parts_of.MEASURE**4 / 4, REST * parts_of.MEASURE**2 * parts_of.RATE**3)
FORCE_CASES: dict[str, Any] = {
    "spring": mb.Spring(START, END, K, REST),
    "spring without length": mb.Spring(mb.Anchor(None, (0, 1, 1)), END, K),
    "damper": mb.Damper(START, END, 2 * K),
    "joint_spring": mb.JointSpring("three", K, rest=REST / 2, coordinate=1),
    "joint_damper": mb.JointDamper("three", K),
    "joint_friction": mb.JointFriction("two", K, REST, 0.5),
    "effort": mb.Effort("two", "k*sin(2*t) - q[0]*u[1]"),
    "force": mb.Force("three", ("t", "k*q[1]", -3), at=(0.1, REST, 0.2)),
    "force in body axes": mb.Force("three", (0, "u[0]", -3), at=(0.1, 0, 0.2), axes="body"),
    "torque": mb.Torque("three", ("t", "k*q[1]", -3)),
    "torque in body axes": mb.Torque("four", (0, "u[0]", -3), axes="body"),
    "gravity": mb.Gravity(("k*t", "q[1]", "-3 + u[0]")),
    "spring of a varying stiffness": mb.Spring(START, END, "k + t*q[1]**2", REST),
    "spring of a varying length": mb.Spring(START, END, "2 + u[two]", "k*t"),
    "damper that varies": mb.Damper(START, END, "k*q[0]"),
    "joint spring that varies": mb.JointSpring("three", "k + u[0]**2", rest="t*q[two]", coordinate=1),
    "joint damper that varies": mb.JointDamper("three", "k*q[1]"),
    "joint friction that varies": mb.JointFriction("two", K, "t*q[0]", 0.5),
    "elastic_alignment": mb.ElasticAlignment("three", (2, 1, 2), (0, 3, 4), K),
    "elastic alignment to the ground": mb.ElasticAlignment("one", "z", (TILT, 0, 1), 4),
    "law of a length": parts_of.LineForce(0, "a line", **LINE, law=DUFFING),
    "law of a coordinate": parts_of.JointForce(0, "a joint", 1, 1, 1, DUFFING),
}


@pytest.fixture
def force(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> mb.Model:
    """The arm with one force; a bare primitive stands for a force that the model may have one day."""
    case = FORCE_CASES[request.param]
    if not isinstance(case, parts_of._Primitive):
        return arm(forces=[case])
    for reader in (pack, generalised_forces, load_wrenches):
        monkeypatch.setattr(reader, "force_primitives", lambda model, extra=(): (case,) if model.forces else ())
    return arm(forces=[mb.Effort("one", 0)])


def states(model: mb.Model, rng: np.random.Generator) -> Any:
    for _ in range(5):
        yield float(rng.normal()), *rng.normal(size=(2, model.nv))


@pytest.mark.parametrize("force", FORCE_CASES, indirect=True)
def test_generalised_forces_and_potentials_are_those_of_the_kernels(force: mb.Model, rng: np.random.Generator) -> None:
    bare = arm()
    exact, without = mb.covariant(force), mb.covariant(bare)
    elastic = exact.potential_energy - without.potential_energy
    loaded, free = mb.Dynamics(force), mb.Dynamics(bare)
    for t, q, u in states(force, rng):
        near(exact.forces.evaluate(q=q, u=u, t=t), free.bias(q, u, t) - loaded.bias(q, u, t))
        near(elastic.evaluate(q=q), loaded.energy(q, u)[1] - free.energy(q, u)[1])


@pytest.mark.parametrize("force", FORCE_CASES, indirect=True)
def test_loads_on_bodies_and_efforts_in_joints_add_up_to_the_generalised_forces(
    force: mb.Model, rng: np.random.Generator
) -> None:
    """Two readings of a primitive in the exact layer: what it does to bodies, and what it does along q."""
    reaction = mb.reactions(force, "one")
    loaded = mb.Dynamics(force)
    for t, q, u in states(force, rng):
        ud = rng.normal(size=force.nv)
        near(reaction.force.evaluate(q=q, u=u, ud=ud, t=t), loaded.reactions(q, u, ud, t)[0, :3])
        near(reaction.moment.evaluate(q=q, u=u, ud=ud, t=t), loaded.reactions(q, u, ud, t)[0, 3:])


ELASTIC = ["spring", "spring without length", "joint_spring", "elastic_alignment"]


@pytest.mark.parametrize("force", ELASTIC, indirect=True)
def test_the_power_of_an_elastic_force_is_what_its_potential_loses(force: mb.Model) -> None:
    exact = mb.covariant(force)
    potential = exact.potential_energy - mb.covariant(arm()).potential_energy
    assert exact.forces @ exact.velocities == -potential.dt()


@pytest.mark.parametrize("force", ["law of a length", "law of a coordinate"], indirect=True)
def test_a_law_loses_its_potential_and_what_its_resistance_takes(force: mb.Model, rng: np.random.Generator) -> None:
    exact = mb.covariant(force)
    power = exact.forces @ exact.velocities
    lost = power + (exact.potential_energy - mb.covariant(arm()).potential_energy).dt()
    for t, q, u in states(force, rng):
        assert lost.evaluate(q=q, u=u, t=t) < 0.0
    start = {"q": [0.3, 0.2, 0.5, -0.4, 0.7], "u": [1, -1, 2, 0.5, 1]}
    motion = mb.simulate(force.replace(state=start), duration=1)
    assert motion.outcome.ok, motion.outcome
    assert motion.drift < 1e-8  # energy less the power of R, which the compiled law tells, over a second at rtol 1e-10


A, B = mb.Anchor("three", (0.1, REST, 0)), mb.Anchor("four", (0, 0, 0.4))
CONSTRAINT_CASES: dict[str, Any] = {
    "point": mb.PointConstraint(A, B),
    "weld": mb.WeldConstraint(A, B),
    "orientation": mb.OrientationConstraint(A, None),
    "parallel": mb.ParallelConstraint(A.replace(axis=(0, 3, 4)), B.replace(axis=(1, 2, 2))),
    "parallel to the ground": mb.ParallelConstraint(A.replace(axis=(0, TILT, 1)), (None, (0, 0, 0), (1, 1, 0))),
    "on_plane": mb.OnPlane("three", (0.1, 0, 0), (0, 0.2, 0), (1, 1, TILT)),
    "on_line": mb.OnLine("three", (0.1, 0, 0), (0, REST, 0), (2, 1, 2)),
    "down": mb.OnLine("three", (0.1, 0, 0), (0, REST, 0), "-z"),
    "equation": mb.EquationConstraint("q[0] - sin(t)*q[1]*k"),
    "prescribed": mb.Prescribed("two", "sin(3*t)*rest"),
    "distance": mb.DistanceConstraint(A, B, REST),
    "on_sphere": mb.OnSphere("three", REST, at=(0.1, 0, 0), centre=(0, 0.2, 0)),
    "on_circle": mb.OnCircle("three", REST, at=(0.1, 0, 0), centre=(0, 0.2, 0), normal=(0, 3, 4)),
    "on_curve": mb.OnCurve("three", ("cos(s)", "sin(s)*rest", "s/3"), at=(0.1, 0, 0)),
}
SQUARED = (rows_of.DistanceRow,)
"""Rows that the exact layer writes as (d·d − c²)/2c: Φ and J differ by a factor wherever Φ is not zero."""


@pytest.mark.parametrize("name", CONSTRAINT_CASES)
def test_equations_and_jacobians_are_those_of_the_kernels(name: str, rng: np.random.Generator) -> None:
    model = arm(constraints=[CONSTRAINT_CASES[name]])
    if name == "on_curve":  # both seek the foot point: begin where it is the same
        model = model.replace(state={"q": [0.1, 0.1, 0.1, 0.1, 0.1]})
    exact, primitives = mb.constrained(model), rows_of.constraint_rows(model)
    assert [row.title for row in exact._equations] == [row.title for row in primitives]
    length = model.values["rest"]
    for t, q, u in states(model, rng):
        if name == "on_curve":
            q, u, t = model.q0 + 0.05 * q, u, 0.0
        system = compiled(model)
        system.observe(t, q, u)
        phi, jacobian = system.phi.copy(), system.jacobian.copy()
        for k, row in enumerate(primitives):
            if isinstance(row, SQUARED):
                distance = phi[k] + length
                phi[k] *= (distance + length) / (2 * length)
                jacobian[k] *= distance / length
        near(exact.equations.evaluate(q=q, t=t), phi)
        near(exact.L_lambda.evaluate(q=q, t=t), jacobian)


def compiled(model: mb.Model) -> Constraints:
    from mbwidgets.numeric.states.constraint_routes import ConstrainedSystem

    return ConstrainedSystem(model).system


def test_a_value_shifts_a_separation_and_an_angle_in_both_layers(
    monkeypatch: pytest.MonkeyPatch, rng: np.random.Generator
) -> None:
    """No constraint of the model has such a value yet: −c must stand in both readings of the row."""
    model = arm(constraints=[CONSTRAINT_CASES["weld"]])
    shifted = tuple(replace(row, value=REST) for row in rows_of.constraint_rows(model))
    for reader in (pack, constraint_equations):
        monkeypatch.setattr(reader, "constraint_rows", lambda _: shifted)
    exact, system = mb.constrained(model.replace(name="shifted")), compiled(model)
    for t, q, u in states(model, rng):
        system.observe(t, q, u)
        near(exact.equations.evaluate(q=q, t=t), system.phi)


def test_a_row_of_velocities_is_refused_in_words_by_both_readers(monkeypatch: pytest.MonkeyPatch) -> None:
    model = arm(constraints=[CONSTRAINT_CASES["prescribed"]])
    rolling = rows_of.VelocityRow(0, "constraint 0 (rolling)", ((0, 1), (1, REST)), 0)
    for reader in (pack, constraint_equations):
        monkeypatch.setattr(reader, "constraint_rows", lambda _: (rolling,))
    with pytest.raises(ModelError, match=r"constraint 0 \(rolling\).*velocities.*yet"):
        pack_model(model)
    with pytest.raises(ModelError, match=r"constraint 0 \(rolling\).*velocities.*yet"):
        _ = mb.constrained(model).equations


def test_no_type_of_force_or_constraint_and_no_primitive_is_left_out() -> None:
    assert set(FORCES) <= set(FORCE_CASES)
    assert set(CONSTRAINTS) <= set(CONSTRAINT_CASES)
    model = arm(forces=[case for case in FORCE_CASES.values() if not isinstance(case, parts_of._Primitive)])
    parts = parts_of.force_primitives(model)
    assert {type(part) for part in parts} == set(get_args(parts_of.ForcePrimitive))
    model = arm(constraints=list(CONSTRAINT_CASES.values()))
    rows = rows_of.constraint_rows(model)
    assert {type(row) for row in rows} == set(get_args(rows_of.PositionRow))


def test_numbers_of_primitives_stay_the_models_own() -> None:
    model = arm(forces=[FORCE_CASES["spring"]], constraints=[CONSTRAINT_CASES["on_circle"]])
    (line,), (distance, flat) = parts_of.force_primitives(model), rows_of.constraint_rows(model)
    assert (line.law.stiffness, line.points) == (model.forces[0].stiffness, ((0, 0, 1), (0.1, 0, 0.2)))
    assert distance.value == model.constraints[0].radius
    assert str(flat.direction.axis[1]) == "3/5"
