"""Which engine computes: the translated kernels, or the kernels as they stand."""

from __future__ import annotations

import os
import warnings
from functools import cache
from typing import Any, Final

from ...errors import MissingError, UnknownNameError
from .kernel import current_engine, set_engine

__all__ = ["dual_kernels", "engine"]

ENGINES: Final = ("wasm", "python")
VARIABLE: Final = "MBWIDGETS_ENGINE"
"""The environment's choice, where nothing else is said."""


def engine(name: str | None = None) -> str:
    """The name of the engine that computes, after choosing another one if a name is given.

    ``"wasm"``: the kernels translated to WebAssembly, as fast as compiled code. ``"python"``: the same kernels as they
    stand, hundreds of times slower, to be read and debugged.

    >>> mb.engine()
    'wasm'
    """
    if name is not None:
        if name not in ENGINES:
            raise UnknownNameError(f"{name!r} is no engine", remedy=f"give one of {', '.join(map(repr, ENGINES))}")
        set_engine(None if name == "python" else _wasm())
    return current_engine().name


@cache
def _wasm() -> Any:
    from .wasm_engine import WasmEngine

    return WasmEngine()


def dual_kernels() -> Any:
    """The kernels over dual numbers: translated only, whichever engine computes all else."""
    try:
        return _wasm().tangents
    except ImportError:
        raise MissingError(
            "exact slopes are computed by the translated kernels, and wasmtime is not installed",
            remedy="pip install wasmtime",
        ) from None


def choose_default() -> None:
    """Choose the engine that the environment asks for; wasm where it is silent, Python where wasmtime is missing."""
    name = os.environ.get(VARIABLE, "wasm")
    if name != "wasm":
        engine(name)
        return
    try:
        engine("wasm")
    except ImportError:
        set_engine(None)
        warnings.warn(
            "wasmtime is not installed: mbwidgets computes in plain Python, hundreds of times slower. "
            "Remedy: pip install wasmtime",
            stacklevel=2,
        )
