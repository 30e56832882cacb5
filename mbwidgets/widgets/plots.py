"""Plots over time, drawn in the page as SVG, with a cursor that follows the player without the kernel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anywidget
import numpy as np
import traitlets
from ipywidgets import widget_serialization

from ..numeric.motion import Motion
from ..scene.javascript import joined
from ..scene.palette import SERIES

__all__ = ["CURVES", "Curves", "Plot"]

MOST = 8
"""Curves in one plot."""


@dataclass(frozen=True)
class Curves:
    """What a plot shows: a title, a unit, and a function of (motion, index of the body) → names, (frames, k)."""

    title: str
    unit: str
    values: Callable[[Motion, int], tuple[list[str], np.ndarray]]


def _coordinates(motion: Motion, index: int) -> tuple[list[str], np.ndarray]:
    return list(motion.model.coordinate_names), motion.q


def _velocities(motion: Motion, index: int) -> tuple[list[str], np.ndarray]:
    return list(motion.model.velocity_names), motion.u


def _energies(motion: Motion, index: int) -> tuple[list[str], np.ndarray]:
    kinetic, potential = motion.energy
    return ["kinetic T", "potential Π", "total"], np.stack([kinetic, potential, kinetic + potential], axis=1)


def _reaction(first: int) -> Callable[[Motion, int], tuple[list[str], np.ndarray]]:
    def values(motion: Motion, index: int) -> tuple[list[str], np.ndarray]:
        part = motion.reactions(index)[:, first : first + 3]
        return ["x", "y", "z", "length"], np.column_stack([part, np.linalg.norm(part, axis=1)])

    return values


CURVES: dict[str, Curves] = {
    "coordinates": Curves("Coordinates q", "rad, m", _coordinates),
    "velocities": Curves("Velocities u", "rad/s, m/s", _velocities),
    "energies": Curves("Energies", "J", _energies),
    "reaction force": Curves("Reaction force of the selected joint", "N", _reaction(0)),
    "reaction moment": Curves("Reaction moment of the selected joint, at O", "N m", _reaction(3)),
}
"""The plots there are; a theory adds its own entry."""


class Plot(anywidget.AnyWidget):
    """Curves over the player's time, with a cursor; clicking or dragging moves the time."""

    _esm = joined(Path(__file__).parent / "plots.js")
    _css = Path(__file__).parent / "plots.css"

    player = traitlets.Any().tag(sync=True, **widget_serialization)
    title = traitlets.Unicode().tag(sync=True)
    unit = traitlets.Unicode().tag(sync=True)
    names = traitlets.List(traitlets.Unicode()).tag(sync=True)
    colours = traitlets.List(traitlets.Unicode()).tag(sync=True)
    times = traitlets.Bytes().tag(sync=True)
    values = traitlets.Bytes().tag(sync=True)
    version = traitlets.Int(0).tag(sync=True)

    def show(self, motion: Motion, index: int, kind: str) -> None:
        """Draw one of `CURVES`."""
        curves = CURVES[kind]
        names, values = curves.values(motion, index)
        self.draw(curves.title, curves.unit, names, motion.t, values)

    def draw(self, title: str, unit: str, names: list[str], times: Any, values: Any, colours: Any = SERIES) -> None:
        """Draw any curves (frames, k) over these times."""
        more = len(names) - MOST
        with self.hold_sync():
            self.title = title + (f" (the first {MOST} of {len(names)})" if more > 0 else "")
            self.unit = unit
            self.names = names[:MOST]
            self.colours = list(colours[: len(self.names)])
            self.times, self.values = _bytes(times), _bytes(values[:, :MOST])
            self.version += 1


def _bytes(values: Any) -> bytes:
    with np.errstate(over="ignore"):
        return np.ascontiguousarray(values, dtype=np.float32).tobytes()
