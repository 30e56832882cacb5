"""Random programs in the kernels' subset, as text: none divides by what may be zero, integers stay small."""

from __future__ import annotations

import numpy as np

HEADER = '''"""Made by a test."""

from typing import Any, NamedTuple

from mbwidgets.numeric.kernels.libm import atan2, cos, exp, floor, log, sin, sqrt, tanh

LIMIT, SHARE = 7, 0.375
PAIR = (0.5, -1.25)


class Row(NamedTuple):
    numbers: Any
    weight: Any


def helper(x, y):
    if x > y:
        return x - y, 1
    return y * 0.5, 2


def shifted(a, k, x):
    a[k] += x
    return a[k] * 0.25


def summed(a):
    total = 0.0
    for k in range(a.shape[0]):
        if a[k] < -3.0:
            continue
        total += a[k]
        if total > 50.0:
            break
    return total


def weighed(row, given):
    total = 0.0
    for k in range(row.numbers.shape[0]):
        total += given(row.numbers[k], row.weight)[0]
    return Row(row.numbers, total)


def halved(row, given):
    for k in range(row.numbers.shape[0]):
        row.numbers[k] *= given(row.weight, 0.5)[1] * 0.25
    return row

'''


class Writer:
    """Writes one function of two floats, an integer and two arrays, (6,) and (3, 4)."""

    def __init__(self, rng: np.random.Generator, name: str) -> None:
        self.rng, self.name = rng, name
        self.lines: list[str] = []
        self.floats, self.ints = ["x", "y"], ["n"]
        self.depth = 1

    def text(self) -> str:
        """The whole function."""
        for _ in range(self.rng.integers(3, 8)):
            self.statement()
        self.say(f"return {self.number(2)}, {self.whole(1)}, {self.number(1)}")
        return f"def {self.name}(x, y, n, a, b):\n" + "\n".join(self.lines) + "\n\n"

    def say(self, text: str) -> None:
        self.lines.append("    " * self.depth + text)

    def pick(self, items: list[str]) -> str:
        return items[self.rng.integers(len(items))]

    def number(self, depth: int) -> str:
        """An expression that is a float."""
        if depth == 0:
            literal = f"{float(np.round(self.rng.normal(), 3))!r}"
            return self.pick([*self.floats, literal, f"a[{self.index(6)}]", f"b[{self.index(3)}, {self.index(4)}]"])
        one, other = self.number(depth - 1), self.number(depth - 1)
        forms = [
            f"({one} + {other})",
            f"({one} - {other})",
            f"({one} * {other})",
            f"({one} / (1.5 + abs({other})))",
            f"-({one})",
            f"min({one}, {other})",
            f"max({one}, {other}, 0.25)",
            f"abs({one})",
            f"sqrt(abs({one}))",
            f"sin({one})",
            f"cos({one})",
            f"tanh({one})",
            f"atan2({one}, {other})",
            f"exp(min({one}, 3.0))",
            f"log(1.0 + abs({one}))",
            f"floor({one})",
            f"({one} if {self.truth(0)} else {other})",
            f"helper({one}, {other})[0]",
            f"float({self.whole(0)})",
            f"({self.whole(0)} * {one})",
            f"PAIR[{self.rng.integers(2)}] * {one}",
            "summed(a)",
            f"summed(b[{self.index(3)}])",
            f"weighed(Row(a, {one}), helper).weight",
            f"weighed(Row(b[{self.index(3)}], {one}), helper).numbers[{self.index(4)}]",
        ]
        return self.pick(forms)

    def whole(self, depth: int) -> str:
        """An expression that is an integer."""
        if depth == 0:
            return self.pick([*self.ints, str(self.rng.integers(-4, 9)), "LIMIT"])
        one, other = self.whole(depth - 1), self.whole(depth - 1)
        forms = [
            f"(({one} + {other}) % 97)",
            f"(({one} * {other}) % 89)",
            f"({one} - {other}) % 13",
            f"({one} // {self.rng.integers(1, 6)})",
            f"abs({one}) % 31",
            f"min({one}, {other})",
            f"int(min(9.0, max(-9.0, {self.number(1)}))) % 17",
            f"helper({self.number(0)}, {self.number(0)})[1]",
        ]
        return self.pick(forms)

    def index(self, size: int) -> str:
        return self.pick([str(self.rng.integers(size)), f"{self.pick(self.ints)} % {size}"])

    def truth(self, depth: int) -> str:
        """A truth value."""
        one = f"{self.number(depth)} {self.pick(['<', '<=', '>', '>=', '!='])} {self.number(depth)}"
        other = f"{self.whole(0)} {self.pick(['<', '==', '>='])} {self.whole(0)}"
        chain = f"-1.0 < {self.number(depth)} <= {self.number(depth)}"
        return self.pick([one, other, chain, f"not {one}", f"({one} and {other})", f"({other} or {one})"])

    def statement(self) -> None:
        """A statement; blocks are not nested deeper than two."""
        kind = self.rng.integers(10 if self.depth < 3 else 6)
        if kind < 2:
            name = self.pick([*self.floats, "z"]) if self.depth > 1 else f"v{len(self.floats)}"
            if self.depth > 1 and name == "z":
                name = self.pick(self.floats)
            self.say(f"{name} = {self.number(2)}")
            if name not in self.floats:
                self.floats.append(name)
        elif kind == 2:
            self.say(f"{self.pick(self.ints)} = {self.whole(1)}")
        elif kind == 3:
            self.say(f"a[{self.index(6)}], b[{self.index(3)}, {self.index(4)}] = {self.number(1)}, {self.number(1)}")
        elif kind == 4:
            self.say(f"{self.pick(self.floats)} {self.pick(['+=', '-=', '*='])} {self.number(1)}")
        elif kind == 5:
            self.say(f"x, y = y, {self.number(1)} + shifted(a, {self.index(6)}, {self.number(0)})")
            row = self.pick(["a", f"b[{self.index(3)}]"])
            self.say(f"y += halved(Row({row}, {self.number(0)}), helper).numbers[{self.index(4)}]")
        elif kind == 6:
            self.branch()
        elif kind == 7:
            self.counted()
        elif kind == 8:
            self.say(f"b[{self.index(3)}, :] = {self.number(1)}")
        else:
            self.looped()

    def block(self) -> None:
        ints = list(self.ints)
        self.depth += 1
        for _ in range(self.rng.integers(1, 4)):
            self.statement()
        self.depth -= 1
        self.ints = ints

    def branch(self) -> None:
        self.say(f"if {self.truth(1)}:")
        self.block()
        if self.rng.random() < 0.6:
            self.say("else:")
            self.block()

    def counted(self) -> None:
        name = f"k{self.depth}"
        self.say(f"for {name} in range({self.pick(['3', '12', f'abs({self.whole(0)}) % 5', '5, 0, -1'])}):")
        before = list(self.ints)
        self.depth += 1
        self.say(f"y += 0.125 * {name}")
        if self.rng.random() < 0.3:
            self.say(f"if y > {self.number(0)}:\n{'    ' * (self.depth + 1)}{self.pick(['break', 'continue'])}")
        self.say(f"x = x * 0.5 + a[{name} % 6]")
        self.depth -= 1
        self.block()
        self.ints = before

    def looped(self) -> None:
        self.say(f"w{self.depth} = 0")
        self.say(f"while w{self.depth} < {self.rng.integers(1, 5)} and {self.truth(1)}:")
        self.depth += 1
        self.say(f"w{self.depth - 1} += 1")
        self.depth -= 1
        self.block()


def write(seed: int, count: int) -> str:
    """A module of so many programs."""
    rng = np.random.default_rng(seed)
    return HEADER + "\n".join(Writer(rng, f"program_{k}").text() for k in range(count))
