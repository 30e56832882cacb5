"""What widgets that follow the player have in common: numbers over the frames, and the traits that they go with."""

from __future__ import annotations

from typing import Any

import anywidget
import numpy as np
import traitlets

__all__ = ["OverFrames"]


class OverFrames(anywidget.AnyWidget):
    """Numbers of every frame as one binary trait; what they look like comes in the same message."""

    _esm = "export default {};"

    values = traitlets.Bytes().tag(sync=True)
    """(frames, …) float32; beyond its range there is no number, and the page sees infinity."""
    version = traitlets.Int(0).tag(sync=True)
    """Counts what was taken."""

    def take(self, look: dict[str, Any], values: np.ndarray) -> None:
        """Show values (frames, …) with these traits."""
        with self.hold_sync():
            for name, value in look.items():
                setattr(self, name, value)
            with np.errstate(over="ignore"):
                self.values = np.ascontiguousarray(values, dtype=np.float32).tobytes()
            self.version += 1
