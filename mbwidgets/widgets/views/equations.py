"""`EquationsView`: how the equations of motion are built, entry by entry   (Marković, Obradović)."""

from __future__ import annotations

from itertools import product
from typing import Any, Final

import ipywidgets
import traitlets

from ...errors import ModelError
from ...export.page.record import Choices
from ...model.library import opnchain_manipulator
from ...model.model import Model
from ...scene.look.shapes import model_size
from ...scene.page.strip import Strip
from ...symbolic import covariant
from ...symbolic.code.languages import LANGUAGES
from ...symbolic.papers.covariant import Covariant
from ..base.lifetime import Debounced, LatestOnly, blank_part, explain_error, result_or_error, unwrap_result
from ..edit.places import Place, editable_places
from ..parts.codebox import CodeBox
from ..parts.controls import Controls
from ..parts.finding import Finding
from ..parts.formulas import model_structure
from ..parts.heatmap import HeatMap
from ..parts.plots import Plot
from ..text.components import TENSORS, joint_labels
from ..text.derivation import Entry, entry_html, equations_html, kernel_disagreement, tensor_heatmap
from ..text.entry_finding import entry_numbers, marked_symbol
from ..text.readings import SECONDS
from .equations_page import EquationsPage
from .exercise import EXERCISE
from .vector_view import beside_stage

__all__ = ["EquationsView"]

SLOW: Final = 0.25
"""Seconds after which a derivation is said to be under way."""
ALL: Final = -1
"""Of the menu of rows."""
FORMS: Final = {"covariant": "covariant (5)", "contravariant": "contravariant (10)"}


class EquationsView(EquationsPage):
    """The tensors of the equations of motion as maps of their terms, any entry exactly, the equations, and code.

    Parameters
    ----------
    model : a tree of one-axis joints; the paper's five-axis manipulator unless told
    tensor : ``"metric"``, ``"christoffel"``, ``"gradient"``, ``"inverse"`` or ``"second kind"``
    place : the chosen entry, counted from 0: (3, 1) is a₄₂
    tau : efforts that drive the motion, as `simulate` takes them; the manipulator is exercised
    options : those of `View`

    Besides the traits of `View`, ``tensor``, ``place`` and ``form`` (``"covariant"`` or ``"contravariant"``) can be
    set and observed. ``map``, ``code`` and ``plot`` are its parts.

    >>> view = mb.EquationsView(mb.library.pendulum(2), duration=0.2)
    >>> view.tensor
    'metric'
    >>> view.close()
    """

    tensor = traitlets.Enum(list(TENSORS), "metric")
    place = traitlets.Tuple()
    form = traitlets.Enum(list(FORMS), "covariant")

    def __init__(
        self,
        model: Model | None = None,
        tensor: str = "metric",
        place: tuple[int, ...] | None = None,
        tau: Any = None,
        **options: Any,
    ) -> None:
        manipulator = opnchain_manipulator()
        model = manipulator if model is None else model
        if tau is None and model == manipulator:
            tau = EXERCISE
        self._tau = (model.velocity_names, tau)
        if place is None:  # the entry that the paper prints, where there is one
            place = (3, 1) if tensor == "metric" and model.nv > 3 else TENSORS[tensor].place((0, 0, 0))
        super().__init__(model, tensor=tensor, place=tuple(place), **options)

    def admit(self, model: Model) -> None:
        """A model without coordinates has no equations of motion."""
        if model.nv == 0:
            raise ModelError(
                "no coordinate is left, so there are no equations of motion",
                where=f"model {model.name!r}",
                remedy="give a body a joint that moves",
            )

    def options(self) -> dict[str, Any]:
        """The efforts go on as long as the mechanism is the one that they were made for."""
        names, tau = self._tau
        given = {} if tau is None or self.model.velocity_names != names else {"tau": tau}
        return {**super().options(), **given}

    def arrange(self) -> list[Any]:
        """Toolbar; stage and map; the entry, the equations, code and sliders."""
        self._found: tuple[Any, Covariant] | None = None
        self._coded: Any = None
        self._slow = Debounced(SLOW)
        self._work = LatestOnly(self._derived, self._failed)
        self.map = HeatMap()
        self.code = CodeBox()
        self.controls = Controls(self._move)
        self.page_solver.controls = self.controls
        player = self.picture.player
        self.plot, self.finding = Plot(player=player), Finding(player=player)
        self.strip = player.strip = Strip()
        self._kinds = ipywidgets.ToggleButtons(
            options=[(item.title, key) for key, item in TENSORS.items()], style={"button_width": "auto"}
        )
        self._entry = ipywidgets.HTMLMath(layout={"width": "auto"})
        self._check = ipywidgets.HTML()
        self._forms = ipywidgets.ToggleButtons(
            options=[(title, key) for key, title in FORMS.items()], style={"button_width": "auto"}
        )
        self._rows = ipywidgets.Dropdown(options=[("all", ALL)], description="row α", layout={"width": "220px"})
        self._equations = ipywidgets.HTMLMath(layout={"width": "100%", "overflow": "auto", "max_height": "560px"})
        top = beside_stage(self.scene, self.finding, self._kinds, self.map, self._check, below=(self._entry,))
        choice = ipywidgets.HBox([self._forms, self._rows], layout={"flex_flow": "row wrap", "grid_gap": "12px"})
        self.tabs = ipywidgets.Tab(
            [
                self.plot,
                ipywidgets.VBox([choice, self._equations]),
                self.code,
                self.controls,
            ],
            titles=("Over time", "Equations", "Code", "Sliders"),
        )
        return [self.toolbar, top, self.tabs]

    def _connect(self) -> None:
        super()._connect()
        traitlets.link((self, "tensor"), (self._kinds, "value"))
        traitlets.link((self, "form"), (self._forms, "value"))
        self.observe(self._on_tensor, "tensor")
        self.observe(lambda _: self.refresh(), "place")
        self.observe(lambda _: self.refresh(), "form")
        self.map.observe(self._on_cell, "chosen")
        self._rows.observe(lambda _: self.refresh(), "value")
        self.tabs.observe(lambda _: self.refresh(), "selected_index")

    @property
    def entry(self) -> str:
        """The HTML with LaTeX of the chosen entry."""
        return str(self._entry.value)

    @property
    def equations(self) -> str:
        """The HTML with LaTeX of the equations, once their tab has been opened."""
        return str(self._equations.value)

    @property
    def row(self) -> int:
        """Which equation is shown, from 0; −1 for all. It can be set."""
        return int(self._rows.value)

    @row.setter
    def row(self, value: int) -> None:
        self._rows.value = value

    @traitlets.validate("place")
    def _check_place(self, proposal: Any) -> tuple[int, ...]:
        order = TENSORS[self.tensor].order
        place = tuple(int(k) for k in proposal.value)
        if len(place) != sum(k >= 0 for k in order) or not all(0 <= k < self.model.nv for k in place):
            raise traitlets.TraitError(
                f"{self.tensor} has no entry {place}: give indices from 0 to {self.model.nv - 1}"
            )
        return place

    def choices(self, most: int) -> Choices | None:
        """The entries of all tensors, or those of the present one, where they are not too many for a page."""
        every = {
            key: list(product(range(self.model.nv), repeat=sum(k >= 0 for k in tensor.order)))
            for key, tensor in TENSORS.items()
        }
        if sum(map(len, every.values())) > most:
            every = {self.tensor: every[self.tensor]}
        entries = [(key, place) for key, places in every.items() for place in places]
        if len(entries) > most:
            return None
        menu = list(TENSORS)

        def choose(k: int) -> None:
            before, self.tabs.selected_index = self.tabs.selected_index, 0  # an entry is shown where it is seen
            self.tensor, place = entries[k]
            self.place = place
            self.tabs.selected_index = before

        parts = [(self._kinds, "index"), (self.map, "chosen")] if len(every) > 1 else [(self.map, "chosen")]
        values = [[menu.index(key), TENSORS[key].cell(place)][-len(parts) :] for key, place in entries]
        return Choices(parts, values, entries.index((self.tensor, self.place)), choose)

    def _move(self, place: Place, value: float) -> None:
        self.attempt(lambda model: place.write(model, value), place.key)

    def _on_tensor(self, change: Any) -> None:
        """Another tensor: its entry whose indices are those before, as far as they go."""
        before = [*self.place, 0, 0]
        count = sum(k >= 0 for k in TENSORS[change.new].order)
        if count != len(self.place):
            self.place = tuple(before[:count])
        else:
            self.refresh()

    def _on_cell(self, change: Any) -> None:
        place = TENSORS[self.tensor].place(change.new)
        if self.map.panels and place != self.place and max(place) < self.model.nv:
            self.place = place

    def show(self) -> None:
        """Show the motion with the axes of the chosen coordinates; derive what is in sight, away from the page."""
        bodies = [k for k, body in enumerate(self.model.bodies) for _ in range(body.joint.nv)]
        place = tuple(min(k, len(bodies) - 1) for k in self.place)
        if place != self.place:  # the model before had more coordinates: it is shown from there
            self.place = place
            return
        self.picture.show(self.motion, ("axis",), tuple(dict.fromkeys(bodies[k] for k in place)), self.index)
        with self.filling(self.controls):
            self.controls.show(
                editable_places(self.model, self.index, model_size(self.origin)), self.model, self.origin
            )
        self._list_rows()
        self._slow(self._say_busy)
        model, motion, tab, row = self.model, self.motion, self.tabs.selected_index, self._rows.value
        key, form = self.tensor, self.form
        coded = self._coded

        def work() -> dict[str, Any]:
            found = self._equations_of(model)
            done: dict[str, Any] = {"key": key, "place": place, "times": motion.t}
            done["sheet"] = result_or_error(lambda: tensor_heatmap(found, key, joint_labels(model)))
            done["check"] = result_or_error(lambda: kernel_disagreement(found, motion))
            done["entry"] = result_or_error(lambda: entry_html(found, model, key, place, motion))
            done["finding"] = result_or_error(lambda: entry_numbers(found, key, place, motion))
            if tab == 1:
                done["equations"] = result_or_error(lambda: equations_html(found, form, None if row == ALL else row))
            elif tab == 2 and coded != model_structure(model):
                done["coded"] = model_structure(model)
                done["code"] = result_or_error(lambda: {language: found.code(language) for language in LANGUAGES})
            return done

        self._work(work)

    def _list_rows(self) -> None:
        options = [("all", ALL), *((f"{k + 1}, {name}", k) for k, name in enumerate(self.model.velocity_names))]
        if [title for title, _ in options] != [title for title, _ in self._rows.options]:
            self._rows.options = options

    def _equations_of(self, model: Model) -> Covariant:
        """The equations of this structure; values of parameters do not change them."""
        structure = model_structure(model)
        if self._found is None or self._found[0] != structure:
            self._found = (structure, covariant(model, seconds=SECONDS))
        return self._found[1]

    def _say_busy(self) -> None:
        if self._found is None or self._found[0] != model_structure(
            self.model
        ):  # nothing of another model stays meanwhile
            for part in (self._entry, self._check, self._equations, self.plot, self.finding, self.strip):
                blank_part(part, "being derived …")
        self.map.busy = f"deriving: {TENSORS[self.tensor].title} …"

    def _failed(self, error: Exception) -> None:
        """There are no equations of this model: nothing stays of those before."""
        self._slow.cancel()
        self._coded, why = None, explain_error(error)
        parts = (self.map, self._check, self._entry, self._equations, self.plot, self.code, self.finding, self.strip)
        for part in parts:
            blank_part(part, why)

    def _derived(self, done: dict[str, Any]) -> None:
        """What was derived has come back."""
        self._slow.cancel()
        tensor = TENSORS[done["key"]]
        with self.filling(self.map):
            page = unwrap_result(done["sheet"])
            self.map.show(page.panels, tensor.cell(done["place"]), tensor.colour, tensor.symmetric, page.note)
        with self.filling(self._check):
            self._check.value = unwrap_result(done["check"])
        with self.filling(self._entry, self.plot, self.strip):
            self._show_entry(unwrap_result(done["entry"]), done["times"], tensor.colour)
        with self.filling(self.finding):
            self.finding.take(self.finding_look(done["key"], done["place"]), unwrap_result(done["finding"]))
        if "equations" in done:
            with self.filling(self._equations):
                self._equations.value = unwrap_result(done["equations"])
        if "code" in done:
            self._coded = None
            with self.filling(self.code):
                self.code.show(unwrap_result(done["code"]))
                self._coded = done["coded"]

    def _show_entry(self, found: Entry, times: Any, colour: str) -> None:
        self._entry.value = found.html
        title = f"{found.symbol} along the motion"
        self.plot.draw(title, found.unit, [found.symbol], times, found.values[:, None], (colour,))
        self.strip.take(Strip.look_of(marked_symbol(found.symbol), title, found.unit, colour), found.values)

    def finish(self) -> None:
        """As `View.finish`; nothing is under way any more."""
        super().finish()
        self.map.busy = ""

    def close(self) -> None:
        """Free every widget; what is being derived is forgotten."""
        self._slow.cancel()
        self._work.close()
        super().close()
