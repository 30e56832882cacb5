"""The Explorer: a mechanism in the hand. Move a slider, and the motion, the arrows and the formulae follow."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator, Mapping
from typing import Any, Final

import ipywidgets
import traitlets

from ...errors import ModelError, UnknownNameError
from ...model import library
from ...model.arguments import as_model
from ...model.fields import suggest_name
from ...model.model import Model
from ...numeric.motion.traced_motion import parameters_of
from ...scene.look.shapes import model_size
from ...scene.quantities.free_body_quantities import free_body_vectors, holds_moments
from ...scene.quantities.motion_quantities import find_quantity
from ...scene.stage.letters import lettered_pins
from ..edit.place import Place
from ..edit.places import editable_places
from ..parts.controls import Controls
from ..parts.formulas import FormulaPanel, model_structure
from ..parts.model_panel import ModelPanel
from ..parts.plots import CURVES, Plot, page_curves
from ..parts.readout import Readout
from ..parts.terms import Terms
from .explorer_page import TRAIL_COLOURS, page_choices
from .explorer_terms import equation_look, equation_values, force_look, force_values, quick_equations
from .exported import PageParts
from .page_tables import Fill, page_tables
from .page_variants import MOST_BODIES, Menu, fill_variants
from .vector_view import SIZES, beside_stage
from .view import View
from .with_findings import WithFindings

__all__ = ["Explorer"]

SCOPES: Final = (("this body", "selected"), ("all bodies", "all"))


def first_vectors(model: Model) -> tuple[str, ...]:
    """What is drawn at first: all forces on a body and the acceleration of its mass centre, which close; moments."""
    moment = ("moment",) if holds_moments(model) else ()
    return (*free_body_vectors(model), *moment, "acceleration")


class Explorer(WithFindings, View):
    """A model in three dimensions, with sliders, vectors, formulae and plots.

    Parameters
    ----------
    model : what to explore
    vectors : keys of the quantities to draw for the selected body; unless given all forces on it, which add up to m a_C
    presets : models of your own for the menu of models, by their names; those of the library are there already
    options : those of `View`: selected, duration, rate, width, height, theme

    Besides the traits of `View` these can be set and observed: ``vectors``; ``scope``, whether they are drawn for
    the ``"selected"`` body or for ``"all"``; ``scales``, metres on the stage for one unit of a quantity, for those
    that are not scaled automatically; ``freedoms``, whether each body tells its name and what its joint lets it do.

    >>> view = mb.Explorer(mb.library.pendulum(1), duration=1)
    >>> view.model = view.model.with_values(m=2)  # as a slider does
    >>> round(float(view.motion.energy.potential[0] - view.motion.energy.potential.min()), 3)  # J
    13.885
    >>> view.close()
    """

    opens_at_peak = True
    thinks = True
    python_alone = ("another kind of joint",)
    vectors = traitlets.Tuple()
    scope = traitlets.Enum(["selected", "all"], "selected")
    scales: Any = traitlets.Dict()
    freedoms = traitlets.Bool(False)

    def __init__(
        self,
        model: Model,
        vectors: tuple[str, ...] | None = None,
        presets: Mapping[str, Model] | None = None,
        **options: Any,
    ) -> None:
        vectors = first_vectors(as_model(model)) if vectors is None else vectors
        for key in vectors:
            find_quantity(key)
        self._given = dict(presets or {})
        super().__init__(model, vectors=tuple(vectors), **options)

    def arrange(self) -> list[Any]:
        """Toolbar; stage, sliders and vectors; formulae, plots and the model's file."""
        player = self.picture.player
        self._azimuths: dict[str, float] = {}
        self.controls = Controls(self._move)
        self.readout = Readout(player=player)
        self.plot = Plot(player=player)
        self.formulae = FormulaPanel(player)
        self.force_terms, self.equation_terms = Terms(player=player), Terms(player=player)
        self.force_terms.add_class("mbw-told")  # in a lecture too
        self._equations: tuple[Any, Any] | None = None
        self.text = ModelPanel()
        self.page_solver.controls, self.page_solver.plot = self.controls, self.plot
        self.page_solver.panel = self.text
        self._curves = ipywidgets.Dropdown(
            options=[(item.title, key) for key, item in CURVES.items()],
            description="plot",
            layout={"width": "420px", "max_width": "calc(100% - 4px)"},
            style={"description_width": "34px"},
        )
        self._sizes = ipywidgets.Dropdown(
            options=SIZES,
            value=1.0,
            description="arrows",
            layout={"width": "104px"},
            style={"description_width": "44px"},
        )
        self._scope = ipywidgets.Dropdown(
            options=SCOPES, description="of", layout={"width": "112px"}, style={"description_width": "16px"}
        )
        self._trail = ipywidgets.ToggleButton(
            True,
            description="trail",
            tooltip="Where mass centres were",
            layout={"width": "auto", "padding": "0 4px"},
        )
        self._trace = ipywidgets.ToggleButton(
            False,
            description="trace",
            tooltip="Where the tips of forces were",
            layout={"width": "auto", "padding": "0 4px"},
        )
        self._ghost = ipywidgets.ToggleButton(
            True,
            description="ghost",
            tooltip="The motion before the last change, pale",
            layout={"width": "auto", "padding": "0 4px"},
        )
        self._presets = ipywidgets.Dropdown(
            options=[("…", ""), *((name, name) for name in (*self._given, *library.names()))],
            description="load",
            tooltip="Another model",
            layout={"width": "80px"},
            style={"description_width": "28px"},
        )
        self._scope.add_class("mbw-plain-menu")
        self.toolbar.insert(self._sizes, self._scope, self._trail, self._trace, self._ghost, self._presets)
        plots = ipywidgets.VBox([self._curves, self.plot])
        self._tabs = ipywidgets.Tab([self.formulae, plots, self.text], titles=("Formulae", "Plots", "Model"))
        below = (self.force_terms, self.equation_terms)
        return [self.toolbar, beside_stage(self.scene, self.controls, self.readout, below=below), self._tabs]

    @contextlib.contextmanager
    def for_page(self) -> Iterator[PageParts]:
        """The tabs that have not been seen yet, filled, and all that can be chosen."""
        with page_choices(self) as (choices, spare):
            curves = page_curves(self.motion, self.index, self._curves.value)
            wanted = self.page_solver.with_curves(curves)["wanted"]
            yield PageParts(
                {
                    self.plot.model_id: self.plot.state_of(self.motion, self.index, self._curves.value),
                    self.text.model_id: self.text.state_of(self.model),
                    self.page_solver.model_id: {
                        "wanted": {**wanted, "tables": fill_variants(self, self._body_menus())},
                        "choices": choices,
                    },
                    self.readout.model_id: {"missing": {**self.readout.missing, **choices["missing"]}},
                },
                spare,
            )

    def findings(self) -> list[Fill]:
        """The force in the joint and its equation of motion, term by term."""
        index, model = self.index, self.model
        return [
            Fill(
                self.force_terms,
                lambda motion: force_values(motion, index),
                ("selected",),
                lambda: force_look(model, index, lettered_pins(model, self.picture.stage.setting.feet_of(model))),
                freely=True,
            ),
            Fill(
                self.equation_terms,
                lambda motion: equation_values(motion, index, self._quick()),
                ("selected",),
                lambda: equation_look(model, index, self._quick()),
                freely=True,
            ),
        ]

    def page_fills(self) -> list[Fill]:
        """What a page tells of a motion: the same."""
        return self.findings()

    def _body_menus(self) -> list[Menu]:
        """The menu of bodies; of more than a page has room for only the selected one is told."""
        bodies = tuple(body.name for body in self.model.bodies)
        told = None if len(bodies) <= MOST_BODIES else (self.index,)
        return [Menu("selected", self.toolbar.children[0], bodies, told)]

    def _quick(self) -> Any:
        """The exact equations of this structure, where they take milliseconds; values do not change them."""
        structure = model_structure(self.model)
        if self._equations is None or self._equations[0] != structure:
            self._equations = (structure, quick_equations(self.model))
        return self._equations[1]

    def page_tables(self) -> dict[str, Any] | None:
        """The programs of the terms."""
        return page_tables(self.motion, self.findings(), None, {}, (), parameters_of(self.model))

    def menus_in_page(self) -> dict[str, str]:
        """Ids of the menus that a page answers."""
        own = {
            "plot": self._curves,
            "scope": self._scope,
            "sizes": self._sizes,
            "trail": self._trail,
            "trace": self._trace,
            "ghost": self._ghost,
        }
        ids = {name: str(item.model_id) for name, item in own.items()}
        return {"body": self.toolbar.body_menu, "formula": self.formulae.ids["menu"], **ids}

    def vector_table(self) -> Any:
        """That of vectors."""
        return self.readout

    def ticks_in_page(self) -> str:
        """Id of the table of vectors."""
        return str(self.readout.model_id)

    @property
    def magnify(self) -> float:
        """How much longer than usual all arrows are."""
        return float(self._sizes.value)

    @property
    def azimuths(self) -> dict[str, float]:
        """Those of axes at a pole, which are remembered."""
        return self._azimuths

    def _connect(self) -> None:
        super()._connect()
        self.observe(lambda _: self.refresh(), ["vectors", "scope", "scales", "freedoms"])
        self._links += [traitlets.link((self, "scope"), (self._scope, "value"))]
        self._links += [traitlets.link((self._ghost, "value"), (self.picture.player, "ghost"))]
        self.readout.observe(self._on_chosen, "chosen")
        self.readout.observe(self._on_scales, "scales")
        self._sizes.observe(lambda _: self.refresh(), "value")
        self._trail.observe(lambda _: self._show_trails(), "value")
        self._trace.observe(lambda _: self._show_trails(), "value")
        self.observe(lambda _: self._show_instant(), "time")
        self._presets.observe(self._on_preset, "value")
        self._curves.observe(lambda _: self._turn_to_tab(), "value")
        self._tabs.observe(lambda _: self._turn_to_tab(), "selected_index")

    @traitlets.validate("vectors")
    def _check_vectors(self, proposal: Any) -> tuple[str, ...]:
        return tuple(find_quantity(key).key for key in proposal.value)

    def fit(self) -> None:
        """Turn the camera to the mechanism and its arrows as they are from now on, and scale the arrows anew."""
        self.picture.refit(self.motion.index(self.time))
        self.refresh()
        super().fit()

    def _on_pick(self) -> None:
        """What was clicked twice is selected; for a joint its sliders are shown."""
        super()._on_pick()
        if self.picture.is_joint(self.picture.stage.picker.object):
            self.controls.reveal("Joint")

    def _move(self, place: Place, value: float) -> None:
        """A slider was moved."""
        before = self.model
        self.attempt(lambda model: place.write(model, value), place.key)
        if self.model is before:  # an angle at a pole changes no axis, yet is remembered
            self._show_controls()

    def _show_controls(self) -> None:
        with self.filling(self.controls):
            found = editable_places(self.model, self.index, model_size(self.origin), self._azimuths)
            self.controls.show(found, self.model, self.origin)

    def _on_model(self, change: Any) -> None:
        """Another mechanism has other forces; vectors that were chosen stay."""
        if self.vectors == first_vectors(change.old):
            self.vectors = first_vectors(change.new)
        super()._on_model(change)

    def _on_chosen(self, change: Any) -> None:
        self.vectors = tuple(change.new)

    def _on_preset(self, change: Any) -> None:
        if change.new:
            self.load(change.new)
            self._presets.value = ""

    def load(self, name: str) -> None:
        """Explore a model of the menu: one of ``presets``, or of the library."""
        known = {*self._given, *library.names()}
        if name not in known:
            raise UnknownNameError(f"no model {name!r}", remedy=suggest_name(name, sorted(known)))
        model = self._given[name] if name in self._given else getattr(library, name)()
        self.attempt(lambda _: model, given=True)

    def _on_scales(self, change: Any) -> None:
        try:
            self.scales = change.new
        except (ModelError, UnknownNameError) as error:
            self.show_error(error)

    @traitlets.validate("scales")
    def _check_scales(self, proposal: Any) -> dict[str, float]:
        for key, value in proposal.value.items():
            if not isinstance(value, int | float) or not 0 < value < math.inf:
                raise ModelError(f"scale {value!r} of {key!r} is not positive", remedy="give metres for one unit")
        return {find_quantity(key).key: float(value) for key, value in proposal.value.items()}

    @property
    def indices(self) -> tuple[int, ...]:
        """The bodies whose vectors and trails are drawn."""
        return tuple(range(len(self.model.bodies))) if self.scope == "all" else (self.index,)

    def show(self) -> None:
        """Show the motion everywhere, the picture first."""
        index = self.index
        self.picture.freedoms = self.freedoms
        self.picture.show(self.motion, self.vectors, self.indices, index, self.magnify, self.scales)
        title = "Vectors of all bodies" if self.scope == "all" else f"Vectors of {self.selected}"
        with self.filling(self.readout):
            self.readout.show(self.picture, self.model, self.vectors, self.scales, f"{title}, world axes")
        self._show_controls()
        self._show_trails()
        self._show_terms()
        self._show_tab()

    def tell_page(self) -> None:
        """As `View.tell_page`, with the curves in sight."""
        shown = self.motion, self.origin, self.duration, self.picture
        self.page_solver.show(*shown, self._page_curves(), self.page_tables())

    def _show_trails(self) -> None:
        """Draw, or do not draw, where the bodies' mass centres and the tips of forces were."""
        paths = list[Any]()
        wanted = self.indices if self._trail.value else ()
        with self.filling(aloud=True):
            paths = [self.picture.drawn_centre(self.motion, index) for index in wanted]
        wanted = wanted[: len(paths)]
        colours = [TRAIL_COLOURS[index != self.index] for index in wanted]
        self.picture.trails([], list(zip(paths, colours, strict=True)))
        self.picture.trace_forces(bool(self._trace.value))

    def _show_instant(self) -> None:
        """The time stands somewhere else: values in the formulae follow."""
        if self._tabs.selected_index == 0 and self.is_current:
            self._show_tab()

    def _turn_to_tab(self) -> None:
        self._show_tab()
        self.page_solver.draw_curves(self._page_curves())

    def _page_curves(self) -> dict[str, Any] | None:
        """What the page draws in the plot, where that is in sight."""
        return page_curves(self.motion, self.index, self._curves.value) if self._tabs.selected_index == 1 else None

    def _show_terms(self) -> None:
        """Fill what stands beneath the stage; it knows nothing of a hand that pulls."""
        if self.motion.model is self.model:
            self.show_findings()
            return
        for part in (self.force_terms, self.equation_terms):
            part.blank(f"{self.grabbing.words}: the terms do not add up meanwhile")

    def _show_tab(self) -> None:
        """Fill the tab that is in sight; the others wait until they are."""
        tab = self._tabs.selected_index
        if tab == 0 and self.motion.model is not self.model:
            self.formulae.blank(f"{self.grabbing.words}: the formulae, which are the model's, do not hold meanwhile")
        elif tab == 0:
            with self.filling(self.formulae):
                self.formulae.show(self.model, self.index, self.motion, self.time)
        elif tab == 1:
            self.plot.show(self.motion, self.index, self._curves.value)
        elif tab == 2:
            with self.filling(self.text):
                self.text.show(self.model)
