"""Efforts that `simulate` was given as expressions: their values in every frame, and a model's array without them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..model.forces import Effort
from ..model.model import Model
from . import entries
from . import layout as at
from .pack import Packed, pack

__all__ = ["effort_frames", "undriven"]


def effort_frames(model: Model, drives: Sequence[Effort], t: np.ndarray, q: np.ndarray, u: np.ndarray) -> np.ndarray:
    """What the drives supply (frames, nv): a model without mass and other forces needs the opposite to stand still."""
    memory = pack(model.replace(forces=(), constraints=()), drives).memory
    table = memory[at.HEADER : int(memory[at.AT_COLUMNS])].reshape(-1, at.BODY_SIZE)
    table[:, at.MASS] = 0.0
    table[:, at.INERTIA : at.BODY_GIVEN] = 0.0
    tau, reactions = np.empty_like(u), np.empty((len(t), len(model.bodies), 6))
    entries.inverse(memory, t, q, u, np.zeros_like(u), tau, reactions)
    return 0.0 - tau


def undriven(packed: Packed, count: int) -> Packed:
    """The same array with its last ``count`` force rows, the drives, made dampers that do not damp."""
    memory = packed.memory.copy()
    end = int(memory[at.AT_STARTS])
    rows = memory[end - count * at.FORCE_SIZE : end].reshape(count, at.FORCE_SIZE)
    rows[:, at.F_KIND], rows[:, at.F_VALUES :] = at.JOINT_DAMPER, 0.0
    return packed._replace(memory=memory)
