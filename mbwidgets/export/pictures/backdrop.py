"""What lies behind a mechanism in a picture: the sky, and the ground with its grid and the shadow on it.

``scene/page/backdrop.js`` draws it in the page, with lines of one pixel that do not melt. The ground is beneath all
that moves: it need not hide anything, and is not painted between its lines.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ...scene.look.palette import Theme
from ...scene.stage.setting import Ground, Setting, ground_of
from .raster import Camera, rgb
from .shadow import Shadow

__all__ = ["Backdrop", "draw_backdrop"]

THIN: Final = 0.45
"""How strongly a line is seen that is not each fifth."""
MELTS: Final = (0.08, 0.35)
"""Pixels over cells: where cells are narrower than some pixels their lines melt away, from the first to the second."""
FADES: Final = 0.25
"""Share of its reach within which the ground does not fade."""
SHADES: Final = (0.22, 0.52)
"""Shares between which shadows fade: sooner than the lines, so that no streak leaves the picture."""


@dataclass(frozen=True, eq=False)
class Backdrop:
    """The picture without its mechanism (rows, columns, 3); ``places`` (rows, columns, 2) on the ground, m.

    ``fade`` is how little the ground has faded there, ``dark`` a shadow on it.
    """

    colours: np.ndarray
    places: np.ndarray
    fade: np.ndarray
    dark: np.ndarray

    def shaded(self, shadow: Shadow, shade: float) -> Backdrop:
        """With a shadow on the ground."""
        dark, seen = np.zeros(self.fade.shape), self.fade > 0
        dark[seen] = shade * self.dark[seen] * shadow.at(self.places[seen])
        return replace(self, colours=self.colours * (1 - dark)[..., None])


def draw_backdrop(setting: Setting, camera: Camera, theme: Theme, middle: np.ndarray) -> Backdrop:
    """The sky and the ground of a setting; ``middle`` (3,) is that of what is seen, in the picture's axes."""
    columns, rows = camera.pixels
    above, below = map(rgb, theme.sky)
    high = (1 - (np.arange(rows) + 0.5) / rows)[:, None, None]
    sky = np.broadcast_to(high * above + (1 - high) * below, (rows, columns, 3))
    ground = ground_of(setting)
    # seen from below there is no ground
    if ground is None or camera.place[2] <= ground.height:
        return Backdrop(sky.copy(), np.zeros((rows, columns, 2)), *np.zeros((2, rows, columns)))
    depth, places = camera.ground(ground.height)
    far = np.linalg.norm(np.where(np.isfinite(depth)[..., None], places, np.inf) - middle[:2], axis=2)
    fade = np.where(np.isfinite(depth), 1 - _smooth(FADES, 1.0, far / ground.reach), 0.0)
    share = (fade * np.where(fade > 0, _grid(places, ground), 0.0))[..., None]
    dark = np.where(np.isfinite(depth), 1 - _smooth(*SHADES, far / ground.reach), 0.0)
    return Backdrop(share * rgb(theme.lines) + (1 - share) * sky, places, fade, dark)


def _grid(places: np.ndarray, ground: Ground) -> np.ndarray:
    """How much of each pixel (rows, columns) lines of the grid cover; each fifth is strong."""
    with np.errstate(invalid="ignore", over="ignore"):
        cells = places / ground.cell
        wide = np.abs(np.gradient(cells, axis=0)) + np.abs(np.gradient(cells, axis=1))
        found = np.maximum(THIN * _lines(cells, wide), _lines(cells / 5, wide / 5))
    return np.asarray(np.nan_to_num(found))


def _lines(cells: np.ndarray, wide: np.ndarray) -> np.ndarray:
    near = np.abs((cells - 0.5) % 1.0 - 0.5) / np.maximum(wide, 1e-9)
    return np.asarray(((1 - np.minimum(near, 1.0)) * (1 - _smooth(*MELTS, wide))).max(axis=-1))


def _smooth(low: float, high: float, value: np.ndarray) -> np.ndarray:
    """From 0 below ``low`` to 1 above ``high``, as GLSL's smoothstep."""
    share = np.clip((value - low) / (high - low), 0.0, 1.0)
    return np.asarray(share * share * (3 - 2 * share))
