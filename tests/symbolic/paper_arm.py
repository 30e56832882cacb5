"""The quantities of Cajić and Lazarević's three-body system in plain NumPy, straight from their definitions.

Bodies and axes are counted from 1, as on the page: ``n[2]`` is n₂, ``S[1, 3]`` is S_n1 of body 3 at O₃.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.symbolic.reaction_cases import EXAMPLES

Array = np.ndarray


def cross(a: Any, b: Any) -> Array:
    """[a, b]"""
    return np.cross(a, b)


def skew(e: Any) -> Array:
    x, y, z = e
    return np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])


def rodrigues(e: Any, angle: float) -> Array:
    """I + (1 − cos q)[e]² + sin q [e]"""
    return np.eye(3) + (1 - np.cos(angle)) * skew(e) @ skew(e) + np.sin(angle) * skew(e)


class System:
    """One example: what it gives (``given``), its reference (``output``), and arrays counted from 1."""

    def __init__(self, name: str) -> None:
        example = EXAMPLES[name]
        self.given: dict[str, Any] = example["input"]
        self.output: dict[str, Any] = example["output"]
        count = range(1, self.given["n"] + 1)

        def numbered(values: Any) -> dict[int, Array]:
            return {i: np.array(values[i - 1]) for i in count}

        self.q, self.u, self.ud = (numbered(self.given[key]) for key in ("q", "qd", "qdd"))
        self.xi, self.m, self.J_C = (numbered(self.given[key]) for key in ("xi", "m", "J_C"))
        self.g = np.array(self.given["g"])
        self.A, self.n, self.C = (numbered(self.output[key]) for key in ("A_0i", "e0", "C"))
        self.O, self.image = numbered(self.output["O"]), numbered(self.output["O_star"])
        self.omega, self.eps = (numbered(self.output["methodA"][key]) for key in ("omega", "eps"))
        self.a_C, self.dL_C = (numbered(self.output["methodA"][key]) for key in ("a_C", "dL_C"))
        self.rho = {i: self.C[i] - self.image[i] for i in count}
        self.S = {(a, i): cross(self.n[a], self.rho[i]) * self.m[i] for i in count for a in range(1, i + 1)}
        self.tensor = {i: self._tensor(i) for i in count}
        self.I = {(a, i): self.tensor[i] @ self.n[a] for i in count for a in range(1, i + 1)}
        self.D = {key: cross(self.n[key[0]], cross(value, self.n[key[0]])) for key, value in self.I.items()}

    def _tensor(self, i: int) -> Array:
        """𝕁_i at O_i*, inertial axes."""
        rho, m = self.rho[i], self.m[i]
        return self.A[i] @ self.J_C[i] @ self.A[i].T + m * (rho @ rho * np.eye(3) - np.outer(rho, rho))

    def lever(self, i: int) -> Array:
        """r_i,i+1"""
        return self.O[i + 1] - self.image[i]

    def joint(self, k: int, key: str) -> Array:
        return np.array(self.output["joints"][k - 1][key])

    def T(self, name: str) -> Array:
        """T_a(i) by the reference's name, ``1(3)``."""
        return np.array(self.output["methodA"]["T"][name])

    def own(self, b: int, w: Array) -> Array:
        """ω̇_b u + ω_b² [n_b, u], u = w/|w|"""
        unit = w / np.linalg.norm(w)
        return self.ud[b] * unit + self.u[b] ** 2 * cross(self.n[b], unit)

    def coupled(self, a: int, b: int, w: Array) -> Array:
        """2 ω_a ω_b [n_a, u]"""
        return 2 * self.u[a] * self.u[b] * cross(self.n[a], w / np.linalg.norm(w))
