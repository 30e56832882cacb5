"""A formula whose terms have their numbers beneath, and under these a bar: what is large is seen before it is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import traitlets
from ipywidgets import widget_serialization

from ...scene.page.javascript import join_modules, read_stylesheet
from ...scene.page.over_frames import OverFrames

__all__ = ["Term", "TermRow", "Terms"]


@dataclass(frozen=True)
class Term:
    """A term: what stands before it (``=``, ``+``, ``−`` or nothing), its symbol as in a `Ledger`, its colour.

    ``key`` is the arrow that lights up with it, ``striped`` how its bar is drawn, ``barred`` whether it has one.
    """

    before: str
    symbol: str
    colour: str = ""
    key: str = ""
    striped: bool = False
    barred: bool = True


@dataclass(frozen=True)
class TermRow:
    """A formula: what it is called, the paper's equation, its terms, their unit."""

    name: str
    number: str
    terms: tuple[Term, ...]
    unit: str = ""


class Terms(OverFrames):
    """Formulae as rows of terms; the numbers follow the player. The first term of a row is what is asked for."""

    _esm = join_modules(Path(__file__).parent / "terms.js")
    _css = read_stylesheet(Path(__file__).parent / "terms.css")

    player = traitlets.Any().tag(sync=True, **widget_serialization)
    title = traitlets.Unicode().tag(sync=True)
    hint = traitlets.Unicode().tag(sync=True)
    note = traitlets.Unicode().tag(sync=True)
    rows: Any = traitlets.List().tag(sync=True)

    @staticmethod
    def look_of(title: str, rows: Sequence[TermRow], hint: str = "", note: str = "") -> dict[str, Any]:
        """The traits that show these formulae; their numbers are not among them."""
        told = [{**asdict(row), "terms": [asdict(term) for term in row.terms]} for row in rows]
        return {"title": title, "hint": hint, "note": note, "rows": told}

    def blank(self, why: str) -> None:
        """No formula, and why."""
        self.take({"rows": [], "note": why}, np.zeros((0, 0)))

    def array(self) -> np.ndarray:
        """The numbers that the page has, (frames, terms of all rows)."""
        count = sum(len(row["terms"]) for row in self.rows)
        return np.frombuffer(self.values, dtype=np.float32).reshape(-1, max(count, 1))
