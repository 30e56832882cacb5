"""What several commands share: the model that is meant, its values, and a bar that shows how far the work is."""

from __future__ import annotations

import argparse
import inspect
import sys
import time
import warnings
from pathlib import Path
from typing import Any

from ..errors import ExpressionError, FileError, ModelError, UnknownNameError, shorten
from ..expressions import Expression, as_scalar
from ..model.model import Model

MAX_DIGITS = 6
"""Of a count of bodies or values: no more digits are read as a number."""
__all__ = ["Bar", "add_model_arguments", "find_model", "print_status"]


def add_model_arguments(parser: argparse.ArgumentParser, besides: str = "") -> None:
    """The model, or what it can be besides, and values of its parameters."""
    known = "a name of the library (pendulum, or pendulum:3), a .json or a .urdf file"
    parser.add_argument("model", help=f"{besides}{known}")
    parser.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="give a parameter a value; may be repeated"
    )


def find_model(text: str, settings: list[str]) -> Model:
    """The model of a file or of the library, with its parameters set."""
    model = _from_file(text) if Path(text).suffix else _from_library(text)
    values = {}
    for setting in settings:
        name, _, number = setting.partition("=")
        try:
            values[name] = as_scalar(number)
        except ExpressionError as error:
            raise ModelError(
                f"{shorten(setting)}: {error.problem}", where="--set", remedy="write it as m2=7.5"
            ) from None
        if isinstance(values[name], Expression):
            raise ModelError(f"{shorten(setting)}", where="--set", remedy="write it as m2=7.5")
    return model.with_values(**values) if values else model


def _from_file(text: str) -> Model:
    from ..files import UrdfNote, load

    if not Path(text).is_file():
        raise FileError("there is no such file", where=text, remedy="`mbwidgets list` names the library's mechanisms")
    with warnings.catch_warnings(record=True) as notes:
        warnings.simplefilter("always", UrdfNote)
        model = load(text)
    for note in notes:
        print_status(f"{text}: {note.message}")
    return model


def _from_library(text: str) -> Model:
    from ..model import library
    from ..model.fields import suggest_name

    name, _, count = text.partition(":")
    if name not in library.names():
        raise UnknownNameError(
            f"no mechanism {shorten(name)}", where="model", remedy=suggest_name(name, library.names())
        )
    make = getattr(library, name)
    plain = count.isdecimal() and len(count) <= MAX_DIGITS
    if count and not (inspect.signature(make).parameters and plain):
        raise ModelError(f"{shorten(text)}", where="model", remedy="write pendulum:3 for a pendulum of three bodies")
    made: Model = make(int(count)) if count else make()
    return made


def print_status(text: str) -> None:
    """A line for the person at the terminal; results go to the standard output, this does not."""
    print(f"mbwidgets: {text}", file=sys.stderr)


class Bar:
    """A progress bar on a terminal; elsewhere nothing is shown."""

    def __init__(self, label: str, stream: Any = None) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._label = label
        self._start = time.monotonic()
        self._last = -1.0
        self._terminal = bool(getattr(self._stream, "isatty", lambda: False)())

    def __call__(self, share: float) -> None:
        """Show that this share is done."""
        share = min(1.0, max(0.0, share))
        if not self._terminal or (share < 1 and share - self._last < 0.01):
            return
        self._last = share
        width = 28
        full = round(share * width)
        seconds = time.monotonic() - self._start
        text = f"{self._label} {'█' * full}{'░' * (width - full)} {100 * share:3.0f} %  {seconds:.0f} s"
        self._stream.write(f"\r{text:<79}")
        self._stream.flush()

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_: object) -> None:
        if self._terminal and self._last >= 0:
            self._stream.write("\n")
