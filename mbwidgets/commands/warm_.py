"""compile the kernels, once, and keep them"""

from __future__ import annotations

import argparse


def arguments(parser: argparse.ArgumentParser) -> None:
    """None."""


def run(options: argparse.Namespace) -> int:
    """Compile what the cache does not hold."""
    from ..numeric import warm

    warm.ensure()
    print("mbwidgets: the compiled kernels are ready.")
    return 0
