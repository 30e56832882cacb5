"""Formulae at one state: the numbers that a batch has there."""

from __future__ import annotations

import numpy as np
import pytest

import mbwidgets as mb

ARM = mb.library.three_body_arm()


@pytest.mark.parametrize(
    "formula",
    [
        mb.covariant(ARM).metric,
        mb.covariant(ARM).effort,
        mb.reactions(ARM, "upper").force,
        mb.covariant(mb.library.pendulum(2)).contravariant_metric,
    ],
)
def test_one_state_has_the_numbers_of_a_batch(formula: mb.Formula, rng: np.random.Generator) -> None:
    q, u, ud = (rng.normal(size=(20, 3)) for _ in range(3))
    sizes = formula.values.sizes
    n = 3 if sizes is None else sizes[1]
    q, u, ud = q[:, :n], u[:, :n], ud[:, :n]
    batch = formula.evaluate(q=q, u=u, ud=ud)
    for k in range(len(q)):
        one = formula.evaluate(q=q[k], u=u[k], ud=ud[k])
        assert one.shape == batch[k].shape
        # products may be taken in another order
        np.testing.assert_allclose(one, batch[k], rtol=1e-14, atol=1e-14 * abs(batch).max())


def test_a_state_that_lacks_numbers_is_told_as_in_a_batch() -> None:
    formula = mb.covariant(ARM).effort
    with pytest.raises(mb.StateError, match="u\\[0\\] has no value"):
        formula.evaluate(q=[0.1, 0.2, 0.3])
    with pytest.raises(mb.StateError, match="not finite"):
        formula.evaluate(q=np.array([0.1, np.nan, 0.3]), u=np.zeros(3), ud=np.zeros(3))
    with pytest.raises(mb.ExpressionError, match="not real"):
        formula.evaluate(q=np.array([0.1, 1j, 0.3]), u=np.zeros(3), ud=np.zeros(3))
