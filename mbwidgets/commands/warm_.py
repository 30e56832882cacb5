"""compile the kernels, once, and keep them"""

from __future__ import annotations

import argparse


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which kernels are wanted."""
    parser.add_argument("--trees", action="store_true", help="motion and reactions of trees only: the quick start's")


def run(options: argparse.Namespace) -> int:
    """Compile what the cache does not hold yet."""
    from ..numeric import warm

    if options.trees:
        warm.ensure("motion")
        warm.ensure("reactions")
    else:
        warm.warm()
    print("mbwidgets: the compiled kernels are ready.")
    return 0
