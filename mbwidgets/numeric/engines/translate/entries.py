"""The module of all entry points: each kernel that Python calls, once for each kernel that it can be given."""

from __future__ import annotations

import gzip
import hashlib
import json
import pkgutil
from collections.abc import Collection, Iterator
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any, Final

from ..kernel import DERIVATIVES, ENTRY_POINTS, EntryPoint
from ..product import STATIC
from .javascript import write_module
from .lowering import Lowered
from .module import Export, Module
from .names import names_of_places
from .values import ArrayType, FunctionType, Type
from .wasm import encode_module

__all__ = [
    "PYTHON_ONLY",
    "export_name",
    "import_kernels",
    "page_entry_points",
    "table_of",
    "translate_entry_points",
    "write_products",
]

HOLDERS: Final = ("mbwidgets.numeric.kernels", "mbwidgets.numeric.steps")
"""The packages that have entry points."""

KINDS: Final[dict[str, Type]] = {
    "float": "f",
    "int": "i",
    "bool": "b",
    "Vector": ArrayType((None,)),
    "Table": ArrayType((None, None)),
    "Cube": ArrayType((None, None, None)),
    "Counters": ArrayType((None,), "i"),
}
"""The types of the annotations of entry points."""


TANGENTS: Final = ("state_derivative",)
"""The entry points that are made over dual numbers too."""


ROTATIONS: Final = ("vertical_rotation", "staude_cone", "cone_growth")
"""The modules whose entry points only pages of permanent rotations ask for: others do without, a tenth smaller."""


PYTHON_ONLY: Final = (
    "close_loops",
    "fill_mass_matrix",
    "forward_dynamics",
    "frame_jacobians",
    "frame_motion",
    "largest_step_from",
    "mass_matrix_frames",
    "observed_rank",
    "point_kinematics",
    "read_signals",
    "state_derivative",
    "zero_search_places_at",
)
"""The entry points that no page calls: pages are made without them, a quarter smaller."""


def export_name(entry: str, given: tuple[str, ...]) -> str:
    """The name of an entry point for the kernels that it is given."""
    return ":".join((entry, *given))


def import_kernels() -> None:
    """Import every module that has kernels, so that all entry points are known."""
    for holder in HOLDERS:
        for found in pkgutil.iter_modules(import_module(holder).__path__):
            import_module(f"{holder}.{found.name}")


def translate_entry_points(names: Collection[str] | None = None) -> Module:
    """Translate all entry points, or those of these names, in the order of their names."""
    import_kernels()
    module = Module()
    for name in sorted(ENTRY_POINTS if names is None else names):
        for given in _choices(ENTRY_POINTS[name]):
            rest = iter(given)
            kinds = ENTRY_POINTS[name].kinds
            types = [FunctionType(DERIVATIVES[next(rest)]) if kind == "Kernel" else KINDS[kind] for kind in kinds]
            module.export(export_name(name, given), ENTRY_POINTS[name].source, types)
    return module


def translate_tangents() -> Module:
    """Translate the entry points that are wanted over dual numbers: each as it is, and so."""
    module = translate_entry_points(TANGENTS)
    for export in tuple(module.exports):
        module.export_tangent(export.name)
    return module


def _choices(entry: EntryPoint) -> Iterator[tuple[str, ...]]:
    return product(sorted(DERIVATIVES), repeat=entry.kinds.count("Kernel"))


def table_of(module: Module, code: bytes) -> dict[str, Any]:
    """The table of a module, as it is written."""
    exports = {
        export.name: {
            "parameters": " ".join(_parameters(export)),
            "written": sorted(_places(export.lowered)),
            "results": "".join(export.function.results),
        }
        for export in module.exports
    }
    return {"heap": module.heap, "sha256": hashlib.sha256(code).hexdigest(), "exports": exports}


def _parameters(export: Export) -> Iterator[str]:
    """The kinds of an export's arguments; over dual numbers the tangents of its floats and the shift follow."""
    given = [_letters(kind) for kind in export.lowered.types if not isinstance(kind, FunctionType)]
    yield from given
    if export.function is not export.lowered.function:
        yield from (kind for kind in given if kind == "f")
        yield "i"


def _letters(kind: Type) -> str:
    return f"{kind.element}{len(kind.sizes)}" if isinstance(kind, ArrayType) else str(kind)


def _places(lowered: Lowered) -> Iterator[int]:
    """The places of written arrays among the arguments that are no kernels."""
    rest = [k for k, kind in enumerate(lowered.types) if not isinstance(kind, FunctionType)]
    return (place for place, k in enumerate(rest) if k in lowered.written)


def page_entry_points() -> list[str]:
    """The entry points of a page that does not ask for permanent rotations."""
    return [
        name
        for name, entry in ENTRY_POINTS.items()
        if entry.__module__.rpartition(".")[2] not in ROTATIONS and name not in PYTHON_ONLY
    ]


def write_products(folder: Path = STATIC) -> Module:
    """Translate all entry points and write the products into the package."""
    folder.mkdir(exist_ok=True)
    for name, module in (("tangents", translate_tangents()), ("kernels", translate_entry_points())):
        code = encode_module(module)
        (folder / f"{name}.wasm").write_bytes(code)
        (folder / f"{name}.json").write_text(json.dumps(table_of(module, code), indent=1) + "\n", encoding="utf-8")
    (folder / "names.json").write_text(json.dumps(names_of_places(), indent=1) + "\n", encoding="utf-8")
    (folder / "kernels.js.gz").write_bytes(gzip.compress(write_module(module).encode(), mtime=0))
    pages = translate_entry_points(page_entry_points())
    code_of_pages = encode_module(pages)
    # a problem is stamped with the whole module, of which this is a part
    table = {**table_of(pages, code_of_pages), "sha256": hashlib.sha256(code).hexdigest()}
    (folder / "pages.wasm").write_bytes(code_of_pages)
    (folder / "pages.json").write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    (folder / "pages.js.gz").write_bytes(gzip.compress(write_module(pages).encode(), mtime=0))
    return module
