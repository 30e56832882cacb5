"""The compiler: what it makes computes what the source says, to the last bit; what it cannot make it refuses."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from mbwidgets.numeric.engines.translate.module import Module
from mbwidgets.numeric.engines.translate.source import Untranslatable
from tests.numeric.engines import programs
from tests.numeric.engines.translated import NODE, TABLE, VECTOR, Machines
from tests.thorough import THOROUGH

BATCHES = 50 if THOROUGH else 1
"""Of 200 programs each."""


def load(path: Path, text: str) -> ModuleType:
    """A module from its text."""
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.skipif(NODE is None, reason="there is no node")
@pytest.mark.parametrize("batch", range(BATCHES))
def test_random_programs_give_the_same_bits_in_python_wasm_and_javascript(
    batch: int, tmp_path: Path, seed: int
) -> None:
    count = 200
    made = load(tmp_path / f"made_{seed}_{batch}.py", programs.write(1000 * seed + batch, count))
    kinds = ["f", "f", "i", VECTOR, TABLE]
    machines = Machines([(getattr(made, f"program_{k}"), kinds) for k in range(count)], tmp_path)
    rng = np.random.default_rng([seed, batch])
    calls = []
    for k in range(count):
        given = (
            float(rng.normal()),
            float(rng.normal(scale=10)),
            int(rng.integers(-5, 20)),
            rng.normal(size=6),
            rng.normal(size=(3, 4)),
        )
        calls.append((f"program_{k}", given))
    scripted = machines.javascript(calls)
    for (name, given), third in zip(calls, scripted, strict=True):
        first, second = machines.python(name, given), machines.wasm(name, given)
        assert first == second, f"{name} of seed {1000 * seed + batch}: Python and WebAssembly"
        assert second == third, f"{name} of seed {1000 * seed + batch}: WebAssembly and JavaScript"


REFUSED = {
    "x ** 2.0": "Pow",
    "x ** n": "Pow",
    "x % 1.0": "% of floats",
    "x // 2.0": "// of floats",
    "n // n": "positive constant",
    "n % 0": "positive constant",
    "n & 1": "BitAnd",
    "n << 2": "LShift",
    "3000000000 + n": "32 bits",
    "2147483647 + 1": "32 bits",
    "a[x]": "float",
    "a[-1]": "negative index",
    "a[0, 0]": "indices",
    "b[0, 1:2]": "slice beside",
    "a[0:4:2]": "step",
    "a @ a": "MatMult",
    "a + 1.0": "a number is needed",
    "a.sum()": "method sum",
    "sum(a)": "sum is not known",
    "len(a)": "len is not known",
    "[x, y]": "List",
    "{x: y}": "Dict",
    "[v for v in a]": "ListComp",
    "(lambda v: v)(x)": "no name",
    "'text'": "no number",
    "x is y": "Is",
    "x in a": "In",
    "unknown": "not known",
    "(x, y)[n]": "not constant",
    "min(x)": "arguments",
    "later": "no value here",
    "a if x > 0.0 else b": "an array of 1 indices or an array of 2 indices",
    "recurse(x, y, n, a, b)": "calls itself",
    "other(x)": "takes 2 arguments",
    "other(x, y=y)": "names",
    "print": "not known",
    "WORDS": "no number",
    "INTEGERS[0]": "int64",
    "x.real": "a float has no real",
    "Pair(x, y).third": "a record of first, second has no third",
    "Pair(x)": "no named tuple of 1",
    "Plain(x)": "no named tuple of 1",
    "Pair(x, y) if x > 0.0 else (x, y)": "a record of first, second or a tuple of 2",
}
STATEMENTS = {
    "import math": "Import",
    "assert x > 0.0": "Assert",
    "raise ValueError": "Raise",
    "try:\n        x = 1.0\n    except ValueError:\n        x = 2.0": "Try",
    "with a:\n        pass": "With",
    "del x": "Delete",
    "def inner(v):\n        return v": "FunctionDef",
    "for v in a:\n        x += v": "over range",
    "for k in range(0, 9, n):\n        x += 1.0": "step of a range",
    "for k in range(3):\n        x += 1.0\n    else:\n        x = 0.0": "over range",
    "while x > 0.0:\n        x -= 1.0\n    else:\n        x = 0.0": "else of a loop",
    "for k in range(12):\n        x += 1.0\n    x += k": "no value here",
    "x = 1.0\n    x = a": "a float and an array",
    "a = 1.0\n    x, y = x, y, 1.0": "",
    "x, y = x": "for 2 names",
    "b[0] = 1.0": "assignment to a row",
    "b[:, 0] = 1.0": "whole rows",
    "a[0:2] = 1.0": "whole rows",
    "CONSTANT[0] = 1.0": "constant array is written",
    "a[0] = a": "a number is needed",
    "b[0] += 1.0": "only names and elements",
    "x: float = 1.0": "AnnAssign",
    "global LIMIT": "Global",
    "x = y = (lambda: 1.0)": "Lambda",
    "if x > 0.0:\n        return x": "not every path",
}
FRAME = """
import numpy as np

from typing import Any, NamedTuple

CONSTANT, INTEGERS, WORDS = np.zeros(3), np.arange(3), "words"


class Pair(NamedTuple):
    first: Any
    second: Any


class Plain:
    pass


def other(x, y):
    return x + y


def tested(x, y, n, a, b):
    {statement}
    return {expression}


def recurse(x, y, n, a, b):
    return tested(x, y, n, a, b) if n > 0 else x
"""


@pytest.mark.parametrize("text", [*REFUSED, *STATEMENTS])
def test_what_is_outside_the_subset_is_refused_with_its_line_and_reason(text: str, tmp_path: Path) -> None:
    expression = text in REFUSED
    source = FRAME.format(statement="pass" if expression else text, expression=text if expression else "x")
    if "later" in text:
        source = source.replace("    return later", "    if x > 9.0:\n        x = later\n    later = x\n    return x")
    if "not every path" in STATEMENTS.get(text, ""):
        source = source.replace("    return x\n\n\ndef recurse", "    y = x\n\n\ndef recurse")
    made = load(tmp_path / f"refused_{abs(hash(text))}.py", source)
    with pytest.raises(Untranslatable) as refused:
        Module().export("tested", made.recurse if "recurse" in text else made.tested, ["f", "f", "i", VECTOR, TABLE])
    wanted = REFUSED.get(text, STATEMENTS.get(text, ""))
    assert wanted in refused.value.reason
    shown = source.splitlines()[refused.value.line - 1].strip()
    assert refused.value.text == shown
    assert f"{refused.value.file}:{refused.value.line}" in str(refused.value)
