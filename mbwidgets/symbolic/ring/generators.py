"""The letters of the ring: what a polynomial's variables stand for.

A rotation enters by sin q and cos q, never by q itself, so that every formula of rigid bodies is a
polynomial. What is not polynomial (a root, a function of a parameter) is a generator with its definition,
hence its derivative and its value, and where it has one its relation.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from fractions import Fraction
from typing import Any

__all__ = [
    "Generator",
    "Kind",
    "Terms",
    "acceleration",
    "coordinate",
    "cosine",
    "parameter",
    "sine",
    "velocity",
]

Terms = tuple[tuple[tuple[tuple["Generator", int], ...], Fraction], ...]
"""A polynomial free of any ring: ((generator, power), …) and coefficient, in a fixed order."""


class Kind(IntEnum):
    """Kinds in the order of elimination: a relation may only bring in letters that stand after its own."""

    ROOT = 0
    FUNCTION = 1
    AXIS = 2
    SIN = 3
    COS = 4
    COORDINATE = 5
    TIME = 6
    PI = 7
    PARAMETER = 8
    VELOCITY = 9
    ACCELERATION = 10


@dataclass(frozen=True, slots=True)
class Generator:
    """One letter.

    ``index``: the coordinate's number from 0, or the axis component; ``name``: the parameter, function or
    axis; ``definition``: the radicand's terms (ROOT), numerator and denominator of each argument in
    turn (FUNCTION), the three direction components (AXIS).
    """

    kind: Kind
    index: int = 0
    name: str = ""
    definition: tuple[Any, ...] = ()
    depth: int = 0
    order: tuple[Any, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        text = repr(self.definition) if self.definition else ""
        object.__setattr__(self, "order", (int(self.kind), -self.depth, self.index, self.name, text))

    @property
    def argument_pairs(self) -> list[tuple[Terms, Terms]]:
        """Numerator and denominator of each argument of a FUNCTION."""
        return list(zip(self.definition[::2], self.definition[1::2], strict=True))

    def __repr__(self) -> str:
        return f"{self.kind.name.lower()}:{self.index}:{self.name}" + (f"{self.definition}" if self.definition else "")


def sine(index: int) -> Generator:
    """sin q^index"""
    return Generator(Kind.SIN, index)


def cosine(index: int) -> Generator:
    """cos q^index"""
    return Generator(Kind.COS, index)


def coordinate(index: int) -> Generator:
    """q^index itself: a translation, or an angle that a spring measures."""
    return Generator(Kind.COORDINATE, index)


def velocity(index: int) -> Generator:
    """The generalised velocity u^index = dq^index/dt."""
    return Generator(Kind.VELOCITY, index)


def acceleration(index: int) -> Generator:
    """du^index/dt"""
    return Generator(Kind.ACCELERATION, index)


def parameter(name: str) -> Generator:
    """A parameter of the model."""
    return Generator(Kind.PARAMETER, 0, name)


TIME = Generator(Kind.TIME)
PI = Generator(Kind.PI)
