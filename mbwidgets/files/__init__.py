"""Model files: untrusted input, read with limits and typed errors; nothing in a file is ever executed.

`load` reads a JSON model (version 1) or a URDF robot, `save` writes JSON.
"""

from __future__ import annotations

import os
import warnings
from pathlib import Path

from ..errors import FileError, shorten
from ..model.model import Model
from .jsonfile import dumps, load_json, loads, save
from .published_schema import schema
from .text import as_path
from .urdf import Imported, UrdfNote, load_urdf, loads_urdf

__all__ = ["Imported", "UrdfNote", "dumps", "load", "load_urdf", "loads", "loads_urdf", "save", "schema"]


def load(path: str | os.PathLike[str]) -> Model:
    """The model in a ``.json`` or ``.urdf`` file.

    What a URDF file holds and a model cannot is told in one `UrdfNote` warning; `load_urdf` gives it as data.

    Raises
    ------
    FileError : the file cannot be read; the message holds its name, the place and the remedy
    CompatibilityError : the file is of a newer version

    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "arm.json"
    >>> mb.save(mb.library.three_body_arm(), path)
    >>> mb.load(path) == mb.library.three_body_arm()
    True
    """
    suffix = as_path(path).suffix.lower()
    if suffix == ".json":
        return load_json(path)
    if suffix == ".urdf":
        imported = load_urdf(path)
        if imported.notes:
            warnings.warn(UrdfNote("; ".join(imported.notes)), stacklevel=2)
        return imported.model
    raise FileError(
        f"{shorten(suffix) if suffix else 'no suffix'}",
        where=Path(path).name,
        remedy="read a motion by mb.load_motion" if suffix == ".npz" else "give a .json or .urdf file",
    )
