"""A change of coordinates by a constant matrix: from joint angles to the angles that a paper uses."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ...errors import ModelError, shorten
from ...expressions import decimal
from ...model.library.coordinates import absolute_angles
from ..ring import generators as letters
from ..ring.element import Element, letter_element, rational_element
from ..ring.substitution import Substitution
from ..ring.vectors import Vec, dot
from .derivation import Study

__all__ = ["Change"]

REMEDY = 'give an invertible matrix of numbers, or "absolute"'


@dataclass(frozen=True)
class Change:
    """p = C q. ``back`` is C⁻¹; without it nothing changes."""

    back: tuple[tuple[Fraction, ...], ...] | None = None
    forth: tuple[tuple[Fraction, ...], ...] | None = None
    substitution: Substitution | None = None

    @classmethod
    def of(cls, study: Study, coordinates: Any) -> Change:
        """From a matrix C, ``"absolute"``, or None."""
        if coordinates is None:
            return cls()
        if isinstance(coordinates, str):
            if coordinates != "absolute":
                raise ModelError(f"no coordinates {shorten(coordinates)}", remedy=REMEDY)
            coordinates = absolute_angles(study.model)
        forth = _matrix(coordinates, study.n)
        if any(s.kind == "ball" for s in study.mechanism.segments):
            raise ModelError(
                "a quaternion has no other coordinates here", where="coordinates", remedy="use one-axis joints"
            )
        back = _inverse(forth)
        return cls(back, forth, _substitution(study, back))

    def letters(self, entries: Any) -> Any:
        """Exact values, nested as they are, in the new letters."""
        if self.substitution is None:
            return entries
        return [self.letters(e) for e in entries] if isinstance(entries, list) else self.substitution(entries)

    def rows(self, vector: Vec) -> Vec:
        """C⁻ᵀ on the first n entries of a vector of forces, the others kept."""
        if self.back is None:
            return vector
        n = len(self.back)
        found = self.letters(vector)
        turned = [dot([rational_element(row[k]) for row in self.back], found[:n]) for k in range(n)]
        return [*turned, *found[n:]]

    def columns(self, matrix: list[Vec]) -> list[Vec]:
        """Each row's first n entries times C⁻¹."""
        return [self.rows(row) for row in matrix]

    def matrix(self, matrix: list[Vec], both: bool = False) -> list[Vec]:
        """C⁻ᵀ A C⁻¹ in the first n rows and columns."""
        if self.back is None:
            return matrix
        n, wide = len(self.back), self.columns(matrix)
        if not both:
            return wide
        turned = [
            [
                dot([rational_element(row[k]) for row in self.back], [line[j] for line in wide[:n]])
                for j in range(len(wide[0]))
            ]
            for k in range(n)
        ]
        return [*turned, *wide[n:]]

    def inverse(self, matrix: list[Vec]) -> list[Vec]:
        """C A⁻¹ Cᵀ"""
        if self.forth is None:
            return matrix
        found = self.letters(matrix)
        c = [[rational_element(part) for part in row] for row in self.forth]
        half = [[dot(row, [line[j] for line in found]) for j in range(len(c))] for row in c]
        return [[dot(line, row) for row in c] for line in half]


def _matrix(given: Any, n: int) -> tuple[tuple[Fraction, ...], ...]:
    array = np.asarray(given, dtype=object)
    if array.shape != (n, n):
        raise ModelError(
            f"a matrix of shape {array.shape} for {n} coordinates", where="coordinates", remedy=f"give {n} by {n}"
        )
    try:
        return tuple(tuple(Fraction(x) if not isinstance(x, float) else decimal(x) for x in row) for row in array)
    except (TypeError, ValueError):
        raise ModelError(f"{shorten(given)} is no matrix of numbers", where="coordinates", remedy=REMEDY) from None


def _inverse(matrix: tuple[tuple[Fraction, ...], ...]) -> tuple[tuple[Fraction, ...], ...]:
    """Gauss and Jordan, in fractions."""
    n = len(matrix)
    rows = [[*row, *(Fraction(int(i == j)) for j in range(n))] for i, row in enumerate(matrix)]
    for k in range(n):
        pivot = next((i for i in range(k, n) if rows[i][k]), None)
        if pivot is None:
            raise ModelError("the matrix has no inverse", where="coordinates", remedy=REMEDY)
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [x / rows[k][k] for x in rows[k]]
        for i in range(n):
            if i != k and rows[i][k]:
                factor = rows[i][k]
                rows[i] = [x - factor * y for x, y in zip(rows[i], rows[k], strict=True)]
    return tuple(tuple(row[n:]) for row in rows)


def _substitution(study: Study, back: tuple[tuple[Fraction, ...], ...]) -> Substitution:
    table: dict[Any, Element] = {}
    for s in study.mechanism.segments:
        k = s.coordinate
        if k is None:
            continue
        parts = [(j, share) for j, share in enumerate(back[k]) if share]
        for make in (letters.coordinate, letters.velocity, letters.acceleration):
            table[make(k)] = dot(
                [rational_element(share) for _, share in parts], [letter_element(make(j)) for j, _ in parts]
            )
        if s.revolute:
            table[letters.sine(k)], table[letters.cosine(k)] = _angle_sum(parts, s.name)
    return Substitution(table, {})


def _angle_sum(parts: list[tuple[int, Fraction]], name: str) -> tuple[Element, Element]:
    """sin and cos of Σ k_j p_j, k_j whole."""
    sine, cosine = rational_element(0), rational_element(1)
    for j, share in parts:
        if share.denominator != 1 or abs(share) > 4:
            raise ModelError(
                f"the angle of joint {name!r} is {share} of a new coordinate",
                where="coordinates",
                remedy="give a matrix whose inverse has whole numbers in the rows of angles",
            )
        s, c = letter_element(letters.sine(j)), letter_element(letters.cosine(j))
        for _ in range(abs(int(share))):
            sign = 1 if share > 0 else -1
            sine, cosine = sine * c + sign * cosine * s, cosine * c - sign * sine * s
    return sine, cosine
