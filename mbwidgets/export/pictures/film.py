"""A motion as pictures, drawn without a browser: the same bodies, joints, arrows and light as on the stage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np

from ...errors import ModelError, StateError
from ...model.model import Model
from ...numeric.base.rotations import quaternion_from_y, rotation_matrices
from ...numeric.motion.motion import Motion
from ...numeric.simulation.simulate import simulate
from ...scene.look.arrows import HEAD
from ...scene.look.joints import joint_parts
from ...scene.look.palette import BODIES, DARK, LIGHT
from ...scene.look.shapes import Part, body_parts, model_size
from ...scene.quantities.motion_quantities import arrows_of, find_quantity
from ...scene.stage.framing import frame_of
from ...scene.stage.picture import Picture
from ...scene.stage.stage import AXES, CORNER, GRAVITY, VIEWS
from .raster import FIELD, Camera, Canvas, rgb
from .triangles import Mesh, mesh_of

__all__ = ["Film"]

FINER: Final = 2
"""Times finer than the picture that is drawn, so that edges are smooth."""
THROUGH: Final = 0.35
"""How strongly an arrow is seen where a body hides it."""
LONGEST: Final = 0.42
"""Length of the longest arrow of a unit, as a share of the model's size."""


class Sign(NamedTuple):
    """What tells one arrow from another."""

    label: str
    colour: str
    double: bool = False


class Film:
    """The frames of a motion as pictures.

    Parameters
    ----------
    subject : a `Motion`, a view that has one, or a model, which is shown at its start
    vectors : keys of the quantities to draw; of a view, the arrows that it shows, unless told
    bodies : names of the bodies whose vectors are drawn; the view's selected one, or the last, unless told
    view : where the camera stands
    width, height : pixels
    theme : ``"light"`` or ``"dark"``
    """

    def __init__(
        self,
        subject: Any,
        vectors: Sequence[str] | None = None,
        bodies: Sequence[str] | None = None,
        view: str | None = None,
        width: int = 880,
        height: int = 620,
        theme: str = "light",
    ) -> None:
        self.motion = _motion(subject)
        self.model = self.motion.model
        look = view if view is not None else getattr(subject, "view", "iso")
        if look not in VIEWS:
            raise ModelError(f"no view {look!r}", remedy=f"use one of {tuple(VIEWS)}")
        self.vectors = [find_quantity(key) for key in vectors or ()]
        picture = getattr(subject, "picture", None)
        self._shown = picture if vectors is None and bodies is None and isinstance(picture, Picture) else None
        names = bodies if bodies is not None else [getattr(subject, "selected", "") or self.model.bodies[-1].name]
        self.owners = [self.model.index(name) for name in names]
        self.width, self.height = int(width), int(height)
        self.theme = DARK if theme == "dark" else LIGHT
        self.size = model_size(self.model)
        self._direction = VIEWS[look]

    def frame(self, time: float) -> Any:
        """The picture at a time, as a Pillow image."""
        from PIL import Image

        index = self._index(time)
        canvas = Canvas(self._backdrop.copy(), self._camera)
        positions, quaternions = (part[index] for part in self.motion.poses)
        turns = rotation_matrices(quaternions)
        for body, (own, joint) in enumerate(self._meshes):
            canvas.draw(own.moved(positions[body], turns[body]), rgb(BODIES[body % len(BODIES)]))
            parent = self.model.parents[body]
            where = (positions[parent], turns[parent]) if parent >= 0 else (np.zeros(3), np.eye(3))
            canvas.draw(joint.moved(*where), rgb(self.theme.joints))
        labels = list(self._draw_arrows(canvas, index))
        picture = Image.fromarray((255 * canvas.colours).clip(0, 255).astype(np.uint8))
        _write(picture, labels, FINER * 15)
        return picture.resize((self.width, self.height), Image.Resampling.LANCZOS)

    def frames(self, rate: float, speed: float = 1.0) -> Iterator[Any]:
        """Pictures so many times a second, of the motion at a multiple of its speed."""
        for number in range(self.count(rate, speed)):
            yield self.frame(float(self.motion.t[0]) + number * speed / rate)

    def count(self, rate: float, speed: float = 1.0) -> int:
        """How many pictures `frames` gives."""
        if not (rate > 0 and speed > 0):
            raise ModelError(f"rate {rate}, speed {speed}", where="film", remedy="both must be positive")
        return int(np.floor(float(self.motion.t[-1] - self.motion.t[0]) * rate / speed + 1e-9)) + 1

    def _index(self, time: float) -> int:
        if not np.isfinite(time):
            raise StateError(f"the time {time} is not a number", where="picture")
        return int(np.argmin(np.abs(self.motion.t - time)))

    @cached_property
    def _meshes(self) -> list[tuple[Mesh, Mesh]]:
        """Of every body, in its axes, and of the joint that carries it, in the parent's."""
        return [
            (mesh_of(body_parts(self.model, k, self.size)), mesh_of(joint_parts(self.model, k, self.size)))
            for k in range(len(self.model.bodies))
        ]

    @cached_property
    def _bounds(self) -> tuple[np.ndarray, float, float]:
        """Middle and radius of what the stage would show, the height of the floor."""
        if not np.isfinite(self.motion.poses[0]).all(axis=(1, 2)).any():
            raise StateError("no frame of the motion is finite", where="picture", remedy="look at motion.outcome")
        frame = frame_of(self.motion)
        return frame.middle, frame.radius, frame.floor

    @cached_property
    def _camera(self) -> Camera:
        middle, radius, _ = self._bounds
        distance = radius / np.tan(FIELD / 2)
        return Camera(middle, self._direction, distance, FINER * self.width, FINER * self.height)

    @cached_property
    def _backdrop(self) -> np.ndarray:
        """The background with the grid of the ground."""
        from PIL import Image, ImageDraw

        picture = Image.new("RGB", (FINER * self.width, FINER * self.height), self.theme.background)
        pen = ImageDraw.Draw(picture)
        decade = 10 ** np.floor(np.log10(self.size))
        cell = float(decade * (0.5 if self.size / decade >= 2.5 else 0.2))
        half, floor = 8 * cell, self._bounds[2]
        for k in np.arange(-8, 9) * cell:
            for ends in (((k, -half), (k, half)), ((-half, k), (half, k))):
                line = self._line(np.array([[*end, floor] for end in ends]))
                pen.line([tuple(point) for point in line], fill=self.theme.lines, width=FINER)
        return np.asarray(picture, dtype=float) / 255

    def _line(self, ends: np.ndarray) -> np.ndarray:
        """A straight line in space as pixels, cut off before it comes behind the camera."""
        camera = self._camera
        along = -((ends - camera.place) @ camera.axes[2])
        low = camera.near
        if along.max() <= low:
            return np.zeros((2, 2))
        a, b = ends if along[0] >= along[1] else ends[::-1]
        if along.min() < low:
            b = a + (b - a) * (along.max() - low) / (along.max() - along.min())
        return np.asarray(camera.project(np.array([a, b]))[:, :2])

    @cached_property
    def _arrows(self) -> list[tuple[Any, np.ndarray, np.ndarray]]:
        """Label, colour and heads, beginnings and vectors on the stage, m, of each arrow."""
        if self._shown is not None:
            shown = self._shown.on_stage()
            return [(item, item.begin, item.vector) for item in shown if len(item.begin) == len(self.motion)]
        found = [
            (item, one) for item in self.vectors for owner in self.owners for one in arrows_of(item, self.motion, owner)
        ]
        longest: dict[str, float] = {}  # by unit: what is of one unit can be compared
        for item, one in found:
            lengths = np.linalg.norm(one.value, axis=1)
            most = float(lengths[np.isfinite(lengths)].max(initial=0.0))
            longest[item.unit] = max(most, longest.get(item.unit, 0.0))
        return [
            (
                Sign(one.label, item.colour, item.double),
                one.begin,
                LONGEST * self.size / (longest[item.unit] or np.inf) * one.value,
            )
            for item, one in found
        ]

    def _draw_arrows(self, canvas: Canvas, index: int) -> Iterator[tuple[np.ndarray, str, str]]:
        """Draw axes, gravity and arrows, which shine through the bodies; gives each label's pixel, text and colour."""
        head = HEAD[1] * self.size
        still = [(item, start, value, thick * head) for item, start, value, thick in self._still]
        moving = [(item, starts[index], values[index], head) for item, starts, values in self._arrows]
        for item, start, value, own in [*still, *moving]:
            length = float(np.linalg.norm(value))
            if not np.isfinite(length) or length < 1e-3 * head:
                continue
            parts = _arrow(start, value, length, own, item.double)
            canvas.draw(mesh_of(parts), rgb(item.colour), through=THROUGH, glow=0.12)
            tip = self._camera.project((start + value * (1 + 0.8 * head / length))[None])[0]
            yield tip[:2], item.label, item.colour

    @cached_property
    def _still(self) -> list[tuple[Any, np.ndarray, np.ndarray, float]]:
        """The world's axes and gravity, sized by the model: label and colour, beginning and vector, m, thickness."""
        axes = [(Sign(name, colour), np.zeros(3), 0.26 * self.size * np.array(way), 0.75) for name, way, colour in AXES]
        g = np.array([self.model.number(item) for item in self.model.gravity])
        middle, radius, _ = self._bounds
        fall = 0.2 * self.size * g / max(9.81, float(np.linalg.norm(g)) / 2)
        return [*axes, (Sign("g", GRAVITY), middle + radius * CORNER, fall, 0.9)]


def _arrow(start: np.ndarray, value: np.ndarray, length: float, head: float, double: bool) -> list[Part]:
    """Shaft and heads, the proportions of the stage's."""
    way = value / length
    turn = quaternion_from_y(way)
    tip = min(head, length / (1.7 if double else 1.0))
    body = max(length - tip, 1e-6 * head)
    middles = [body / 2, *(length - tip / 2 - 0.7 * k * tip for k in range(1 + double))]
    shaft, *heads = [start + way * along for along in middles]
    return [
        Part("cylinder", _triple(shaft), turn, (0.13 * head, body, 0.13 * head)),
        *(Part("cone", _triple(place), turn, (0.34 * tip, tip, 0.34 * tip)) for place in heads),
    ]


def _triple(value: np.ndarray) -> tuple[float, float, float]:
    return (float(value[0]), float(value[1]), float(value[2]))


def _write(picture: Any, labels: list[tuple[np.ndarray, str, str]], height: int) -> None:
    """Put the arrows' symbols next to their tips; what follows ``_`` is a subscript."""
    if not labels:
        return
    from matplotlib import font_manager
    from PIL import ImageDraw, ImageFont

    # both come with matplotlib; only the second has 𝔍
    plain, letters, small = (
        ImageFont.truetype(font_manager.findfont(name), round(share * height))
        for name, share in (("DejaVu Sans", 1.0), ("STIXGeneral", 1.25), ("DejaVu Sans", 0.68))
    )
    pen = ImageDraw.Draw(picture)
    for (x, y), text, colour in labels:
        symbol, _, index = text.partition("_")
        font = letters if any(ord(letter) > 0xFFFF for letter in symbol) else plain
        left = float(x) - (font.getlength(symbol) + small.getlength(index)) / 2
        pen.text((left, float(y)), symbol, fill=colour, font=font, anchor="lm")
        pen.text((left + font.getlength(symbol), y + 0.34 * height), index, fill=colour, font=small, anchor="lm")


def _motion(subject: Any) -> Motion:
    if isinstance(subject, Motion):
        return subject
    if isinstance(subject, Model):
        return simulate(subject, duration=0.1, rate=10)
    motion = getattr(subject, "motion", None)
    if isinstance(motion, Motion):
        return motion
    raise ModelError(
        f"{type(subject).__name__} has no motion", where="picture", remedy="give a motion, a view or a model"
    )
