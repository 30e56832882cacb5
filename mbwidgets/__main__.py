"""``python -m mbwidgets``: commands for the terminal."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from . import __version__


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns its exit code."""
    parser = argparse.ArgumentParser(prog="mbwidgets", description="Multibody dynamics to hold in the hand.")
    parser.add_argument("--version", action="version", version=f"mbwidgets {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")
    commands.add_parser("warm", help="compile the kernels, once, and keep them").set_defaults(run=_warm)
    commands.add_parser("list", help="name the ready mechanisms").set_defaults(run=_list)
    return int(parser.parse_args(arguments).run())


def _warm() -> int:
    from .numeric import warm

    warm.ensure()
    print("mbwidgets: the compiled kernels are ready.")
    return 0


def _list() -> int:
    from .model import library

    for name in library.names():
        print(name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
