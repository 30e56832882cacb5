"""Parts of a sum as a waterfall: each bar begins where the one before ends, the last ends at the sum."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import traitlets
from ipywidgets import widget_serialization

from ...scene.page.javascript import join_modules, read_stylesheet
from ...scene.page.over_frames import OverFrames

__all__ = ["Fall", "Waterfall"]


@dataclass(frozen=True)
class Fall:
    """A part: its symbol as in a `Ledger`, the badge of its body with the body's colour, whether it is striped."""

    key: str
    symbol: str
    badge: str
    badge_colour: str
    striped: bool = False


class Waterfall(OverFrames):
    """Signed parts, the largest first, which follow the player; ``picked`` is the part that was clicked.

    The last number of a frame is the sum: what parts that are left out add is told as one bar of its own.
    """

    _esm = join_modules(Path(__file__).parent / "waterfall.js")
    _css = read_stylesheet(Path(__file__).parent / "waterfall.css")

    player = traitlets.Any().tag(sync=True, **widget_serialization)
    title = traitlets.Unicode().tag(sync=True)
    hint = traitlets.Unicode().tag(sync=True)
    note = traitlets.Unicode().tag(sync=True)
    unit = traitlets.Unicode().tag(sync=True)
    colour = traitlets.Unicode().tag(sync=True)
    total: Any = traitlets.Dict().tag(sync=True)
    """Symbol and colour of the sum, and the colour of the bars."""
    legend: Any = traitlets.List().tag(sync=True)
    """Badges with colour and name."""
    rows: Any = traitlets.List().tag(sync=True)
    picked = traitlets.Unicode().tag(sync=True)

    @staticmethod
    def look_of(
        title: str,
        rows: Sequence[Fall],
        total: tuple[str, str, str],
        unit: str,
        colour: str,
        legend: Sequence[tuple[str, str, str]] = (),
        hint: str = "",
    ) -> dict[str, Any]:
        """The traits that show these parts.

        ``total``: symbol and colour of the sum, and the colour of the bars; ``legend``: badge, colour, name.
        """
        return {
            "title": title,
            "hint": hint,
            "note": "",
            "unit": unit,
            "colour": colour,
            "total": {"symbol": total[0], "colour": total[1], "bar": total[2]},
            "legend": [list(entry) for entry in legend],
            "rows": [asdict(row) for row in rows],
        }

    def blank(self, why: str) -> None:
        """No bars, and why."""
        self.take({"rows": [], "legend": [], "note": why}, np.zeros((0, 0)))

    def array(self) -> np.ndarray:
        """The numbers that the page has, (frames, rows + 1)."""
        return np.frombuffer(self.values, dtype=np.float32).reshape(-1, len(self.rows) + 1)
