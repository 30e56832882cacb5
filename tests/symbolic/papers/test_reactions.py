"""Joint reactions as exact formulae, by two methods (Cajić and Lazarević)."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import mbwidgets as mb
from tests.symbolic.mechanisms import general_chain, random_mechanism
from tests.symbolic.reaction_cases import EXAMPLES, NAMES, arm_in_letters, chain, close, states

METHODS = ("rodrigues", "rotators")
CLOSED = {"type": "point", "a": {"body": "fore", "at": [0.3, 0, 0]}, "b": {"body": None, "at": [0.4, 0.5, 0.1]}}


def all_reactions(model: mb.Model) -> list[Any]:
    found = []
    for method in METHODS:
        for k in range(len(model.bodies)):
            one = mb.reactions(model, k, method)
            found.append((one, one.force, one.moment, one.effort))
    return [row[0] for row in found]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", NAMES)
def test_reactions_and_their_parts_are_those_of_the_reference(name: str, method: str) -> None:
    example = EXAMPLES[name]
    q, u, ud = states(example["input"])
    model = chain(example["input"])
    for k, joint in enumerate(example["output"]["joints"]):
        ours = mb.reactions(model, k, method)
        pressure = ours.pressure
        forces: dict[str, mb.Formula] = {
            "F_R": ours.force,
            "F_total": ours.total_force,
            "F_static": ours.force.static,
            "F_kinetic": ours.force.kinetic,
            "kinetic_pressure_F": pressure.force,
            "dK_dt": ours.total_force.kinetic,
        }
        moments: dict[str, mb.Formula] = {
            "M_R_about_O": ours.moment,
            "M_R_about_Ostar": ours.moment_at_image,
            "M_total": ours.total_moment,
            "M_static": ours.moment.static,
            "M_kinetic": ours.moment.kinetic,
            "kinetic_pressure_M": pressure.moment,
            "dL_dt_plus_v_x_K": ours.total_moment.kinetic,
        }
        along = moments if joint["type"] == "revolute" else forces
        along |= {"Q_actuator": ours.effort, "Q_static": ours.effort.static, "Q_kinetic": ours.effort.kinetic}
        # a part that vanishes by symmetry keeps the rounding of the whole
        for formulas, whole in ((forces, joint["F_total"]), (moments, joint["M_total"])):
            scale = np.abs(whole).max()
            for key, formula in formulas.items():
                assert close(formula.evaluate(q=q, u=u, ud=ud), joint[key], scale), (k, key)


@pytest.mark.parametrize("tree", [False, True])
def test_rotators_give_the_rodrigues_reactions_exactly(tree: bool, rng: np.random.Generator) -> None:
    source = random.Random(int(rng.integers(1 << 30)))
    for n in (1, 2, 3, 4):
        model = random_mechanism(source, n, tree=tree)
        for k in range(n):
            one, other = (mb.reactions(model, k, method) for method in METHODS)
            assert one.force == other.force
            assert one.moment == other.moment
            assert one.effort == other.effort


def test_both_methods_agree_with_every_mass_length_and_inertia_a_letter() -> None:
    model = arm_in_letters()
    for k in range(3):
        one, other = (mb.reactions(model, k, method) for method in METHODS)
        assert one.force == other.force
        assert one.moment == other.moment


def test_both_methods_agree_on_axes_with_roots_and_in_letters(rng: np.random.Generator) -> None:
    a, b = mb.Parameter("a", 2.0), mb.Parameter("b", 3.0)
    model = mb.Model(
        [
            mb.Body("one", mb.Revolute((1, 1, 0)), mass=2, com=(1 / b, 0, a / b), inertia=(1, 2, 2)),
            mb.Body("two", mb.Prismatic((a, b, 1), at=(0, 1 / a, 0)), mass=a, com=(0, 1, 0), inertia=(1, 1, 1)),
            mb.Body("three", mb.Revolute((a, 0, 1)), mass=1, com=(0, a, 0), inertia=(1, 1, 1)),
        ],
        forces=[mb.Spring(("one", (1, 0, 0)), ("three", (0, 1, 1)), a / b, 1)],
    )
    q, u, ud = rng.normal(size=(3, 3))
    expected = mb.Dynamics(model).reactions(q, u, ud)
    for k in range(3):
        one, other = (mb.reactions(model, k, method) for method in METHODS)
        assert one.force.kinetic == other.force.kinetic
        assert one.moment.kinetic == other.moment.kinetic
        assert close(one.force.evaluate(q=q, u=u, ud=ud), expected[k, :3], np.abs(expected).max())
        assert close(other.moment.evaluate(q=q, u=u, ud=ud), expected[k, 3:], np.abs(expected).max())


def test_the_parts_add_up_exactly() -> None:
    model = mb.library.three_body_arm().replace(
        forces=[mb.Force("fore", ("2*t", 1, "q[0]"), at=(0.1, 0, 0)), mb.Spring(None, ("fore", (0, 0, 0.1)), 30, 0.2)]
    )
    ours = mb.reactions(model, "upper")
    for whole in (ours.force, ours.moment, ours.effort):
        assert whole == whole.static + whole.kinetic + whole.applied
        assert whole.applied


def test_the_effort_is_that_of_the_covariant_equations() -> None:
    model = general_chain(3)
    effort = mb.covariant(model).effort
    for k in range(3):
        assert mb.reactions(model, k).effort == effort[k]


def test_components_in_parent_and_body_axes_are_the_same_vector(rng: np.random.Generator) -> None:
    model = mb.library.three_body_arm()
    ours = mb.reactions(model, "fore", "rotators")
    q, u, ud = rng.normal(size=(3, 3))
    frames = mb.motion_vectors(model).rotations.evaluate(q=q)
    world = ours.force.evaluate(q=q, u=u, ud=ud)
    for axes, frame in (("world", np.eye(3)), ("parent", frames[1]), ("body", frames[2])):
        found = ours.components(axes)
        assert close(frame @ found.force.evaluate(q=q, u=u, ud=ud), world)
        assert close(frame @ found.force.static.evaluate(q=q, u=u, ud=ud), ours.force.static.evaluate(q=q))
    # the joint transmits no moment about its own axis, y in the axes of parent and body alike
    for axes in ("parent", "body"):
        assert not ours.components(axes).moment[1]


def test_two_bearings_share_force_and_moment() -> None:
    model = mb.library.rotor()
    ours = mb.reactions(model, "rotor")
    first, second = ours.bearings(-0.2, mb.Parameter("b", 0.3))
    state = {"q": [0.3], "u": [100.0], "ud": [5.0]}
    a, b = first.evaluate(**state), second.evaluate(**state)
    assert close(a + b, ours.force.evaluate(**state))
    n = np.array([0, 0, 1])
    assert close(np.cross(-0.2 * n, a) + np.cross(0.3 * n, b), ours.moment.evaluate(**state))


@pytest.mark.parametrize("kind", ["cylindrical", "universal", "planar", "fixed"])
@pytest.mark.parametrize("method", METHODS)
def test_joints_of_several_axes_have_one_reaction(kind: str, method: str, rng: np.random.Generator) -> None:
    joints = {
        "cylindrical": mb.Cylindrical((1, 2, 2), at=(0, 0, 0.3)),
        "universal": mb.Universal("x", (1, 2, 2), at=(0.1, 0, 0.3)),
        "planar": mb.Planar((2, 3, 6), at=(0.1, 0.2, 0)),
        "fixed": mb.Fixed(at=(0.1, 0.2, 0)),
    }
    inertia = (0.2, 0.3, 0.25, 0.01, 0.02, -0.03)
    model = mb.Model(
        [
            mb.Body("a", mb.Revolute("z"), mass=2, com=(0.1, 0, 0), inertia=inertia),
            mb.Body("b", joints[kind], mass=3, com=(0.2, 0.1, -0.1), inertia=inertia),
            mb.Body("c", mb.Revolute("y", at=(0, 0.4, 0)), mass=1, com=(0, 0.1, 0.2), inertia=inertia),
        ],
        forces=[mb.Torque("c", (1, 2, 3), axes="body"), mb.Damper("a", "c", 4)],
    )
    q, u, ud = rng.normal(size=(3, model.nv))
    expected, efforts = mb.Dynamics(model).reactions(q, u, ud), mb.Dynamics(model).inverse(q, u, ud)
    for k in range(3):
        ours = mb.reactions(model, k, method)
        assert close(ours.force.evaluate(q=q, u=u, ud=ud), expected[k, :3], np.abs(expected).max())
        assert close(ours.moment.evaluate(q=q, u=u, ud=ud), expected[k, 3:], np.abs(expected).max())
        columns = slice(model.u_offsets[k], model.u_offsets[k + 1])
        found = np.atleast_1d(ours.effort.evaluate(q=q, u=u, ud=ud))
        assert close(found, efforts[columns], np.abs(efforts).max())


def test_every_applied_force_reaches_the_joints_that_carry_it(rng: np.random.Generator) -> None:
    arm = mb.library.three_body_arm()
    loads: list[Any] = [
        mb.Spring(None, ("fore", (0.1, 0, 0)), 50, 0.1),
        mb.Spring("base", ("fore", (0.1, 0.2, 0)), 20),
        mb.Damper(("upper", (0, 0.1, 0)), ("fore", (0.1, 0, 0.3)), 7),
        mb.Force("upper", (1, "2*t", "u[0]"), at=(0, 0.3, 0), axes="body"),
        mb.Torque("fore", (1, 2, 3)),
        mb.ElasticAlignment("fore", (0, 0, 1), (1, 2, 2), 5),
        mb.JointSpring("upper", 10),
        mb.Effort("fore", "3*t"),
    ]
    q, u, ud = rng.normal(size=(3, 3))
    for forces in (*([load] for load in loads), loads):
        model = arm.replace(forces=forces)
        expected = mb.Dynamics(model).reactions(q, u, ud, t=0.7)
        for k in range(3):
            ours = mb.reactions(model, k)
            assert close(ours.force.evaluate(q=q, u=u, ud=ud, t=0.7), expected[k, :3], np.abs(expected).max())
            assert close(ours.moment.evaluate(q=q, u=u, ud=ud, t=0.7), expected[k, 3:], np.abs(expected).max())


def test_a_formula_too_long_is_refused_with_its_size() -> None:
    with pytest.raises(mb.SizeError, match="terms"):
        _ = mb.reactions(general_chain(3, symbolic=True, seed=2), 0, terms=100).moment


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda m: mb.reactions(m, "elbow"), mb.UnknownNameError, "elbow"),
        (lambda m: mb.reactions(m, 7), mb.UnknownNameError, "count from 0 to 2"),
        (lambda m: mb.reactions(m, "fore", "kane"), mb.ModelError, "rodrigues"),
        (lambda m: mb.reactions(m, "fore").components("joint"), mb.ModelError, "parent"),
        (lambda m: mb.reactions(m, "fore").bearings(1, 1), mb.ModelError, "one place"),
        (lambda m: mb.reactions(mb.library.spherical_chain(2), 0), mb.ModelError, "spherical"),
        (lambda m: mb.reactions(m.replace(constraints=[CLOSED]), 0), mb.ModelError, "constraint"),
    ],
)
def test_what_cannot_be_is_refused_by_name(call: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        call(mb.library.three_body_arm())


def test_a_slide_has_no_radial_bearings() -> None:
    with pytest.raises(mb.ModelError, match="revolute"):
        mb.reactions(chain(EXAMPLES["P2"]["input"]), 1).bearings(0, 1)


def test_reactions_are_shown_in_the_papers_notation() -> None:
    text = mb.reactions(mb.library.rotor(), 0)._repr_latex_()
    for name in (r"\vec F_{R1} &=", r"\vec M_{R1} &=", r"Q_{1} &="):
        assert name in text
