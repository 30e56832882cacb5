"""A picture whose arrows are given as numbers: for vectors that belong to one view and not to every model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...numeric.motion.motion import Motion
from ...numeric.packing.pack import Packed
from .drawn_arrows import TRUE_LENGTH, OwnArrow, scaled_own_arrows
from .page_arrows import own_page_arrows, own_page_units
from .picture import Picture

__all__ = ["TRUE_LENGTH", "OwnArrow", "OwnArrowPicture"]


class OwnArrowPicture(Picture):
    """A `Picture` that draws arrows given as `OwnArrow`."""

    own: tuple[OwnArrow, ...] = ()

    def draw(
        self, motion: Motion, arrows: Sequence[OwnArrow], selected: int | None = None, magnify: float = 1.0
    ) -> None:
        """Show a motion with these arrows; the selected body is marked."""
        frame, self.own = self.frame_for(motion), tuple(arrows)
        self.put(motion, frame, scaled_own_arrows(arrows, self.reach(frame), magnify, self.kept(frame)), selected)

    def for_page(self, packed: Packed) -> dict[str, Any]:
        """As `Picture.for_page`; a program of the page gives the arrows their numbers."""
        seen, usual = self.composition, self.usual
        feet = self.stage.setting.feet_of(seen.motion.model)
        return {
            **super().for_page(packed),
            "arrows": own_page_arrows(self.own, seen.arrows, feet, usual),
            "units": own_page_units(self.own, self.reach(self._frame), usual),
        }
