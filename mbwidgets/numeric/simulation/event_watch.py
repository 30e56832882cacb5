"""Zeros of the events' signals inside the steps of SciPy's integrators; signals may be Python functions."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ...expressions import evaluate
from ..steps.chebyshev import MOST_PLACES, NODES, SAMPLES, zero_search_places_at
from ..steps.event_search import HALVINGS, MOST_PIECES, NARROWEST
from ..steps.stepper import read_signals
from .initial_value_problem import Problem, Run
from .user_functions import is_function

SLOW_PIECES: Final = MOST_PIECES // 3
"""Pieces of a step for one signal: Python takes its time."""


def _rounding(states: np.ndarray) -> float:
    """What rounding may do to a signal: of a function it is not known, so that of a sum of the state's numbers."""
    return 1e-14 * float(abs(states).max())


class SignalUnresolved(Exception):
    """A signal varies too fast; its number, and when."""


class Watch:
    """Finds zeros of the events' signals inside each step, as `search_events` does in compiled code."""

    def __init__(self, problem: Problem, solver: Any) -> None:
        self.problem = problem
        self.arrays = problem.packed.model, problem.packed.new_data()
        self.out = np.zeros(len(problem.rules))
        self.before = [self._at_end(number, solver.t, solver.y) for number in range(len(problem.rules))]
        self.largest = 0.0
        self.series, self.places = np.zeros((2, SAMPLES)), np.zeros(MOST_PLACES)

    def _signal(self, number: int, t: float, y: np.ndarray) -> float:
        nq, nv = self.problem.model.nq, self.problem.model.nv
        if self.problem.signals is None:
            read_signals(*self.arrays, float(t), np.ascontiguousarray(y), len(self.out), self.out)
            return float(self.out[number])
        signal: Any = self.problem.signals[number]
        if is_function(signal):
            return float(signal(t, y[:nq], y[nq : nq + nv]))
        state: dict[str, Any] = {"t": [t], "q": y[:nq], "u": y[nq : nq + nv]}
        values = self.problem.model.values
        return evaluate(signal, values, lambda leaf: float(state[leaf.kind][leaf.index]))

    def _at_end(self, number: int, t: float, y: np.ndarray) -> float:
        """A signal at an end of the motion: zero where rounding alone decides on its sign."""
        value = self._signal(number, t, y)
        return 0.0 if abs(value) <= _rounding(y) else value

    def look(self, dense: Any, run: Run) -> float | None:
        """Record what crosses zero in a step; returns when an event that ends the motion did."""
        found: list[tuple[float, int, bool]] = []
        for number, (direction, terminal) in enumerate(self.problem.rules):
            found += [(when, number, terminal) for when in self._zeros(dense, number, direction)]
        stop = min((when for when, _, terminal in found if terminal), default=None)
        for when, number, _ in sorted(found):
            if stop is None or when <= stop:
                run.events.append(self.problem.event(number, when, dense(when)))
        return stop

    def _zeros(self, dense: Any, number: int, direction: int) -> list[float]:
        """Where one signal crosses zero in the wanted direction."""
        found, left, width = [], float(dense.t_old), float(dense.t - dense.t_old)
        narrowest, pieces, self.largest = NARROWEST * width, 0, 0.0
        while left < dense.t:
            pieces += 1
            if pieces > SLOW_PIECES:
                raise SignalUnresolved(number, left)
            width = min(width, self._widest(left), dense.t - left)
            while (places := self._places(dense, number, left, width, width <= narrowest)) is None:
                if width <= narrowest:
                    places = NODES[1:]
                    break
                width /= 2
            low = left
            for place in places:
                high = min(left + width * place, float(dense.t))
                read = self._at_end if high >= self.problem.duration else self._signal
                value, first = read(number, high, dense(high)), self.before[number]
                rises, falls = first < 0 <= value, first > 0 >= value
                if (rises and direction >= 0) or (falls and direction <= 0):
                    found += self._bisect(dense, number, low, high, value)
                self.before[number], low = value, high
            left, width = (left + width, 2 * width) if left + width > left else (float(dense.t), width)
        return found

    def _widest(self, left: float) -> float:
        table = self.problem.signal_limits.table
        return float(table[np.searchsorted(table[:, 0], left, side="right") - 1, 1])

    def _places(self, dense: Any, number: int, left: float, width: float, narrow: bool) -> np.ndarray | None:
        """Where a piece of a step must be looked at; None where the signal has to be looked at more closely."""
        states = dense(left + width * NODES)
        samples = np.array([self._signal(number, left + width * x, y) for x, y in zip(NODES, states.T, strict=True)])
        fine = np.isfinite(samples)
        if not fine.all():
            return None if fine.any() else np.ones(1)
        given = samples, _rounding(states), self.largest, narrow
        count, self.largest = zero_search_places_at(*given, self.series, self.places)
        if count < -1:
            raise SignalUnresolved(number, left)
        return None if count < 0 else self.places[:count].copy()

    def _bisect(self, dense: Any, number: int, low: float, high: float, last: float) -> list[float]:
        """The time of a crossing; none where the signal changes its sign through a pole."""
        first = self.before[number]
        near = [first, last]
        for _ in range(HALVINGS):
            middle = 0.5 * (low + high)
            value = self._signal(number, middle, dense(middle))
            if (value < 0) == (first < 0) and value != 0:
                low, near[0] = middle, value
            else:
                high, near[1] = middle, value
        return [] if min(map(abs, near)) > max(abs(first), abs(last)) else [float(high)]
