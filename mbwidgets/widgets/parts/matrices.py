"""Matrices of numbers that follow the player, with their blocks coloured and named."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anywidget
import numpy as np
import traitlets
from ipywidgets import widget_serialization

from ...scene.page.javascript import join_modules, read_stylesheet

__all__ = ["Block", "Matrices", "Matrix"]


@dataclass(frozen=True)
class Block:
    """A part of a matrix: rows and columns from (included) to (excluded), its name and its colour."""

    name: str
    rows: tuple[int, int]
    columns: tuple[int, int]
    colour: str


@dataclass(frozen=True, eq=False)
class Matrix:
    """A matrix over the frames (frames, rows, columns), with labels; ``_`` begins a subscript.

    ``note`` stands under its name: what it is, in words, and the paper's equation. ``row_keys``, ``column_keys``: the
    arrows that light up with its rows or its columns.
    """

    name: str
    values: np.ndarray
    rows: Sequence[str]
    columns: Sequence[str]
    blocks: Sequence[Block] = ()
    note: str = ""
    row_keys: Sequence[str] = ()
    column_keys: Sequence[str] = ()


class Matrices(anywidget.AnyWidget):
    """Matrices side by side at the player's time."""

    _esm = join_modules(Path(__file__).parent / "matrices.js")
    _css = read_stylesheet(Path(__file__).parent / "matrices.css")

    player = traitlets.Any().tag(sync=True, **widget_serialization)
    title = traitlets.Unicode().tag(sync=True)
    shapes: Any = traitlets.List().tag(sync=True)
    """Of each matrix: name, note, labels of rows and columns, blocks, keys of the arrows of rows and columns."""
    values = traitlets.Bytes().tag(sync=True)
    """(frames, all entries of all matrices, row by row) float32."""
    version = traitlets.Int(0).tag(sync=True)

    def show(self, matrices: Sequence[Matrix], title: str = "") -> None:
        """Show these matrices; all have the same number of frames."""
        flat = [np.reshape(item.values, (len(item.values), -1)) for item in matrices] or [np.zeros((1, 0))]
        self.take(self.look_of(matrices, title), np.concatenate(flat, axis=1))

    def take(self, look: dict[str, Any], values: np.ndarray) -> None:
        """Show values (frames, all entries of all matrices) with the traits of `look_of`."""
        with self.hold_sync():
            self.title, self.shapes = look["title"], look["shapes"]
            with np.errstate(over="ignore"):
                self.values = np.ascontiguousarray(values, dtype=np.float32).tobytes()
            self.version += 1

    @staticmethod
    def look_of(matrices: Sequence[Matrix], title: str = "") -> dict[str, Any]:
        """The traits that show these matrices; their numbers are not among them."""
        return {"title": title, "shapes": [_shape(item) for item in matrices]}

    def blank(self, why: str) -> None:
        """No matrices, and why."""
        self.show([], why)

    def array(self, number: int) -> np.ndarray:
        """The numbers of one matrix that the page has, (frames, rows, columns)."""
        sizes = [len(shape["rows"]) * len(shape["columns"]) for shape in self.shapes]
        whole = np.frombuffer(self.values, dtype=np.float32).reshape(-1, sum(sizes))
        start = sum(sizes[:number])
        shape = self.shapes[number]
        return whole[:, start : start + sizes[number]].reshape(-1, len(shape["rows"]), len(shape["columns"]))


def _shape(item: Matrix) -> dict[str, Any]:
    blocks = [
        {"name": b.name, "rows": list(b.rows), "columns": list(b.columns), "colour": b.colour} for b in item.blocks
    ]
    return {
        "name": item.name,
        "note": item.note,
        "rows": list(item.rows),
        "columns": list(item.columns),
        "blocks": blocks,
        "rowKeys": list(item.row_keys),
        "columnKeys": list(item.column_keys),
    }
