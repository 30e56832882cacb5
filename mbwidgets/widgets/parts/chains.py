"""Vectors added tip to tail, in the stage's directions or in a plane of their own: roads to one sum, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import traitlets
from ipywidgets import widget_serialization

from ...scene.page.javascript import join_modules, read_stylesheet
from ...scene.page.over_frames import OverFrames

__all__ = ["Chain", "Chains", "Link"]


@dataclass(frozen=True)
class Link:
    """One vector of a chain: its symbol as in a `Ledger`, its colour, the arrow that lights up with it."""

    symbol: str
    colour: str
    key: str = ""
    striped: bool = False


@dataclass(frozen=True)
class Chain:
    """A road: its name, what it is made of in words, and its vectors, which add up to the sum."""

    name: str
    hint: str
    links: tuple[Link, ...]


class Chains(OverFrames):
    """Polygons of vectors, which turn with the camera and follow the player; each ends in a ring where the sum does."""

    _esm = join_modules(Path(__file__).parent / "chains.js")
    _css = read_stylesheet(Path(__file__).parent / "chains.css")

    player = traitlets.Any().tag(sync=True, **widget_serialization)
    title = traitlets.Unicode().tag(sync=True)
    hint = traitlets.Unicode().tag(sync=True)
    note = traitlets.Unicode().tag(sync=True)
    total: Any = traitlets.Dict().tag(sync=True)
    """The link that is the sum of each chain."""
    upright = traitlets.Unicode().tag(sync=True)
    """The direction that is up in the plane of the first two components, its symbol; none: as the camera sees them."""
    chains: Any = traitlets.List().tag(sync=True)

    @staticmethod
    def look_of(
        title: str, total: Link, chains: Sequence[Chain], hint: str = "", note: str = "", upright: str = ""
    ) -> dict[str, Any]:
        """The traits that show these chains; their vectors are not among them."""
        told = [{**asdict(chain), "links": [asdict(link) for link in chain.links]} for chain in chains]
        said = {"title": title, "hint": hint, "note": note, "upright": upright}
        return {**said, "total": asdict(total), "chains": told}

    def blank(self, why: str) -> None:
        """No polygon, and why."""
        self.take({"chains": [], "note": why}, np.zeros((0, 0, 3)))

    def array(self) -> np.ndarray:
        """The vectors that the page has, (frames, 1 + links, 3)."""
        count = 1 + sum(len(chain["links"]) for chain in self.chains)
        return np.frombuffer(self.values, dtype=np.float32).reshape(-1, count, 3)
