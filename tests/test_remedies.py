"""Every remedy of a refusal names functions, methods and arguments that there are."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import mbwidgets as mb
from mbwidgets.numeric.motion.joined import Joined
from mbwidgets.numeric.motion.motion import Motion

ROOT = Path(mb.__file__).parent
OWNERS: dict[str, tuple[Any, ...]] = {"motion": (Motion, Joined), "model": (mb.Model,), "formula": (mb.Formula,)}
"""What a remedy calls an object, and what it is."""
WORDS = {"x", "y", "z", "w", "k", "id", "q", "a", "b", "p", "t", "m2"}
"""Left sides of equations and values of parameters, not arguments."""


def remedies() -> Iterator[tuple[str, str]]:
    """Place and text of every remedy, … for what is filled in."""
    for path in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.keyword) and node.arg == "remedy":
                for text in texts(node.value):
                    yield f"{path.relative_to(ROOT)}:{node.value.lineno}", text


def texts(node: ast.expr) -> list[str]:
    """The texts that an expression may be."""
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.JoinedStr(values=parts):
            return ["".join(part.value if isinstance(part, ast.Constant) else "…" for part in parts)]
        case ast.IfExp(body=body, orelse=other):
            return [*texts(body), *texts(other)]
        case ast.BinOp(left=left, right=right):
            return [a + b for a in texts(left) or ["…"] for b in texts(right) or ["…"]]
    return []


FOUND = list(remedies())


def arguments_of(thing: Any) -> set[str]:
    try:
        return set(inspect.signature(thing).parameters)
    except (TypeError, ValueError):
        return set()


def known_arguments() -> set[str]:
    """The arguments of all that is public, and of the methods of what that gives."""
    found: set[str] = set()
    for name in mb.__all__:
        thing = getattr(mb, name)
        found |= arguments_of(thing)
        members = inspect.getmembers(thing) if inspect.isclass(thing) or inspect.ismodule(thing) else []
        for _, member in members:
            found |= arguments_of(member) if callable(member) else set()
    for owner in (Motion, Joined):
        for _, member in inspect.getmembers(owner, callable):
            found |= arguments_of(member)
    return found


def test_there_are_remedies_to_look_at() -> None:
    assert len(FOUND) > 400


def test_names_in_remedies_are_public() -> None:
    missing = []
    for place, text in FOUND:
        for name in re.findall(r"\bmb\.(\w+(?:\.\w+)*)", text):
            thing: Any = mb
            for part in name.split("."):
                thing = getattr(thing, part, None)
                if thing is None:
                    missing.append((place, f"mb.{name}"))
                    break
    assert not missing


def test_methods_in_remedies_are_there() -> None:
    missing = []
    for place, text in FOUND:
        for owner, name in re.findall(r"\b(motion|model|formula)\.(\w+)", text):
            fields = {field for cls in OWNERS[owner] for field in getattr(cls, "__dataclass_fields__", {})}
            if name not in fields and not any(hasattr(cls, name) for cls in OWNERS[owner]):
                missing.append((place, f"{owner}.{name}"))
    assert not missing


@pytest.mark.filterwarnings("ignore")  # some attributes of views are on their way out
def test_arguments_in_remedies_are_taken() -> None:
    known = known_arguments() | WORDS
    missing = [
        (place, name)
        for place, text in FOUND
        for name in re.findall(r"(?<![\w.\"'<>=!])([a-z_]\w*)=(?!=)", text)
        if name not in known
    ]
    assert not missing


@pytest.mark.parametrize(
    "named", ["mb.nonsense(…)", "motion.nonsense", "simulate with nonsense=3"], ids=["name", "method", "argument"]
)
def test_the_walk_sees_what_is_not_there(named: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "FOUND", [("here", named)])
    checks = (
        test_names_in_remedies_are_public,
        test_methods_in_remedies_are_there,
        test_arguments_in_remedies_are_taken,
    )
    failed = 0
    for check in checks:
        try:
            check()
        except AssertionError:
            failed += 1
    assert failed == 1
