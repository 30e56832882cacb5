"""``python -m mbwidgets``: commands for the terminal."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from . import __version__
from .commands import COMMANDS
from .errors import MbwidgetsError


def _speak_plainly() -> None:
    """Where the terminal has no UTF-8, a letter that it lacks is written as its code: no result is lost over it."""
    for stream in (sys.stdout, sys.stderr):
        encoding = str(getattr(stream, "encoding", None) or "utf-8").lower().replace("-", "").replace("_", "")
        if not encoding.startswith("utf") and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns its exit code: 0 done, 1 refused with a message, 2 not understood."""
    parser = argparse.ArgumentParser(prog="mbwidgets", description="Multibody dynamics to hold in the hand.")
    parser.add_argument("--version", action="version", version=f"mbwidgets {__version__}")
    parsers = parser.add_subparsers(dest="command", required=True, metavar="command")
    for name in COMMANDS:
        module = import_module(f".commands.{name}_", __package__)
        text = (module.__doc__ or "").partition("\n")[0]  # python -OO leaves no docstrings
        one = parsers.add_parser(name, help=text, description=text)
        module.arguments(one)
        one.set_defaults(run=module.run)
    _speak_plainly()
    options = parser.parse_args(arguments)
    try:
        return int(options.run(options))
    except (MbwidgetsError, PermissionError, IsADirectoryError) as error:
        print(f"mbwidgets: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:  # whoever read along, as `head` does, has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        print("\nmbwidgets: interrupted", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
