"""What has been graded, one line of JSON each, on disk before the next is begun: a killed run loses nothing."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..errors import FileError
from ..files.whole import writable_path

__all__ = ["Journal"]


class Journal:
    """A file of records; a line that a kill has torn, or that is no record, is passed over."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def records(self) -> Iterator[dict[str, Any]]:
        """Every whole record, in the order of writing."""
        try:
            lines = self.path.read_bytes().split(b"\n")
        except FileNotFoundError:
            return
        except OSError as error:
            raise FileError(error.strerror or str(error), where=self.path.name, remedy="check its rights") from None
        for line in lines:
            try:
                record = json.loads(line) if line else None
            except (ValueError, RecursionError):
                continue
            if isinstance(record, dict):
                yield record

    def __enter__(self) -> Journal:
        try:
            self._stream = open(writable_path(self.path), "a+b")
            if self._stream.tell():
                self._stream.seek(-1, os.SEEK_END)
                if self._stream.read(1) != b"\n":
                    self._stream.write(b"\n")
        except OSError as error:
            raise FileError(error.strerror or str(error), where=self.path.name, remedy="check the folder") from None
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()

    def write(self, record: dict[str, Any]) -> None:
        """Add a record; it is on disk when this returns."""
        # in ASCII: the name of a file may hold bytes that are no UTF-8
        self._stream.write(json.dumps(record).encode() + b"\n")
        self._stream.flush()
        os.fsync(self._stream.fileno())

    def clear(self) -> None:
        """Forget all records."""
        self.path.unlink(missing_ok=True)
