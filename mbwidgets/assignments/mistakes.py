"""The usual mistakes: recognised by making them with the right answer, told without giving it away."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from ..errors import AssignmentError, shorten
from .answers import Entries, read_answer

__all__ = ["FEEDBACK", "Mistake", "Usual", "usual_mistakes"]

FEEDBACK: Final[dict[str, str]] = {
    "sign": "The sign is the opposite one: look at the order of a vector product, or at who acts on whom.",
    "some signs": "The sizes are right, but some signs are not: check the positive directions.",
    "frame": "These are the components in other axes: look again at the frame that the question names.",
    "pole": "This belongs to another pole: mind the transfer to the point that the question names.",
    "coupled": "A factor of 2 is amiss in the coupled rotator: the terms of u_a u_b and u_b u_a add up.",
    "double": "It is twice what it should be: has a term been counted two times?",
    "half": "It is half of what it should be: is there a factor of 2 missing, as in a coupled term?",
    "degrees": "This looks like degrees where radians are wanted.",
    "degree mode": "This looks as if sin and cos were taken of radians with a calculator set to degrees.",
    "turns": "A factor of 2π is amiss: revolutions or hertz, and radians, are not the same.",
    "power of ten": "The digits are right, the power of ten is not: check prefixes and units.",
    "weight": "The acceleration of gravity is amiss as a factor: is it a mass or a weight?",
    "transposed": "It is transposed: rows and columns have changed places.",
    "order": "The right components stand in another order.",
    "effort": "The effort along the joint's free direction is still in it: the bearing does not carry that part.",
    "static": "The part of the weight is amiss: does the question ask for the kinetic part, or for the whole?",
}
"""What is said for each kind of mistake; an assignment may declare answers of these kinds, or write its own words."""

MAX_FEEDBACK: Final = 500


@dataclass(frozen=True)
class Mistake:
    """A wrong answer that the lecturer foresees.

    Parameters
    ----------
    kind : a key of `FEEDBACK`, or any sentence to be shown
    answer : what it leads to, written as the right answer is
    credit : share of the points that it still earns
    """

    kind: Any
    answer: Any
    credit: Any = 0.0

    def __post_init__(self) -> None:
        if not isinstance(self.kind, str) or not 0 < len(self.kind) <= MAX_FEEDBACK:
            raise AssignmentError(f"mistake {shorten(self.kind)}", remedy="give a kind of FEEDBACK or a sentence")
        if isinstance(self.credit, bool) or not isinstance(self.credit, int | float) or not 0 <= self.credit < 1:
            raise AssignmentError(f"credit {shorten(self.credit)}", remedy="give a share from 0 to below 1")
        self.entries()

    @property
    def feedback(self) -> str:
        """What is said to the student."""
        return FEEDBACK.get(self.kind, str(self.kind))

    def entries(self) -> Entries:
        """The answer, read."""
        return read_answer(self.answer).entries

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return {"kind": self.kind, "answer": self.answer, **({"credit": self.credit} if self.credit else {})}

    @classmethod
    def from_dict(cls, data: Any) -> Mistake:
        """The mistake that a JSON object describes."""
        if isinstance(data, Mistake):
            return data
        if not isinstance(data, Mapping) or not {"kind", "answer"} <= set(data) <= {"kind", "answer", "credit"}:
            raise AssignmentError(f"{shorten(data)} is not a mistake", remedy="give kind, answer and perhaps credit")
        return cls(**data)


class Usual(NamedTuple):
    """A mistake that is a map of the right answer: entry i becomes factor · y[order[i]]."""

    feedback: str
    factor: float
    order: tuple[int, ...]


def usual_mistakes(shape: tuple[int, ...], *, numbers: bool) -> Iterator[Usual]:
    """Maps to try, the likeliest first; ``numbers`` adds those that only a number can suffer."""
    size = math.prod(shape)
    same = tuple(range(size))
    yield Usual(FEEDBACK["sign"], -1.0, same)
    if len(shape) == 2 and shape[0] == shape[1]:
        turned = tuple(j * shape[1] + i for i in range(shape[0]) for j in range(shape[1]))
        yield Usual(FEEDBACK["transposed"], 1.0, turned)
    yield Usual(FEEDBACK["double"], 2.0, same)
    yield Usual(FEEDBACK["half"], 0.5, same)
    if len(shape) == 1 and 2 <= size <= 4:
        for order in itertools.permutations(same):
            if order != same:
                yield Usual(FEEDBACK["order"], 1.0, order)
    if not numbers:
        return
    for sign in (1.0, -1.0):
        yield Usual(FEEDBACK["degrees"], sign * 180 / math.pi, same)
        yield Usual(FEEDBACK["degrees"], sign * math.pi / 180, same)
        yield Usual(FEEDBACK["turns"], sign * 2 * math.pi, same)
        yield Usual(FEEDBACK["turns"], sign / (2 * math.pi), same)
        yield Usual(FEEDBACK["weight"], sign * 9.81, same)
        yield Usual(FEEDBACK["weight"], sign / 9.81, same)
        for power in (-6, -4, -3, -2, -1, 1, 2, 3, 4, 6):
            yield Usual(FEEDBACK["power of ten"], sign * 10.0**power, same)


def recognise_mistake(
    candidates: Sequence[Usual], agrees: Callable[[Usual], bool], is_right: Callable[[Usual], bool]
) -> str | None:
    """The feedback of the first map that gives the student's answer and differs from the right one."""
    for candidate in candidates:
        if agrees(candidate) and not is_right(candidate):
            return candidate.feedback
    return None
