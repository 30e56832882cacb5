"""Formulae that a page holds, by body and kind: as many as there is time to derive; of the others it says so."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np

from ...errors import ExpressionError, MbwidgetsError
from ...model.model import Model
from ...numeric.packing.formula_programs import FormulaProgram, formula_program
from ..base.lifetime import explain_error, result_or_error, trouble_html
from ..parts.formulas import FORMULAE, Group, groups_html
from ..text.readings import formula_groups
from .page_tables import reference_to
from .page_variants import Menu, choices_of

__all__ = ["UNSTORED", "formula_variants", "program_document_of", "stored_formulae"]

MOST_NUMBERS: Final = 12_000
"""Of all programs of formulae: some 10 KB of a page."""
SECONDS: Final = 0.2
"""Of the processor, that deriving formulae for a page may take; their programs take half of it."""
UNSTORED: Final = "<p>This formula was not stored in the page: Python derives it in the notebook.</p>"
Derived = tuple[int, int, Sequence[Group]]
"""The place of a body, that of a kind of formulae, and what was derived."""


class Stored(NamedTuple):
    """Formulae of a page by body and kind: as HTML in letters, and as programs of what stands on their left sides."""

    texts: list[list[str]]
    programs: list[list[Any]]


def stored_formulae(view: Any, bodies: Sequence[int]) -> Stored:
    """Every formula of every body: the selected body's first, as many as there is time for, and room for numbers."""
    texts, derived = stored_texts(view, bodies)
    programs: list[list[Any]] = [[None] * len(FORMULAE) for _ in texts]
    _store_programs(programs, derived, view.model)
    return Stored(texts, programs)


def stored_texts(view: Any, bodies: Sequence[int]) -> tuple[list[list[str]], list[Derived]]:
    """The HTML by body and kind, the selected body's first, as many as there is time for; and what was derived."""
    texts = [[""] * len(FORMULAE) for _ in range(max(bodies) + 1)]
    wanted = [(index, kind) for kind in FORMULAE for index in bodies]
    wanted.sort(key=lambda item: (item[0] != view.index, item[1] != view.formulae.kind))
    derived = list[Derived]()
    start = time.thread_time()
    for index, kind in wanted:
        if time.thread_time() - start > SECONDS:
            break
        place = list(FORMULAE).index(kind)
        groups = result_or_error(partial(formula_groups, FORMULAE[kind], view.model, index))
        if isinstance(groups, Exception):
            texts[index][place] = trouble_html(explain_error(groups))
        else:
            texts[index][place] = groups_html(groups, view.model)
            derived.append((index, place, groups))
    return texts, derived


def _store_programs(programs: list[list[Any]], derived: Sequence[Derived], model: Model) -> None:
    """Add the programs of formulae that have been derived, as long as there is time and room."""
    start, room = time.thread_time(), MOST_NUMBERS
    for index, place, groups in derived:
        if time.thread_time() - start > SECONDS / 2:
            break
        found = _programs(groups, model)
        size = sum(len(program["machine"]) // 8 for program in found)
        if found and size <= room:
            room -= size
            names = [name for group in groups for name in group.names]
            programs[index][place] = {"names": names, "programs": found}


def _programs(groups: Sequence[Group], model: Model) -> list[dict[str, Any]]:
    """Of each group the program of its numbers; none where one is too long, or of something else than states."""
    try:
        return [_program(group.formula, model) for group in groups]
    except (MbwidgetsError, KeyError):
        return []


def _program(formula: Any, model: Model) -> dict[str, Any]:
    made = formula_program(formula, model.nq, model.nv, sized=True)
    unknown = [name for name in made.parameters if name not in model.parameters]
    if unknown:  # a letter that the page does not know, as a multiplier
        raise ExpressionError(f"{', '.join(unknown)} are no parameters")
    return program_document_of(made)


def program_document_of(made: FormulaProgram) -> dict[str, Any]:
    return {
        "machine": np.ascontiguousarray(made.machine, dtype="<f8").tobytes(),
        "parameters": list(made.parameters),
        "results": list(made.results),
        "sizes": list(made.sizes),
    }


def formula_variants(view: Any, joints: Sequence[Menu]) -> tuple[Menu, list[dict[str, Any]]]:
    """The menu of kinds of formulae, and for JSON the text of each kind and of each joint that a menu offers."""
    kinds = Menu("kind", view.formulae.menu, tuple(FORMULAE))
    places = range(len(view.model.bodies)) if joints else [view.index]
    texts, _ = stored_texts(view, places)
    text = {"part": reference_to(view.formulae.written), "kind": "look", "first": 0, "columns": 0, "exact": True}
    found = []
    for when, chosen in choices_of({menu.name: menu for menu in [*joints, kinds]}, ("selected", "kind")):
        index = view.model.index(chosen.get("selected", view.selected))
        html = texts[index][list(FORMULAE).index(chosen["kind"])] or UNSTORED
        found.append({**text, "freely": False, "when": when, "look": {"value": html}})
    return kinds, found
