"""Formulae of a motion that need not be told its accelerations: they solve for them in numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ...errors import StateError
from ...model.levels import row_divisors
from .evaluation import State
from .formula import Formula, Values

__all__ = ["Solved", "System"]

RANK = 1e-9
"""Singular values below this part of the largest are zero: constraints that say the same twice."""


PARTED = 1e-3
"""Part of what forces and motion ask for by which accelerations may miss an equation; more is a contradiction."""


class System(NamedTuple):
    """A0 q̈ = right + Φ_qᵀ λ, Φ_q q̈ = γ; no rows in Φ for a tree.

    ``names``: whose equation each row of Φ is; ``expressed``: which of them are expressions.
    """

    inertia: Formula
    right: Formula
    slopes: Formula
    gamma: Formula
    names: tuple[str, ...] = ()
    expressed: tuple[bool, ...] = ()

    def solve(self, **state: Any) -> tuple[np.ndarray, np.ndarray]:
        """q̈ (…, n) and λ (…, m), the shortest λ where redundant constraints leave a choice."""
        a, b = self.inertia.evaluate(**state), self.right.evaluate(**state)
        if not len(self.slopes):
            return np.linalg.solve(a, b[..., None])[..., 0], np.zeros((*b.shape[:-1], 0))
        j, gamma = self.slopes.evaluate(**state), self.gamma.evaluate(**state)
        a, b, j, gamma = _together(a, b, j, gamma)
        free = np.linalg.solve(a, b[..., None])[..., 0]
        yielding = np.linalg.solve(a, np.swapaxes(j, -1, -2))
        expressed = np.array(self.expressed, dtype=bool) if self.expressed else np.zeros(j.shape[-2], dtype=bool)
        scale = row_divisors(np.sqrt(np.maximum(np.einsum("...ij,...ji->...i", j, yielding), 0.0)), expressed)
        j, gamma, yielding = j / scale[..., None], gamma / scale, yielding / scale[..., None, :]
        missing = gamma - np.einsum("...ij,...j->...i", j, free)
        force = np.einsum("...ij,...j->...i", np.linalg.pinv(j @ yielding, rcond=RANK, hermitian=True), missing)
        ud = free + np.einsum("...ij,...j->...i", yielding, force)
        asked = sum(np.sqrt(np.maximum(np.einsum("...i,...ij,...j->...", x, a, x), 0.0)) for x in (ud, free))
        self._agree(abs(np.einsum("...ij,...j->...i", j, ud) - gamma), np.asarray(asked)[..., None] + abs(gamma))
        wrench = np.einsum("...ij,...j->...i", a, ud) - b
        back = np.linalg.pinv(np.swapaxes(j, -1, -2), rcond=RANK)
        return ud, np.einsum("...ij,...j->...i", back, wrench) / scale

    def _agree(self, missed: np.ndarray, asked: np.ndarray) -> None:
        """Refuse accelerations that miss an equation, because another one asks for others."""
        off = np.divide(missed, asked, out=np.zeros_like(missed), where=asked > 0.0)
        off = off.reshape(-1, missed.shape[-1]).max(axis=0)
        worst = int(off.argmax())
        if off[worst] > PARTED:
            raise StateError(
                f"no accelerations meet {self.names[worst] if self.names else f'equation {worst}'} and the others "
                "together",
                remedy="leave out one that contradicts it, or give a state that meets them all",
            )

    def complete(
        self, formula: Formula, q: Any, u: Any, ud: Any, t: Any, parameters: dict[str, Any]
    ) -> tuple[Any, dict[str, Any]]:
        """q̈ and the parameters of a formula, those that are missing solved for."""
        wanted = _multipliers(formula)
        if ud is not None and wanted <= set(parameters):
            return ud, parameters
        known = {name: value for name, value in parameters.items() if not name.startswith("λ")}
        found, force = self.solve(q=q, u=u, t=t, **known)
        pairs = ((f"λ{i + 1}", force[..., i]) for i in range(force.shape[-1]))
        solved = {name: value for name, value in pairs if name in wanted}
        return found if ud is None else ud, {**solved, **parameters}


def _together(a: np.ndarray, b: np.ndarray, j: np.ndarray, gamma: np.ndarray) -> tuple[np.ndarray, ...]:
    batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-1], j.shape[:-2], gamma.shape[:-1])
    pairs = ((a, 2), (b, 1), (j, 2), (gamma, 1))
    return tuple(np.broadcast_to(x, (*batch, *x.shape[x.ndim - k :])) for x, k in pairs)


class Solved(Formula):
    """A formula of q, u, q̈ and λ that finds q̈ and λ itself where they are not given."""

    def __init__(
        self,
        entries: Any,
        values: Values | None,
        system: System,
        labels: Any = None,
        route: Callable[[State], Any] | None = None,
    ) -> None:
        super().__init__(entries, values, "collected", labels=labels, route=route)
        self.system = system

    def evaluate(self, q: Any = None, u: Any = None, ud: Any = None, t: Any = 0.0, **parameters: Any) -> Any:
        """Numbers (batch…, shape…); without ``ud`` those of the motion that the model's own forces make."""
        ud, parameters = self.system.complete(self, q, u, ud, t, parameters)
        return super().evaluate(q=q, u=u, ud=ud, t=t, **parameters)


def _multipliers(formula: Formula) -> set[str]:
    return {g.name for g in formula.ring.generators if g.name.startswith("λ")}
