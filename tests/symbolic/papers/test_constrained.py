"""Constraints as exact formulae: L_λ, its orthogonal complement L_τ, multipliers (Tătaru, with errata)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.numeric.base.rotations import rotation_matrices
from mbwidgets.symbolic.mechanics.body_geometry import coordinate_rates
from mbwidgets.symbolic.mechanics.constraint_equations import scalar_constraints
from tests.symbolic.mechanisms import data

REFERENCE = data("body_on_circle.json")
SAMPLES = REFERENCE["trajectory"]["samples"]
PRECISION = 1e-12
"""Relative; the reference was computed with 50 digits and rounded to doubles."""


def near(ours: Any, expected: Any, precision: float = PRECISION) -> bool:
    ours, expected = np.asarray(ours, dtype=float), np.asarray(expected, dtype=float)
    assert ours.shape == expected.shape
    return bool(np.abs(ours - expected).max(initial=0.0) <= precision * max(1.0, np.abs(expected).max(initial=0.0)))


def on_circle(alpha: float, phi: float, alphad: float, phid: float) -> dict[str, Any]:
    """The state of the free body with O₁ at angle α of the unit circle, turned by φ."""
    q = [np.cos(alpha), np.sin(alpha), 0, 0, 0, np.sin(phi / 2), np.cos(phi / 2)]
    return {"q": q, "u": [-np.sin(alpha) * alphad, np.cos(alpha) * alphad, 0, 0, 0, phid]}


@pytest.fixture(scope="module")
def circle() -> Any:
    return mb.constrained(mb.library.body_on_circle())


def test_the_complement_of_a_circle_is_that_of_the_paper(circle: Any) -> None:
    assert (circle.m, circle.rank, circle.freedom, circle.unique) == (4, 4, 2, True)
    assert str(circle.L_tau) == "[[-q[1], 0], [q[0], 0], [0, 0], [0, 0], [0, 0], [0, 1]]"  # (64)-(67)
    assert not circle.L_lambda @ circle.L_tau
    assert str(circle.L_lambda[0]) == "[q[0]/R, q[1]/R, q[2]/R, 0, 0, 0]"  # (33)


def test_the_complement_of_a_four_bar_is_that_of_the_textbook() -> None:
    """The bars' absolute angular velocities: l2 l3 sin(θ2 − θ3) : l1 l3 sin(θ3 − θ1) : l1 l2 sin(θ2 − θ1)."""
    model = mb.library.four_bar()
    ours = mb.constrained(model)
    assert not ours.L_lambda @ ours.L_tau
    assert ours.L_tau.terms == 11
    q = np.array([0.3, 0.8, 1.7])
    l1, l2, l3 = (model.values[name] for name in ("l1", "l2", "l3"))
    first, second, third = q[0], q[0] + q[1], q[2]
    absolute = np.array([[1, 0, 0], [1, 1, 0], [0, 0, 1]]) @ ours.L_tau.evaluate(q=q)[:, 0]
    expected = [l2 * l3 * np.sin(second - third), l1 * l3 * np.sin(third - first), l1 * l2 * np.sin(second - first)]
    assert near(absolute / absolute[2], np.array(expected) / expected[2])


@pytest.mark.parametrize("name", ["slider_crank", "n_four_bar", "andrews_squeezer"])
def test_the_complement_of_a_loop_is_exact_and_that_of_its_motion(name: str) -> None:
    model = getattr(mb.library, name)()
    ours = mb.constrained(model)
    assert not ours.L_lambda @ ours.L_tau
    motion = mb.simulate(model, duration=0.01)
    left, u = ours.L_tau.evaluate(q=motion.q)[-1], motion.u[-1]
    assert left.shape == (model.nv, 1)
    assert near(left[:, 0] / np.linalg.norm(left) * np.sign(left[:, 0] @ u), u / np.linalg.norm(u), 1e-10)


@pytest.mark.parametrize("sample", SAMPLES)
def test_multipliers_and_reaction_are_those_of_the_reference(circle: Any, sample: dict[str, Any]) -> None:
    at = on_circle(*(sample[key] for key in ("alpha", "phi", "alphad", "phid")))
    assert near(circle.multipliers.evaluate(**at), sample["lam"])
    assert near(circle.wrench.evaluate(**at), [*sample["reaction_xy"], 0, 0, 0, 0])
    assert near(circle.solve(**at)[1], sample["lam"])


def test_the_papers_matrices_are_those_of_the_reference(circle: Any) -> None:
    given = REFERENCE["matrices"]
    at = on_circle(*(given[key] for key in ("alpha", "phi", "alphad", "phid")))
    paper = circle.paper
    for name, formula in (("M", paper.M), ("L_lambda", paper.L_lambda), ("L_tau", paper.L_tau), ("v1", paper.v)):
        assert near(formula.evaluate(**at), given[name]), name
    vd, lam = paper.solve(**at)
    assert near(vd, given["vdot"])
    assert near(lam, given["lam"])
    assert near(paper.multipliers.evaluate(**at, ud=vd), given["lam"])


def test_the_equations_hold_about_every_pole(circle: Any, rng: np.random.Generator) -> None:
    at = on_circle(*rng.normal(size=4))
    vd, lam = circle.paper.solve(**at)
    w, wd = np.array(at["u"][3:]), vd[3:]
    for pole in rng.normal(size=(3, 3)):
        other = circle.paper.about(tuple(pole))
        found, force = other.solve(**at)
        # v̇ in body components: v_P = v_O + ω × P, P fixed in the body
        assert near(found[:3], vd[:3] + np.cross(wd, pole), 1e-10)
        assert near(found[3:], wd, 1e-10)
        assert near(force, lam, 1e-10)
        # ω_x = ω_y = 0 of (29), (30) stand for parallel axes where they are parallel
        assert near(other.L_lambda.evaluate(**at) @ other.L_tau.evaluate(**at), np.zeros((4, 2)))
        c = np.array([0.5, 0, 0]) - pole
        assert near(other.S.evaluate(), np.cross(c, np.eye(3)).T)
        assert near(other.M.evaluate(), other.M.evaluate().T)
    assert w[2] == at["u"][5]


def test_the_printed_sign_of_11_is_wrong_in_space() -> None:
    """Tătaru (11): −[ω][J] passes unseen in plane motion, not in space."""
    given = REFERENCE["free_body_eq11"]["input"]
    body = mb.Body("body", mb.Free(), mass=given["m"], com=given["c"], inertia=given["JCmat"])
    loads = [mb.Force("body", given["F"], axes="body"), mb.Torque("body", given["M_O"], axes="body")]
    model = mb.Model([body], gravity=(0, 0, 0), forces=loads, constraints=[mb.OnPlane("body")])
    paper = mb.constrained(model).paper
    at = {"q": [0, 0, 0, 0, 0, 0, 1], "u": [*given["v"], *given["w"]]}
    M, Omega, v, Q = (formula.evaluate(**at) for formula in (paper.M, paper.Omega, paper.v, paper.Q))
    assert near(M, REFERENCE["free_body_eq11"]["M"])
    assert near(np.linalg.solve(M, Q - Omega @ v), REFERENCE["free_body_eq11"]["vdot_corrected"])
    printed = Omega.copy()
    printed[3:, 3:] *= -1
    wrong = np.linalg.solve(M, Q - printed @ v)
    assert near(wrong, REFERENCE["free_body_eq11"]["vdot_printed_WRONG"])
    assert np.abs(wrong - REFERENCE["free_body_eq11"]["vdot_corrected"]).max() > 1


def test_a_body_on_a_circle_is_the_hammer_crusher_without_drum_and_torque(rng: np.random.Generator) -> None:
    """Accelerations and reactions of theory/5 are those of theory/2 with I1 = 0, M = 0."""
    circle = mb.library.body_on_circle()
    values = {"R": 1.0, "a": 0.5, "m": 1.0, "I1": 0.0, "I2": 1 / 12, "M": 0.0, "g": 9.81}
    hammer = mb.release(mb.library.hammer_crusher(), "hammer", coordinates="absolute")
    ours = mb.constrained(circle)
    checked = REFERENCE["cross_check_seed001_I1_0"]
    given = REFERENCE["matrices"]
    states = [*rng.normal(size=(5, 4)), np.array([given[key] for key in ("alpha", "phi", "alphad", "phid")])]
    for alpha, phi, alphad, phid in states:
        at = on_circle(alpha, phi, alphad, phid)
        there = {"q": [alpha, phi], "u": [alphad, phid], **values}
        ud, _ = ours.solve(**at)
        qdd = hammer.accelerations.evaluate(**there)
        assert near(ud[5], qdd[1])
        assert near(np.array(at["q"][:2]) @ [ud[1], -ud[0]], qdd[0])
        # the circle pushes the body as the drum's pin does
        assert near(ours.wrench.evaluate(**at)[:2], hammer.reactions.evaluate(**there)[:2])
    assert near(qdd, checked["qdd"])
    assert near(hammer.reactions.evaluate(**there)[:2], checked["R_sigma_xi"])


@pytest.mark.parametrize(
    ("key", "gravity"), [("+x", (9.81, 0, 0)), ("-y", (0, -9.81, 0)), ("+z (eq.18 literal)", (0, 0, 9.81))]
)
def test_only_gravity_along_x_moves_the_papers_initial_state(key: str, gravity: Any) -> None:
    """Tătaru (18) prints gravity along z, which moves nothing."""
    model = mb.library.body_on_circle().replace(gravity=gravity)
    ours = mb.constrained(model)
    vd, lam = ours.paper.solve(q=model.q0, u=model.u0)
    given = REFERENCE["gravity_readings_at_paper_initial_state"][key]
    assert near(vd, given["vdot0"])
    assert near(lam[:2], given["lam0"][:2])


def constraints(model: mb.Model) -> list[Any]:
    a, b = mb.Parameter("a", 0.3), mb.Parameter("ell", 0.7, min=0.1)
    return [
        mb.PointConstraint(("fore", (a, 0, 0)), ("base", (0, 0.2, 0.1))),
        mb.WeldConstraint(("fore", (0.1, 0, 0)), (None, (0, 0.2, 0.1))),
        mb.ParallelConstraint(("fore", (0, 0, 0), (1, 2, 2)), ("base", (0, 0, 0), (2, 3, 6))),
        mb.DistanceConstraint(("fore", (0.1, 0.2, 0)), ("base", (0, 0, 0)), b),
        mb.OnPlane("fore", at=(0.1, 0, 0), point=(0, 0, 1), normal=(1, 2, 2)),
        mb.OnLine("fore", at=(0.1, 0, 0), direction=(2, -1, 2)),
        mb.OnSphere("fore", 0.9, at=(0.1, 0, a)),
        mb.OnCircle("fore", b, at=(0.1, 0, 0), centre=(0, 1, 0), normal="y"),
        mb.EquationConstraint("q[0]*sin(q[1]) - 2*t*q[2]**2 + m1"),
        mb.Prescribed("upper", "3*t**2"),
    ]


def slopes_by_differences(model: mb.Model, q: np.ndarray, u: np.ndarray, t: float) -> tuple[np.ndarray, np.ndarray]:
    """Φ̇ and Φ̈ at u̇ = 0 of the exact Φ, by central differences along the motion."""
    phi = mb.constrained(model).equations
    from mbwidgets.symbolic.mechanics.derivation import study_of

    rates = coordinate_rates(study_of(model, balls=True).mechanism.segments)
    speed = mb.Formula([rates[k] for k in range(model.nq)])

    def moved(h: float) -> np.ndarray:
        there, steps = np.array(q), 40
        for _ in range(steps):  # the midpoint rule along q̇(q, u), u held
            middle = there + h / steps / 2 * speed.evaluate(q=there, u=u)
            there = there + h / steps * speed.evaluate(q=middle, u=u)
        return np.asarray(phi.evaluate(q=there, t=t + h))

    h = 1e-3
    return (moved(h) - moved(-h)) / (2 * h), (moved(h) - 2 * moved(0.0) + moved(-h)) / h**2


@pytest.mark.parametrize("number", range(10))
def test_slopes_and_second_rates_are_those_of_the_equations(number: int, rng: np.random.Generator) -> None:
    arm = mb.library.three_body_arm()
    model = arm.replace(constraints=[constraints(arm)[number]])
    ours = mb.constrained(model)
    q, u = rng.normal(size=(2, model.nv))
    t = 0.4
    first, second = slopes_by_differences(model, q, u, t)
    slow = ours.equations.diff("t").evaluate(q=q, t=t)
    # the differences themselves are good to h² = 1e-6 of the derivatives that follow
    assert near(ours.L_lambda.evaluate(q=q, t=t) @ u + slow, first, 1e-4)
    assert near(-ours.gamma.evaluate(q=q, u=u, t=t), second, 1e-3)


@pytest.mark.parametrize("number", range(12))
def test_every_kind_of_constraint_is_that_of_the_compiled_solver(number: int) -> None:
    """Two free bodies, held for a while by one constraint: L_λ, u̇, λ and the wrench in every frame."""
    bodies = [
        mb.Body("base", mb.Free(), mass=2.0, com=(0.1, -0.2, 0.05), inertia=(0.3, 0.4, 0.5)),
        mb.Body("fore", mb.Free(), mass=1.0, com=(0, 0.1, 0.2), inertia=(0.1, 0.2, 0.15), parent=mb.ground),
    ]
    items = [
        *constraints(mb.library.three_body_arm())[:-1],
        mb.Prescribed("fore", "3*t**2", coordinate=1),
        mb.OrientationConstraint("fore", "base"),
        mb.OnCurve("fore", ("cos(s)", "sin(s)", "s/3"), at=(0.1, 0, 0.2)),
    ]
    state = {"q": [0.4, 0.8, 0.3, 0, 0, 0.1, 1, 0.5, 0.6, 0.7, 0.2, 0.1, 0, 1], "u": [*np.linspace(-1, 1, 12)]}
    model = mb.Model(bodies, constraints=[items[number]], parameters=[mb.Parameter("m1", -0.3)], state=state)
    motion = mb.simulate(model, duration=0.2)
    assert motion.outcome.ok, motion.outcome
    ours, at = mb.constrained(model), {"q": motion.q, "u": motion.u, "t": motion.t}
    ud, lam = ours.solve(**at)
    assert near(ours.equations.evaluate(q=motion.q, t=motion.t), motion.closure.values, 1e-10)
    assert near(ours.L_lambda.evaluate(q=motion.q, t=motion.t), motion.closure.jacobian, 1e-10)
    assert near(ud, motion.ud, 1e-10)
    assert near(lam, motion.multipliers, 1e-10)
    assert near(ours.wrench.evaluate(**at), motion.closure.wrench, 1e-10)
    assert np.abs(motion.closure.wrench).max() > 1e-4


def test_slopes_hold_for_balls_too(rng: np.random.Generator) -> None:
    chain = mb.library.spherical_chain(2)
    names = [body.name for body in chain.bodies]
    items = [
        mb.PointConstraint((names[1], (0.1, 0.2, 0.3)), (None, (1, 0, 0))),
        mb.ParallelConstraint((names[1], (0, 0, 0), "x"), (names[0], (0, 0, 0), "z")),
        mb.EquationConstraint("q[0]*q[5] - q[3]/2"),
    ]
    model = chain.replace(constraints=items)
    q = rng.normal(size=(2, 4))
    q = (q / np.linalg.norm(q, axis=1)[:, None]).reshape(-1)
    u = rng.normal(size=6)
    first, second = slopes_by_differences(model, q, u, 0.0)
    ours = mb.constrained(model)
    assert near(ours.L_lambda.evaluate(q=q) @ u, first, 1e-4)
    assert near(-ours.gamma.evaluate(q=q, u=u), second, 1e-3)


def test_a_wire_that_turns_is_a_constraint_of_time() -> None:
    given = REFERENCE_RELEASE["rotating_wire_rheonomic"]
    body = mb.Body("bead", mb.Prismatic("y"), mass=given["m"])
    model = mb.Model(
        [mb.Body("carrier", mb.Prismatic("x")), body],
        gravity=(0, -given["g"], 0),
        constraints=[mb.EquationConstraint(f"q[1]*cos({given['Omega']}*t) - q[0]*sin({given['Omega']}*t)")],
    )
    s, c = np.sin(given["Omega"] * given["t"]), np.cos(given["Omega"] * given["t"])
    r, rd, spin = given["r"], given["rdot"], given["Omega"]
    q, u = [r * c, r * s], [rd * c - r * spin * s, rd * s + r * spin * c]
    ours = mb.constrained(model)
    ud, _ = ours.solve(q, u, t=given["t"])
    assert near(ud, given["qdd"])
    assert near(np.abs(ours.gamma.evaluate(q=q, u=u, t=given["t"])), np.abs(given["gamma"]))
    assert near(ours.wrench.evaluate(q=q, u=u, t=given["t"]), given["R"])


REFERENCE_RELEASE = data("joint_release.json")


def test_redundant_constraints_leave_the_wrench_and_not_the_multipliers() -> None:
    circle = mb.library.body_on_circle()
    doubled = circle.replace(constraints=[*circle.constraints, mb.OnPlane("body")])
    ours, plain = mb.constrained(doubled), mb.constrained(circle)
    assert (ours.m, ours.rank, ours.unique, ours.freedom) == (5, 4, False, 2)
    at = on_circle(0.3, 0.8, 1.0, -2.0)
    assert near(ours.wrench.evaluate(**at), plain.wrench.evaluate(**at))
    assert near(ours.solve(**at)[0], plain.solve(**at)[0])
    assert not ours.L_lambda @ ours.L_tau
    with pytest.raises(mb.ModelError, match="not unique"):
        _ = ours.multipliers


def test_a_rank_that_falls_on_the_constraints_is_told() -> None:
    model = mb.library.bricard()
    ours = mb.constrained(model)
    assert (ours.m, ours.rank, ours.freedom) == (5, 4, 1)
    left = ours.complement_at()
    assert left.shape == (5, 1)
    assert near(ours.L_lambda.evaluate(q=model.q0) @ left, np.zeros((5, 1)))
    with pytest.raises(mb.SizeError, match="rank"):
        _ = ours.L_tau


@pytest.mark.parametrize(
    ("constraint", "rank"),
    [
        (mb.OnCircle("body", radius=1), 2),
        (mb.OnCircle("body", radius=300, centre=(5, 0, 0), normal=(1, 2, 3)), 2),
        (mb.OnSphere("body", radius=7e6), 1),
        (mb.DistanceConstraint(None, "body", 1e-3), 1),
    ],
)
def test_the_rank_is_that_on_the_constraints_wherever_the_model_starts(constraint: Any, rank: int) -> None:
    """In the centre of a circle its slope is zero: one equation seemed to be left."""
    body = mb.Body("body", mb.Free(), mass=1, inertia=(1, 2, 3))
    held = mb.constrained(mb.Model([body], constraints=[constraint]))
    assert (held.rank, held.m, held.unique, held.freedom) == (rank, rank, True, 6 - rank)
    assert held.L_tau.shape == (6, 6 - rank)
    assert held.complement_at().shape == (6, 6 - rank)


@pytest.mark.parametrize("factor", ["1e-12", "1e12"])
def test_what_an_equation_is_multiplied_by_changes_neither_rank_nor_motion(factor: str) -> None:
    loop = mb.library.four_bar()
    driven = [
        loop.replace(constraints=[*loop.constraints, mb.EquationConstraint(text)])
        for text in ("q[0] - 1.2 - 4*t", f"{factor}*(q[0] - 1.2 - 4*t)")
    ]
    plain, scaled = (mb.constrained(model) for model in driven)
    assert plain.rank == scaled.rank == 3
    (ud, force), (same, other) = (held.solve(loop.q0, loop.u0) for held in (plain, scaled))
    np.testing.assert_allclose(same, ud, atol=1e-9)
    np.testing.assert_allclose(other[-1] * float(factor), force[-1], rtol=1e-9)
    motion = mb.simulate(driven[1], duration=0.5)
    assert motion.outcome.ok, motion.outcome
    np.testing.assert_allclose(motion.multipliers[0, -1] * float(factor), force[-1], rtol=1e-8)


def test_turns_of_quaternions_are_exact() -> None:
    circle = mb.constrained(mb.library.body_on_circle())
    R = circle.paper.R
    assert mb.Formula([[1, 0, 0], [0, 1, 0], [0, 0, 1]]) == R @ R.T
    q = [0, 0, 0, 0.1, -0.5, 0.7, 0.5]
    q[3:] = list(np.array(q[3:]) / np.linalg.norm(q[3:]))
    assert near(R.evaluate(q=q), rotation_matrices(np.array(q[3:])))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: mb.constrained(mb.library.three_body_arm()), "no constraints"),
        (
            lambda: mb.constrained(mb.library.three_body_arm().replace(constraints=[mb.OnPlane("fore")])).paper,
            "one free body",
        ),
    ],
)
def test_what_cannot_be_is_refused_by_name(make: Any, words: str) -> None:
    with pytest.raises(mb.MbwidgetsError, match=words):
        make()


def test_the_equations_know_their_constraints() -> None:
    circle = mb.constrained(mb.library.body_on_circle())
    assert [row.owner for row in scalar_constraints(circle.study)] == [0, 0, 1, 1]
    assert circle.names == ("0: on_circle", "0: on_circle", "1: parallel", "1: parallel")
