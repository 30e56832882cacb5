"""Compile every kernel once, with a line that shows how far it is."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from . import jit

__all__ = ["ensure", "warm"]

_lock = threading.Lock()
_ready = False


def ensure() -> None:
    """Before the first use in a process: compile what the cache does not hold, showing progress."""
    global _ready
    if _ready or not jit.COMPILED:
        return
    with _lock:
        if not _ready:
            _ready = True
            if not _marker().exists():
                warm(_line())


def _marker() -> Any:
    import llvmlite.binding as llvm

    return jit.cache_folder() / f"complete-{llvm.get_host_cpu_name()}"


def _line() -> Callable[[int, int, str], None]:
    """A progress line on the error stream: rewritten in place on a terminal, a dot a step elsewhere."""
    start = time.monotonic()
    terminal = sys.stderr is not None and sys.stderr.isatty()

    def show(done: int, total: int, name: str) -> None:
        if sys.stderr is None:
            return
        seconds = time.monotonic() - start
        if done == total:
            text = f"mbwidgets: kernels compiled in {seconds:.0f} s, kept for next time.\n"
        else:
            text = f"mbwidgets: compiling kernels, once: {done + 1} of {total}, {name} …"
        if terminal:
            sys.stderr.write(f"\r{text:<79}" if done < total else f"\r{text[:-1]:<79}\n")
        elif done in (0, total):
            sys.stderr.write(text if done else f"{text}\n")
        sys.stderr.flush()

    return show


def warm(progress: Callable[[int, int, str], None] | None = None) -> float:
    """Compile every kernel; ``progress(done, total, name)`` is told of each. Returns the seconds that it took."""
    global _ready
    start = time.monotonic()
    _ready = True
    steps = _steps()
    for number, (name, step) in enumerate(steps):
        if progress:
            progress(number, len(steps), name)
        step()
    if jit.COMPILED:
        with contextlib.suppress(OSError):  # a read-only home has no cache
            _marker().touch()
    if progress:
        progress(len(steps), len(steps), "")
    return time.monotonic() - start


def _steps() -> list[tuple[str, Callable[[], Any]]]:
    """Every entry kernel, called once on a small model."""
    from ..model.bodies import Body
    from ..model.model import Model
    from . import entries, stepper
    from .integrate import simulate
    from .pack import pack

    model = Model([Body("body", mass=1, com=(1, 0, 0), inertia=(1, 1, 1))])
    memory = pack(model).memory
    one, row, out = np.zeros(1), np.zeros((1, 1)), np.zeros((1, 9))
    return [
        ("forward dynamics", lambda: entries.forward(memory, 0.0, one, one, one, one.copy())),
        ("integrator", lambda: simulate(model, duration=0.1)),
        ("derivative", lambda: entries.derivative(memory, one, 0.0, np.zeros(3), np.zeros(3))),
        ("accelerations", lambda: entries.accelerations(memory, one, row, row, row, row.copy())),
        ("reactions", lambda: entries.inverse(memory, one, row, row, row, row.copy(), np.zeros((1, 1, 6)))),
        ("mass matrix", lambda: entries.mass(memory, one, row.copy())),
        ("poses", lambda: entries.poses(memory, row, np.zeros((1, 1, 3)), np.zeros((1, 1, 4)))),
        ("energy", lambda: entries.totals(memory, row, row, np.zeros((1, 8)))),
        ("signals", lambda: stepper.read_signals(memory, 0.0, np.zeros(3), 0, one)),
        ("points", lambda: entries.points(memory, 0, 0.0, 0.0, 0.0, row, row, row, out)),
    ]
