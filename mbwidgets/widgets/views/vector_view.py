"""A view with arrows of its own, sliders of the model and of the view, and tables that follow the player."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import ipywidgets
import numpy as np

from ...errors import ModelError
from ...model.model import Model
from ...numeric.motion.motion import Motion
from ...numeric.motion.traced_motion import parameters_of
from ...numeric.packing.traced_numbers import lengths_of
from ...scene.look.shapes import model_size
from ...scene.stage.own_arrows import OwnArrow, OwnArrowPicture
from ..base.pace import slow_motion
from ..edit.places import Place, editable_places
from ..parts.controls import Controls
from ..parts.ledger import Column
from ..parts.plots import Plot
from .exported import PageParts
from .page_tables import Fill, Stale, page_tables, reference_to
from .page_variants import MOST_BODIES, Menu, page_variants, present_arrows
from .page_words import Words
from .view import View
from .with_findings import WithFindings

__all__ = [
    "COMPONENTS",
    "VECTOR",
    "TabPages",
    "VectorView",
    "append_length",
    "beside_stage",
    "draw_curves",
    "labelled_menu",
    "own_place",
]

TabPages = tuple[tuple[Any, ...], ...]
"""Of each tab a function, and the parts that it fills."""
SIZES: Final = (("½ ×", 0.5), ("1 ×", 1.0), ("2 ×", 2.0), ("4 ×", 4.0))
COMPONENTS: Final = ("x", "y", "z")
VECTOR: Final = (*(Column(name) for name in COMPONENTS), Column("length"))
"""Columns of a vector."""


class VectorView(WithFindings, View):
    """The common part of the views of mass moments, rotators and reactions.

    A subclass gives `own_places`, sliders of what belongs to the view and not to the model, and draws with
    ``self.draw``.
    """

    picture: OwnArrowPicture
    tabs: Any
    picture_type = OwnArrowPicture
    opened: tuple[str, ...] = ("Parameters",)
    """Groups of sliders that are unfolded at first."""

    def arrange(self) -> list[Any]:
        """Sliders and the menu of arrow sizes; a subclass puts them in their place."""
        # what is found comes first beside the stage, and sliders last, as high as they need
        self.controls = Controls(self._move, opened=list(self.opened), layout={"height": "auto", "max_height": "330px"})
        self._sizes = labelled_menu("arrows", SIZES, 1.0, "125px", "46px")
        self._sizes.observe(lambda _: self.refresh(), "value")
        self.toolbar.insert(self._sizes)
        self.page_solver.controls = self.controls
        return [self.toolbar, self.scene]

    def play_speed(self) -> float:
        """A short motion plays in slow motion, whoever made it short: arrows are to be read."""
        return slow_motion(self.duration)

    def page_arrows(self, motion: Any) -> Sequence[OwnArrow]:
        """The arrows of a motion, also of a traced one: those that are drawn, in the same order."""
        raise ModelError("the page does not tell these arrows")

    def page_fills(self) -> list[Fill]:
        """What the parts in sight show of a motion, as functions that run on a traced one too."""
        return []

    word_menus: tuple[str, ...] = ("selected",)
    """Names of the menus on which the words depend."""

    def page_words(self) -> list[Words]:
        """What is said of the whole motion."""
        return []

    def tab_pages(self) -> TabPages:
        """Of each tab what fills it, and the parts that it fills."""
        return ()

    def _show_tab(self) -> None:
        """Fill the tab in sight; the others wait until they are."""
        if self.is_current:
            self._fill_tab(self.tabs.selected_index or 0)

    def fill_unseen(self) -> None:
        """All tabs, for a page."""
        for tab in range(len(self.tab_pages())):
            self._fill_tab(tab)

    def _fill_tab(self, tab: int) -> None:
        show, *parts = self.tab_pages()[tab]
        with self.filling(*parts):
            show()

    def page_never(self) -> list[Any]:
        """Parts that no page fills: they are emptied there when a slider is moved, and say why."""
        return []

    def page_stale(self) -> list[Stale]:
        """Words about the present motion that a page cannot say of another one."""
        return []

    def own_numbers(self) -> dict[str, float]:
        """The numbers that the view's own sliders move, by their keys: `own_number` finds them in a traced motion."""
        return {}

    arrow_menus: tuple[str, ...] = ()
    """Names of the menus that choose which arrows are drawn."""

    def page_menus(self) -> list[Menu]:
        """The menus that a page without a kernel answers."""
        return []

    def body_menu(self) -> list[Menu]:
        """That of bodies, where a page can hold them all."""
        names = tuple(body.name for body in self.model.bodies)
        return [Menu("selected", self.toolbar.children[0], names)] if len(names) <= MOST_BODIES else []

    def every_arrow(self) -> dict[str, Any]:
        """The choice with which `page_arrows` gives all arrows that can be ticked."""
        return {}

    @property
    def arrow_size(self) -> float:
        """How much longer than usual all arrows are."""
        return float(self._sizes.value)

    @contextlib.contextmanager
    def for_page(self) -> Iterator[PageParts]:
        """All that can be chosen."""
        with page_variants(self) as (tables, spare):
            wanted = {**self.page_solver.wanted, "tables": tables, "arrows": present_arrows(self, tables)}
            yield PageParts({self.page_solver.model_id: {"wanted": wanted}}, spare)

    def menus_in_page(self) -> dict[str, str]:
        """Ids of the menus that a page answers."""
        menus = {menu.name: str(menu.widget.model_id) for menu in self.page_menus()}
        return {**menus, "sizes": str(self._sizes.model_id)}

    def sizes_in_page(self) -> dict[str, Any]:
        """The menu of how long arrows are, what it offers, and the present one."""
        return {"part": reference_to(self._sizes), "values": [size for _, size in SIZES], "now": self.arrow_size}

    def page_tables(self) -> dict[str, Any] | None:
        """The programs by which a page fills the view's parts."""
        names = parameters_of(self.page_model(self.model))
        told = self.page_fills(), self.page_arrows, self.own_numbers(), self.page_words()
        return page_tables(self.motion, *told, names, self.page_stale(), self.page_never())

    def own_places(self) -> list[Place]:
        """Sliders of the view itself; `own_place` makes them."""
        return []

    def draw(self, arrows: Callable[[], Sequence[OwnArrow]], motion: Motion | None = None) -> None:
        """Draw the motion, or one like it, with what ``arrows`` gives, and show the sliders.

        Arrows that cannot be computed are not drawn, and it is said why.
        """
        found: Sequence[OwnArrow] = ()
        with self.filling(aloud=True):
            found = arrows()
        shown = self.motion if motion is None else motion
        self.picture.draw(shown, found, self.index, self.arrow_size)
        with self.filling(self.controls):
            rows = [*self.own_places(), *editable_places(self.model, self.index, model_size(self.origin))]
            self.controls.show(rows, self.model, self.origin)

    def fit(self) -> None:
        """Turn the camera to what is shown from now on, and scale the arrows anew."""
        self.picture.refit(self.motion.index(self.time))
        self.refresh()
        super().fit()

    def _move(self, place: Place, value: float) -> None:
        """A slider was moved; one of the view's own leaves the model as it is."""
        self.attempt(lambda model: place.write(model, value), place.key)


def own_place(
    key: str,
    group: str,
    title: str,
    unit: str,
    span: tuple[float, float],
    read: Callable[[], float],
    write: Callable[[float], None],
) -> Place:
    """A slider of a number that the view keeps."""

    def moved(model: Model, value: float) -> Model:
        write(value)
        return model

    return Place(key, group, title, unit, *span, lambda _: read(), moved)


def append_length(vector: np.ndarray) -> np.ndarray:
    """x, y, z and the length (frames, 4)."""
    return np.column_stack([vector, lengths_of(vector)])


def draw_curves(
    plot: Plot, motion: Motion, title: str, unit: str, names: Sequence[str], colours: Sequence[str], values: Any
) -> None:
    """Draw values (frames, k) over the player's time."""
    plot.draw(title, unit, list(names), motion.t, np.asarray(values), list(colours))


def labelled_menu(text: str, options: Any, value: Any, width: str, label: str) -> Any:
    """A menu in a row of menus."""
    return ipywidgets.Dropdown(
        options=options, value=value, description=text, layout={"width": width}, style={"description_width": label}
    )


def beside_stage(stage: Any, *right: Any, below: Sequence[Any] = ()) -> Any:
    """The stage, a formula beneath it, a column of what is found beside both; in a narrow page one after another."""
    stage.layout.width = "100%"
    beneath, column = (ipywidgets.VBox(list(parts), layout={"grid_gap": "8px"}) for parts in (below, right))
    row = ipywidgets.HBox([stage, column, beneath])
    for part, name in ((row, "columns"), (stage, "stage"), (beneath, "beneath"), (column, "found")):
        part.add_class(f"mbw-{name}")
    return row
