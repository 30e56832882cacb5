"""What stands in the brackets of x[rod], force[rod] or x[rod, 0, 0, 1]: a body or joint, and a point of it."""

from __future__ import annotations

__all__ = ["read_place"]


def read_place(text: str) -> tuple[str | int, tuple[str, ...]]:
    """Name or number, quoted or not, and the numbers of a point, in parentheses or not, as texts."""
    body, _, at = text.partition(",")
    body, at = body.strip().strip("'\"").strip(), at.strip()
    if at[:1] in ("(", "[") and at[-1:] in (")", "]"):
        at = at[1:-1]
    numbers = tuple(part.strip() for part in at.split(",")) if at else ()
    return (int(body) if body.isdigit() else body), numbers
