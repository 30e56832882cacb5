"""Bytes of an untrusted file as text: regular files only, a size limit, UTF-8."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Final

from ..errors import FileError, MbwidgetsError, shorten

MAX_BYTES: Final = 5_000_000


def as_path(path: str | os.PathLike[str]) -> Path:
    """A path, or the error that says what was given instead."""
    try:
        return Path(path)
    except TypeError:
        raise FileError(f"{shorten(path)} is not a path", remedy='give a file name such as "arm.json"') from None


def read_text(path: str | os.PathLike[str], limit: int = MAX_BYTES) -> str:
    """The text of a file of at most ``limit`` bytes."""
    name = as_path(path).name
    try:
        # Not blocking: a named pipe must not hold the caller for ever.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with open(descriptor, "rb") as stream:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise FileError("not a regular file", where=name, remedy="give a file on disk")
            data = stream.read(limit + 1)
    except OSError as error:
        raise FileError(error.strerror or str(error), where=name, remedy="check the path and its rights") from None
    except ValueError as error:
        if isinstance(error, MbwidgetsError):
            raise
        raise FileError(str(error), where=repr(name), remedy="check the path") from None
    if len(data) > limit:
        raise FileError(f"larger than {limit} bytes", where=name, remedy="split the model, or leave meshes out")
    return decode_text(data, name)


def decode_text(data: bytes | str, name: str) -> str:
    """UTF-8, or text, with or without a byte-order mark."""
    try:
        return (data if isinstance(data, str) else data.decode("utf-8")).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise FileError(
            f"byte {error.start} is not UTF-8", where=name, remedy="save the file in the encoding UTF-8"
        ) from None


def check_size(text: str, name: str, limit: int = MAX_BYTES) -> None:
    """Refuse a text that is too long to be a model."""
    if len(text) > limit:
        raise FileError(f"longer than {limit} characters", where=name, remedy="split the model")
