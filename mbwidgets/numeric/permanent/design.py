"""`design_permanent(model, omega)`: the smallest change of a chain that makes a given rotation permanent.

The wanted case of Chebanov and Khlistunova is a list of numbers that must vanish, C(p) = 0. Iterating
p ← p₀ + J⁺ (J (p − p₀) − C(p)), J = ∂C/∂p, ends where C = 0 and p − p₀ = Jᵀλ: there no smaller change, measured by
the sum of squares of relative changes, will do nearby (the conditions of Lagrange).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...errors import MbwidgetsError, ModelError, StateError, UnknownNameError, shorten
from ...model.model import Model
from .ball_chain import Chain, speeds_of
from .conditions import EQUAL, condition_harmonics, theorem_conditions
from .equilibria import ConvergenceError
from .permanent import Permanent, condition_coefficients, moment_scale, permanent

__all__ = ["Design", "design_permanent"]

STEPS = 50
"""Of Newton's method, so that it ends: a top and the library's chain of two bodies take six to twenty."""
ALIASES = {"3.6": 3, "3.7": 2}
"""The index k of the general theorem by the paper's equations for two bodies."""
FREE = ("com", "at", "inertia")
Build = Callable[[np.ndarray], Chain]
Wanted = Callable[[Chain], np.ndarray]


@dataclass(frozen=True, repr=False)
class Design:
    """A chain that was changed so that its rotation is permanent.

    ``model`` the new one; ``case`` what was aimed at; ``change`` the root of the sum of squares of the relative
    changes (lengths by the longest, inertia by m·length², parameters by their value); ``result`` the verdict on it.
    """

    model: Model
    case: str
    change: float
    result: Permanent

    def __repr__(self) -> str:
        return f"<design for {self.case}: relative change {self.change:.3g}, {self.result!r}>"


def design_permanent(
    model: Model, omega: Any, case: Any = None, free: Sequence[str] = FREE, parameters: Sequence[str] = ()
) -> Design:
    """The model with the smallest change for which the rotation at ω_i about the vertical is permanent.

    Parameters
    ----------
    model : a chain on spherical joints under gravity alone; its pose is kept
    omega : (n,) rad/s
    case : k = 2, …, n+1 of the general theorem for distinct non-zero speeds (of two bodies: 3 is (3.6), 2 is (3.7)),
        or ``"3.6"``, ``"3.7"`` themselves; ``"c2=0"`` or ``"s||nu"`` in case 3; by default whichever needs the
        smallest change
    free : what may change of every body: ``"com"``, ``"at"``, ``"inertia"``
    parameters : names of parameters of the model that may change instead

    Raises
    ------
    ConvergenceError : what may change does not suffice
    ModelError : the change would need a body that cannot exist

    >>> top = mb.Model([mb.Body("top", mb.Spherical(), mass=1, com=(0.1, 0, 0.3), inertia=(0.2, 0.25, 0.3))])
    >>> mb.permanent(top, [8]).holds
    False
    >>> mb.design_permanent(top, [8], free=("com",)).result.holds
    True
    """
    chain = Chain.of(model)
    speeds = speeds_of(omega, chain.names)
    turns = chain.turns(model.q0)
    wanted = _cases(len(chain), speeds, turns, case)
    space = _Parameters(model, parameters) if parameters else _Numbers(model, chain, free)
    found: list[tuple[float, str, np.ndarray]] = []
    failures: list[MbwidgetsError] = []
    for name, conditions in wanted.items():
        try:
            p = _least_change(space.build, conditions, len(space))
            found.append((float(np.linalg.norm(p)), name, p))
        except (ConvergenceError, ModelError) as error:
            failures.append(error)
    for change, name, p in sorted(found, key=lambda item: item[0]):
        try:
            new = space.model(p)
        except ModelError as error:
            failures.append(error)
            continue
        return Design(new, name, change, permanent(new, speeds))
    raise failures[-1]


def _least_change(build: Build, wanted: Wanted, size: int) -> np.ndarray:
    p = np.zeros(size)
    value = wanted(build(p))
    for _ in range(STEPS):
        slope = _slope(lambda x: wanted(build(x)), p)
        new = np.linalg.lstsq(slope, slope @ p - value, rcond=1e-11)[0]
        if not np.all(np.isfinite(new)):
            break
        change, p = float(np.abs(new - p).max()), new
        try:
            value = wanted(build(p))
        except ModelError as error:
            raise ConvergenceError(
                f"no change of what is free makes the rotation permanent; the next would need this: {error.problem}",
                remedy="free something else, or aim at another case",
            ) from None
        if np.abs(value).max() < 1e-13 and change < 1e-9:
            return p
    raise ConvergenceError(
        f"no change of what is free makes the rotation permanent: {np.abs(value).max():.3g} is left",
        remedy='free more (free=("com", "at", "inertia")), or aim at another case',
    )


def _slope(function: Callable[[np.ndarray], np.ndarray], p: np.ndarray) -> np.ndarray:
    """Central differences: the conditions are polynomials of low degree in the numbers of the bodies."""
    step = 1e-5
    columns = []
    for k in range(len(p)):
        shift = np.zeros(len(p))
        shift[k] = step
        columns.append((function(p + shift) - function(p - shift)) / (2 * step))
    return np.array(columns).T


def _cases(n: int, speeds: np.ndarray, turns: np.ndarray, case: Any) -> dict[str, Wanted]:
    """The conditions to try, by name, each as numbers relative to what they are made of."""
    slack = EQUAL * max(1.0, float(np.abs(speeds).max()))
    zero = np.abs(speeds) <= slack
    gaps = np.abs(speeds[:, None] - speeds)[~np.eye(n, dtype=bool)]
    if n > 1 and not zero.any() and gaps.min() > slack:
        options = {f"k={k}": _by_theorem(speeds, turns, k) for k in range(2, n + 2)}
        chosen = None if case is None else f"k={ALIASES.get(str(case), case)}".replace("k=k=", "k=")
    elif n == 2 and zero[1] and not zero[0]:
        options = {name: _case_3(speeds, turns, name) for name in ("c2=0", "s||nu")}
        chosen = case
    else:
        options, chosen = {"(2.4)": _by_rows(speeds, turns)}, case
    if chosen is None:
        return options
    if chosen not in options:
        raise UnknownNameError(f"case {shorten(case)} is not for these speeds", remedy=f"give one of {list(options)}")
    return {chosen: options[chosen]}


def _by_theorem(speeds: np.ndarray, turns: np.ndarray, k: int) -> Wanted:
    def conditions(chain: Chain) -> np.ndarray:
        posed = chain.posed(turns)
        rows = theorem_conditions(posed, condition_coefficients(posed, speeds)[0], k, moment_scale(posed, speeds)).rows
        return np.concatenate([row[2] / row[4] for row in rows])

    return conditions


def _case_3(speeds: np.ndarray, turns: np.ndarray, name: str) -> Wanted:
    def conditions(chain: Chain) -> np.ndarray:
        posed = chain.posed(turns)
        alpha = condition_coefficients(posed, speeds)[0][0, :2] / moment_scale(posed, speeds)
        static, length = (float(np.linalg.norm(v, axis=1).max()) for v in (posed.static, posed.arm))
        rest = posed.static[1, 2:] / static if name == "c2=0" else posed.arm[0, :2] / length
        return np.concatenate([alpha, posed.static[1, :2] / static, rest])

    return conditions


def _by_rows(speeds: np.ndarray, turns: np.ndarray) -> Wanted:
    """(2.4) itself with equal |ω_i − ω_j| taken together: the coefficients of every frequency in every row."""

    def conditions(chain: Chain) -> np.ndarray:
        posed = chain.posed(turns)
        rows = condition_harmonics(speeds, *condition_coefficients(posed, speeds))
        return np.array([row.amount for row in rows]) / moment_scale(posed, speeds)

    return conditions


class _Numbers:
    """Relative changes of com, of the next joint's place and of J_C, a body after the other."""

    def __init__(self, model: Model, chain: Chain, free: Any) -> None:
        if isinstance(free, str) or not isinstance(free, Iterable) or not free or not set(free) <= set(FREE):
            raise StateError(f"free = {shorten(free)}", remedy=f"give some of {FREE}")
        self.given, self.chain, self.free = model, chain, tuple(free)
        n = len(chain)
        self.length = float(max(np.linalg.norm(chain.com, axis=1).max(), np.linalg.norm(chain.arm, axis=1).max()))
        self.length = self.length or 1.0
        self.moment = np.maximum(chain.mass * self.length**2, np.trace(chain.central, axis1=1, axis2=2))
        self.sizes = {"com": 3 * n, "at": 3 * (n - 1), "inertia": 6 * n}

    def __len__(self) -> int:
        return sum(self.sizes[key] for key in self.free)

    def build(self, p: np.ndarray) -> Chain:
        parts, start = {}, 0
        for key in self.free:
            parts[key] = p[start : start + self.sizes[key]]
            start += self.sizes[key]
        com, arm, central = self.chain.com, self.chain.arm.copy(), self.chain.central.copy()
        if "com" in parts:
            com = com + self.length * parts["com"].reshape(-1, 3)
        if "at" in parts:
            arm[:-1] += self.length * parts["at"].reshape(-1, 3)
        if "inertia" in parts:
            six = parts["inertia"].reshape(-1, 6) * self.moment[:, None]
            for k, (i, j) in enumerate(((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))):
                central[:, i, j] += six[:, k] if i == j else six[:, k] / np.sqrt(2)
                central[:, j, i] = central[:, i, j]
        return replace(self.chain, com=com, arm=arm, central=central)

    def model(self, p: np.ndarray) -> Model:
        chain = self.build(p)
        bodies = []
        for i, body in enumerate(self.given.bodies):
            changes: dict[str, Any] = {"mass": float(chain.mass[i]), "com": chain.com[i].tolist()}
            changes["inertia"] = chain.central[i].tolist()
            if i:
                changes["joint"] = body.joint.replace(at=chain.arm[i - 1].tolist())
            bodies.append(body.replace(**changes))
        return self.given.replace(bodies=bodies)


class _Parameters:
    """Relative changes of the values of parameters."""

    def __init__(self, model: Model, names: Sequence[str]) -> None:
        names = (names,) if isinstance(names, str) else tuple(names)
        for name in names:
            if name not in model.parameters:
                raise UnknownNameError(f"no parameter {name!r}", remedy=f"give some of {list(model.parameters)}")
        self.given, self.names = model, names
        self.start = np.array([float(model.values[name]) for name in names])
        self.unit = np.where(self.start != 0.0, np.abs(self.start), 1.0)

    def __len__(self) -> int:
        return len(self.names)

    def model(self, p: np.ndarray) -> Model:
        values = self.start + self.unit * p
        return self.given.with_values(**dict(zip(self.names, values.tolist(), strict=True)))

    def build(self, p: np.ndarray) -> Chain:
        return Chain.of(self.model(p))
