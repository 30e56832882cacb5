"""The Explorer: a mechanism in the hand. Move a slider, and the motion, the arrows and the formulae follow."""

from __future__ import annotations

import contextlib
import json
from typing import Any, Final

import ipywidgets
import traitlets

from ..errors import MbwidgetsError
from ..model.model import Model
from ..numeric.motion import Motion
from ..scene.picture import Picture
from ..scene.quantities import quantity
from ..scene.shapes import model_size
from ..scene.stage import VIEWS
from .base import close_tree, replace_previous
from .controls import Controls
from .formulas import FormulaPanel
from .health import Health
from .history import History
from .places import Place, places
from .plots import CURVES, Plot
from .readout import Readout
from .solver import Solver
from .toolbar import Toolbar

__all__ = ["Explorer"]

FIRST: Final = ("axis", "force", "weight")
"""Vectors that are drawn at first."""


class Explorer(ipywidgets.VBox):
    """A model in three dimensions, with sliders, vectors, formulae and plots.

    Parameters
    ----------
    model : what to explore
    vectors : keys of the quantities to draw for the selected body
    selected : name of the selected body
    duration, rate : of the motion, s and frames per second
    width, height : of the stage, pixels
    theme : ``"light"`` or ``"dark"``

    The traits ``model``, ``motion``, ``time``, ``playing``, ``selected``, ``vectors`` and ``view`` can be set and
    observed. `close` frees everything in the page.
    """

    model = traitlets.Instance(Model)
    motion: Any = traitlets.Instance(Motion, allow_none=True)
    time = traitlets.Float(0.0)
    playing = traitlets.Bool(False)
    selected = traitlets.Unicode()
    vectors = traitlets.Tuple()
    view = traitlets.Enum(list(VIEWS), "iso")

    def __init__(
        self,
        model: Model,
        vectors: tuple[str, ...] = FIRST,
        selected: str | None = None,
        duration: float = 10.0,
        rate: float = 60.0,
        width: int = 640,
        height: int = 470,
        theme: str = "light",
    ) -> None:
        for key in vectors:
            quantity(key)
        self._options = {"duration": duration, "rate": rate}
        self._origin = model
        self._history = History(model)
        self._trouble = ""
        self._what = ""
        self.picture = Picture(width, height, theme)
        self.controls = Controls(self._move)
        self.readout = Readout(player=self.picture.player, chosen=list(vectors))
        self.plot = Plot(player=self.picture.player)
        self.formulae = FormulaPanel()
        self.health = Health()
        self._solver = Solver(self._arrived, self.health.progress)
        self._json = ipywidgets.Textarea(disabled=True, layout={"width": "100%", "height": "260px"})
        self._curves = ipywidgets.Dropdown(
            options=[(item.title, key) for key, item in CURVES.items()], layout={"width": "380px"}
        )
        self.toolbar = Toolbar(self)
        super().__init__(self._arrange(width))
        chosen = model.body(selected).name if selected is not None else model.bodies[-1].name
        self.set_trait("model", model)
        self.set_trait("selected", chosen)
        self.set_trait("vectors", tuple(vectors))
        self._connect()
        try:
            self._solve()
        except MbwidgetsError:
            self.close()  # a model that cannot move leaves nothing in the page
            raise
        replace_previous(self)

    def _arrange(self, width: int) -> list[Any]:
        left = ipywidgets.VBox(
            [self.picture.stage.renderer, self.picture.player, self.health],
            layout={"width": f"{width}px", "flex": "0 0 auto"},
        )
        right = ipywidgets.VBox([self.controls, self.readout], layout={"flex": "1 1 420px", "min_width": "400px"})
        top = ipywidgets.HBox([left, right], layout={"flex_flow": "row wrap", "grid_gap": "14px"})
        plots = ipywidgets.VBox([self._curves, self.plot])
        self._tabs = ipywidgets.Tab([self.formulae, plots, self._json], titles=("Formulae", "Plots", "Model"))
        return [self.toolbar, top, self._tabs]

    def _connect(self) -> None:
        player = self.picture.player
        self._links = [
            traitlets.link((self, "time"), (player, "time")),
            traitlets.link((self, "playing"), (player, "playing")),
        ]
        self.observe(self._on_model, "model")
        self.observe(self._on_motion, "motion")
        self.observe(self._on_choice, ["selected", "vectors"])
        self.observe(lambda change: self.picture.stage.look(change.new), "view")
        self.picture.stage.picker.observe(self._on_pick, "object")
        self.readout.observe(self._on_chosen, "chosen")
        self._curves.observe(lambda _: self._show_curves(), "value")
        self._tabs.observe(lambda _: self._show_tab(), "selected_index")

    @traitlets.validate("selected")
    def _check_selected(self, proposal: Any) -> str:
        return str(self.model.body(proposal.value).name)

    @traitlets.validate("vectors")
    def _check_vectors(self, proposal: Any) -> tuple[str, ...]:
        return tuple(quantity(key).key for key in proposal.value)

    @property
    def index(self) -> int:
        """Where the selected body stands in the model."""
        return self.model.index(self.selected)

    # From the page.

    def _move(self, place: Place, value: float) -> None:
        """A slider was moved."""
        self._trouble = ""
        self._what = place.key
        try:
            self.model = place.write(self.model, value)
        except MbwidgetsError as error:
            self._trouble = str(error)
            if self.motion is not None:
                self.health.show(self.motion, self._trouble)
        finally:
            self._what = ""

    def _on_chosen(self, change: Any) -> None:
        self.vectors = tuple(change.new)

    def _on_pick(self, change: Any) -> None:
        """A body, or the joint that carries it, was clicked twice."""
        index = self.picture.body_of(change.new)
        if index is not None:
            self.selected = self.model.bodies[index].name

    # From the traits.

    def _on_model(self, change: Any) -> None:
        if self._history.present is not change.new:
            self._history.record(change.new, self._what)
        if [body.name for body in change.new.bodies] != [body.name for body in self._origin.bodies]:
            self._origin = change.new  # another mechanism: reset comes back to it
        if self.selected not in {body.name for body in change.new.bodies}:
            # no motion of the new model yet: the choice is only noted
            with self.hold_trait_notifications():
                self.selected = change.new.bodies[0].name
        self._solve()

    def _on_motion(self, change: Any) -> None:
        if change.new is None:
            return
        if change.new.model is not self.model:
            self._history.record(change.new.model)
            with contextlib.ExitStack() as stack:
                self.unobserve(self._on_model, "model")
                stack.callback(self.observe, self._on_model, "model")
                self.model = change.new.model
        self._show()

    def _on_choice(self, change: Any) -> None:
        if self.motion is not None and self.motion.model is self.model:
            self._show()

    # Work.

    def _solve(self) -> None:
        try:
            self._solver.solve(self.model, **self._options)
        except MbwidgetsError as error:
            self._trouble = str(error)
            if self.motion is None:
                raise
            self.health.show(self.motion, self._trouble)

    def _arrived(self, motion: Motion) -> None:
        if motion.model is self.model:
            self.motion = motion

    def _show(self) -> None:
        """Show the motion everywhere, the picture first."""
        motion, index = self.motion, self.index
        self.picture.show(motion, self.vectors, (index,), index, self.toolbar.magnify)
        with self.readout.hold_sync():
            self.readout.columns = [list(item) for item in self.picture.shown]
            self.readout.chosen = list(self.vectors)
            self.readout.title = f"Vectors of {self.selected}, world axes"
        self.controls.show(places(self.model, index, model_size(self._origin)), self.model, self._origin)
        self.health.show(motion, self._trouble)
        self.toolbar.refresh()
        self.show_trail()
        self._show_tab()

    def show_trail(self) -> None:
        """Draw, or do not draw, the path of the selected body's mass centre."""
        body = self.model.bodies[self.index]
        points = self.motion.point(self.index, body.com).position if self.toolbar.trail else None
        if points is not None or self.picture.has_trail:
            self.picture.trail(points, quantity("momentum").colour)

    def _show_tab(self) -> None:
        """Fill the tab that is in sight; the others wait until they are."""
        tab = self._tabs.selected_index
        if tab == 0:
            self.formulae.show(self.model, self.index)
        elif tab == 1:
            self._show_curves()
        elif tab == 2:
            self._json.value = json.dumps(self.model.to_dict(), indent=1, ensure_ascii=False)

    def _show_curves(self) -> None:
        self.plot.show(self.motion, self.index, self._curves.value)

    # History.

    def undo(self) -> None:
        """Take back the last change of the model."""
        self.model = self._history.undo()

    def redo(self) -> None:
        """Do again what was taken back."""
        self.model = self._history.redo()

    def reset(self) -> None:
        """Go back to the model that was given."""
        self.model = self._origin

    @property
    def history(self) -> History:
        """What undo and redo go through."""
        return self._history

    def close(self) -> None:
        """Free every widget of the Explorer, in the kernel and in the page."""
        self._solver.cancel()
        for link in self._links:
            link.unlink()
        self._links = []
        self.unobserve_all()
        for child in self.children:
            close_tree(child)
        self.picture.close()
        self.layout.close()
        super().close()
