"""Balancing a rotor: S → 0, then D → 0, and the kinetic pressures vanish (Cajić and Lazarević, Fig. 3)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mbwidgets as mb

STATES = [([0.3], [100.0], [5.0]), ([2.0], [-250.0], [0.0]), ([-1.0], [10.0], [900.0])]


def pressures(model: mb.Model) -> np.ndarray:
    """Kinetic pressures (states, 6) by the compiled kernel, at several speeds and accelerations."""
    weightless = mb.Dynamics(model.replace(gravity=(0, 0, 0)))
    return np.array([-weightless.reactions(*state)[0] for state in STATES])


def test_the_rotor_has_the_moments_and_pressures_computed_by_hand() -> None:
    model = mb.library.rotor()
    moments = mb.mass_moments(model, "rotor", "rotor")
    np.testing.assert_allclose(moments.static.evaluate(q=[0]), [0, 0.2, 0], atol=1e-15)
    np.testing.assert_allclose(moments.deviation.evaluate(q=[0]), [-0.04, 0, 0], atol=1e-15)
    assert moments.axial.evaluate() == pytest.approx(0.104, rel=1e-14)
    table = mb.rotators(model, 0)
    state = {"q": [0.0], "u": [100.0], "ud": [5.0]}
    np.testing.assert_allclose(table["R1(1):S"].contribution.evaluate(**state), [-2000, 1, 0], rtol=1e-14)
    np.testing.assert_allclose(table["R*1(1)"].contribution.evaluate(**state), [-0.2, -400, 0], rtol=1e-14)
    np.testing.assert_allclose(table["J1(1)"].contribution.evaluate(**state), [0, 0, 0.52], rtol=1e-14)


def test_centring_the_mass_removes_the_force_and_aligning_the_axis_the_moment() -> None:
    model = mb.library.rotor()
    centred = model.with_values(e=0)
    aligned = centred.with_values(Jxz=0)
    S, D = (mb.mass_moments(centred, 0, 0).static, mb.mass_moments(centred, 0, 0).deviation)
    assert not S.evaluate(q=[0.4]).any()
    assert D.evaluate(q=[0.4]).any()
    assert not mb.mass_moments(aligned, 0, 0).deviation.evaluate(q=[0.4]).any()
    force, moment = np.split(pressures(centred), 2, axis=1)
    assert not force.any()
    assert np.abs(moment).max() > 100
    assert not pressures(aligned).any()


@pytest.mark.parametrize("planes", [(-0.2, 0.3), ("c - 1/10", "c + 1/5"), (0, 1), (0, mb.Parameter("far", 0.4))])
def test_two_masses_make_both_moments_and_all_pressures_vanish(planes: Any) -> None:
    model = mb.library.rotor()
    found = mb.balance(model, "rotor", planes)
    balanced = found.balanced(radius=0.15)
    moments = mb.mass_moments(balanced, 0, 0)
    before = mb.mass_moments(model, 0, 0)
    for name in ("static", "deviation"):
        size = np.abs(getattr(before, name).evaluate(q=[0])).max()
        assert np.abs(getattr(moments, name).evaluate(q=[0.4])).max() <= 1e-12 * size
    assert np.abs(pressures(balanced)).max() <= 1e-12 * np.abs(pressures(model)).max()
    assert balanced.number(balanced.bodies[0].mass) == pytest.approx(10 + sum(found.masses(0.15)), rel=1e-15)


def test_the_balancing_masses_solve_the_equations_exactly() -> None:
    model = mb.library.rotor()
    found = mb.balance(model, planes=("z1", "z2"))
    S, D = found.before.static, found.before.deviation
    first, second = found.products[0], found.products[1]
    z1, z2 = mb.Formula("z1"), mb.Formula("z2")
    turned = [-(first[1] + second[1]), first[0] + second[0], mb.Formula(0)]  # [n, p₁ + p₂], n = z
    assert S + mb.Formula(turned) == mb.Formula([0, 0, 0])
    assert first * z1 + second * z2 == D


def test_a_tilted_shaft_inside_a_mechanism_is_balanced_too(rng: np.random.Generator) -> None:
    inertia = (0.2, 0.25, 0.3, 0.02, -0.03, 0.01)
    model = mb.Model(
        [
            mb.Body("table", mb.Prismatic("x"), mass=5),
            mb.Body("disk", mb.Revolute((1, 2, 2), at=(0.1, 0, 0)), mass=3, com=(0.02, 0.03, 0.1), inertia=inertia),
        ],
        gravity=(0, 0, 0),
    )
    balanced = mb.balance(model, "disk", (-0.1, 0.2)).balanced(0.1)
    state = [0.0, 0.7], [0.0, 50.0], [0.0, 3.0]
    before, after = (np.abs(mb.Dynamics(one).reactions(*state)[1]).max() for one in (model, balanced))
    assert after <= 1e-12 * before


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: mb.balance(mb.library.rotor(), planes=(0.1, 0.1)), "two places"),
        (lambda: mb.balance(mb.library.rotor(), planes=(0.1,)), "give 2"),
        (lambda: mb.balance(mb.library.rotor()).masses(0), "radius"),
        (lambda: mb.balance(mb.Model([mb.Body("a", mb.Prismatic("x"), mass=1)])), "prismatic"),
    ],
)
def test_what_cannot_be_balanced_is_named(call: Any, words: str) -> None:
    with pytest.raises(mb.ModelError, match=words):
        call()
