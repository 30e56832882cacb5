"""A mechanism on the stage: bodies, joints, arrows and a trail, shown by the player and updated in place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...errors import error_reason
from ...model.model import Model
from ...numeric.base.outcome import Result
from ...numeric.motion.motion import Motion
from ..look.arrows import BOLD, HEAD, Arrow
from ..look.bodies import BodyView, PartGroup
from ..look.joints import joint_parts
from ..look.shapes import Part, body_parts, equivalent_ellipsoid
from ..look.trails import Trail
from ..page.player import Player, packed_poses
from ..quantities.motion_quantities import Drawn, arrows_of, find_quantity
from ..quantities.registry import as_subscript
from .framing import Frame, frame_of
from .stage import Stage

__all__ = ["OnStage", "Picture", "Shown"]

USUAL, LONGEST = 0.38, 1.4
"""Length of an arrow in half of the frames, and in nine of ten, as shares of the radius of what is seen."""


class Shown(NamedTuple):
    """An arrow of the player: its quantity, its body, the text beside it."""

    key: str
    body: int
    label: str


class OnStage(NamedTuple):
    """An arrow as it stands on the stage over the frames: beginnings and vectors (frames, 3), m."""

    label: str
    colour: str
    double: bool
    begin: np.ndarray
    vector: np.ndarray


class Picture:
    """The stage with one mechanism on it. `show` takes a motion; nothing that can be kept is made anew."""

    def __init__(self, width: int = 680, height: int = 460, theme: str = "light") -> None:
        self.stage = Stage(width, height, theme)
        self.player = Player(scene=self.stage.scene, camera=self.stage.camera, renderer=self.stage.renderer)
        self.bodies: list[BodyView] = []
        self.joints: list[PartGroup] = []
        self._frame: Frame | None = None
        self._awaited: Model | None = None  # the stage was suited to the first part of its motion
        self._reach = 1.0
        self._ghost = PartGroup(self.stage.geometries, self.stage.theme.selected)
        self._pool: dict[tuple[str, str], Arrow] = {}
        self._tree: Any = None
        self._trails: list[Trail] = []
        self.shown: list[Shown] = []
        """The arrows, in the player's order."""
        self.missing: dict[str, str] = {}
        """Quantities that the model does not have, and why."""
        self.scales: dict[str, float] = {}
        """Metres for one unit of a quantity, as last shown."""

    def show(
        self,
        motion: Motion,
        vectors: tuple[str, ...] = (),
        indices: tuple[int, ...] = (),
        selected: int | None = None,
        magnify: float = 1.0,
        scales: Mapping[str, float] | None = None,
    ) -> None:
        """Show a motion with arrows of these quantities for these bodies; the selected one is marked.

        ``magnify``: how much longer than usual all arrows are; ``scales``: metres for one unit of those quantities
        whose arrows are not scaled automatically.
        """
        model = motion.model
        frame = frame_of(motion)
        # of this motion, not of the one that the camera was turned to: arrows do not depend on what was shown before
        self._reach = frame.radius
        old = self._build(motion, frame)
        size = self.stage.size
        for index, (body, joint) in enumerate(zip(self.bodies, self.joints, strict=True)):
            body.show(body_parts(model, index, size))
            joint.show(joint_parts(model, index, size))
        self.stage.point_gravity([model.number(item) for item in model.gravity])
        values = self._values(motion, vectors, indices)
        arrows = [self._arrow(item.key, item.label) for item in self.shown]
        self.mark(model, selected)
        self.player.load(
            motion.t,
            packed_poses(*motion.poses),
            values,
            self._lengths(values, magnify, scales or {}),
            None if self._frame is None else self._frame.drift(motion),
            bodies=[body.group for body in self.bodies],
            arrows=[arrow.group for arrow in arrows],
            labels=[arrow.label.sprite for arrow in arrows],
            quantities=[item.key for item in self.shown],
            head=HEAD[1] * BOLD * self._reach,
        )
        self._hide_all_but(arrows)
        # only now has the player let go of them
        for view in old:
            view.close()

    def _build(self, motion: Motion, frame: Frame) -> list[PartGroup]:
        """Groups for the bodies of this tree, which stay as long as the tree does; returns those of the tree before."""
        model = motion.model
        tree = (model.name, tuple(body.name for body in model.bodies), model.parents)
        stage = self.stage
        if self._tree == tree:
            if self._awaited is model:
                self._awaited = None
                self.furnish(model, frame)
                stage.look()
            return []
        old = self._clear()
        self._tree = tree
        self._awaited = model if motion.outcome.result is Result.BUDGET else None
        self.furnish(model, frame)
        self.bodies = [BodyView(stage.geometries, index, stage.theme) for index in range(len(model.bodies))]
        self.joints = [PartGroup(stage.geometries, stage.theme.joints) for _ in model.bodies]
        for index, parent in enumerate(model.parents):
            if parent >= 0:
                self.bodies[parent].group.add(self.joints[index].group)
        loose = [self.joints[index].group for index, parent in enumerate(model.parents) if parent < 0]
        stage.actors.children = [*(body.group for body in self.bodies), *loose]
        stage.look()
        return old

    def furnish(self, model: Model, frame: Frame) -> None:
        """Suit the stage to a frame of a model's motion; the camera goes there when it is next told to look."""
        self._frame = frame
        self.stage.furnish(*frame[:5])
        self.stage.point_gravity([model.number(item) for item in model.gravity])

    def _arrow(self, key: str, label: str) -> Arrow:
        """An arrow of the pool: made when first needed, then kept."""
        if (key, label) not in self._pool:
            item = find_quantity(key)
            arrow = Arrow(self.stage.geometries, item.colour, label, item.double)
            self._pool[key, label] = arrow
            self.stage.add(*arrow.objects)
        return self._pool[key, label]

    def _hide_all_but(self, shown: list[Arrow]) -> None:
        # the player owns `visible` of the arrows that it moves; a change made here is for the others
        for arrow in self._pool.values():
            if arrow not in shown:
                for item in arrow.objects:
                    item.visible = True
                    item.visible = False

    def _values(self, motion: Motion, vectors: Sequence[str], indices: Sequence[int]) -> np.ndarray:
        """Beginning and value of every arrow, (frames, arrows, 6); `shown` and `missing` tell of what."""
        found: list[tuple[Shown, Drawn]] = []
        self.missing = {}
        for key in vectors:
            for index in indices:
                try:
                    arrows = arrows_of(find_quantity(key), motion, index)
                except Exception as error:  # whatever it is, the others are drawn
                    self.missing[key] = error_reason(error)
                    continue
                mark = as_subscript(str(index + 1)) if len(indices) > 1 else ""
                found += [(Shown(key, index, arrow.label + mark), arrow) for arrow in arrows]
        self.shown = [item for item, _ in found]
        out = np.zeros((len(motion), len(found), 6))
        for column, (_, arrow) in enumerate(found):
            out[:, column, :3], out[:, column, 3:] = arrow.begin, arrow.value
        return out

    def _lengths(self, values: np.ndarray, magnify: float, given: Mapping[str, float]) -> list[float]:
        """Metres for a unit of each arrow; quantities of one unit share the automatic scale and can be compared."""
        sizes = np.linalg.norm(values[:, :, 3:], axis=2)
        by_unit: dict[str, list[np.ndarray]] = {}
        for column, item in enumerate(self.shown):
            by_unit.setdefault(find_quantity(item.key).unit, []).append(sizes[:, column])
        scale = {unit: self._scale(columns) for unit, columns in by_unit.items()}
        self.scales = {
            item.key: magnify * given.get(item.key, scale[find_quantity(item.key).unit]) for item in self.shown
        }
        return [self.scales[item.key] for item in self.shown]

    def _scale(self, columns: list[np.ndarray]) -> float:
        """A scale that suits most frames; of a violent motion the few longest arrows leave the picture."""
        strongest = np.max([np.where(np.isfinite(column), column, 0.0) for column in columns], axis=0)
        strongest = strongest[strongest > 0.0]
        if not strongest.size:
            return 0.0
        usual, long = np.quantile(strongest, [0.5, 0.9])
        return float(self._reach * min(USUAL / usual, LONGEST / long))

    def on_stage(self) -> list[OnStage]:
        """The arrows that the player moves, as they are seen: for a picture without a page."""
        player = self.player
        values = np.frombuffer(player.vectors, dtype=np.float32).reshape(-1, max(1, len(self.shown)), 6)
        out = []
        for k, (item, length) in enumerate(zip(self.shown, player.lengths, strict=True)):
            arrow = self._arrow(item.key, item.label)
            begin, value = values[:, k, :3].astype(float), values[:, k, 3:].astype(float)
            out.append(OnStage(item.label, arrow.colour, arrow.double, begin, length * value))
        return out

    def repaint(self, theme: str) -> None:
        """Change to the ``"light"`` or the ``"dark"`` theme."""
        self.stage.repaint(theme)
        for joint in self.joints:
            joint.paint(self.stage.theme.joints)
        for body in self.bodies:
            body.mark = self.stage.theme.selected
        self._ghost.paint(self.stage.theme.selected)

    def mark(self, model: Model, selected: int | None) -> None:
        """Light the selected body and show the equivalent ellipsoid of its inertia about its solid."""
        for index, body in enumerate(self.bodies):
            body.select(index == selected)
        ghost: list[Part] = []
        # where the inertia is that of the solid, the ellipsoid would only hide it
        if selected is not None and model.bodies[selected].shape is not None and not _from_solid(model, selected):
            part = equivalent_ellipsoid(model, selected, self.stage.size)
            # one that is larger than all the mechanism would only hide it
            seen = part is not None and max(part.scale) < self.stage.size
            ghost = [Part("ball", part.at, part.turn, part.scale, ghost=True)] if part is not None and seen else []
        self._ghost.show(ghost)
        for index, body in enumerate(self.bodies):
            inside = self._ghost.group in body.group.children
            if index == selected and not inside:
                body.group.add(self._ghost.group)
            elif index != selected and inside:
                body.group.remove(self._ghost.group)

    def trails(self, paths: Sequence[tuple[np.ndarray, str]]) -> None:
        """Draw paths of points, (frames, 3) and colour each; none for an empty list."""
        for slot, (points, colour) in enumerate(paths):
            if slot < len(self._trails) and self._trails[slot].fits(points):
                self._trails[slot].show(points, colour)
                continue
            trail = Trail(points, colour)
            self.stage.add(trail.line)
            for old in self._trails[slot : slot + 1]:
                self.stage.remove(old.line)
                old.close()
            self._trails[slot : slot + 1] = [trail]
        for trail in self._trails[len(paths) :]:
            trail.hide()

    def body_of(self, mesh: Any) -> int | None:
        """The body, or the joint that carries it, that a mesh belongs to."""
        for views in (self.bodies, self.joints):
            for index, view in enumerate(views):
                if mesh in view.meshes:
                    return index
        return None

    def is_joint(self, mesh: Any) -> bool:
        """Whether a mesh is a joint's."""
        return any(mesh in joint.meshes for joint in self.joints)

    def _clear(self) -> list[PartGroup]:
        """Take bodies and joints off the stage; they are returned, to be closed."""
        for body in self.bodies:
            if self._ghost.group in body.group.children:
                body.group.remove(self._ghost.group)
        old = [*self.bodies, *self.joints]
        self.stage.actors.children = []
        self.bodies, self.joints = [], []
        return old

    def close(self) -> None:
        """Free every widget of the picture, in whatever order others may have closed some of them."""
        self.player.close()
        # nothing is taken off its group: to tell the page of the rest would name what is closed already
        for view in (*self.bodies, *self.joints):
            view.close()
        self.bodies, self.joints = [], []
        self._ghost.close()
        for trail in self._trails:
            trail.close()
        for arrow in self._pool.values():
            arrow.close()
        self._pool.clear()
        self.stage.close()


def _from_solid(model: Model, index: int) -> bool:
    return "inertia" in model.bodies[index].derived
