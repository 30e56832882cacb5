"""What a page of reactions holds besides its tables: the spectrum with the mark of its shaft, and the formulae."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, Final

from ...errors import ModelError
from ...numeric.motion.pressure_spectrum import page_words
from ...scene.look.palette import QUANTITY
from ..parts.chart import Mark
from ..text.paragraphs import BAD, INK
from .exported import PageParts
from .page_formulae import formula_variants
from .page_tables import reference_to
from .page_variants import Menu, Otherwise, choices_of
from .reaction_parts import HALVES, PARTS
from .vector_view import VectorView

__all__ = ["STIFFNESS", "SpectrumView"]

CLEAR: Final = 0.3
"""A peak of the spectrum that is told of, as a share of the highest."""
STIFFNESS: Final = "stiffness"
"""Key of the slider of the shaft."""
KINDS: Final = {"force": "pressure spectrum", "moment": "pressure moment spectrum"}
"""What a page's desk calls them."""


class SpectrumView(VectorView):
    """The part of the view of reactions that shows a spectrum: ``spectrum``, with the menu ``_half``, in a tab."""

    formulae: Any
    spectrum: Any
    stiffness: Any
    _half: Any
    spectrum_tab = 2

    def _show_spectrum(self) -> None:
        if self.model.constraints:
            raise ModelError("in a closed loop the pressure of the motion alone leaves out what the constraints do")
        half = self._half.value
        found = self.motion.pressure_spectrum(self.index, stiffness=self.stiffness)
        mark = found.eigenfrequencies[0]
        met = bool(found.resonances(half, CLEAR))
        text = f"shaft {mark:.3g} Hz{', at a peak' if met else ''}"
        marks = [Mark(mark, text, BAD if met else INK)]
        self.spectrum.show(found.frequency, getattr(found, half)[:, None], **self._spectrum_look(), marks=marks)

    def _spectrum_look(self) -> dict[str, Any]:
        half = self._half.value
        unit, what = HALVES[half][2], "force" if half == "force" else "moment about O"
        return {
            "names": [f"amplitude of the kinetic pressure, {unit}"],
            "colours": [QUANTITY[PARTS[half]["pressure"]]],
            "title": f"Spectrum of the kinetic pressure ({what}) on joint {self.selected!r}, {unit}",
            "along": "frequency, Hz",
        }

    def own_numbers(self) -> dict[str, float]:
        """The stiffness of the shaft."""
        return {STIFFNESS: float(self.stiffness)}

    def page_tables(self) -> dict[str, Any] | None:
        """What fills the parts, and the spectrum."""
        tables = super().page_tables()
        return None if tables is None else {**tables, "spectrum": self._page_spectrum()}

    @contextlib.contextmanager
    def for_page(self) -> Iterator[PageParts]:
        """The same of all that can be chosen, and the formulae."""
        with super().for_page() as parts:
            wanted = parts.traits[self.page_solver.model_id]["wanted"]
            tables = wanted["tables"]
            tables["spectrum"] = self._page_spectrum()
            kinds, texts = formula_variants(self, self.body_menu())
            tables["menus"].append({"part": reference_to(kinds.widget), "trait": "index"})
            tables["fills"] += texts
            now = (
                self.index if self.body_menu() else 0,
                kinds.widget.index,
            )  # what is being derived may not be there yet
            shown = texts[now[0] * len(kinds.values) + now[1]]["look"]
            yield PageParts({**parts.traits, self.formulae.written.model_id: shown}, parts.spare)

    def menus_in_page(self) -> dict[str, str]:
        """Those of all parts, and those of the spectrum and of the formulae."""
        half = {} if self.model.constraints else {"half": str(self._half.model_id)}
        return {**super().menus_in_page(), **half, "formula": self.formulae.ids["menu"]}

    def _page_spectrum(self) -> dict[str, Any] | None:
        """What a page must know to draw the spectrum, by joint and half; None where there is none."""
        if self.model.constraints:
            return None
        halves = tuple(SimpleNamespace(value=half) for half in KINDS)
        menus = {menu.name: menu for menu in [*self.body_menu(), Menu("_half", self._half, halves)]}
        told = []
        for when, chosen in choices_of(menus, ("selected", "_half")):
            one = Otherwise(self, **chosen)
            page = {"kind": KINDS[one._half.value], "body": one.index, "words": page_words(one.selected)}
            carried = self.model.subtree(one.index)
            told.append({"when": when, "look": one._spectrum_look(), "page": page, "carried": list(map(int, carried))})
        return {
            "part": reference_to(self.spectrum),
            "tabs": reference_to(self.tabs),
            "tab": self.spectrum_tab,
            "key": STIFFNESS,
            "clear": CLEAR,
            "colours": [INK, BAD],
            "choices": told,
        }
