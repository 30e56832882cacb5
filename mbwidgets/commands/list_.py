"""name the ready mechanisms"""

from __future__ import annotations

import argparse


def arguments(parser: argparse.ArgumentParser) -> None:
    """None."""


def run(options: argparse.Namespace) -> int:
    """Print the library's names."""
    from ..model import library

    for name in library.names():
        print(name)
    return 0
