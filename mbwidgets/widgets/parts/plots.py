"""Plots drawn in the page as SVG: over time, over frequency, in the phase plane; the cursor needs no kernel."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import anywidget
import numpy as np
import traitlets
from ipywidgets import widget_serialization

from ...model.model import Model
from ...numeric.motion.motion import Motion
from ...numeric.motion.pressure_spectrum import PressureSpectrum, page_words, spectrum_of
from ...scene.look.palette import SERIES
from ...scene.page.javascript import join_modules, read_stylesheet
from ..base.lifetime import blank_on_error

__all__ = ["CURVES", "Curves", "Plot", "page_curves", "spectrum_state"]

MOST = 8
"""Curves in one plot."""


@dataclass(frozen=True)
class Curves:
    """What a plot shows: a title, a unit, and a function of (motion, index of the body) → names, (points, k).

    ``mode``: ``"time"``, one point a frame; ``"frequency"``; ``"phase"``, one point a frame in the plane. For the last
    two ``across`` gives the abscissae, (points,) or (points, k), and ``label`` their name and unit.
    """

    title: str
    unit: str
    values: Callable[[Motion, int], tuple[list[str], np.ndarray]]
    mode: str = "time"
    across: Callable[[Motion, int], np.ndarray] | None = None
    label: str = "t, s"


def _units(model: Model, rates: bool) -> list[str]:
    """The unit of each coordinate, or of each velocity."""
    kinds = [column.kind for body in model.bodies for column in body.joint.columns()]
    if rates:
        return [unit for kind in kinds for unit in (["m/s"] if kind == "translation" else ["rad/s"] * _TURNS[kind])]
    each = {"translation": ["m"], "rotation": ["rad"], "ball": ["1"] * 4}
    return [unit for kind in kinds for unit in each[kind]]


_TURNS: Final = {"rotation": 1, "ball": 3}


def _coordinates(motion: Motion, index: int) -> tuple[list[str], np.ndarray]:
    return _named(motion.model.coordinate_names, _units(motion.model, False)), motion.q


def _velocities(motion: Motion, index: int) -> tuple[list[str], np.ndarray]:
    return _named(motion.model.velocity_names, _units(motion.model, True)), motion.u


def _named(names: Any, units: Sequence[str]) -> list[str]:
    return [f"{name}, {unit}" for name, unit in zip(names, units, strict=True)]


def _energies(motion: Motion, index: int) -> tuple[list[str], np.ndarray]:
    kinetic, potential = motion.energy
    return ["kinetic T", "potential Π", "total"], np.stack([kinetic, potential, kinetic + potential], axis=1)


def _reaction(first: int) -> Callable[[Motion, int], tuple[list[str], np.ndarray]]:
    def values(motion: Motion, index: int) -> tuple[list[str], np.ndarray]:
        part = motion.reactions(index)[:, first : first + 3]
        return ["x", "y", "z", "length"], np.column_stack([part, np.linalg.norm(part, axis=1)])

    return values


def _pressure(first: int) -> Callable[[Motion, int], tuple[list[str], np.ndarray]]:
    def values(motion: Motion, index: int) -> tuple[list[str], np.ndarray]:
        part = motion.reaction_parts(index).pressure[:, first : first + 3]
        return ["x", "y", "z", "length"], np.column_stack([part, np.linalg.norm(part, axis=1)])

    return values


def _spectrum(kind: str, first: int) -> Callable[[Motion, int], tuple[list[str], np.ndarray]]:
    def values(motion: Motion, index: int) -> tuple[list[str], np.ndarray]:
        found = _spectrum_of(motion, index, kind)
        part = found.amplitude[:, first : first + 3]
        return ["x", "y", "z", "length"], np.column_stack([part, found.moment if first else found.force])

    return values


def _spectrum_of(motion: Motion, index: int, kind: str) -> PressureSpectrum:
    pressure = motion.pressure_spectrum(index)
    if kind == "pressure":
        return pressure
    return spectrum_of(motion.model.bodies[index].name, motion.t, motion.reactions(index), [])


def _frequencies(motion: Motion, index: int) -> np.ndarray:
    return _spectrum_of(motion, index, "pressure").frequency


def _own(motion: Motion, index: int) -> tuple[slice, slice]:
    """Coordinates and velocities of the selected joint that belong together: those of its axes."""
    q, u = motion.model.q_offsets, motion.model.u_offsets
    count = min(q[index + 1] - q[index], u[index + 1] - u[index])
    ball = any(column.kind == "ball" for column in motion.model.bodies[index].joint.columns())
    if ball:  # a quaternion and an angular velocity are no pair
        count -= 3
    return slice(q[index], q[index] + count), slice(u[index], u[index] + count)


def _phase(motion: Motion, index: int) -> tuple[list[str], np.ndarray]:
    q, u = _own(motion, index)
    names, units = motion.model.coordinate_names[q], _units(motion.model, True)[u]
    return [f"q̇ over q of {name}, {unit}" for name, unit in zip(names, units, strict=True)], motion.u[:, u]


def _phase_across(motion: Motion, index: int) -> np.ndarray:
    return motion.q[:, _own(motion, index)[0]]


HZ: Final = "frequency, Hz"
CURVES: dict[str, Curves] = {
    "coordinates": Curves("Coordinates q", "", _coordinates),
    "velocities": Curves("Velocities u", "", _velocities),
    "energies": Curves("Energies", "J", _energies),
    "phase portrait": Curves("Phase portrait of the selected joint", "", _phase, "phase", _phase_across, "q, rad, m"),
    "reaction force": Curves("Reaction force of the selected joint", "N", _reaction(0)),
    "reaction moment": Curves("Reaction moment of the selected joint, at O", "N m", _reaction(3)),
    "pressure": Curves("Kinetic pressure on the selected joint", "N", _pressure(0)),
    "pressure moment": Curves("Moment of the kinetic pressure, at O", "N m", _pressure(3)),
    "reaction spectrum": Curves(
        "Spectrum of the reaction force", "N", _spectrum("reaction", 0), "frequency", _frequencies, HZ
    ),
    "pressure spectrum": Curves(
        "Spectrum of the kinetic pressure", "N", _spectrum("pressure", 0), "frequency", _frequencies, HZ
    ),
    "pressure moment spectrum": Curves(
        "Spectrum of the kinetic pressure's moment", "N m", _spectrum("pressure", 3), "frequency", _frequencies, HZ
    ),
}
"""The plots there are; a theory adds its own entry."""


def page_curves(motion: Motion, index: int, kind: str) -> dict[str, Any]:
    """What a page that solves the motion itself must know to draw one of `CURVES`."""
    q, u = _own(motion, index)
    found = {"kind": kind, "body": index, "own": [q.start, q.stop - q.start, u.start], "most": MOST}
    if CURVES[kind].mode == "frequency":
        found["words"] = page_words(motion.model.bodies[index].name)
    return found


class Plot(anywidget.AnyWidget):
    """Curves with a cursor at the player's time; over time a click or a drag moves it."""

    _esm = join_modules(Path(__file__).parent / "plots.js")
    _css = read_stylesheet(Path(__file__).parent / "plots.css")

    player = traitlets.Any().tag(sync=True, **widget_serialization)
    title = traitlets.Unicode().tag(sync=True)
    unit = traitlets.Unicode().tag(sync=True)
    label = traitlets.Unicode("t, s").tag(sync=True)
    mode = traitlets.Unicode("time").tag(sync=True)
    note = traitlets.Unicode().tag(sync=True)
    """Why there is nothing to see."""
    names = traitlets.List(traitlets.Unicode()).tag(sync=True)
    colours = traitlets.List(traitlets.Unicode()).tag(sync=True)
    subject = traitlets.Unicode().tag(sync=True)
    """The body whose curves they are, if they are of one: those of another are no ghost behind them."""
    times = traitlets.Bytes().tag(sync=True)
    """(points,) float32; in other modes any abscissae, (points,) or (points, curves)."""
    values = traitlets.Bytes().tag(sync=True)
    version = traitlets.Int(0).tag(sync=True)

    def show(self, motion: Motion, index: int, kind: str) -> None:
        """Draw one of `CURVES`."""
        with blank_on_error(self):
            self._take(self.state_of(motion, index, kind))

    @staticmethod
    def state_of(motion: Motion, index: int, kind: str) -> dict[str, Any]:
        """The traits that show one of `CURVES`."""
        curves = CURVES[kind]
        names, values = curves.values(motion, index)
        across = motion.t if curves.across is None else curves.across(motion, index)
        return {
            **_drawn(curves.title, curves.unit, names, across, values, SERIES),
            "label": curves.label,
            "mode": curves.mode,
            "subject": motion.model.bodies[index].name,
            "note": "" if names else "The selected joint has none of this.",
        }

    def blank(self, why: str) -> None:
        """No curves, and why."""
        with self.hold_sync():
            self.draw("", "", [], np.zeros(0), np.zeros((0, 0)))
            self.note = why

    def draw(self, title: str, unit: str, names: list[str], across: Any, values: Any, colours: Any = SERIES) -> None:
        """Draw any curves (points, k) over these times, or other abscissae."""
        self._take(_drawn(title, unit, names, across, values, colours))

    def take_curves(self, look: dict[str, Any], times: np.ndarray, values: np.ndarray) -> None:
        """Draw curves (points, k) over these times with the traits of `look_of`."""
        self._take({**look, "times": _bytes(times), "values": _bytes(values[:, :MOST])})

    @staticmethod
    def look_of(title: str, unit: str, names: Sequence[str], colours: Sequence[str]) -> dict[str, Any]:
        """The traits that show curves over time; their numbers are not among them."""
        nothing = np.zeros((0, len(names)))
        state = _drawn(title, unit, list(names), np.zeros(0), nothing, colours)
        return {name: value for name, value in state.items() if not isinstance(value, bytes)}

    def _take(self, state: dict[str, Any]) -> None:
        with self.hold_sync():
            for name, value in state.items():
                setattr(self, name, value)
            self.version += 1


def spectrum_state(motion: Motion, index: int, kind: str) -> dict[str, Any]:
    """The traits that show a spectrum, but for its numbers: a page computes them."""
    curves, none = CURVES[kind], np.zeros((0, 4))
    return {
        **_drawn(curves.title, curves.unit, ["x", "y", "z", "length"], np.zeros(0), none, SERIES),
        "label": curves.label,
        "mode": curves.mode,
        "subject": motion.model.bodies[index].name,
        "note": "",
    }


def _drawn(title: str, unit: str, names: list[str], across: Any, values: Any, colours: Any) -> dict[str, Any]:
    """The traits that show curves (points, k)."""
    more = len(names) - MOST
    across = np.asarray(across)
    shown = names[:MOST]
    return {
        "title": title + (f" (the first {MOST} of {len(names)})" if more > 0 else ""),
        "unit": unit,
        "note": "",
        "subject": "",
        "names": shown,
        "colours": list(colours[: len(shown)]),
        "times": _bytes(across if across.ndim == 1 else across[:, :MOST]),
        "values": _bytes(values[:, :MOST]),
    }


def _bytes(values: Any) -> bytes:
    with np.errstate(over="ignore"):
        return np.ascontiguousarray(values, dtype=np.float32).tobytes()
