"""JavaScript and styles of the widgets: small modules that share helpers, joined into the one that a page loads."""

from __future__ import annotations

import hashlib
from pathlib import Path

__all__ = ["join_modules", "read_stylesheet"]

SHARED = Path(__file__).parent / "shared.js"
EXPORT = "export default "


def join_modules(*modules: Path) -> str:
    """A widget's modules after the helpers that all share (``shared.js``).

    A page keeps each module that it loads for ever, and loads one for each widget. So that they do not pile up when a
    cell is run again and again, the second widget of a kind takes what the first one made; its own text is never
    compiled.
    """
    text = "".join(path.read_text(encoding="utf-8") for path in (SHARED, *modules))
    if text.count(EXPORT) != 1:
        raise ValueError(f"{modules[-1].name} must have one {EXPORT!r}")
    key = hashlib.sha256(text.encode()).hexdigest()[:16]
    body = text.replace(EXPORT, "return ")
    return (
        f"const make = () => {{\n{body}\n}};\n"
        f'{EXPORT}() => ((globalThis[Symbol.for("mbwidgets")] ??= {{}})["{key}"] ??= make());\n'
    )


def read_stylesheet(path: Path) -> str:
    """A stylesheet as text: anywidget would watch a file, and keep every widget that was ever made for it."""
    return path.read_text(encoding="utf-8")
