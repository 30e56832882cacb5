"""compile the kernels, once, and keep them"""

from __future__ import annotations

import argparse


def arguments(parser: argparse.ArgumentParser) -> None:
    """Nothing is to be chosen."""


def run(options: argparse.Namespace) -> int:
    """Compile what the cache does not hold yet."""
    from ..numeric.engines import warm

    warm.warm()
    print("mbwidgets: the compiled kernels are ready.")
    return 0
