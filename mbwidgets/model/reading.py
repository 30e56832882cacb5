"""What a model is given, read: lists of bodies, forces and constraints, with errors that name their places."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from ..errors import MbwidgetsError, ModelError, shorten
from .bodies import Body
from .constraints import Constraint
from .forces import Load

__all__ = ["MAX_BODIES", "read_all", "read_bodies", "read_within"]

MAX_BODIES: Final = 2000


def read_within(where: str, read: Any, value: Any) -> Any:
    try:
        return read(value)
    except MbwidgetsError as error:
        raise error.at(where) from None


def read_bodies(given: Any) -> tuple[Body, ...]:
    if isinstance(given, str | Mapping) or not isinstance(given, Iterable):
        raise ModelError(f"{shorten(given)} is not a list of bodies", where="bodies", remedy="give [mb.Body(…), …]")
    bodies = tuple(body if isinstance(body, Body) else Body.from_dict(body) for body in given)
    if not 1 <= len(bodies) <= MAX_BODIES:
        raise ModelError(f"{len(bodies)} bodies", where="bodies", remedy=f"give 1 to {MAX_BODIES}")
    seen: set[str] = set()
    for body in bodies:
        if body.name in seen:
            raise ModelError(f"two bodies are named {body.name!r}", remedy="give every body its own name")
        seen.add(body.name)
    return bodies


def read_all(given: Any, read: Any, noun: str) -> tuple[Any, ...]:
    if isinstance(given, Load | Constraint):
        given = (given,)
    if isinstance(given, str | Mapping) or not isinstance(given, Iterable):
        raise ModelError(f"{shorten(given)} is not a list", where=f"{noun}s", remedy=f"give a list of {noun}s")
    items = tuple(given)
    if len(items) > 10 * MAX_BODIES:
        raise ModelError(f"{len(items)} {noun}s", remedy=f"give at most {10 * MAX_BODIES}")
    return tuple(read_within(f"{noun} {number}", read, item) for number, item in enumerate(items))
