"""Signals of a motion over time, drawn by matplotlib: what `Motion.plot` shows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from ..errors import StateError
from ..numeric.motion.motion import Motion
from ..numeric.motion.resolved_signal import read_at
from ..numeric.motion.signals import Signal, read_signal
from ..scene.look.palette import BLUE, GREEN, GREY, VERMILLION

__all__ = ["draw_signals"]

POINTS: Final = 2000
"""Points of a curve at least, more than a screen is wide: peaks between frames are drawn."""
STYLES: Final = (("-", BLUE), ("--", VERMILLION), ("-.", GREEN), (":", GREY))
"""Line and colour of the components of a vector, told apart without colour too."""


def draw_signals(motion: Motion, signals: Sequence[Any], axes: Any = None) -> Any:
    """One chart a signal above a common time, a vector with a curve for each component; returns the figure.

    ``axes``: where to draw, as many as there are signals.
    """
    read = [read_signal(motion.model, item) for item in signals] or _coordinates(motion)
    if not read:
        raise StateError("no coordinate moves", where="plot", remedy='name a signal: plot(("force", "rod"))')
    places = _places(axes, len(read))
    t = np.union1d(motion.t, np.linspace(motion.t[0], motion.t[-1], POINTS))
    for place, signal in zip(places, read, strict=True):
        _draw(place, t, read_at(motion, t, signal), signal)
    places[-1].set_xlabel("t / s")
    return places[0].figure


def _coordinates(motion: Motion) -> list[Signal]:
    """q of every joint."""
    return [read_signal(motion.model, ("q", name)) for name in motion.model.coordinate_names]


def _places(axes: Any, count: int) -> list[Any]:
    if axes is not None:
        given = list(np.atleast_1d(np.asarray(axes, dtype=object)).ravel())
        if len(given) != count:
            raise StateError(f"{len(given)} axes for {count} signals", where="plot", remedy="give one for each")
        return given
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.0, 1.0 + 2.0 * min(count, 12)), layout="constrained")
    FigureCanvasAgg(figure)
    return list(figure.subplots(count, 1, sharex=True, squeeze=False)[:, 0])


def _draw(place: Any, t: np.ndarray, values: np.ndarray, signal: Signal) -> None:
    columns = values.reshape(len(t), -1).T
    names = ["x", "y", "z"] if len(columns) == 3 else [str(k) for k in range(len(columns))]
    for column, name, (line, colour) in zip(columns, names, STYLES, strict=False):
        place.plot(t, column, line, color=colour, linewidth=1.4, label=name)
    place.set_ylabel(f"{signal.name} / {signal.unit}" if signal.unit else signal.name)
    place.grid(True, linewidth=0.4, alpha=0.6)
    if len(columns) > 1:
        above = {"loc": "lower right", "bbox_to_anchor": (1.0, 0.98), "frameon": False}
        place.legend(ncols=len(columns), fontsize="small", **above)  # it hides no curve there
