"""What a view is in a page without a kernel: what stays alive there, and what the page must be told for it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any, NamedTuple

from ...export.page.html import html
from ...export.page.record import Choices
from ...model.model import Model
from ...scene.look.shapes import triple_of
from ...scene.stage.picture import Picture
from ...scene.stage.viewpoint import VIEWS
from ..parts.toolbar import Toolbar

__all__ = ["Exported", "PageParts"]


class PageParts(NamedTuple):
    """Of a page that thinks: traits of parts by their ids, and widgets that it has besides."""

    traits: dict[str, dict[str, Any]]
    spare: list[Any]


class Exported:
    """A view as a page shows it: computed beforehand, or, where it `thinks`, solved there."""

    picture: Picture
    toolbar: Toolbar

    to_html = html

    live: tuple[str, ...] = ()
    """Names of the parameters, and keys of the view's own sliders, that a page without a kernel keeps alive first."""

    def choices(self, most: int) -> Choices | None:
        """What else can be chosen in a page without a kernel: computed beforehand, one by one, ``most`` at most."""
        return None

    thinks = False
    """Whether a page without a kernel can solve and show all that the view's sliders ask for."""
    python_alone: tuple[str, ...] = ()
    """What such a page leaves to Python besides another model, in words for its reader."""
    asks_all_kernels = False
    """Whether its page asks for the kernels of permanent rotations, which others are made without."""

    def page_model(self, model: Model) -> Model:
        """The model that a page is given: the same, perhaps with parameters for what the view's own sliders move."""
        return model

    def page_tables(self) -> dict[str, Any] | None:
        """The programs by which a page fills the view's parts, if there are any."""
        return None

    def fill_unseen(self) -> None:
        """Fill the parts that wait until they are seen: in a page nobody fills them then."""

    @contextlib.contextmanager
    def for_page(self) -> Iterator[PageParts]:
        """What differs in a page that thinks: what is filled here when it is seen, and what can be chosen there."""
        yield PageParts({}, [])

    def answered_in_page(self) -> dict[str, str]:
        """Ids of the buttons and menus that a page that thinks answers itself, by what they do."""
        return {**self.toolbar.history, "theme": self.toolbar.theme_button}

    def menus_in_page(self) -> dict[str, str]:
        """Ids of the menus that it answers."""
        return {}

    def ticks_in_page(self) -> str:
        """Id of a table whose ticks a page that thinks answers, if there is one."""
        return ""

    def camera_controls(self) -> dict[str, Any]:
        """What a page without a kernel needs to turn the camera back."""
        stage = self.picture.stage
        views = [stage.viewpoint(view) for view in VIEWS]
        return {
            **self.toolbar.camera,
            "camera": stage.camera.model_id,
            "orbit": stage.orbit.model_id,
            "places": [triple_of(seen.place) for seen in views],
            "targets": [triple_of(seen.target) for seen in views],
        }
