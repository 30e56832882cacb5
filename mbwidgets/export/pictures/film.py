"""A motion as pictures, drawn without a browser: what `scene.stage.composition` composes, in triangles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Final

import numpy as np

from ...errors import ModelError, StateError
from ...numeric.base.rotations import rotation_matrices, unit_vector
from ...scene.look.arrow_bands import STRIPES, band_parts, headed
from ...scene.look.arrow_shape import FOOT, HEAD_PIXELS, ONE_POINT, RIM, SEAT, arrow_foot, arrow_parts
from ...scene.look.ellipse import ellipse_lines
from ...scene.look.extras import WORLD, Extra
from ...scene.look.paint import shell_tints
from ...scene.look.palette import MUTED, THEMES, body_colour
from ...scene.look.shell import Shell, join_shells
from ...scene.look.surfaces import (
    ARROW_GLOW,
    ARROW_HIDDEN,
    ARROW_LIT,
    BREATH,
    BURIED,
    GHOST,
    GLASS,
    OUTLINE,
    TRAIL,
    paled,
    selection_glow,
    through_both_faces,
)
from ...scene.look.tails import (
    COMET_STRENGTH,
    COMET_WIDTHS,
    TAIL,
    TRACE_STRENGTH,
    TRACE_WIDTHS,
    comet_tail,
    path_velocities,
    smooth_tail,
)
from ...scene.stage.label_places import MARK_BOX, Box, how_seen
from ...scene.stage.scale_bars import Owners, ScaleBar, acts_on, arrow_owners, force_sum, forces_on, scale_bars
from ...scene.stage.setting import AXES, ground_of
from ...scene.stage.spans import laid_shell
from ...scene.stage.viewpoint import FIELD, VIEWS, sun_of
from .backdrop import Backdrop, draw_backdrop
from .bars import CORNERS, WHY_UNSEEN, Tail, Told, Unseen, amount, bars_box, draw_bars
from .gravity import WIDE, draw_gravity
from .lettering import Lettering, Surroundings, write_labels
from .raster import Camera, Canvas, rgb
from .shadow import cast_shadow
from .subject import composed
from .triad import draw_triad
from .triangles import Mesh, mesh_of

__all__ = ["Film"]

FINER: Final = 2
"""Times finer than the picture that is drawn, so that edges are smooth."""
LETTER: Final = 17.0
"""Height of the letters of a symbol, pixels; ``LEAST`` in a small picture."""
LEAST: Final = 11.0
SMALL: Final = 240
"""Width of a picture, pixels, below which scale bars would hide what they measure."""
WHOLE: Final = 400
"""Height of a picture, pixels, in which arrows are as thick as on the stage."""
PATH: Final = "path of the mass centre"
SHORTEST_PATH: Final = 0.02
"""Of the radius of what is seen: what goes no farther has no path."""
HIDDEN: Final = 0.3
"""How strongly a tail is seen through a body."""
PIECES, FADES = 24, 1.5
"""Pieces of a tail that are as strong each, and by which power of the share they fade."""
Pose = tuple[np.ndarray, np.ndarray]
WAS: Final = "#5a7fa8"
"""Colour of where bodies were that a view has moved aside, as in ``page/ghost.js``, and how strongly it is seen."""
WAS_SHARE: Final = 0.16


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
        look = view if view is not None else getattr(subject, "view", "iso")
        if look not in VIEWS:
            raise ModelError(f"no view {look!r}", remedy=f"use one of {tuple(VIEWS)}")
        if theme not in THEMES:
            raise ModelError(f"no theme {theme!r}", remedy=f"use one of {tuple(THEMES)}")
        self.composition = composed(subject, vectors, bodies)
        self.motion = self.composition.motion
        self.width, self.height = int(width), int(height)
        self.theme = THEMES[theme]
        self._view = look

    def frame(self, time: float) -> Any:
        """The picture at a time, as a Pillow image."""
        from PIL import Image

        if not np.isfinite(self.motion.poses[0]).all(axis=(1, 2)).any():
            raise StateError("no frame of the motion is finite", where="picture", remedy="look at motion.outcome")
        index = self._index(time)
        camera = self.camera(index)
        poses = self._poses(index)
        backdrop = self._shaded(self._backdrop(index), poses, index)
        canvas = Canvas(backdrop.colours, camera, sun_of(self.composition.setting))
        self._draw_bodies(canvas, poses)
        self._draw_spans(canvas, index)
        self._draw_buried(canvas, poses)
        self._draw_seen_through(canvas, poses, index)
        self._draw_tails(canvas, index)
        covered = np.isfinite(canvas.depth[::FINER, ::FINER])
        words, (labels, unseen) = [*self._draw_extras(canvas, poses)], self._draw_arrows(canvas, index)
        words += self._letters(canvas, poses)
        self._draw_feet(canvas, index)
        self._draw_centres(canvas, poses)
        fine = Image.fromarray((255 * canvas.colours).clip(0, 255).astype(np.uint8))
        # the mean of its pixels rings at no edge, and letters are written last: they are as sharp as the picture
        picture = fine.resize((self.width, self.height), Image.Resampling.BOX)
        self._write(picture, [*labels, *words], unseen, Surroundings(self._marks(canvas, poses), covered))
        return picture

    def _write(self, picture: Any, labels: Sequence[Lettering], unseen: Unseen, about: Surroundings) -> None:
        """Write scale bars and labels into a picture."""
        paper, corner = self.theme.background, self._corner
        if self.width >= SMALL:
            about = replace(about, spots=[*about.spots, *self._point_down(picture)])
            told = Told(self.bars, self.owners, self.past, unseen, self.total)
            draw_bars(picture, told, paper, corner)
            box = bars_box(told, picture.size, corner)
            about = about if box is None else replace(about, spots=[*about.spots, box])
        write_labels(picture, labels, about, max(LEAST, LETTER * min(1.0, self.height / WHOLE)), paper)

    def _point_down(self, picture: Any) -> list[Box]:
        """Draw the directions of gravity and of the world's axes into a corner; returns what they cover."""
        seen, turn, paper = self.composition, self.camera(0).axes, self.theme.background
        down = [] if seen.gravity is None else draw_gravity(picture, turn @ np.array(seen.gravity), paper)
        return [*down, *draw_triad(picture, np.array(seen.axes) @ turn.T, AXES, WIDE, paper)]

    @property
    def bars(self) -> list[ScaleBar]:
        """The scales of the arrows, at the depth of what the camera looks at."""
        seen = self.composition.viewpoint(self._view, self.width / self.height)
        half = float(np.linalg.norm(seen.place - seen.target)) * np.tan(np.radians(FIELD / 2))
        return scale_bars(self.composition.arrows, self.height / 2 / half)

    @property
    def owners(self) -> Owners | None:
        """The bodies that the arrows act on."""
        return arrow_owners(self.composition.arrows, self.composition.model)

    @cached_property
    def total(self) -> list[tuple[str, str]]:
        """The sum of all forces on the body whose arrows are drawn, if they are all."""
        arrows = self.composition.arrows
        return force_sum(arrows, forces_on(self.motion, arrows))

    @property
    def past(self) -> list[Tail]:
        """What tails are drawn: those of mass centres, and traces of forces."""
        seen = self.composition
        least = SHORTEST_PATH * seen.setting.radius
        paths = [Tail(PATH, "", colour) for path, colour in seen.comets if np.ptp(path, axis=0).max() > least][:1]
        return paths + [Tail("trace of", seen.arrows[k].label, seen.arrows[k].colour) for k in seen.traced]

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

    def camera(self, index: int) -> Camera:
        """Of a frame, in pixels of the fine picture; it goes along with a mechanism that runs away."""
        seen = self.composition.viewpoint(self._view, self.width / self.height)
        target = seen.target + self._away(index)
        distance = float(np.linalg.norm(seen.place - seen.target))
        return Camera(target, seen.axes[2], distance, FINER * self.width, FINER * self.height, seen.near)

    def _away(self, index: int) -> np.ndarray:
        """How far the mechanism has gone in a frame, (3,) in the picture's axes."""
        drift = self.composition.drift
        return np.zeros(3) if drift is None else self._upright @ np.nan_to_num(drift[index])

    def _middle(self, index: int) -> np.ndarray:
        """Of what is seen in a frame, (3,) in the picture's axes."""
        return np.asarray(self._upright @ self.composition.setting.target + self._away(index))

    def _backdrop(self, index: int) -> Backdrop:
        """The background with the ground; where the camera stays it is drawn once."""
        if self.composition.drift is None:
            return self._still_backdrop
        return draw_backdrop(self.composition.setting, self.camera(index), self.theme, self._middle(index))

    @cached_property
    def _still_backdrop(self) -> Backdrop:
        return draw_backdrop(self.composition.setting, self.camera(0), self.theme, self._middle(0))

    def _shaded(self, backdrop: Backdrop, poses: Sequence[Pose], index: int) -> Backdrop:
        """The background with the shadow of bodies and joints on the ground."""
        ground = ground_of(self.composition.setting)
        if ground is None:
            return backdrop
        casters = [solid.moved(*poses[body]) for body, _, _, solid in self._meshes]
        return backdrop.shaded(
            cast_shadow(casters, ground, self._middle(index), sun_of(self.composition.setting)), self.theme.shade
        )

    def _poses(self, index: int) -> list[Pose]:
        """Place and turn of every body in the picture; the last entry, that of `WORLD`, is the world's."""
        positions, quaternions = (part[index] for part in self.motion.poses)
        places, turns = positions @ self._upright.T, self._upright @ rotation_matrices(quaternions)
        return [*zip(places, turns, strict=True), (np.zeros(3), self._upright)]

    @property
    def _upright(self) -> np.ndarray:
        """From the axes of the world to those of the picture, in which all is drawn."""
        return self.composition.setting.upright

    def _pixel(self, canvas: Canvas, point: Any) -> np.ndarray:
        """Where a point (3,) of the world is seen."""
        return np.asarray(canvas.camera.project((self._upright @ np.asarray(point))[None])[0, :2])

    @cached_property
    def _meshes(self) -> list[tuple[int, Any, Any, Mesh]]:
        """Of bodies, joints and what carries them: in whose axes, the colours, what shines, the triangles."""
        seen, theme = self.composition, self.theme
        found: list[tuple[int, Any, Any, Mesh]] = []

        def add(body: int, shell: Shell, colour: int, glow: Any = 0.0) -> None:
            mesh = Mesh(shell.corners, shell.normals[shell.faces])
            found.append((body, shell_tints(shell, colour, theme)[shell.faces], glow, mesh))

        for k, (own, joint) in enumerate(zip(seen.bodies, seen.joints, strict=True)):
            parent = seen.model.parents[k]
            add(k, own, k, rgb(selection_glow(theme.selected)) if k == seen.selected else 0.0)
            add(max(parent, WORLD), joint, parent)
        add(WORLD, seen.supports, WORLD)
        return found

    def _draw_bodies(self, canvas: Canvas, poses: Sequence[Pose]) -> None:
        """Draw bodies and joints; what is of glass last, over what is inside and behind it."""
        seen = self.composition
        clear = 2 * seen.selected if seen.glass and seen.selected is not None else None
        for place, (body, colour, glow, solid) in enumerate(self._meshes):
            if place != clear:
                canvas.draw(solid.moved(*poses[body]), colour, glow=glow)
        if clear is not None:
            body, colour, glow, solid = self._meshes[clear]
            canvas.draw(solid.moved(*poses[body]), colour, glow=glow, opacity=GLASS)

    def _draw_spans(self, canvas: Canvas, index: int) -> None:
        """Draw springs, dampers and rods between their ends."""
        shell = join_shells(laid_shell(span, index) for span in self.composition.spans)
        mesh = Mesh(shell.corners, shell.normals[shell.faces]).moved(np.zeros(3), self._upright)
        canvas.draw(mesh, shell_tints(shell, WORLD, self.theme)[shell.faces])

    def _draw_buried(self, canvas: Canvas, poses: Sequence[Pose]) -> None:
        """Draw what bodies hide of joints whose pins do not show their heads, pale."""
        for k, buried in enumerate(self.composition.buried):
            if buried:
                body, colour, _, solid = self._meshes[2 * k + 1]
                canvas.draw(solid.moved(*poses[body]), colour, through=BURIED)

    def _draw_feet(self, canvas: Canvas, index: int) -> None:
        """Draw where arrows act, over everything; the mark of a mass centre comes over it."""
        firsts = self._shared_tails(canvas, index)
        for place, arrow in enumerate(self.composition.arrows):
            if not arrow.acts or firsts[place] not in (-1, place):
                continue
            begin, vector = arrow.begin[index], arrow.scale * arrow.value[index]
            own = acts_on(arrow, self.composition.model)[1] or arrow.colour
            for share, colour in ((FOOT, arrow.colour), (SEAT, own)):
                parts = arrow_foot(begin, vector, self._head(canvas, begin + vector), arrow.double, share)
                mesh = mesh_of(parts).moved(np.zeros(3), self._upright)
                canvas.draw(mesh, rgb(colour), through=1.0, lit=False)

    def _draw_centres(self, canvas: Canvas, poses: Sequence[Pose]) -> None:
        """Draw the marks of mass centres, those that lie in their bodies over everything."""
        seen = self.composition
        for body, (mark, over) in enumerate(zip(seen.centres, seen.over, strict=True)):
            if not seen.marked[body]:
                continue
            mesh = Mesh(mark.corners, mark.normals[mark.faces]).moved(*poses[body])
            canvas.draw(mesh, shell_tints(mark, body, self.theme)[mark.faces], through=float(over))

    def _draw_seen_through(self, canvas: Canvas, poses: Sequence[Pose], index: int) -> None:
        """Draw what hides nothing: paths and ghosts."""
        for body, away in self.composition.were(index):
            place, turn = poses[body]
            solid = self._meshes[2 * body][3].moved(place - self._upright @ away, turn)
            canvas.draw(solid, rgb(WAS), opacity=through_both_faces(WAS_SHARE), lit=False)
        for path, colour in self.composition.trails:
            canvas.line(path @ self._upright.T, rgb(colour), TRAIL, FINER)
        for body, holes in enumerate(self.composition.holes):
            ghost = mesh_of(holes, ghosts=True).moved(*poses[body])
            canvas.draw(ghost, rgb(body_colour(body)), opacity=through_both_faces(GHOST))
        if self.composition.selected is not None:
            ghost = mesh_of(self.composition.ghost, ghosts=True).moved(*poses[self.composition.selected])
            canvas.draw(ghost, rgb(self.theme.selected), opacity=through_both_faces(BREATH), lit=False)
            self._draw_ellipses(canvas, *poses[self.composition.selected])

    def _draw_ellipses(self, canvas: Canvas, place: np.ndarray, turn: np.ndarray) -> None:
        """Draw the lines about the axes of the ellipsoid of a body that is placed and turned so."""
        for part in self.composition.ghost:
            own = rotation_matrices(np.array(part.turn))
            for line in ellipse_lines() * part.scale:
                canvas.line((line @ own.T + part.at) @ turn.T + place, rgb(self.theme.selected), OUTLINE, 1)

    def _draw_tails(self, canvas: Canvas, index: int) -> None:
        """Draw where points and the tips of forces were before a frame."""
        seen, reach = self.composition, TAIL * self.composition.setting.radius
        past = [(path, colour, COMET_WIDTHS, COMET_STRENGTH) for path, colour in seen.comets]
        for arrow in (seen.arrows[place] for place in seen.traced):
            tips = arrow.begin[index] + arrow.scale * arrow.value
            past.append((tips, arrow.colour, TRACE_WIDTHS, TRACE_STRENGTH))
        for path, colour, widths, strength in past:
            tail, faint = comet_tail(path[: index + 1], reach)
            ways = path_velocities(path)[max(index + 1 - len(tail), 0) : index + 1][::-1]
            points, shares = smooth_tail(tail, faint, ways)
            for piece in reversed(np.array_split(np.arange(len(points)), min(PIECES, max(len(points) // 2, 1)))):
                if not len(piece):
                    continue
                last = min(piece[-1] + 1, len(points) - 1)
                share = float(shares[piece].mean())
                wide = max(1, round(FINER * (widths[0] + share * (widths[1] - widths[0]))))
                line = points[piece[0] : last + 1] @ self._upright.T
                canvas.line(line, rgb(colour), strength * share**FADES, wide, HIDDEN)

    def _draw_extras(self, canvas: Canvas, poses: Sequence[Pose]) -> Iterator[Lettering]:
        """Draw what the view adds; gives its words."""
        for extra in self.composition.extras:
            for mesh, colour in _pieces(extra):
                moved, through = mesh.moved(*poses[extra.body]), float(extra.through)
                canvas.draw(moved, colour, opacity=extra.opacity, through=through, lit=extra.lit)
            for word in extra.words:
                place, turn = poses[extra.body]
                at = canvas.camera.project((place + turn @ np.array(word.place))[None])[0, :2]
                yield Lettering((float(at[0]) / FINER, float(at[1]) / FINER), word.text, extra.colour)

    def _letters(self, canvas: Canvas, poses: Sequence[Pose]) -> Iterator[Lettering]:
        """The letters of joints."""
        for text, body, point in self.composition.letters:
            place, turn = poses[body]
            at = canvas.camera.project((place + turn @ point)[None])[0, :2] / FINER
            yield Lettering((float(at[0]), float(at[1])), text, MUTED, letter=True)

    def _draw_arrows(self, canvas: Canvas, index: int) -> tuple[list[Lettering], Unseen]:
        """Draw arrows; gives their labels, and of what arrows only a dot is seen."""
        seen, labels = self.composition, list[Lettering]()
        unseen: dict[str, list[tuple[str, str, str]]] = {}
        shared = self._shared_tails(canvas, index)
        for place, arrow in enumerate(seen.arrows):
            begin, vector = arrow.begin[index], arrow.scale * arrow.value[index]
            if shared[place] >= 0:
                begin = begin + RIM * self._head(canvas, begin + vector) * unit_vector(vector)
            parts = arrow_parts(begin, vector, self._head(canvas, begin + vector), arrow.double)
            if not parts:
                continue
            self._draw_arrow(canvas, headed(parts, arrow.pattern), arrow.colour)
            bands = band_parts(begin, vector, self._head(canvas, begin + vector), arrow.double, arrow.pattern)
            self._draw_arrow(canvas, bands, paled(arrow.colour) if arrow.pattern == STRIPES else arrow.colour)
            how, label = self._lettered(canvas, begin, vector, arrow.label, arrow.colour)
            if how == "seen":
                labels.append(label)
            elif arrow.label.strip():
                much = amount(float(np.linalg.norm(arrow.value[index])), arrow.measure)
                unseen.setdefault(how, []).append((arrow.label, arrow.colour, much))
        return labels, {how: unseen[how] for how in WHY_UNSEEN if how in unseen}

    def _shared_tails(self, canvas: Canvas, index: int) -> list[int]:
        """Of each arrow the first of those that are seen to begin at its point, or −1 where it is alone.

        Those begin at the rim of the point, so that all are seen, and the first has the dot there.
        """
        arrows = self.composition.arrows
        there = [
            a.pin is not None and np.isfinite(a.begin[index]).all() and a.scale * np.linalg.norm(a.value[index]) > 0
            for a in arrows
        ]
        places = [
            self._pixel(canvas, a.begin[index]) / FINER if t else None for a, t in zip(arrows, there, strict=True)
        ]
        near = [
            [j for j, other in enumerate(places) if other is not None and np.hypot(*(at - other)) < ONE_POINT]
            for at in (np.full(2, np.nan) if place is None else place for place in places)
        ]
        return [min(row) if len(row) > 1 else -1 for row in near]

    def _lettered(
        self, canvas: Canvas, begin: np.ndarray, vector: np.ndarray, text: str, colour: str
    ) -> tuple[str, Lettering]:
        """How an arrow is seen, and its label."""
        start, tip = (self._pixel(canvas, point) / FINER for point in (begin, begin + vector))
        pixel = canvas.camera.pixel(self._upright @ (begin + vector)) * FINER
        how = how_seen(start, tip, float(np.linalg.norm(vector)) / pixel)
        return how, Lettering((float(tip[0]), float(tip[1])), text, colour, (float(start[0]), float(start[1])))

    def _marks(self, canvas: Canvas, poses: Sequence[Pose]) -> list[Box]:
        """Where the mass centres are, which labels are not to cover."""
        found = []
        for body, mark in enumerate(self.composition.centres):
            if len(mark) and self.composition.marked[body]:
                place, turn = poses[body]
                x, y, _ = canvas.camera.project((place + turn @ mark.points.mean(axis=0))[None])[0]
                found.append(Box(float(x) / FINER, float(y) / FINER, MARK_BOX, MARK_BOX))
        return found

    @cached_property
    def _corner(self) -> int:
        """In which corner the scale bars stand: where least is seen over the whole motion."""
        balls, camera = self.composition.setting.balls, self.camera(0)
        places = balls[:, :3] @ self._upright.T
        middles = camera.project(places)
        reach = (camera.project(places + balls[:, 3:] * camera.axes[0])[:, 0] - middles[:, 0]) / FINER
        counts = []
        for corner in CORNERS:
            box = bars_box(Told(self.bars, self.owners, self.past, {}), (self.width, self.height), corner)
            if box is None:
                return 0
            across = np.abs(middles[:, 0] / FINER - box.x) - box.w / 2
            down = np.abs(middles[:, 1] / FINER - box.y) - box.h / 2
            counts.append(int(((across < reach) & (down < reach)).sum()))
        return CORNERS[int(np.argmin(counts))]

    def _draw_arrow(self, canvas: Canvas, parts: Sequence[Any], colour: str) -> None:
        own = rgb(colour)
        mesh = mesh_of(parts).moved(np.zeros(3), self._upright)
        canvas.draw(mesh, ARROW_LIT * own, through=ARROW_HIDDEN, glow=ARROW_GLOW * own)

    def _head(self, canvas: Canvas, tip: np.ndarray) -> float:
        """Length of the head of an arrow, m, that is as long in every picture; in a small one it is less."""
        pixels = FINER * HEAD_PIXELS * min(1.0, self.height / WHOLE)
        return pixels * canvas.camera.pixel(self._upright @ tip)


def _pieces(extra: Extra) -> Iterator[tuple[Mesh, np.ndarray]]:
    """Triangles and colours of what a view adds."""
    if extra.parts:
        yield mesh_of(extra.parts), rgb(extra.colour)
    if extra.fan is not None:
        yield Mesh(extra.fan.corners, np.zeros_like(extra.fan.corners)), extra.fan.tints
