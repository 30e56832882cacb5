"""Compile the kernels once, with a line that shows how far it is.

Before the first use in a process `ensure_compiled` compiles what is asked for: a motion, its reactions, the same under
constraints. The kernels that fewer users ask for wait for their first call, or for `warm`. A compiler uses one core:
a second process compiles a part at the same time, and what it leaves in the cache is found there.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from . import jit

__all__ = ["ensure_compiled", "warm"]

_lock = threading.Lock()
_ready: set[str] = set()

COMPLETE: Final = "complete"
"""All kernels."""


def ensure_compiled(what: str = "motion") -> None:
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
                _compile(what, _line())


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
    if not jit.COMPILED or _marker(COMPLETE).exists():
        return 0.0
    seconds = _compile(COMPLETE, progress or _line())
    with contextlib.suppress(OSError):
        for kind in kinds:
            _marker(kind).touch()
    return seconds


class Step(NamedTuple):
    """Something to compile; ``apart``: by the second process, where there is one."""

    title: str
    compile: Callable[[], Any]
    apart: bool = False


def _compile(what: str, progress: Callable[[int, int, str], None]) -> float:
    start = time.monotonic()
    steps = sorted(_steps(what), key=lambda step: step.apart)
    with _second_process(what) as done:
        for number, step in enumerate(steps):
            progress(number, len(steps), step.title)
            if step.apart:
                done()
            step.compile()
    with contextlib.suppress(OSError):  # a read-only home has no cache
        _marker(what).touch()
    progress(len(steps), len(steps), "")
    return time.monotonic() - start


@contextlib.contextmanager
def _second_process(what: str) -> Iterator[Callable[[], Any]]:
    """Compile the part of ``what`` that is apart elsewhere, into the cache; gives a function that waits for it.

    Should that process fail, nothing is lost but its share: all steps are taken here too.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    python = Path(sys.executable or "")
    if cores < 2 or not python.name.startswith("python"):  # an application with a Python inside would start itself
        yield lambda: None
        return
    package = Path(__file__).resolve().parents[3]
    path = f"import sys; sys.path.insert(0, {str(package)!r})"
    command = f"{path}\nfrom mbwidgets.numeric.engines import warm; warm.apart({what!r})"
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    try:
        process = subprocess.Popen([sys.executable, "-c", command], **quiet)  # type: ignore[call-overload]
    except OSError:
        yield lambda: None
        return
    try:
        yield process.wait
    finally:
        process.kill()
        process.wait()


def apart(what: str) -> None:
    """Compile what `ensure_compiled` of the same leaves to a second process: this one."""
    for step in _steps(what):
        if step.apart:
            step.compile()


def _small() -> tuple[Any, Any]:
    """A model, and its memory."""
    from ...model.bodies import Body
    from ...model.model import Model
    from ..packing.pack import pack_model

    model = Model([Body("body", mass=1, com=(1, 0, 0), inertia=(1, 1, 1))])
    return model, pack_model(model).memory


def _steps(what: str) -> list[Step]:
    if what == COMPLETE:
        return [step for of in _kinds().values() for step in of()] + _other_steps()
    return _kinds()[what]()


def _kinds() -> dict[str, Callable[[], list[Step]]]:
    return {
        "motion": _motion_steps,
        "reactions": _reaction_steps,
        "constraints": _constraint_steps,
        "loop reactions": _loop_reaction_steps,
    }


def _motion_steps() -> list[Step]:
    """The entry kernels behind `simulate` and what a `Motion` says of itself, called once on a small model."""
    from ..kernels import entry_points
    from ..kernels.memory_layout import tables_of
    from ..steps import stepper

    _, memory = _small()
    one, state = np.zeros(1), np.zeros(3)
    return [
        Step("integrator", stepper.compile_stepper),
        *_seen_steps(),
        Step(
            "derivative",
            lambda: entry_points.tree_derivative(memory, *tables_of(memory), one, 0.0, state, state.copy()),
            True,
        ),
    ]


def _seen_steps() -> list[Step]:
    from ..kernels import entry_points

    _, memory = _small()
    row = np.zeros((1, 1))
    return [
        Step("poses", lambda: entry_points.body_poses(memory, row, np.zeros((1, 1, 3)), np.zeros((1, 1, 4)))),
        Step("energy", lambda: entry_points.energy_and_momenta(memory, row, row, np.zeros((1, 8)))),
    ]


def _reaction_steps() -> list[Step]:
    """The entry kernels behind accelerations and reactions of a tree."""
    from ..kernels import entry_points

    _, memory = _small()
    one, row = np.zeros(1), np.zeros((1, 1))
    return [
        Step("accelerations", lambda: entry_points.forward_dynamics_frames(memory, one, row, row, row, row.copy())),
        Step(
            "reactions",
            lambda: entry_points.inverse_dynamics(memory, one, row, row, row, row.copy(), np.zeros((1, 1, 6))),
        ),
    ]


def _held() -> Any:
    from ...model.constraints import Prescribed

    return _small()[0].replace(constraints=[Prescribed("body", "t")])


def _constraint_steps() -> list[Step]:
    """The entry kernels behind the motion of a model with constraints."""
    from ..kernels import project_frames
    from ..packing.pack import pack_model
    from ..states.constraint_system import Constraints
    from ..steps import stepper

    held, one = _held(), np.zeros(1)
    return [
        Step("integrator", stepper.compile_stepper),
        Step("settling", project_frames.compile_settling),
        *_seen_steps(),
        Step("constraints", lambda: Constraints(held, pack_model(held)).observe(0.0, one, one), True),
    ]


def _loop_reaction_steps() -> list[Step]:
    """The entry kernel behind the reactions of a model with constraints."""
    from ..kernels import constrained_reactions
    from ..packing.pack import pack_model

    memory = pack_model(_held()).memory
    one, row, loads = np.zeros(1), np.zeros((1, 1)), np.zeros((1, 1, 6))
    return [
        Step(
            "loop reactions",
            lambda: constrained_reactions.constrained_reactions(memory, one, *(row,) * 6, row.copy(), loads),
        )
    ]


def _other_steps() -> list[Step]:
    """The entry kernels that are left."""
    from ..kernels import entry_points
    from ..motion.release import release_at
    from ..states.dynamics import settle_forward
    from ..steps import stepper

    model, memory = _small()
    one, row, out = np.zeros(1), np.zeros((1, 1)), np.zeros((1, 9))
    return [
        Step("forward dynamics", settle_forward),
        Step("mass matrix", lambda: entry_points.fill_mass_matrix(memory, one, row.copy())),
        Step("signals", lambda: stepper.read_signals(memory, 0.0, np.zeros(3), 0, one)),
        Step("points", lambda: entry_points.point_kinematics(memory, 0, 0.0, 0.0, 0.0, row, row, row, out)),
        Step("released joints", lambda: release_at(model, 0, one, one)),
    ]
