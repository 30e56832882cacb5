"""Small motions about a permanent rotation about the vertical: their growth rates, and what they say of stability.

The equations (1.5) of Chebanov and Khlistunova are linearised in the small turns θ_i (R_i → exp[θ_i] R_i) of each
body: M θ̈ + D θ̇ + K θ = 0, in axes that turn with the first body. A vector v of body i has δv̈ = θ̈ × v +
2 θ̇ × v̇ + θ × v̈, and δ(Aω)˙ = A θ̈ + (Ȧ − [Aω]) θ̇ + θ × (Aω)˙.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..base.brief import brief_text
from ..base.rotations import cross_rows, skew_matrix
from .ball_chain import Posed

__all__ = ["Growth", "Linear", "SteadyRotation", "linearised_equations", "rotation_growth", "symmetry_directions"]

DOUBLE_ZERO = 1e-5
"""Below this part of the largest rate a rate is zero: a double zero is found to the root of the rounding error."""
ROUNDING = 1e-7
"""Below this part of the largest rate a real part is that of a double imaginary rate, split by rounding."""
SYMMETRIC = 1e-10
"""Of the largest moment of inertia, or of a vector's length: a body less lopsided than this is symmetric, since turning
its numbers into world axes leaves 1e-15 and a body that is meant to be lopsided is so by far more."""
STEPS_A_TURN, ROUGH_STEPS_A_TURN, MOST_STEPS = 60, 30, 2000
"""Steps while the fastest body turns once in the axes of the slowest, for an estimate, and in all."""
SETTLED = 1e-4
"""Of the fastest rate: exponents of two step lengths that differ by less are settled."""
LONGEST = 12.0
"""Radians, or powers of e, of the fastest mode in a step of an estimate: six of them are still finite numbers."""
PERIODS = 4
"""Periods through which growing modes are followed: one turns the columns to the modes, three are averaged."""
MOMENTS = 96
"""Moments of six periods whose rates are averaged, sixteen in each."""


class Linear(NamedTuple):
    """M θ̈ + D θ̇ + K θ = −F, each (3n, 3n), F (3n,) the left side of (2.2), zero at a permanent rotation."""

    mass: np.ndarray
    damping: np.ndarray
    stiffness: np.ndarray
    residual: np.ndarray


@dataclass(frozen=True)
class Growth:
    """Growth rates of small motions.

    Attributes
    ----------
    rates : complex rates λ, 1/s (equal speeds), or Floquet or Lyapunov exponents
    largest : the largest real part, 1/s; 0 where it is zero but for rounding
    stability : ``"stable"`` (the energy in the turning axes has a minimum), ``"neutral"`` (no small motion grows at
        first order), ``"unstable"``
    method : ``"eigenvalues"``, ``"Floquet"`` or ``"Lyapunov"``; the last is an estimate over a window of time
    """

    rates: np.ndarray
    largest: float
    stability: str
    method: str

    def __repr__(self) -> str:
        return brief_text(self)


NO_MOTION = Growth(np.empty(0, dtype=complex), float("nan"), "not permanent", "none")
"""What is said of a rotation that does not hold."""


class SteadyRotation(ABC):
    """A rotation at constant speeds, with small motions about it."""

    @property
    @abstractmethod
    def small_motions(self) -> Growth:
        """Growth rates of small motions about the rotation, and the stability that they tell."""

    @property
    def growth(self) -> float:
        """The largest growth rate of small motions, 1/s; 0 when none grows, nan where the rotation does not hold."""
        return self.small_motions.largest

    @property
    def stability(self) -> str:
        """``"stable"``, ``"neutral"``, ``"unstable"``, or ``"not permanent"``; see `Growth`."""
        return self.small_motions.stability


class Balance(NamedTuple):
    """Parts of (2.2), each (n, 3): ω, A*ω, its rate, ä, s̈, Σ_{j<i} s̈_j − gν, Σ_{j>i} ä_j, and the left side."""

    spin: np.ndarray
    momentum: np.ndarray
    torque: np.ndarray
    swing_static: np.ndarray
    swing_arm: np.ndarray
    lifted: np.ndarray
    swung: np.ndarray
    residual: np.ndarray


def moment_balance(posed: Posed, speeds: np.ndarray) -> Balance:
    """What (2.2) balances for bodies that turn at ``speeds`` (n,) about e3, at the moment of the pose."""
    a, s = posed.static, posed.arm
    spin = np.zeros((len(posed), 3))
    spin[:, 2] = speeds
    momentum = speeds[:, None] * posed.inertia[:, :, 2]
    torque = cross_rows(spin, momentum)
    square = -(speeds**2)[:, None] * np.array([1.0, 1.0, 0.0])
    a2, s2 = square * a, square * s  # ω × (ω × v)
    lifted = np.cumsum(s2, axis=0) - s2 - posed.weight * np.array([0.0, 0.0, 1.0])
    swung = np.cumsum(a2[::-1], axis=0)[::-1] - a2
    return Balance(spin, momentum, torque, a2, s2, lifted, swung, torque + cross_rows(a, lifted) + cross_rows(s, swung))


def linearised_equations(posed: Posed, speeds: np.ndarray, frame: float) -> Linear:
    """M, D, K, F for bodies that turn at ``speeds`` (n,) about e3, in axes that turn at ``frame`` about e3."""
    n = len(posed)
    a, s, tensor = posed.static, posed.arm, posed.inertia
    b = moment_balance(posed, speeds)
    sa, ss, turning = skew_matrix(a), skew_matrix(s), skew_matrix(b.spin)
    lower = np.tri(n, k=-1, dtype=bool)[:, :, None, None]

    def coupled(of_arm: np.ndarray, of_static: np.ndarray, own: np.ndarray) -> np.ndarray:
        blocks = np.where(
            lower, -(sa[:, None] @ skew_matrix(of_arm)[None]), -(ss[:, None] @ skew_matrix(of_static)[None])
        )
        blocks[range(n), range(n)] = own
        return np.asarray(blocks.transpose(0, 2, 1, 3).reshape(3 * n, 3 * n))

    mass = coupled(s, a, tensor)
    rate = turning @ tensor - tensor @ turning - skew_matrix(b.momentum)
    damping = coupled(2 * cross_rows(b.spin, s), 2 * cross_rows(b.spin, a), rate)
    own = -skew_matrix(b.torque) + skew_matrix(b.lifted) @ sa + skew_matrix(b.swung) @ ss
    stiffness = coupled(b.swing_arm, b.swing_static, own)
    turn = np.kron(np.eye(n), skew_matrix(np.array([0.0, 0.0, frame])))
    return Linear(mass, damping + 2 * mass @ turn, stiffness + damping @ turn + mass @ turn @ turn, b.residual.ravel())


def symmetry_directions(posed: Posed) -> np.ndarray:
    """Orthonormal directions (3n, d) that change nothing: a turn of all about ν, or of a symmetric body about its axis.

    Body i is symmetric about e when a_i, s_i lie along e and A_i* has equal moments across it.
    """
    n = len(posed)
    columns = [np.tile([0.0, 0.0, 1.0], n)]
    for i in range(n):
        moments, axes = np.linalg.eigh(posed.inertia[i])
        pairs = [k for k in range(3) if abs(np.subtract(*np.delete(moments, k))) <= SYMMETRIC * moments[-1]]
        for k in pairs:
            e = axes[:, k]
            if len(pairs) == 3 and (length := np.linalg.norm(posed.static[i])) > 0.0:
                e = posed.static[i] / length
            sideways = [np.linalg.norm(np.cross(e, v)) <= SYMMETRIC * np.linalg.norm(v) for v in _vectors(posed, i)]
            if all(sideways):
                column = np.zeros(3 * n)
                column[3 * i : 3 * i + 3] = e
                columns.append(column)
    left, values, _ = np.linalg.svd(np.array(columns).T, full_matrices=False)
    return np.asarray(left[:, values > 1e-7 * values[0]])


def _vectors(posed: Posed, i: int) -> list[np.ndarray]:
    return [v for v in (posed.static[i], posed.arm[i]) if np.any(v)]


def orthogonal_complement(columns: np.ndarray) -> np.ndarray:
    """An orthonormal basis of what is orthogonal to orthonormal columns."""
    whole = np.linalg.qr(columns, mode="complete")[0]
    return np.asarray(whole[:, columns.shape[1] :])


def rotation_growth(posed: Posed, speeds: np.ndarray) -> Growth:
    """Growth rates of small motions about the rotation at ``speeds`` (n,), the bodies at t = 0 as posed.

    Equal speeds have constant coefficients in the turning axes, hence eigenvalues. One difference of speeds and its
    multiples have periodic ones: the exponents are those of Floquet. Otherwise they are estimated.
    """
    differences = np.abs(speeds - speeds[0])
    apart = differences[differences > 1e-9 * max(1.0, np.abs(speeds).max())]
    if not apart.size:
        return _constant(posed, speeds)
    multiples = apart / apart.min()
    if np.abs(multiples - multiples.round()).max() < 1e-9 and multiples.max() < 8.5:
        return _floquet(posed, speeds, 2 * np.pi / float(apart.min()))
    return _lyapunov(posed, speeds, 2 * np.pi / float(apart.min()))


def _constant(posed: Posed, speeds: np.ndarray) -> Growth:
    linear = linearised_equations(posed, speeds, float(speeds[0]))
    rates = np.linalg.eigvals(_first_order(linear))
    scale = max(float(np.abs(rates).max()), float(np.abs(speeds).max()), 1e-300)
    real = np.where(np.abs(rates) <= DOUBLE_ZERO * scale, 0.0, rates.real)
    largest = float(real.max())
    if largest > ROUNDING * scale:
        return Growth(rates, largest, "unstable", "eigenvalues")
    free = orthogonal_complement(symmetry_directions(posed))
    hessian = free.T @ (linear.stiffness + linear.stiffness.T) @ free
    least = np.linalg.eigvalsh(hessian)[0] if free.shape[1] else np.inf
    stable = least > 1e-9 * np.abs(linear.stiffness).max()
    return Growth(rates, 0.0, "stable" if stable else "neutral", "eigenvalues")


def _over(mass: np.ndarray, right: np.ndarray) -> np.ndarray:
    """M⁻¹ right; a turn that moves no mass, as of a point mass about its own arm, is left at rest."""
    try:
        pivots = np.diag(np.linalg.cholesky(mass))
        if pivots.min() > 1e-6 * pivots.max():
            return np.asarray(np.linalg.solve(mass, right))
    except np.linalg.LinAlgError:
        pass
    return np.asarray(np.linalg.pinv(mass, rcond=1e-13, hermitian=True) @ right)


def _exponential(m: np.ndarray) -> np.ndarray:
    """exp M by Taylor's series of degree 14 of M/2ᵏ, squared k times: the matrices are small and the steps short."""
    halvings = max(0, int(np.ceil(np.log2(max(float(np.abs(m).sum(axis=0).max()), 1e-300) / 0.5))))
    scaled, one = m / 2.0**halvings, np.eye(len(m))
    result = one
    for degree in range(14, 0, -1):
        result = one + scaled @ result / degree
    for _ in range(halvings):
        result = result @ result
    return result


def _first_order(linear: Linear) -> np.ndarray:
    size = len(linear.mass)
    rows = -_over(linear.mass, np.hstack([linear.stiffness, linear.damping]))
    return np.vstack([np.hstack([np.zeros((size, size)), np.eye(size)]), rows])


def propagated(
    posed: Posed, speeds: np.ndarray, start: np.ndarray, times: tuple[float, float], steps: int
) -> np.ndarray:
    """Small motions (columns of ``start``) carried from one time to another, in equal steps of order four (Magnus)."""
    columns = start
    for one in _maps(posed, speeds, times, steps):
        columns = one @ columns
    return columns


def _maps(posed: Posed, speeds: np.ndarray, times: tuple[float, float], steps: int) -> list[np.ndarray]:
    """What each of equal steps does to small motions."""
    step = (times[1] - times[0]) / steps
    return [_stepped(posed, speeds, times[0] + k * step, step) for k in range(steps)]


def _stepped(posed: Posed, speeds: np.ndarray, t: float, h: float) -> np.ndarray:
    """exp( h (B₁ + B₂)/2 − √3 h² [B₁, B₂]/12 ), B at the two points of Gauss: fast modes cost nothing."""
    frame = float(speeds[0])
    first, second = (
        _first_order(linearised_equations(posed.turned((speeds - frame) * (t + (0.5 + x) * h)), speeds, frame))
        for x in (-np.sqrt(3.0) / 6, np.sqrt(3.0) / 6)
    )
    commutator = first @ second - second @ first
    return _exponential(h * (first + second) / 2 - np.sqrt(3.0) * h**2 / 12 * commutator)


def _floquet(posed: Posed, speeds: np.ndarray, period: float) -> Growth:
    """Floquet's exponents; steps too long for the fastest mode are halved until the largest exponent stays.

    Speeds that nearly coincide have a period in which no number of steps is enough: see `_frozen`.
    """
    steps, fastest = _steps(speeds, period, STEPS_A_TURN), _fastest(posed, speeds, period)
    if fastest * period > LONGEST * MOST_STEPS:
        return _frozen(posed, speeds, period)
    rates = _exponents(posed, speeds, period, steps)
    settled = fastest * period <= steps  # a step that turns no mode by more than a radian is short
    while not settled and steps <= MOST_STEPS:
        before, steps = rates, 2 * steps
        rates = _exponents(posed, speeds, period, steps)
        apart = rates.real.max() - before.real.max()
        settled = bool(np.isfinite(apart) and abs(apart) <= SETTLED * fastest)
    if not settled:
        return _frozen(posed, speeds, period)
    # double multipliers at 1 are found to the root of the error of the steps, 1e-7
    largest = float(rates.real.max())
    unstable = largest * period > np.log1p(1e-3)
    return Growth(rates, largest if unstable else 0.0, "unstable" if unstable else "neutral", "Floquet")


def _fastest(posed: Posed, speeds: np.ndarray, period: float) -> float:
    """The largest |λ| of a few moments of a period, each for itself, 1/s."""
    return max(float(np.abs(_rates_at(posed, speeds, period * k / 6)).max()) for k in range(6))


def _rates_at(posed: Posed, speeds: np.ndarray, t: float) -> np.ndarray:
    """The rates of small motions if the bodies stood towards each other for ever as they do at this time."""
    frame = float(speeds[0])
    return np.linalg.eigvals(_first_order(linearised_equations(posed.turned((speeds - frame) * t), speeds, frame)))


def _exponents(posed: Posed, speeds: np.ndarray, period: float, steps: int) -> np.ndarray:
    """log(multipliers)/period; nan where a single step is beyond the range of numbers."""
    with np.errstate(over="ignore", invalid="ignore"):
        maps = _maps(posed, speeds, (0.0, period), steps)
        whole = np.eye(6 * len(posed))
        for one in maps:
            whole = one @ whole
    if np.isfinite(whole).all():
        multipliers = np.linalg.eigvals(whole)
        # a multiplier that rounding made zero is that of a mode which is long gone
        tiny = np.where(np.abs(multipliers) > 0.0, multipliers, np.finfo(float).tiny)
        return np.asarray(np.log(tiny.astype(complex)) / period)
    if not np.isfinite(maps).all():
        return np.full(len(whole), np.nan, dtype=complex)
    columns, sums = np.eye(len(whole)), np.zeros(len(whole))
    for number in range(PERIODS):
        for one in maps:
            columns, triangle = np.linalg.qr(one @ columns)
            if number:  # the first period turns the columns to the modes
                sums += np.log(np.maximum(np.abs(np.diag(triangle)), np.finfo(float).tiny))
    return np.sort(sums / ((PERIODS - 1) * period))[::-1].astype(complex)


def _frozen(posed: Posed, speeds: np.ndarray, period: float) -> Growth:
    """The mean over a few periods of the largest rate of each moment: what grows follows the fastest mode.

    It is the limit of exponents as the bodies turn ever slower towards each other; at a difference of speeds Δ the
    estimate is off by about Δ log(λ/Δ).
    """
    times = 6 * period * (np.arange(MOMENTS) + 0.5) / MOMENTS
    rates = np.array([np.sort(_rates_at(posed, speeds, t).real)[::-1] for t in times]).mean(axis=0)
    scale = max(float(np.abs(rates).max()), float(np.abs(speeds).max()), 1e-300)
    unstable = rates[0] > DOUBLE_ZERO * scale
    largest = float(rates[0]) if unstable else 0.0
    return Growth(rates.astype(complex), largest, "unstable" if unstable else "neutral", "Lyapunov")


def _steps(speeds: np.ndarray, duration: float, a_turn: int) -> int:
    return max(8, int(np.ceil(a_turn * float(np.ptp(speeds)) * duration / (2 * np.pi))))


def _lyapunov(posed: Posed, speeds: np.ndarray, period: float) -> Growth:
    """Exponents over a window: what grows like t only shows as log(window)/window, which bounds the estimate."""
    size = 6 * len(posed)
    steps = min(_steps(speeds, 6 * period, ROUGH_STEPS_A_TURN), MOST_STEPS)
    if _fastest(posed, speeds, period) * 6 * period > LONGEST * steps:
        return _frozen(posed, speeds, period)
    window = 2 * np.pi * steps / (ROUGH_STEPS_A_TURN * float(np.ptp(speeds)))
    step = window / steps
    columns, sums, counted = np.eye(size), np.zeros(size), 0
    for k in range(steps):
        columns = _stepped(posed, speeds, k * step, step) @ columns
        if k % 6 == 5:
            columns, triangle = np.linalg.qr(columns)
            if 6 * k >= steps:
                sums += np.log(np.abs(np.diag(triangle)))
                counted += 6
    rates = np.sort(sums / (counted * step))[::-1].astype(complex)
    largest = float(rates.real.max())
    unstable = largest > 2 * (1.0 + np.log1p(window)) / window
    return Growth(rates, largest if unstable else 0.0, "unstable" if unstable else "neutral", "Lyapunov")
