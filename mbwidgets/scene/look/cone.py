"""The Staude cone on the stage: a fan of axes fixed in a body, coloured by speed, and the vertical beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pythreejs as three

from ...numeric.base.rotations import quaternion_from_y
from ...numeric.permanent.cone_curves import ConeCurve
from .labels import Label
from .meshes import Geometries
from .palette import GREY, QUANTITY

__all__ = ["Barycentres", "Cone", "SpeedScale"]

ROOM: Final = 1200
"""Triangles that the buffers have room for: they never change their size."""
MANY: Final = 10
# Viridis without its darkest and palest ends: even in lightness, and told apart by colour-blind readers.
RAMP: Final = ((72, 45, 123), (62, 76, 138), (42, 120, 142), (34, 168, 132), (122, 209, 81), (210, 226, 27))
ANY: Final = "#9AA1AA"
"""Colour of an axis at which any speed will do."""


@dataclass(frozen=True)
class SpeedScale:
    """Colours for speeds from ``low`` to ``high``, rad/s, by their logarithm; what lies beyond has the end's colour."""

    low: float
    high: float

    @classmethod
    def of(cls, natural: float) -> SpeedScale:
        """About a natural speed √(g|a|/A): a third of it to five times it."""
        return cls(natural / 3.0, natural * 5.0) if natural > 0.0 else cls(1.0, 10.0)

    def share(self, speeds: Any) -> np.ndarray:
        """0 at ``low``, 1 at ``high``."""
        with np.errstate(divide="ignore"):
            part = np.log(np.asarray(speeds, dtype=float) / self.low) / np.log(self.high / self.low)
        return np.asarray(np.clip(part, 0.0, 1.0))

    def rgb(self, speeds: Any) -> np.ndarray:
        """Colours (…, 3) in 0 … 1; grey for nan."""
        share = self.share(speeds)
        known = np.nan_to_num(share) * (len(RAMP) - 1)
        ramp = np.array(RAMP) / 255.0
        colour = np.stack([np.interp(known, np.arange(len(RAMP)), ramp[:, k]) for k in range(3)], axis=-1)
        grey = np.array([int(ANY[k : k + 2], 16) for k in (1, 3, 5)]) / 255.0
        return np.where(np.isnan(share)[..., None], grey, colour)

    def hexes(self, speeds: Any) -> list[str]:
        """Colours as text."""
        return ["#" + "".join(f"{round(255 * part):02X}" for part in colour) for colour in self.rgb(np.ravel(speeds))]

    @property
    def ticks(self) -> list[float]:
        """1, 2 and 5 of every decade between the ends."""
        decades = range(int(np.floor(np.log10(self.low))), int(np.ceil(np.log10(self.high))) + 1)
        values = [lead * 10.0**decade for decade in decades for lead in (1, 2, 5)]
        return [float(value) for value in values if self.low <= value <= self.high]


class Cone:
    """A fan of triangles from the joint along the axes; ``group`` goes into the group of the body."""

    def __init__(self, geometries: Geometries) -> None:
        self._points = three.BufferAttribute(np.zeros((3 * ROOM, 3), dtype=np.float32), normalized=False, dynamic=True)
        self._tints = three.BufferAttribute(np.ones((3 * ROOM, 3), dtype=np.float32), normalized=False, dynamic=True)
        self._fan = three.BufferGeometry(attributes={"position": self._points, "color": self._tints})
        self._surface = three.MeshBasicMaterial(
            vertexColors="VertexColors", side="DoubleSide", transparent=True, opacity=0.62, depthWrite=False
        )
        self._mesh = three.Mesh(self._fan, self._surface, renderOrder=2)
        self.group: Any = three.Group(children=[self._mesh])
        self._dark = three.MeshBasicMaterial(color=GREY)
        self._line = three.Mesh(geometries["cylinder"], self._dark)
        self._tip = three.Mesh(geometries["cone"], self._dark, quaternion=(1, 0, 0, 0))
        self._label = Label("ν", GREY)
        self.vertical: Any = three.Group(children=[self._line, self._tip])
        self._shown: Any = None

    @property
    def objects(self) -> list[Any]:
        """What stands on the stage: the vertical and its name."""
        return [self.vertical, self._label.sprite]

    def show(self, curves: Sequence[ConeCurve], scale: SpeedScale, length: float) -> None:
        """Show these curves as a fan of this length, m."""
        wanted = (tuple(curve.axes.tobytes() for curve in curves), scale, length)
        if wanted == self._shown:
            return
        self._shown = wanted
        points, tints = [], []
        # of many rings some are enough: one cone inside the other hides what is between
        for curve in curves if len(curves) <= MANY else curves[MANY // 2 :: MANY // 2]:
            colours = scale.rgb(curve.speeds)
            ends = length * curve.axes
            for k in range(len(ends) - 1):
                points += [np.zeros(3), ends[k], ends[k + 1]]
                tints += [(colours[k] + colours[k + 1]) / 2, colours[k], colours[k + 1]]
        self._points.array, self._tints.array = _padded(points), _padded(tints)

    def blank(self, why: str) -> None:
        """No fan; it has no words."""
        self.show([], SpeedScale(1.0, 10.0), 0.0)

    def stand(self, at: Any, down: Any, length: float) -> None:
        """Draw the vertical through a point, ``down`` a unit vector, with ν at its lower end."""
        size = 0.011 * length
        turn = quaternion_from_y(-np.asarray(down, dtype=float))
        self.vertical.position = tuple(map(float, at))
        self.vertical.quaternion = turn
        self._line.scale = (0.35 * size, 1.9 * length, 0.35 * size)
        self._line.position = (0.0, -0.25 * length, 0.0)
        self._tip.scale = (1.6 * size, 5 * size, 1.6 * size)
        self._tip.position = (0.0, -1.2 * length, 0.0)
        place = np.asarray(at, dtype=float) + 1.32 * length * np.asarray(down, dtype=float)
        self._label.sprite.position = tuple(map(float, place))

    def close(self) -> None:
        """Free all that was made here."""
        self._label.close()
        own = (self._mesh, self._fan, self._points, self._tints, self._surface, self._line, self._tip, self._dark)
        for item in (*own, self.group, self.vertical):
            item.close()


class Barycentres:
    """Balls at the barycentres of the augmented bodies, larger where more mass is counted, fixed in their bodies."""

    def __init__(self, geometries: Geometries) -> None:
        self._geometries = geometries
        # seen through the bodies that they are in
        self._surface = three.MeshPhongMaterial(color=QUANTITY["static"], transparent=True, depthTest=False)
        self.balls: list[Any] = []

    def show(self, groups: Sequence[Any], places: np.ndarray, masses: np.ndarray, size: float) -> None:
        """Put one into each body's group: ``places`` (n, 3) in body axes, ``masses`` (n,) m_i + m_i*."""
        while len(self.balls) < len(groups):
            self.balls.append(three.Mesh(self._geometries["ball"], self._surface, renderOrder=4))
        for ball, group, place, mass in zip(self.balls, groups, places, masses / masses.max(), strict=False):
            radius = 0.032 * size * float(np.cbrt(mass))
            with ball.hold_sync():
                ball.position, ball.scale = tuple(map(float, place)), (radius, radius, radius)
            if ball not in group.children:
                group.add(ball)
            ball.visible = True

    def blank(self, why: str) -> None:
        """No balls; they have no words."""
        for ball in self.balls:
            ball.visible = False

    def close(self) -> None:
        """Free them in the page."""
        for item in (*self.balls, self._surface):
            item.close()


def _padded(rows: list[Any]) -> np.ndarray:
    out = np.zeros((3 * ROOM, 3), dtype=np.float32)
    given = np.array(rows[: 3 * ROOM], dtype=np.float32).reshape(-1, 3)
    out[: len(given)] = given
    return out
