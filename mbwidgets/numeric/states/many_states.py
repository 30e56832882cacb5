"""The dynamics of many states in one call of the kernels: arrays (…, nq), (…, nv) in, arrays (…, …) out."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...errors import MbwidgetsError, StateError, shorten
from ...model.fields import as_vector
from ...model.model import Model
from ..base.brief import brief_text
from ..kernels import body_frames, entry_points

if TYPE_CHECKING:
    from .dynamics import Dynamics

__all__ = ["FrameMotion", "ManyStates", "are_many"]


def are_many(*given: Any) -> bool:
    """Whether one of these is an array of states, and not one state."""
    try:
        return any(np.ndim(values) > 1 for values in given if values is not None)
    except ValueError:  # lists of unlike lengths
        return False


class FrameMotion(NamedTuple):
    """Position (…, 3), quaternion x, y, z, w (…, 4), velocity and acceleration (…, 6): linear, then angular."""

    position: np.ndarray
    quaternion: np.ndarray
    velocity: np.ndarray
    acceleration: np.ndarray

    def __repr__(self) -> str:
        return brief_text(self)


class Rows(NamedTuple):
    """States as rows: the shape that they came in, and tables with a row each."""

    shape: tuple[int, ...]
    tables: list[np.ndarray]
    t: np.ndarray

    def shaped(self, found: np.ndarray) -> np.ndarray:
        """Results (rows, …) in the shape of the states."""
        return found.reshape(*self.shape, *found.shape[1:])


class ManyStates:
    """What `Dynamics` answers for arrays of states."""

    def __init__(self, dynamics: Dynamics) -> None:
        self._one, self._packed = dynamics, dynamics._packed
        self.model: Model = dynamics.model

    def _rows(self, t: Any, **given: Any) -> Rows:
        """Tables of what was given, broadcast against each other: a pose may stand beside many velocities."""
        names = {"q": self.model.coordinate_names}
        arrays = []
        for what, values in given.items():
            labels = names.get(what, self.model.velocity_names)
            try:
                if np.iscomplexobj(values):
                    raise TypeError
                array = np.asarray(values, dtype=float)
            except (TypeError, ValueError):
                raise StateError(
                    f"{what} = {shorten(values)} is not an array of numbers", remedy="give numbers (…, n)"
                ) from None
            if not array.ndim or array.shape[-1] != len(labels):
                raise StateError(
                    f"{what} has shape {array.shape}", remedy=f"give (…, {len(labels)}), a row for each state"
                )
            arrays.append(array)
        try:
            times = np.asarray(t, dtype=float)
            shape = np.broadcast_shapes(times.shape, *(array.shape[:-1] for array in arrays))
        except (TypeError, ValueError):
            told = ", ".join(f"{what} {array.shape}" for what, array in zip(given, arrays, strict=True))
            raise StateError(
                f"{told} and t do not go together", remedy="give as many states in each, or one for all"
            ) from None
        count = math.prod(shape)
        tables = [np.broadcast_to(array, (*shape, array.shape[-1])).reshape(count, array.shape[-1]) for array in arrays]
        return Rows(
            shape,
            [np.ascontiguousarray(table) for table in tables],
            np.ascontiguousarray(np.broadcast_to(times, shape).reshape(-1)),
        )

    def each(self, call: Callable[..., Any], t: Any, result: tuple[int, ...] = (), **given: Any) -> Any:
        """One state after the other, by a call that takes one; several results of a call are several arrays.

        ``result``: the shape of what a call gives, (nv,) unless told, for where there is no state at all.
        """
        rows = self._rows(t, **given)
        found = [self._ask(call, rows, k) for k in range(len(rows.t))]
        if found and isinstance(found[0], tuple):
            return type(found[0])(*(rows.shaped(np.array(part)) for part in zip(*found, strict=True)))
        return rows.shaped(np.array(found)) if found else np.zeros((*rows.shape, *(result or (self.model.nv,))))

    def _ask(self, call: Callable[..., Any], rows: Rows, k: int) -> Any:
        """The answer for a row; an error says which state it is."""
        try:
            return call(*(table[k] for table in rows.tables), rows.t[k])
        except MbwidgetsError as error:
            raise error.at(f"state {self._place(rows, k)}") if rows.shape else error from None

    def _place(self, rows: Rows, k: int) -> str:
        place = tuple(int(i) for i in np.unravel_index(k, rows.shape))
        return str(place[0] if len(place) == 1 else place)

    def forward(self, q: Any, u: Any, tau: Any, t: Any) -> np.ndarray:
        """u̇ (…, nv)."""
        efforts = np.zeros(self.model.nv) if tau is None else tau
        if self.model.constraints:
            found: np.ndarray = self.each(self._one.forward, t, q=q, u=u, tau=efforts)
            return found
        rows = self._rows(t, q=q, u=u, tau=efforts)
        out = np.empty((len(rows.t), self.model.nv))
        arrays = self._packed.model, self._packed.new_data()
        if failed := entry_points.forward_dynamics_frames(*arrays, rows.t, *rows.tables, out):
            self._ask(self._one.forward, rows, failed - 1)
        return rows.shaped(out)

    def invert(self, q: Any, u: Any, ud: Any, t: Any) -> tuple[np.ndarray, np.ndarray]:
        """τ (…, nv) and the reactions (…, n, 6) of a tree."""
        rows = self._rows(t, q=q, u=u, ud=ud)
        tau = np.empty((len(rows.t), self.model.nv))
        reactions = np.empty((len(rows.t), len(self.model.bodies), 6))
        arrays = self._packed.model, self._packed.new_data()
        if not entry_points.inverse_dynamics(*arrays, rows.t, *rows.tables, tau, reactions):
            self._ask(self._one.inverse, rows, int(np.isfinite(tau).all(axis=1).argmin()))
        return rows.shaped(tau), rows.shaped(reactions)

    def mass_matrix(self, q: Any) -> np.ndarray:
        """a_αβ (…, nv, nv)."""
        rows = self._rows(0.0, q=q)
        out = np.empty((len(rows.t), self.model.nv, self.model.nv))
        arrays = self._packed.model, self._packed.new_data()
        if failed := entry_points.mass_matrix_frames(*arrays, *rows.tables, out):
            self._ask(self._one.mass_matrix, rows, failed - 1)
        return rows.shaped(out)

    def poses(self, q: Any) -> tuple[np.ndarray, np.ndarray]:
        """O* (…, n, 3) and quaternions (…, n, 4)."""
        rows = self._rows(0.0, q=q)
        position, quaternion = (np.empty((len(rows.t), len(self.model.bodies), width)) for width in (3, 4))
        entry_points.body_poses(self._packed.model, self._packed.new_data(), *rows.tables, position, quaternion)
        self._finite(quaternion + position[..., :1], rows, self._one.poses)
        return rows.shaped(position), rows.shaped(quaternion)

    def totals(self, q: Any, u: Any) -> np.ndarray:
        """Energies and momenta (…, 8)."""
        rows = self._rows(0.0, q=q, u=u)
        out = np.empty((len(rows.t), 8))
        entry_points.energy_and_momenta(self._packed.model, self._packed.new_data(), *rows.tables, out)
        self._finite(out, rows, self._one.energy)
        return rows.shaped(out)

    def jacobians(self, q: Any, body: str | int, at: Any) -> np.ndarray:
        """J (…, 6, nv) of a point of a body."""
        rows = self._rows(0.0, q=q)
        out = np.empty((len(rows.t), 6, self.model.nv))
        arrays = self._packed.model, self._packed.new_data()
        body_frames.frame_jacobians(*arrays, *self._point(body, at), *rows.tables, out)
        self._finite(out, rows, self._one.poses)
        return rows.shaped(out)

    def frames(self, q: Any, u: Any, ud: Any, body: str | int, at: Any) -> FrameMotion:
        """How a frame in a body moves."""
        rows = self._rows(0.0, q=q, u=u, ud=ud)
        out = np.empty((len(rows.t), body_frames.FRAME_COLUMNS))
        arrays = self._packed.model, self._packed.new_data()
        body_frames.frame_motion(*arrays, *self._point(body, at), *rows.tables, out)
        self._finite(out, rows, self._one.inverse)
        return FrameMotion(*(rows.shaped(part) for part in np.split(out, [3, 7, 13], axis=1)))

    def _point(self, body: str | int, at: Any) -> tuple[int, float, float, float]:
        """The row of a body, and a point of it."""
        x, y, z = (self.model.number(item) for item in as_vector(at))
        return self._packed.rows[self.model.index(body)], x, y, z

    def _finite(self, found: np.ndarray, rows: Rows, call: Callable[..., Any]) -> None:
        """Let the call for one state say what spoilt a result."""
        good = np.isfinite(found).all(axis=tuple(range(1, found.ndim)))
        if not good.all():
            self._ask(call, rows, int(good.argmin()))
