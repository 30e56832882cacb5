"""Questions whose answer is a motion: a table of numbers over time, as CSV."""

from __future__ import annotations

import csv
import io
import math
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np

from ..errors import AssignmentError, shorten
from ..expressions import Variable, parse_expression
from .mistakes import FEEDBACK
from .questions import Question, register_question
from .results import Result, judged_result
from .variants import Variant

__all__ = ["MotionTable", "table_text"]

MAX_LENGTH: Final = 2_000_000
MAX_ROWS: Final = 20_000
MAX_COLUMNS: Final = 40
MAX_CELL: Final = 40
BUDGET: Final = 20.0


@register_question
@dataclass(frozen=True, eq=False, kw_only=True)
class MotionTable(Question):
    """The motion of the student's model from its initial state, one row a frame, partial credit per column.

    The right motion is computed by `simulate` when the answer is graded; the key holds no numbers.

    Parameters
    ----------
    columns : what follows the time in each row: ``["q[0]", "u[1]"]``
    duration, rate : s, frames per second; row k is at the time k/rate
    absolute, relative : tolerances; the second is of the column's largest number
    """

    type: ClassVar[str] = "motion"
    SECRET: ClassVar[tuple[str, ...]] = ("graded", "mistakes")
    columns: Any = ()
    duration: float = 1.0
    rate: float = 50.0
    absolute: float = 0.0
    relative: float = 1e-3
    graded: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        for field, low, high in (("duration", 1e-3, 1e3), ("rate", 0.1, 1e4), ("absolute", 0, 1e300)):
            self.number(field, low, high)
        self.number("relative", 0.0, 1.0)
        listed = self.columns if isinstance(self.columns, list | tuple) else ()
        if not 1 <= len(listed) < MAX_COLUMNS:
            raise self.refused("no columns", 'give ["q[0]", …]')
        for name in listed:
            node = parse_expression(name) if isinstance(name, str) else None
            if not isinstance(node, Variable) or node.kind not in "qu":
                raise self.refused(f"{shorten(name)} is not a column", "give q[0] or u[0]")
        if self.rows > MAX_ROWS:
            raise self.refused(f"{self.rows} rows", f"ask for at most {MAX_ROWS}")
        object.__setattr__(self, "columns", tuple(listed))

    @property
    def rows(self) -> int:
        """Frames, both ends included."""
        return max(1, round(self.duration * self.rate)) + 1

    @property
    def has_key(self) -> bool:
        return self.graded

    def hint(self) -> str:
        return f"a CSV table with the columns t, {', '.join(self.columns)} and {self.rows} rows"

    def to_dict(self, secret: bool = True) -> dict[str, Any]:
        return {**super().to_dict(secret), **({} if secret else {"graded": False})}

    def expected(self, variant: Variant) -> np.ndarray:
        """The right columns of a variant, (rows, columns)."""
        from ..numeric.simulation.simulate import simulate

        motion = simulate(variant.model, duration=self.duration, rate=self.rate, budget=BUDGET)
        if not motion.outcome:
            raise self.refused(f"the model does not move: {motion.outcome}", "change the template")
        found = []
        for name in self.columns:
            node = parse_expression(name)
            source = motion.q if node.kind == "q" else motion.u
            if node.index >= source.shape[1]:
                raise self.refused(f"the model has no {name}", "count from 0")
            found.append(source[:, node.index])
        return np.array(found).T

    def _given(self, answer: str, variant: Variant) -> np.ndarray | str:
        table = read_table(answer)
        if table.shape != (self.rows, len(self.columns) + 1):
            return f"It has {table.shape[0]} rows of {table.shape[1]}; the question asks for {self.hint()}."
        times = np.arange(self.rows) * self.duration / (self.rows - 1)
        if abs(table[:, 0] - times).max() > 1e-3 / self.rate:
            return f"The first column is not the time 0, {1 / self.rate:g}, … {self.duration:g} s."
        return table[:, 1:]

    def _judge(self, given: np.ndarray, variant: Variant) -> Result:
        right = self.expected(variant)
        fits = self._fits(given, right)
        if all(fits):
            return judged_result(self.name, 1.0, self.points)
        return judged_result(self.name, sum(fits) / len(fits), self.points, (self._diagnose(given, right, fits),))

    def _fits(self, given: np.ndarray, right: np.ndarray) -> list[bool]:
        tolerance = self.absolute + self.relative * abs(right).max(axis=0)
        return [bool(good) for good in (abs(given - right) <= tolerance).all(axis=0)]

    def _diagnose(self, given: np.ndarray, right: np.ndarray, fits: list[bool]) -> str:
        for kind, factor in (("sign", -1.0), ("degrees", 180 / math.pi), ("degrees", math.pi / 180)):
            if all(self._fits(given, factor * right)):
                return FEEDBACK[kind]
        if given.shape[1] > 1 and all(self._fits(given, right[:, ::-1])):
            return FEEDBACK["order"]
        tolerance = self.absolute + self.relative * abs(right).max(axis=0)
        late = int((abs(given - right) > tolerance).any(axis=1).argmax())
        if late == 0:
            return "It does not begin in the initial state that is given."
        return f"It leaves the right motion near t = {late * self.duration / (self.rows - 1):.2g} s."


def read_table(text: str) -> np.ndarray:
    """The numbers of a CSV text, (rows, columns); a first row that holds no numbers is its heading."""
    if len(text) > MAX_LENGTH:
        raise AssignmentError(f"a table of {len(text)} characters", remedy=f"give at most {MAX_LENGTH}")
    rows: list[list[float]] = []
    try:
        for number, cells in enumerate(csv.reader(io.StringIO(text.removeprefix("\ufeff")))):
            if not cells or (number == 0 and not _is_number(cells[0])):
                continue
            if len(cells) > MAX_COLUMNS or len(rows) >= MAX_ROWS:
                raise AssignmentError("the table is too large", remedy=f"give at most {MAX_ROWS} rows")
            if not all(_is_number(cell) for cell in cells) or (rows and len(cells) != len(rows[0])):
                raise AssignmentError(
                    f"row {number + 1} is not {len(rows[0]) if rows else 'a list of'} numbers",
                    remedy="separate numbers with commas",
                )
            rows.append([float(cell) for cell in cells])
    except csv.Error as error:
        raise AssignmentError(f"not CSV: {shorten(str(error))}", remedy="separate numbers with commas") from None
    if not rows:
        raise AssignmentError("the table has no rows", remedy="give a heading and numbers")
    return np.array(rows)


def table_text(motion: Any, columns: Any) -> str:
    """A motion as the CSV text that such a question asks for: the time, then the columns."""
    lines = [",".join(["t", *columns])]
    nodes = [parse_expression(name) for name in columns]
    for k, time in enumerate(motion.t):
        values = [(motion.q if node.kind == "q" else motion.u)[k, node.index] for node in nodes]
        lines.append(",".join(repr(float(value)) for value in (time, *values)))
    return "\n".join(lines) + "\n"


def _is_number(text: str) -> bool:
    if len(text) > MAX_CELL or "_" in text:
        return False
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False
