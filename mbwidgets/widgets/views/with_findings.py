"""What a view has found, in parts beside, beneath and under the stage: filled here, and told to the page."""

from __future__ import annotations

from typing import Any

from .page_tables import Fill

__all__ = ["WithFindings"]


class WithFindings:
    """A view that gives `findings`."""

    motion: Any
    filling: Any

    def findings(self) -> list[Fill]:
        """What the view has found, beside, beneath and under the stage: each part with its numbers and its look."""
        return []

    def show_findings(self) -> None:
        """Fill the parts of `findings`; of one that cannot be computed it is said why."""
        for fill in self.findings():
            with self.filling(fill.part):
                fill.part.take(fill.look(), fill.values(self.motion))
