"""The page thinks: a slider that is moved is answered where it is, by the kernels in the page.

The page gets the problem once, and solves it anew for every value. With a kernel in Python behind it, that hears of a
value when the slider rests; both run the same kernels, and their frames have the same bits.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import anywidget
import traitlets
from ipywidgets import widget_serialization

from ...errors import MbwidgetsError, error_reason
from ...model.model import Model
from ...numeric.motion.motion import Motion
from ...numeric.simulation.page_problem import lettered_pack, page_problem
from ...scene.page.javascript import join_modules, read_stylesheet
from ...scene.page.kernel_box import kernel_box
from ...scene.stage.page_guides import page_guides
from ...scene.stage.picture import Picture
from .health import WORDS

__all__ = ["Live"]

AXIS: Final = re.compile(r"(?:axis|second) \d+ x")
"""Key of the first component of an axis."""
DRIVEN: Final = "Efforts given in Python act: only Python computes their motion."


class Live(anywidget.AnyWidget):
    """Solves in the page what its sliders ask for, and shows it in the player, the plot and the line of health."""

    _esm = join_modules(Path(__file__).parent / "live.js")
    _css = read_stylesheet(Path(__file__).parent / "live.css")

    kernels = traitlets.Any().tag(sync=True, **widget_serialization)
    player = traitlets.Any().tag(sync=True, **widget_serialization)
    controls = traitlets.Any(None, allow_none=True).tag(sync=True, **widget_serialization)
    plot = traitlets.Any(None, allow_none=True).tag(sync=True, **widget_serialization)
    panel = traitlets.Any(None, allow_none=True).tag(sync=True, **widget_serialization)
    """The panel with the model as text."""
    health = traitlets.Any(None, allow_none=True).tag(sync=True, **widget_serialization)
    problem: Any = traitlets.Dict().tag(sync=True)
    """The document of `page_problem`; empty where the kernel must answer."""
    values: Any = traitlets.List().tag(sync=True)
    """The values of the problem's parameters, as they were when the kernel last spoke."""
    origin: Any = traitlets.List().tag(sync=True)
    """Those that reset goes back to."""
    wanted: Any = traitlets.Dict().tag(sync=True)
    """What is drawn of a motion: arrows, their units, springs and rods, curves."""
    hand = traitlets.Any(None, allow_none=True).tag(sync=True, **widget_serialization)
    """The hand that takes bodies of the picture."""
    handles = traitlets.Any(None, allow_none=True).tag(sync=True, **widget_serialization)
    """Those of the picture, if there are any."""
    note = traitlets.Unicode().tag(sync=True)
    """Why the page cannot answer."""
    words: Any = traitlets.Dict(WORDS).tag(sync=True)
    """What the line of health says."""
    choices: Any = traitlets.Dict().tag(sync=True)
    """In a page without a kernel: what its menus choose, of each body its sliders and curves."""

    def __init__(self, player: Any, health: Any) -> None:
        super().__init__(kernels=kernel_box(), player=player, health=health)

    @property
    def movable(self) -> list[str]:
        """Keys of the sliders that the page can answer."""
        moves, names = self.problem.get("moves", {}), self.problem.get("names", [])
        angles = [f"{name[:-1]}{k}" for name in names if AXIS.match(name) for k in (0, 1)]
        tables = self.wanted.get("tables") or {}
        own = [*tables.get("keys", []), *tables.get("rotation", {}).get("keys", [])]
        found = [*moves.get("aliases", {}), *names, *angles, *own]
        return [key for key in found if key not in moves.get("notes", {})]

    def show(
        self,
        motion: Motion,
        origin: Model,
        duration: float,
        picture: Picture,
        curves: dict[str, Any] | None = None,
        tables: dict[str, Any] | None = None,
        given: Callable[[Model], Model] = lambda model: model,
    ) -> None:
        """Let the page be ready for what is shown; a motion with efforts of Python's own stays with the kernel.

        ``origin`` is the model that reset goes back to; ``tables`` are those of `page_tables`, and ``given`` makes the
        model that the page is given: the same one, perhaps with more parameters.
        """
        try:
            model, frames = given(motion.model), len(motion) - 1
            if motion.efforts is not None and model.forces == motion.model.forces:
                self.rest(DRIVEN)
                return
            problem = page_problem(model, duration, frames)
            start = page_problem(given(origin), duration, frames) if origin is not motion.model else problem
            drawing = picture.for_page(lettered_pack(model))
            guides = page_guides(motion, model, picture.stage.setting.upright[2])
        except MbwidgetsError as error:
            self.rest(error_reason(error))
            return
        with self.hold_sync():
            if not _same_problem(problem, self.problem):
                self.problem = problem
            self.values = problem["values"]
            self.origin = start["values"] if start["names"] == problem["names"] else problem["values"]
            self.wanted = {**drawing, "curves": curves, "tables": tables, "guides": guides}
            self.note = ""

    def draw_curves(self, curves: dict[str, Any] | None) -> None:
        """Let the page draw other curves, or none, in the plot."""
        if self.wanted:
            self.wanted = {**self.wanted, "curves": curves}

    def with_curves(self, curves: dict[str, Any]) -> dict[str, Any]:
        """The traits for a page that draws these curves too."""
        return {"wanted": {**self.wanted, "curves": curves}}

    def rest(self, why: str) -> None:
        """Let the kernel answer, and say why."""
        with self.hold_sync():
            self.problem, self.values, self.origin, self.note = {}, [], [], why


def _same_problem(new: dict[str, Any], old: dict[str, Any]) -> bool:
    """Whether only values differ."""
    return new.keys() == old.keys() and all(value == old[name] for name, value in new.items() if name != "values")
