"""A mechanism on the stage: bodies, joints, arrows and a trail, shown by the player and updated in place."""

from __future__ import annotations

from typing import Any

import numpy as np
import pythreejs as three

from ..model.model import Model
from ..numeric.motion import Motion
from .arrows import HEAD, Arrow
from .bodies import BodyView, PartGroup
from .joints import joint_parts
from .player import Player, packed_poses
from .quantities import place, quantity
from .shapes import Part, body_extent, body_parts, equivalent_ellipsoid, model_size
from .stage import Stage

__all__ = ["LONGEST", "Picture"]

LONGEST = 0.42
"""Length of a quantity's longest arrow, as a share of the model's size."""


class Picture:
    """The stage with one mechanism on it. `show` takes a motion; nothing that can be kept is made anew."""

    def __init__(self, width: int = 680, height: int = 460, theme: str = "light") -> None:
        self.stage = Stage(width, height, theme)
        self.player = Player(scene=self.stage.scene)
        self.bodies: list[BodyView] = []
        self.joints: list[PartGroup] = []
        self._ghost = PartGroup(self.stage.geometries, self.stage.theme.selected)
        self._pool: dict[tuple[str, int], Arrow] = {}
        self._tree: tuple[int, ...] | None = None
        self._line: Any = None
        self._path: Any = None
        self._ink: Any = None
        self.shown: list[tuple[str, int]] = []
        """(quantity, body) of each arrow, in the player's order."""
        self.scales: dict[str, float] = {}
        """Metres for one unit of a quantity, as last shown."""

    def show(
        self,
        motion: Motion,
        vectors: tuple[str, ...] = (),
        indices: tuple[int, ...] = (),
        selected: int | None = None,
        magnify: float = 1.0,
    ) -> None:
        """Show a motion with arrows of these quantities for these bodies; the selected one is marked."""
        model = motion.model
        old = self._build(model)
        size = self.stage.size
        for index, (body, joint) in enumerate(zip(self.bodies, self.joints, strict=True)):
            body.show(body_parts(model, index, size))
            joint.show(joint_parts(model, index, size))
        self.stage.point_gravity([model.number(item) for item in model.gravity])
        self.shown = [(key, index) for key in vectors for index in indices]
        arrows = [self._arrow(key, slot) for key in vectors for slot in range(len(indices))]
        values = self._values(motion)
        self.mark(model, selected)
        self.player.load(
            motion.t,
            packed_poses(*motion.poses),
            values,
            self._lengths(values, magnify),
            bodies=[body.group for body in self.bodies],
            arrows=[arrow.group for arrow in arrows],
            labels=[arrow.label.sprite for arrow in arrows],
            head=HEAD[1] * size,
        )
        self._hide_all_but(arrows)
        # only now has the player let go of them
        for view in old:
            view.close()

    def _build(self, model: Model) -> list[PartGroup]:
        """Groups for the bodies of this tree, which stay as long as the tree does; returns those of the tree before."""
        if self._tree == model.parents:
            return []
        old = self._clear()
        self._tree = model.parents
        stage = self.stage
        stage.furnish(*_frame(model))
        stage.point_gravity([model.number(item) for item in model.gravity])
        self.bodies = [BodyView(stage.geometries, index, stage.theme) for index in range(len(model.bodies))]
        self.joints = [PartGroup(stage.geometries, stage.theme.joints) for _ in model.bodies]
        for index, parent in enumerate(model.parents):
            if parent >= 0:
                self.bodies[parent].group.add(self.joints[index].group)
        loose = [self.joints[index].group for index, parent in enumerate(model.parents) if parent < 0]
        stage.actors.children = [*(body.group for body in self.bodies), *loose]
        stage.look("iso")
        for arrow in self._pool.values():
            arrow.resize(stage.size)
        return old

    def _arrow(self, key: str, slot: int) -> Arrow:
        """An arrow of the pool: made when first needed, then kept."""
        if (key, slot) not in self._pool:
            item = quantity(key)
            arrow = Arrow(self.stage.geometries, item.colour, item.label, item.double, self.stage.size)
            self._pool[key, slot] = arrow
            self.stage.add(*arrow.objects)
        return self._pool[key, slot]

    def _hide_all_but(self, shown: list[Arrow]) -> None:
        # the player owns `visible` of the arrows that it moves; a change made here is for the others
        for arrow in self._pool.values():
            if arrow not in shown:
                for item in arrow.objects:
                    item.visible = True
                    item.visible = False

    def _values(self, motion: Motion) -> np.ndarray:
        """Beginning and value of every arrow, (frames, arrows, 6)."""
        out = np.zeros((len(motion), len(self.shown), 6))
        for column, (key, index) in enumerate(self.shown):
            item = quantity(key)
            out[:, column, :3] = place(item, motion, index)
            out[:, column, 3:] = item.values(motion, index)
        return out

    def _lengths(self, values: np.ndarray, magnify: float) -> list[float]:
        """One scale a quantity: its longest arrow over the motion has the same length, whatever the unit."""
        sizes = np.linalg.norm(values[:, :, 3:], axis=2)
        longest: dict[str, float] = {}
        for column, (key, _) in enumerate(self.shown):
            finite = sizes[np.isfinite(sizes[:, column]), column]
            longest[key] = max(longest.get(key, 0.0), float(finite.max(initial=0.0)))
        length = LONGEST * self.stage.size * magnify
        self.scales = {key: length / value if value > 0 else 0.0 for key, value in longest.items()}
        return [self.scales[key] for key, _ in self.shown]

    def mark(self, model: Model, selected: int | None) -> None:
        """Light the selected body and show the equivalent ellipsoid of its inertia about its solid."""
        for index, body in enumerate(self.bodies):
            body.select(index == selected)
        ghost: list[Part] = []
        # where the inertia is that of the solid, the ellipsoid would only hide it
        if selected is not None and model.bodies[selected].shape is not None and not _from_solid(model, selected):
            part = equivalent_ellipsoid(model, selected, self.stage.size)
            ghost = [] if part is None else [Part("ball", part.at, part.turn, part.scale, ghost=True)]
        self._ghost.show(ghost)
        for index, body in enumerate(self.bodies):
            inside = self._ghost.group in body.group.children
            if index == selected and not inside:
                body.group.add(self._ghost.group)
            elif index != selected and inside:
                body.group.remove(self._ghost.group)

    def trail(self, points: np.ndarray | None, colour: str) -> None:
        """Draw the path of a point (frames, 3), or none."""
        path = np.zeros((2, 3)) if points is None or len(points) < 2 else points
        path = np.nan_to_num(path, posinf=0.0, neginf=0.0).astype(np.float32)
        if self._line is not None and len(path) <= len(self._path.array):
            room = len(self._path.array) - len(path)
            self._path.array = np.concatenate([path, np.repeat(path[-1:], room, axis=0)])
            self._ink.color = colour
            return
        self._drop_trail()
        self._path = three.BufferAttribute(path, normalized=False, dynamic=True)
        self._curve = three.BufferGeometry(attributes={"position": self._path})
        self._ink = three.LineBasicMaterial(color=colour, transparent=True, opacity=0.7)
        self._line = three.Line(self._curve, self._ink)
        self.stage.add(self._line)

    @property
    def has_trail(self) -> bool:
        """Whether a trail stands on the stage."""
        return self._line is not None

    def _drop_trail(self) -> None:
        if self._line is not None:
            self.stage.remove(self._line)
            for item in (self._line, self._curve, self._path, self._ink):
                item.close()
            self._line = None

    def body_of(self, mesh: Any) -> int | None:
        """The body, or the joint that carries it, that a mesh belongs to."""
        for views in (self.bodies, self.joints):
            for index, view in enumerate(views):
                if mesh in view.meshes:
                    return index
        return None

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
        """Free every widget of the picture."""
        self.player.close()
        for view in self._clear():
            view.close()
        self._ghost.close()
        self._drop_trail()
        for arrow in self._pool.values():
            arrow.close()
        self._pool.clear()
        self.stage.close()


def _from_solid(model: Model, index: int) -> bool:
    return "inertia" in model.bodies[index].derived


def _frame(model: Model) -> tuple[float, np.ndarray, float, float]:
    """Size of the mechanism, the middle of its joints at the start, the radius about it, the height of the floor.

    The floor is below a mechanism that hangs.
    """
    from ..numeric.dynamics import Dynamics

    size = model_size(model)
    places, _ = Dynamics(model).poses(model.q0)
    points = np.vstack([np.zeros(3), places])
    if not np.isfinite(points).all():
        return size, np.zeros(3), size, 0.0
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    reach = [body_extent(model, index) for index in range(len(model.bodies))]
    radius = max(0.45 * size, *(np.linalg.norm(places - middle, axis=1) + reach))
    lowest = float(points[:, 2].min())
    return size, middle, float(radius), lowest - 0.4 * size if lowest < -0.05 * size else 0.0
