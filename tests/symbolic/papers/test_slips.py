"""Wrong and unusual input of the papers' functions: a typed error that names the remedy, or the right answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import mbwidgets as mb

CALLS: dict[str, Callable[[Any], Any]] = {
    "covariant": mb.covariant,
    "motion_vectors": mb.motion_vectors,
    "reactions": lambda model: mb.reactions(model, 0),
    "rotators": lambda model: mb.rotators(model, 0),
    "mass_moments": lambda model: mb.mass_moments(model, 0, "z"),
    "balance": mb.balance,
    "augmented": mb.augmented,
    "kharlamov": mb.kharlamov,
    "permanent": lambda model: mb.permanent(model, [1]),
    "permanent_formulae": mb.permanent_formulae,
    "own_axes": lambda model: mb.own_axes(model, [1], [(0, 0, 1)]),
    "staude_cone": mb.staude_cone,
    "relative_equilibrium": lambda model: mb.relative_equilibrium(model, 1.0),
    "branch_diagram": mb.branch_diagram,
    "design_permanent": lambda model: mb.design_permanent(model, [1]),
    "Dynamics": mb.Dynamics,
    "simulate": mb.simulate,
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("given", [None, 3, "pendulum", mb.Model, mb.library.pendulum])
def test_what_is_no_model_is_named(name: str, given: Any) -> None:
    with pytest.raises(mb.StateError, match=r"is not a Model; give mb\.Model"):
        CALLS[name](given)


def test_bodies_on_welds_alone_have_formulae_and_frames() -> None:
    model = mb.Model([mb.Body("wall", mb.Fixed(at=(0, 0, 1)), mass=2, com=(1, 0, 0), inertia=(1, 1, 1))])
    assert mb.covariant(model).linearised().residual.shape == (0,)
    assert mb.reactions(model, 0).moment.evaluate().tolist() == pytest.approx([0, -19.62, 0])
    motion = mb.simulate(model, duration=0.5, rate=10)
    assert motion.motion_vectors().axes.shape == (6, 0, 3)
    assert motion.motion_vectors().velocities.tolist() == np.zeros((6, 1, 3)).tolist()
    lumped = motion.rotators("wall").lumped()
    assert lumped.vectors.shape == (6, 0, 3)
    assert not lumped.force.any()


def test_code_of_a_joint_that_moves_nothing_is_refused() -> None:
    idle = mb.Model([mb.Body("link", mb.Revolute(), mass=0)])
    with pytest.raises(mb.SingularError, match="moves nothing that has mass"):
        mb.covariant(idle).code("c")


def test_mass_moments_on_balls_are_exact_in_body_axes() -> None:
    m = mb.Parameter("m", 2.0)
    bodies = [
        mb.Body("ball", mb.Spherical(), mass=m, com=("1/2", 0, 0), inertia=(1, 2, 3)),
        mb.Body("tip", mb.Revolute("x", at=(1, 0, 0)), mass=1, inertia=(1, 1, 1)),
    ]
    model = mb.Model(bodies)
    found = mb.mass_moments(model, "ball", "z", pole=(0, 1, 0), axes="body")
    assert found.static == ["m", "m/2", 0]  # z × (1/2, −1, 0) m
    assert found.axial == 3 + mb.Formula("m") * mb.Formula("5/4")
    assert found.axial.evaluate(m=4) == 8
    motion = mb.simulate(model, u=[1, 2, 3, 4], duration=0.2, rate=10)
    frames = motion.mass_moments("ball", "z", pole=(0, 1, 0))
    turned = np.einsum("fji,fj->fi", motion.rotations[:, 0], frames.static)
    np.testing.assert_allclose(turned, np.tile(found.static.evaluate(), (len(motion), 1)), atol=1e-14)
    for axis, axes in (("z", "world"), ("tip", "body"), (1, "body")):
        with pytest.raises(mb.ModelError, match=r"spherical or free joints.*simulate\(model\)\.mass_moments"):
            mb.mass_moments(model, "ball", axis, axes=axes)
    with pytest.raises(mb.UnknownNameError):
        mb.mass_moments(model, "ball", "nobody", axes="body")
    with pytest.raises(mb.ModelError, match="zero"):
        mb.mass_moments(model, "ball", (0, 0, 0), axes="body")


EQUATIONS = mb.covariant(mb.library.opnchain_manipulator())
ARM = mb.library.three_body_arm()
ROD = mb.library.spherical_chain(1)
SPRUNG = ROD.replace(forces=[mb.ElasticAlignment("rod 1", (0, 0, 1), (0, 0, 1), 3.0)])
HELD = ROD.replace(constraints=[mb.DistanceConstraint(("rod 1", (0, 0, 1)), (None, (0, 0, 5)), 4.0)])
SLIPS: dict[str, Callable[[], Any]] = {
    "a text as state": lambda: EQUATIONS.metric.evaluate(q="x"),
    "texts in a state": lambda: EQUATIONS.metric.evaluate(q=["a"] * 5),
    "a complex state": lambda: EQUATIONS.metric.evaluate(q=np.full(5, 1j)),
    "an object as state": lambda: EQUATIONS.metric.evaluate(q={}),
    "a complex state of the kernels": lambda: mb.Dynamics(ARM).mass_matrix(np.full(3, 1j)),
    "a negative coordinate": lambda: EQUATIONS.metric.diff(-1),
    "a text to substitute": lambda: EQUATIONS.metric.substitute(q="x"),
    "a number to substitute": lambda: EQUATIONS.metric.substitute(q=3),
    "a number to linearise about": lambda: EQUATIONS.linearised(q=5),
    "a power of a half": lambda: EQUATIONS.metric[0, 0] ** 0.5,
    "shapes that do not multiply": lambda: EQUATIONS.metric @ [1, 2],
    "shapes that do not add": lambda: EQUATIONS.metric + np.ones(3),
    "a word of the language": lambda: EQUATIONS.metric[0, 0].code("python", "for"),
    "terms that are no number": lambda: mb.covariant(ARM, terms="many").metric,  # type: ignore[arg-type]
    "seconds that never end": lambda: mb.covariant(ARM, seconds=float("nan")).metric,
    "a tolerance that is none": lambda: mb.covariant(ARM, axis_tolerance=float("nan")),
    "a row that is not there": lambda: mb.rotators(ARM, 0)[99],
    "a row of no kind": lambda: mb.rotators(ARM, 0)[None],  # type: ignore[index]
    "a stiffness of letters": lambda: mb.simulate(ARM, duration=1).pressure_spectrum(0, stiffness="x"),
    "a tolerance of letters": lambda: mb.permanent(ROD, [5], tolerance="x"),  # type: ignore[arg-type]
    "a time of letters": lambda: mb.permanent(ROD, [5]).residual("x"),
    "axes of letters": lambda: mb.own_axes(ROD, [5], "z"),
    "axes of two lengths": lambda: mb.own_axes(mb.library.spherical_chain(2), [5, 5], [(0, 0, 1), (0, 1)]),
    "own axes without tolerance": lambda: mb.own_axes(ROD, [5], [(0, 0, 1)], tolerance=float("nan")),
    "a speed of letters": lambda: mb.staude_cone(ROD).residual((1, 2, 3), "x"),  # type: ignore[arg-type]
    "no speed": lambda: mb.staude_cone(ROD).state((1, 2, 3), None),  # type: ignore[arg-type]
    "half a sample": lambda: mb.staude_cone(ROD).mus(2.5),  # type: ignore[arg-type]
    "speeds of letters": lambda: mb.branch_diagram(ROD, "x"),  # type: ignore[arg-type]
    "nothing free": lambda: mb.design_permanent(ROD, [5], free=3),  # type: ignore[arg-type]
    "parameters that do not help": lambda: mb.design_permanent(
        mb.library.spherical_chain(2), [5, 9], parameters=("m",)
    ),
    "formulae without the springs": lambda: mb.permanent_formulae(SPRUNG),
    "formulae with two meanings of a letter": lambda: mb.permanent_formulae(
        ROD.replace(parameters={**ROD.parameters, "omega_1": mb.Parameter("omega_1", 1.0)})
    ),
    "Kharlamov without the constraints": lambda: mb.kharlamov(HELD),
    "an eigenfrequency of letters": lambda: mb.simulate(ARM, duration=1).pressure_spectrum(0, eigenfrequencies="x"),
}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_has_a_typed_error(slip: str) -> None:
    with pytest.raises(mb.MbwidgetsError):
        SLIPS[slip]()


def test_one_eigenfrequency_needs_no_list() -> None:
    assert mb.simulate(ARM, duration=1).pressure_spectrum(0, eigenfrequencies=5).eigenfrequencies == (5.0,)


def test_arrays_multiply_formulae_from_the_left() -> None:
    gradient = EQUATIONS.potential_gradient
    assert np.arange(5) @ gradient == gradient @ np.arange(5)
    assert np.eye(5, dtype=int) @ EQUATIONS.metric == EQUATIONS.metric
