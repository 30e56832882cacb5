"""A figure of matplotlib that a notebook shows as a picture, whatever its backend."""

from __future__ import annotations

import io

from matplotlib.figure import Figure

__all__ = ["Drawing"]

DOTS: int = 110
"""Per inch: letters of ten points are as high as those of a page."""


class Drawing(Figure):
    """A figure by itself: no window, no state of pyplot."""

    def _repr_png_(self) -> bytes:
        buffer = io.BytesIO()
        self.savefig(buffer, format="png", dpi=DOTS, metadata={"Software": None})
        return buffer.getvalue()
