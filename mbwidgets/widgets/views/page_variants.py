"""What the menus of a view choose in a page without a kernel: every choice is told beforehand, as programs and traits.

A view is asked what it would show if something else were chosen; it stays as it is.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from types import FunctionType, MethodType
from typing import Any, Final

from ...errors import MbwidgetsError
from ...model.model import Model
from ...numeric.motion.traced_motion import TracedMotion, parameters_of
from ...numeric.packing.traced_numbers import Tracer
from ...scene.look.arrows import Arrow
from ...scene.look.shapes import model_size
from ...scene.stage.drawn_arrows import DrawnArrow, scaled_own_arrows
from ...scene.stage.page_arrows import own_page_arrows, own_page_units
from ...scene.stage.page_stage import page_stage
from ...scene.stage.scale_bars import owner_of
from ..edit.places import editable_places
from ..parts.controls import row_of
from .page_tables import (
    ARROW,
    UNTOLD,
    arrow_numbers,
    checked_length,
    flat_numbers,
    often,
    program_document,
    reference_of,
    reference_to,
    told_once,
    told_words,
    untold_parts,
)

__all__ = [
    "MOST_BODIES",
    "Menu",
    "Otherwise",
    "choices_of",
    "drawn_as",
    "fill_variants",
    "page_variants",
    "present_arrows",
]

UNKNOWN: Final = {"from": "", "column": 0, "at": "O", "body": 0}
"""An arrow that a page cannot compute, and hides."""
MOST_BODIES: Final = 8
"""Bodies that can be chosen in a page: each has its own programs."""


@dataclass(frozen=True)
class Menu:
    """A menu that a page answers: the name by which the view knows its value, and the values, in its order.

    ``told``: the places of those that are told, where it is not all of them.
    """

    name: str
    widget: Any
    values: tuple[Any, ...]
    told: tuple[int, ...] | None = None


class Otherwise:
    """A view as it would be with other choices: what reads it finds these, and everything else as it is."""

    def __init__(self, view: Any, **choices: Any) -> None:
        self.__dict__.update(_view=view, _choices=choices)

    def __getattr__(self, name: str) -> Any:
        view, choices = self.__dict__["_view"], self.__dict__["_choices"]
        if name in choices:
            return choices[name]
        own = getattr(type(view), name, None)
        if isinstance(own, property) and own.fget is not None:
            return own.fget(self)
        return MethodType(own, self) if isinstance(own, FunctionType) else getattr(view, name)


@contextlib.contextmanager
def page_variants(view: Any) -> Iterator[tuple[dict[str, Any], list[Any]]]:
    """For JSON: programs, looks, arrows and sliders of every choice; and the arrows that a page needs besides."""
    menus = {menu.name: menu for menu in view.page_menus()}
    tracer, own = Tracer(parameters_of(view.page_model(view.model))), view.own_numbers()
    traced = TracedMotion(view.motion, tracer, tuple(own))
    results: list[Any] = []
    arrows = list(_arrows(view, menus, traced, results))
    spare = view.picture.spare_arrows([drawn for _, _, drawn, *_ in arrows])
    pool = {**view.picture.drawn_arrows(), **spare}
    try:
        fills, untold = _fills(view, menus, traced, results)
        once, left = told_once(view.page_fills(), traced)
        document = {
            "words": _words(view, menus, traced, results),
            "program": program_document(tracer, results),
            "fills": fills,
            "once": once,
            "untold": [*untold, *left, *untold_parts(view.page_never())],
            "stale": [item.document() for item in view.page_stale()],
            "drawn": bool(arrows),
            "keys": list(own),
            "own": list(own.values()),
            "menus": [{"part": reference_to(menu.widget), "trait": "index"} for menu in menus.values()],
            "arrows": [
                {**drawn_as(drawn, pool, view.model), "when": when, "page": spec, "ticks": ticks}
                for when, spec, drawn, _, ticks in arrows
            ],
            "units": {name: unit for *_, units, _ in arrows for name, unit in units.items()},
            "ticks": view.ticks_in_page(),
            "sizes": view.sizes_in_page(),
            "stage": page_stage(view.picture.stage),
            "rows": _rows(view, menus),
        }
        yield document, [item for arrow in spare.values() for item in arrow.objects]
    finally:
        for arrow in spare.values():
            arrow.close()


def fill_variants(view: Any, menus: Sequence[Menu]) -> dict[str, Any]:
    """For JSON: programs and looks of a view's fills alone, of every choice of these menus."""
    tracer = Tracer(parameters_of(view.page_model(view.model)))
    results: list[Any] = []
    fills, untold = _fills(view, {menu.name: menu for menu in menus}, TracedMotion(view.motion, tracer), results)
    told = {"words": [], "fills": fills, "untold": untold, "stale": [], "keys": [], "own": [], "drawn": False}
    return {**told, "program": program_document(tracer, results), "once": None}


def choices_of(menus: Mapping[str, Menu], names: Sequence[str]) -> Iterator[tuple[list[Any], dict[str, Any]]]:
    """Every choice of these menus: which entries they stand at, and the values by name."""
    used = [menus[name] for name in names if name in menus]
    for places in product(*(range(len(menu.values)) if menu.told is None else menu.told for menu in used)):
        when = [[reference_to(menu.widget), place] for menu, place in zip(used, places, strict=True)]
        yield when, {menu.name: menu.values[place] for menu, place in zip(used, places, strict=True)}


def _fills(view: Any, menus: dict[str, Menu], traced: Any, results: list[Any]) -> tuple[list[Any], list[Any]]:
    told, untold = [], []
    for number, fill in enumerate(often(view.page_fills())):
        for when, chosen in choices_of(menus, fill.menus):
            one = often(Otherwise(view, **chosen).page_fills())[number]
            exact = traced.tracer.formulae
            try:
                numbers, look = flat_numbers(one.values(traced)), one.look()
                checked_length(traced.tracer, [*results, *numbers])
            except UNTOLD:
                untold.append({"part": reference_to(fill.part), "when": when})
                continue
            entry = {"first": len(results), "columns": len(numbers), "when": when, "look": look}
            told.append({**reference_of(fill), **entry, "exact": traced.tracer.formulae > exact})
            results += numbers
    return told, untold


def _words(view: Any, menus: dict[str, Menu], traced: Any, results: list[Any]) -> list[Any]:
    found = []
    for when, chosen in choices_of(menus, view.word_menus):
        for item in Otherwise(view, **chosen).page_words():
            found += told_words(item, traced, results, when)
    return found


def _arrows(view: Any, menus: dict[str, Menu], traced: Any, results: list[Any]) -> Iterator[Any]:
    """When it is drawn, how the page finds it, the arrow, the units of all, its ticks: of every choice, every row."""
    picture = view.picture
    feet, usual = picture.stage.setting.feet_of(view.model), picture.usual
    radius, size = picture.stage.radius, view.arrow_size
    for when, chosen in choices_of(menus, view.arrow_menus):
        one = Otherwise(view, **{**chosen, **view.every_arrow()})
        try:
            numbers, items = arrow_numbers(one.page_arrows(traced)), one.page_arrows(view.motion)
            checked_length(traced.tracer, [*results, *numbers])
        except UNTOLD:
            continue
        drawn = scaled_own_arrows(items, radius, size, usual)
        specs = own_page_arrows(items, drawn.arrows, feet, drawn.scales)
        units = own_page_units(items, radius, drawn.scales)
        for place, (spec, arrow) in enumerate(zip(specs, drawn.arrows, strict=True)):
            told = {**spec, "column": len(results) + ARROW * place}
            yield when, told, arrow, units, items[place].ticks or (arrow.key,)
        results += numbers


def present_arrows(view: Any, tables: dict[str, Any]) -> list[dict[str, Any]]:
    """The arrows that are drawn now, as a page finds them among those of every choice."""
    at = {reference_to(menu.widget): menu.widget.index for menu in view.page_menus()}
    chosen = [entry for entry in tables["arrows"] if all(at[menu] == place for menu, place in entry["when"])]
    found: dict[str, list[dict[str, Any]]] = {}
    for entry in chosen:
        found.setdefault(entry["key"], []).append(entry["page"])
    # arrows of one name, which light up together, stand in one order here and there
    left = {key: iter(pages) for key, pages in found.items()}
    return [next(left.get(arrow.key, iter(())), UNKNOWN) for arrow in view.picture.own]


def drawn_as(arrow: DrawnArrow, pool: Mapping[tuple[str, str], Arrow], model: Model) -> dict[str, Any]:
    """The objects of an arrow, and how it is listed."""
    group, label = pool[arrow.key, arrow.label].objects
    return {
        "key": arrow.key,
        "group": reference_to(group),
        "label": reference_to(label),
        "unit": arrow.measure,
        "colour": arrow.colour,
        "symbol": arrow.label,
        "on": owner_of(arrow, model),
    }


def _rows(view: Any, menus: dict[str, Menu]) -> list[Any]:
    """The sliders of every body that can be chosen."""
    found = []
    for when, chosen in choices_of(menus, ("selected",)):
        one = Otherwise(view, **chosen)
        with contextlib.suppress(MbwidgetsError):
            places = [*one.own_places(), *editable_places(view.model, one.index, model_size(view.origin))]
            found.append({"when": when, "rows": [row_of(place, view.origin) for place in places]})
    return found
