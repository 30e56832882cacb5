"""What a view's own quantity does over the whole motion, drawn by the player above its slider."""

from __future__ import annotations

from typing import Any

import numpy as np
import traitlets

from .over_frames import OverFrames

__all__ = ["Strip"]


class Strip(OverFrames):
    """One quantity over the frames; the player draws it with its peak. It is not seen by itself."""

    symbol = traitlets.Unicode().tag(sync=True)
    name = traitlets.Unicode().tag(sync=True)
    """In words, for who does not see the curve."""
    unit = traitlets.Unicode().tag(sync=True)
    colour = traitlets.Unicode().tag(sync=True)

    @staticmethod
    def look_of(symbol: str, name: str, unit: str, colour: str) -> dict[str, Any]:
        """The traits of a quantity."""
        return {"symbol": symbol, "name": name, "unit": unit, "colour": colour}

    def blank(self, why: str) -> None:
        """No curve."""
        self.take({"name": why}, np.zeros(0))

    def array(self) -> np.ndarray:
        """The numbers that the page has, (frames,)."""
        return np.frombuffer(self.values, dtype=np.float32)
