"""What an entry of a tensor says: its number is that of the kernels, and no sentence stands where there is nothing."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.widgets.text.components import TENSORS
from mbwidgets.widgets.text.entry_finding import entry_numbers, entry_sentences, marked_symbol

MODELS = [mb.library.opnchain_manipulator(), mb.library.cart_pendulum(), mb.library.pendulum(2)]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
def test_the_metric_says_what_the_kernels_mass_matrix_has(model: mb.Model, rng: np.random.Generator) -> None:
    found, dynamics = mb.covariant(model), mb.Dynamics(model)
    motion = mb.simulate(model, q=rng.normal(size=model.nq), u=rng.normal(size=model.nv), duration=0.2, rate=10)
    mass = np.array([dynamics.mass_matrix(q) for q in motion.q])
    for a, b in product(range(model.nv), repeat=2):
        value, limit, share = entry_numbers(found, "metric", (a, b), motion).T
        np.testing.assert_allclose(value, mass[:, a, b], rtol=1e-10, atol=1e-10 * np.abs(mass).max())
        if a != b:
            root = np.sqrt(mass[:, a, a] * mass[:, b, b])
            np.testing.assert_allclose(limit, root, rtol=1e-10)
            np.testing.assert_allclose(share, 100 * mass[:, a, b] / root, rtol=1e-9, atol=1e-9)
            assert (np.abs(share) < 100).all()  # the metric is positive


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
@pytest.mark.parametrize("key", list(TENSORS))
def test_every_entry_says_one_sentence_with_its_number(model: mb.Model, key: str) -> None:
    found, motion = mb.covariant(model), mb.simulate(model, duration=0.1, rate=10)
    for place in product(range(model.nv), repeat=sum(k >= 0 for k in TENSORS[key].order)):
        sentences = entry_sentences(model, key, place)
        for row in entry_numbers(found, key, place, motion):
            (said,) = sentences.said(list(row))
            assert "{" not in said
            assert (" = 0." in said) == (abs(row[0]) <= 1e-12 * abs(row[1]))


def test_what_couples_a_wrist_with_a_turn_is_told_in_per_cent() -> None:
    model = mb.library.opnchain_manipulator()
    said = entry_sentences(model, "metric", (3, 1)).said([-4.124, 27.0, -15.27])
    assert said == ["a42 couples wrist with turn: −4.12 kg m², 15.3% of what it can be at most."]
    assert entry_sentences(model, "gradient", (1,)).said([0.0, 1.0, 0.0]) == [
        "Gravity asks nothing of turn now: ∂Π/∂q2 = 0."
    ]


@pytest.mark.parametrize(
    ("text", "marked"),
    [("a₄₂", "a_{42}"), ("a¹²", "a^{12}"), ("Γ¹₂₃", "Γ^{1}_{23}"), ("Γ₁₂,₃", "Γ_{12,3}"), ("∂Π/∂q³", "∂Π/∂q^{3}")],
)
def test_small_digits_are_marked(text: str, marked: str) -> None:
    assert marked_symbol(text) == marked
