"""Are two formulae the same? Exact where the ring has a normal form, else by values with an error bound.

Both are first evaluated in ball arithmetic at seeded random points. A difference that is certainly not zero proves
them different. If there is none, the exact normal form in the ring decides where it is small enough to be had (it
knows sin² + cos² = 1 and roots, not that sin 2x = 2 sin x cos x); past that, twelve points at which the two agree to
eighty bits and more decide.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any, Final

from ..errors import MbwidgetsError
from ..symbolic.ring.derivation_limits import limited
from ..symbolic.ring.scalar_reader import Reader
from .balls import ball_precision, ball_value_at, expanded_terms_bound, sample_points

__all__ = ["Letters", "Same", "Sampler", "letter_ranges"]

COUNT: Final = 12
NEEDED: Final = 8
"""So many points must have a value before agreement counts."""
AGREE_BITS: Final = 80
LARGEST: Final = 4000
"""Terms that a normal form may have before points alone decide."""

Letters = Mapping[str, tuple[Fraction, Fraction]]


class Same(Enum):
    """How the comparison ended."""

    EXACT = "equal by exact normal form"
    POINTS = "equal at random points to more than 80 bits"
    NEAR = "equal within the tolerance at random points"
    DIFFERENT = "different"
    UNKNOWN = "has no value at most points"

    def __bool__(self) -> bool:
        return self in (Same.EXACT, Same.POINTS, Same.NEAR)


@dataclass(frozen=True)
class Sampler:
    """Compares formulae in the same letters at the same points.

    ``seed``: names the points; ``letters``: the range of each letter; ``angles``: coordinates that are angles.
    """

    seed: str
    letters: Letters
    angles: frozenset[int] = frozenset()

    def values(self, expressions: Sequence[Any]) -> list[list[Any]]:
        """A ball, or None, for each expression at each point."""
        with ball_precision():
            at = sample_points(self.seed, self.letters, COUNT)
            return [[ball_value_at(expression, point) for point in at] for expression in expressions]

    def same(self, left: Any, right: Any, relative: float = 0.0) -> Same:
        """Compare two expressions; ``relative`` allows for rounded coefficients."""
        if left == right:
            return Same.EXACT
        ours, theirs = self.values([left, right])
        verdict = verdict_of_values(ours, theirs, relative)
        if verdict is Same.POINTS and self._normal_forms_agree(left, right):
            return Same.EXACT
        return verdict

    def _normal_forms_agree(self, left: Any, right: Any) -> bool:
        if expanded_terms_bound(left) + expanded_terms_bound(right) > LARGEST:
            return False
        reader = Reader(angles=self.angles)
        try:
            with limited(terms=LARGEST, seconds=1.0):
                return bool(reader.read(left) == reader.read(right))
        except (MbwidgetsError, ArithmeticError, ValueError):
            return False


def verdict_of_values(ours: Sequence[Any], theirs: Sequence[Any], relative: float = 0.0) -> Same:
    """What the values of two expressions at the same points prove."""
    near = used = 0
    with ball_precision():
        for a, b in zip(ours, theirs, strict=True):
            if a is None or b is None:
                continue
            used += 1
            gap, size = a - b, abs(a) + abs(b)
            if not gap.contains(0):
                if not abs(gap) <= relative * size:
                    return Same.DIFFERENT
                near += 1
            elif not gap.rad() <= 2.0**-AGREE_BITS * (1 + size.mid()):
                used -= 1
    if used < NEEDED:
        return Same.UNKNOWN
    return Same.NEAR if near else Same.POINTS


def letter_ranges(names: Mapping[str, Any]) -> dict[str, tuple[Fraction, Fraction]]:
    """The range of each letter from what an assignment declares: a pair of numbers, or None for the usual one."""
    found = {}
    for name, given in names.items():
        if given is None:
            wide = "[" in name or name == "t"
            found[name] = (Fraction(-3), Fraction(3)) if wide else (Fraction(1, 2), Fraction(2))
        else:
            found[name] = (Fraction(given[0]), Fraction(given[1]))
    return found
