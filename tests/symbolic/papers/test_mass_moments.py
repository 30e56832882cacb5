"""Vectors of a body's mass moments (Cajić and Lazarević, (40)-(45))."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import mbwidgets as mb
from tests.symbolic.reaction_cases import EXAMPLES, NAMES, chain, close, states

m, a, b, c = (mb.Parameter(name, value) for name, value in (("m", 7), ("a", 2), ("b", 3), ("c", 5)))
SOLIDS = (
    mb.Box((a, b, c), mass=m, at=(1, a, 0)),
    mb.Box((1, 2, 3), rotation=(1, 2, 2, 4), mass=m),
    mb.Ellipsoid((a, b, c), mass=m, at=(0, 0, 1), rotation=(0, 3, 0, 4)),
    mb.Sphere(a, density=m, at=(1, 2, b)),
    mb.Cylinder(a, b, mass=m, axis=(1, 1, 0)),
    mb.Tube(b, a, c, mass=m, axis="x", at=(0, 1, 1)),
    mb.Cone(a, b, mass=m, axis=(2, 3, 6)),
    mb.Rod(a, mass=m, axis=(3, 4, 0), at=(1, 0, 0)),
    mb.Disk(a, density=m, axis="-z"),
    mb.Point(at=(1, 2, 3), mass=m),
    mb.Composite(
        [mb.Box((1, 1, 1), density=2), mb.Sphere(Fraction(1, 2), at=(1, 0, 0), density=m)],
        holes=[mb.Cylinder(Fraction(1, 4), 1, density=2)],
    ),
)
FIELDS = ("mass", "static", "inertia", "axial", "deviation")


def cross(v: mb.Formula, w: mb.Formula) -> mb.Formula:
    return mb.Formula([v[1] * w[2] - v[2] * w[1], v[2] * w[0] - v[0] * w[2], v[0] * w[1] - v[1] * w[0]])


@pytest.mark.parametrize("name", NAMES)
def test_mass_moments_are_those_of_the_reference(name: str) -> None:
    example = EXAMPLES[name]
    q, _, _ = states(example["input"])
    model = chain(example["input"])
    for row in example["output"]["methodB"]["mass_moments"]:
        ours = mb.mass_moments(model, row["body"] - 1, row["axis"] - 1)
        whole = np.abs(row["I"]).max()  # D may vanish by symmetry; its rounding is that of 𝔍
        for key, formula in zip(("M_n", "S", "I", "J", "D"), (getattr(ours, field) for field in FIELDS), strict=True):
            assert close(formula.evaluate(q=q), row[key], whole), (row["body"], row["axis"], key)


@pytest.mark.parametrize("solid", SOLIDS, ids=lambda solid: solid.type)
def test_volume_integrals_are_the_closed_forms_exactly(solid: Any) -> None:
    axis, pole = (2, 3, 6), (0, Fraction(1, 2), 1)
    integrals = mb.volume_integrals(solid, axis, pole)
    closed = mb.mass_moments(mb.Model([mb.Body("body", inertia=solid)]), "body", axis, pole, axes="body")
    for field in FIELDS:
        assert getattr(integrals, field) == getattr(closed, field), field


def test_integrals_are_shown_with_their_definition() -> None:
    text = mb.volume_integrals(mb.Box((a, b, c), mass=m))._repr_latex_()
    assert r"\iiint_V [\vec\rho, [\vec n, \vec\rho]]\,\sigma\,dV &= " in text


def test_the_inertia_moment_is_axial_and_two_deviational_parts(rng: np.random.Generator) -> None:
    """(43), for joint axes and for directions of the body, -z included."""
    model = mb.library.three_body_arm()
    for axis in ("base", "upper", (1, 2, 2), "-z", (1, 1, 1)):
        ours = mb.mass_moments(model, "fore", axis)
        n, u, v, J, D_nu, D_nv = ours.decomposition
        assert n * J + u * D_nu + v * D_nv == ours.inertia
        assert (u @ u, v @ v, u @ v, u @ n, v @ n) == (1, 1, 0, 0, 0)
        assert u * D_nu + v * D_nv == ours.deviation


def test_the_deviation_is_the_double_vector_product() -> None:
    """(45): D_n = [n, [𝔍_n, n]]"""
    ours = mb.mass_moments(mb.library.three_body_arm(), "fore", "upper")
    n, J = ours.axis, ours.inertia
    assert cross(n, cross(J, n)) == ours.deviation


def test_another_pole_follows_the_parallel_axis_theorem() -> None:
    pole = (0.1, "-l2", "2*m1")
    model = mb.library.three_body_arm()
    at_origin, at_centre, there = (
        mb.mass_moments(model, "upper", "z", point, axes="body") for point in (None, (0.03, 0.25, 0.04), pole)
    )
    assert not at_centre.static
    com = mb.Formula(["3/100", "1/4", "1/25"])
    for found, point in ((at_origin, mb.Formula([0, 0, 0])), (there, mb.Formula(["1/10", "-l2", "2*m1"]))):
        d = com - point
        across = d[0] * d[0] + d[1] * d[1]
        assert found.axial == at_centre.axial + mb.Formula("m2") * across


def test_a_pole_may_bring_a_parameter_of_its_own() -> None:
    ours = mb.mass_moments(mb.library.rotor(), 0, "z", (mb.Parameter("d", 0.02), 0, 0))
    assert np.abs(ours.static.evaluate(q=[0.7])).max() <= 1e-16
    np.testing.assert_allclose(ours.static.evaluate(q=[0], d=-0.03), [0, 0.5, 0], atol=1e-15)


def test_mass_moments_over_a_motion_are_the_formulae(rng: np.random.Generator) -> None:
    model = mb.library.three_body_arm()
    motion = mb.simulate(model, duration=0.2)
    for body, axis, pole in (("fore", "base", None), ("fore", 2, (0.1, 0, 0.2)), ("upper", (1, 2, 2), None)):
        exact, ours = mb.mass_moments(model, body, axis, pole), motion.mass_moments(body, axis, pole)
        scale = np.abs(ours.inertia).max()
        for field in (*FIELDS, "axis"):
            assert close(getattr(ours, field), getattr(exact, field).evaluate(q=motion.q), scale), field


def test_a_ball_joint_has_mass_moments_for_directions_of_its_body() -> None:
    motion = mb.simulate(mb.library.spherical_chain(2), duration=0.1)
    ours = motion.mass_moments(1, "z")
    np.testing.assert_allclose(ours.deviation, np.cross(ours.axis, np.cross(ours.inertia, ours.axis)), atol=1e-15)
    with pytest.raises(mb.ModelError, match="spherical joint has no axis"):
        motion.mass_moments(1, 0)


def test_axes_of_compound_joints_and_of_other_branches_have_names(rng: np.random.Generator) -> None:
    inertia = (0.2, 0.3, 0.25, 0.01, 0.02, -0.03)
    model = mb.Model(
        [
            mb.Body("a", mb.Universal("x", "y"), mass=1, com=(0.1, 0.2, 0.3), inertia=inertia),
            mb.Body("b", mb.Revolute((1, 2, 2)), mass=2, com=(0.1, 0, 0.3), inertia=inertia),
            mb.Body("c", mb.Prismatic((3, 4, 0)), parent="a", mass=2, com=(0.1, 0, 0.3), inertia=inertia),
        ],
        state={"q": list(rng.normal(size=4)), "u": list(rng.normal(size=4))},
    )
    motion = mb.simulate(model, duration=0.1)
    for axis in ("a.φ", "a", "c", "-y", np.array([0.6, 0.8, 0])):
        exact, ours = mb.mass_moments(model, "b", axis), motion.mass_moments("b", axis)
        for field in (*FIELDS, "axis"):
            assert close(getattr(ours, field), getattr(exact, field).evaluate(q=motion.q), np.abs(ours.inertia).max())


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        (("elbow", "z"), mb.UnknownNameError, "elbow"),
        (("fore", "elbow"), mb.UnknownNameError, "elbow"),
        (("fore", 9), mb.UnknownNameError, "count from 0"),
        (("fore", (0, 0, 0)), mb.ModelError, "zero vector"),
        (("fore", np.zeros(3)), mb.ModelError, "zero vector"),
        (("fore", ("m1 - m1", 0, 0)), mb.ModelError, "axis"),
        (("fore", (1, 2)), mb.ModelError, "give 3"),
        (("fore", "z", (1, 2)), mb.ModelError, "pole"),
        (("fore", "z", "here"), mb.ModelError, "pole.*not a vector"),
        (("fore", "z", (1, 2, float("nan"))), mb.MbwidgetsError, "pole"),
    ],
)
def test_bad_input_is_named(arguments: Any, error: type[Exception], words: str) -> None:
    model = mb.library.three_body_arm()
    with pytest.raises(error, match=words):
        mb.mass_moments(model, *arguments)
    with pytest.raises(error, match=words):
        mb.simulate(model, duration=0.1).mass_moments(*arguments)


def test_only_solids_have_volume_integrals() -> None:
    with pytest.raises(mb.ModelError, match="3 is not a solid"):
        mb.volume_integrals(3)
    with pytest.raises(mb.ModelError, match="zero vector"):
        mb.volume_integrals(SOLIDS[0], (0, 0, 0))


def test_a_weld_has_no_axis() -> None:
    model = mb.Model([mb.Body("a", mb.Fixed(), mass=1)])
    with pytest.raises(mb.ModelError, match="fixed"):
        mb.mass_moments(model, "a", "a")


def test_an_inertia_that_no_body_has_is_refused() -> None:
    arm = mb.library.three_body_arm()
    with pytest.raises(mb.ModelError, match=r"'fore'.*triangle inequality"):
        arm.with_body("fore", inertia=(1, 1, 3))
    with pytest.raises(mb.ModelError, match=r"'fore'.*principal moment is negative"):
        arm.with_body("fore", inertia=(1, 1, 1, 2, 0, 0))


def test_mass_moments_are_shown_in_the_papers_notation() -> None:
    text = mb.mass_moments(mb.library.rotor(), 0, 0)._repr_latex_()
    for name in (r"\vec{\mathbf S}_{\vec n}", r"\vec{\mathfrak J}_{\vec n}", r"\vec{\mathbf D}_{\vec n}"):
        assert name in text


@pytest.mark.parametrize(
    "joint", [mb.Revolute((1, 2, 2)), mb.Cylindrical("y"), mb.Universal("x", (0, 1, 1)), mb.Planar("x")]
)
def test_each_axis_of_a_joint_can_be_named(joint: Any, rng: np.random.Generator) -> None:
    body = mb.Body("a", joint, mass=2, com=(0.1, 0.2, 0.3), inertia=(1, 2, 2.5))
    model = mb.Model([mb.Body("base", mb.Revolute("z"), mass=1), body])
    motion = mb.simulate(model, u=rng.normal(size=model.nv), duration=0.2, rate=5)
    labels = [column.label for column in joint.columns()]
    world = mb.motion_vectors(model).axes
    for k, label in enumerate(labels):
        numbers, exact = motion.mass_moments("a", f"a.{label}"), mb.mass_moments(model, "a", f"a.{label}")
        for frame, q in enumerate(motion.q):
            expected = world[1 + k].evaluate(q=q)
            np.testing.assert_allclose(numbers.axis[frame], expected, atol=1e-14)
            np.testing.assert_allclose(exact.axis.evaluate(q=q), expected, atol=1e-14)
            np.testing.assert_allclose(exact.deviation.evaluate(q=q), numbers.deviation[frame], atol=1e-13)
    with pytest.raises(mb.ModelError, match=f"no axis 'w'.*'a.{labels[-1]}'"):
        motion.mass_moments("a", "a.w")
    with pytest.raises(mb.UnknownNameError):
        mb.mass_moments(model, "a", "a.w")
