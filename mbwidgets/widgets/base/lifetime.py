"""What every widget needs: a life that ends cleanly, work that waits its turn, text that is only text."""

from __future__ import annotations

import asyncio
import contextlib
import html
import logging
from collections.abc import Callable, Iterator
from typing import Any, TypeVar
from weakref import WeakSet, ref

from ...errors import MbwidgetsError, error_reason

__all__ = [
    "Debounced",
    "LatestOnly",
    "blank_on_error",
    "blank_part",
    "close_previous_run",
    "close_tree",
    "escape",
    "explain_error",
    "finish_pending_work",
    "result_or_error",
    "trouble_html",
    "unwrap_result",
]

T = TypeVar("T")
TROUBLE = "color-mix(in srgb,#D55E00 80%,var(--jp-ui-font-color1,#23272e))"
"""Vermillion, darker on a light page and lighter on a dark one."""
_log = logging.getLogger("mbwidgets")


def escape(text: Any) -> str:
    """Text for HTML and for MathJax: no name of a model can become markup, script or a formula."""
    escaped = html.escape(str(text), quote=True)
    # MathJax reads $, \( and \[ in HTMLMath
    return escaped.replace("$", "&#36;<!-- -->").replace("\\", "&#92;<!-- -->")


def trouble_html(why: Any) -> str:
    """Why there is nothing to be seen here."""
    return f"<p class='mbw-trouble' style='color:{TROUBLE};margin:4px'>{escape(why)}</p>"


def explain_error(error: Exception) -> str:
    """Why something could not be done, in words; what nobody foresaw is logged with all that is known of it."""
    if not isinstance(error, MbwidgetsError):
        _log.warning("a part of a view could not be computed", exc_info=error)
    return error_reason(error)


def blank_part(part: Any, why: str) -> None:
    """Empty a part of a view: it has nothing of before, and says why."""
    if hasattr(part, "blank"):
        part.blank(why)
    else:
        part.value = trouble_html(why)


@contextlib.contextmanager
def blank_on_error(*parts: Any) -> Iterator[None]:
    """Around whatever computes and fills parts of a view: where that fails they are emptied, and say why.

    So nothing of before stands beside what is new: a view shows one state.
    """
    try:
        yield
    except Exception as error:
        why = explain_error(error)
        for part in parts:
            blank_part(part, why)


def result_or_error(work: Callable[[], T]) -> T | Exception:
    """What the work gives, or the error that it ends with: one of several results that come back together."""
    try:
        return work()
    except Exception as error:
        return error


def unwrap_result(found: T | Exception) -> T:
    """What `result_or_error` found; its error is raised here, where the part that it is for is filled."""
    if isinstance(found, Exception):
        raise found
    return found


_at_work: WeakSet[Any] = WeakSet()


def finish_pending_work() -> None:
    """Do at once, here, what any widget has put off or has under way; for a thread without an event loop."""
    for item in list(_at_work):
        item.finish()


class Debounced:
    """One piece of work that waits a moment; asked for again meanwhile, only the newest is done.

    Without a running event loop, as in a script or a test, it is done at once.
    """

    def __init__(self, delay: float) -> None:
        self.delay = delay
        self._waiting: asyncio.TimerHandle | None = None
        self._work: Callable[[], None] | None = None
        _at_work.add(self)

    def __call__(self, work: Callable[[], None]) -> None:
        self.cancel()
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            work()
            return
        self._work = work
        self._waiting = loop.call_later(self.delay, self._now)

    def _now(self) -> None:
        work, self._work, self._waiting = self._work, None, None
        if work is not None:
            work()

    def finish(self) -> None:
        """Do now what waits."""
        work = self._work
        self.cancel()
        if work is not None:
            work()

    def cancel(self) -> None:
        """Forget what waits."""
        self._work = None
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None


class LatestOnly:
    """Slow work off the event loop, one piece at a time; of what is asked for meanwhile only the newest is done.

    ``done`` is called on the event loop with the result, ``failed`` with the error that it ended with, unless
    something newer waits. Without a running event loop all is done at once.
    """

    def __init__(self, done: Callable[[Any], None], failed: Callable[[Exception], None]) -> None:
        self._done, self._failed = done, failed
        self._next: Callable[[], Any] | None = None
        self._under_way: Callable[[], Any] | None = None
        self._wanted = False
        self._closed = False
        _at_work.add(self)

    def __call__(self, work: Callable[[], Any]) -> None:
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self._deliver(result_or_error(work))
            return
        self._next, self._wanted = work, True
        if self._under_way is None:
            self._start(loop)

    def _deliver(self, found: Any) -> None:
        if isinstance(found, Exception):
            self._failed(found)
        else:
            self._done(found)

    def _start(self, loop: asyncio.AbstractEventLoop) -> None:
        work, self._next = self._next, None
        if work is None or self._closed:
            return
        self._under_way = work
        task = loop.run_in_executor(None, result_or_error, work)
        task.add_done_callback(lambda finished: self._finish(finished, loop))

    def _finish(self, finished: asyncio.Future[Any], loop: asyncio.AbstractEventLoop) -> None:
        self._under_way = None
        if not self._closed and self._wanted and self._next is None and not finished.cancelled():
            self._deliver(finished.result())
        self._start(loop)

    def finish(self) -> None:
        """Do now, once more if it is under way, what was asked for last."""
        work = self._next or self._under_way
        if work is not None and self._wanted and not self._closed:
            self._next = None
            self._deliver(result_or_error(work))

    def cancel(self) -> None:
        """Forget what waits, and what comes back: nobody wants it any more."""
        self._next, self._wanted = None, False

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


_by_cell: dict[tuple[str, str], tuple[str, list[Any]]] = {}


def close_previous_run(widget: Any) -> None:
    """Close what an earlier run of the same notebook cell made: its place in the page is taken."""
    cell, run = _cell()
    if cell is None:
        return
    before, widgets = _by_cell.get(cell, ("", []))
    if before != run:
        for old in widgets:
            if (alive := old()) is not None:
                alive.close()
                if hasattr(alive, "drop_parts"):
                    alive.drop_parts()
        widgets = []
    _by_cell[cell] = (run, [*widgets, ref(widget)])


def _cell() -> tuple[tuple[str, str] | None, str]:
    """The notebook cell that runs now, and its run; None outside a notebook.

    A copy of a notebook has cells of the same ids, and may share the kernel: the session tells the two apart.
    """
    try:
        from IPython import get_ipython
    except ImportError:
        return None, ""
    shell = get_ipython()  # type: ignore[no-untyped-call, unused-ignore]
    parent = getattr(shell, "parent_header", None) or {}
    header, cell = parent.get("header") or {}, (parent.get("metadata") or {}).get("cellId")
    return None if cell is None else (str(header.get("session", "")), str(cell)), header.get("msg_id", "")
