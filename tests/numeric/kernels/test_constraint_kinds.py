"""Every kind of constraint in motion: against a closed form, or a tree that is the same mechanism."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import mbwidgets as mb

G = 9.81
FREE = {"mass": 2.0, "com": (0.1, -0.2, 0.05), "inertia": (0.3, 0.4, 0.5)}


def ball(*constraints: Any, **state: Any) -> mb.Model:
    """A free body under gravity and constraints."""
    return mb.Model([mb.Body("body", mb.Free(), **FREE)], gravity=(0, 0, -G), constraints=constraints, state=state)


def point(*constraints: Any, q: Any, u: Any = (0, 0, 0)) -> mb.Model:
    """A point mass on three sliders, under gravity and constraints."""
    nothing = {"mass": 0, "inertia": (0, 0, 0)}
    return mb.Model(
        [
            mb.Body("along", mb.Prismatic("x"), **nothing),
            mb.Body("across", mb.Prismatic("y"), **nothing),
            mb.Body("point", mb.Prismatic("z"), mass=1.5, inertia=(1, 1, 1)),
        ],
        gravity=(0, 0, -G),
        constraints=constraints,
        state={"q": list(q), "u": list(u)},
    )


def rotation(quaternion: np.ndarray) -> np.ndarray:
    from scipy.spatial.transform import Rotation

    return np.asarray(Rotation.from_quat(quaternion).as_matrix())


def held(motion: mb.Motion) -> None:
    assert motion.outcome.ok, motion.outcome
    assert motion.constraint_residual.max() < 1e-10
    assert motion.drift < 1e-8


def test_a_point_constraint_is_a_spherical_joint() -> None:
    at, spin = (0.3, -0.1, 0.2), [0.7, -1.1, 2.0]
    tree = mb.Model(
        [mb.Body("body", mb.Spherical(), **{**FREE, "com": tuple(np.subtract(FREE["com"], at))})],
        gravity=(0, 0, -G),
        state={"u": spin},
    )
    start = {"q": [*np.negative(at), 0, 0, 0, 1], "u": [*np.cross(at, spin), *spin]}
    closed = ball(mb.PointConstraint(("body", at), None), **start)
    one, other = mb.simulate(tree, duration=2), mb.simulate(closed, duration=2)
    held(other)
    np.testing.assert_allclose(rotation(other.q[:, 3:]), rotation(one.q), atol=1e-8)
    # the constraint's force is the joint's reaction
    np.testing.assert_allclose(other.constraint_forces[0].force, one.reactions(0)[:, :3], atol=1e-6)


def test_point_and_parallel_axes_are_a_revolute_joint() -> None:
    axis = (0.6, 0, 0.8)
    tree = mb.Model([mb.Body("body", mb.Revolute(axis), **FREE)], gravity=(0, 0, -G), state={"u": [1.5]})
    closed = ball(
        mb.PointConstraint("body", None),
        mb.ParallelConstraint(("body", (0, 0, 0), axis), (None, (0, 0, 0), axis)),
        u=[0, 0, 0, *np.multiply(axis, 1.5)],
    )
    one, other = mb.simulate(tree, duration=2), mb.simulate(closed, duration=2)
    held(other)
    np.testing.assert_allclose(other.u[:, 3:] @ axis, one.u[:, 0], atol=1e-8)
    assert other.closure.freedom == 1


def test_a_weld_makes_two_bodies_one() -> None:
    second = {"mass": 1.0, "com": (0, 0.1, 0), "inertia": (0.1, 0.1, 0.1)}
    bodies = [mb.Body("one", mb.Revolute("x"), **FREE)]
    at = (0, 0.4, 0.1)
    tree = mb.Model([*bodies, mb.Body("two", mb.Fixed(at=at), **second)], gravity=(0, 0, -G), state={"u": [2.0]})
    closed = mb.Model(
        [*bodies, mb.Body("two", mb.Free(), parent=mb.ground, **second)],
        gravity=(0, 0, -G),
        constraints=[mb.WeldConstraint(("one", at), "two")],
        state={"q": [0, *at, 0, 0, 0, 1], "u": [2.0, 0, -0.2, 0.8, 2.0, 0, 0]},
    )
    one, other = mb.simulate(tree, duration=2), mb.simulate(closed, duration=2)
    held(other)
    np.testing.assert_allclose(other.q[:, 0], one.q[:, 0], atol=1e-8)
    weld = other.constraint_forces[1]
    assert weld.body == "two"
    # force and moment of the weld on the second body are the fixed joint's reaction
    np.testing.assert_allclose(weld.force, one.reactions("two")[:, :3], atol=1e-6)
    np.testing.assert_allclose(weld.moment, one.reactions("two")[:, 3:], atol=1e-6)


def test_an_orientation_constraint_leaves_a_projectile() -> None:
    model = ball(mb.OrientationConstraint("body", None), u=[1, 2, 3, 0, 0, 0])
    motion = mb.simulate(model, duration=1)
    held(motion)
    expected = np.outer(motion.t, [1, 2, 3]) - np.outer(motion.t**2, [0, 0, G / 2])
    np.testing.assert_allclose(motion.q[:, :3], expected, atol=1e-9)
    np.testing.assert_allclose(motion.q[:, 3:], [[0, 0, 0, 1]] * len(motion), atol=1e-12)


def test_a_distance_is_a_pendulum() -> None:
    angle = 0.8
    model = point(
        mb.DistanceConstraint("point", (None, (0, 0, 1)), 0.7),
        mb.OnPlane("point", normal="y"),
        q=[0.7 * np.sin(angle), 0, 1 - 0.7 * np.cos(angle)],
    )
    motion = mb.simulate(model, duration=3)
    held(motion)
    exact = _swing(angle, 0.7, motion.t)
    np.testing.assert_allclose(motion.q[:, 0], 0.7 * np.sin(exact), atol=1e-8)


def _swing(angle: float, length: float, t: np.ndarray) -> np.ndarray:
    solved = solve_ivp(
        lambda _, y: [y[1], -G / length * np.sin(y[0])],
        (0, t[-1]),
        [angle, 0],
        method="DOP853",
        rtol=1e-13,
        atol=1e-13,
        t_eval=t,
    )
    return np.asarray(solved.y[0])


def test_a_circle_is_a_pendulum() -> None:
    model = point(
        mb.OnCircle("point", 0.7, centre=(0, 0, 1), normal="y"),
        q=[0.7 * np.sin(0.8), 0, 1 - 0.7 * np.cos(0.8)],
    )
    motion = mb.simulate(model, duration=3)
    held(motion)
    np.testing.assert_allclose(motion.q[:, 0], 0.7 * np.sin(_swing(0.8, 0.7, motion.t)), atol=1e-8)


def test_a_sphere_is_a_spherical_pendulum() -> None:
    """A conical motion: ω² = g / (l cos α) keeps its height."""
    length, cone = 0.9, 0.6
    omega = np.sqrt(G / (length * np.cos(cone)))
    radius = length * np.sin(cone)
    model = point(
        mb.OnSphere("point", length),
        q=[radius, 0, -length * np.cos(cone)],
        u=[0, radius * omega, 0],
    )
    motion = mb.simulate(model, duration=3)
    held(motion)
    expected = np.stack([np.cos(omega * motion.t), np.sin(omega * motion.t)], axis=1) * radius
    np.testing.assert_allclose(motion.q[:, :2], expected, atol=1e-8)


def test_a_plane_is_a_slope() -> None:
    normal = np.array([0.6, 0, 0.8])
    motion = mb.simulate(point(mb.OnPlane("point", normal=tuple(normal)), q=[0, 0, 0], u=[0, 1, 0]), duration=2)
    held(motion)
    pull = np.array([0, 0, -G]) - normal * (normal @ [0, 0, -G])
    expected = np.outer(motion.t, [0, 1, 0]) + np.outer(motion.t**2 / 2, pull)
    np.testing.assert_allclose(motion.q, expected, atol=1e-9)
    np.testing.assert_allclose(motion.constraint_forces[0].force, [1.5 * G * 0.8 * normal] * len(motion), atol=1e-8)


def test_a_line_is_a_slide() -> None:
    along = np.array([2.0, 1.0, 2.0]) / 3
    motion = mb.simulate(point(mb.OnLine("point", direction=tuple(along)), q=[0, 0, 0]), duration=2)
    held(motion)
    np.testing.assert_allclose(motion.q, np.outer(-G * along[2] * motion.t**2 / 2, along), atol=1e-9)


def test_a_helix_is_a_slope_that_is_wound_up() -> None:
    """On x = (cos s, sin s, k s) a point falls with s̈ = −g k / (1 + k²)."""
    model = point(mb.OnCurve("point", ("cos(s)", "sin(s)", "0.3*s")), q=[1, 0, 0])
    motion = mb.simulate(model, duration=3)
    held(motion)
    s = -G * 0.3 / (1 + 0.09) * motion.t**2 / 2
    expected = np.stack([np.cos(s), np.sin(s), 0.3 * s], axis=1)
    np.testing.assert_allclose(motion.q, expected, atol=1e-7)
    # weight and the guide's force give the acceleration of the point
    acceleration = motion.ud + np.array([0, 0, G])
    np.testing.assert_allclose(motion.constraint_forces[0].force, 1.5 * acceleration, atol=1e-6)


def test_a_prescribed_coordinate_takes_its_effort() -> None:
    model = mb.library.pendulum(1).replace(constraints=[mb.Prescribed("rod 1", "sin(2*t)")])
    motion = mb.simulate(model, duration=3)
    held(motion)
    np.testing.assert_allclose(motion.q[:, 0], np.sin(2 * motion.t), atol=1e-12)
    tree = mb.Dynamics(mb.library.pendulum(1))
    expected = [tree.inverse(*frame) for frame in zip(motion.q, motion.u, motion.ud, strict=True)]
    np.testing.assert_allclose(motion.constraint_forces[0].effort, expected, atol=1e-8)


def test_an_equation_is_a_gear() -> None:
    """q1 = −2 q0: two discs on one effort turn as their reduced inertia says."""
    discs = [
        mb.Body("small", mb.Revolute("z"), mass=1, inertia=(1, 1, 0.2)),
        mb.Body("large", mb.Revolute("z", at=(1, 0, 0)), parent=mb.ground, mass=1, inertia=(1, 1, 0.3)),
    ]
    model = mb.Model(
        discs,
        gravity=(0, 0, 0),
        forces=[mb.Effort("small", 0.7)],
        constraints=[mb.EquationConstraint("q[1] + 2*q[0]")],
    )
    motion = mb.simulate(model, duration=2)
    held(motion)
    np.testing.assert_allclose(motion.q[:, 0], 0.7 / (0.2 + 4 * 0.3) * motion.t**2 / 2, atol=1e-9)


KINDS = (
    mb.PointConstraint(("body", (0.3, 0, 0)), ("other", (0, "l", 0))),
    mb.WeldConstraint("body", ("other", (0, 0, "l"))),
    mb.OrientationConstraint("body", "other"),
    mb.ParallelConstraint(("body", (0, 0, 0), "x"), ("other", (0, 0, 0), (1, 2, 2))),
    mb.DistanceConstraint("body", ("other", (0, 0.1, 0)), "2*l"),
    mb.OnPlane("body", normal=(1, 2, 2)),
    mb.OnLine("body", at=(0.1, 0, 0), direction=(2, 1, 2)),
    mb.OnSphere("body", "l", centre=(0, 0, 1)),
    mb.OnCircle("body", 0.7, normal="y"),
    mb.OnCurve("body", ("cos(p)", "sin(p)", "l*p"), parameter="p"),
    mb.EquationConstraint("q[0]*q[1] - l*sin(t) - 0.02"),
    mb.Prescribed("body", "l*cos(3*t)", coordinate=2),
)


@pytest.mark.parametrize("constraint", KINDS, ids=lambda constraint: constraint.type)
def test_every_kind_survives_its_file(constraint: Any, tmp_path: Any) -> None:
    """A model read back from JSON is the same and moves as before, under its constraint."""
    bodies = [mb.Body("body", mb.Free(), **FREE), mb.Body("other", mb.Free(), parent=mb.ground, **FREE)]
    state = {"q": [0.2, 0.1, 0.3, 0, 0.1, 0, 1, 0.5, 0.4, 0.6, 0.1, 0, 0, 1], "u": [0.1] * 12}
    model = mb.Model(bodies, parameters=[mb.Parameter("l", 0.4)], constraints=[constraint], state=state)
    mb.save(model, tmp_path / "model.json")
    again = mb.load(tmp_path / "model.json")
    assert again == model
    assert again.constraints[0].type == constraint.type
    one, other = (mb.simulate(item, duration=0.2) for item in (model, again))
    assert one.outcome.ok, one.outcome
    assert one.constraint_residual.max() < 1e-10
    np.testing.assert_array_equal(other.q, one.q)


def test_no_kind_is_left_out() -> None:
    from mbwidgets.model.constraints import CONSTRAINTS

    assert {constraint.type for constraint in KINDS} == set(CONSTRAINTS)


@pytest.mark.parametrize("stabilise", ["projection", "baumgarte", "none"])
def test_drift_is_what_the_control_leaves(stabilise: str) -> None:
    motion = mb.simulate(mb.library.four_bar(), stabilise=stabilise, rtol=1e-8)
    assert motion.outcome.ok
    limit = {"projection": 1e-13, "baumgarte": 1e-6, "none": 1e-4}[stabilise]
    assert motion.constraint_residual.max() < limit
    assert stabilise == "projection" or motion.constraint_residual.max() > 1e-13


def test_a_curve_written_with_powers_and_roots_holds_its_body() -> None:
    """At rest on a curve in a horizontal plane: the guide carries the weight, and nothing drifts."""
    body = mb.Body("bead", joint=mb.Free(), mass=1, inertia=(1, 1, 1))
    curve = mb.OnCurve("bead", curve=("s", "s**2/2 + sqrt(s + 4)", 0))
    model = mb.Model([body], constraints=[curve], state={"q": [1, 0.5 + 5**0.5, 0, 0, 0, 0, 1]})
    motion = mb.simulate(model, duration=1)
    np.testing.assert_allclose(motion.constraint_forces[0].force, np.tile([0, 0, 9.81], (61, 1)), atol=1e-9)
    assert motion.drift < 1e-12
