"""Efforts that `simulate` was given as expressions: their values in every frame, and a model's array without them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...model.forces import Effort
from ...model.model import Model
from ..kernels import entry_points
from ..kernels import memory_layout as layout
from .pack import Packed, pack_model

__all__ = ["effort_frames", "without_drives"]


def effort_frames(model: Model, drives: Sequence[Effort], t: np.ndarray, q: np.ndarray, u: np.ndarray) -> np.ndarray:
    """What the drives supply (frames, nv): a model without mass and other forces needs the opposite to stand still."""
    packed = pack_model(model.replace(forces=(), constraints=()), drives)
    table = packed.tables.body
    table[:, layout.MASS] = 0.0
    table[:, layout.INERTIA :] = 0.0
    tau, reactions = np.empty_like(u), np.empty((len(t), len(model.bodies), 6))
    entry_points.inverse_dynamics(packed.model, packed.new_data(), t, q, u, np.zeros_like(u), tau, reactions)
    return 0.0 - tau


def without_drives(packed: Packed, count: int) -> Packed:
    """The same array with its last ``count`` force rows, the drives, made dampers that do not damp."""
    changed = packed.model.copy()
    end = int(changed[layout.AT_STARTS])
    rows = changed[end - count * layout.FORCE_SIZE : end].reshape(count, layout.FORCE_SIZE)
    rows[:, layout.F_KIND], rows[:, layout.F_VALUES :] = layout.JOINT_DAMPER, 0.0
    return packed._replace(model=changed)
