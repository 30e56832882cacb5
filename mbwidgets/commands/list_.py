"""name the ready mechanisms"""

from __future__ import annotations

import argparse


def arguments(parser: argparse.ArgumentParser) -> None:
    """Whether more than the names is wanted."""
    parser.add_argument("-l", "--long", action="store_true", help="bodies, coordinates, parameters, and what it is")


def run(options: argparse.Namespace) -> int:
    """Print the library's names."""
    from ..model import library

    for name in library.names():
        print(_line(name) if options.long else name)
    return 0


def _line(name: str) -> str:
    from ..model import library

    make = getattr(library, name)
    model = make()
    what = (make.__doc__ or "").strip().splitlines()[0]
    counts = f"{len(model.bodies):>2} bodies  {model.nv:>2} coordinates  {len(model.parameters):>2} parameters"
    return f"{name:<22} {counts}  {what}"
