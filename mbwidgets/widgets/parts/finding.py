"""What a view has found, in a sentence or two with numbers that follow the player."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import traitlets
from ipywidgets import widget_serialization

from ...scene.page.javascript import join_modules, read_stylesheet
from ...scene.page.over_frames import OverFrames
from ..text.sentences import Sentences

__all__ = ["Finding"]


class Finding(OverFrames):
    """Sentences whose cases and numbers are those of the player's time; empty rather than wrong."""

    _esm = join_modules(Path(__file__).parent / "finding.js")
    _css = read_stylesheet(Path(__file__).parent / "finding.css")

    player = traitlets.Any().tag(sync=True, **widget_serialization)
    title = traitlets.Unicode().tag(sync=True)
    """What is asked."""
    hint = traitlets.Unicode().tag(sync=True)
    """What its numbers are taken along, or in which axes."""
    note = traitlets.Unicode().tag(sync=True)
    """Why nothing is said."""
    sentences: Any = traitlets.Dict(Sentences().document()).tag(sync=True)
    width = traitlets.Int(0).tag(sync=True)
    """Numbers a frame."""

    @staticmethod
    def look_of(title: str, sentences: Sentences, width: int, hint: str = "", note: str = "") -> dict[str, Any]:
        """The traits that say these sentences, which ask for so many numbers."""
        return {"title": title, "hint": hint, "note": note, "sentences": sentences.document(), "width": width}

    def blank(self, why: str) -> None:
        """Nothing is found, and why."""
        self.take({"note": why, "sentences": Sentences().document(), "width": 0}, np.zeros((0, 0)))

    def said(self, frame: int = 0) -> str:
        """What it says in a frame, as plain text; numbers that are the same in all frames are there once."""
        found = self.array() if self.width else np.zeros((0, 0))
        if not len(found):
            return str(self.note)
        row = [float(value) for value in found[min(frame, len(found) - 1)]]
        return " ".join(Sentences.of_document(self.sentences).said(row))

    def array(self) -> np.ndarray:
        """The numbers that the page has, (frames, width)."""
        return np.frombuffer(self.values, dtype=np.float32).reshape(-1, max(self.width, 1))
