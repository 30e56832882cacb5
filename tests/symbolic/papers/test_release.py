"""Reactions by releasing the joint (Do Sanh), against the paper, its corrected values and the other methods."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import mbwidgets as mb
from tests.random_models import random_state, random_tree
from tests.symbolic.mechanisms import data, general_chain, random_mechanism
from tests.symbolic.reaction_cases import arm_in_letters

REFERENCE = data("joint_release.json")
POINTS = REFERENCE["hammer_points"]
PRECISION = 1e-12
"""Relative; the reference was computed with 40 digits and rounded to doubles."""


def near(ours: Any, expected: Any, precision: float = PRECISION) -> bool:
    ours, expected = np.asarray(ours, dtype=float), np.asarray(expected, dtype=float)
    assert ours.shape == expected.shape
    return bool(np.abs(ours - expected).max() <= precision * max(1.0, np.abs(expected).max()))


def state(point: dict[str, Any]) -> dict[str, Any]:
    return {"q": [point["phi"], point["theta"]], "u": [point["phid"], point["thetad"]], **point["params"]}


def hammer() -> Any:
    return mb.release(mb.library.hammer_crusher(), "hammer", coordinates="absolute")


@pytest.mark.parametrize("point", POINTS)
def test_the_hammer_crusher_is_that_of_the_paper(point: dict[str, Any]) -> None:
    ours, at = hammer(), state(point)
    assert near(ours.A.evaluate(**at)[:4, :4], point["A"])
    assert near(ours.G.evaluate(**at)[:4], point["G"])
    assert near(ours.Q.evaluate(**at)[:4], point["Q"])
    assert near(ours.accelerations.evaluate(**at), point["qdd"])
    assert near(ours.reactions.evaluate(**at)[:2], [point["R_sigma"], point["R_xi"]])
    assert near(ours.explicit.evaluate(**at)[:2], [point["R_sigma"], point["R_xi"]])
    assert near(ours.motion.evaluate(**at, ud=point["qdd"]), [0, 0])
    assert near(
        ours.A0.evaluate(**at)[0, 0] * ours.A0.evaluate(**at)[1, 1] - ours.A0.evaluate(**at)[0, 1] ** 2, point["Delta"]
    )


def printed_3_32(point: dict[str, Any]) -> np.ndarray:
    """(3.32) as the paper prints it: without 1/Δ, without G0, with m g a cos θ."""
    p = point["params"]
    m, a, R, g = p["m"], p["a"], p["R"], p["g"]
    i1, i2 = p["I1"] + m * R**2, p["I2"] + m * a**2
    phi, theta, w, v = point["phi"], point["theta"], point["phid"], point["thetad"]
    s, c, near_ = np.sin, np.cos, np.cos(theta - phi)
    matrix = np.array(
        [
            [m * R * (m * a**2 * s(theta) * near_ - i2 * s(phi)), m * a * (m * R**2 * s(phi) * near_ - i1 * s(theta))],
            [m * R * (i2 * c(phi) - m * a**2 * c(theta) * near_), m * a * (i1 * c(theta) - m * R**2 * c(phi) * near_)],
        ]
    )
    loads = np.array([p["M"] - m * g * R * s(phi), m * g * a * c(theta)])
    swing = np.array(
        [m * R * c(phi) * w**2 + m * a * c(theta) * v**2 + m * g, m * R * s(phi) * w**2 + m * a * s(theta) * v**2]
    )
    return np.asarray(matrix @ loads - swing)


@pytest.mark.parametrize("point", POINTS)
def test_the_printed_reactions_of_the_paper_miss_the_reference(point: dict[str, Any]) -> None:
    expected = np.array([point["R_sigma"], point["R_xi"]])
    assert near(printed_3_32(point), point["printed_3_32_WRONG"])
    assert np.abs(printed_3_32(point) - expected).max() > 0.3
    rows = {row.equation: row for row in mb.errata("do-sanh")}
    assert rows["3.32"].numeric
    assert near(hammer().reactions.evaluate(**state(point))[:2], expected)


def test_the_formulae_are_those_of_the_paper_with_its_errata_mended() -> None:
    ours = hammer()
    assert str(ours.A[0, 1]) == "R*a*m*cos(q[0] - q[1])"
    assert ours.A[1, 3] == mb.Formula("a*m*cos(q[1])") or str(ours.A[1, 3]) == "a*m*cos(q[1])"  # (3.5) prints m
    assert str(ours.Q[0]) == "M - R*g*m*sin(q[0])"  # (3.10) prints m g sin φ
    assert str(ours.Q[1]) == "-a*g*m*sin(q[1])"  # (3.20) prints + m g a sin θ
    assert str(ours.G[0]) == "-R*a*m*u[1]**2*sin(q[0] - q[1])"  # (3.20) prints +
    assert str(ours.G[1]) == "R*a*m*u[0]**2*sin(q[0] - q[1])"  # (3.20) prints cos
    assert [str(ours.B[i, j]) for i in range(2) for j in range(2)] == [
        "-R*m*sin(q[0])",
        "-a*m*sin(q[1])",
        "R*m*cos(q[0])",
        "a*m*cos(q[1])",
    ]
    product = ours._inverse @ ours.A0  # (3.29) prints no 1/Δ
    assert product == mb.Formula([[1, 0], [0, 1]])


def test_the_hammers_motion_has_the_reactions_of_the_reference() -> None:
    ours, given = hammer(), REFERENCE["hammer_trajectory"]
    for sample in given["samples"]:
        at = {
            "q": [sample["phi"], sample["theta"]],
            "u": [sample["phid"], sample["thetad"]],
        }
        found = ours.reactions.evaluate(**at, **given["params"])[:2]
        # the reference's own states are known to 3e-12, and the reactions grow with u²
        assert near(found, [sample["R_sigma"], sample["R_xi"]], 1e-10)


def test_a_constraint_instead_of_the_pin_gives_the_reactions_of_2_6() -> None:
    """The paper's freed system in φ, u, v, θ with (3.1) as constraints: general D, R and λ."""
    given = REFERENCE["hammer_general_D_in_u_v"]
    whole = mb.library.hammer_crusher().with_values(**given["params"])
    drum, pendulum = whole.bodies
    free = mb.Body(
        "hammer", mb.Planar("z"), mass=pendulum.mass, com=pendulum.com, inertia=pendulum.inertia, parent=mb.ground
    )
    pin = mb.PointConstraint(("hammer", (0, 0, 0)), ("drum", pendulum.joint.at))
    model = whole.replace(bodies=(drum, free), constraints=[pin], state=None)
    ours = mb.constrained(model)
    phi, theta, w, v = given["state"]
    R = given["params"]["R"]
    q = [phi, R * np.cos(phi), R * np.sin(phi), theta]
    u = [w, -R * np.sin(phi) * w, R * np.cos(phi) * w, v]
    order = [0, 2, 3, 1]  # the paper's φ, θ, u, v as ours φ, u, v, θ
    ud, lam = ours.solve(q, u)
    assert near(ours.wrench.evaluate(q=q, u=u), np.array(given["R"])[order])
    assert near(ud, np.array(given["qdd"])[order])
    assert near(lam[:2], given["lam"])
    assert near(ours.L_lambda.evaluate(q=q)[:2], np.array(given["Phi_q"])[:, order])
    assert near(ours.gamma.evaluate(q=q, u=u)[:2], given["gamma"])


def spatial_chain() -> tuple[mb.Model, dict[str, Any]]:
    given = REFERENCE["spatial_chain"]["input"]
    bodies = []
    for i, body in enumerate(given["bodies"]):
        kind = mb.Revolute if body["joint"] == "R" else mb.Prismatic
        parent = mb.ground if body["parent"] < 0 else f"b{body['parent']}"
        joint = kind(tuple(body["axis"]), at=tuple(body["r"]))
        bodies.append(mb.Body(f"b{i}", joint, mass=body["m"], com=body["c"], inertia=body["Jdiag"], parent=parent))
    model = mb.Model(bodies, gravity=given["g"])
    wrench = given["wrench"][0]
    name = f"b{wrench['body']}"
    position, quaternion = mb.Dynamics(model).poses(given["q"])
    from mbwidgets.numeric.base.rotations import rotation_matrices

    turn = rotation_matrices(quaternion)[wrench["body"]]
    at = turn.T @ (np.array(wrench["point_world"]) - position[wrench["body"]])
    forces = [mb.Force(name, wrench["force"], at=tuple(at)), mb.Torque(name, wrench["moment"])]
    efforts = [mb.Effort(f"b{i}", value) for i, value in enumerate(given["tau"])]
    return model.replace(forces=[*forces, *efforts]), given


def test_a_spatial_chain_has_the_blocks_of_the_reference() -> None:
    model, given = spatial_chain()
    expected = REFERENCE["spatial_chain"]
    q, u = given["q"], given["qd"]
    for joint in expected["joints"]:
        ours = mb.release(model, joint["joint"])
        assert near(ours.A0.evaluate(q=q), expected["A0"])
        assert near(ours.G0.evaluate(q=q, u=u), expected["G0"])
        assert near(ours.Q0.evaluate(q=q, u=u), np.array(expected["Q0"]))
        axis = np.array(joint["axis_world"])
        slide = model.bodies[joint["joint"]].joint.type == "prismatic"
        # the reference's pole is fixed in the body, O_k*; ours is O_k, fixed in the parent
        shift = q[joint["joint"]] * axis if slide else np.zeros(3)
        moved = np.eye(6)
        moved[3:, :3] = np.cross(shift, np.eye(3)).T
        assert near(ours.B.evaluate(q=q), moved @ joint["B"])
        assert near(ours.G1.evaluate(q=q, u=u), moved @ joint["G1"])
        assert near(ours.Q1.evaluate(q=q, u=u), moved @ joint["Q1"])
        found = ours.reactions.evaluate(q=q, u=u)
        assert near(found, moved @ [*joint["force"], *joint["moment"]])
        # the row along the free direction returns the actuator's effort
        assert abs(axis @ (found[:3] if slide else found[3:]) - given["tau"][joint["joint"]]) < 1e-12
        removed = ours.removed.evaluate(q=q)
        assert removed.shape == (5, 6)
        assert near(removed @ removed.T, np.eye(5))
        assert near(removed[:, :3] @ axis if slide else removed[:, 3:] @ axis, np.zeros(5))


def test_a_closed_loop_is_released_with_the_loops_forces() -> None:
    given = REFERENCE["slider_crank_loop"]
    p = given["input"]
    r, l = p["r"], p["l"]  # noqa: E741
    model = mb.Model(
        [
            mb.Body("crank", mb.Revolute("z"), mass=p["m1"], com=(r / 2, 0, 0), inertia=(0, p["J1"], p["J1"])),
            mb.Body(
                "rod", mb.Revolute("z", at=(r, 0, 0)), mass=p["m2"], com=(l / 2, 0, 0), inertia=(0, p["J2"], p["J2"])
            ),
            mb.Body("slider", mb.Prismatic("x"), mass=p["m3"], parent=mb.ground),
        ],
        gravity=(0, -p["g"], 0),
        forces=[mb.Effort("crank", p["tau"]), mb.Effort("slider", p["F_slider"])],
        constraints=[mb.PointConstraint(("rod", (l, 0, 0)), ("slider", (0, 0, 0)))],
    )
    q, u = given["q"], given["qd"]
    for name, key in (("crank", "crank_bearing"), ("rod", "crank_pin"), ("slider", "slider_guide")):
        ours = mb.release(model, name)
        found = ours.reactions.evaluate(q=q, u=u)
        if name == "slider":  # the reference's pole is fixed in the slider, ours in the ground
            found[5] -= q[2] * found[1]
        assert near(found, [*given[key]["force"], *given[key]["moment"]], 1e-11)
    ud, lam = ours.system.solve(q=q, u=u)
    assert near(ud, given["qdd"], 1e-11)
    assert near(lam[:2], given["loop_lambda_force_on_rod_end"], 1e-11)


CLOSED = ("four_bar", "slider_crank", "body_on_circle", "n_four_bar", "andrews_squeezer", "bricard")


@pytest.mark.parametrize("name", CLOSED)
def test_reactions_of_closed_loops_are_those_of_the_compiled_solver(name: str) -> None:
    model = getattr(mb.library, name)()
    motion = mb.simulate(model, duration=0.02 if name == "andrews_squeezer" else 0.3)
    for k in range(len(model.bodies)):
        ours, expected = mb.reactions(model, k, "release"), motion.reactions(k)
        found = [part.evaluate(q=motion.q, u=motion.u, t=motion.t) for part in (ours.force, ours.moment)]
        parts = [
            getattr(ours.force, part).evaluate(q=motion.q, u=motion.u, t=motion.t)
            for part in ("static", "kinetic", "applied")
        ]
        scale = max(1.0, np.abs(expected).max(), *(np.abs(part).max() for part in parts))
        assert np.abs(np.concatenate(found, axis=1) - expected).max() <= PRECISION * scale
        assert np.abs(sum(parts) - found[0]).max() <= 1e-12 * scale


def test_release_rotators_and_rodrigues_agree_exactly(rng: np.random.Generator) -> None:
    source = random.Random(int(rng.integers(1 << 30)))
    for n in (1, 2, 3, 4):
        model = random_mechanism(source, n, tree=True)
        for k in range(n):
            one, two, three = (mb.reactions(model, k, method) for method in ("rodrigues", "rotators", "release"))
            assert one.force == two.force == three.force
            assert one.moment == three.moment
            assert one.effort == three.effort


def test_release_agrees_with_every_mass_length_and_inertia_a_letter() -> None:
    model = arm_in_letters()
    for k in range(3):
        one, other = (mb.reactions(model, k, method) for method in ("rodrigues", "release"))
        assert one.force == other.force
        assert one.moment == other.moment


def test_the_blocks_are_the_covariant_equations(rng: np.random.Generator) -> None:
    source = random.Random(int(rng.integers(1 << 30)))
    model = random_mechanism(source, 3, tree=True).replace(
        forces=[mb.JointSpring("b0", 3), mb.Spring("b0", ("b2", (1, 0, 0)), 2), mb.Effort("b1", "2*t")]
    )
    ours, covariant = mb.release(model, 1), mb.covariant(model)
    assert covariant.metric == ours.A0
    assert -covariant.coriolis == ours.G0
    assert covariant.forces - covariant.potential_gradient == ours.Q0
    assert ours.motion == covariant.effort
    assert ours.A[:3] == ours.D @ ours.A
    assert ours.A == ours.A.T


def test_the_six_rows_are_force_moment_and_effort() -> None:
    model = general_chain(3).with_values(g=9.81)
    whole = mb.reactions(model, 1)
    ours = mb.release(model, 1)
    total = ours.B @ mb.covariant(model).accelerations - ours.G1 - ours.Q1
    assert total[:3] == whole.total_force
    assert total[3:] == whole.total_moment


def test_every_kind_of_joint_and_of_load_is_released(rng: np.random.Generator) -> None:
    seen: set[str] = set()
    tried = 0
    while tried < 40 or not seen >= {"spherical", "free", "fixed", "cylindrical", "universal", "planar", "prismatic"}:
        model = random_tree(rng, most=3)
        q, u, ud, _, t = random_state(rng, model)
        if model.nv > 4 and len(model.bodies) > 1:
            continue
        tried += 1
        assert tried < 2000
        seen |= {body.joint.type for body in model.bodies}
        dynamics = mb.Dynamics(model)
        expected, efforts = dynamics.reactions(q, u, ud, t=t), dynamics.inverse(q, u, ud, t=t)
        for k in range(len(model.bodies)):
            ours = mb.reactions(model, k, "release")
            found = [part.evaluate(q=q, u=u, ud=ud, t=t) for part in (ours.force, ours.moment)]
            scale = max(
                1.0,
                float(
                    np.abs(
                        [part.evaluate(q=q, u=u, ud=ud, t=t) for part in (ours.total_force, ours.total_moment)]
                    ).max()
                ),
            )
            assert np.abs(np.concatenate(found) - expected[k]).max() <= 1e-10 * scale
            freed = mb.release(model, k)
            assert near(freed.A0.evaluate(q=q), dynamics.mass_matrix(q), 1e-11)
            left = freed.motion.evaluate(q=q, u=u, ud=ud, t=t)
            assert np.abs(left - efforts).max() <= 1e-10 * max(1.0, np.abs(efforts).max())


def test_a_body_of_its_own_has_no_reactions_and_a_ball_no_moment() -> None:
    free = mb.Model([mb.Body("top", mb.Free(), mass=2, com=(0, 0, 1), inertia=(1, 2, 3))])
    ours = mb.reactions(free, 0, "release")
    assert not ours.force
    assert not ours.moment
    assert mb.release(free, 0).removed.shape[0] == 0 or not mb.release(free, 0).removed
    chain = mb.library.spherical_chain(2)
    assert not mb.reactions(chain, 1, "release").moment
    assert mb.release(chain, 1).removed.shape == (3, 6)


def test_absolute_angles_are_shipped_with_the_library() -> None:
    model = mb.library.hammer_crusher()
    assert mb.library.absolute_angles(model) == ((1, 0), (1, 1))
    assert "absolute_angles" not in mb.library.names()
    one, other = (mb.release(model, 1, coordinates=c) for c in ("absolute", [[1, 0], [1, 1]]))
    assert one.A == other.A
    assert one.reactions == other.reactions


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda m: mb.release(m, "elbow"), "elbow"),
        (lambda m: mb.release(m, 1, coordinates="polar"), "absolute"),
        (lambda m: mb.release(m, 1, coordinates=[[1, 0], [1, 0]]), "no inverse"),
        (lambda m: mb.release(m, 1, coordinates=[[1, 0, 0]]), "2 by 2"),
        (lambda m: mb.release(m, 1, coordinates=[[1, "x"], [0, 1]]), "numbers"),
        (lambda m: mb.release(m, 1, coordinates=[[2, 0], [0, 1]]), "whole numbers"),
        (lambda m: mb.release(mb.library.three_body_arm(), 1, coordinates="absolute"), "parallel"),
    ],
)
def test_what_cannot_be_is_refused_by_name(call: Any, words: str) -> None:
    with pytest.raises(mb.MbwidgetsError, match=words):
        call(mb.library.hammer_crusher())


def test_too_long_a_formula_is_refused_with_its_size() -> None:
    with pytest.raises(mb.SizeError, match="terms"):
        _ = mb.release(general_chain(3, symbolic=True, seed=2), 0, terms=100).A


def test_the_blocks_are_shown_in_the_papers_notation() -> None:
    text = hammer()._repr_latex_()
    for name in ("A_0 &=", "B &=", "G_1 &=", r"\cos \left(q^{1} - q^{2}\right)"):
        assert name in text
