"""The geometry of a mechanism as a drawing: its joints, links and mass centres, each coordinate with its name.

>>> figure = mb.figures.geometry(mb.library.pendulum(2))
>>> [text.get_text() for text in figure.axes[0].texts][:2]
['$q_{1}$', '$q_{2}$']
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..errors import ModelError
from ..model.arguments import as_model
from ..model.model import Model
from ..numeric.base.rotations import unit_vector
from ..numeric.motion.motion import Motion
from ..numeric.simulation.simulate import simulate
from ..scene.look.palette import BLUE, GREY, body_colour
from ..scene.quantities.reading import kinematics_of
from ..scene.stage.composition import compose
from ..scene.stage.setting import AXES
from ..scene.stage.viewpoint import VIEWS, direction_of, view_axes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["geometry"]

INK: Final = "#23272E"
STEEL: Final = "#7E8A98"
ARC: Final = 0.16
"""Radius of the arc of an angle, in sizes of the drawing; of angles at one point each is larger than the one before."""
STEP: Final = 0.05
SENSE: Final = np.radians(50.0)
"""How far an arc goes that only shows which way an angle is counted."""
SEEN: Final = np.radians(8.0)
"""An angle below which its arc could not be seen: the arrow that shows its sense stands instead."""
FLAT: Final = 0.5
"""Cosine of the angle between an axis and the line of sight, below which an arc about it is seen as all but a line."""
END_ON: Final = 0.25
"""Part of its length that is left to be seen of a line, below which it points at the eye."""
PIECES: Final = 40


def geometry(model: Model, q: Any = None, view: str | None = None, width: float = 6.0, height: float = 3.6) -> Figure:
    """A drawing of a model: links, joints with their coordinates q, mass centres C, which way gravity points.

    Parameters
    ----------
    model : what to draw
    q : the pose, as `simulate` takes it, rad and m; that of the model's start unless given
    view : where one looks from, as in the Explorer; by default across the plane of a plane mechanism, else ``"iso"``
    width, height : of the figure, inches

    An arc begins where its angle is zero; where the angle itself is nearly so it shows which way it is counted.
    """
    model = as_model(model)
    motion = simulate(model, q=q, duration=1e-3, rate=1000.0)
    setting = compose(motion).setting
    look = view or ("front" if _is_plane(motion, setting.upright[1]) else "iso")
    if look not in VIEWS:
        raise ModelError(f"no view {look!r}", remedy=f"use one of {tuple(VIEWS)}")
    axes = view_axes(direction_of(setting, look)) @ setting.upright
    from .drawing import Drawing

    figure = Drawing(figsize=(width, height), layout="constrained")
    sheet: Any = figure.add_subplot()
    drawing = _Drawing(sheet, motion, axes[:2])
    drawing.draw()
    sheet.set_aspect("equal")
    sheet.axis("off")
    sheet.margins(0.12)
    return figure


def _is_plane(motion: Motion, away: np.ndarray) -> bool:
    """Whether all joints turn about one direction, which points away from who looks at the front."""
    found = [
        (kind, axis[0])
        for k in range(len(motion.model.bodies))
        for kind, axis in kinematics_of(motion).free_directions(k)
    ]
    turns = [axis for kind, axis in found if kind == "rotation"]
    slides = [axis for kind, axis in found if kind == "translation"]
    across = all(abs(axis @ away) > 1 - 1e-9 for axis in turns) and all(abs(axis @ away) < 1e-9 for axis in slides)
    return across and bool(turns) and all(kind != "ball" for kind, _ in found)


def _turned(vector: np.ndarray, axis: np.ndarray, angle: float) -> np.ndarray:
    """A vector turned about an axis of length 1, rad."""
    along = (axis @ vector) * axis
    return np.asarray(along + np.cos(angle) * (vector - along) + np.sin(angle) * np.cross(axis, vector))


class _Drawing:
    """Lines and letters of a motion's first frame, as seen along a direction: `right`, `up` are rows (2, 3)."""

    def __init__(self, sheet: Any, motion: Motion, rows: np.ndarray) -> None:
        self.sheet, self.motion, self.model, self.rows = sheet, motion, motion.model, rows
        self.look = kinematics_of(motion)
        count = range(len(self.model.bodies))
        self.joints = [self.look.joint_point(k)[0] for k in count]
        self.places = [self.look.positions[0, k] for k in count]
        self.centres = [self.look.mass_centre(k)[0] for k in count]
        corners = np.array([*self.joints, *self.places, *self.centres]) @ rows.T
        self.size = float(max(np.ptp(corners, axis=0).max(), 1e-9))
        self.arcs: list[np.ndarray] = []

    def seen(self, points: Any) -> np.ndarray:
        """Points (…, 3) of the world in the drawing (…, 2)."""
        return np.asarray(np.asarray(points) @ self.rows.T)

    def draw(self) -> None:
        """Everything, what lies behind first."""
        for k in range(len(self.model.bodies)):
            self._link(k)
        for k in range(len(self.model.bodies)):
            self._joint(k)
            self._coordinates(k)
            self._centre(k)
        self._corner()

    def _line(self, points: Any, **options: Any) -> None:
        x, y = self.seen(points).T
        self.sheet.plot(x, y, solid_capstyle="round", **{"color": INK, "linewidth": 1.0, **options})

    def _word(self, at: Any, text: str, colour: str = INK, size: float = 13.0, shift: Any = (0.0, 0.0)) -> None:
        place = {"ha": "center", "va": "center", "fontsize": size, "color": colour, "zorder": 6}
        white = {"boxstyle": "round,pad=0.08", "facecolor": "white", "edgecolor": "none", "alpha": 0.75}
        self.sheet.text(*(self.seen(at) + np.asarray(shift)), text, bbox=white, **place)

    def _ends(self, k: int) -> Iterator[np.ndarray]:
        """Where a link goes from its own joint: to the joints that it carries, else to its mass centre."""
        carried = [child for child, parent in enumerate(self.model.parents) if parent == k]
        yield from (self.joints[child] for child in carried)
        yield from self._loops(k)
        if not carried or self.model.number(self.model.bodies[k].mass):
            yield self.centres[k]

    def _loops(self, k: int) -> Iterator[np.ndarray]:
        """Points of a body that a constraint holds."""
        name = self.model.bodies[k].name
        for item in self.model.constraints:
            for end in (getattr(item, "a", None), getattr(item, "b", None)):
                if end is not None and getattr(end, "body", None) == name:
                    yield self.places[k] + self.look.rotations[0, k] @ np.array(self.look.vector(end.at))

    def _link(self, k: int) -> None:
        for end in self._ends(k):
            if np.linalg.norm(self.seen(end - self.places[k])) > 1e-9 * self.size:
                self._line([self.places[k], end], color=body_colour(k), linewidth=9.0, zorder=1)
                self._line([self.places[k], end], color=INK, linewidth=0.8, zorder=2)

    def _joint(self, k: int) -> None:
        x, y = self.seen(self.joints[k])
        if self.model.parents[k] < 0:
            self._ground(x, y)
        if any(kind != "translation" for kind, _ in self.look.free_directions(k)):
            self.sheet.plot([x], [y], "o", markersize=7, color="white", markeredgecolor=INK, zorder=5)
        for end in self._loops(k):
            self.sheet.plot(*self.seen(end), "o", markersize=7, color="white", markeredgecolor=INK, zorder=5)

    def _ground(self, x: float, y: float) -> None:
        """A hatched foot beneath a joint of the ground."""
        wide, high = 0.05 * self.size, 0.05 * self.size
        self.sheet.fill([x - wide, x, x + wide], [y - high, y, y - high], color="#DDE2E8", zorder=0)
        self.sheet.plot([x - 1.4 * wide, x + 1.4 * wide], [y - high] * 2, color=STEEL, linewidth=1.4, zorder=0)
        for part in np.linspace(-1.2, 1.0, 5):
            left, low = x + part * wide, y - 1.35 * high
            self.sheet.plot([left, left + 0.35 * high], [low, y - high], color=STEEL, linewidth=0.8, zorder=0)

    def _centre(self, k: int) -> None:
        if not self.model.number(self.model.bodies[k].mass):
            return
        x, y = self.seen(self.centres[k])
        self.sheet.plot([x], [y], "o", markersize=7, color="white", markeredgecolor=INK, fillstyle="full", zorder=5)
        self.sheet.plot([x], [y], "P", markersize=4, color=INK, zorder=6)
        self._word(self.centres[k], f"$C_{{{k + 1}}}$", size=11.0, shift=(0.045 * self.size, 0.05 * self.size))

    def _coordinates(self, k: int) -> None:
        first = self.model.u_offsets[k]
        for number, (kind, axis) in enumerate(self.look.free_directions(k)):
            name = f"$q_{{{first + number + 1}}}$"
            if kind == "rotation":
                self._angle(k, first + number, axis[0], name)
            elif kind == "translation":
                self._slide(k, axis[0], name)
            elif number == 0 or self.look.free_directions(k)[number - 1][0] != "ball":
                self._word(self.joints[k], "ball", GREY, 10.0, (0.0, 0.09 * self.size))

    def _slide(self, k: int, axis: np.ndarray, name: str) -> None:
        begin = self.joints[k]
        end = begin + axis * (axis @ (self.places[k] - begin))
        way = axis * 0.28 * self.size
        beside = 0.09 * self.size * self._across(axis)
        if np.linalg.norm(end - begin) < 0.1 * self.size:
            begin, end = end - way / 2, end + way / 2
        self._plain_arrow(self.seen(begin) + beside, self.seen(end) + beside, BLUE)
        self._word((begin + end) / 2, name, BLUE, shift=1.7 * beside)

    def _across(self, axis: np.ndarray) -> np.ndarray:
        """The direction beside a line, in the drawing."""
        x, y = self.seen(axis)
        length = float(np.hypot(x, y)) or 1.0
        return np.array([y, -x]) / length

    def _angle(self, k: int, coordinate: int, axis: np.ndarray, name: str) -> None:
        """An arc from where the angle is zero; about an axis that lies across the view an arrow round it."""
        centre, turn = self.joints[k], float(self.motion.q[0, self._place(coordinate)])
        flat = abs(axis @ np.cross(*self.rows)) < FLAT
        reach = self._reach(k, axis)
        if flat:
            self._line([centre - 0.22 * self.size * axis, centre + 0.32 * self.size * axis], color=GREY, linestyle="-.")
            centre = centre + 0.24 * self.size * axis
            reach = unit_vector(np.cross(axis, np.cross(*self.rows)))
        radius = self._radius(centre, 0.1 if flat else ARC)
        start = _turned(reach, axis, -turn)
        shown = float(np.clip(turn, -2 * np.pi + 0.2, 2 * np.pi - 0.2)) if abs(turn) > SEEN and not flat else SENSE
        if flat:
            start, shown = reach, 1.5 * np.pi
        elif abs(turn) > SEEN:
            self._line([centre, centre + 1.35 * radius * start], color=GREY, linewidth=0.9, linestyle="--", zorder=3)
        angles = np.linspace(0, shown, PIECES)
        points = np.array([centre + radius * _turned(start, axis, angle) for angle in angles])
        self._line(points[:-1], color=BLUE, linewidth=1.3, zorder=4)
        self._plain_arrow(self.seen(points[-3]), self.seen(points[-1]), BLUE)
        middle = points[PIECES // 2] - centre
        self._word(centre + middle * (1 + 0.05 * self.size / radius), name, BLUE)

    def _radius(self, centre: np.ndarray, part: float) -> float:
        """The radius of the next arc about a point."""
        near = sum(float(np.linalg.norm(self.seen(other - centre))) < 0.05 * self.size for other in self.arcs)
        self.arcs.append(centre)
        return (part + STEP * near) * self.size

    def _place(self, coordinate: int) -> int:
        """Where the coordinate of a velocity stands in q."""
        for k, body in enumerate(self.model.bodies):
            first, last = self.model.u_offsets[k], self.model.u_offsets[k + 1]
            if first <= coordinate < last:
                balls = any(column.kind == "ball" for column in body.joint.columns())
                return int(self.model.q_offsets[k] + (0 if balls else coordinate - first))
        return coordinate

    def _reach(self, k: int, axis: np.ndarray) -> np.ndarray:
        """Where a body points from its joint, across the axis: the farthest of its ends, as seen."""
        arms = [end - self.places[k] for end in self._ends(k)]
        across = [arm - (arm @ axis) * axis for arm in arms]
        longest = max(across, key=lambda arm: float(np.linalg.norm(arm)), default=np.zeros(3))
        if np.linalg.norm(longest) < 1e-9 * self.size:
            longest = np.cross(axis, self.rows[0]) if abs(axis @ self.rows[0]) < 0.9 else np.cross(axis, self.rows[1])
        return unit_vector(longest)

    def _corner(self) -> None:
        """The world's axes, and which way gravity points."""
        corners = np.array([*self.joints, *self.places, *self.centres]) @ self.rows.T
        origin = corners.min(axis=0) - np.array([0.34, 0.02]) * self.size
        for (letter, colour), way in zip(AXES, self.rows.T, strict=True):
            if np.linalg.norm(way) < END_ON:
                continue
            self._plain_arrow(origin, origin + 0.2 * self.size * way, colour)
            self.sheet.text(*(origin + 0.25 * self.size * way), f"${letter}$", color=colour, ha="center", va="center")
        gravity = np.array(self.look.vector(self.model.gravity))
        strength = float(np.linalg.norm(gravity))
        if strength:
            begin = np.array([origin[0], origin[1] + max(0.75 * self.size, np.ptp(corners[:, 1]))])
            tip = begin + 0.22 * self.size * self.seen(gravity / strength)
            self._plain_arrow(begin, tip, STEEL)
            self.sheet.text(tip[0] + 0.06 * self.size, tip[1], "$g$", color=STEEL, ha="center", va="center")

    def _plain_arrow(self, begin: np.ndarray, tip: np.ndarray, colour: str) -> None:
        shape = {"arrowstyle": "-|>", "color": colour, "shrinkA": 0, "shrinkB": 0, "linewidth": 1.3}
        self.sheet.annotate("", tip, begin, arrowprops=shape, annotation_clip=False)
        self.sheet.update_datalim([begin, tip])
        self.sheet.autoscale_view()
