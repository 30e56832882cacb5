"""Labels: short texts that always face the camera."""

from __future__ import annotations

import unicodedata
from typing import Any

import pythreejs as three

__all__ = ["Label"]


class Label:
    """A sprite with a text; the player places it, its height is given in m."""

    def __init__(self, text: str, colour: str, height: float) -> None:
        self.text = text
        self._texture = three.TextTexture(
            string=text, color=colour, size=64, squareTexture=False, fontFace="DejaVu Sans, Segoe UI Symbol, sans-serif"
        )
        self._surface = three.SpriteMaterial(map=self._texture, transparent=True, depthTest=False, depthWrite=False)
        self.sprite: Any = three.Sprite(material=self._surface, renderOrder=10)
        self.resize(height)

    def resize(self, height: float) -> None:
        """Set the height; the width follows the letters, since the page keeps no aspect by itself."""
        width = sum(0.32 if unicodedata.decomposition(letter)[:4] in ("<sub", "<sup") else 0.62 for letter in self.text)
        width = max(width, 0.62)
        self.sprite.scale = (width * height, height, 1.0)

    def close(self) -> None:
        """Free it in the page."""
        for item in (self.sprite, self._surface, self._texture):
            item.close()
