"""All functions that a set of entry points needs, and the constant arrays that they read."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .ir import FLOAT_SIZE, Function
from .lowering import Lowered, lower
from .tangent import called_functions, tangent_function, tangent_name
from .tidy import tidied
from .values import Type, type_key

__all__ = ["Module"]


@dataclass(frozen=True)
class Export:
    """A function under the name by which it is called from outside; ``function`` may be that over dual numbers."""

    name: str
    lowered: Lowered
    function: Function


class Module:
    """Functions in the order in which they were needed, those that others call before them; memory begins with the
    constants."""

    def __init__(self) -> None:
        self.functions: list[Function] = []
        self.exports: list[Export] = []
        self._made: dict[str, Lowered] = {}
        self._said: dict[str, Function] = {}
        self._data = bytearray()
        self._places: dict[tuple[bytes, tuple[int, ...]], int] = {}

    @property
    def data(self) -> bytes:
        """The constants, from address 0 on."""
        return bytes(self._data)

    @property
    def tidied(self) -> list[Function]:
        """The functions as they are written down."""
        return list(map(tidied, self.functions))

    def export(self, name: str, function: Callable[..., Any], types: Sequence[Type]) -> Lowered:
        """Translate an entry point, and all that it calls."""
        made = self._translated(function, types, exported=True)
        self.exports.append(Export(name, made, made.function))
        return made

    def export_tangent(self, name: str) -> None:
        """Make an export over dual numbers too, and all that it calls; its name gets a prime."""
        lowered = next(item.lowered for item in self.exports if item.name == name)
        known = {item.name: item for item in self.functions}
        for needed in [item for item in self.functions if item.name in called_functions(known, lowered.function.name)]:
            if tangent_name(needed.name) not in known:
                self.functions.append(tangent_function(needed))
        made = next(item for item in self.functions if item.name == tangent_name(lowered.function.name))
        self.exports.append(Export(f"{name}'", lowered, made))

    def function(self, function: Callable[..., Any], types: Sequence[Type]) -> Lowered:
        """A function for arguments of these types."""
        return self._translated(function, types, exported=False)

    def _translated(self, function: Callable[..., Any], types: Sequence[Type], exported: bool) -> Lowered:
        key = f"{function.__module__}.{function.__qualname__}{''.join(map(type_key, types))}{exported}"
        if key not in self._made:
            made = lower(self, function, types, f"{function.__name__}_{len(self._made)}", exported)
            self._made[key] = self._shared(made)
        return self._made[key]

    def _shared(self, made: Lowered) -> Lowered:
        """A function, or the one before it that says the same: types that differ in what is not read make such."""
        said = repr((made.function.parameters, made.function.results, made.function.body))
        if said not in self._said:
            self._said[said] = made.function
            self.functions.append(made.function)
        return replace(made, function=self._said[said])

    def constant(self, array: np.ndarray) -> int:
        """The address of a constant array."""
        numbers = [float(item) for item in array.ravel()]
        packed = struct.pack(f"<{len(numbers)}d", *numbers)
        key = packed, array.shape
        if key not in self._places:
            self._places[key] = len(self._data)
            self._data += packed
        return self._places[key]

    @property
    def heap(self) -> int:
        """The first address that is free, a multiple of a cache line."""
        return -(-max(len(self._data), FLOAT_SIZE) // 64) * 64
