"""Every student their own numbers, and the grader the same ones.

The draw, version 1, which no later version of the package changes: for each parameter

    digest = HMAC-SHA-256(key = course, message = "mbwidgets-variant-1" 0x1F template 0x1F student 0x1F parameter)
    value  = values[digest mod len(values)]

with all texts in Unicode form NFC, without white space at either end, encoded in UTF-8, the digest read as one
big-endian integer, and the values in the order that the draw declares (`Grid`, `Fractions` and `OneOf`). No number
of one parameter depends on another, so a template may gain parameters. Only hashing and integers are used: the result
is the same on every machine. With fewer than a million values the remainder favours none by more than 1e-70.
"""

from __future__ import annotations

import hashlib
import hmac
import html
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import Any, Final

from ..errors import AssignmentError, MbwidgetsError, shorten
from ..files import dumps
from ..model.model import Model
from .draws import Draw, read_draw

__all__ = ["Template", "Variant", "model_hash"]

ALGORITHM: Final = "mbwidgets-variant-1"
MAX_TEXT: Final = 200


@dataclass(frozen=True, eq=False)
class Template:
    """A model with a draw for each parameter that differs from student to student.

    Parameters
    ----------
    name : of the assignment; it enters the draw
    model : the model, whose other parameters stay as they are
    draws : `Grid`, `Fractions` or `OneOf` by the parameter's name
    """

    name: str
    model: Model
    draws: Mapping[str, Draw]

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", normalised_name(self.name, "template"))
        if not isinstance(self.model, Model):
            raise AssignmentError(f"{shorten(self.model)} is not a Model", where=self.name, remedy="give mb.Model(…)")
        if not isinstance(self.draws, Mapping):
            raise AssignmentError("the draws are not a table", where=self.name, remedy='give {"m": Grid(…)}')
        table = {}
        for name, draw in self.draws.items():
            if name not in self.model.parameters:
                raise AssignmentError(
                    f"{shorten(name)} is not a parameter of the model",
                    where=self.name,
                    remedy=f"known: {', '.join(self.model.parameters)}",
                )
            try:
                table[name] = read_draw(draw)
            except MbwidgetsError as error:
                raise error.at(f"{self.name}: draw of {name!r}") from None
        object.__setattr__(self, "draws", MappingProxyType(table))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.name, self.model, dict(self.draws))

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        draws = {name: draw.to_dict() for name, draw in self.draws.items()}
        return {"name": self.name, "model": self.model.to_dict(), "draws": draws}

    @classmethod
    def from_dict(cls, data: Any) -> Template:
        """The template that a JSON object describes."""
        if not isinstance(data, Mapping) or set(data) != {"name", "model", "draws"}:
            raise AssignmentError("the template is incomplete", remedy="give name, model and draws, and no more")
        return cls(data["name"], Model.from_dict(data["model"]), data["draws"])


@dataclass(frozen=True, eq=False)
class Variant:
    """The numbers and the model of one student: ``Variant("mechanics-2026", "s1234567", template)``.

    Parameters
    ----------
    course : name of the course, the key of the hash: another year, other numbers
    student_id : as the student's record has it
    template : what is drawn
    """

    course: str
    student_id: str
    template: Template

    def __post_init__(self) -> None:
        object.__setattr__(self, "course", normalised_name(self.course, "course"))
        object.__setattr__(self, "student_id", normalised_name(self.student_id, "student"))
        if not isinstance(self.template, Template):
            raise AssignmentError(f"{shorten(self.template)} is not a Template", remedy="give a Template")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.course, self.student_id, self.template)

    def _digest(self, parameter: str) -> bytes:
        message = "\x1f".join((ALGORITHM, self.template.name, self.student_id, parameter))
        return hmac.new(self.course.encode(), message.encode(), hashlib.sha256).digest()

    @cached_property
    def values(self) -> Mapping[str, int | Fraction]:
        """The drawn numbers, exact."""
        found = {}
        for name, draw in self.template.draws.items():
            found[name] = draw.pick(int.from_bytes(self._digest(name), "big") % len(draw))
        return MappingProxyType(found)

    @property
    def seed(self) -> str:
        """Sixteen hexadecimal digits that name the draw; for records."""
        return self._digest("").hex()[:16]

    @cached_property
    def model(self) -> Model:
        """The student's model."""
        return self.template.model.with_values(**self.values)

    @cached_property
    def numbers(self) -> Mapping[str, Any]:
        """Every parameter of the model with its value."""
        return MappingProxyType({**self.template.model.values, **self.values})

    @property
    def model_hash(self) -> str:
        """SHA-256 of the student's model file, hexadecimal."""
        return model_hash(self.model)

    def __repr__(self) -> str:
        shown = ", ".join(f"{name} = {value}" for name, value in self.values.items())
        return f"Variant of {self.template.name!r} for {self.student_id!r}: {shown}"

    def _repr_markdown_(self) -> str:
        rows = [f"| `{name}` | {_decimal(value)} | {self._unit(name)} |" for name, value in self.values.items()]
        return "\n".join(["| parameter | your value | unit |", "|---|---|---|", *rows])

    def _unit(self, name: str) -> str:
        # a unit is text of a file: no markup, no column of its own
        return html.escape(str(self.template.model.parameters[name].unit)).replace("|", "&#124;").replace("$", "&#36;")


def model_hash(model: Model) -> str:
    """SHA-256 of a model's file, hexadecimal: the same for equal models on every machine."""
    return hashlib.sha256(dumps(model).encode()).hexdigest()


def normalised_name(value: Any, where: str) -> str:
    """A name as it enters a hash: NFC, no control characters, no white space at its ends."""
    if not isinstance(value, str):
        raise AssignmentError(f"{shorten(value)} is not a text", where=where, remedy="give a name")
    text = unicodedata.normalize("NFC", value[: 4 * MAX_TEXT]).strip()
    if not text or len(value) > MAX_TEXT or not text.isprintable():
        raise AssignmentError(
            f"{shorten(value)} cannot be a name", where=where, remedy=f"give 1 to {MAX_TEXT} printable characters"
        )
    return text


def _decimal(value: int | Fraction) -> str:
    """A decimal where it is short, else the fraction."""
    bottom = value.denominator
    while bottom % 2 == 0:
        bottom //= 2
    while bottom % 5 == 0:
        bottom //= 5
    return str(float(value)) if bottom == 1 and value.denominator > 1 else str(value)
