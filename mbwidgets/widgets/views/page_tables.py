"""What a page that solves the motion itself shows of it in tables, plots, matrices and arrows of a view's own.

Each part's numbers are a function of a motion. Run on a traced motion it becomes a program, which the page runs on the
motions that it solves: what is shown is computed by the same function, with a kernel and without one.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from ...numeric.motion.motion import Motion
from ...numeric.motion.traced_motion import TracedMotion
from ...numeric.packing.frame_programs import frame_program, program_operations
from ...numeric.packing.traced_numbers import Tracer
from ...scene.stage.own_arrows import OwnArrow
from .page_words import Words

__all__ = [
    "ARROW",
    "ONCE",
    "UNTOLD",
    "Fill",
    "Stale",
    "arrow_numbers",
    "checked_length",
    "flat_numbers",
    "often",
    "own_number",
    "page_tables",
    "program_document",
    "reference_of",
    "reference_to",
    "told_once",
    "told_words",
    "untold_parts",
]

ARROW: Final = 9
"""Results of an arrow: where it begins, its value, and the vector at whose tip it stands."""
SHIFT: Final = "shift"
"""The kind of what moves bodies on the stage alone."""
ONCE: Final = ("chart", "mark", "handles")
"""Kinds of what is the same in every frame."""
UNTOLD: Final = Exception
"""Whatever ends a function of a traced motion: mostly that it must know the numbers. The page does not tell it then."""


@dataclass(frozen=True)
class Fill:
    """What a part shows of a motion: a function that gives its numbers (frames, …).

    ``menus`` are the names of what it depends on besides, see `page_variants`; ``look`` gives the traits of the part
    that go with a choice. ``kind``: ``values`` of a table, a plot or a matrix, or the ``path`` of a line on the stage;
    or a ``look`` without numbers, which menus choose;
    or the ``shift`` of bodies on the stage, (frames, 3), ``look`` then tells which, whose joint is opened by it, and
    whether the shape of its parent reaches there;
    or what is the same in every frame: a ``chart``; where a ``mark`` stands on its body: place, direction of y,
    direction of x; and where ``handles`` do: place, direction, mass centre, inertia. ``freely``: whether it holds only
    as long as no hand pulls the mechanism.
    """

    part: Any
    values: Callable[[Any], np.ndarray]
    menus: tuple[str, ...] = ()
    look: Callable[[], dict[str, Any]] = dict
    kind: str = "values"
    freely: bool = False


@dataclass(frozen=True)
class Stale:
    """Words about the present motion, which a page takes away when a slider is moved there.

    ``instead``: what stands in their place; ``spared``: keys of sliders that leave them true.
    """

    part: Any
    instead: str = ""
    spared: tuple[str, ...] = ()

    def document(self) -> dict[str, Any]:
        """For JSON."""
        return {"part": reference_to(self.part), "instead": self.instead, "spared": list(self.spared)}


def own_number(motion: Any, key: str, value: float) -> Any:
    """A number that a slider of the view moves: itself, or traced."""
    if not isinstance(motion, TracedMotion):
        return value
    return motion.tracer.number("own", motion.own.index(key))


def page_tables(
    motion: Motion,
    fills: Sequence[Fill],
    arrows: Callable[[Any], Sequence[OwnArrow]] | None,
    own: Mapping[str, float],
    words: Sequence[Words] = (),
    names: Sequence[str] = (),
    stale: Sequence[Stale] = (),
    never: Sequence[Any] = (),
) -> dict[str, Any]:
    """For JSON: the program, which part takes which of its results, and the view's own numbers by slider.

    ``names`` are those of the page's numbers, for formulae; ``never`` are parts that a page cannot fill.
    ``drawn`` tells whether its first results are those of the arrows; ``untold`` are the parts that only Python fills.
    What would make the program longer than a page can run is left to Python too.
    """
    tracer = Tracer(names)
    traced = TracedMotion(motion, tracer, tuple(own))
    results: list[Any] = []
    with contextlib.suppress(UNTOLD):
        results = checked_length(tracer, arrow_numbers(() if arrows is None else arrows(traced)))
    drawn, told, untold = bool(results), [], []
    for fill in often(fills):
        exact = tracer.formulae
        try:
            numbers = flat_numbers(fill.values(traced))
            checked_length(tracer, [*results, *numbers])
        except UNTOLD:
            untold.append({"part": reference_to(fill.part), "when": []})
            continue
        look = fill.look() if fill.kind == SHIFT else {}
        entry = {"first": len(results), "columns": len(numbers), "when": [], "look": look}
        told.append({**reference_of(fill), **entry, "exact": tracer.formulae > exact})
        results += numbers
    said = [entry for item in words for entry in told_words(item, traced, results)]
    once, left = told_once(fills, traced)
    return {
        "program": program_document(tracer, results),
        "words": said,
        "fills": told,
        "once": once,
        "untold": [*untold, *left, *untold_parts(never)],
        "stale": [item.document() for item in stale],
        "keys": list(own),
        "own": list(own.values()),
        "drawn": drawn,
    }


def untold_parts(parts: Sequence[Any]) -> list[dict[str, Any]]:
    """Parts that only Python fills, for JSON: a page empties them when a slider is moved."""
    return [{"part": reference_to(part), "when": []} for part in parts]


def often(fills: Sequence[Fill]) -> list[Fill]:
    """Those whose numbers change with the frames."""
    return [fill for fill in fills if fill.kind not in ONCE]


def told_once(fills: Sequence[Fill], traced: TracedMotion) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The program of what is the same in every frame, for JSON, and the parts that it fills; and those it does not."""
    results: list[Any] = []
    told, untold = [], []
    for fill in fills:
        if fill.kind not in ONCE:
            continue
        try:
            numbers = flat_numbers(fill.values(traced))
            checked_length(traced.tracer, [*results, *numbers])
        except UNTOLD:
            untold.append({"part": reference_to(fill.part), "when": []})
            continue
        told.append({**reference_of(fill), "first": len(results), "columns": len(numbers)})
        results += numbers
    return {"program": program_document(traced.tracer, results), "fills": told}, untold


def checked_length(tracer: Tracer, results: list[Any]) -> list[Any]:
    """These results, where a page can run the program of them; it is refused where it is too long."""
    program_operations(tracer, results)
    return results


def told_words(item: Words, traced: TracedMotion, results: list[Any], when: Sequence[Any] = ()) -> list[dict[str, Any]]:
    """A sentence, for JSON, whose numbers are put to the results; none where a page cannot tell them."""
    try:
        numbers = flat_numbers(item.numbers(traced))
        checked_length(traced.tracer, [*results, *numbers])
    except UNTOLD:
        numbers = []
    entry = {"part": reference_to(item.part), "first": len(results), "columns": len(numbers), "when": list(when)}
    results += numbers
    return [{**entry, **(item.document() if numbers else {"cases": [], "otherwise": ""})}]


def program_document(tracer: Tracer, results: Sequence[Any]) -> dict[str, Any]:
    """The program of these results, for JSON, with a name of its own."""
    document = frame_program(tracer, results).document()
    return {**document, "name": hashlib.sha256(repr(sorted(document.items())).encode()).hexdigest()[:16]}


def arrow_numbers(arrows: Sequence[OwnArrow]) -> list[Any]:
    """Nine numbers of each."""
    found: list[Any] = []
    for arrow in arrows:
        offset = np.zeros((1, 3)) if arrow.offset is None else arrow.offset
        found += [*flat_numbers(arrow.at), *flat_numbers(arrow.value), *flat_numbers(offset)]
    return found


def flat_numbers(values: Any) -> list[Any]:
    """The numbers of one frame, row by row."""
    array = np.asarray(values)
    if array.shape[:1] != (1,):
        raise ValueError("no values of one frame")
    return list(array.reshape(-1))


def reference_of(fill: Fill) -> dict[str, Any]:
    """Which part takes the numbers, and how."""
    return {"part": reference_to(fill.part), "kind": fill.kind, "freely": fill.freely}


def reference_to(part: Any) -> str:
    """A widget, as a page finds it."""
    return f"IPY_MODEL_{part.model_id}"
