"""Answers as text: a number, ``[a, b, c]``, ``[[a, b], [c, d]]`` of expressions, with a unit after it.

Brackets and commas are taken apart here; every entry goes through the one safe parser, `expressions.parse_expression`.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from numbers import Rational, Real
from typing import Any, Final

import numpy as np

from ..errors import AssignmentError, ExpressionError, MbwidgetsError, shorten
from ..expressions import Expression, parse_expression
from .units import Unit, read_unit

__all__ = ["Answer", "Entries", "answer_text", "named_entries", "read_answer"]

MAX_LENGTH: Final = 20_000
MAX_ENTRIES: Final = 400
_OPEN, _CLOSE = "[(", "])"


@dataclass(frozen=True)
class Entries:
    """Expressions in row-major order, and the shape that they were written in."""

    shape: tuple[int, ...]
    flat: tuple[Any, ...]


@dataclass(frozen=True)
class Answer:
    """What a text says: entries, and the unit if it names one."""

    entries: Entries
    unit: Unit | None = None


def _bare_text(text: Any, remedy: str) -> str:
    """An answer that is a text of bounded length, without blanks around it and with the minus of the keyboard."""
    if not isinstance(text, str):
        raise AssignmentError(f"{shorten(text)} is not a text", remedy=remedy)
    if len(text) > MAX_LENGTH:
        raise AssignmentError(f"an answer of {len(text)} characters", remedy=f"use at most {MAX_LENGTH}")
    return text.removeprefix("\ufeff").strip().replace("−", "-")


def read_answer(text: Any) -> Answer:
    """Read ``"3/2"``, ``"12.5 kN"``, ``"[0, m*e, 0] kg m"``, ``"[[1, 0], [0, sin(q[1])**2]]"``.

    Raises
    ------
    AssignmentError, ExpressionError : what cannot be read, with the place
    """
    given = _bare_text(text, "write the answer as text")
    plain = given.replace("\n", " ").replace("\r", " ").replace("\t", " ").replace("^", "**")
    if not plain:
        raise AssignmentError("the answer is empty", remedy="write a number, a list or a formula")
    if plain[0] == "[":
        end = _closing(plain)
        tail = plain[end + 1 :].strip()
        return Answer(_listed(plain[: end + 1]), read_unit(tail) if tail else None)
    value, unit = _number_and_unit(plain)
    return Answer(Entries((), (value,)), unit)


def named_entries(text: Any) -> dict[str, Any]:
    """Read ``"m1 = 0.2, x1 = -3/10"`` into expressions by name."""
    given = _bare_text(text, "write name = value, name = value")
    plain = given.removeprefix("{").removesuffix("}").replace("\n", ",").replace(";", ",")
    found: dict[str, Any] = {}
    for part in _split(plain):
        if not part.strip():
            continue
        name, sign, value = part.partition("=") if "=" in part else part.partition(":")
        name = name.strip().strip("'\"")
        if not sign or not name:
            raise AssignmentError(f"{shorten(part.strip())} has no value", remedy="write name = value, name = value")
        if name in found or len(found) >= MAX_ENTRIES:
            raise AssignmentError(f"{shorten(name)} stands twice", remedy="give each name one value")
        found[name] = parse_expression(value.strip().replace("^", "**"))
    return found


def answer_text(value: Any) -> str:
    """A text, number, list, array or formula of a notebook as the text that is graded."""
    if isinstance(value, str):
        return value
    if isinstance(value, MbwidgetsError):  # of an answer that could not be read
        raise value
    if isinstance(value, dict):
        return ", ".join(f"{name} = {answer_text(item)}" for name, item in value.items())
    if isinstance(value, bool) or value is None or isinstance(value, complex):
        raise AssignmentError(f"{shorten(value)} is not an answer", remedy="give numbers, a list or a text")
    if isinstance(value, Rational):
        return str(Fraction(int(value.numerator), int(value.denominator)))
    if isinstance(value, Real):
        return repr(float(value))
    if isinstance(value, np.ndarray):
        return answer_text(value.tolist())
    if isinstance(value, list | tuple):
        return "[" + ", ".join(answer_text(item) for item in value) + "]"
    from ..symbolic.formula.formula import Formula

    return value.text(limit=None) if isinstance(value, Formula) else str(value)


def _number_and_unit(text: str) -> tuple[Any, Unit | None]:
    """An expression, or an expression, white space and a unit."""
    try:
        return _scalar(text), None
    except ExpressionError as error:
        spaces = [found.start() for found in re.finditer(r" +", text)]
        for place in spaces[-12:]:
            with contextlib.suppress(MbwidgetsError):
                unit = read_unit(text[place:].strip())
                return _scalar(text[:place]), unit
        if found := re.match(r"[-+0-9.eE]+(?=[A-Za-zµμ°%])", text):
            with contextlib.suppress(MbwidgetsError):
                return _scalar(found[0]), read_unit(text[found.end() :])
        raise error from None


def _scalar(text: str) -> Any:
    return parse_expression(text.strip(), accelerations=True)


def _closing(text: str) -> int:
    depth = 0
    for place, mark in enumerate(text):
        if mark in _OPEN:
            depth += 1
        elif mark in _CLOSE:
            depth -= 1
            if depth == 0:
                return place
    raise AssignmentError("a bracket is not closed", remedy="close every bracket")


def _listed(text: str) -> Entries:
    """The entries of a list, or of a list of lists of one length."""
    items = list(_split(text[1:-1]))
    if not any(item.startswith("[") for item in items):
        return _entries((len(items),), items)
    rows = []
    for item in items:
        if not (item.startswith("[") and item.endswith("]")):
            raise AssignmentError("rows and numbers are mixed", remedy="write [[a, b], [c, d]]")
        rows.append(list(_split(item[1:-1])))
    if any(len(row) != len(rows[0]) for row in rows):
        raise AssignmentError("the rows have different lengths", remedy="give rows of one length")
    return _entries((len(rows), len(rows[0])), [item for row in rows for item in row])


def _entries(shape: tuple[int, ...], items: list[str]) -> Entries:
    if not 1 <= len(items) <= MAX_ENTRIES:
        raise AssignmentError(f"{len(items)} entries", remedy=f"give 1 to {MAX_ENTRIES}")
    flat = []
    for number, item in enumerate(items):
        try:
            flat.append(_scalar(item))
        except ExpressionError as error:
            raise error.at(f"entry {number + 1}") from None
    return Entries(shape, tuple(flat))


def _split(text: str) -> Iterator[str]:
    """The parts between commas that no bracket encloses."""
    depth, begin = 0, 0
    for place, mark in enumerate(text):
        if mark in _OPEN:
            depth += 1
        elif mark in _CLOSE:
            depth -= 1
        elif mark == "," and depth == 0:
            yield text[begin:place].strip()
            begin = place + 1
    yield text[begin:].strip()


def symbol_names_in(entries: Entries) -> set[str]:
    """The names of all parameters and variables in the entries: ``m``, ``q[0]``, ``t``."""
    return {repr(leaf) for value in entries.flat if isinstance(value, Expression) for leaf in value.leaves()}
