"""The compiled kernels for pages: one widget holds them for all views of a notebook or of an exported page."""

from __future__ import annotations

import functools
import gzip
import json
from pathlib import Path
from typing import Any, Final

import anywidget
import traitlets

from ...numeric.engines.product import STATIC
from .javascript import join_script

__all__ = ["KernelBox", "kernel_box", "packed_kernels"]

HERE: Final = Path(__file__).parent


class KernelBox(anywidget.AnyWidget):
    """The WebAssembly module, its twin in JavaScript, the script of the worker that runs them; it is not seen."""

    _esm = "export default {};"

    wasm = traitlets.Bytes().tag(sync=True)
    """The module, packed by gzip."""
    twin = traitlets.Bytes().tag(sync=True)
    """The same in JavaScript, for pages that forbid the other, packed alike."""
    script = traitlets.Unicode().tag(sync=True)
    table: Any = traitlets.Dict().tag(sync=True)
    """How the module's functions are called, and its digest."""
    names: Any = traitlets.Dict().tag(sync=True)
    """Names of places in the kernels' arrays."""


_open: list[KernelBox] = []


def kernel_box() -> KernelBox:
    """The box of this process; a new one where the one before was closed."""
    if not _open or _open[0].comm is None:
        script, names = join_script(HERE / "live" / "worker.js"), _read("names")
        _open[:] = [KernelBox(script=script, names=names, **packed_kernels())]
    return _open[0]


@functools.cache
def packed_kernels(product: str = "kernels") -> dict[str, Any]:
    """The kernels as a box holds them: all, or ``"pages"``, without those of permanent rotations."""
    wasm = gzip.compress((STATIC / f"{product}.wasm").read_bytes(), 9, mtime=0)
    return {"wasm": wasm, "twin": (STATIC / f"{product}.js.gz").read_bytes(), "table": _read(product)}


def _read(name: str) -> Any:
    return json.loads((STATIC / f"{name}.json").read_text(encoding="utf-8"))
