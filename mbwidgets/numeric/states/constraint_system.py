"""The constraints of a packed model at a state: Φ, Jacobian, rank, null space, and what cannot be met."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ...model.constraint_primitives import constraint_title
from ...model.model import Model
from ..base.outcome import Outcome
from ..base.tolerances import GROWS_ENDLESSLY
from ..kernels import assembly, project_frames
from ..kernels import memory_layout as layout
from ..kernels.constrained_derivative import constrained_derivative
from ..kernels.constraint_equations import curve_normal_at
from ..kernels.curve_search import find_curve_feet
from ..kernels.entry_points import state_derivative
from ..packing.pack import Packed
from .unresisted_motion import massless_velocities

__all__ = [
    "Assembly",
    "Constraints",
    "Slides",
    "constraints_of_equations",
    "equation_names",
    "poses_at",
    "set_nearest_curve_parameters",
]


@dataclass(frozen=True)
class Assembly:
    """A consistent state; ``moved`` names the coordinates and velocities that had to change, ``fault`` is why it
    cannot be."""

    q: np.ndarray
    u: np.ndarray
    equations: int = 0
    rank: int = 0
    moved: tuple[str, ...] = ()
    fault: Outcome | None = None

    @property
    def details(self) -> str:
        """What was changed, in words."""
        if not self.moved:
            return ""
        return f"To meet the constraints the start was moved: {', '.join(self.moved)}."


def equation_names(model: Model, packed: Packed) -> list[str]:
    """For each equation the constraint that it belongs to."""
    return [constraint_title(owner, model.constraints[owner]) for owner in constraints_of_equations(packed)]


def constraints_of_equations(packed: Packed) -> list[int]:
    """For each equation the number of its constraint."""
    return [
        int(row[layout.C_OWNER]) for row in layout.constraint_table(packed.tables) if row[layout.C_KIND] != layout.SLOPE
    ]


class Constraints:
    """Φ, Φ̇, J and M of a packed model at a state; the arrays are overwritten by the next call."""

    def __init__(self, model: Model, packed: Packed) -> None:
        self.model = model
        self.packed, self.data = packed, packed.new_data()
        self.equations = m = int(packed.model[layout.EQUATIONS])
        tables, work = layout.tables_of(packed.model, self.data)
        self.jacobian, self.mass, _, vectors = layout.constraint_workspace(tables, work)
        self.feet, self._group = layout.curve_feet(tables, work), layout.equation_groups(tables)
        self.phi, self.rate, self.multiplier = (vectors[k, :m] for k in (layout.PHI, layout.RATE, layout.MULTIPLIER))
        self.size, self.slow = (vectors[k, :m] for k in (layout.SIZE, layout.PHI_T))
        self.expressed = self._group == layout.EXPRESSIONS
        self.table = layout.constraint_table(tables)
        self.force, self.gamma = vectors[layout.PUSH, : model.nv], vectors[layout.SECOND, :m]
        self._length, self._zero = model.nq + model.nv + 1, np.zeros(model.nv)
        self.derivative = np.zeros(self._length)
        self._spare = np.zeros((assembly.SPARE_ROWS, max(self._length, model.nv + m)))
        self.slides = Slides.of(model)

    def observe(self, t: float, q: np.ndarray, u: np.ndarray, tau: Any = None) -> bool:
        """Evaluate at a state; returns whether the accelerations, in ``derivative``, are determined."""
        self.data[layout.TASK] = layout.OBSERVE
        state, effort = np.concatenate([q, u, [0.0]]), self._zero if tau is None else tau
        arrays = self.packed.model, self.data, effort
        return bool(state_derivative(constrained_derivative, *arrays, float(t), state, self.derivative) == 0)

    def settle(self, t: np.ndarray, q: np.ndarray, u: np.ndarray, project: bool) -> tuple[np.ndarray, np.ndarray]:
        """Rows (q, u, 0) of frames, brought to the constraints where ``project`` asks for it and it is possible.

        Besides, for each frame that is not, the largest residual relative to the terms in it; else 0.
        """
        self.data[layout.TASK] = layout.SETTLE if project else layout.OBSERVE
        rows, off = np.hstack([q, u, np.zeros((len(q), 1))]), np.zeros(len(q))
        scale = np.concatenate([self.slides.largest(q, u, self.reach(q)), [1.0]])
        spare = np.zeros(self._length), self.derivative
        arrays = self.packed.model, self.data, self._zero
        project_frames.settle_frames(constrained_derivative, *arrays, t, rows, scale, *spare, off)
        return rows, off

    def reach(self, q: np.ndarray) -> float:
        """A length that the mechanism is measured by: the longest given, or the longest slide at q; 1 without any."""
        return max(float(self.packed.model[layout.LENGTH]), abs(q[..., self.slides.q]).max(initial=0.0)) or 1.0

    def residual(self, t: float, q: np.ndarray) -> np.ndarray:
        """Φ at a position."""
        self.observe(t, q, self._zero)
        return self.phi.copy()

    def off(self) -> np.ndarray:
        """|Φ| of the state last observed, relative to the size of the terms in it."""
        return _parts(self.phi, self.size)

    def weights(self) -> np.ndarray:
        """√M_ii, by which velocities of different kinds are compared; that of a massless one is the smallest other."""
        weights = np.sqrt(np.maximum(self.mass.diagonal(), 0.0))
        weights[weights == 0.0] = weights[weights > 0.0].min(initial=np.inf)
        return np.where(np.isfinite(weights), weights, 1.0)

    def nonfinite_equation(self, t: float, q: np.ndarray, time: float) -> int | None:
        """The equation that has no finite value or slope at a position, or whose rate with time has none; if any."""
        packed, still = self.packed, self.packed.model.copy()
        still[layout.FEEDBACK] = 0.0
        self.packed = packed._replace(model=still)
        self.observe(t, q, self._zero)
        self.packed = packed
        if not np.isfinite(q).all():
            return None  # it is the state that has been lost
        finite = np.isfinite(self.jacobian).all(axis=1) & np.isfinite(self.phi) & self._goes_on()
        usual = abs(self.jacobian) @ np.where(self.slides.u, self.reach(q), 1.0)
        sizes = abs(np.stack([self.rate * time, self.gamma * time**2]))  # at u = 0: Φ_t, −Φ_tt
        bad = np.flatnonzero(~(finite & (sizes < GROWS_ENDLESSLY * np.maximum(usual, 1e-300)).all(axis=0)))
        return int(bad[0]) if len(bad) else None

    def _goes_on(self) -> np.ndarray:
        """Whether the curve of each equation goes on beside the place last observed; true for those without one."""
        arrays, out = (self.packed.model, self.data), np.zeros(3)
        return np.array(
            [
                row[layout.C_KIND] not in (layout.CURVE, layout.CURVE_NEXT)
                or curve_normal_at(*arrays, int(row[layout.C_PROGRAM]), float(foot), False, out)
                for row, foot in zip(self.table, self.feet, strict=True)
                if row[layout.C_KIND] != layout.SLOPE
            ],
            dtype=bool,
        )

    def massless_free_velocities(self) -> np.ndarray:
        """Velocities (nv, k) of the state last observed that the constraints leave free and that move no mass."""
        if not (np.isfinite(self.jacobian).all() and np.isfinite(self.mass).all()):
            return np.zeros((self.model.nv, 0))
        return massless_velocities(self.mass, self.free())

    def directionless(self) -> int | None:
        """The distance whose two points lie on each other at the state last observed; if any."""
        plain = self.table[self.table[:, layout.C_KIND] != layout.SLOPE]
        met = np.flatnonzero((plain[:, layout.C_KIND] == layout.DISTANCE) & (self.phi == -plain[:, layout.C_VALUE]))
        return int(met[0]) if len(met) else None

    def rank(self, t: float, q: np.ndarray) -> int:
        """Rank of J at a position, its rows taken at equal length."""
        self.observe(t, q, self._zero)
        return int(assembly.observed_rank(self.packed.model, self.data))

    def free(self) -> np.ndarray:
        """A basis (nv, freedom) of the velocities that the constraints leave at the state last observed."""
        rank, weights = int(assembly.observed_rank(self.packed.model, self.data)), self.weights()
        rows = self.jacobian / weights
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        axes = np.linalg.svd(rows / np.where(lengths > 0.0, lengths, 1.0))[2]
        return np.asarray(axes[rank:].T / weights[:, None])

    def close(self, t: float, q: np.ndarray) -> np.ndarray:
        """The nearest q on the constraints by Newton's method with bounded, halved steps, as far as it gets."""
        nearer = q.copy()
        assembly.close_loops(self.packed.model, self.data, float(t), nearer, self._spare)
        return nearer

    def assemble(self, q: np.ndarray, u: np.ndarray) -> tuple[int, np.ndarray]:
        """Bring a state to the constraints, in place; the outcome and what was found, see `kernels.assembly`."""
        found = np.zeros(4)
        return int(assembly.assemble(self.packed.model, self.data, q, u, self._spare, found)), found


class Slides(NamedTuple):
    """Which coordinates (nq,) and velocities (nv,) are lengths and speeds; the others are angles or quaternions."""

    q: np.ndarray
    u: np.ndarray

    @classmethod
    def of(cls, model: Model) -> Slides:
        """Those of a model."""
        kinds = [column.kind for body in model.bodies for column in body.joint.columns()]
        q = [kind == "translation" for kind in kinds for _ in range(4 if kind == "ball" else 1)]
        u = [kind == "translation" for kind in kinds for _ in range(3 if kind == "ball" else 1)]
        return cls(np.array(q, dtype=bool), np.array(u, dtype=bool))

    def largest(self, q: np.ndarray, u: np.ndarray, reach: float) -> np.ndarray:
        """What numbers of states (…, nq), (…, nv) are measured by: lengths, angles, speeds, each by their largest."""

        def most(values: np.ndarray) -> float:
            return float(abs(values).max(initial=0.0)) or 1.0

        place = np.where(self.q, max(reach, most(q[..., self.q])), max(1.0, most(q[..., ~self.q])))
        speed = np.where(self.u, most(u[..., self.u]), most(u[..., ~self.u]))
        return np.concatenate([place, speed])


def _parts(values: np.ndarray, size: np.ndarray) -> np.ndarray:
    """|values| as parts of their terms; infinite where there are none."""
    sizes = abs(values)
    return np.divide(sizes, size, out=np.where(sizes == 0.0, 0.0, np.inf), where=size > 0.0)


def set_nearest_curve_parameters(packed: Packed, q: np.ndarray) -> None:
    """Give every guided point the parameter, of many from −10 to 10, of the curve's point that is nearest to it."""
    table = layout.constraint_table(packed.tables)
    if not (table[:, layout.C_KIND] >= layout.CURVE).any():
        return
    feet = table[:, layout.C_VALUE].copy()
    find_curve_feet(packed.model, packed.new_data(), q.copy(), feet)
    table[:, layout.C_VALUE] = feet


def poses_at(model: Model, packed: Packed, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Positions (n, 3) and turns (n, 3, 3) of the bodies."""
    from ..base.rotations import rotation_matrices
    from ..kernels import entry_points

    n = len(model.bodies)
    position, quaternion = np.empty((1, n, 3)), np.empty((1, n, 4))
    entry_points.body_poses(packed.model, packed.new_data(), q[None].copy(), position, quaternion)
    return position[0], rotation_matrices(quaternion[0])
