"""Arrays that stay where the kernels run: for callers that ask for one state at a time, millions of times.

A desk belongs to one thread and one engine. Its arrays are written to and read in place, and calls bound to them move
nothing but their numbers. Whoever holds a desk gives others copies.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping, Sequence
from threading import get_ident
from typing import Any

import numpy as np

from . import kernel
from .kernel import EntryPoint

__all__ = ["Desk"]


class Desk:
    """Named arrays in the memory of the present engine, and calls of entry points bound to them."""

    def __init__(self, arrays: Mapping[str, np.ndarray]) -> None:
        self._engine = kernel.current_engine()
        self._owner = get_ident()
        self._instance = getattr(self._engine, "instance", None)
        self.arrays: dict[str, np.ndarray] = {}
        self._places: dict[str, int] = {}
        if self._instance is None:
            self.arrays = {name: array.copy() for name, array in arrays.items()}
            return
        block = self._instance.allocate(sum(array.size for array in arrays.values()))
        weakref.finalize(self, self._instance.release, block)
        begin = block.start
        for name, array in arrays.items():
            place = self._instance.floats[begin : begin + array.size].reshape(array.shape)
            place[...] = array
            self.arrays[name], self._places[name] = place, begin
            begin += array.size

    def __getitem__(self, name: str) -> np.ndarray:
        return self.arrays[name]

    def name_row(self, table: str, name: str) -> np.ndarray:
        """Give the only row of a table a name of its own: a vector in the same place."""
        self.arrays[name] = self.arrays[table][0]
        if self._instance is not None:
            self._places[name] = self._places[table]
        return self.arrays[name]

    @property
    def at_hand(self) -> bool:
        """Whether it is this thread's, and the engine has not been changed."""
        return kernel.running() is self._engine and get_ident() == self._owner

    def bind(self, entry: EntryPoint, *names: str | None, kernels: Sequence[Any] = ()) -> Callable[..., Any]:
        """An entry point with these arrays; None stands, once at most, for a number that the call is given.

        ``kernels`` are those that it is given first.
        """
        if self._instance is not None:
            export = ":".join((entry.name, *(item.__name__ for item in kernels)))
            return self._instance.bind(export, names, self.arrays, self._places)

        def call(number: float = 0.0) -> Any:
            return entry(*kernels, *(number if name is None else self.arrays[name] for name in names))

        return call
