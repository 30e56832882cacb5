"""One HTML file of a widget: 3-D, play, scrub, formulae, plots and live sliders, with no network."""

from __future__ import annotations

import html as markup
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ipywidgets

from ...errors import ModelError, shorten
from ...files.whole import writable_path, write_whole
from ..progress import Line
from .document import Page, html_document
from .record import Sliders

__all__ = ["html"]


def html(
    widget: Any,
    path: str | Path,
    *,
    sliders: Sliders = None,
    title: str | None = None,
    progress: Callable[[float], None] | None = None,
) -> Path:
    """Write a widget as one file that opens from a disk, with no network and no Python; returns its path.

    Parameters
    ----------
    widget : any widget; if it has a trait ``model``, parameters of that model can stay alive
    path : the file to write
    sliders : None: all that the page can answer itself. It solves the motion for any value of any slider, but not for
        bodies that turn as one and balance, nor motions that only Python drives. Of these, and with given values,
        those that still answer are parameters of the model, three at most, with these values:

        - ``{"m2": 5, "l2": 3}``: at most five values of m2 and three of l2, with a round step between the limits of the
          parameter (half to one and a half of its value where it has none), the present value among them;
        - ``{"m2": (1, 9)}``: these and the present one;
        - None, of a view whose page cannot solve: the first three parameters, or fewer, with as many values as time and
          size allow; False: none.

        Every combination is computed beforehand and shown as computed, never interpolated between
    title : heading of the page; the model's name if there is one
    progress : called with the share that is done; without it a terminal or a notebook shows a line if it takes long
    """
    if not isinstance(widget, ipywidgets.Widget):
        raise ModelError(
            f"{shorten(widget)} is not a widget",
            where="html",
            remedy="give a view, as mb.Explorer(model), or write a picture of a motion with export.png or export.gif",
        )
    model = getattr(widget, "model", None)
    heading = title if title is not None else str(getattr(model, "name", "") or "mbwidgets")
    page, target = Page(), Path(path)
    writable_path(target)
    line = Line(f"writing {target.name}")
    try:
        place = page.add(widget, sliders, line if progress is None else progress)
    finally:
        line.end()
    body = f"<h1>{markup.escape(heading)}</h1>\n{place}\n{page.foot()}"
    write_whole(target, html_document(heading, body, page.data()))
    return target
