"""What the translation leaves in the package: modules, and tables of their entry points.

``static/kernels.wasm`` is the module, ``static/kernels.json`` says how its functions are called and what its hash is;
``kernels.js.gz`` is the same in JavaScript, ``pages`` are both without what only Python asks for, or only pages of
permanent rotations, and ``tangents`` has what is computed over dual numbers. All are made by `tools/translate`, and a
test makes them anew and compares.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ...errors import FileError

__all__ = ["MOST_PAGES", "PAGE", "STATIC", "ExportTable", "Signature", "read_product"]

STATIC: Final = Path(__file__).parent / "static"
PAGE: Final = 65536
"""Bytes by which the module's memory grows."""
MOST_PAGES: Final = 32768
"""2 GiB: addresses are 32-bit integers with a sign."""


@dataclass(frozen=True)
class Signature:
    """How an export is called.

    ``parameters``: ``i``, ``f`` or ``b``; ``f1`` … ``f3`` for an array of floats by the number of its indices, ``i1``
    for one of integers; ``written``: the places of the arrays that the kernel writes to.
    """

    name: str
    parameters: tuple[str, ...]
    written: frozenset[int]
    results: str


@dataclass(frozen=True)
class ExportTable:
    """The exports of the module, and the first free address of its memory."""

    exports: dict[str, Signature]
    heap: int
    digest: str


def read_product(folder: Path = STATIC, name: str = "kernels") -> tuple[bytes, ExportTable]:
    """A module and its table; refused where the module is not the one that the table was made with."""
    try:
        told: dict[str, Any] = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
        code = (folder / f"{name}.wasm").read_bytes()
    except (OSError, ValueError) as error:
        raise _damaged(folder / f"{name}.wasm", f"it cannot be read: {error}") from error
    if hashlib.sha256(code).hexdigest() != told["sha256"]:
        raise _damaged(folder / f"{name}.wasm", "its bytes are not those that were installed")
    exports = {
        name: Signature(name, tuple(item["parameters"].split()), frozenset(item["written"]), item["results"])
        for name, item in told["exports"].items()
    }
    return code, ExportTable(exports, told["heap"], told["sha256"])


def _damaged(file: Path, why: str) -> FileError:
    return FileError(
        f"the compiled kernels are damaged: {why}",
        where=str(file),
        remedy='install mbwidgets anew, or go on slowly with mb.engine("python")',
    )
