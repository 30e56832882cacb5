"""A mode of the linear equations as a motion that can be looked at."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ...errors import StateError, shorten
from ..base.outcome import Outcome, Result
from ..motion.motion import Motion
from ..packing.pack import pack_model
from ..simulation.consistent_start import assemble_start
from .state_slopes import moved_coordinates

if TYPE_CHECKING:
    from .linearise import Linear

__all__ = ["mode_motion"]


def mode_motion(small: Linear, mode: int, amplitude: float, duration: float | None, rate: int) -> Motion:
    """q(t) = q₀ moved by Re(a s exp(λ t)), brought to the constraints in every frame; u by the same mode."""
    values = small.eigenvalues
    if isinstance(mode, bool) or not isinstance(mode, int | np.integer) or not -len(values) <= mode < len(values):
        raise StateError(f"no mode {shorten(mode)}", where="play", remedy=f"count from 0 to {len(values) - 1}")
    for name, given in (("amplitude", amplitude), ("rate", rate), ("duration", duration)):
        number = np.asarray(given)
        if given is not None and not (number.ndim == 0 and number.dtype.kind in "iuf" and 0.0 < number < math.inf):
            raise StateError(f"{name} = {shorten(given)}", where="play", remedy="give a number > 0")
    value, shape = complex(values[mode]), small.shapes[:, mode]
    most = int(abs(shape).argmax())
    if not abs(shape[most]) > 0.0:
        raise StateError(f"mode {mode} moves no coordinate", where="play", remedy="choose another")
    shape = amplitude * shape / shape[most]
    if duration is None:
        pace = abs(value.imag) / (4.0 * math.pi) or abs(value.real) / 2.0
        duration = 1.0 / pace if pace > 0.0 else 1.0
    t = np.linspace(0.0, duration, max(2, round(duration * rate) + 1))
    # what grows reaches its amplitude at the end
    wave = np.exp(value * t - max(0.0, value.real) * duration)
    q, u = np.empty((len(t), small.model.nq)), np.empty((len(t), small.model.nv))
    for k, phase in enumerate(wave):
        q[k], u[k] = _frame(small, shape, value, complex(phase))
    details = f"Mode {mode} of the linear equations, λ = {value:.4g} 1/s, is played: no force was integrated."
    packed = pack_model(small.model)
    return Motion(
        small.model, t, q, u, np.zeros(len(t)), Outcome(Result.COMPLETED, duration, details), "linear", packed=packed
    )


def _frame(small: Linear, shape: np.ndarray, value: complex, phase: complex) -> tuple[np.ndarray, np.ndarray]:
    """The state at a phase of the mode."""
    model = small.model
    q = moved_coordinates(model, small.q, (shape * phase).real)
    u = small.u + (shape * value * phase).real
    if not model.constraints:
        return q, u
    start = assemble_start(model, pack_model(model), q, u)
    if start.fault is not None:
        raise StateError(
            f"the constraints do not allow the mode at this amplitude: {start.fault.message}",
            where="play",
            remedy="give a smaller amplitude",
        )
    return start.q, start.u
