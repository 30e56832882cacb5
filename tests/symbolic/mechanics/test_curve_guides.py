"""A point on a curve as exact formulae, whose foot point s is found at each state: against the compiled solver."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mbwidgets as mb

AGREEMENT = 1e-10
CURVES: dict[str, tuple[Any, Any, Any]] = {
    "helix": ("cos(s)", "sin(s)", "0.3*s"),
    "falling helix": ("cos(s)", "sin(s)", "-h*s"),
    "parabola": ("s", "s**2", 0),
    "cubic": ("s", "s**2", "s**3"),
    "knot": ("sin(2*s)", "cos(3*s)", "h*sin(s)"),
    "root": ("exp(s/5)", "s", "s*sqrt(1 + s**2)"),
}
"""Rising, falling, flat and turning along z: the normals' sign is known in some and a letter in others."""


def near(ours: Any, expected: Any) -> bool:
    ours, expected = np.asarray(ours), np.asarray(expected)
    assert ours.shape == expected.shape
    return bool(np.abs(ours - expected).max() <= AGREEMENT * max(1.0, np.abs(expected).max()))


def guided(curve: Any, at: Any = (0.1, 0.2, -0.05)) -> mb.Model:
    body = mb.Body("body", mb.Free(), mass=2.0, com=(0.1, -0.2, 0.05), inertia=(0.3, 0.4, 0.5))
    return mb.Model(
        [body],
        gravity=(0.5, 1, -9.81),
        parameters=[mb.Parameter("h", 0.7)],
        constraints=[mb.OnCurve("body", curve, at=at)],
        state={"q": [0.9, 0.3, 0.2, 0.1, 0.2, -0.3, 0.9], "u": [0.3, 0.2, 0.1, 1, 2, -1.5]},
    )


@pytest.mark.parametrize("name", CURVES)
def test_a_guided_body_has_the_matrices_and_forces_of_the_compiled_solver(name: str) -> None:
    model = guided(CURVES[name])
    motion = mb.simulate(model, duration=1, rate=40)
    assert motion.outcome.ok
    assert np.ptp(motion.q[:, :3], axis=0).max() > 0.2
    ours, at = mb.constrained(model), {"q": motion.q, "u": motion.u}
    ud, lam = ours.solve(**at)
    assert (ours.m, ours.rank, ours.freedom, ours.unique) == (2, 2, 4, True)
    assert near(ours.equations.evaluate(q=motion.q), np.zeros((len(motion), 2)))
    assert near(ours.L_lambda.evaluate(q=motion.q), motion.closure.jacobian)
    assert near(ud, motion.ud)
    assert near(lam, motion.multipliers)
    assert near(ours.wrench.evaluate(**at), motion.closure.wrench)
    state = mb.Dynamics(model).constraints(motion.q[20], motion.u[20])
    assert near(ours.L_lambda.evaluate(q=motion.q[20]) @ ud[20], ours.gamma.evaluate(q=motion.q[20], u=motion.u[20]))
    assert near(state.wrench, ours.wrench.evaluate(q=motion.q[20], u=motion.u[20]))
    left = ours.L_tau.evaluate(q=motion.q)
    assert left.shape == (len(motion), 6, 4)
    assert np.linalg.matrix_rank(left).min() == 4
    across = motion.closure.jacobian @ left
    assert np.abs(across).max() <= 1e-12 * np.abs(left).max()


@pytest.mark.parametrize("name", ["helix", "cubic", "parabola"])
def test_multipliers_and_the_papers_form_are_formulae_too(name: str) -> None:
    model = guided(CURVES[name], at=(0, 0, 0))
    motion = mb.simulate(model, duration=0.5, rate=40)
    ours = mb.constrained(model)
    assert near(ours.multipliers.evaluate(q=motion.q, u=motion.u), motion.multipliers)
    vd, lam = ours.paper.solve(motion.q[7], motion.u[7])
    assert near(lam, motion.multipliers[7])
    R = motion.rotations[7, 0]
    w = motion.u[7, 3:]
    assert near(vd[:3], R.T @ motion.ud[7, :3] - np.cross(w, R.T @ motion.u[7, :3]))


@pytest.mark.parametrize("name", CURVES)
def test_what_a_curve_leaves_is_its_tangent(name: str) -> None:
    """The first motion of L_τ is x′(s), wherever s is, up to a factor that does not vanish."""
    ours = mb.constrained(guided(CURVES[name], at=(0, 0, 0)))
    s = np.linspace(-1.1, 1.3, 9)
    along = ours.L_tau[:3, 0].evaluate(q=np.zeros(7), s1=s)
    slope = mb.Formula(list(CURVES[name]), {"h": 0.7}).diff("s").evaluate(s=s)
    assert np.abs(np.cross(along, slope)).max() < 1e-12 * np.abs(along).max()
    assert np.linalg.norm(along, axis=1).min() > 1e-2


def arm_on_a_curve() -> mb.Model:
    arm = mb.library.pendulum(3)
    curve = mb.OnCurve(arm.bodies[-1].name, ("s", 0, "-2.2 + s**2/4"), at=(0, 0, -arm.values["l"]))
    return arm.replace(constraints=[curve])


def test_the_joints_of_an_arm_on_a_curve_carry_what_the_compiled_solver_says() -> None:
    model = arm_on_a_curve()
    motion = mb.simulate(model, duration=0.5)
    assert motion.outcome.ok
    assert np.ptp(motion.multipliers[:, 0]) > 10
    for k in range(3):
        ours, expected = mb.reactions(model, k, "release"), motion.reactions(k)
        found = [part.evaluate(q=motion.q, u=motion.u) for part in (ours.force, ours.moment)]
        assert near(np.concatenate(found, axis=1), expected)
        freed = mb.release(model, k)
        assert near(freed.reactions.evaluate(q=motion.q, u=motion.u)[:, :3], expected[:, :3])


def test_other_coordinates_find_the_same_foot_point() -> None:
    model = arm_on_a_curve()
    motion = mb.simulate(model, duration=0.2)
    C = np.array(mb.library.absolute_angles(model))
    one, other = mb.release(model, 1), mb.release(model, 1, coordinates="absolute")
    found = other.reactions.evaluate(q=motion.q @ C.T, u=motion.u @ C.T)
    assert near(found, one.reactions.evaluate(q=motion.q, u=motion.u))


def test_a_foot_point_is_found_far_along_the_curve_and_can_be_given() -> None:
    model = guided(("cos(s)", "sin(s)", "0.3*s"), at=(0, 0, 0))
    ours = mb.constrained(model)
    s = np.array([-700.0, -41.0, 0.3, 9.0, 33.0])
    q = np.stack([np.cos(s), np.sin(s), 0.3 * s, *np.zeros((3, 5)), np.ones(5)], axis=1)
    assert np.abs(ours.equations.evaluate(q=q)).max() < 1e-11
    given = ours.L_lambda.evaluate(q=q, s1=s)
    assert near(ours.L_lambda.evaluate(q=q), given)
    assert np.abs(ours.equations.evaluate(q=q[2], s1=0.8)).max() > 0.05  # not the foot point: the user's own


def test_letters_of_curves_keep_clear_of_parameters() -> None:
    """Two curves that call their parameter s, and a model that has s1 already."""
    bodies = [mb.Body(name, mb.Free(), parent=mb.ground, mass=1, inertia=(1, 1, 1)) for name in ("one", "two")]
    model = mb.Model(
        bodies,
        parameters=[mb.Parameter("s1", 2.0)],
        constraints=[mb.OnCurve("one", ("s", "s1*s**2", 0)), mb.OnCurve("two", ("cos(s)", "sin(s)", "s"))],
    )
    q = [1, 2, 0, 0, 0, 0, 1, np.cos(3), np.sin(3), 3, 0, 0, 0, 1]
    ours = mb.constrained(model)
    names = {g.name for g in ours.equations.ring.generators if g.name}
    assert {"s1", "s1_"} <= names
    assert near(ours.equations.evaluate(q=q), np.zeros(4))
    state = mb.Dynamics(model).constraints(q, np.zeros(12))
    assert near(ours.L_lambda.evaluate(q=q), state.L_lambda)
    # the curve depends on the parameter, one value a state
    moved = np.array([q, q])
    moved[1, 1] = 3.0
    assert near(ours.equations.evaluate(q=moved, s1=[2.0, 3.0]), np.zeros((2, 4)))


def test_letters_of_curves_keep_clear_of_each_other() -> None:
    """A curve whose own parameter is called as the letter of its side would be."""
    plain = guided(CURVES["knot"])
    curve = tuple(text.replace("s)", "side)") for text in CURVES["knot"])
    named = plain.replace(constraints=[mb.OnCurve("body", curve, at=(0.1, 0.2, -0.05), parameter="side")])
    motion = mb.simulate(plain, duration=0.3, rate=40)
    found = [mb.constrained(model).L_lambda.evaluate(q=motion.q) for model in (plain, named)]
    assert near(found[1], found[0])
    assert near(found[1], motion.closure.jacobian)


def test_a_crossing_of_the_horizontal_keeps_the_force() -> None:
    """The normals change sign where the curve turns along z; the wrench does not notice."""
    model = guided(("s", 0, "cos(s)"), at=(0, 0, 0))
    ours = mb.constrained(model)
    places = np.array([-0.4, -0.1, 0.1, 0.4])
    q = np.stack([places, 0 * places, np.cos(places), *np.zeros((3, 4)), np.ones(4)], axis=1)
    for k in range(4):
        state = mb.Dynamics(model).constraints(q[k], np.zeros(6))
        assert near(ours.L_lambda.evaluate(q=q[k]), state.L_lambda)
        assert near(ours.wrench.evaluate(q=q[k], u=np.zeros(6)), state.wrench)
