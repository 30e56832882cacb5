"""One decorator, `kernel`: compiled by numba where it is installed, plain Python where it is not.

Compiled code is cached in the user's cache folder under a hash of all that kernels can reach, the rooms of ROOMS, so
that an edit in any of them, or an upgrade, starts a clean cache and never meets a stale one. ``MBWIDGETS_NUMBA=0``
switches compilation off, ``MBWIDGETS_CACHE_DIR`` moves the cache.
"""

from __future__ import annotations

import hashlib
import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

__all__ = ["COMPILED", "cache_folder", "kernel", "on_compile"]

try:
    if os.environ.get("MBWIDGETS_NUMBA", "1") == "0":
        raise ImportError("switched off")
    import numba
    from numba.core import caching
except ImportError:
    numba = None

COMPILED = numba is not None
"""Whether kernels are compiled; otherwise the same code runs as Python, slow and right."""

ROOMS = ("base", "engines", "kernels", "steps")
"""Where kernels may live, and all that they may import."""

_listeners: list[Callable[[str], None]] = []
_one_at_a_time = threading.Lock()


def on_compile(listener: Callable[[str], None]) -> Callable[[], None]:
    """Call ``listener(kernel name)`` before each kernel that has to be compiled; returns how to stop listening."""
    _listeners.append(listener)
    return lambda: _listeners.remove(listener)


def _source_hash() -> str:
    digest = hashlib.sha256(repr((sys.version_info[:3], getattr(numba, "__version__", ""))).encode())
    numeric = Path(__file__).parents[1]
    for room in ROOMS:
        for path in sorted((numeric / room).rglob("*.py")):
            digest.update(path.relative_to(numeric).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def _user_cache() -> Path:
    if given := os.environ.get("MBWIDGETS_CACHE_DIR"):
        return Path(given)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "mbwidgets" / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "mbwidgets"
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "mbwidgets"


_STAMP = _source_hash() if COMPILED else ""


def cache_folder() -> Path:
    """Where this version's compiled kernels are kept."""
    return _user_cache() / _STAMP


if COMPILED:

    class _Locator(caching._CacheLocator):  # type: ignore[misc]
        def __init__(self, line: int) -> None:
            self._line = line

        @classmethod
        def from_function(cls, py_func: Any, py_file: str) -> _Locator:
            return cls(py_func.__code__.co_firstlineno)

        def get_cache_path(self) -> str:
            return str(cache_folder())

        def get_source_stamp(self) -> str:
            return _STAMP

        def get_disambiguator(self) -> str:
            return str(self._line)

        def ensure_cache_path(self) -> None:
            _prune()
            super().ensure_cache_path()

    class _Implementation(caching.CompileResultCacheImpl):  # type: ignore[misc]
        _locator_classes = (_Locator,)

    class _Cache(caching.FunctionCache):  # type: ignore[misc]
        _impl_class = _Implementation

        def __init__(self, function: Callable[..., Any]) -> None:
            super().__init__(function)
            # numba counts the files of a function: two processes would write over each other's
            self._cache_file._data_name_pattern = f"{self._impl.filename_base}.{os.getpid():d}.{{number:d}}.nbc"

        def load_overload(self, sig: Any, target_context: Any) -> Any:
            found = super().load_overload(sig, target_context)
            if found is None:
                for listener in tuple(_listeners):
                    listener(self._py_func.__name__)
            return found

        def save_overload(self, sig: Any, data: Any) -> None:
            try:
                super().save_overload(sig, data)
            except OSError:
                self.disable()  # a read-only home: compile anew in each process


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function of numbers and arrays that other kernels call."""
    return _compile(function, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def entry_point(function: Callable[..., Any]) -> Any:
    """Compile a kernel that Python calls; it releases the interpreter lock while it runs."""
    return _compile(function, nogil=True, no_cfunc_wrapper=True)


def callback_kernel(function: Callable[..., Any]) -> Any:
    """Compile a kernel ``(memory, body, col, tau, t, y, dy) -> status`` that others are given as an argument.

    The tables are views of the memory: whoever calls it often makes them once.
    """
    return _compile(function, nogil=True)


def compile_for_callbacks(dispatcher: Any, *arguments: Any) -> None:
    """Compile a kernel whose first argument is a `callback_kernel`, once for all of them.

    The others as these examples.
    """
    if COMPILED and not dispatcher.signatures:
        row, table = numba.float64[::1], numba.float64[:, ::1]
        given = numba.types.FunctionType(numba.int64(row, table, table, row, numba.float64, row, row))
        compile_only(dispatcher, *arguments, first=(given,))


def compile_only(dispatcher: Any, *arguments: Any, first: tuple[Any, ...] = ()) -> None:
    """Compile a kernel for arguments like these and no others; a second thread that asks for it waits."""
    if not COMPILED:
        return
    with _one_at_a_time:
        if not dispatcher.signatures:
            dispatcher.compile((*first, *map(numba.typeof, arguments)))
        dispatcher.disable_compile()


def _compile(function: Callable[..., Any], **options: bool) -> Any:
    if not function.__module__.startswith(tuple(f"mbwidgets.numeric.{room}." for room in ROOMS)):
        raise ImportError(f"a kernel in {function.__module__}: its edits would not be seen; put it in one of {ROOMS}")
    if not COMPILED:
        return function
    dispatcher = numba.njit(error_model="numpy", fastmath={"contract", "nsz"}, **options)(function)
    try:
        dispatcher._cache = _Cache(function)
    except Exception:  # numba's cache is not a public interface: without it every process compiles anew
        dispatcher.enable_caching()
    return dispatcher


def _prune(days: float = 30.0) -> None:
    """Remove caches of other versions that have not been used for a while."""
    import shutil

    root = _user_cache()
    if not root.is_dir():
        return
    for folder in root.iterdir():
        hashed = len(folder.name) == 16 and all(letter in "0123456789abcdef" for letter in folder.name)
        if hashed and folder.name != _STAMP and time.time() - folder.stat().st_mtime > days * 86400:
            shutil.rmtree(folder, ignore_errors=True)
