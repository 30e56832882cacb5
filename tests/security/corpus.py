"""What the fuzzers start from: hostile strings, model files, robots, keys, answers; and how they are spoilt."""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from mbwidgets.files import dumps
from mbwidgets.model import library
from tests.assignments.samples import assignment, right_answers
from tests.files.robots import random_robot

HERE = Path(__file__).parent
INSERTS = [
    b"[",
    b"{",
    b"(",
    b'"',
    b"9" * 50,
    b"e",
    b"-",
    b",",
    b":",
    b"null",
    b"\\u0000",
    b"**",
    b"sin(",
    b"<",
    b"&a;",
    b"\xff",
]
VALUES: list[Any] = [
    None, True, False, 0, -1, 1, 10**30, -(10**300), 10**399, 1e308, -1e308, 5e-324, 1e-200, 0.1, [], {}, [[]],
    [None] * 3, [1, 2, 3], [1e308] * 3, [5e-324] * 3, [[1e308] * 3] * 3, [0, 0, 0, 0], ["m2"] * 3, "m2", "1/m2",
    [0] * 3000, {"type": "free"}, {"type": "composite", "parts": [{"type": "point", "mass": 0}]}, {"value": 1},
    {"type": "revolute", "limits": [1, 0]}, {"type": "grid", "low": 0, "high": 1, "step": "1e-9"},
    {"type": "fractions", "low": 0, "high": 1000, "denominator": 100},
]  # fmt: skip


# Changes of a number that a file may well survive.
MILD = [
    lambda x: 2 * x,
    lambda x: -x,
    lambda x: 0,
    lambda x: x / 3 + 1e-9,
    lambda x: 1e-200 * x,
    lambda x: 1e150 * x,
    lambda x: f"{x!r}/7 + 1/3",
    lambda x: f"sqrt({abs(x)!r})*cos(pi/5)",
]
NUMBER = re.compile(r"(?<=[\" ])-?[0-9]+(?:\.[0-9]+)?(?=[\" ])")


@cache
def hostile() -> list[str]:
    """The corpus of hostile strings; long ones are stored as pieces with their number of repetitions."""
    rows = json.loads((HERE / "hostile.json").read_text(encoding="utf-8"))
    return [row if isinstance(row, str) else "".join(text * count for text, count in row) for row in rows]


@cache
def models() -> list[str]:
    """Valid model files: one with everything in it, and the library."""
    everything = (HERE.parent / "files" / "everything.json").read_text(encoding="utf-8")
    small = [name for name in library.names() if name not in ("spherical_chain", "pendulum")]
    return [everything, everything, *(dumps(getattr(library, name)()) for name in small)]


@cache
def robots() -> list[str]:
    """Valid URDF files."""
    rng = np.random.default_rng(5)
    arm = (HERE.parent / "files" / "arm.urdf").read_text(encoding="utf-8")
    return [arm, arm, *(random_robot(rng, most=5).text for _ in range(6))]


@cache
def keys() -> list[str]:
    """A valid key."""
    return [json.dumps(assignment().to_dict(), ensure_ascii=False)]


@cache
def submissions() -> list[str]:
    """A valid file of answers."""
    data = {"format": "mbwidgets-answers", "version": 1, "assignment": "rotor", "student": "s1"}
    return [json.dumps({**data, "answers": right_answers("s1")})]


@cache
def answers() -> list[tuple[str, str]]:
    """(question, right answer)"""
    return list(right_answers("s1").items())


def places(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every value inside nested data."""
    yield path
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, item in items:
        yield from places(item, (*path, key))


def inside(data: Any, path: tuple[Any, ...]) -> Any:
    """The value at a path."""
    for key in path:
        data = data[key]
    return data


def spoilt_bytes(source: random.Random, text: str) -> bytes:
    """A text with one to four of its bytes changed, cut, doubled or moved."""
    data = bytearray(text.encode("utf-8", "surrogatepass"))
    for _ in range(source.randint(1, 4)):
        place, kind = source.randrange(len(data) or 1), source.randrange(4)
        if kind == 0 and data:
            data[min(place, len(data) - 1)] = source.randrange(256)
        elif kind == 1:
            del data[place : place + source.randint(1, 30)]
        elif kind == 2:
            data[place:place] = source.choice(INSERTS)
        else:
            other = source.randrange(len(data) or 1)
            data[place:place] = data[other : other + 40]
    return bytes(data)


def spoilt_data(source: random.Random, text: str) -> str:
    """A JSON text with one to three of its values, or keys, replaced."""
    data = json.loads(text)
    for _ in range(source.randint(1, 3)):
        paths = list(places(data))[1:]
        if not paths:
            break
        path = source.choice(paths)
        where = inside(data, path[:-1])
        kind = source.randrange(6)
        value = where[path[-1]]
        if kind >= 4:
            if isinstance(value, int | float) and abs(value) < 1e100:
                where[path[-1]] = source.choice(MILD)(value)
        elif kind == 0:
            where[path[-1]] = source.choice(hostile())
        elif kind == 1:
            where[path[-1]] = copy.deepcopy(source.choice(VALUES))
        elif kind == 2:
            where[path[-1]] = copy.deepcopy(inside(data, source.choice(paths)))
        elif isinstance(where, dict):
            where[source.choice(hostile())] = where.pop(path[-1])
        else:
            del where[path[-1]]
    return json.dumps(data)


def spoilt_markup(source: random.Random, text: str) -> str:
    """A URDF text with attributes replaced, elements doubled or declarations put in front."""
    for _ in range(source.randint(1, 3)):
        quotes = [place for place, mark in enumerate(text) if mark == '"']
        kind = source.randrange(6)
        if kind >= 4:
            numbers = list(NUMBER.finditer(text))
            if numbers:
                found = source.choice(numbers)
                text = text[: found.start()] + str(source.choice(MILD)(float(found[0]))) + text[found.end() :]
        elif kind == 0 and len(quotes) > 2:
            k = source.randrange(len(quotes) // 2) * 2
            text = text[: quotes[k] + 1] + source.choice(hostile()).replace('"', "'") + text[quotes[k + 1] :]
        elif kind == 1:
            begin, end = sorted(source.randrange(len(text) + 1) for _ in range(2))
            text = text[:end] + text[begin : min(end, begin + 400)] + text[end:]
        elif kind == 2:
            text = source.choice(DECLARATIONS) + text
        else:
            place = source.randrange(len(text) + 1)
            text = text[:place] + source.choice(hostile())[:300] + text[place:]
    return text


DECLARATIONS = [
    '<!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>',
    '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
    '<!DOCTYPE r SYSTEM "http://127.0.0.1:1/x.dtd">',
    '<!DOCTYPE r [<!ENTITY % x SYSTEM "http://127.0.0.1:1/x"> %x;]>',
    '<?xml version="1.0" encoding="utf-7"?>',
    '<?xml-stylesheet href="http://127.0.0.1:1/x.xsl"?>',
    "<!-- -->",
]

ATOMS = [
    "m", "e", "c", "omega", "alpha", "Jxz", "q[0]", "u[0]", "ud[0]", "t", "pi", "x",
    "1", "2", "0", "-1", "1/3", "0.5", "1e300", "1e-300", "9" * 40,
]  # fmt: skip


def made_up(source: random.Random, depth: int = 0) -> str:
    """A random expression, most of the time well formed."""
    if depth > 6 or source.random() < 0.3:
        return source.choice(ATOMS)
    kind = source.randrange(8)
    inner = [made_up(source, depth + 1) for _ in range(2)]
    if kind < 4:
        return f"({inner[0]}{source.choice(['+', '-', '*', '/', '**', ' ', ',', '^'])}{inner[1]})"
    if kind == 4:
        return f"({inner[0]})**{source.randint(-33, 33)}"
    if kind == 5:
        return f"{source.choice(['sin', 'cos', 'tan', 'sqrt', 'exp', 'log', 'eval', ''])}({inner[0]})"
    if kind == 6:
        return f"[{', '.join(made_up(source, depth + 3) for _ in range(source.randint(1, 4)))}]"
    return f"-{inner[0]}"
