"""Labels: symbols that always face the camera, as large wherever they stand."""

from __future__ import annotations

from typing import Any

import pythreejs as three

__all__ = ["Label"]


class Label:
    """A symbol, what follows ``_`` an index: the page writes it as text over the picture (``labels.js``).

    The sprite carries its text and colour, whether it is seen and where it belongs; it is not drawn itself.
    """

    def __init__(self, text: str, colour: str) -> None:
        # without mipmaps a texture may have any size, and the page does not complain of it
        self._texture = three.TextTexture(
            string=text, color=colour, size=32, squareTexture=False, minFilter="LinearFilter"
        )
        self._surface = three.SpriteMaterial(
            map=self._texture, transparent=True, depthTest=False, depthWrite=False, sizeAttenuation=False
        )
        self.sprite: Any = three.Sprite(material=self._surface, renderOrder=10, scale=(0.02, 0.02, 1.0))

    def close(self) -> None:
        """Free it in the page."""
        for item in (self.sprite, self._surface, self._texture):
            item.close()
