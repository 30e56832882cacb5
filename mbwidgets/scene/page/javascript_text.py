"""JavaScript as text: where its code is, apart from comments, strings, templates and regular expressions."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from typing import Final

__all__ = ["JavaScriptError", "blank_literals", "compact_text"]

TOKEN: Final = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
    |(?P<literal>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
    |(?P<code>[^()\[\]{}`"'/]+)
    |(?P<bracket>[()\[\]{}`])
    |(?P<slash>/)""",
    re.VERBOSE | re.DOTALL,
)
LAST: Final = re.compile(r"(?:[\w$.]+|=>|\S)?$")
REGEX: Final = re.compile(r"/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/\w*")
TEMPLATE: Final = re.compile(r"(?:[^`\\$]|\\.|\$(?!\{))*(`|\$\{)", re.DOTALL)
BEFORE_REGEX: Final = frozenset("(,=:[!&|?{};+-*%<>~^") | {"", "=>", "return", "typeof", "case", "in", "of", "throw"}
"""After these a slash begins a regular expression; after anything else it divides."""
CLOSES: Final = {"(": ")", "[": "]", "{": "}", "${": "}"}
A_VALUE: Final = "value"
"""Stands for a literal, after which a slash divides."""


class JavaScriptError(ValueError):
    """JavaScript that cannot be joined; says where and why."""


def blank_literals(text: str) -> tuple[str, str]:
    """The text with blanks for all that is no code; and the same with blanks inside all brackets too.

    Both are as long as the text and have its lines.
    """
    code: list[str] = []
    top: list[str] = []
    for token, kind, inside in _tokens(text):
        code.append(_blank(token) if kind in ("literal", "comment") else token)
        top.append(_blank(token) if inside else code[-1])
    return "".join(code), "".join(top)


@functools.cache
def compact_text(text: str) -> str:
    """The same JavaScript without comments and without blanks at the beginnings of lines."""
    kept = [(token, kind) for token, kind, _ in _tokens(text) if kind != "comment"]
    return "".join(re.sub(r"\s*\n\s*", "\n", token) if kind == "code" else token for token, kind in kept)


def _tokens(text: str) -> Iterator[tuple[str, str, bool]]:
    """Tokens and their kinds, and whether they are within brackets."""
    closing: list[str] = []
    at, before = 0, ""
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match:
            raise JavaScriptError(f"line {text.count(chr(10), 0, at) + 1}: a string that does not end")
        token, kind, outside = match[0], str(match.lastgroup), not closing
        if kind == "slash" and (regex := _regex(text, at, before)):
            token, kind = regex, "literal"
        elif kind == "bracket":
            token, kind = _step(text, at, token, closing)
        yield token, kind, not outside and bool(closing)
        if kind == "literal":
            before = "" if token.endswith("${") else A_VALUE
        elif kind != "comment":
            before = token.rstrip() or before
        at += len(token)
    if closing:
        raise JavaScriptError(f"{closing[-1]!r} is missing at the end")


def _blank(token: str) -> str:
    return "\n".join(" " * len(line) for line in token.split("\n"))


def _regex(text: str, at: int, before: str) -> str | None:
    """The regular expression that begins with a slash after this code; None where the slash divides."""
    last = LAST.search(before)
    match = REGEX.match(text, at) if last and last[0] in BEFORE_REGEX else None
    return match and match[0]


def _step(text: str, at: int, token: str, closing: list[str]) -> tuple[str, str]:
    """Go into a bracket or out of one; a template is taken up to its end or to the code within it."""
    if token in CLOSES:
        closing.append(CLOSES[token])
        return token, "bracket"
    if token != "`":
        if not closing or closing.pop() != token:
            raise JavaScriptError(f"line {text.count(chr(10), 0, at) + 1}: {token!r} closes nothing")
        if token != "}" or not closing or closing[-1] != "`":
            return token, "bracket"
    else:
        closing.append("`")
    # within a template, after its beginning or after code in it
    match = TEMPLATE.match(text, at + 1)
    if not match:
        raise JavaScriptError(f"line {text.count(chr(10), 0, at) + 1}: a template that does not end")
    if match[1] == "`":
        closing.pop()
    else:
        closing.append("}")
    return token + match[0], "literal"
