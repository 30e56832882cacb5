"""Formulae in a page without a kernel: those of every joint and kind, as many as there is time for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import mbwidgets as mb
from mbwidgets.widgets.parts.formulas import FORMULAE, formula_html
from mbwidgets.widgets.views import page_formulae


@pytest.fixture
def view() -> Iterator[Any]:
    made = mb.ReactionsView(mb.library.pendulum(2), joint=0, duration=0.2)
    yield made
    made.close()


def told(view: Any) -> dict[tuple[int, int], str]:
    _, found = page_formulae.formula_variants(view, view.body_menu())
    return {(entry["when"][0][1], entry["when"][1][1]): entry["look"]["value"] for entry in found}


def test_each_joint_and_kind_has_its_formula(view: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_formulae, "SECONDS", 60.0)
    found = told(view)
    assert len(found) == 2 * len(FORMULAE)
    for (body, place), html in found.items():
        assert html == formula_html(view.model, body, FORMULAE[list(FORMULAE)[place]])


def test_the_one_in_sight_comes_first_and_others_say_that_they_are_not_there(
    view: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_formulae, "SECONDS", 0.0)
    kept = {place for place, html in told(view).items() if html != page_formulae.UNSTORED}
    assert kept <= {(0, list(FORMULAE).index(view.formulae.kind))}
    assert all("Python derives it" in html for place, html in told(view).items() if place not in kept)
