"""Augmented bodies, Kharlamov's equations and the conditions of permanent rotation as exact formulae."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.numeric.permanent.ball_chain import Chain
from tests.numeric.permanent.permanent_chains import SYSTEMS, random_spherical_chain, reference_chain
from tests.random_models import random_state


def two_bodies() -> mb.Model:
    m1, m2, length = mb.Parameter("m1", 2.0), mb.Parameter("m2", 1.5), mb.Parameter("l", 0.6)
    bodies = [
        mb.Body("first", mb.Spherical(), mass=m1, com=(0, 0, length / 2), inertia=(0.1, 0.2, 0.25)),
        mb.Body("second", mb.Spherical(at=(0, 0, length)), mass=m2, com=(0.1, 0, 0.2), inertia=(0.1, 0.1, 0.05)),
    ]
    return mb.Model(bodies, gravity=(0, 0, mb.Parameter("g", 9.81)))


def test_augmented_bodies_are_formulae_of_the_parameters() -> None:
    bodies = mb.augmented(two_bodies())
    m1, m2, length = (mb.Parameter(name) for name in ("m1", "m2", "l"))
    assert bodies.mass == [m2, 0]
    assert bodies.static == [[0, 0, m1 * length / 2 + m2 * length], [m2 / 10, 0, m2 / 5]]
    assert bodies.barycentre[0, 2] == (m1 * length / 2 + m2 * length) / (m1 + m2)
    expected = Fraction(1, 10) + m1 * length**2 / 4 + m2 * length**2
    assert bodies.inertia[0, 0, 0] == expected
    assert bodies.inertia.shape == (2, 3, 3)
    assert bodies.inertia[0, 2, 2] == Fraction(1, 4)
    assert bodies.names == ("first", "second")
    assert bodies.total == [m1 + m2, m2]


def test_augmented_bodies_are_the_same_as_numbers_and_as_formulae(rng: np.random.Generator) -> None:
    for n in (1, 2, 5):
        model = random_spherical_chain(rng, n)
        numbers, chain = mb.augmented(model).evaluate(), Chain.of(model)
        for name, value in (
            ("mass", chain.below),
            ("static", chain.static),
            ("barycentre", chain.barycentre),
            ("inertia", chain.augmented),
        ):
            np.testing.assert_allclose(numbers[name], value, rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize("name", SYSTEMS)
def test_augmented_bodies_are_those_of_the_reference(name: str) -> None:
    numbers = mb.augmented(reference_chain(SYSTEMS[name])).evaluate()
    np.testing.assert_allclose(numbers["inertia"], SYSTEMS[name]["Astar"], rtol=0, atol=1e-13)
    np.testing.assert_allclose(numbers["static"], SYSTEMS[name]["a"], rtol=0, atol=1e-13)


@pytest.mark.parametrize("n", [1, 2])
def test_the_augmented_equations_are_exactly_those_without_augmentation(n: int, rng: np.random.Generator) -> None:
    """(1.3)-(1.5) is (1.1), identically in the coordinates, velocities and accelerations."""
    model = random_spherical_chain(rng, n, elastic=True)
    equations = mb.kharlamov(model)
    assert equations.equations == equations.plain_equations


def test_the_augmented_equations_of_three_bodies_with_letters_are_those_without_augmentation() -> None:
    rod = two_bodies().bodies[0]
    model = mb.Model(
        [
            mb.Body(name, mb.Spherical(at=(0, 0, at)), mass=mass, com=(0, 0, at), inertia=rod.inertia)
            for name, mass, at in (("a", 1, 0), ("b", mb.Parameter("m"), 1), ("c", 2, 2))
        ]
    )
    equations = mb.kharlamov(model, seconds=30)
    assert equations.equations == equations.plain_equations


@pytest.mark.parametrize("n", [1, 2])
def test_the_exact_equations_give_the_efforts_of_the_compiled_dynamics(n: int, rng: np.random.Generator) -> None:
    """Row i is L_i − L_{i+1}: summed from the tip inward the rows are the moments in the joints."""
    model = random_spherical_chain(rng, n, elastic=True)
    state = random_state(rng, model)
    rows = mb.kharlamov(model).equations.evaluate(q=state.q, u=state.u, ud=state.ud)
    turns = Chain.of(model, forces=True).turns(state.q)
    moments = np.cumsum(np.einsum("iab,ib->ia", turns, rows)[::-1], axis=0)[::-1]
    efforts = np.einsum("iba,ib->ia", turns, moments).ravel()
    expected = mb.Dynamics(model).inverse(state.q, state.u, state.ud)
    np.testing.assert_allclose(efforts, expected, rtol=0, atol=1e-12 * np.abs(expected).max())


def test_exact_coefficients_are_the_numbers_of_permanent(rng: np.random.Generator) -> None:
    models = [random_spherical_chain(rng, n) for n in (1, 2, 3)] + [mb.library.spherical_chain(3), two_bodies()]
    for model in models:
        n = len(model.bodies)
        omega = rng.normal(size=n) * 3
        formulae, found = mb.permanent_formulae(model), mb.permanent(model, omega)
        speeds = {f"omega_{i + 1}": omega[i] for i in range(n)}
        # |g| is a root where gravity is oblique: polynomials in it cancel, which takes four of sixteen digits
        precision = 1e-10 * found.scale
        for key in ("alpha", "beta", "gamma"):
            exact = getattr(formulae, key).evaluate(**speeds)
            np.testing.assert_allclose(exact, getattr(found, key), rtol=0, atol=precision)
        exact = formulae.residual.evaluate(t=0.7, **speeds)
        np.testing.assert_allclose(exact, found.residual(0.7), rtol=0, atol=precision)


def test_the_condition_of_a_vertical_pendulum_is_written_with_its_letters() -> None:
    formulae = mb.permanent_formulae(two_bodies())
    m2, g, omega = (mb.Parameter(name) for name in ("m2", "g", "omega_2"))
    # A₁₃ = ∫xz dm = m c_x c_z of the second body
    assert formulae.alpha[1, 0] == m2 / 50 * omega**2 - g * m2 / 10
    assert formulae.alpha[0] == [0, 0, 0]


def test_what_has_no_augmented_bodies_is_refused() -> None:
    model = two_bodies()
    with pytest.raises(mb.ModelError, match=r"body 'first': .*s = 0"):
        mb.augmented(model.with_joint("second", at=(0, 0, 0)))
    with pytest.raises(mb.ModelError, match="joint 'second': a prismatic joint"):
        mb.augmented(model.with_body("second", joint=mb.Prismatic("z", at=(0, 0, 1))))
    with pytest.raises(mb.ModelError, match="barycentre"):
        mb.augmented(mb.Model([mb.Body("nothing", mb.Spherical())]))
    with pytest.raises(mb.ModelError, match="gravity is zero"):
        mb.permanent_formulae(model.replace(gravity=(0, 0, 0)))
    with pytest.raises(mb.ModelError, match="joint_damper"):
        mb.kharlamov(model.replace(forces=[mb.JointDamper("first", 1.0)]))
