"""Named columns of numbers, to look at, to save and to read aloud."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from html import escape
from pathlib import Path

import numpy as np

from ...files.whole import replacing_file

__all__ = ["Table"]


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """Names and a matrix of numbers, one column a name."""

    names: tuple[str, ...]
    values: np.ndarray

    def __getitem__(self, name: str) -> np.ndarray:
        return self.values[:, self.names.index(name)]

    def __len__(self) -> int:
        return len(self.values)

    def to_dict(self) -> dict[str, np.ndarray]:
        """Columns by name; `pandas.DataFrame(table.to_dict())` takes it as it is."""
        return {name: self.values[:, column] for column, name in enumerate(self.names)}

    def to_csv(self, path: str | Path) -> None:
        """Write a CSV file with a header line; numbers keep all their digits."""
        with replacing_file(path) as place, open(place, "x", newline="", encoding="utf-8") as stream:
            writer = csv.writer(stream)
            writer.writerow(self.names)
            writer.writerows([repr(float(value)) for value in row] for row in self.values)

    def _shown(self) -> list[list[str]]:
        rows = self.values if len(self) <= 12 else np.vstack([self.values[:6], self.values[-6:]])
        texts = [[f"{value:.6g}" for value in row] for row in rows]
        if len(self) > 12:
            texts.insert(6, ["…"] * len(self.names))
        return texts

    def __repr__(self) -> str:
        rows = [list(self.names), *self._shown()]
        widths = [max(len(row[column]) for row in rows) for column in range(len(self.names))]
        return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{escape(name)}</th>" for name in self.names)
        body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in self._shown())
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
