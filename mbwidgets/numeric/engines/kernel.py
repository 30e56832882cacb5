"""The marks of kernels: what is translated, what Python calls, what is one instruction.

A kernel is a function in a small subset of Python (see `translate`). It runs as it stands on the engine "python", and
translated on the engine "wasm". All of them live in the rooms of ROOMS, whose files the translation is a product of.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, Final, Protocol, TypeVar

import numpy as np

__all__ = [
    "DERIVATIVES",
    "ENTRY_POINTS",
    "ROOMS",
    "Counters",
    "Cube",
    "Engine",
    "EntryPoint",
    "Kernel",
    "Table",
    "Vector",
    "current_engine",
    "derivative",
    "entry_point",
    "instruction",
    "kernel",
    "running",
    "set_engine",
]

ROOMS: Final = ("base", "engines", "kernels", "steps")
"""Where kernels may live, and all that they may import."""

Vector = np.ndarray
"""An argument of an entry point: an array of floats with one index."""
Table = np.ndarray
"""One with two indices."""
Cube = np.ndarray
"""One with three indices."""
Counters = np.ndarray
"""One of integers with one index."""
Kernel = Callable[..., Any]
"""A kernel that another is given."""

F = TypeVar("F", bound=Callable[..., Any])

ENTRY_POINTS: Final[dict[str, EntryPoint]] = {}
"""All kernels that Python calls, by name."""
DERIVATIVES: Final[dict[str, Callable[..., Any]]] = {}
"""All kernels that an entry point can be given, by name."""


class Engine(Protocol):
    """What runs entry points."""

    name: str

    def run(self, entry: EntryPoint, arguments: tuple[Any, ...]) -> Any:
        """Call an entry point."""


class EntryPoint:
    """A kernel that Python calls with numbers and arrays: run by the engine that is chosen."""

    def __init__(self, source: Callable[..., Any]) -> None:
        self.source = source
        self.name = source.__name__
        self.kinds: tuple[str, ...] = tuple(
            str(item.annotation).rpartition(".")[2] for item in inspect.signature(source).parameters.values()
        )
        """The kinds of its arguments: float, int, bool, Vector, Table, Cube, Counters or Kernel."""
        self.__doc__, self.__name__, self.__module__ = source.__doc__, source.__name__, source.__module__

    def __call__(self, *arguments: Any) -> Any:
        """Run it."""
        return _engine.run(self, arguments)

    def __repr__(self) -> str:
        return f"entry point {self.name}"


class _Python:
    """The kernels as they stand."""

    name = "python"

    def run(self, entry: EntryPoint, arguments: tuple[Any, ...]) -> Any:
        with np.errstate(all="ignore"):
            return entry.source(*arguments)


class _Undecided:
    """Nobody has computed anything yet: the first call decides."""

    name = ""

    def run(self, entry: EntryPoint, arguments: tuple[Any, ...]) -> Any:
        return current_engine().run(entry, arguments)


_engine: Engine = _Undecided()


def set_engine(engine: Engine | None) -> None:
    """Let an engine run the entry points; None: the kernels as they stand."""
    global _engine
    _engine = engine or _Python()


def current_engine() -> Engine:
    """The engine that runs the entry points."""
    if not _engine.name:
        from .engine import choose_default

        choose_default()
    return _engine


def running() -> Engine:
    """The engine as it stands, without a decision."""
    return _engine


def kernel(function: F) -> F:
    """Mark a function of numbers and arrays that other kernels call."""
    _check_room(function)
    return function


def entry_point(function: Callable[..., Any]) -> EntryPoint:
    """Mark a kernel that Python calls; the annotations of its arguments are their kinds."""
    _check_room(function)
    if function.__name__ in ENTRY_POINTS:
        raise ImportError(f"two entry points are called {function.__name__}")
    ENTRY_POINTS[function.__name__] = made = EntryPoint(function)
    return made


def derivative(function: F) -> F:
    """Mark a kernel ``(model, data, tau, t, y, dy) -> status`` that entry points are given as an argument.

    Model and data are records of tables: whoever calls it often makes them once.
    """
    _check_room(function)
    DERIVATIVES[function.__name__] = function
    return function


def instruction(name: str) -> Callable[[F], F]:
    """Mark a function of one float that is an instruction of the machine: what it says here is what that does."""

    def mark(function: F) -> F:
        function.instruction = name  # type: ignore[attr-defined]
        return function

    return mark


def _check_room(function: Callable[..., Any]) -> None:
    if not function.__module__.startswith(tuple(f"mbwidgets.numeric.{room}." for room in ROOMS)):
        raise ImportError(f"a kernel in {function.__module__}: it would not be translated; put it in one of {ROOMS}")
