"""Compile the kernels once, with a line that shows how far it is.

Before the first use in a process `ensure` compiles what is asked for: a motion, its reactions, the same under
constraints. The kernels that fewer users ask for wait for their first call, or for `warm`.
"""

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
_ready: set[str] = set()


def ensure(what: str = "motion") -> None:
    """Before the first use in a process: compile what the cache does not hold, showing progress.

    ``what``: ``"motion"`` of a tree and its ``"reactions"``, or ``"constraints"`` and ``"loop reactions"`` for one with
    closed loops and guides.
    """
    if what in _ready or not jit.COMPILED:
        return
    with _lock:
        if what not in _ready:
            _ready.add(what)
            if not _marker(what).exists():
                _compile(_kinds()[what](), what, _line())


def _marker(name: str) -> Any:
    """A file that is there when the kernels of this name were compiled for this processor."""
    import llvmlite.binding as llvm

    return jit.cache_folder() / f"{name}-{llvm.get_host_cpu_name()}"


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
    """Compile every kernel that the cache does not hold; returns the seconds that it took.

    ``progress(done, total, name)`` is told of each; without it a line on the error stream shows them.
    """
    kinds = _kinds()
    _ready.update(kinds)
    if not jit.COMPILED or _marker("complete").exists():
        return 0.0
    steps = [step for of in kinds.values() for step in of()]
    seconds = _compile(steps + _other_steps(), "complete", progress or _line())
    with contextlib.suppress(OSError):
        for kind in kinds:
            _marker(kind).touch()
    return seconds


Steps = list[tuple[str, Callable[[], Any]]]


def _compile(steps: Steps, name: str, progress: Callable[[int, int, str], None]) -> float:
    start = time.monotonic()
    for number, (title, step) in enumerate(steps):
        progress(number, len(steps), title)
        step()
    with contextlib.suppress(OSError):  # a read-only home has no cache
        _marker(name).touch()
    progress(len(steps), len(steps), "")
    return time.monotonic() - start


def _small() -> tuple[Any, Any]:
    """A model, and its memory."""
    from ..model.bodies import Body
    from ..model.model import Model
    from .pack import pack

    model = Model([Body("body", mass=1, com=(1, 0, 0), inertia=(1, 1, 1))])
    return model, pack(model).memory


def _kinds() -> dict[str, Callable[[], Steps]]:
    return {
        "motion": _motion_steps,
        "reactions": _reaction_steps,
        "constraints": _constraint_steps,
        "loop reactions": _loop_reaction_steps,
    }


def _motion_steps() -> Steps:
    """The entry kernels behind `simulate` and what a `Motion` says of itself, called once on a small model."""
    from .integrate import simulate

    model, _ = _small()
    return [("integrator", lambda: simulate(model, duration=0.1)), *_seen_steps()]


def _seen_steps() -> Steps:
    from . import entries

    _, memory = _small()
    row = np.zeros((1, 1))
    return [
        ("poses", lambda: entries.poses(memory, row, np.zeros((1, 1, 3)), np.zeros((1, 1, 4)))),
        ("energy", lambda: entries.totals(memory, row, row, np.zeros((1, 8)))),
    ]


def _reaction_steps() -> Steps:
    """The entry kernels behind accelerations and reactions of a tree."""
    from . import entries

    _, memory = _small()
    one, row = np.zeros(1), np.zeros((1, 1))
    return [
        ("accelerations", lambda: entries.accelerations(memory, one, row, row, row, row.copy())),
        ("reactions", lambda: entries.inverse(memory, one, row, row, row, row.copy(), np.zeros((1, 1, 6)))),
    ]


def _held() -> Any:
    from ..model.constraints import Prescribed

    return _small()[0].replace(constraints=[Prescribed("body", "t")])


def _constraint_steps() -> Steps:
    """The entry kernels behind the motion of a model with constraints; what it shares with a tree comes first."""
    from .integrate import simulate

    held = _held()
    return [("constraints", lambda: simulate(held, duration=0.1)), *_seen_steps()]


def _loop_reaction_steps() -> Steps:
    """The entry kernel behind the reactions of a model with constraints."""
    from . import bearing
    from .pack import pack

    memory = pack(_held()).memory
    one, row, loads = np.zeros(1), np.zeros((1, 1)), np.zeros((1, 1, 6))
    return [("loop reactions", lambda: bearing.bear(memory, one, *(row,) * 6, row.copy(), loads))]


def _other_steps() -> Steps:
    """The entry kernels that are left."""
    from . import entries, stepper
    from .dynamics import settle_forward
    from .layout import tables_of
    from .release import release_at

    model, memory = _small()
    one, row, out = np.zeros(1), np.zeros((1, 1)), np.zeros((1, 9))
    return [
        ("forward dynamics", settle_forward),
        ("derivative", lambda: entries.derivative(memory, *tables_of(memory), one, 0.0, np.zeros(3), np.zeros(3))),
        ("mass matrix", lambda: entries.mass(memory, one, row.copy())),
        ("signals", lambda: stepper.read_signals(memory, 0.0, np.zeros(3), 0, one)),
        ("points", lambda: entries.points(memory, 0, 0.0, 0.0, 0.0, row, row, row, out)),
        ("released joints", lambda: release_at(model, 0, one, one)),
    ]
