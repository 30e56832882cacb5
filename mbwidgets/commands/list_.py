"""name the ready mechanisms"""

from __future__ import annotations

import argparse


def arguments(parser: argparse.ArgumentParser) -> None:
    """Whether more than the names is wanted."""
    parser.add_argument(
        "-l", "--long", action="store_true", help="counts of bodies, speeds and parameters, and what it is"
    )


def run(options: argparse.Namespace) -> int:
    """Print the library's names."""
    from ..model import library

    if options.long:
        print(f"{'name':<22} bodies  speeds  parameters")
    for name in library.names():
        print(_line(name) if options.long else name)
    return 0


def _line(name: str) -> str:
    from ..model import library

    make = getattr(library, name)
    model = make()
    what = (make.__doc__ or "").strip().partition("\n")[0]
    return f"{name:<22} {len(model.bodies):>6}  {model.nv:>6}  {len(model.parameters):>10}  {what}"
