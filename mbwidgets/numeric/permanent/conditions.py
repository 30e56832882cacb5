"""What each case of the theory asks for: the checklists of sections 3 and 4, with amounts.

Source: Chebanov, Khlistunova; errata: case 2 is ω₁ = 0; case 3 does not need A²₁₃ = A²₂₃ = 0; in section 4
k = 2, …, n+1, and (iii) asks s_{j−1}⊥ = 0; (4.8) may be dropped: for distinct non-zero speeds α = β = γ = 0 is
necessary even where differences of speeds coincide.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from .ball_chain import Posed

__all__ = ["Condition", "Row", "Theorem", "classify_case", "condition_harmonics", "theorem_conditions"]

EQUAL = 1e-12
"""Speeds and their differences are equal within this part of the largest."""


@dataclass(frozen=True)
class Condition:
    """One line of a checklist.

    ``name`` as the paper has it: ``"iii"``, ``"3.2"``; ``body`` its name; ``amount`` how much is left, in ``unit``;
    ``holds`` whether that is zero within the tolerance; ``text`` says it in words.
    """

    name: str
    body: str
    amount: float
    unit: str
    holds: bool
    text: str

    def __str__(self) -> str:
        return f"{'✓' if self.holds else '✗'} ({self.name}) {self.text}: {self.amount:.3g} {self.unit}"


class Row(NamedTuple):
    """One coefficient of (2.4) after equal |ω_i − ω_j| are taken together."""

    body: int
    k: int
    frequency: float
    part: str
    amount: float

    def condition(self, names: tuple[str, ...], limit: float) -> Condition:
        """The coefficient as a line of a checklist."""
        what = "the constant" if self.frequency == 0.0 else f"the {self.part} at {self.frequency:.4g} rad/s"
        text = f"{names[self.body]}: {what} in row {self.k + 1} of (2.4) vanishes"
        size = abs(self.amount)
        return Condition("2.4", names[self.body], size, "N m", size <= limit, text)


def condition_harmonics(omega: np.ndarray, alpha: np.ndarray, beta: np.ndarray, gamma: np.ndarray) -> list[Row]:
    """The coefficients of 1, cos μt and sin μt in (2.4), μ running over the different |ω_i − ω_j|."""
    n = len(omega)
    slack = EQUAL * max(1.0, float(np.abs(omega).max()))
    rows = []
    for i in range(n):
        groups: list[tuple[float, np.ndarray, np.ndarray]] = [(0.0, alpha[i].copy(), np.zeros(3))]
        for j in range(n):
            if j == i:
                continue
            difference, square = omega[i] - omega[j], omega[j] ** 2
            cosine, sine = square * beta[i, j], np.sign(difference) * square * gamma[i, j]
            for number, (frequency, c, s) in enumerate(groups):
                if abs(abs(difference) - frequency) <= slack:
                    groups[number] = (frequency, c + cosine, s + (sine if frequency else 0.0))
                    break
            else:
                groups.append((abs(difference), cosine, sine))
        for frequency, c, s in groups:
            rows += [Row(i, k, frequency, "cosine", float(c[k])) for k in range(3)]
            rows += [Row(i, k, frequency, "sine", float(s[k])) for k in range(3) if frequency]
    return rows


class Theorem(NamedTuple):
    """The quantities that the general theorem wants to vanish for one k, as rows (name, body, values, unit, size)."""

    k: int
    rows: list[tuple[str, int, np.ndarray, str, float, str]]

    @property
    def worst(self) -> float:
        """The largest amount, each relative to its size."""
        return max((float(np.abs(row[2]).max()) / row[4] for row in self.rows), default=0.0)


def _sizes(posed: Posed) -> tuple[float, float, float]:
    """What a first moment, a length and a second moment of this chain are measured by."""
    static = float(np.linalg.norm(posed.static, axis=1).max())
    length = float(np.linalg.norm(posed.arm, axis=1).max())
    inertia = float(np.linalg.norm(posed.inertia, axis=(1, 2)).max())
    return max(static, 1e-300), max(length, 1e-300), max(inertia, 1e-300)


def theorem_conditions(posed: Posed, alpha: np.ndarray, k: int, scale: float) -> Theorem:
    """Conditions (i) to (iv) of section 4 for k = 2, …, n+1 (bodies counted from 1)."""
    n = len(posed)
    static, length, inertia = _sizes(posed)
    rows: list[tuple[str, int, np.ndarray, str, float, str]] = []
    for j in range(2, n + 1):
        b = j - 1
        rows.append(("i", b, posed.inertia[b, :2, 2], "kg m²", inertia, "the axis is principal for the augmented body"))
        if j >= k:
            rows.append(("ii", b, posed.static[b], "kg m", static, "it hangs in its own barycentre"))
        else:
            rows.append(("iii", b, posed.static[b, :2], "kg m", static, "its barycentre is on the vertical"))
            above = posed.arm[b - 1, :2]
            rows.append(("iii", b, above, "m", length, "its joint is on the vertical through O₁"))
    rows.append(("iv", 0, alpha[0, :2], "N m", scale, "the axis is on the Staude cone of the augmented body"))
    return Theorem(k, rows)


def best_theorem(posed: Posed, alpha: np.ndarray, scale: float, tolerance: float) -> Theorem:
    """The smallest k whose conditions hold; when none does, that which misses them least."""
    tried = [theorem_conditions(posed, alpha, k, scale) for k in range(2, len(posed) + 2)]
    holding = [item for item in tried if item.worst <= tolerance]
    return holding[0] if holding else min(tried, key=lambda item: item.worst)


Rows = Iterable[tuple[str, int, np.ndarray, str, float, str]]


def _listed(names: tuple[str, ...], rows: Rows, tolerance: float) -> tuple[Condition, ...]:
    found = []
    for name, body, values, unit, size, text in rows:
        amount = float(np.abs(values).max())
        found.append(Condition(name, names[body], amount, unit, amount <= tolerance * size, f"{names[body]}: {text}"))
    return tuple(found)


def classify_case(
    names: tuple[str, ...],
    posed: Posed,
    omega: np.ndarray,
    alpha: np.ndarray,
    beta: np.ndarray,
    gamma: np.ndarray,
    tolerance: float,
    scale: float,
) -> tuple[str, int | None, tuple[Condition, ...]]:
    """The case that the speeds belong to, the theorem's k, and the checklist.

    One body: the Staude cone. Two: the paper's cases 1 to 4. More: the theorem of section 4 for distinct non-zero
    speeds; ``"equal speeds"``; ``"mixed speeds"`` where some are equal or zero, whose list is (2.4) itself.
    """
    n = len(omega)
    slack = EQUAL * max(1.0, float(np.abs(omega).max()))
    zero = np.abs(omega) <= slack
    gaps = np.abs(omega[:, None] - omega)[~np.eye(n, dtype=bool)]
    raw = [row for row in condition_harmonics(omega, alpha, beta, gamma) if row.amount or row.frequency == 0.0]
    plain = tuple(row.condition(names, tolerance * scale) for row in raw)
    if zero.all():
        return "rest", None, plain
    if n == 1:
        text = "the axis is on the Staude cone, at its speed"
        return "Staude", None, _listed(names, [("iv", 0, alpha[0, :2], "N m", scale, text)], tolerance)
    if not zero.any() and gaps.min() > slack:
        best = best_theorem(posed, alpha, scale, tolerance)
        listed = _listed(names, best.rows, tolerance)
        if n > 2:
            return f"section 4, k={best.k}", best.k, listed
        fits = all(item.holds for item in listed)
        return f"case 1 ({'3.7' if best.k == 2 else '3.6'})" if fits else "case 1", best.k, listed
    if n == 2:
        return _two_bodies(names, posed, alpha, zero, tolerance, scale, plain)
    return ("mixed speeds" if zero.any() or gaps.max() > slack else "equal speeds"), None, plain


def _two_bodies(
    names: tuple[str, ...],
    posed: Posed,
    alpha: np.ndarray,
    zero: np.ndarray,
    tolerance: float,
    scale: float,
    plain: tuple[Condition, ...],
) -> tuple[str, int | None, tuple[Condition, ...]]:
    static, length, inertia = _sizes(posed)
    if zero[0]:
        rows = [
            ("3.8", 0, posed.static[0, :2], "kg m", static, "the barycentre of the resting body is under O₁"),
            ("3.8", 1, posed.static[1, :2], "kg m", static, "the mass centre is on the axis"),
            ("3.8", 1, posed.inertia[1, :2, 2], "kg m²", inertia, "the axis is principal"),
        ]
        return "case 2", None, _listed(names, rows, tolerance)
    if zero[1]:
        rows = [
            ("3.2", 0, alpha[0, :2], "N m", scale, "the axis is on the Staude cone of the augmented body"),
            ("3.5", 1, posed.static[1, :2], "kg m", static, "the mass centre hangs under the joint"),
            ("3.5", 1, posed.static[1, 2] * posed.arm[0, :2], "kg m²", static * length, "a₂³ s⊥ = 0"),
        ]
        listed = _listed(names, rows, tolerance)
        if not all(item.holds for item in listed):
            return "case 3", None, listed
        centred = abs(posed.static[1, 2]) <= tolerance * static
        return f"case 3 {'c2=0' if centred else 's||nu'}", None, listed
    return "case 4", None, plain
