"""All that is seen of a motion, as data: the one place where a picture is composed.

`Picture` makes three.js objects of it, `export.pictures.film.Film` triangles; neither has a rule of its own about
sizes, scales, axes, the ground or the camera. Nothing here makes a widget.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

import numpy as np

from ...model.model import Model
from ...numeric.motion.motion import Motion
from ..look.arrow_shape import LABEL, head_length
from ..look.body_shells import centre_mark
from ..look.extras import Extra
from ..look.freedoms import with_freedoms
from ..look.joints import Fitting
from ..look.nodes import body_nodes, numbers_of
from ..look.shapes import Part, equivalent_ellipsoid, triple_of
from ..look.shell import NOTHING, Shell, join_shells
from .drawn_arrows import FORCE, DrawnArrow, laid_aside, quantity_arrows
from .feet import Ground
from .framing import FAR, Frame, framing_of_motion
from .guides import guide_shell
from .letters import Letter, body_names, joint_letters
from .mechanism import Mechanism, mechanism_of
from .pin_feet import Pin, buried_joints
from .setting import Setting, axis_directions, gravity_direction
from .spans import Hand, Span, spans_of
from .supports import support_shell
from .upright import gravity_of
from .viewpoint import Viewpoint, viewpoint_of

__all__ = [
    "Composition",
    "compose",
    "forces_are_told",
    "ghost_parts",
    "ghost_room",
    "setting_of",
    "with_camera_holding_arrows",
]

CENTRE: Final = 0.022
"""Radius of the mark of a mass centre, in radii of what is seen."""
WIDEST: Final = 1.1
"""Of that mark, at most, in radii of a link."""
BESIDE: Final = 0.2
"""Distance of a joint from the mass centre, over that of the farthest one, below which it is at the mass centre."""
CROWD: Final = 16
"""Bodies beyond which their mass centres are not marked: the marks would hide them."""


@dataclass(frozen=True, eq=False)
class Composition:
    """What is seen of a motion.

    Attributes
    ----------
    motion : as it is drawn
    setting : the ground, the world's axes and the camera are suited to it
    arrows : over the frames; ``missing`` tells by key why some could not be drawn
    selected : the body that is marked
    glass : whether that body is of glass, because what matters is inside it
    drift : (frames, 3) m, how far the camera goes along with a mechanism that runs away; None where it stays
    trails : paths (k, 3), m, with their colours
    comets : paths (frames, 3), m, with their colours, of which the past is drawn
    traced : the arrows, by their places in the list, whose tips leave a trace
    extras : what the view adds
    hand : where a hand is that pulls a body by a spring, m; None without one
    aside : bodies that are drawn moved aside, and the key of the arrow along which; none mostly
    freedoms : whether each body tells its name and what its joint lets it do
    """

    motion: Motion
    setting: Setting
    arrows: Sequence[DrawnArrow] = ()
    missing: Mapping[str, Exception] = field(default_factory=dict)
    selected: int | None = None
    glass: bool = False
    drift: np.ndarray | None = None
    trails: Sequence[tuple[np.ndarray, str]] = ()
    comets: Sequence[tuple[np.ndarray, str]] = ()
    traced: Sequence[int] = ()
    extras: Sequence[Extra] = ()
    hand: Hand | None = None
    aside: tuple[tuple[int, ...], str] = ((), "")
    freedoms: bool = False

    def were(self, frame: int) -> list[tuple[int, np.ndarray]]:
        """The bodies that are drawn moved aside in a frame, and how far, m (3,), where the arrow of it is drawn."""
        bodies, key = self.aside
        ways = [arrow.scale * arrow.value[frame] for arrow in self.arrows if arrow.key == key]
        return [(body, ways[0]) for body in bodies] if ways else []

    @property
    def model(self) -> Model:
        """Of the motion."""
        return self.motion.model

    @cached_property
    def mechanism(self) -> Mechanism:
        """Bodies and joints as they are drawn."""
        return mechanism_of(self.motion, self.setting.shifts_of(self.model))

    @property
    def bodies(self) -> list[Shell]:
        """Every body, in its axes."""
        return [item.inner for item in self._told] if self.freedoms else self.mechanism.bodies

    @property
    def joints(self) -> list[Shell]:
        """What its parent has of the joint that carries each body, in the axes of the parent."""
        return [item.outer for item in self._told] if self.freedoms else self.mechanism.joints

    @cached_property
    def _told(self) -> list[Fitting]:
        """Bodies and joints with what the joints let the bodies do."""
        seen = self.mechanism
        pairs = zip(seen.bodies, seen.joints, strict=True)
        return [with_freedoms(self.model, k, seen.anatomy, own, outer) for k, (own, outer) in enumerate(pairs)]

    @cached_property
    def buried(self) -> list[bool]:
        """Which joints are seen pale through the bodies that hide them: those whose pins do not show their heads."""
        return buried_joints(self.motion, self.mechanism, self.setting.heads)

    @property
    def holes(self) -> list[list[Part]]:
        """What is cut out of every body, in its axes: seen through it."""
        return self.mechanism.holes

    @cached_property
    def centres(self) -> list[Shell]:
        """The mark of every body's mass centre, in its axes."""
        count = len(self.model.bodies)
        radius = min(CENTRE * self.setting.radius, WIDEST * self.mechanism.anatomy.gauge)
        feet, shown = self.setting.feet_of(self.model), count <= CROWD
        return [
            centre_mark(self.model, k, radius).moved(feet.shift(k, Pin("centre", k))) if shown else NOTHING
            for k in range(count)
        ]

    @property
    def marked(self) -> list[bool]:
        """Which bodies show the marks of their mass centres: those whose arrows are drawn.

        ``page/driver.js`` shows them by the same rule.
        """
        owners = {arrow.body for arrow in self.arrows if arrow.body is not None}
        return [k in owners for k in range(len(self.model.bodies))]

    @property
    def over(self) -> list[bool]:
        """Which marks of mass centres are seen over everything: those that do not lie on the face of their body."""
        heads = self.setting.feet_of(self.model).heads
        return [Pin("centre", k) not in heads for k in range(len(self.model.bodies))]

    @property
    def letters(self) -> list[Letter]:
        """Of joints, each on a body; and the names of bodies, where their freedoms are told."""
        if self.freedoms:
            ground = Ground(self.setting.upright[2], self.setting.upright[1], self.setting.floor)
            return body_names(self.model, ground, self.mechanism.anatomy.gauge)
        return joint_letters(self.model, self.setting.feet_of(self.model))

    @cached_property
    def supports(self) -> Shell:
        """What carries the mechanism and what guides it, in the world's axes."""
        ground = Ground(self.setting.upright[2], self.setting.upright[1], self.setting.floor)
        carried = support_shell(self.motion, self.mechanism, ground, self.hand)
        return join_shells([carried, guide_shell(self.motion, self.mechanism, ground)])

    @cached_property
    def spans(self) -> list[Span]:
        """Springs, dampers and rods between points that move."""
        return spans_of(self.motion, self.mechanism.anatomy, self.hand)

    @cached_property
    def ghost(self) -> list[Part]:
        """What marks the selected body's inertia, in its axes."""
        told = forces_are_told(self.arrows, self.selected)
        return [] if told else ghost_parts(self.model, self.selected, self.setting.size)

    @property
    def head(self) -> float:
        """Length of the heads of arrows that move, m."""
        return head_length(self.setting.radius)

    @property
    def axes(self) -> list[tuple[float, float, float]]:
        """The directions of the world's x, y and z in the picture's axes."""
        return axis_directions(self.setting)

    @cached_property
    def gravity(self) -> tuple[float, float, float] | None:
        """The direction of gravity in the picture's axes, if there is any."""
        return gravity_direction(self.setting, gravity_of(self.model))

    def viewpoint(self, view: str, aspect: float) -> Viewpoint:
        """Where the camera stands for a standard view and a picture's width over its height."""
        return viewpoint_of(self.setting, view, aspect)


def compose(
    motion: Motion,
    vectors: Sequence[str] = (),
    indices: Sequence[int] = (),
    selected: int | None = None,
    magnify: float = 1.0,
    scales: Mapping[str, float] | None = None,
) -> Composition:
    """A picture of a motion with arrows of these quantities for these bodies, on a stage that is suited to it."""
    frame = framing_of_motion(motion)
    made = quantity_arrows(motion, vectors, indices, frame.radius, magnify, scales)
    drift = frame.drift(motion)
    suited = setting_of(frame)
    arrows = laid_aside(made.arrows, motion, suited.feet_of(motion.model))
    setting = with_camera_holding_arrows(suited, arrows, drift)
    return Composition(motion, setting, arrows, made.missing, selected, drift=drift)


def setting_of(frame: Frame) -> Setting:
    """The stage that suits a frame."""
    own = frame.size, frame.middle, frame.radius, frame.floor, frame.balls, frame.upright, frame.shifts, frame.heads
    return Setting(*own, turned=frame.turned)


def with_camera_holding_arrows(setting: Setting, arrows: Sequence[DrawnArrow], drift: np.ndarray | None) -> Setting:
    """The setting with a camera that holds the tips of arrows over the whole motion, and room for their symbols."""
    room, held = LABEL * head_length(setting.radius), [setting.balls]
    away = 0.0 if drift is None else drift
    for arrow in arrows:
        with np.errstate(invalid="ignore", over="ignore"):
            begin, vector = arrow.begin - away, arrow.scale * arrow.value
            tips, far = begin + vector, np.linalg.norm(begin - setting.target, axis=1)
            # what a body that has run away carries is not held, as it is not
            near = (far < FAR * setting.radius) & np.isfinite(tips).all(axis=1) & vector.any(axis=1)
        held.append(np.column_stack([tips[near], np.full(int(near.sum()), room)]))
    return replace(setting, balls=np.concatenate(held))


def forces_are_told(arrows: Sequence[DrawnArrow], body: int | None) -> bool:
    """Whether the picture tells of the forces on a body: then the ellipsoid of its inertia would be in their way."""
    return any(arrow.unit == FORCE and arrow.body == body for arrow in arrows)


LONE: Final = 0.15
"""Of the mechanism's size: how far the ellipsoid of a body without neighbours reaches; the camera holds 0.4 of it."""


def ghost_parts(model: Model, selected: int | None, size: float) -> list[Part]:
    """The equivalent ellipsoid of the selected body's inertia, where it tells something.

    It reaches no farther than the nearest of the body's joints that is away from its mass centre: a larger one is drawn
    smaller, in its proportions.
    """
    # where the inertia is that of the solid, the ellipsoid would only hide it
    if selected is None or (model.bodies[selected].shape is not None and "inertia" in model.bodies[selected].derived):
        return []
    part = equivalent_ellipsoid(model, selected, size)
    if part is None:
        return []
    shrunk = min(1.0, ghost_room(model, selected, size) / max(part.scale))
    return [Part("ball", part.at, part.turn, triple_of(shrunk * np.array(part.scale)), ghost=True)]


def ghost_room(model: Model, selected: int, size: float) -> float:
    """How far the ellipsoid of a body may reach, m: to the nearest of its joints that is away from its mass centre."""
    centre = numbers_of(model, model.bodies[selected].com)
    joints = [node.place for node in body_nodes(model)[selected] if node.kind in ("carrier", "joint", "loop")]
    away = [float(np.linalg.norm(place - centre)) for place in joints]
    # what a body turns about at its mass centre is no neighbour to leave room for, and the camera is to stay outside
    far = [distance for distance in away if distance > max(BESIDE * max(away), 1e-6 * size)]
    return min(far, default=LONE * size if away else size)
