"""Motions from files that `Motion.save` wrote."""

from __future__ import annotations

import os

from ..motion.motion import Motion
from ..motion.motion_file import read_motion
from .simulate import simulate

__all__ = ["load_motion"]


def load_motion(path: str | os.PathLike[str]) -> Motion:
    """The motion in a file that `Motion.save` wrote: its frames and steps to the last bit.

    Files are untrusted: nothing in them is executed, no objects are read, sizes are limited.

    Raises
    ------
    FileError : it cannot be read; `CompatibilityError` where it is of a newer version

    >>> import tempfile, pathlib
    >>> motion = mb.simulate(mb.library.pendulum(1), q=[1], u=[0], duration=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "motion.npz"
    ...     motion.save(path)
    ...     found = mb.load_motion(path)
    >>> bool((found(0.123)[0] == motion(0.123)[0]).all())
    True
    """
    return read_motion(path, simulate)
