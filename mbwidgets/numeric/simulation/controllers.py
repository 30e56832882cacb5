"""Controllers: efforts that are computed at instants, held between them, and limited by what an actuator can do."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from ...errors import StateError, shorten
from ...model.guesses import answer_fields
from ...model.model import Model
from ..base.arguments import as_array
from ..base.call_signatures import takes_time_alone

__all__ = ["Controller", "ControllerFailed", "Held", "Sampled"]

SAME_INSTANT: Final = 1e-9
"""Part of a sample by which two instants may differ and be one."""
FLOATS: Final = frozenset({float, np.float64})


@answer_fields
@dataclass(frozen=True, eq=False)
class Controller:
    """Efforts of a function of (t, q, u), or of t, called every ``sample`` seconds and held until the next call.

    For ``tau`` of `simulate`: as a whole, where the function gives an effort for each velocity, or for one joint,
    ``tau={"rod": mb.Controller(…)}``, where it gives that joint's. Between its calls the motion is computed by compiled
    steps: 10 s of a pendulum on a cart take 10 ms, 2 ms where ``tau`` is an expression, which acts without samples, and
    30 ms and more under a bare function, which is called in every stage of every step.
    State feedback τ = −K (x − x₀), x = (q, u) in the order of ``mb.linearise(…).coordinates``, is
    ``lambda t, q, u: -K @ np.r_[q - q0, u - u0]`` where all coordinates are independent.

    Attributes
    ----------
    function : of (t, q, u), or of t
    sample : s, from one call to the next
    limit : the largest effort of either sign, or for one joint (lowest, highest); of several velocities a list has one
        for each, and a pair of lists the lowest and the highest

    >>> hold = mb.Controller(lambda t, q, u: -20 * q[0] - 3 * u[0], sample=0.01, limit=5)
    >>> motion = mb.simulate(mb.library.pendulum(1), q=[0.5], u=[0], tau=hold, duration=5)
    >>> motion.efforts[0].tolist(), bool(abs(motion.q[-1, 0]) < 0.01)
    ([-5.0], True)
    """

    function: Callable[..., Any]
    sample: float = 0.01
    limit: Any = None

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise StateError(
                f"{shorten(self.function)} is not a function", where="controller", remedy="give a function of (t, q, u)"
            )
        try:
            sample = math.nan if isinstance(self.sample, str | bool) else float(self.sample)
        except (TypeError, ValueError):
            sample = math.nan
        if not 0.0 < sample < math.inf:
            raise StateError(f"sample = {shorten(self.sample)}", where="controller", remedy="give seconds > 0")
        object.__setattr__(self, "sample", sample)

    def bounds(self, names: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        """The lowest and the highest effort of each velocity."""
        try:
            given = np.array(self.limit, dtype=float)
        except (TypeError, ValueError):
            given = np.full(1, math.nan)
        if given.shape == (2, len(names)):
            low, high = given
        elif len(names) == 1 and given.shape == (2,):
            low, high = given[:1], given[1:]
        elif given.shape in ((), (1,), (len(names),)):
            high = np.broadcast_to(given, (len(names),))
            low = -high
        else:
            low, high = np.full((2, 1), math.nan)
        if not (low <= high).all() or low.shape != (len(names),):
            listed = ", ".join(names)
            raise StateError(
                f"limit = {shorten(self.limit)}",
                where="controller",
                remedy=f"give one number ≥ 0, or one for each of {listed}, or a list of lowest and one of highest",
            )
        return low, high


class ControllerFailed(Exception):
    """A controller raised, or gave no efforts: which one, when, and why."""

    def __init__(self, error: Exception, told: str) -> None:
        super().__init__(told)
        self.error, self.told = error, told


class Sampled:
    """All controllers of a motion: the effort that is held, and what it was from when on."""

    def __init__(self, model: Model, controllers: Sequence[tuple[str | None, Controller]], begin: float) -> None:
        self.begin, self.nv = begin, model.nv
        self.parts = [self._part(model, joint, controller) for joint, controller in controllers]
        self.samples = [part[0].sample for part in self.parts]
        self.calls = [0] * len(self.parts)
        self.times: list[float] = []
        self.rows: list[list[float]] = []
        self.tau = [0.0] * model.nv

    def _part(self, model: Model, joint: str | None, controller: Controller) -> tuple[Any, ...]:
        if joint is None:
            columns, names = slice(0, model.nv), model.velocity_names
        else:
            k = model.index(joint)
            columns = slice(model.u_offsets[k], model.u_offsets[k + 1])
            names = model.velocity_names[columns]
        alone = takes_time_alone(controller.function, "controller")
        where = "controller" if joint is None else f"controller of {joint!r}"
        bounds = None if controller.limit is None else [side.tolist() for side in controller.bounds(names)]
        return controller, columns, tuple(names), alone, bounds, where

    def next_instant(self) -> float:
        """When the next call is due, s from the start of the motion."""
        if len(self.parts) == 1:
            return float(self.samples[0] * self.calls[0])
        return min(sample * count for sample, count in zip(self.samples, self.calls, strict=True))

    def call(self, t: float, q: np.ndarray, u: np.ndarray) -> list[float]:
        """Call the controllers that are due at t, s from the start; the efforts from there on."""
        for number, part in enumerate(self.parts):
            if self.samples[number] * self.calls[number] <= t + SAME_INSTANT * self.samples[number]:
                self._call(part, t, q, u)
                self.calls[number] += 1
        self.times.append(t)
        self.rows.append(self.tau.copy())
        return self.tau

    def _call(self, part: tuple[Any, ...], t: float, q: np.ndarray, u: np.ndarray) -> None:
        controller, columns, names, alone, bounds, where = part
        now = self.begin + t
        try:
            found = controller.function(now) if alone else controller.function(now, q.copy(), u.copy())
            values = _as_efforts(found, names, where)
        except Exception as error:
            told = str(error).removeprefix(f"{where}: ")
            kind = "" if isinstance(error, StateError) else f"{type(error).__name__}: "
            raise ControllerFailed(error, f"It is the {where} at t = {now:g} s: {kind}{told}") from error
        if bounds is not None:
            values = [min(max(x, low), high) for x, low, high in zip(values, *bounds, strict=True)]
        self.tau[columns] = values

    def held(self) -> Held:
        """What was held when."""
        return Held(np.array(self.times), np.array(self.rows).reshape(-1, self.nv), self.begin)


def _as_efforts(found: Any, names: tuple[str, ...], where: str) -> list[float]:
    """What a controller gave, as finite numbers, one for each name; plain lists are quicker than arrays here."""
    values: list[Any] = []
    if isinstance(found, float):
        values = [found]
    elif type(found) is list:
        values = found
    elif type(found) is np.ndarray and found.ndim == 1 and found.dtype.kind == "f":
        values = found.tolist()
    if len(values) != len(names) or not FLOATS.issuperset(map(type, values)):
        if found is None:
            raise StateError("the function gave None", where=where, remedy="return numbers")
        values = as_array(np.atleast_1d(found) if len(names) == 1 else found, names, where).tolist()
    if math.isfinite(sum(values)) or all(map(math.isfinite, values)):
        return values
    raise StateError(f"the function gave {shorten(found)}", where=where, remedy="return finite numbers")


class Held:
    """Efforts (frames, nv) that were held: rows from times on, counted from ``begin``."""

    def __init__(self, times: np.ndarray, rows: np.ndarray, begin: float) -> None:
        self.times, self.rows, self.begin = times, rows, begin

    def __call__(self, t: np.ndarray, q: Any = None, u: Any = None) -> np.ndarray:
        if not len(self.times):
            return np.zeros((len(t), self.rows.shape[1]))
        later = np.append(np.diff(self.times), 0.0)
        place = np.searchsorted(self.times - SAME_INSTANT * later, t - self.begin, side="right") - 1
        return np.asarray(self.rows[np.clip(place, 0, None)])
