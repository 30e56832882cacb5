"""The engine "wasm": the translated kernels, run by wasmtime from Python.

Arrays are copied into the module's memory before a call and, where the kernel writes to them, back after it; only a
`desk` holds views of that memory, and gives copies. Each thread has an instance with a memory of its own. Functions are
called by the one path of wasmtime's C interface that does not look at types: the table of the module has them.
"""

from __future__ import annotations

import atexit
import ctypes
import struct
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple
from weakref import WeakSet

import numpy as np

from ...errors import SizeError
from .kernel import EntryPoint
from .product import MOST_PAGES, PAGE, ExportTable, Signature, read_product

__all__ = ["WasmEngine"]

SLOT: Final = 16
"""Bytes of an argument or a result in a call."""
CODES: Final = {"i": "i12x", "b": "i12x", "f": "d8x"}
FLOAT: Final = 8
KEPT: Final = 64 << 20
"""Bytes of memory that an instance keeps for the next call."""
CONFINED_MEMORY: Final = 256 << 20
"""Bytes of address space that an instance may have where the process is limited (RLIMIT_AS): batch queues, and the
grader's workers. Elsewhere wasmtime reserves 4 GiB of addresses, which cost nothing and need no test of bounds."""


def _is_confined() -> bool:
    """Whether the addresses of this process are limited."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return False
    return resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY


class Compiled(NamedTuple):
    """The module, compiled: wasmtime's engine and module, the table, and the most pages of a memory."""

    engine: Any
    module: Any
    table: ExportTable
    pages: int


class WasmEngine:
    """Runs entry points in the translated module; compiled at the first call, in a few hundredths of a second."""

    name = "wasm"

    def __init__(self) -> None:
        import wasmtime  # its absence is told where the engine is chosen

        self._wasmtime = wasmtime
        self._lock = threading.Lock()
        self._local = threading.local()
        self._compiled: dict[tuple[str, bool], Compiled] = {}
        self._instances: WeakSet[Instance] = WeakSet()
        atexit.register(self._close)

    def _compile(self, name: str, confined: bool) -> Compiled:
        config = self._wasmtime.Config()
        config.parallel_compilation = False  # its threads do not survive a fork: a child would wait for them for ever
        if confined:
            config.memory_reservation = CONFINED_MEMORY
            config.memory_guard_size = PAGE
            config.memory_may_move = False
        engine = self._wasmtime.Engine(config)
        code, table = read_product(name=name)
        pages = CONFINED_MEMORY // PAGE if confined else MOST_PAGES
        return Compiled(engine, self._wasmtime.Module(engine, code), table, pages)

    @property
    def instance(self) -> Instance:
        """This thread's instance of the kernels."""
        return getattr(self._local, "kernels", None) or self._open("kernels")

    @property
    def tangents(self) -> Instance:
        """This thread's instance of the kernels over dual numbers."""
        return getattr(self._local, "tangents", None) or self._open("tangents")

    def _open(self, name: str) -> Instance:
        key = name, _is_confined()
        with self._lock:
            if key not in self._compiled:
                self._compiled[key] = self._compile(*key)
        found = Instance(self._wasmtime, self._compiled[key])
        setattr(self._local, name, found)
        self._instances.add(found)
        return found

    def _close(self) -> None:
        """Give everything back while the interpreter is whole: wasmtime's own finalisers come too late for that."""
        for instance in list(self._instances):
            instance.close()
        for compiled in self._compiled.values():
            compiled.module.close()
            compiled.engine.close()

    def run(self, entry: EntryPoint, arguments: tuple[Any, ...]) -> Any:
        """Call an entry point; the kernels among its arguments choose the export."""
        name = entry.name
        if "Kernel" in entry.kinds:
            given: list[Any] = []
            rest: list[Any] = []
            for kind, value in zip(entry.kinds, arguments, strict=True):
                (given if kind == "Kernel" else rest).append(value)
            name, arguments = ":".join((name, *(item.__name__ for item in given))), tuple(rest)
        instance = self.instance
        try:
            return instance.call(name, arguments)
        finally:
            if instance.is_bloated:  # a memory never shrinks: the next call begins with a small one
                self._local.kernels = None


class Instance:
    """The module with a memory, for one thread."""

    def __init__(self, wasmtime: Any, compiled: Compiled) -> None:
        self._store = wasmtime.Store(compiled.engine)
        self._exports = wasmtime.Instance(self._store, compiled.module, []).exports(self._store)
        self._memory = self._exports["memory"]
        self._wasmtime, self._table, self._pages = wasmtime, compiled.table, compiled.pages
        self._calls: dict[str, _Export] = {}
        self._free: list[range] = []
        self._returned: deque[range] = deque()
        self._base = self.top = compiled.table.heap // FLOAT
        """The first number of the memory that is free."""
        self.floats = self._view()

    @property
    def is_bloated(self) -> bool:
        """Whether one large computation has left it a memory that nobody else needs."""
        return len(self.floats) * FLOAT > KEPT and self.top == self._base

    def close(self) -> None:
        """Give the memory back."""
        self._store.close()

    def _view(self) -> np.ndarray:
        size = self._memory.data_len(self._store) // FLOAT
        address = ctypes.cast(self._memory.data_ptr(self._store), ctypes.c_void_p).value
        assert address is not None
        return np.ctypeslib.as_array((ctypes.c_double * size).from_address(address))

    def reserve(self, end: int) -> None:
        """Make room for numbers up to an index; the memory never moves, so views of it stay."""
        if end <= len(self.floats):
            return
        have = len(self.floats) * FLOAT // PAGE
        need = -(-end * FLOAT // PAGE)
        if need > self._pages:
            raise SizeError(
                f"a computation needs {end * FLOAT / 2**20:.0f} MB, and can have {self._pages * PAGE >> 20}",
                remedy="compute fewer frames at a time, or a smaller model",
            )
        self._memory.grow(self._store, min(max(need, 2 * have), self._pages) - have)
        self.floats = self._view()

    def tangent(self, name: str, arguments: Sequence[Any], directions: Sequence[Any]) -> Any:
        """Call an export over dual numbers: ``directions`` are the arguments' tangents, None where there are none.

        What the kernel writes comes back in the arrays, its tangents in the directions; returns the results, their
        tangents after them.
        """
        export = self.export(f"{name}'")
        given, laid, shift = self._lay(export, arguments, 2)
        floats = self.floats
        floats[shift : 2 * shift] = 0.0
        slopes, ways = list[float](), list[tuple[np.ndarray, np.ndarray]]()
        for kind, item, way in zip(export.signature.parameters, arguments, directions, strict=False):
            if kind == "f":
                slopes.append(0.0 if way is None else float(way))
            elif len(kind) > 1 and way is not None:
                begin = shift + laid[id(item)][0]
                ways.append((way, floats[begin : begin + way.size].reshape(way.shape)))
        for way, here in ways:
            here[...] = way
        result = export(*given, *slopes, shift * FLOAT)
        _take(export, arguments, laid)
        for way, here in ways:
            way[...] = here
        return result

    def allocate(self, size: int) -> range:
        """Numbers that stay until they are released."""
        while self._returned:
            self._free.append(self._returned.popleft())
        self._free.sort(key=lambda block: block.start)
        while self._free and self._free[-1].stop == self.top:
            self.top = self._free.pop().start
        for k, block in enumerate(self._free):
            if len(block) == size:
                return self._free.pop(k)
        block = range(self.top, self.top + size)
        self.reserve(block.stop)
        self.top = block.stop
        return block

    def release(self, block: range) -> None:
        """Give numbers back; from any thread, since nobody knows where an object ends."""
        if block:
            self._returned.append(block)

    def bind(
        self, name: str, names: Sequence[str | None], arrays: Mapping[str, np.ndarray], places: Mapping[str, int]
    ) -> Callable[..., Any]:
        """An export with arrays that are here; None stands, once at most, for a number that the call is given."""
        export, given = self.export(name), list[float | None]()
        for item in names:
            given.extend([None] if item is None else [places[item] * FLOAT, *arrays[item].shape])
        return export.bound(given)

    def export(self, name: str) -> _Export:
        """A function of the module."""
        found = self._calls.get(name)
        if found is None:
            function = self._exports[name]
            found = self._calls[name] = _Export(self._wasmtime, self._store, function, self._table.exports[name])
        return found

    def call(self, name: str, arguments: tuple[Any, ...]) -> Any:
        """Call an export with numbers and arrays; what it writes to comes back in the arrays."""
        export = self.export(name)
        if len(arguments) != len(export.signature.parameters):
            wanted = len(export.signature.parameters)
            raise TypeError(f"{name} takes {wanted} arguments, {len(arguments)} were given")
        given, laid, _ = self._lay(export, arguments)
        result = export(*given)
        _take(export, arguments, laid)
        return result

    def _lay(
        self, export: _Export, arguments: Sequence[Any], times: int = 1
    ) -> tuple[list[float], dict[int, tuple[int, np.ndarray]], int]:
        """Lay arrays into the memory, with room for ``times`` as much.

        Returns the numbers to call with, by array where it begins and stands, and the end. An array that is given twice
        stands there once.
        """
        given, begins, end = list[float](), dict[int, tuple[np.ndarray, int]](), self.top
        for (kind, indices), value in zip(export.parameters, arguments, strict=False):
            if indices == 0:
                given.append(float(value) if kind == "f" else int(value))
                continue
            if not isinstance(value, np.ndarray) or value.ndim != indices or value.dtype.kind != kind:
                place = next(k for k, item in enumerate(arguments) if item is value)
                told = f"argument {place} is no array of {indices} indices ({kind})"
                raise TypeError(f"{export.signature.name}: {told}")
            if id(value) not in begins:
                begins[id(value)] = value, end
                end += value.size
            given.append(begins[id(value)][1] * FLOAT)
            given.extend(value.shape)
        self.reserve(times * end)
        floats, laid = self.floats, dict[int, tuple[int, np.ndarray]]()
        for key, (value, begin) in begins.items():
            here = floats[begin : begin + value.size].reshape(value.shape)
            here[...] = value
            laid[key] = begin, here
        return given, laid, end


def _take(export: _Export, arguments: Sequence[Any], laid: Mapping[int, tuple[int, np.ndarray]]) -> None:
    """Take back the arrays that a call has written to."""
    for place in export.signature.written:
        array = arguments[place]
        array[...] = laid[id(array)][1]


def _cell(raw: Any, place: int, kind: str) -> Any:
    """The number in a slot of a call."""
    return (ctypes.c_double if kind == "f" else ctypes.c_int32).from_buffer(raw, place * SLOT)


class _Export:
    """A function of the module, called with scalars: addresses and sizes of arrays among them."""

    def __init__(self, wasmtime: Any, store: Any, function: Any, signature: Signature) -> None:
        from wasmtime import _ffi as ffi

        self.signature = signature
        self.parameters = [(kind[0], int(kind[1:] or 0)) for kind in signature.parameters]
        """Of each argument the kind of its numbers, and how many indices it has."""
        self._kinds = "".join(kind if len(kind) == 1 else "i" * (1 + int(kind[1])) for kind in signature.parameters)
        self._given = struct.Struct("<" + "".join(CODES[kind] for kind in self._kinds))
        self._results = struct.Struct("<" + "".join(CODES[kind] for kind in signature.results))
        self._truths = [kind == "b" for kind in signature.results]
        slots = max(self._given.size, self._results.size, SLOT) // SLOT
        self._raw = ctypes.create_string_buffer(slots * SLOT)
        self._trap = ctypes.c_void_p()
        self._keep = function, store
        call = ffi.dll["wasmtime_func_call_unchecked"]
        call.restype = ctypes.c_void_p
        call.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p]
        context = ctypes.cast(store._context(), ctypes.c_void_p).value
        self._call: Callable[..., int | None] = call
        self._plain = ctypes.cast(call, ctypes.CFUNCTYPE(ctypes.c_void_p))
        self._trap_at = ctypes.c_void_p(ctypes.addressof(self._trap))
        self._where = (
            context,
            ctypes.addressof(function._func),
            ctypes.addressof(self._raw),
            slots,
            ctypes.addressof(self._trap),
        )
        self._wasmtime, self._ffi = wasmtime, ffi

    def __call__(self, *given: float) -> Any:
        """Call it."""
        self._given.pack_into(self._raw, 0, *given)
        error = self._call(*self._where)
        if error or self._trap.value:
            raise self._failed(error)
        found = self._results.unpack_from(self._raw)
        if len(found) == 1:
            return bool(found[0]) if self._truths[0] else found[0]
        return found if found else None

    def bound(self, given: Sequence[float | None]) -> Callable[..., Any]:
        """The call with numbers that are known; where None stands, once at most, the call is given one.

        The result stands where the first argument stood, which is written anew each time. The addresses are handed over
        as objects of ctypes, which need no conversion.
        """
        raw = ctypes.create_string_buffer(len(self._raw))
        self._given.pack_into(raw, 0, *(0 if item is None else item for item in given))
        context, function, _, slots, _ = self._where
        where = *map(ctypes.c_void_p, (context, function, ctypes.addressof(raw))), ctypes.c_size_t(slots), self._trap_at
        call, trapped, kept = self._plain, self._trap, given[0] or 0
        first = _cell(raw, 0, self._kinds[0])
        number = _cell(raw, given.index(None), self._kinds[given.index(None)]) if None in given else ctypes.c_double()
        result = _cell(raw, 0, self.signature.results or "i")

        def run(value: float = 0.0) -> Any:
            first.value = kept
            number.value = value
            error = call(*where)
            if error or trapped.value:
                raise self._failed(error)
            return result.value

        run.keep = self  # type: ignore[attr-defined]
        return run

    def _failed(self, error: int | None) -> Exception:
        if error:
            pointer = ctypes.cast(error, ctypes.POINTER(self._ffi.wasmtime_error_t))
            return self._wasmtime.WasmtimeError._from_ptr(pointer)
        pointer = ctypes.cast(self._trap.value, ctypes.POINTER(self._ffi.wasm_trap_t))  # type: ignore[arg-type]
        self._trap.value = None
        return self._wasmtime.Trap._from_ptr(pointer)
