"""Accelerations of a chain by Kharlamov's equations: a route of its own, beside the tree kernels.

Source: Chebanov, Khlistunova, section 1. All vectors are in world axes; unknowns are the absolute ω̇_i.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import ModelError, SingularError
from ...model.forces import ElasticAlignment
from ...model.model import Model
from ..base.arguments import as_array
from ..base.vectors import skew_matrix
from .ball_chain import Chain

__all__ = ["Kharlamov"]


@dataclass(frozen=True)
class _Moment:
    """A chain in motion: rotations, absolute ω, and a body's vectors, world axes."""

    turns: np.ndarray
    speeds: np.ndarray
    com: np.ndarray
    arm: np.ndarray
    static: np.ndarray


class Kharlamov:
    """Kharlamov's equations of a chain of any number of bodies on spherical joints.

    The model's forces may be `ElasticAlignment` only, the elastic moments of (1.4).
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self.chain = Chain.of(model, forces=True)
        for force in model.forces:
            if not isinstance(force, ElasticAlignment):
                raise ModelError(
                    f"a force of type {force.type!r} is not in Kharlamov's equations (1.4)",
                    remedy="keep elastic_alignment forces only, or use mb.Dynamics",
                )

    def accelerations(
        self, q: Any, u: Any, augmented: bool = True, tau: Any = None, forces: Any = None, moments: Any = None
    ) -> np.ndarray:
        """u̇ (3n,) at q (4n,), u (3n,), in the model's order.

        ``augmented``: by (1.3)-(1.5); otherwise by (1.1), the sums over bodies without augmentation. Beyond weight and
        elastic moments: ``tau`` (3n,) the moments L_i in the joints, body axes; ``forces`` F_i and ``moments`` M_i
        (n, 3) applied at the O_i, world axes.
        """
        state = self._moment(q, u)
        matrix, rest = self._augmented(state) if augmented else self._plain(state)
        n = len(self.chain)
        rest = rest + self._applied(state, tau, forces, moments)
        try:
            rates = np.linalg.solve(matrix.transpose(0, 2, 1, 3).reshape(3 * n, 3 * n), rest.ravel()).reshape(n, 3)
        except np.linalg.LinAlgError:
            raise SingularError("the matrix of Kharlamov's equations is singular", remedy="give mass") from None
        return self._relative(state, rates)

    def _applied(self, m: _Moment, tau: Any, forces: Any, moments: Any) -> np.ndarray:
        """M_i + L_i − L_{i+1} + s_i × Σ_{j>i} F_j   (1.3)"""
        n = len(self.chain)
        total = np.zeros((n, 3))
        if tau is not None:
            given = as_array(tau, self.model.velocity_names, "tau").reshape(n, 3)
            joint = np.einsum("iab,ib->ia", m.turns, given)
            total += joint - np.concatenate([joint[1:], np.zeros((1, 3))])
        if moments is not None:
            total += np.reshape(moments, (n, 3))
        if forces is not None:
            pushed = np.reshape(forces, (n, 3)).astype(float)
            total += np.cross(m.arm, np.cumsum(pushed[::-1], axis=0)[::-1] - pushed)
        return total

    def _moment(self, q: Any, u: Any) -> _Moment:
        chain = self.chain
        turns = chain.turns(as_array(q, self.model.coordinate_names, "q"))
        given = as_array(u, self.model.velocity_names, "u").reshape(-1, 3)
        speeds = np.cumsum(np.einsum("iab,ib->ia", turns, given), axis=0)
        seen = [np.einsum("iab,ib->ia", turns, v) for v in (chain.com, chain.arm, chain.static)]
        return _Moment(turns, speeds, *seen)

    def _relative(self, m: _Moment, rates: np.ndarray) -> np.ndarray:
        """u̇_i = R_iᵀ (ω̇_i − ω̇_{i−1} − ω_{i−1} × (ω_i − ω_{i−1}))"""
        nothing = np.zeros((1, 3))
        before, slower = np.concatenate([nothing, m.speeds[:-1]]), np.concatenate([nothing, rates[:-1]])
        change = rates - slower - np.cross(before, m.speeds - before)
        return np.asarray(np.einsum("iba,ib->ia", m.turns, change)).ravel()

    def _augmented(self, m: _Moment) -> tuple[np.ndarray, np.ndarray]:
        """Blocks A_i*, −[a_i][s_j] (j < i), −[s_i][a_j] (j > i), and what stands against them   (1.5)"""
        tensors = m.turns @ self.chain.augmented @ np.swapaxes(m.turns, 1, 2)
        n = len(tensors)
        a, s = skew_matrix(m.static), skew_matrix(m.arm)
        blocks = np.empty((n, n, 3, 3))
        lower = np.tri(n, k=-1, dtype=bool)
        blocks[lower] = -(a[:, None] @ s[None])[lower]
        blocks[~lower] = -(s[:, None] @ a[None])[~lower]
        blocks[range(n), range(n)] = tensors
        swung = [np.cross(m.speeds, np.cross(m.speeds, v)) for v in (m.arm, m.static)]
        before = np.cumsum(swung[0], axis=0) - swung[0]
        after = np.cumsum(swung[1][::-1], axis=0)[::-1] - swung[1]
        rest = -self._gyroscopic(m, tensors) - np.cross(m.static, before - self.chain.gravity) - np.cross(m.arm, after)
        return blocks, rest + self._elastic(m)

    def _plain(self, m: _Moment) -> tuple[np.ndarray, np.ndarray]:
        """The same from (1.1): A_i and the sums m_j (ω_j × c_j + Σ_{k<j} ω_k × s_k)˙."""
        chain, n = self.chain, len(self.chain)
        tensors = m.turns @ chain.inertia @ np.swapaxes(m.turns, 1, 2)
        c, s = skew_matrix(m.com), skew_matrix(m.arm)
        blocks = np.zeros((n, n, 3, 3))
        rest = -self._gyroscopic(m, tensors) + self._elastic(m)
        swing_c, swing_s = (np.cross(m.speeds, np.cross(m.speeds, v)) for v in (m.com, m.arm))
        for i in range(n):
            blocks[i, i] += tensors[i]
            for j in range(i):
                blocks[i, j] -= chain.mass[i] * c[i] @ s[j]
                rest[i] -= chain.mass[i] * np.cross(m.com[i], swing_s[j])
            rest[i] += chain.mass[i] * np.cross(m.com[i], chain.gravity)
            for j in range(i + 1, n):
                blocks[i, j] -= chain.mass[j] * s[i] @ c[j]
                moved = swing_c[j] - chain.gravity
                for k in range(j):
                    blocks[i, k] -= chain.mass[j] * s[i] @ s[k]
                    moved = moved + swing_s[k]
                rest[i] -= chain.mass[j] * np.cross(m.arm[i], moved)
        return blocks, rest

    def _gyroscopic(self, m: _Moment, tensors: np.ndarray) -> np.ndarray:
        return np.cross(m.speeds, np.einsum("iab,ib->ia", tensors, m.speeds))

    def _elastic(self, m: _Moment) -> np.ndarray:
        """−κ² (e_{i−1} × e_i) on body i and its opposite on the body before   (1.4)"""
        total = np.zeros_like(m.arm)
        number = self.model.number
        for force in self.model.forces:
            i = self.model.index(force.joint)
            outer, inner = (np.array([number(x) for x in v]) for v in (force.axis_parent, force.axis_child))
            inner = m.turns[i] @ inner / np.linalg.norm(inner)
            outer = (m.turns[i - 1] @ outer if i else outer) / np.linalg.norm(outer)
            moment = -number(force.stiffness) * np.cross(outer, inner)
            total[i] += moment
            if i:
                total[i - 1] -= moment
        return total
