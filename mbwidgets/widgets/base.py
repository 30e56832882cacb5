"""What every widget needs: a life that ends cleanly, work that waits its turn, text that is only text."""

from __future__ import annotations

import asyncio
import html
from collections.abc import Callable
from typing import Any
from weakref import ref

__all__ = ["Later", "Newest", "close_tree", "replace_previous", "safe"]


def safe(text: Any) -> str:
    """Text for HTML and for MathJax: no name of a model can become markup, script or a formula."""
    escaped = html.escape(str(text), quote=True)
    # MathJax reads $, \( and \[ in HTMLMath
    return escaped.replace("$", "&#36;<!-- -->").replace("\\", "&#92;<!-- -->")


class Later:
    """One piece of work that waits a moment; asked for again meanwhile, only the newest is done.

    Without a running event loop, as in a script or a test, it is done at once.
    """

    def __init__(self, delay: float) -> None:
        self.delay = delay
        self._waiting: asyncio.TimerHandle | None = None

    def __call__(self, work: Callable[[], None]) -> None:
        self.cancel()
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            work()
            return
        self._waiting = loop.call_later(self.delay, work)

    def cancel(self) -> None:
        """Forget what waits."""
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None


class Newest:
    """Slow work off the event loop, one piece at a time; of what is asked for meanwhile only the newest is done.

    ``done`` is called on the event loop with the result, unless something newer waits. Without a running event
    loop all is done at once.
    """

    def __init__(self, done: Callable[[Any], None]) -> None:
        self._done = done
        self._next: Callable[[], Any] | None = None
        self._busy = False
        self._closed = False

    def __call__(self, work: Callable[[], Any]) -> None:
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self._done(work())
            return
        self._next = work
        if not self._busy:
            self._start(loop)

    def _start(self, loop: asyncio.AbstractEventLoop) -> None:
        work, self._next = self._next, None
        if work is None or self._closed:
            return
        self._busy = True
        task = loop.run_in_executor(None, work)
        task.add_done_callback(lambda finished: self._finish(finished, loop))

    def _finish(self, finished: asyncio.Future[Any], loop: asyncio.AbstractEventLoop) -> None:
        self._busy = False
        if not self._closed and self._next is None and not finished.cancelled():
            self._done(finished.result())
        self._start(loop)

    def close(self) -> None:
        """Forget what waits, and what comes back."""
        self._closed = True
        self._next = None


def close_tree(widget: Any) -> None:
    """Close a widget, its children, layouts and styles."""
    for child in getattr(widget, "children", ()):
        close_tree(child)
    for part in ("style", "layout"):
        inner: Any = getattr(widget, part, None)
        if inner is not None and hasattr(inner, "close"):
            inner.close()
    widget.close()


_by_cell: dict[str, tuple[str, list[Any]]] = {}


def replace_previous(widget: Any) -> None:
    """Close what an earlier run of the same notebook cell made: its place in the page is taken."""
    cell, run = _cell()
    if cell is None:
        return
    before, widgets = _by_cell.get(cell, ("", []))
    if before != run:
        for old in widgets:
            if (alive := old()) is not None:
                alive.close()
        widgets = []
    _by_cell[cell] = (run, [*widgets, ref(widget)])


def _cell() -> tuple[str | None, str]:
    """The notebook cell that runs now, and its run; None outside a notebook."""
    try:
        from IPython import get_ipython
    except ImportError:
        return None, ""
    shell = get_ipython()  # type: ignore[no-untyped-call, unused-ignore]
    parent = getattr(shell, "parent_header", None) or {}
    metadata = parent.get("metadata") or {}
    return metadata.get("cellId"), (parent.get("header") or {}).get("msg_id", "")
