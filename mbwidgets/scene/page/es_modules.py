"""What a module of ours imports, exports and defines, read from its text: enough of JavaScript to join modules.

The page gets one text, and there is no bundler at run time. What is read here is a small part of the language, to which
our modules keep; all else is refused, never guessed. A statement of the top level begins a line, and is

- ``import { a, b } from "./beside.js";``
- ``const`` or ``let`` with one name or a list, ``const [a, b] = …;``, ``function``, ``async function`` or ``class``,
  with ``export`` before it where others take it
- ``export default …;``, the last one
- anything that declares nothing

``import(address)`` is an expression as any other: it loads what is made in the page.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from .javascript_text import JavaScriptError, blank_literals

__all__ = ["Module", "read_module"]

NAME: Final = r"[A-Za-z_$][\w$]*"
LIST: Final = rf"\s*({NAME}(?:\s*,\s*{NAME})*)\s*,?\s*"
STATEMENT: Final = re.compile(r"^[\w$]", re.MULTILINE)
IMPORT: Final = re.compile(rf'import \{{{LIST}\}} from "(\.\.?/[^"\n]+\.js)";\n?')
DEFAULT: Final = re.compile(r"export default (?=\S)")
DECLARATION: Final = re.compile(
    rf"""(export[ ])?
    (?:(?P<kept>const|let)[ ](?:({NAME})|\[{LIST}\])(?:[ ]=|;)
    |(?:async[ ])?function\*?[ ]({NAME})
    |class[ ]({NAME}))(?![\w$])""",
    re.VERBOSE,
)
RESERVED: Final = re.compile(r"(?<![.\w$])(?:import(?!\([\w$]+\))|export|const|let|var|function|class|await)(?![\w$])")
MODULE_WORD: Final = re.compile(r"(?<![.\w$])(?:import(?!\([\w$]+\))|export)(?![\w$])")


@dataclass(frozen=True, slots=True)
class Module:
    """A module, ready to be joined.

    Parameters
    ----------
    body : its text without imports and without ``export``
    default : where in ``body`` the value of ``export default`` begins; None without one
    imports : modules, and the names that are taken of each
    exports : what others may take
    names : all that is defined at the top level
    """

    path: Path
    body: str
    default: int | None
    imports: tuple[tuple[Path, tuple[str, ...]], ...]
    exports: frozenset[str]
    names: tuple[str, ...]


@cache
def read_module(path: Path) -> Module:
    """Read a module; `JavaScriptError` where it says what is not understood here."""
    if not path.is_file():
        raise JavaScriptError(f"there is no module {path}")
    text = path.read_text(encoding="utf-8")
    try:
        return _read(path, text)
    except JavaScriptError as error:
        raise JavaScriptError(f"{path.name}: {error}") from None


def _read(path: Path, text: str) -> Module:
    code, top = blank_literals(text)
    imports: list[tuple[Path, tuple[str, ...]]] = []
    exports: set[str] = set()
    names: list[str] = []
    cuts: list[tuple[int, int]] = []
    understood: set[int] = set()
    default = None
    for start in (match.start() for match in STATEMENT.finditer(top)):
        if match := IMPORT.match(text, start):
            imports.append(((path.parent / match[2]).resolve(), _listed(match[1])))
            cuts.append(match.span())
            understood.add(start)
        elif match := DEFAULT.match(top, start):
            default = start - sum(end - begin for begin, end in cuts)
            cuts.append(match.span())
            understood.add(start)
            _one_statement(top, start)
            if top[top.index(";", start) + 1 :].strip():
                raise JavaScriptError("`export default` is the last statement")
        elif match := DECLARATION.match(code, start):
            own = _listed(match[3] or match[4] or match[5] or match[6])
            names += own
            if match[1]:
                exports |= set(own)
                cuts.append(match.span(1))
            if match["kept"]:
                _one_statement(top, start)
            understood |= {word.start() for word in RESERVED.finditer(top, start, match.end())}
    _refuse_strays(text, code, top, understood)
    return Module(path, _without(text, cuts), default, tuple(imports), frozenset(exports), tuple(names))


def _listed(names: str) -> tuple[str, ...]:
    return tuple(re.findall(NAME, names))


def _one_statement(top: str, start: int) -> None:
    """A statement ends with a semicolon and declares one thing."""
    end = top.find(";", start)
    line = top[start:].split("\n", 1)[0].strip()
    if end < 0:
        raise JavaScriptError(f"no semicolon ends “{line}”")
    if "," in top[start:end]:
        raise JavaScriptError(f"one name a statement, not “{line}”")


def _refuse_strays(text: str, code: str, top: str, understood: set[int]) -> None:
    """Words that import, export or declare, but not in a form of those above."""
    found = [match.start() for match in (*MODULE_WORD.finditer(code), *RESERVED.finditer(top))]
    for at in sorted(set(found) - understood):
        line = text[text.rfind("\n", 0, at) + 1 :].split("\n", 1)[0].strip()
        raise JavaScriptError(f"line {text.count(chr(10), 0, at) + 1} is not understood: “{line[:80]}”")


def _without(text: str, cuts: list[tuple[int, int]]) -> str:
    edges = [0, *(edge for cut in cuts for edge in cut), len(text)]
    return "".join(text[begin:end] for begin, end in zip(edges[::2], edges[1::2], strict=True))
