"""`EquationsView` without a page: what it shows against what the core derives, its changes, its life."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest
import traitlets

import mbwidgets as mb
from mbwidgets.symbolic.code.languages import LANGUAGES
from mbwidgets.widgets.text.components import TENSORS, prismatic_coordinates
from mbwidgets.widgets.text.derivation import _routes, kernel_disagreement

CORE = mb.covariant(mb.library.opnchain_manipulator())


@pytest.fixture
def view():
    made = mb.EquationsView(duration=2)
    yield made
    made.close()


def shown_values(view: mb.EquationsView) -> np.ndarray:
    return np.frombuffer(view.plot.values, dtype=np.float32)


def test_the_entry_that_the_paper_prints_is_shown_first(view: mb.EquationsView) -> None:
    assert (view.tensor, view.place, view.map.chosen) == ("metric", (3, 1), [0, 3, 1])
    # Marković, Obradović: a₄₂ = −cos q⁴ sin q⁵ (50 + 71 cos q⁵ + 100 q³)/20
    assert r"a_{42} &= -\frac{\cos q^{4} \sin q^{5} \left(50 + 71 \cos q^{5} + 100 q^{3}\right)}{20}" in view.entry


@pytest.mark.parametrize("key", TENSORS)
def test_the_map_counts_the_terms_of_every_entry(view: mb.EquationsView, key: str) -> None:
    tensor = TENSORS[key]
    view.tensor = key
    whole = tensor.derive(CORE)
    for p, panel in enumerate(view.map.panels):
        for r, row in enumerate(panel["counts"]):
            for c, count in enumerate(row):
                entry = whole[tensor.place((p, r, c))]
                assert count == (entry.terms if entry else 0)
    assert sum(np.ravel([panel["counts"] for panel in view.map.panels])) == whole.terms - _zeros(whole)


def _zeros(whole: mb.Formula) -> int:
    return sum(entry.terms for entry in (whole[place] for place in np.ndindex(whole.shape)) if not entry)


def test_a_cell_that_is_clicked_shows_its_symbol_by_both_routes(view: mb.EquationsView) -> None:
    view.tensor = "christoffel"
    view.map.chosen = [1, 4, 4]
    assert view.place == (4, 4, 1)
    # Γ₅₅,₂ = 5 sin q⁴ sin q⁵ (1 + 2 q³)/2, as printed
    assert view.entry.count(r"\frac{5 \sin q^{4} \sin q^{5} \left(1 + 2 q^{3}\right)}{2}") == 2
    assert "their difference is exactly 0; so for all 75 symbols" in view.entry
    expected = CORE.christoffel()[4, 4, 1].evaluate(q=view.motion.q)
    np.testing.assert_allclose(shown_values(view), expected, rtol=1e-6)


def test_two_routes_that_differ_are_said_to_differ() -> None:
    class Wrong:
        n = CORE.n

        def christoffel(self, kind: int = 1, route: str = "metric") -> mb.Formula:
            whole = CORE.christoffel(route=route)
            return whole if route == "metric" else whole * 2

    assert "the two routes differ" in _routes(Wrong(), (4, 4, 1))


def test_the_curve_of_an_entry_is_that_of_the_compiled_mass_matrix(view: mb.EquationsView) -> None:
    kernels = mb.Dynamics(view.model)
    expected = [kernels.mass_matrix(q)[3, 1] for q in view.motion.q]
    # the page gets float32
    np.testing.assert_allclose(shown_values(view), expected, rtol=1e-6, atol=1e-6)


def test_formulae_of_another_mechanism_do_not_pass_the_check(view: mb.EquationsView) -> None:
    assert "✓" in kernel_disagreement(CORE, view.motion)
    heavier = view.model.with_body("hand", mass=101)
    assert "✗" in kernel_disagreement(mb.covariant(heavier), view.motion)


def test_the_exercise_moves_every_joint_and_stays_in_sight(view: mb.EquationsView) -> None:
    assert (np.ptp(view.motion.q, axis=0) > 0.05).all()
    assert np.abs(view.motion.q).max() < 3.2
    assert view.motion.drift < 1e-8
    assert CORE.effort == mb.covariant(view.model).effort, "the efforts must be no part of the equations"


def test_equations_are_those_of_the_core_in_both_forms(view: mb.EquationsView) -> None:
    view.tabs.selected_index = 1
    assert "Q_{1} &= 500 g + 500 \\ddot q^{1}" in view.equations
    view.form = "contravariant"
    assert "788 terms are more than can be read" in view.equations
    view.row = 1
    assert r"\ddot q^{2} &= \frac{N}{\Delta}" in view.equations
    assert "more than can be read" not in view.equations


@pytest.mark.parametrize("language", LANGUAGES)
def test_code_of_every_language_is_that_of_the_core(view: mb.EquationsView, language: str) -> None:
    view.tabs.selected_index = 2
    view.code.language = language
    assert view.code.text == CORE.code(language)


def test_units_go_with_the_joints(view: mb.EquationsView) -> None:
    lengths = prismatic_coordinates(view.model)
    assert lengths == (True, False, True, False, False)
    unit = lambda key, *place: TENSORS[key].unit(lengths, place)  # noqa: E731
    assert [unit("metric", 0, 0), unit("metric", 0, 1), unit("metric", 1, 1)] == ["kg", "kg m", "kg m²"]
    assert [unit("christoffel", 4, 4, 1), unit("christoffel", 1, 1, 2), unit("christoffel", 0, 0, 2)] == [
        "kg m²",
        "kg m",
        "kg m⁻¹",
    ]
    assert [unit("inverse", 0, 0), unit("inverse", 1, 1)] == ["kg⁻¹", "kg⁻¹ m⁻²"]
    assert [unit("second kind", 0, 1, 1), unit("second kind", 1, 1, 1), unit("second kind", 1, 0, 1)] == [
        "m",
        "1",
        "m⁻¹",
    ]
    assert [unit("gradient", 0), unit("gradient", 3)] == ["N", "N m"]


def test_a_parameter_moves_the_curve_and_leaves_the_formula(view: mb.EquationsView) -> None:
    view.tensor = "gradient"
    view.place = (0,)
    formula, values = view.entry, shown_values(view)
    view.controls.edit = {"key": "parameter g", "value": 1.6, "number": 1}
    assert view.entry == formula
    np.testing.assert_allclose(shown_values(view), values * 1.6 / 9.81, rtol=1e-6)


def test_a_mechanism_on_balls_is_refused_in_words_and_the_view_lives_on(view: mb.EquationsView) -> None:
    view.model = mb.library.spherical_chain(2)
    assert view.map.panels == []
    assert "spherical" in view.map.note
    view.model = mb.library.pendulum(2)
    assert len(view.map.panels) == 1
    assert view.map.chosen == [0, 1, 1]
    assert "a_{22}" in view.entry


def test_an_entry_that_is_not_there_is_refused(view: mb.EquationsView) -> None:
    for place in ((5, 0), (0,), (-1, 0)):
        with pytest.raises(traitlets.TraitError):
            view.place = place
    view.map.chosen = [0, 9, 9]
    assert view.map.chosen == [0, 3, 1]
    assert view.place == (3, 1)


def test_of_many_choices_the_newest_is_shown_and_nothing_blocks() -> None:
    async def choose() -> tuple[int, ...]:
        view = mb.EquationsView(duration=1)
        for k in range(5):
            for i in range(5):
                view.place = (i, k)
        view.tensor = "christoffel"
        view.place = (1, 1, 2)
        for _ in range(200):
            await asyncio.sleep(0.02)
            if view.map.chosen == [2, 1, 1] and r"\Gamma_{22,3}" in view.entry:
                break
        place, entry, busy = view.place, view.entry, view.map.busy
        view.close()
        assert r"\Gamma_{22,3} &=" in entry
        assert busy == ""
        return place

    assert asyncio.run(choose()) == (1, 1, 2)
