"""Text in: the only parser of the project. Nothing in a text is ever executed."""

from __future__ import annotations

import difflib
import math
import re
from fractions import Fraction
from typing import Any, Final

from ..errors import ExpressionError, shorten
from .allowed import ARITY, FUNCTIONS
from .constants import WRITTEN_DIGITS, float_that_prints_as, underflows_to_zero
from .place_texts import read_place
from .tree import (
    MAX_DEPTH,
    MAX_DIGITS,
    MAX_LENGTH,
    MAX_NODES,
    NAME,
    PI,
    RESERVED,
    TIME,
    NamedVariable,
    PointVariable,
    Symbol,
    Variable,
    add,
    call,
    multiply,
    raise_to,
)

SMALLEST: Final = 1e-300
"""Below it floats have fewer digits."""
HINTS: Final = {
    "^": "write ** for a power; ",
    **dict.fromkeys("<>=", "write where(x, a, b) for a where x ≥ 0 and else b, and events as what crosses zero; "),
}
"""What is meant by signs that expressions do not have."""
_TOKEN: Final = re.compile(
    r"\s*(?:(?P<named>[qu]\s*\[\s*['\"]?[A-Za-z\u0080-\U0010ffff][^\[\],'\"]{0,64}['\"]?\s*\])"
    r"|(?P<point>v?[xyz]\s*\[[^\[\]]{1,200}\])"
    r"|(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?)"
    r"|(?P<name>[A-Za-z][A-Za-z0-9_]*)|(?P<operator>\*\*|[-+*/(),\[\]]))",
    re.ASCII,
)


def parse_expression(text: str, *, accelerations: bool = False, named: bool = False) -> Any:
    """Read ``"2*m2"``, ``"1/20"``, ``"sin(pi/6)"``, ``"10*cos(3*t) - u[0]"`` into an expression.

    With ``accelerations`` the text may hold ``ud[0]`` too, as formulae do and models do not; where it is ``named``,
    ``q[rod]`` and ``u[rod]``, to which a model gives their numbers, and ``x[rod]`` … ``vz[rod, 0, 0, 1]``, places and
    velocities of points.

    Raises
    ------
    ExpressionError : for anything outside the allow-list or its limits, with the place in the text
    """
    if len(text) > MAX_LENGTH:
        raise ExpressionError(f"an expression of {len(text)} characters", remedy=f"use at most {MAX_LENGTH}")
    return _Parser(text, ("q", "u", "ud") if accelerations else ("q", "u"), named).read()


class _Parser:
    """Recursive descent: sum → product → sign → power → atom."""

    def __init__(self, text: str, counted: tuple[str, ...], named: bool) -> None:
        self.text = text
        self.counted = counted
        self.named = named
        self.tokens: list[tuple[str, str, int]] = []
        place = 0
        while place < len(text.rstrip()):
            found = _TOKEN.match(text, place)
            if found is None:
                raise self._error("unexpected character", place)
            kind = str(found.lastgroup)
            self.tokens.append((kind, found.group(kind), found.start(kind)))
            place = found.end()
        if len(self.tokens) > MAX_NODES:
            raise ExpressionError("the expression has too many parts", remedy=f"use at most {MAX_NODES}")
        self.tokens.append(("end", "", len(text)))
        self.next = 0
        self.depth = 0

    def read(self) -> Any:
        value = self._sum()
        if self.tokens[self.next][0] != "end":
            raise self._error("unexpected text", self.tokens[self.next][2])
        return value

    def _error(self, problem: str, place: int) -> ExpressionError:
        around = self.text[max(0, place - 12) : place + 12]
        power = HINTS.get(self.text[place:].lstrip()[:1], "")
        return ExpressionError(
            f"{problem} at position {place} near {shorten(around)}",
            remedy=f"{power}write numbers, parameters, + - * / **, parentheses and " + ", ".join([*FUNCTIONS, "pi"]),
        )

    def _take(self, *operators: str) -> str | None:
        kind, text, _ = self.tokens[self.next]
        if kind == "operator" and text in operators:
            self.next += 1
            return text
        return None

    def _expect(self, operator: str) -> None:
        if self._take(operator) is None:
            raise self._error(f"expected {operator!r}", self.tokens[self.next][2])

    def _enter(self) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise ExpressionError("the expression is nested too deeply", remedy=f"use at most {MAX_DEPTH} levels")

    def _sum(self) -> Any:
        self._enter()
        terms = [self._product()]
        while operator := self._take("+", "-"):
            right = self._product()
            terms.append(right if operator == "+" else multiply(-1, right))
        self.depth -= 1
        return add(*terms)

    def _product(self) -> Any:
        factors = [self._sign()]
        while operator := self._take("*", "/"):
            right = self._sign()
            factors.append(right if operator == "*" else raise_to(right, -1))
        return multiply(*factors)

    def _sign(self) -> Any:
        negative = False
        while operator := self._take("+", "-"):
            negative ^= operator == "-"
        value = self._raise()
        return multiply(-1, value) if negative else value

    def _raise(self) -> Any:
        base = self._atom()
        if self._take("**") is None:
            return base
        self._enter()
        exponent = self._sign()
        self.depth -= 1
        return raise_to(base, exponent)

    def _atom(self) -> Any:
        kind, text, place = self.tokens[self.next]
        self.next += 1
        if kind == "number":
            return self._number(text, place)
        if kind == "operator" and text == "(":
            value = self._sum()
            self._expect(")")
            return value
        if kind == "name":
            return self._name(text, place)
        if kind == "named":
            if not self.named:
                raise ExpressionError(
                    f"{text} cannot stand here, at position {place}",
                    remedy="write the number of a coordinate, q[0], where coordinates may stand at all",
                )
            return NamedVariable(text[0], name=text.partition("[")[2].strip("]").strip().strip("'\"").strip())
        if kind == "point":
            return self._point(text, place)
        raise self._error("a number or a name is missing", place)

    def _point(self, text: str, place: int) -> Any:
        name, _, inside = text.rstrip("]").partition("[")
        name = name.strip()
        if not self.named:
            raise self._misplaced(name, place)
        body, rest = read_place(inside)
        at = tuple(parse_expression(number) for number in rest) or (0, 0, 0)
        if len(at) != 3 or not all(isinstance(number, int | float | Fraction) for number in at):
            raise ExpressionError(
                f"{text} at position {place} is no point of a body",
                remedy="give x[rod], or three numbers, x[rod, 0, 0, 1]",
            )
        return PointVariable("u" if name[0] == "v" else "q", name=name, body=body, at=at)

    def _misplaced(self, name: str, place: int) -> ExpressionError:
        return ExpressionError(
            f"{name}[…] cannot stand here, at position {place}",
            remedy="write q[0], u[0] and parameters; places of bodies, x[rod], stand in a model's forces, in tau and "
            "events of mb.simulate and in what is asked of a motion",
        )

    def _number(self, text: str, place: int) -> Any:
        if len(text) > MAX_DIGITS:
            raise self._error(f"a number of {len(text)} digits", place)
        if text.isdigit():
            return int(text)
        number = float(text)
        if not math.isfinite(number):
            raise self._error("a number that is not finite", place)
        if underflows_to_zero(text, number):
            raise self._error("a number too small for a float", place)
        if len(text) <= WRITTEN_DIGITS and number > SMALLEST:
            return number  # which prints as this decimal
        return float_that_prints_as(Fraction(text))

    def _name(self, text: str, place: int) -> Any:
        if text in FUNCTIONS:
            self._expect("(")
            arguments = [self._sum()]
            for _ in range(ARITY.get(text, 1) - 1):
                self._expect(",")
                arguments.append(self._sum())
            self._expect(")")
            return call(text, *arguments)
        if text == "pi":
            return PI
        if text == "t":
            return TIME
        if text in self.counted:
            self._expect("[")
            kind, digits, at = self.tokens[self.next]
            if kind != "number" or not digits.isdigit() or len(digits) > 4:
                raise self._error("a coordinate's number is missing", at)
            self.next += 1
            self._expect("]")
            return Variable(text, int(digits))
        if self.tokens[self.next][1] == "[":
            raise self._misplaced(text, place)
        if self.tokens[self.next][1] == "(":
            close = difflib.get_close_matches(text, FUNCTIONS, n=1)
            known = f"did you mean {close[0]!r}? " if close else ""
            raise ExpressionError(
                f"no function {shorten(text)}, at position {place}",
                remedy=f"{known}there are {', '.join(FUNCTIONS)}; a product is written with *",
            )
        if NAME.match(text) is None or RESERVED.match(text):
            raise self._error(f"{shorten(text)} cannot name a parameter", place)
        return Symbol(text)
