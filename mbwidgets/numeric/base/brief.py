"""Short texts of records that hold many numbers: printing one never floods the screen."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any, Final

import numpy as np

__all__ = ["brief_text"]

FEW: Final = 12
"""Numbers of an array that are shown; of a larger one the shape is."""


def brief_text(record: Any) -> str:
    """A named tuple or a dataclass by the names of its fields: small arrays as they are, others by their shape."""
    names = [field.name for field in fields(record) if field.repr] if is_dataclass(record) else record._fields
    return f"{type(record).__name__}({', '.join(f'{name}={_brief(getattr(record, name))}' for name in names)})"


def _brief(value: Any) -> str:
    if isinstance(value, np.ndarray):
        if value.size > FEW:
            return f"<{'×'.join(map(str, value.shape))}>"
        return np.array2string(value, precision=6, separator=", ", max_line_width=10**6).replace("\n", "")
    text = repr(value)
    return text if len(text) <= 120 else f"{text[:117]}…"
