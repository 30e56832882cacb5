"""Places and velocities of points as expressions: those of the kernels, whatever joints are on the way."""

from __future__ import annotations

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.expressions import Variable, evaluate
from mbwidgets.model.point_places import point_expressions
from tests.random_models import random_state, random_tree


def test_the_expressions_are_what_the_kernels_say_on_random_trees(rng: np.random.Generator) -> None:
    balls = 0
    for _ in range(40):
        model = random_tree(rng, most=5, forces=False)
        balls += any(column.kind == "ball" for body in model.bodies for column in body.joint.columns())
        motion = mb.simulate(model, u=rng.normal(size=model.nv), duration=0.01, rate=100)
        for index in range(len(model.bodies)):
            at = rng.normal(size=3)
            place, velocity = point_expressions(model, index, [float(part) for part in at])
            known = motion.point(index, tuple(at))
            for k in range(len(motion)):
                state = {"q": motion.q[k], "u": motion.u[k]}

                def value(leaf: Variable, state: dict[str, np.ndarray] = state) -> float:
                    return float(state[leaf.kind][leaf.index])

                for found, expected in ((place, known.position[k]), (velocity, known.velocity[k])):
                    numbers = [evaluate(part, model.values, value) for part in found]
                    # sums of some ten products; places and speeds are of the order of one
                    np.testing.assert_allclose(numbers, expected, atol=1e-12 * max(1.0, np.abs(expected).max()))
    assert balls > 5, "the trees have balls among their joints"


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("spinning_top", "z[top, 0, 0, 1]", lambda motion: motion.point("top", (0, 0, 1)).position[:, 2]),
        ("spherical_chain", "vx[rod 2]", lambda motion: motion.point("rod 2").velocity[:, 0]),
    ],
)
def test_points_beyond_balls_stand_in_efforts_and_signals(name: str, text: str, expected) -> None:
    model = getattr(mb.library, name)(*((2,) if name == "spherical_chain" else ()))
    motion = mb.simulate(model, duration=0.5)
    np.testing.assert_allclose(motion.signal(text), expected(motion), atol=1e-9)
    stopped = mb.simulate(model, duration=0.5, events=[mb.Event(f"{text} - 100")])
    assert stopped.outcome


def test_an_effort_pulls_a_point_beyond_a_ball_to_a_height() -> None:
    top = mb.Body("ball", mb.Spherical(), mass=1, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0.02))
    arm = mb.Body("arm", mb.Revolute("x", at=(0, 0, -1)), mass=1, com=(0, 0, -0.3), inertia=(0.03, 0.03, 0.01))
    model = mb.Model([top, arm])
    by_text = mb.simulate(model, u=[1, 0.5, 0, 0], duration=1.0, tau={"arm": "-3*y[arm, 0, 0, -0.6]"})
    place, _ = point_expressions(model, 1, (0, 0, -0.6))

    def pull(t: float, q: np.ndarray, u: np.ndarray) -> float:
        return -3.0 * evaluate(place[1], {}, lambda leaf: float((q if leaf.kind == "q" else u)[leaf.index]))

    by_function = mb.simulate(model, u=[1, 0.5, 0, 0], duration=1.0, tau={"arm": pull})
    np.testing.assert_allclose(by_text.q, by_function.q, atol=1e-8)


STATES = 5
"""Random states at which forces are compared."""


def _same_dynamics(one: mb.Model, other: mb.Model, rng: np.random.Generator) -> None:
    first, second = mb.Dynamics(one), mb.Dynamics(other)
    for _ in range(STATES):
        (q, u), t = random_state(rng, one)[:2], float(rng.normal())
        expected = second.bias(q, u, t)
        np.testing.assert_allclose(first.bias(q, u, t), expected, rtol=0, atol=1e-11 * max(1.0, abs(expected).max()))


def test_a_models_own_forces_know_points(rng: np.random.Generator) -> None:
    """Beside the same forces written in coordinates by hand, of two rods about y."""
    rods = mb.library.pendulum(2).replace(forces=(), constraints=())
    long = rods.number(rods.bodies[1].joint.at[2])
    angle = "(q[0] + q[1])"
    x, z = f"({long}*sin(q[0]) - 0.3*sin{angle})", f"({long}*cos(q[0]) - 0.3*cos{angle})"
    vx = f"({long}*cos(q[0])*u[0] - 0.3*cos{angle}*(u[0] + u[1]))"
    assert rods.bodies[0].joint.axis == rods.bodies[1].joint.axis == (0, 1, 0)
    px, pz, pv = "x[rod 2, 0, 0, -0.3]", "z[rod 2, 0, 0, -0.3]", "vx[rod 2, 0, 0, -0.3]"
    place = mb.Anchor("rod 2", at=(0, 0, -0.1))
    for make in (
        lambda x, z, v: mb.Effort("rod 1", f"-3*{x} - 0.4*{v}*{z} + sin(t)"),
        lambda x, z, v: mb.Force("rod 2", (f"-2*{x}", 0, f"{z}**2"), at=(0, 0, -0.2)),
        lambda x, z, v: mb.Force("rod 2", (f"-2*{x}", 0, f"{v}"), axes="body"),
        lambda x, z, v: mb.Torque("rod 1", (0, f"{x}*{v}", 0)),
        lambda x, z, v: mb.Gravity((0, 0, f"-9.81*(1 - {z}/10)")),
        lambda x, z, v: mb.Spring(mb.Anchor(None, at=(1, 0, 0)), place, f"10 + {x}**2", length=f"0.1 + {z}**2"),
        lambda x, z, v: mb.Damper(mb.Anchor(None, at=(1, 0, 0)), place, damping=f"1 + {v}**2"),
        lambda x, z, v: mb.JointSpring("rod 2", stiffness=f"2 + {z}**2", rest=f"{x}"),
        lambda x, z, v: mb.JointDamper("rod 1", damping=f"exp({v})"),
        lambda x, z, v: mb.JointFriction("rod 1", viscous=f"{x}**2", coulomb=f"{z}**2"),
    ):
        model = rods.with_force(make(px, pz, pv))
        _same_dynamics(model, rods.with_force(make(x, z, vx)), rng)
        assert "x[rod 2, 0, 0, -0.3]" in str(model.to_dict()) or "z[rod 2" in str(model.to_dict()) or "vx" in str(model)
        assert mb.Model.from_dict(model.to_dict()) == model
        assert model.to_dict()["version"] == 2


def test_random_trees_feel_points_as_tau_does(rng: np.random.Generator) -> None:
    """Balls and universal joints among them; tau goes by the exact layer, or by functions of the kernels."""
    tried = 0
    for _ in range(40):
        model = random_tree(rng, most=3, forces=False)
        body, joint = model.bodies[-1].name, next((b for b in model.bodies if b.joint.nv == 1), None)
        if joint is None:
            continue
        text = f"-2*x[{body}, 0.1, 0.2, -0.3] + 0.7*vz[{body}] - vy[{model.bodies[0].name}, 0, 0, 1]"
        try:
            own, dynamics = mb.Dynamics(model.with_force(mb.Effort(joint.name, text))), mb.Dynamics(model)
        except mb.ModelError:  # more parts than are allowed: universal joints about axes of any direction
            continue
        for _ in range(STATES):
            q, u = random_state(rng, model)[:2]
            still = np.zeros(model.nv)
            point, origin = (dynamics.frame(q, u, still, body, at) for at in ((0.1, 0.2, -0.3), (0, 0, 0)))
            other = dynamics.frame(q, u, still, 0, (0, 0, 1))
            value = -2 * point.position[0] + 0.7 * origin.velocity[2] - other.velocity[1]
            expected = dynamics.bias(q, u)
            expected[model.u_offsets[model.index(joint.name)]] -= value
            scale = max(1.0, abs(expected).max(), abs(value))
            np.testing.assert_allclose(own.bias(q, u), expected, rtol=0, atol=1e-11 * scale)
        tried += 1
    assert tried > 15


def test_points_follow_joints_that_are_moved(rng: np.random.Generator) -> None:
    """x[rod] stays as it is written: a model whose joint stands elsewhere has its points there."""
    a = mb.Parameter("a", 1.0)
    first = mb.Body("first", mb.Revolute("y"), mass=1, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0.1))
    second = mb.Body("second", mb.Revolute("y", at=(0, 0, -a)), mass=1, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0.1))
    model = mb.Model([first, second], forces=[mb.Effort("first", "-5*x[second, 0, 0, -1]")])
    moved = model.with_body("second", joint=mb.Revolute("y", at=(0, 0, -3)))
    for changed, length in ((model, 1.0), (model.with_values(a=2.0), 2.0), (moved, 3.0)):
        written = mb.Effort("first", f"5*({length}*sin(q[0]) + sin(q[0] + q[1]))")
        _same_dynamics(changed, changed.replace(forces=[written]), rng)
    with pytest.raises(mb.UnknownNameError, match=r"force 0 \(effort\): no body 'second'"):
        model.replace(bodies=[first])


def test_constraints_know_places_of_points() -> None:
    bars = mb.library.pendulum(2).replace(forces=(), constraints=())
    start = mb.assemble(bars.with_constraint(mb.EquationConstraint("z[rod 2, 0, 0, -0.5] + 1.1")))
    plane = mb.assemble(bars.with_constraint(mb.OnPlane("rod 2", (0, 0, -0.5), (0, 0, -1.1), (0, 0, 1))))
    one, other = mb.simulate(start, duration=1), mb.simulate(plane, q=start.q0, duration=1)
    assert one.outcome.ok
    np.testing.assert_allclose(one.q, other.q, atol=1e-8)
    np.testing.assert_allclose(one.point("rod 2", (0, 0, -0.5)).position[:, 2], -1.1, atol=1e-11)
    np.testing.assert_allclose(abs(one.multipliers), abs(other.multipliers), rtol=1e-7)
    with pytest.raises(mb.ExpressionError, match=r"vz\[rod 2\] cannot stand here"):
        mb.EquationConstraint("vz[rod 2]")


def test_exact_formulae_and_small_motions_know_points(rng: np.random.Generator) -> None:
    force = mb.Force("fore", ("-3*x[fore, 0, 0, 0.2]", "vy[fore]", 0), at=(0, 0, 0.2))
    arm = mb.library.three_body_arm().with_force(force)
    equations, dynamics = mb.covariant(arm).compile(), mb.Dynamics(arm)
    for _ in range(STATES):
        q, u = random_state(rng, arm)[:2]
        expected = dynamics.bias(q, u)
        np.testing.assert_allclose(equations.bias(q, u), expected, atol=1e-11 * max(1.0, abs(expected).max()))
    hanging = mb.equilibrium(arm)
    linear, step = mb.linearise(hanging), 1e-5
    moved = [mb.Dynamics(hanging).forward(hanging.q0 + step * e, hanging.u0) for e in np.eye(arm.nv)]
    back = [mb.Dynamics(hanging).forward(hanging.q0 - step * e, hanging.u0) for e in np.eye(arm.nv)]
    slopes = (np.array(moved) - np.array(back)).T / (2 * step)
    # central differences: their error is a third derivative times 1e-10, and rounding 1e-16 / 1e-5
    np.testing.assert_allclose(linear.A[arm.nv :, : arm.nv], slopes, atol=1e-6 * abs(slopes).max())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x[rad]", r"no body 'rad'; did you mean 'rod'"),
        ("x[rod, 0, 0]", r"is no point of a body; give x\[rod\], or three numbers"),
        ("x[rod, a, 0, 0]", "is no point of a body"),
        ("w[rod]", r"w\[…\] cannot stand here"),
        ("x[rod", "unexpected|cannot stand"),
    ],
)
def test_what_is_no_point_is_refused_in_words(text: str, words: str) -> None:
    rod = mb.Body("rod", mb.Revolute("y"), mass=1, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0.1))
    with pytest.raises(mb.MbwidgetsError, match=words):
        mb.Model([rod], forces=[mb.Effort("rod", text)])


def test_points_stand_where_coordinates_may_alone() -> None:
    rod = mb.Body("rod", mb.Revolute("y"), mass=1, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0.1))
    with pytest.raises(mb.ExpressionError, match=r"x\[…\] cannot stand here"):
        rod.replace(mass="x[rod]")
    with pytest.raises(mb.ExpressionError, match="cannot stand here"):
        mb.Prescribed("rod", "x[rod]")


def test_a_point_that_too_many_joints_carry_is_refused_at_once() -> None:
    chain = mb.library.pendulum(30)
    with pytest.raises(mb.ModelError, match=r"more than 20000 parts.*fewer joints"):
        mb.Dynamics(chain.with_force(mb.Effort("rod 1", "vx[rod 30]")))
    six = mb.library.pendulum(6).with_force(mb.Effort("rod 1", "-vx[rod 6]"))
    assert mb.simulate(six, duration=0.1).outcome.ok
