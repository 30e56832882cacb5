"""Coordinates by name in texts: q[rod] for q[2]."""

from __future__ import annotations

import re
from typing import Final

from ...errors import MbwidgetsError, StateError
from ...model.model import Model
from .arguments import places_of

__all__ = ["with_numbers"]

MARKED: Final = re.compile(r"(?<![A-Za-z0-9_])(?P<kind>q|u|ud)\s*\[\s*(?P<name>[^\[\]]*?)\s*\]")


def with_numbers(model: Model, text: str, where: str) -> str:
    """A text in which every q[rod], u[rod] and ud[rod] has its number."""

    def number(found: re.Match[str]) -> str:
        kind, name = found["kind"], found["name"]
        if name.isdigit() or not name:
            return found[0]
        names = model.coordinate_names if kind == "q" else model.velocity_names
        try:
            places = places_of(model, name, names, kind)
        except MbwidgetsError as error:
            raise error.at(where) from None
        if len(places) != 1:
            listed = ", ".join(f"{kind}[{names[k]}]" for k in places) or "another joint"
            raise StateError(f"{found[0]} are {len(places)} numbers", where=where, remedy=f"give {listed}")
        return f"{kind}[{places[0]}]"

    return MARKED.sub(number, text)
