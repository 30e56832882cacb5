"""Kharlamov's equations, with augmented bodies and without, against the kernels for trees."""

from __future__ import annotations

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.numeric.permanent.kharlamov import Kharlamov
from tests.numeric.permanent.permanent_chains import random_spherical_chain
from tests.random_models import random_state

CHAINS = 500


def test_kharlamovs_equations_give_the_accelerations_of_the_tree_kernels(rng: np.random.Generator) -> None:
    """(1.3)-(1.5) and (1.1), every other chain with elastic moments; the condition number takes three digits of 16."""
    worst = {True: 0.0, False: 0.0}
    for number in range(CHAINS):
        model = random_spherical_chain(rng, int(rng.integers(1, 7)), elastic=number % 2 == 1)
        state = random_state(rng, model)
        expected = mb.Dynamics(model).forward(state.q, state.u)
        equations = Kharlamov(model)
        for augmented in worst:
            found = equations.accelerations(state.q, state.u, augmented)
            error = np.abs(found - expected).max() / np.abs(expected).max()
            worst[augmented] = max(worst[augmented], float(error))
    assert worst[True] < 1e-11
    assert worst[False] < 1e-11


def test_applied_forces_and_moments_enter_as_in_the_paper(rng: np.random.Generator) -> None:
    """(1.3): moments in the joints, forces and moments at the suspension points."""
    for _ in range(20):
        n = int(rng.integers(1, 5))
        model = random_spherical_chain(rng, n)
        state = random_state(rng, model)
        forces, moments = rng.normal(size=(2, n, 3)) * 3
        loads = [mb.Force(i, tuple(forces[i])) for i in range(n)] + [mb.Torque(i, tuple(moments[i])) for i in range(n)]
        expected = mb.Dynamics(model.replace(forces=loads)).forward(state.q, state.u, state.tau)
        for augmented in (True, False):
            found = Kharlamov(model).accelerations(state.q, state.u, augmented, state.tau, forces, moments)
            assert np.abs(found - expected).max() < 1e-11 * np.abs(expected).max()


def test_a_long_chain_is_no_trouble(rng: np.random.Generator) -> None:
    model = random_spherical_chain(rng, 60)
    state = random_state(rng, model)
    expected = mb.Dynamics(model).forward(state.q, state.u)
    found = Kharlamov(model).accelerations(state.q, state.u)
    assert np.abs(found - expected).max() < 1e-9 * np.abs(expected).max()


def test_what_is_not_in_the_equations_is_refused(rng: np.random.Generator) -> None:
    model = random_spherical_chain(rng, 2)
    with pytest.raises(mb.ModelError, match="joint_damper"):
        Kharlamov(model.replace(forces=[mb.JointDamper(0, 1.0)]))
    with pytest.raises(mb.ModelError, match="universal joint"):
        Kharlamov(model.with_body(1, joint=mb.Universal("x", "y", at=(0, 0, 1))))
    with pytest.raises(mb.StateError, match="u has shape"):
        Kharlamov(model).accelerations(model.q0, [0.0])
