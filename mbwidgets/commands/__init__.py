"""The commands of ``mbwidgets``, one module each.

A module has a docstring whose first line is its help, ``arguments(parser)`` that declares what it takes, and
``run(options)`` that does it and returns the exit code. What it needs is imported in ``run``: the help comes at once.
"""

from __future__ import annotations

from typing import Final

__all__ = ["COMMANDS"]

COMMANDS: Final = ("lab", "list", "derive", "simulate", "export", "grade", "check")
"""Names of the commands, in the order of the help; command ``x`` is the module ``commands.x_``."""
