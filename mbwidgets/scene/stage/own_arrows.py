"""A picture whose arrows are given as numbers: for vectors that belong to one view and not to every model."""

from __future__ import annotations

from collections.abc import Sequence

from ...numeric.motion.motion import Motion
from .drawn_arrows import TRUE_LENGTH, OwnArrow, scaled_own_arrows
from .picture import Picture

__all__ = ["TRUE_LENGTH", "OwnArrow", "OwnArrowPicture"]


class OwnArrowPicture(Picture):
    """A `Picture` that draws arrows given as `OwnArrow`."""

    def draw(
        self, motion: Motion, arrows: Sequence[OwnArrow], selected: int | None = None, magnify: float = 1.0
    ) -> None:
        """Show a motion with these arrows; the selected body is marked."""
        frame = self.frame_for(motion)
        self.put(motion, frame, scaled_own_arrows(arrows, self.reach(frame), magnify, self.kept(frame)), selected)
