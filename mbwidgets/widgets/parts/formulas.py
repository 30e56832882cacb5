"""Formulae of the mechanism, exact and typeset; they come after the motion and never hold it up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import ipywidgets

from ...model.model import Model
from ...numeric.motion.motion import Motion
from ..base.lifetime import Debounced, LatestOnly, blank_part, close_tree, explain_error, result_or_error, trouble_html
from ..text.paragraphs import note_html
from ..text.readings import FORMULAE, SECONDS, Group, Reading, formula_groups
from ..text.typesetting import DECIMAL_NOTE, READABLE, SIZE_NOTE, Instant, aligned_lines, formula_groups_html
from .pointing import Pointing

__all__ = [
    "DECIMAL_NOTE",
    "FORMULAE",
    "READABLE",
    "SECONDS",
    "FormulaPanel",
    "Group",
    "Reading",
    "aligned_lines",
    "formula_html",
    "groups_html",
    "model_structure",
]

FORMS: Final = (("in symbols", "symbols"), ("in numbers", "numbers"), ("symbols and numbers", "both"))
PAUSE: Final = 0.1
"""Seconds without a change before a formula is derived: under a slider's drag the motion has the processor."""
SLOW: Final = 0.25
"""Seconds after which a derivation is said to be under way: the formula of another model does not stand there."""
KEPT: Final = 6
"""Derivations that are kept, so that a change of the time derives nothing anew."""


class FormulaPanel(ipywidgets.VBox):
    """A menu of formulae and the chosen one, typeset. It is derived after the motion has been sent.

    With a ``player`` a line that is pointed at lights its arrow, and the reverse.
    """

    def __init__(self, player: Any = None) -> None:
        self._menu = ipywidgets.Dropdown(
            options=[(item.title, key) for key, item in FORMULAE.items()],
            description="formula",
            layout={"width": "460px", "max_width": "calc(100% - 4px)"},
            style={"description_width": "54px"},
        )
        self._form = ipywidgets.Dropdown(
            options=FORMS,
            description="written",
            layout={"width": "240px", "max_width": "calc(100% - 4px)"},
            style={"description_width": "50px"},
        )
        self._text = ipywidgets.HTMLMath(layout={"overflow": "auto", "max_height": "420px"})
        self._later, self._slow = Debounced(PAUSE), Debounced(SLOW)
        self._work = LatestOnly(self._typeset, lambda error: self.blank(explain_error(error)))
        self._shown: Any = None
        self._subject: tuple[Model, int, Instant] | None = None
        self._derived: list[tuple[Any, list[Group]]] = []
        self._choice = ipywidgets.HBox(
            [self._menu, self._form], layout={"flex_flow": "row wrap", "grid_gap": "2px 12px"}
        )
        self._pointing = [] if player is None else [Pointing(player=player)]
        super().__init__([self._choice, self._text, *self._pointing])
        self.add_class("mbw-formulae")
        self._menu.observe(lambda _: self._ask(), "value")
        self._form.observe(lambda _: self._ask(), "value")

    @property
    def text(self) -> str:
        """The HTML with LaTeX that is shown."""
        return str(self._text.value)

    @property
    def kind(self) -> str:
        """Which of `FORMULAE` is shown; it can be set."""
        return str(self._menu.value)

    @kind.setter
    def kind(self, value: str) -> None:
        self._menu.value = value

    @property
    def form(self) -> str:
        """``"symbols"``, ``"numbers"`` or ``"both"``; it can be set."""
        return str(self._form.value)

    @form.setter
    def form(self, value: str) -> None:
        self._form.value = value

    @property
    def menu(self) -> Any:
        """The widget in which the formula is chosen."""
        return self._menu

    @property
    def written(self) -> Any:
        """The widget that shows it."""
        return self._text

    @property
    def ids(self) -> dict[str, str]:
        """Of the menu of formulae, and of the text."""
        return {"menu": str(self._menu.model_id), "text": str(self._text.model_id)}

    def show(self, model: Model, index: int, motion: Motion | None = None, time: float = 0.0) -> None:
        """Show the chosen formula of a model and its selected body, as soon as there is time.

        Values are those of the motion's frame at ``time``; without a motion those of the initial state.
        """
        self._subject = (model, index, Instant.start(model) if motion is None else instant_of(motion, time))
        self._ask()

    def _ask(self) -> None:
        self._later(self._derive)

    def _derive(self) -> None:
        if self._subject is None:
            return
        model, index, instant = self._subject
        # parameters are letters: their values change a formula only where numbers stand in its place
        what = (model_structure(model), index, self.kind)
        valued = self.form != "symbols" or SIZE_NOTE in self.text
        wanted = (what, self.form, (model, instant.t) if valued else None)
        if self._shown == wanted:
            return
        self._shown = wanted
        form = self.form
        self._slow(lambda: self._text.set_trait("value", note_html("Being derived …")))
        self._work(lambda: self._html(what, model, instant, form))

    def _html(self, what: Any, model: Model, instant: Instant, form: str) -> str:
        """Off the event loop: derive what is not known, and write it."""
        _, index, kind = what
        found = next((known for key, known in self._derived if key == what), None)
        if found is None:
            found = formula_groups(FORMULAE[kind], model, index)
            self._derived = [(what, found), *self._derived[: KEPT - 1]]
        return formula_groups_html(found, instant, form, model.coordinate_names)

    def blank(self, why: str) -> None:
        """No formula, and why."""
        self._slow.cancel()
        self._later.cancel()
        self._work.cancel()
        self._shown = None
        blank_part(self._text, why)

    def _typeset(self, text: str) -> None:
        self._slow.cancel()
        self._text.value = text

    def close(self) -> None:
        """Free it in the page; what waits is forgotten."""
        self._slow.cancel()
        self._later.cancel()
        self._work.close()
        for child in (self._choice, self._text, *self._pointing):
            close_tree(child)
        self._subject, self._derived = None, []
        super().close()


def instant_of(motion: Motion, time: float) -> Instant:
    """The state of the frame nearest to a time."""
    k = motion.index(time)
    words = f"at t = {motion.t[k]:.3f} s"
    return Instant(motion.q[k], motion.u[k], motion.ud[k], float(motion.t[k]), words, motion.model.values)


def model_structure(model: Model) -> tuple[Any, ...]:
    """All of a model that its formulae are made of."""
    return (model.bodies, model.gravity, model.forces, model.constraints, tuple(model.parameters))


def groups_html(groups: Sequence[Group], model: Model) -> str:
    """Groups of formulae in letters, as HTML."""
    return formula_groups_html(groups, Instant.start(model), "symbols", model.coordinate_names)


def formula_html(model: Model, index: int, reading: Reading, form: str = "symbols") -> str:
    """The formula in LaTeX, or why there is none: too long, too slow, or not of this kind of joint."""
    start, names = Instant.start(model), model.coordinate_names
    found = result_or_error(lambda: formula_groups_html(formula_groups(reading, model, index), start, form, names))
    return trouble_html(explain_error(found)) if isinstance(found, Exception) else found
