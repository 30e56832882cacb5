"""Exact values in place of letters, all at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ...errors import StateError, shorten
from ...expressions import Expression, Symbol, as_scalar
from . import generators as letters
from .element import Element, letter_element
from .generators import Generator, Kind, Terms
from .ring import Ring, make_ring
from .scalar_reader import Reader, cosine_of, function_of, function_of_several, sine_of, square_root
from .unit_axes import unit_axis

__all__ = ["Substitution"]


@dataclass(frozen=True)
class Substitution:
    """What replaces which letter; ``names`` holds the parameters' new values as the user gave them."""

    table: dict[Generator, Element]
    names: dict[str, Any]

    @classmethod
    def of(cls, q: Any, u: Any, ud: Any, parameters: Mapping[str, Any]) -> Substitution:
        """From sequences or dicts of coordinates, None for what stays, and from parameters by name."""
        reader, table = Reader(), {}
        for kind, given in ((Kind.COORDINATE, q), (Kind.VELOCITY, u), (Kind.ACCELERATION, ud)):
            for k, value in _pairs(given, kind.name.lower()):
                if value is None:
                    continue
                exact = reader.read(value, f"{kind.name.lower()} {k}")
                table[Generator(kind, k)] = exact
                if kind is Kind.COORDINATE:
                    table[letters.sine(k)] = sine_of(exact)
                    table[letters.cosine(k)] = cosine_of(exact)
        names = {name: as_scalar(value, name) for name, value in parameters.items()}
        table |= {letters.parameter(name): reader.read(value, name) for name, value in names.items()}
        return cls(table, names)

    def __call__(self, element: Element) -> Element:
        """The value after substitution; roots, functions and axes are rebuilt from their definitions."""
        wanted = {g: self.table[g] for g in element.letters if g in self.table}
        wanted |= {g: self._rebuilt(g) for g in element.letters if g.definition and self._reaches(g)}
        taken = {g for value in wanted.values() for g in value.letters} & set(wanted)
        later = {g: letters.parameter(f"_{i}") for i, g in enumerate(sorted(taken, key=lambda g: g.order))}
        for g, between in later.items():
            element = element.replace(g, letter_element(between))
        for g, value in wanted.items():
            element = element.replace(later.get(g, g), value)
        return element

    def _reaches(self, g: Generator) -> bool:
        if g.kind is Kind.AXIS:
            return any(leaf.name in self.names for part in g.definition for leaf in _leaves(part))
        parts = (g.definition,) if g.kind is Kind.ROOT else g.definition
        inner = {h for part in parts for monomial, _ in part for h, _power in monomial}
        return any(h in self.table or (h.definition and self._reaches(h)) for h in inner)

    def _rebuilt(self, g: Generator) -> Element:
        if g.kind is Kind.AXIS:
            direction = [part.replace(self._leaf) if isinstance(part, Expression) else part for part in g.definition]
            return unit_axis(direction, Reader(), g.name, g.name)[g.index]
        home = make_ring((g,))
        if g.kind is Kind.ROOT:
            return square_root(self(Element(home, home.from_terms(g.definition))))
        arguments = [
            self._rebuilt_part(home, top) / self._rebuilt_part(home, bottom) for top, bottom in g.argument_pairs
        ]
        return function_of(g.name, arguments[0]) if len(arguments) == 1 else function_of_several(g.name, *arguments)

    def _rebuilt_part(self, home: Ring, terms: Terms) -> Element:
        return self(Element(home, home.from_terms(terms)))

    def _leaf(self, leaf: Any) -> Any:
        return self.names.get(leaf.name, leaf) if isinstance(leaf, Symbol) else leaf


def _pairs(given: Any, what: str) -> Iterable[tuple[int, Any]]:
    """Number and value of each coordinate that a sequence or a dict gives."""
    if isinstance(given, Mapping):
        return given.items()
    if isinstance(given, str) or (given is not None and not isinstance(given, Iterable)):
        raise StateError(
            f"{shorten(given)} is no list of values", where=what, remedy="give a list, or a dict by number"
        )
    return enumerate(() if given is None else given)


def _leaves(part: Any) -> Any:
    return (leaf for leaf in part.leaves() if isinstance(leaf, Symbol)) if isinstance(part, Expression) else ()
