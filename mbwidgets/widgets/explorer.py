"""The Explorer: a mechanism in the hand. Move a slider, and the motion, the arrows and the formulae follow."""

from __future__ import annotations

import json
from typing import Any, Final

import ipywidgets
import traitlets

from ..model.model import Model
from ..scene.quantities import quantity
from ..scene.shapes import model_size
from .controls import Controls
from .formulas import FormulaPanel
from .places import Place, places
from .plots import CURVES, Plot
from .readout import Readout
from .view import View

__all__ = ["Explorer"]

FIRST: Final = ("axis", "force", "weight")
"""Vectors that are drawn at first."""
SIZES: Final = (("½ ×", 0.5), ("1 ×", 1.0), ("2 ×", 2.0), ("4 ×", 4.0))


class Explorer(View):
    """A model in three dimensions, with sliders, vectors, formulae and plots.

    Parameters
    ----------
    model : what to explore
    vectors : keys of the quantities to draw for the selected body
    options : those of `View`: selected, duration, rate, width, height, theme

    Besides the traits of `View`, ``vectors`` can be set and observed.
    """

    vectors = traitlets.Tuple()

    def __init__(self, model: Model, vectors: tuple[str, ...] = FIRST, **options: Any) -> None:
        for key in vectors:
            quantity(key)
        super().__init__(model, vectors=tuple(vectors), **options)

    def arrange(self) -> list[Any]:
        """Toolbar; stage, sliders and vectors; formulae, plots and the model's file."""
        player = self.picture.player
        self.controls = Controls(self._move)
        self.readout = Readout(player=player)
        self.plot = Plot(player=player)
        self.formulae = FormulaPanel()
        self._json = ipywidgets.Textarea(disabled=True, layout={"width": "100%", "height": "260px"})
        self._curves = ipywidgets.Dropdown(
            options=[(item.title, key) for key, item in CURVES.items()], layout={"width": "380px"}
        )
        self._sizes = ipywidgets.Dropdown(
            options=SIZES,
            value=1.0,
            description="arrows",
            layout={"width": "125px"},
            style={"description_width": "46px"},
        )
        self._trail = ipywidgets.ToggleButton(
            False, description="trail", tooltip="Path of the selected body's mass centre", layout={"width": "62px"}
        )
        self.toolbar.insert(self._sizes, self._trail)
        right = ipywidgets.VBox([self.controls, self.readout], layout={"flex": "1 1 420px", "min_width": "400px"})
        top = ipywidgets.HBox([self.scene, right], layout={"flex_flow": "row wrap", "grid_gap": "14px"})
        plots = ipywidgets.VBox([self._curves, self.plot])
        self._tabs = ipywidgets.Tab([self.formulae, plots, self._json], titles=("Formulae", "Plots", "Model"))
        return [self.toolbar, top, self._tabs]

    def _connect(self) -> None:
        super()._connect()
        self.observe(lambda _: self.refresh(), "vectors")
        self.readout.observe(self._on_chosen, "chosen")
        self._sizes.observe(lambda _: self.refresh(), "value")
        self._trail.observe(lambda _: self._show_trail(), "value")
        self._curves.observe(lambda _: self._show_tab(), "value")
        self._tabs.observe(lambda _: self._show_tab(), "selected_index")

    @traitlets.validate("vectors")
    def _check_vectors(self, proposal: Any) -> tuple[str, ...]:
        return tuple(quantity(key).key for key in proposal.value)

    def _move(self, place: Place, value: float) -> None:
        """A slider was moved."""
        self.attempt(lambda model: place.write(model, value), place.key)

    def _on_chosen(self, change: Any) -> None:
        self.vectors = tuple(change.new)

    def show(self) -> None:
        """Show the motion everywhere, the picture first."""
        index = self.index
        self.picture.show(self.motion, self.vectors, (index,), index, float(self._sizes.value))
        with self.readout.hold_sync():
            self.readout.columns = [list(item) for item in self.picture.shown]
            self.readout.chosen = list(self.vectors)
            self.readout.title = f"Vectors of {self.selected}, world axes"
        self.controls.show(places(self.model, index, model_size(self.origin)), self.model, self.origin)
        self._show_trail()
        self._show_tab()

    def _show_trail(self) -> None:
        """Draw, or do not draw, the path of the selected body's mass centre."""
        body = self.model.bodies[self.index]
        points = self.motion.point(self.index, body.com).position if self._trail.value else None
        if points is not None or self.picture.has_trail:
            self.picture.trail(points, quantity("momentum").colour)

    def _show_tab(self) -> None:
        """Fill the tab that is in sight; the others wait until they are."""
        tab = self._tabs.selected_index
        if tab == 0:
            self.formulae.show(self.model, self.index)
        elif tab == 1:
            self.plot.show(self.motion, self.index, self._curves.value)
        elif tab == 2:
            self._json.value = json.dumps(self.model.to_dict(), indent=1, ensure_ascii=False)
