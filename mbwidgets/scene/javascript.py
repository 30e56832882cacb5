"""JavaScript of the widgets: small modules that share helpers, joined into one text since a page loads one module."""

from __future__ import annotations

from pathlib import Path

__all__ = ["joined"]

SHARED = Path(__file__).parent / "shared.js"


def joined(*modules: Path) -> str:
    """A widget's modules after the helpers that all share (``shared.js``)."""
    return "".join(path.read_text(encoding="utf-8") for path in (SHARED, *modules))
