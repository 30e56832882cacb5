"""Files that are written whole or not at all: beside the old one, which stays as it was until the new one is there."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..errors import FileError, shorten
from .text import as_path

__all__ = ["replacing_file", "writable_path", "write_whole"]


def writable_path(path: str | os.PathLike[str]) -> Path:
    """The path, if a file can be written there: its folder exists, and what it names is a file or nothing yet.

    Whoever works for long before there is something to write asks this first.
    """
    given = as_path(path)
    try:
        target = given.resolve()  # a link keeps pointing at the file that it names
        if not target.parent.is_dir():
            raise FileError(
                "there is no such folder", where=str(given.parent), remedy="make the folder, or name another"
            )
        if target.exists() and not target.is_file():
            what = "a folder" if target.is_dir() else "a device or a pipe, not a file"
            raise FileError(f"it is {what}", where=str(given), remedy="give the name of a file")
    except (OSError, ValueError, RuntimeError) as error:
        raise error if isinstance(error, FileError) else _failed(error, given) from None
    return target


@contextmanager
def replacing_file(path: str | os.PathLike[str]) -> Iterator[Path]:
    """A place to write a file's new content to: it becomes the file when the block ends well, else nothing changes."""
    target = writable_path(path)
    temporary = target.with_name(f".mbwidgets-{secrets.token_hex(6)}.tmp{target.suffix[:16]}")
    try:
        yield temporary
        if target.exists():
            shutil.copymode(target, temporary)
        os.replace(temporary, target)
    except OSError as error:
        raise _failed(error, as_path(path)) from None
    finally:  # an interrupt leaves nothing behind either
        temporary.unlink(missing_ok=True)


def write_whole(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write a file, text in UTF-8 as it is."""
    with replacing_file(path) as place, open(place, "xb") as stream:
        stream.write(content.encode() if isinstance(content, str) else content)
        stream.flush()
        os.fsync(stream.fileno())


def _failed(error: Exception, path: Path) -> FileError:
    reason = getattr(error, "strerror", None) or str(error)
    return FileError(reason, where=shorten(path.name), remedy="check the folder and its rights")
