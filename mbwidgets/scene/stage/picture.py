"""A mechanism on the stage: bodies, joints, arrows and a trail, shown by the player and updated in place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

import numpy as np

from ...errors import StateError, error_reason
from ...model.model import Model
from ...numeric.base.outcome import Result
from ...numeric.motion.motion import Motion
from ...numeric.packing.pack import Packed
from ..look.arrows import Arrow
from ..look.bodies import BodyView, JointView, ShellGroup, SpanView
from ..look.ellipsoid import EllipsoidView
from ..look.extras import Adornment
from ..look.labels import LetterView
from ..look.nodes import numbers_of
from ..look.trails import Trail
from ..page.player import Player, packed_poses
from .composition import Composition, forces_are_told, ghost_parts, setting_of, with_camera_holding_arrows
from .drawn_arrows import DrawnArrow, Scaled, laid_aside, quantity_arrows, traced_arrows
from .framing import Frame, floor_under, framing_of_motion
from .in_words import in_words
from .page_arrows import page_arrows, page_spans, page_units
from .pin_feet import Pin
from .scale_bars import forces_on, owner_of
from .spans import Hand, packed_ends
from .stage import Stage
from .upright import gravity_of, picture_axes
from .viewpoint import all_seen

__all__ = ["Picture", "Shown"]

Path = tuple[np.ndarray, str]
"""Places and their colour."""
TURNED: Final = 1e-6
"""Change of a direction that is no rounding."""


class Shown(NamedTuple):
    """An arrow of the player: its quantity, its body, the text beside it, its colour."""

    key: str
    body: int
    label: str
    colour: str


class Picture:
    """The stage with one mechanism on it. `show` takes a motion; nothing that can be kept is made anew."""

    def __init__(self, width: int = 680, height: int = 460, theme: str = "light") -> None:
        self.stage = Stage(width, height, theme)
        stage = self.stage
        self.player = Player(
            scene=stage.scene,
            level=stage.level,
            camera=stage.camera,
            orbit=stage.orbit,
            renderer=stage.renderer,
            scenery=stage.scenery,
        )
        stage.furnished = self._furnished
        self.bodies: list[BodyView] = []
        self.joints: list[JointView] = []
        self.supports = ShellGroup(-1, self.stage.theme)
        self.spans: list[SpanView] = []
        self._frame: Frame | None = None
        self._awaited: Model | None = None  # the stage was suited to the first part of its motion
        self._letters = LetterView()
        self._ghost = EllipsoidView(self.stage.geometries, self.stage.theme.selected)
        self._pool: dict[tuple[str, str], Arrow] = {}
        self._tree: Any = None
        self._fit_at: int | None = None  # the frame from which on the stage is to be suited anew
        self._trails: list[Trail] = []
        self._paths: Sequence[Path] = ()
        self._comets: Sequence[Path] = ()
        self._traced: list[int] = []
        self._composed: Composition | None = None
        self._scales: dict[str, float] = {}
        self.glass = False
        """Whether the selected body is of glass: where what matters is inside it."""
        self.trying = False
        """Whether what is shown passes: then the scales of arrows are those of before, whatever was shown between."""
        self.shift = 0.0
        """At which time of the motion before the next one begins, s: while it plays the page goes on from there."""
        self.hand: Hand | None = None
        """Where a hand pulls a body by a spring, m, while it does."""
        self.freedoms = False
        """Whether each body tells its name and what its joint lets it do."""
        self.room = 0.0
        """Of the ball about the mechanism's middle that the camera holds besides, in sizes: where handles go."""
        self.aside: tuple[tuple[int, ...], str] = ((), "")  # bodies drawn moved aside, and the arrow along which
        self.adornments: list[Adornment] = []  # what the view has put on the stage besides

    def _furnished(self) -> None:
        self.player.scenery = self.stage.scenery

    @property
    def composition(self) -> Composition:
        """All that is seen now, as data: for a picture without a page."""
        if self._composed is None:
            raise StateError("nothing was shown yet", where="picture", remedy="show a motion first")
        groups = [body.group for body in self.bodies]
        extras = [extra for item in self.adornments for extra in item.extras(groups)]
        return replace(
            self._composed,
            setting=self.stage.setting,
            extras=extras,
            trails=self._paths,
            comets=self._comets,
            traced=self._traced,
        )

    @property
    def ellipsoid(self) -> Any:
        """The group of the ellipsoid of inertia."""
        return self._ghost.group

    @property
    def shown(self) -> list[Shown]:
        """The arrows, in the player's order."""
        return [Shown(arrow.key, arrow.body or 0, arrow.label, arrow.colour) for arrow in self._arrows]

    @property
    def _drawn(self) -> list[ShellGroup | SpanView]:
        """All groups that show shells."""
        return [*self.bodies, *self.joints, self.supports, *self.spans]

    @property
    def _arrows(self) -> Sequence[DrawnArrow]:
        return () if self._composed is None else self._composed.arrows

    @property
    def missing(self) -> dict[str, str]:
        """Quantities that the model does not have, and why."""
        found = {} if self._composed is None else self._composed.missing
        return {key: error_reason(error) for key, error in found.items()}

    @property
    def usual(self) -> dict[str, float]:
        """Metres for one unit of arrows that are as long as usual, by unit."""
        return dict(self._scales)

    @property
    def scales(self) -> dict[str, float]:
        """Metres for one unit of a quantity, as last shown."""
        return {arrow.key: arrow.scale for arrow in self._arrows}

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
        frame = self.frame_for(motion)
        made = quantity_arrows(motion, vectors, indices, self.reach(frame), magnify, scales, self.kept(frame))
        self.put(motion, frame, made, selected)

    def frame_for(self, motion: Motion) -> Frame | None:
        """The frame that the stage must be suited to before a motion is shown; None where it stays as it is."""
        kept = self._tree == _tree(motion.model) and self._awaited is not motion.model and self._fit_at is None
        return None if kept else framing_of_motion(motion, self._fit_at or 0)

    def reach(self, frame: Frame | None) -> float:
        """Radius of what will be seen, m: arrows are suited to it."""
        return self.stage.radius if frame is None else frame.radius

    def kept(self, frame: Frame | None) -> Mapping[str, float]:
        """Metres for one unit of each group of arrows, which stay as long as the stage does."""
        return self._scales if frame is None else {}

    def refit(self, at: int) -> None:
        """Suit the stage anew to what is shown next, as it is seen from a frame on."""
        self._fit_at = at

    def put(
        self,
        motion: Motion,
        frame: Frame | None,
        made: Scaled,
        selected: int | None,
    ) -> None:
        """Show a motion with these arrows; ``frame`` is that of `frame_for`."""
        model, setting = motion.model, self.stage.setting if frame is None else setting_of(frame)
        arrows = laid_aside(made.arrows, motion, setting.feet_of(motion.model))
        old: list[ShellGroup | SpanView] = [*self._build(motion, frame, arrows)]
        drift = None if self._frame is None else self._frame.drift(motion)
        if frame is None:
            self._step_back(arrows, drift)
        seen = Composition(motion, self.stage.setting, arrows, made.missing, selected, self.glass, drift)
        seen = replace(seen, hand=self.hand, aside=self.aside, freedoms=self.freedoms)
        for index, (body, joint) in enumerate(zip(self.bodies, self.joints, strict=True)):
            body.show(seen.bodies[index])
            body.cut(seen.holes[index])
            body.point_out(seen.centres[index], seen.over[index])
            joint.show(seen.joints[index])
            joint.show_through(seen.buried[index])
        homes = [*(body.group for body in self.bodies), self.supports.group]  # the last one is the world's
        self._letters.show([(text, homes[body], place) for text, body, place in seen.letters])
        self.supports.show(seen.supports)
        old += self._show_spans(seen)
        self.stage.point_gravity(gravity_of(model))
        self._composed = seen
        if not self.trying:
            self._scales = made.scales
        shown = [self._arrow(item) for item in arrows]
        self.mark(model, selected)
        self.player.load(
            motion.t,
            packed_poses(*motion.poses),
            _vectors(motion, arrows),
            [item.scale for item in arrows],
            drift,
            packed_ends(seen.spans, len(motion)),
            self.shift,
            motion.energy_error,
            bodies=[body.group for body in self.bodies],
            grounds=self._grounds(model),
            spans=[span.group for span in self.spans],
            arrows=[arrow.group for arrow in shown],
            labels=[arrow.label.sprite for arrow in shown],
            quantities=[item.key for item in arrows],
            symbols=[item.label for item in arrows],
            units=[item.measure for item in arrows],
            colours=[item.colour for item in arrows],
            acts_on=[owner_of(item, model) for item in arrows],
            forces=[[body.name, keys] for body, keys in zip(model.bodies, forces_on(motion, arrows), strict=False)],
            head=seen.head,
            described=in_words(model, arrows),
            aside={"bodies": list(self.aside[0]), "arrow": self.aside[1]},
        )
        self._hide_all_but(shown)
        # only now has the player let go of them
        for view in old:
            view.close()

    def for_page(self, packed: Packed) -> dict[str, Any]:
        """What a page that solves the motion itself draws of it, as the kernels' tables have it."""
        seen, frame = self.composition, self._frame
        model, usual = seen.motion.model, self._scales
        following = frame is not None and np.isfinite(frame.room)
        return {
            "arrows": page_arrows(seen.arrows, seen.motion, self.stage.setting.feet_of(model), usual),
            "units": page_units(seen.arrows, seen.motion, self.stage.radius, usual),
            "spans": page_spans(model, packed) if self.spans else [],
            "parents": list(model.parents),
            "follow": {"home": frame.home.tolist(), "room": frame.room} if frame is not None and following else None,
        }

    def spare_arrows(self, items: Sequence[DrawnArrow]) -> dict[tuple[str, str], Arrow]:
        """Arrows of these names that the picture has not drawn yet, not on the stage; whoever asks closes them."""
        wanted = {(item.key, item.label): item for item in items if (item.key, item.label) not in self._pool}
        return {
            name: Arrow(
                self.stage.geometries, item.colour, item.label, item.double, pattern=item.pattern, acts=item.acts
            )
            for name, item in wanted.items()
        }

    def drawn_arrows(self) -> dict[tuple[str, str], Arrow]:
        """The arrows that have been drawn so far, by quantity and label."""
        return dict(self._pool)

    def _show_spans(self, seen: Composition) -> list[SpanView]:
        """As many groups as there are springs, dampers and rods; returns those that are no longer wanted."""
        made = [SpanView(self.stage.theme) for _ in seen.spans[len(self.spans) :]]
        gone = self.spans[len(seen.spans) :]
        if made or gone:
            self.spans = [*self.spans[: len(seen.spans)], *made]
            others = [child for child in self.stage.actors.children if child not in [item.group for item in gone]]
            self.stage.actors.children = [*others, *(item.group for item in made)]
        for view, span in zip(self.spans, seen.spans, strict=True):
            view.show(span.parts)
        return gone

    def _build(self, motion: Motion, frame: Frame | None, arrows: Sequence[DrawnArrow]) -> list[ShellGroup]:
        """Groups for the bodies of this tree, which stay as long as the tree does; returns those of the tree before."""
        model, stage, tree = motion.model, self.stage, _tree(motion.model)
        if frame is None:
            self._keep_level(motion)
            return []
        self._fit_at = None
        if self._tree == tree:
            self._awaited = None
            self._furnish(motion, frame, arrows)
            stage.look()
            return []
        old = self._clear()
        self._tree = tree
        self.forget()
        self._awaited = model if motion.outcome.result is Result.BUDGET else None
        self._furnish(motion, frame, arrows)
        self.bodies = [BodyView(stage.geometries, index, stage.theme) for index in range(len(model.bodies))]
        self.joints = [JointView(parent, stage.theme) for parent in model.parents]
        for index, parent in enumerate(model.parents):
            if parent >= 0:
                self.bodies[parent].group.add(self.joints[index].group)
        supports, *loose = self._grounds(model)
        stage.actors.children = [
            *(body.group for body in self.bodies),
            *loose,
            supports,
            *(span.group for span in self.spans),
        ]
        stage.look()
        return old

    def _grounds(self, model: Model) -> list[Any]:
        """Groups that stand in the world: what carries the mechanism, and the ground's part of joints."""
        return [
            self.supports.group,
            *(self.joints[index].group for index, parent in enumerate(model.parents) if parent < 0),
        ]

    def _furnish(self, motion: Motion, frame: Frame, arrows: Sequence[DrawnArrow]) -> None:
        """Suit the stage to a frame of a motion with its arrows; the camera goes there when it is told to look."""
        self._frame = frame
        setting = with_camera_holding_arrows(setting_of(frame), arrows, frame.drift(motion))
        around = np.array([[*frame.middle, self.room * frame.size]])
        self.stage.furnish(replace(setting, balls=np.concatenate([setting.balls, around])) if self.room else setting)
        self.stage.point_gravity(gravity_of(motion.model))

    def hold_arrows(self) -> None:
        """Let the camera hold the arrows that are shown, with what it holds already, when it is next told to look."""
        if self._composed is not None:
            seen = self._composed
            self.stage.furnish(with_camera_holding_arrows(self.stage.setting, seen.arrows, seen.drift))

    def _step_back(self, arrows: Sequence[DrawnArrow], drift: np.ndarray | None) -> None:
        """Hold what is new among the arrows and would leave the picture, unless a hand has placed the camera."""
        stage, before = self.stage, {(arrow.key, arrow.body) for arrow in self._arrows}
        new = [arrow for arrow in arrows if (arrow.key, arrow.body) not in before]
        if new and not self.trying and np.allclose(stage.camera.position, stage.place_of(stage.view), rtol=TURNED):
            held = with_camera_holding_arrows(stage.setting, new, drift)
            if not all_seen(stage.viewpoint(stage.view), stage.setting, held.balls, stage.camera.aspect):
                stage.furnish(held)
                stage.look()

    def _keep_level(self, motion: Motion) -> None:
        """Turn the stage where gravity has turned, and lower the floor where a body would go through it."""
        setting = self.stage.setting
        upright = picture_axes(motion.model, motion.rotations[0])
        # without gravity it stays as it was: a slider that goes to zero turns nothing
        turned = gravity_of(motion.model).any() and not np.allclose(upright, setting.upright, rtol=0, atol=TURNED)
        level = replace(setting, upright=upright, floor=None) if turned else setting
        floor = floor_under(motion, level)
        if turned or floor != setting.floor:
            self.stage.furnish(replace(level, floor=floor))
        if turned:
            self.stage.point_gravity(gravity_of(motion.model))
            self.stage.look()

    def _arrow(self, item: DrawnArrow) -> Arrow:
        """An arrow of the pool: made when first needed, then kept."""
        name = item.key, item.label
        if name not in self._pool:
            look = item.colour, item.label, item.double
            self._pool[name] = Arrow(self.stage.geometries, *look, pattern=item.pattern, acts=item.acts)
            self.stage.add(*self._pool[name].objects)
        return self._pool[name]

    def _hide_all_but(self, shown: list[Arrow]) -> None:
        # the player owns `visible` of the arrows that it moves; a change made here is for the others
        for arrow in self._pool.values():
            if arrow not in shown:
                for item in arrow.objects:
                    item.visible = True
                    item.visible = False

    def repaint(self, theme: str) -> None:
        """Change to the ``"light"`` or the ``"dark"`` theme."""
        self.stage.repaint(theme)
        for shown in self._drawn:
            shown.repaint(self.stage.theme)
        self._ghost.paint(self.stage.theme.selected)

    def mark(self, model: Model, selected: int | None) -> None:
        """Light the selected body and show the equivalent ellipsoid of its inertia about its solid."""
        for index, body in enumerate(self.bodies):
            body.select(index == selected, self.glass)
        told = forces_are_told(self._arrows, selected)
        self._ghost.show(None if told else next(iter(ghost_parts(model, selected, self.stage.size)), None))
        for index, body in enumerate(self.bodies):
            inside = self._ghost.group in body.group.children
            if index == selected and not inside:
                body.group.add(self._ghost.group)
            elif index != selected and inside:
                body.group.remove(self._ghost.group)

    def trails(self, paths: Sequence[Path], comets: Sequence[Path] = ()) -> None:
        """Draw paths of points, (k, 3) and colour each, and of others, (frames, 3), what lies behind the present."""
        self._paths, self._comets = tuple(paths), tuple(comets)
        for slot, (points, colour) in enumerate((*paths, *comets)):
            comet = slot >= len(paths)
            if slot < len(self._trails) and self._trails[slot].fits(points, comet):
                self._trails[slot].show(points, colour)
                continue
            trail = Trail(points, colour, comet)
            self.stage.add(trail.line)
            for old in self._trails[slot : slot + 1]:
                self.stage.remove(old.line)
                old.close()
            self._trails[slot : slot + 1] = [trail]
        for trail in self._trails[len(paths) + len(comets) :]:
            trail.hide()

    def path_line(self, number: int) -> Any:
        """The line of one of the paths, or None where there are fewer."""
        return self._trails[number].line if number < len(self._paths) else None

    @property
    def trail_lines(self) -> list[Any]:
        """The lines of all trails that have been drawn."""
        return [trail.line for trail in self._trails]

    def drawn_centre(self, motion: Motion, index: int) -> np.ndarray:
        """Where the mass centre of a body is drawn in every frame, (frames, 3): a plate is laid aside from others."""
        model = motion.model
        com = numbers_of(model, model.bodies[index].com)
        com = com + self.stage.setting.feet_of(model).shift(index, Pin("centre", index))
        return motion.point(index, tuple(com)).position

    def trace_forces(self, wanted: bool) -> None:
        """Let the tips of forces that change leave a trace about where they act, or not."""
        self._traced = traced_arrows(self._arrows) if wanted else []
        self.player.traces = self._traced

    def forget(self) -> None:
        """What was shown before is none of what comes next: there is no ghost of it."""
        self.player.forgotten += 1

    def body_of(self, mesh: Any) -> int | None:
        """The body, or the joint that carries it, that a mesh belongs to."""
        for views in (self.bodies, self.joints):
            for index, view in enumerate(views):
                if view.has(mesh):
                    return index
        return None

    def point_at(self, clicked: Any, frame: int) -> np.ndarray:
        """The point of the world (3,) that was clicked in a frame."""
        drift = None if self._composed is None else self._composed.drift
        return self.stage.in_world(clicked) + (0.0 if drift is None else drift[frame])

    def is_joint(self, mesh: Any) -> bool:
        """Whether a mesh is a joint's."""
        return any(joint.has(mesh) for joint in self.joints)

    def _clear(self) -> list[ShellGroup]:
        """Take bodies and joints off the stage; they are returned, to be closed."""
        for body in self.bodies:
            if self._ghost.group in body.group.children:
                body.group.remove(self._ghost.group)
        self._letters.clear()
        old = [*self.bodies, *self.joints]
        self.stage.actors.children = []
        self.bodies, self.joints = [], []
        return old

    def close(self) -> None:
        """Free every widget of the picture, in whatever order others may have closed some of them."""
        self.player.close()
        # nothing is taken off its group: to tell the page of the rest would name what is closed already
        for view in self._drawn:
            view.close()
        self.bodies, self.joints = [], []
        self._ghost.close()
        self._letters.close()
        for trail in self._trails:
            trail.close()
        for arrow in self._pool.values():
            arrow.close()
        self._pool.clear()
        self.stage.close()


def _tree(model: Model) -> tuple[Any, ...]:
    """What bodies there are, and which carries which."""
    return (model.name, tuple(body.name for body in model.bodies), model.parents)


def _vectors(motion: Motion, arrows: Sequence[DrawnArrow]) -> np.ndarray:
    """Beginning and value of every arrow, (frames, arrows, 6)."""
    out = np.zeros((len(motion), len(arrows), 6))
    for column, arrow in enumerate(arrows):
        out[:, column, :3], out[:, column, 3:] = arrow.begin, arrow.value
    return out
