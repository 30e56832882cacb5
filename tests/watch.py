"""Watch what the interpreter is asked to do: nothing in a model file may execute, import or open anything."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

FORBIDDEN = (
    "exec",
    "compile",
    "import",
    "open",
    "os.",
    "subprocess.",
    "socket.",
    "ctypes.",
    "pickle.",
    "shutil.",
)

_seen: list[str] | None = None


def _hook(event: str, arguments: tuple[object, ...]) -> None:
    if _seen is not None and event.startswith(FORBIDDEN):
        _seen.append(f"{event} {arguments!r:.80}")


sys.addaudithook(_hook)  # a hook cannot be removed: it idles outside `nothing_executes`


@contextmanager
def nothing_executes() -> Iterator[None]:
    """Fails when code inside compiles, executes, imports or opens anything."""
    global _seen
    _seen = []
    try:
        yield
    finally:
        events, _seen = _seen, None
    assert not events, f"{len(events)} events: {events[:5]}"
