"""`PermanentRotationsView`: which rotations about the vertical last for ever, and what happens near them.

Source: Chebanov, Khlistunova; Staude.
"""

from __future__ import annotations

from typing import Any, Final

import ipywidgets
import numpy as np
import traitlets

from ...errors import ModelError
from ...model.library import carousel
from ...model.model import Model
from ...numeric.permanent.cone_curves import ConeCurve, natural_speed
from ...numeric.permanent.equilibria import tilt_angles
from ...numeric.permanent.permanent import Permanent
from ...numeric.permanent.rotation_states import (
    cone_of,
    rotation_of,
    tilted_start,
    with_first_body_axis_down,
    with_nearest_permanent_rotation,
    with_permanent_rotation_if_found,
)
from ...scene.look.cone import Barycentres, Cone
from ...scene.look.cone_shape import SpeedScale
from ...scene.look.palette import BLUE
from ...scene.look.shapes import model_size
from ...scene.page.handles import Handle, Handles, Snap
from ...scene.stage.setting import Setting
from ..base.lifetime import LatestOnly, blank_part, close_tree, unwrap_result
from ..edit.places import Place, editable_places
from ..edit.speeds import FIRST, GROUP, all_turn_at_one_speed, speed_places
from ..parts.conemap import ConeMap
from ..parts.controls import Controls
from ..parts.diagram import Diagram
from ..parts.number_box import NumberBox
from ..parts.plots import Plot
from ..text import verdicts
from ..text.paragraphs import heading_html, note_html
from .permanent_page import PermanentPage
from .study import Studied, Study, deviation_curves, residual_curves
from .vector_view import beside_stage

__all__ = ["PermanentRotationsView"]

LENGTH: Final = 0.75
"""Of the cone, as a share of the model's size; ``ROOM`` is what the camera looks at."""
ROOM: Final = 0.95
AS_ONE: Final = "All bodies turn at one speed: the whole chain decides (2.4), not the cone of its first body."
EFFORTS: Final = "Effort"
"""The group of sliders of drives."""
WIDEST: Final = 60.0
"""Of a perturbation, degrees."""
TABS: Final = ("Perturb", "Residual", "Branches", "Sliders")


class PermanentRotationsView(PermanentPage):
    """A chain on balls that turns about the vertical: its Staude cone, the conditions, stability, and branches.

    Parameters
    ----------
    model : a chain on spherical joints under gravity alone; a plate with a rotor unless told
    snap : whether the axis and the speed keep to the permanent rotation that is nearest
    perturbation : angle by which the first body is tilted at the start, degrees
    options : those of `View`

    The rotation is that of the model's own state: set ``model``, or call `turn_to`. ``snap`` and ``perturbation``
    can be set and observed. ``rotation`` is the verdict of `permanent` on it.

    >>> view = mb.PermanentRotationsView(duration=0.2)
    >>> view.perturbation
    0.0
    >>> view.close()
    """

    snap = traitlets.Bool(True)
    perturbation = traitlets.Float(0.0)
    grabs = False
    asks_all_kernels = True

    def __init__(
        self, model: Model | None = None, snap: bool = True, perturbation: float = 0.0, **options: Any
    ) -> None:
        model = carousel() if model is None else model
        self._now: tuple[Model, Permanent] | None = None
        self._judged: Permanent | None = None
        super().__init__(
            with_permanent_rotation_if_found(model) if snap else model, snap=snap, perturbation=perturbation, **options
        )

    @traitlets.validate("perturbation")
    def _check_perturbation(self, proposal: Any) -> float:
        if not 0.0 <= proposal.value <= WIDEST:
            raise ModelError(
                f"a perturbation by {proposal.value:g} degrees",
                where="perturbation",
                remedy=f"give 0 to {WIDEST:g}, 0 for none",
            )
        return float(proposal.value)

    @property
    def rotation(self) -> Permanent:
        """The rotation that the model's state begins, judged."""
        if self._now is None or self._now[0] is not self.model:
            self._now = (self.model, rotation_of(self.model))
        return self._now[1]

    @property
    def verdict(self) -> str:
        """Whether the rotation is permanent, in HTML; `condition_checklist` and `stability_text` likewise."""
        return str(self._verdict.value)

    @property
    def checklist(self) -> str:
        """The conditions, with ticks."""
        return str(self._list.value)

    @property
    def lasting(self) -> str:
        """Growth rate and stability."""
        return str(self._lasting.value)

    def turn_to(self, axis: Any) -> None:
        """Turn the first body so that an axis (3,), in its own axes, is vertical; it snaps to the cone if told to."""
        direction = np.asarray(axis, dtype=float)
        self.attempt(
            lambda model: (
                with_nearest_permanent_rotation(model, direction)
                if self.snap
                else with_first_body_axis_down(model, direction)
            ),
            "axis",
        )

    def admit(self, model: Model) -> None:
        """Only chains on spherical joints under gravity turn about the vertical for ever."""
        rotation_of(model)

    @property
    def scale(self) -> SpeedScale:
        """Colours of speeds."""
        return SpeedScale.of(natural_speed(cone_of(self.rotation.chain)))

    @property
    def cone_length(self) -> float:
        """Of the cone on the stage, m."""
        return LENGTH * self.picture.stage.size

    def fill_unseen(self) -> None:
        """The branches too, for a page."""
        self._computed(self.study.of(self.rotation, self.model, True))

    def options(self) -> dict[str, Any]:
        """From the rotation itself, or from near it."""
        if not self.perturbation:
            return super().options()
        q, u = tilted_start(self.rotation, np.radians(self.perturbation))
        return {**super().options(), "q": q, "u": u}

    def arrange(self) -> list[Any]:
        """Toolbar; stage, map and verdict; checklist and curves."""
        player = self.picture.player
        self.cone = Cone(self.picture.stage.geometries)
        self.barycentres = Barycentres(self.picture.stage.geometries)
        self.picture.stage.add(*self.cone.objects)
        self.picture.adornments += [self.cone, self.barycentres]
        self.handles = Handles(self.picture, lambda _, axis: self.turn_to(axis))
        self.study, self._snaps = Study(), list[Snap]()
        self._work = LatestOnly(self._computed, self._failed)
        self.map = ConeMap(self.turn_to)
        self.diagram = Diagram(self._on_branch)
        self.controls = Controls(self._move, opened=["Parameters"])
        self.speeds = Controls(self._move, opened=[GROUP], layout={"height": "auto", "border": "none"})
        self.plot, self.residual = Plot(player=player), Plot(player=player)
        self._verdict, self._lasting, self._list = ipywidgets.HTML(), ipywidgets.HTML(), ipywidgets.HTML()
        self._verdict.add_class("mbw-told")  # in a lecture too
        self._snap = ipywidgets.Checkbox(description="snap to the cone", indent=False, layout={"width": "150px"})
        small = {"layout": {"width": "76px"}, "style": {"description_width": "20px"}}
        self._angle = NumberBox(1.0, 0.0, WIDEST, self.show_error, description="by", **small)
        self._push = ipywidgets.ToggleButton(
            description="perturb", tooltip="Start near the rotation, not on it", layout={"width": "76px"}
        )
        degrees = ipywidgets.Label("°", layout={"width": "12px"})
        self.toolbar.insert(self._snap, self._push, self._angle, degrees)
        self._bodies = ipywidgets.HTML()
        # what is said of small motions grows and shrinks while the map is in the hand: it stands below it
        right = (self._verdict, self.map, self._lasting, self.speeds)
        top = beside_stage(self.scene, *right, below=(self._list, self._bodies))
        self.page_solver.controls = self.controls
        self.tabs = ipywidgets.Tab([self.plot, self.residual, self.diagram, self.controls], titles=TABS)
        return [self.toolbar, top, self.tabs]

    def _connect(self) -> None:
        super()._connect()
        self._links += [
            traitlets.link((self, "snap"), (self._snap, "value")),
            traitlets.link((self, "snap"), (self.map, "snap")),
        ]
        self._push.value = bool(self.perturbation)
        if self.perturbation:
            self._angle.number = self.perturbation
        self._push.observe(self._on_push, "value")
        self._angle.observe(self._on_push, "number")
        self.observe(self._on_perturbation, "perturbation")
        self.observe(self._on_snap, "snap")
        self.observe(lambda _: self._show_handle(self.rotation), "snap")
        self.tabs.observe(lambda _: self.refresh(), "selected_index")

    # From the page.

    def _move(self, place: Place, value: float) -> None:
        if place.key == FIRST:  # the axis stays: the cone's speed is left on purpose
            self._quietly(snap=False)

        def change(model: Model) -> Model:
            moved = place.write(model, value)
            return with_nearest_permanent_rotation(moved) if self.snap else moved

        self.attempt(change, place.key)

    def _on_branch(self, key: int, index: int) -> None:
        self.attempt(lambda model: self.study.chosen(model, key, index))

    def _on_snap(self, change: Any) -> None:
        if change.new:
            self.attempt(with_nearest_permanent_rotation)

    def _on_push(self, _: Any) -> None:
        self.perturbation = self._angle.number if self._push.value else 0.0

    def _on_perturbation(self, change: Any) -> None:
        self._push.value = bool(change.new)
        if change.new:
            self._angle.number = change.new
        try:
            self._solver.solve(self.model, **self.options())
        except Exception as error:
            self._refuse(error)

    def _quietly(self, snap: bool) -> None:
        """Set ``snap`` without moving anything."""
        self.unobserve(self._on_snap, "snap")
        self.snap = snap
        self.observe(self._on_snap, "snap")

    # Work.

    def show(self) -> None:
        """Show the rotation everywhere, the picture first; what takes longer comes when it is ready."""
        now, model = self.rotation, self.model
        self.picture.show(self.motion, ("angular velocity",), tuple(range(len(model.bodies))), self.index)
        down = now.chain.basis[:, 2]
        self.cone.group.visible = not all_turn_at_one_speed(now)  # a chain that turns as one has no cone
        self._place_cone(np.array([model.number(x) for x in model.bodies[0].joint.at]), down)
        groups, chain = [body.group for body in self.picture.bodies], now.chain
        with self.filling(self.barycentres, aloud=True):
            self.barycentres.show(groups, chain.barycentre, chain.mass + chain.below, self.picture.stage.size)
        with self.filling(self.map):
            self.map.point(now.turns[0].T @ down, now.omega[0])
        self._show_handle(now)
        with self.filling(self._verdict):
            self._verdict.value = verdicts.permanence_verdict(now, abs(float(tilt_angles(now.posed)[0])))
        with self.filling(self._list):
            self._list.value = verdicts.condition_checklist(now)
        with self.filling(self._bodies):
            self._bodies.value = verdicts.augmented_table(chain)
        with self.filling(self.speeds):
            self.speeds.show(speed_places(now), model, self.origin)
        with self.filling(self.controls):
            places = editable_places(model, self.index, model_size(self.origin))
            # weight alone acts where a rotation lasts
            self.controls.show([place for place in places if place.group != EFFORTS], model, self.origin)
        self._say_busy(now)
        motion, study, wanted = self.motion, self.study, self.tabs.selected_index == TABS.index("Branches")
        self._draw(now, motion)
        self._work(lambda: study.of(now, model, wanted))

    def _say_busy(self, now: Permanent) -> None:
        """What is on its way does not show what was before: rates of another rotation, the cone of other bodies."""
        if self._judged is not None and self._judged is not now:
            self._lasting.value = heading_html("Small motions") + note_html("being computed …")
            if _bodies(self._judged) != _bodies(now):
                for part in (self.cone, self.map, self.diagram):
                    blank_part(part, "being computed …")

    def _place_cone(self, at: np.ndarray, down: np.ndarray) -> None:
        """Fix the cone in the first body; a body that is new on the stage is looked at with room for its cone."""
        stage, body = self.picture.stage, self.picture.bodies[0].group
        self.cone.stand(at, down, LENGTH * stage.size)
        if self.cone.group not in body.children:
            body.add(self.cone.group)
            middle = at + 0.2 * stage.size * down
            upright, radius = stage.setting.upright, ROOM * stage.size
            floor = float(upright[2] @ (at + 1.1 * stage.size * down))
            stage.furnish(Setting.about(stage.size, middle, radius, floor, upright))
            stage.look(self.view)

    def _show_handle(self, now: Permanent) -> None:
        """The axis that is vertical, fixed in the first body; the body turns to the new one when it is let go."""
        with self.filling(self.handles, aloud=True):
            self._place_handle(now)

    def _place_handle(self, now: Permanent) -> None:
        axis, reach = now.turns[0].T @ now.chain.basis[:, 2], LENGTH * self.picture.stage.size
        snaps = self._snaps if self.snap and not all_turn_at_one_speed(now) else ()
        home = self.picture.bodies[0].group
        foot, title = (0.0, 0.0, 0.0), "Axis that is vertical"
        always, live = bool(snaps), False
        axis_handle = Handle("axis", title, "ν", BLUE, home, foot, axis, reach, "", live, snaps, always)
        self.handles.show([axis_handle])

    def _draw(self, now: Permanent, motion: Any, growth: float = 0.0) -> None:
        """The curves over time; ``growth`` adds what the linear theory expects, until it must fail."""
        with self.filling(self.plot):
            names, away, colours = deviation_curves(now, motion, self.perturbation, growth)
            title = "Angle between the vertical and the axis that should be vertical"
            self.plot.draw(title, "°", names, motion.t, away, colours)
        with self.filling(self.residual):
            self.residual.draw("Left side of (2.4)", "N m", *residual_curves(now, motion))

    def _failed(self, error: Exception) -> None:
        """Nothing of it came back."""
        self._computed(Studied(error, error, error))

    def _computed(self, done: Studied) -> None:
        """Growth rates, the cone and the branches have come back; what did not leaves its parts empty."""
        if not self.is_current:
            return
        now, self._snaps = self.rotation, []
        self._judged = now
        with self.filling(self.cone, self.map, self.handles):
            cone, curves, scale = unwrap_result(done.cone)
            self.cone.show(curves, scale, LENGTH * self.picture.stage.size)
            self.map.show(cone, curves, scale, AS_ONE if all_turn_at_one_speed(now) else "")
            self.map.point(now.turns[0].T @ now.chain.basis[:, 2], now.omega[0])
            self._snaps = [snap for curve in curves for snap in _snaps(curve)]
            self._show_handle(now)
        with self.filling(self._lasting):
            self._lasting.value = verdicts.stability_text(unwrap_result(done.growth))
        grows = 0.0 if isinstance(done.growth, Exception) else done.growth.largest
        self._draw(now, self.motion, grows)
        if done.diagram is not None:
            with self.filling(self.diagram):
                self._show_diagram(now, unwrap_result(done.diagram))

    def _show_diagram(self, now: Permanent, found: tuple[Any, ...]) -> None:
        self.diagram.show(*found)
        angles = np.degrees(tilt_angles(now.posed))
        shown = len(now.omega) if all_turn_at_one_speed(now) else 1
        self.diagram.mark(now.omega[:shown], angles[:shown] if all_turn_at_one_speed(now) else np.abs(angles[:1]))

    def close(self) -> None:
        """Free every widget; what is being computed is forgotten."""
        if not hasattr(self, "study"):  # the model was refused before anything was made
            return
        self._work.close()
        close_tree(self.handles)
        super().close()
        for part in (self.cone, self.barycentres):
            part.close()


def _bodies(now: Permanent) -> tuple[bytes, ...]:
    """What the cone and the branches belong to."""
    chain = now.chain
    return tuple(part.tobytes() for part in (chain.mass, chain.com, chain.arm, chain.central, chain.gravity))


def _snaps(curve: ConeCurve) -> list[Snap]:
    """The axes of a curve of the cone, with their speeds."""
    words = ["any speed" if np.isnan(speed) else f"ω = {speed:.3g} rad/s" for speed in curve.speeds]
    return [Snap(axis, text) for axis, text in zip(curve.axes, words, strict=True)]
