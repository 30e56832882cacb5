"""The view of equations in a page without a kernel: every entry and every equation, told beforehand.

The formulae are stored; their values along the motion, and how far they are from the kernels, are computed there.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from itertools import product
from typing import Any, Final

import numpy as np

from ...model.model import Model
from ...numeric.motion.traced_motion import TracedMotion, evaluated, parameters_of
from ...numeric.packing.traced_numbers import Tracer, largest_size
from ...numeric.simulation.inputs import efforts_of
from ...scene.page.strip import Strip
from ...scene.stage.drawn_arrows import quantity_arrows
from ...scene.stage.page_arrows import page_arrows, page_units
from ...scene.stage.page_stage import page_stage
from ...symbolic.papers.covariant import Covariant
from ..parts.finding import Finding
from ..parts.plots import Plot
from ..text.components import TENSORS, joint_labels
from ..text.derivation import entry_html, equations_html, tensor_heatmap
from ..text.entry_finding import ENTRY_NUMBERS, entry_numbers, entry_sentences, marked_symbol
from ..text.paragraphs import verdict_html
from .exported import PageParts
from .page_tables import Fill, page_tables, program_document, reference_to, told_words
from .page_variants import drawn_as
from .page_words import Case, Words
from .view import View

__all__ = ["EquationsPage"]

SECONDS: Final = 1.0
"""That typesetting for a page may take; entries that it does not reach say so."""
AGREE: Final = 1e-10
EFFORTS: Final = ("static_effort", "kinetic_effort")
UNSTORED: Final = "<p>This formula was not stored in the page: Python derives it in the notebook.</p>"


class EquationsPage(View):
    """The numbers of the view's parts as functions of a motion, and what can be chosen in a page."""

    thinks = True
    plot: Plot
    finding: Finding
    strip: Strip
    place: Any
    tensor: Any

    def page_model(self, model: Model) -> Model:
        """With the efforts that move it, where these are expressions."""
        tau = self.options().get("tau")
        found, function = efforts_of(model, tau)
        return model if function is not None or not found else model.replace(forces=(*model.forces, *found))

    def page_tables(self) -> dict[str, Any] | None:
        """The program of the entry in sight."""
        found = self._equations_of(self.model)
        names = parameters_of(self.page_model(self.model))
        values = lambda motion: self._entry_values(found, self.tensor, self.place, motion)  # noqa: E731
        numbers = lambda motion: entry_numbers(found, self.tensor, self.place, motion)  # noqa: E731
        fills = [Fill(self.plot, values), Fill(self.strip, values), Fill(self.finding, numbers)]
        return page_tables(self.motion, fills, None, {}, self.page_words(found), names)

    def fill_unseen(self) -> None:
        """What is still being derived: a page that is made in the cell that makes the view holds it too."""
        self.finish()

    def finding_look(self, key: str, place: Any) -> dict[str, Any]:
        """The traits with which the view says what an entry means."""
        return Finding.look_of("What the entry says", entry_sentences(self.model, key, tuple(place)), ENTRY_NUMBERS)

    @staticmethod
    def _entry_values(found: Covariant, key: str, place: Any, motion: Any) -> np.ndarray:
        return evaluated(TENSORS[key].derive(found)[tuple(place)], motion).reshape(len(motion), 1)

    def page_words(self, found: Covariant) -> list[Words]:
        """How far the equations are from the compiled kernels along the motion."""

        def sizes(motion: Any) -> np.ndarray:
            metric, bias = evaluated(found.metric, motion), evaluated(found.bias, motion)
            told = (metric @ motion.ud[:, :, None])[:, :, 0] + bias.reshape(len(motion), -1)
            parts = [motion.reaction_parts(k) for k in range(len(motion.model.bodies))]
            still, moving = (np.hstack([getattr(part, name) for part in parts]) for name in EFFORTS)
            # they may cancel: the difference is measured by what is added
            return np.stack([largest_size(told - still - moving), largest_size(np.hstack([still, moving]))], axis=1)

        text = "a q̈ + Γq̇q̇ + ∂Π/∂q of the formulae and of the compiled kernels: largest difference {0}, relative {0/1}"
        agree, differ = verdict_html(True, text), verdict_html(False, text)
        return [Words(self._check, sizes, [Case(0, AGREE, 1, agree)], differ)]

    # In a page without a kernel.

    @contextlib.contextmanager
    def for_page(self) -> Iterator[PageParts]:
        """All entries, all equations, and the axes that belong to them."""
        found, tracer = self._equations_of(self.model), Tracer(parameters_of(self.page_model(self.model)))
        traced = TracedMotion(self.motion, tracer)
        results: list[Any] = []
        drawn = quantity_arrows(
            self.motion, ("axis",), range(len(self.model.bodies)), self.picture.stage.radius, kept=self.picture.usual
        )
        spare = self.picture.spare_arrows(drawn.arrows)
        pool = {**self.picture.drawn_arrows(), **spare}
        feet = self.picture.stage.setting.feet_of(self.model)
        specs = page_arrows(drawn.arrows, self.motion, feet, drawn.scales)
        try:
            words = [entry for item in self.page_words(found) for entry in told_words(item, traced, results)]
            fills = [*self._entry_variants(found, traced, results), *self._equation_variants(found)]
            tables = {
                "words": words,
                "program": program_document(tracer, results),
                "fills": fills,
                "untold": [],
                "stale": [],
                "keys": [],
                "own": [],
                "menus": [{"part": reference_to(part), "trait": trait} for part, trait in self._menus()],
                "arrows": [
                    {**drawn_as(arrow, pool, self.model), "when": when, "page": spec}
                    for arrow, spec in zip(drawn.arrows, specs, strict=True)
                    for when in self._where_axis_is_drawn(arrow.body)
                ],
                "units": page_units(drawn.arrows, self.motion, self.picture.stage.radius, drawn.scales),
                "ticks": "",
                "stage": page_stage(self.picture.stage),
                "rows": [],
            }
            wanted = {**self.page_solver.wanted, "tables": tables}
            traits: dict[str, dict[str, Any]] = {self.page_solver.model_id: {"wanted": wanted}}
            yield PageParts(traits, [item for arrow in spare.values() for item in arrow.objects])
        finally:
            for arrow in spare.values():
                arrow.close()

    def _menus(self) -> list[tuple[Any, str]]:
        return [(self._kinds, "index"), (self.map, "chosen"), (self._forms, "index"), (self._rows, "index")]

    def menus_in_page(self) -> dict[str, str]:
        """Ids of the menus that a page answers."""
        return {str(number): str(part.model_id) for number, (part, _) in enumerate(self._menus())}

    def _entries(self) -> Iterator[tuple[int, str, tuple[int, ...]]]:
        """Number and key of each tensor with each place in it, the present one first."""
        every = [
            (number, key, place)
            for number, (key, tensor) in enumerate(TENSORS.items())
            for place in product(range(self.model.nv), repeat=sum(k >= 0 for k in tensor.order))
        ]
        every.sort(key=lambda item: (item[1] != self.tensor, item[2] != tuple(self.place)))
        return iter(every)

    def _entry_variants(self, found: Covariant, traced: Any, results: list[Any]) -> Iterator[dict[str, Any]]:
        start, labels = time.monotonic(), joint_labels(self.model)
        kinds, cells, plot, text = map(reference_to, (self._kinds, self.map, self.plot, self._entry))
        nothing = {"kind": "values", "first": 0, "columns": 0, "exact": True}
        for number, (key, tensor) in enumerate(TENSORS.items()):
            sheet = tensor_heatmap(found, key, labels)
            look = {"panels": sheet.panels, "colour": tensor.colour, "symmetric": tensor.symmetric, "note": sheet.note}
            yield {"part": cells, **nothing, "when": [[kinds, number]], "look": look}
        for number, key, place in self._entries():
            when = [[kinds, number], [cells, TENSORS[key].cell(place)]]
            if time.monotonic() - start > SECONDS:
                yield {"part": text, **nothing, "when": when, "look": {"value": UNSTORED}}
                continue
            entry, tensor = entry_html(found, self.model, key, place, self.motion), TENSORS[key]
            yield {"part": text, **nothing, "when": when, "look": {"value": entry.html}}
            look = Plot.look_of(f"{entry.symbol} along the motion", entry.unit, [entry.symbol], (tensor.colour,))
            told = {"first": len(results), "columns": 1, "exact": True, "kind": "values"}
            yield {"part": plot, **told, "when": when, "look": look}
            strip = Strip.look_of(marked_symbol(entry.symbol), str(look["title"]), entry.unit, tensor.colour)
            yield {"part": reference_to(self.strip), **told, "when": when, "look": strip}
            said = {**told, "columns": ENTRY_NUMBERS, "look": self.finding_look(key, place)}
            yield {"part": reference_to(self.finding), **said, "when": when}
            results += list(entry_numbers(found, key, place, traced).reshape(-1))

    def _equation_variants(self, found: Covariant) -> Iterator[dict[str, Any]]:
        forms, rows, text = map(reference_to, (self._forms, self._rows, self._equations))
        nothing = {"kind": "values", "first": 0, "columns": 0, "exact": True}
        for number, (_, form) in enumerate(self._forms.options):
            for place, (_, row) in enumerate(self._rows.options):
                html = equations_html(found, form, None if row < 0 else row)
                when = [[forms, number], [rows, place]]
                yield {"part": text, **nothing, "when": when, "look": {"value": html}}

    def _where_axis_is_drawn(self, body: int | None) -> Iterator[list[Any]]:
        """Of each tensor the entries whose coordinates are those of a body."""
        owners = [k for k, item in enumerate(self.model.bodies) for _ in range(item.joint.nv)]
        for number, (key, tensor) in enumerate(TENSORS.items()):
            places = product(range(self.model.nv), repeat=sum(k >= 0 for k in tensor.order))
            cells = [TENSORS[key].cell(place) for place in places if body in [owners[k] for k in place]]
            yield [[reference_to(self._kinds), number], [reference_to(self.map), cells, "in"]]
