"""Labels: symbols that always face the camera, as large wherever they stand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import pythreejs as three

from .palette import MUTED

__all__ = ["Label", "LetterView"]


LETTER: Final = "letter"
"""By this name the page knows the letter of a point, which is thinner than the symbol of a vector."""


class Label:
    """A symbol, what follows ``_`` an index: the page writes it as text over the picture (``labels.js``).

    The sprite carries its text and colour, whether it is seen and where it belongs; it is not drawn itself.
    """

    def __init__(self, text: str, colour: str, name: str = "") -> None:
        """``name``: of the sprite, by which the page knows what kind of symbol it is."""
        # without mipmaps a texture may have any size, and the page does not complain of it
        self._texture = three.TextTexture(
            string=text, color=colour, size=32, squareTexture=False, minFilter="LinearFilter"
        )
        self._surface = three.SpriteMaterial(
            map=self._texture, transparent=True, depthTest=False, depthWrite=False, sizeAttenuation=False
        )
        self.sprite: Any = three.Sprite(material=self._surface, renderOrder=10, scale=(0.02, 0.02, 1.0), name=name)

    def close(self) -> None:
        """Free it in the page."""
        for item in (self.sprite, self._surface, self._texture):
            item.close()


class LetterView:
    """Letters of points on the groups of bodies; made anew only where other points have them."""

    def __init__(self) -> None:
        self._held: list[tuple[str, Any, Label]] = []

    def show(self, letters: Sequence[tuple[str, Any, Any]]) -> None:
        """Show letters, each on a group at a place (3,), m."""
        if [row[:2] for row in self._held] != [row[:2] for row in letters]:
            self.clear()
            self._held = [(text, group, Label(text, MUTED, LETTER)) for text, group, _ in letters]
            for _, group, label in self._held:
                group.add(label.sprite)
        for (_, _, label), (_, _, place) in zip(self._held, letters, strict=True):
            label.sprite.position = tuple(float(part) for part in place)

    def clear(self) -> None:
        """Take all off their groups."""
        for _, group, label in self._held:
            group.remove(label.sprite)
        self.close()

    def close(self) -> None:
        """Free all."""
        for *_, label in self._held:
            label.close()
        self._held = []
