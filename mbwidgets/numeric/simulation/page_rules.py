"""What no mechanism can have, as data for a page: it refuses what Python refuses when a model is built, in its words.

A rule names some numbers, programs of the model's parameters and letters, says what must hold of them, and the words of
the error where it does not; ``{0}`` in them stands for the first number as Python prints it, ``{0:g}`` in six digits.
Rules stand in the order of `model.checks`: the first that is broken is the one that Python tells. Which numbers of a
force, a constraint or a solid must be positive is found by trying some.

A page does not look at what needs more than numbers: limits of joints, and overflow, which the motion will tell.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import numpy as np

from ...errors import ExpressionError, MbwidgetsError, ModelError, shorten
from ...expressions import Call, Expression, Power, Symbol, Variable
from ...model.checks import check_inertia
from ...model.constraints import OnCurve
from ...model.fields import iterate_scalars, map_scalars
from ...model.joints import Universal
from ...model.model import Model
from ...model.number_keys import is_plain
from ..kernels.expression_vm import Assembler
from ..packing.letters import Letters, Numbers, balls
from ..packing.machine import machine_of

__all__ = ["Rules", "rules_of"]

PROBE: Final = -1.2345
"""A number whose text stands for no other in a message."""
OF_SIGN: Final = ("is negative", "is not positive")
"""What is said of a number that is refused for its sign, and not for another's."""
LIMITED: Final = frozenset({"sqrt", "log", "asin", "acos", "exp", "tan"})
"""Functions that have no finite value somewhere."""


class Rules:
    """Rules that are being collected: ``made`` for JSON, and the programs that they need."""

    def __init__(self, names: Sequence[str]) -> None:
        self.made: list[dict[str, Any]] = []
        self._places = {name: place for place, name in enumerate(names)}
        self._assembler = Assembler()
        self._known: dict[Any, int] = {}

    def add(self, kind: str, scalars: Iterable[Any], *words: str, **more: Any) -> None:
        """A rule about the numbers that some scalars have."""
        self.made.append({"kind": kind, "at": [self._number(item) for item in scalars], "words": list(words), **more})

    def finite(self, scalar: Any, *where: str) -> None:
        """Every part of an expression has a finite value."""
        for node in _breakable(scalar):
            text, arguments = str(node), ()
            if isinstance(node, Call):
                arguments = node.arguments
                text = f"{node.name}({', '.join(f'{{{k + 1}}}' for k in range(len(arguments)))})"
            error = ExpressionError(
                f"{shorten(text)} has no finite value", remedy="check for a zero divisor or an overflow"
            )
            self.add("finite", [node, *arguments], _words(error, *where))

    @property
    def machine(self) -> np.ndarray:
        """The programs of all numbers, in their order."""
        return machine_of(self._assembler)

    def _number(self, scalar: Any) -> int:
        if scalar not in self._known:
            self._known[scalar] = self._assembler.add(
                scalar.replace(self._variable) if isinstance(scalar, Expression) else scalar
            )
        return self._known[scalar]

    def _variable(self, leaf: Symbol | Variable) -> Any:
        return Variable("q", self._places[leaf.name]) if isinstance(leaf, Symbol) else leaf


def rules_of(model: Model, names: Sequence[str]) -> Rules:
    """The rules of a model with letters, whose parameters and letters have these names."""
    rules, numbers = Rules(names), Numbers(model, Letters())
    for index, body in enumerate(model.bodies):
        _body_rules(rules, numbers, index)
        where = f"body {body.name!r}"
        _record_rules(rules, model, body.joint, "joint", where)
        _record_rules(rules, model, body.shape, "shape", where)
    for noun, items in (("force", model.forces), ("constraint", model.constraints)):
        for k, item in enumerate(items):
            _record_rules(rules, model, item, f"{noun} {k} ({item.type})")
    _state_rules(rules, numbers)
    for k, item in enumerate(numbers.gravity()):
        rules.finite(item, f"gravity: {'xyz'[k]}")
    return rules


def _body_rules(rules: Rules, numbers: Numbers, index: int) -> None:
    body, where = numbers.model.bodies[index], f"body {numbers.model.bodies[index].name!r}"
    cells = numbers.body(index)
    at, mass, com, inertia = cells[:3], cells[3], cells[4:7], cells[7:]
    rules.finite(mass, "mass", where)
    error = ModelError("{0} is negative", where="mass", remedy="give a number ≥ 0")
    if not is_plain(body.mass):
        error = ModelError("mass {0:g} is negative", remedy="give a mass ≥ 0")
    rules.add("not negative", [mass], _words(error, where))
    if isinstance(body.joint, Universal):
        axes = [item for cell in numbers.axes(index) for item in cell.axis]
        plain = all(is_plain(item) for item in (*body.joint.axis, *body.joint.second))
        error = ModelError("the two axes are parallel", where="second", remedy="give an axis across the first")
        rules.add("not parallel", axes, str(error) if plain else _words(error, "joint", where))
    for k in range(3):
        rules.finite(com[k], "com", where)
        rules.finite(at[k], "joint: at", where)
    for cell in numbers.axes(index):
        for item in cell.axis:
            rules.finite(item, "joint: axis", where)
        error = ModelError("the joint's axis is the zero vector", remedy="give a direction")
        rules.add("not zero", cell.axis, _words(error, where))
    for item in inertia:
        rules.finite(item, "inertia", where)
    rules.add("inertia", [*inertia, mass, *com], *_inertia_words(where), body=index)


def _inertia_words(where: str) -> Iterator[str]:
    """What is said of a negative moment, and of moments that break the triangle inequality."""
    for moments in ((-1.0, 2.0, 3.0), (1.0, 2.0, 5.0)):
        try:
            check_inertia(np.diag(moments))
        except ModelError as error:
            yield _words(error, where).replace(", ".join(f"{item:.6g}" for item in moments), "{0}")


def _record_rules(rules: Rules, model: Model, item: Any, *where: str) -> None:
    """What the fields of a record allow, found by trying numbers in place of each expression."""
    bound = item.parameter if isinstance(item, OnCurve) else None
    given = list(iterate_scalars(item))
    numbers: list[Any] = [
        scalar
        if any(isinstance(leaf, Variable) or leaf.name == bound for leaf in scalar.leaves())
        else model.number(scalar)
        for scalar in given
    ]
    free = [k for k, number in enumerate(numbers) if isinstance(number, float) and not is_plain(given[k])]
    for k in free:
        rules.finite(given[k], *where)
    for k in free:
        refusal = _refusal(item, [*numbers[:k], PROBE, *numbers[k + 1 :]])
        if refusal is not None and refusal.problem.endswith(OF_SIGN):
            zero = _refusal(item, [*numbers[:k], 0.0, *numbers[k + 1 :]])
            words = _words(refusal, *where).replace(repr(PROBE), "{0}")
            rules.add("not negative" if zero is None else "positive", [given[k]], words)


def _refusal(item: Any, numbers: Sequence[Any]) -> MbwidgetsError | None:
    """How a record refuses these numbers in place of its expressions."""
    rest = iter(numbers)
    try:
        map_scalars(item, lambda _: next(rest))
    except MbwidgetsError as error:
        return error
    return None


def _state_rules(rules: Rules, numbers: Numbers) -> None:
    model, cells = numbers.model, numbers.state()
    for k, item in enumerate(cells):
        rules.finite(item, f"state: {'q' if k < model.nq else 'u'}")
    for ball in balls(model):
        body = next(k for k in range(len(model.bodies)) if ball < model.q_offsets[k + 1])
        error = ModelError(
            f"the quaternion of {model.bodies[body].name!r} is [{{0}}, {{1}}, {{2}}, {{3}}]",
            where="state: q",
            remedy="give x, y, z, w of length 1",
        )
        rules.add("quaternion", cells[ball : ball + 4], str(error))
    duration = model.state.duration
    if duration is not None and not is_plain(duration):
        rules.finite(duration, "state: duration")
        error = ModelError("a duration of {0:g} s", where="state: duration", remedy="give seconds > 0")
        rules.add("positive", [duration], str(error))


def _breakable(scalar: Any) -> Iterator[Any]:
    """The parts of an expression that may have no finite value, in the order in which they are evaluated."""
    if is_plain(scalar) or (isinstance(scalar, Call) and scalar.name == "where"):
        return
    for child in scalar.children():
        yield from _breakable(child)
    if (isinstance(scalar, Power) and scalar.exponent < 0) or (isinstance(scalar, Call) and scalar.name in LIMITED):
        yield scalar


def _words(error: MbwidgetsError, *where: str) -> str:
    """The text of an error, seen from further and further out."""
    for place in where:
        error = error.at(place)
    return str(error)
