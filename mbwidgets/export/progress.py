"""A line that tells how far a long export is: on a terminal and in a notebook, and nowhere else."""

from __future__ import annotations

import sys
import time
from typing import Any, Final

__all__ = ["Line"]

PATIENCE: Final = 2.0
"""Seconds before anything is said."""


class Line:
    """Called with the share that is done, it writes one line over and over; `end` takes the line away."""

    def __init__(self, label: str, stream: Any = None) -> None:
        self._label = label
        self._stream = _stream() if stream is None else stream
        self._start = time.monotonic()
        self._shown = ""

    def __call__(self, share: float) -> None:
        """Tell that this share is done."""
        seconds = time.monotonic() - self._start
        text = f"{self._label} … {100 * share:.0f} %"
        if self._stream is None or seconds < PATIENCE or text == self._shown:
            return
        self._write(text)

    def end(self) -> None:
        """Take the line away."""
        if self._shown:
            self._write("")
            self._stream.write("\r")

    def _write(self, text: str) -> None:
        self._stream.write(f"\r{text:<{len(self._shown)}}")
        self._stream.flush()
        self._shown = text


def _stream() -> Any:
    """Where a person reads along: the terminal, or the output of a notebook's cell."""
    if sys.stderr is not None and sys.stderr.isatty():
        return sys.stderr
    shell = sys.modules.get("ipykernel.zmqshell")
    if shell is None or not shell.ZMQInteractiveShell.initialized():
        return None
    return sys.stdout
