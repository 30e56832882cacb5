"""The polynomials through the steps of a motion: its state at any time, not in the frames alone.

In a step from t_k to t_k + h_k, with x = (t − t_k)/h_k,

    y = y_k + x (F_0 + (1 − x) (F_1 + x (F_2 + (1 − x) (F_3 + …  + x F_6))))   (Hairer, Nørsett, Wanner I, II.6)

which is of order 7 for DOP853, and of order 3 (F_3 … F_6 = 0) for Radau and RK4. The frames of a motion were read from
the same polynomials: at their times the numbers are the same to the last bit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...errors import StateError, shorten
from ..base.rotations import quaternion_product
from ..kernels.entry_points import normalise_quaternions
from ..states.constraint_system import set_nearest_curve_parameters
from .constraint_history import relative_constraint_residuals

if TYPE_CHECKING:
    from .motion import Motion

__all__ = ["LOST", "DenseOutput", "Source", "as_times", "dense_of_steps", "resampled"]

DEGREE: Final = 7
"""Of the polynomials, and how many coefficients each has besides its first value."""
LOST: Final = object()
"""``tau`` of a motion from a file that could not keep it: a Python function, or a controller."""
BLOCK: Final = 1 << 14
"""Times whose coefficients are gathered at once."""
ROUNDING: Final = 1e-12
"""Part of a motion's time by which a time may be beyond its ends: 0.1 * 3 is 0.3."""


@dataclass(frozen=True, eq=False)
class DenseOutput:
    """Steps (k,) by their beginnings and sizes, s, the states (k, n) there and the coefficients (k, 7, n).

    Times are counted from the start of the motion.
    """

    begins: np.ndarray
    sizes: np.ndarray
    base: np.ndarray
    coefficients: np.ndarray

    def __call__(self, t: np.ndarray) -> np.ndarray:
        """States (len(t), n); the end of a step belongs to it, not to the next."""
        out = np.empty((len(t), self.base.shape[1]))
        for first in range(0, len(t), BLOCK):
            part = t[first : first + BLOCK]
            step = np.clip(np.searchsorted(self.begins, part, side="left") - 1, 0, None)
            x = np.clip((part - self.begins[step]) / self.sizes[step], 0.0, 1.0)[:, None]
            value: Any = 0.0
            for j in range(DEGREE):  # the order of operations of `interpolate_state`, so its bits
                value = (value + self.coefficients[step, DEGREE - 1 - j]) * (x if j % 2 == 0 else 1.0 - x)
            out[first : first + BLOCK] = self.base[step] + value
        return out


def dense_of_steps(steps: Sequence[tuple[float, float, np.ndarray, np.ndarray]], size: int) -> DenseOutput:
    """The output of steps given as (beginning, size, state there, coefficients)."""
    begins, sizes = (np.array([step[k] for step in steps]) for k in (0, 1))
    base = np.array([step[2] for step in steps]).reshape(-1, size)
    return DenseOutput(begins, sizes, base, np.array([step[3] for step in steps]).reshape(-1, DEGREE, size))


class Source:
    """Where a motion comes from: its steps, its efforts, and what goes on with it.

    Attributes
    ----------
    begin : the time at which the steps begin
    project : whether states are brought to the constraints
    efforts : (t, q, u) over frames → (frames, nv); None without ``tau``, and where a function did not travel along
    simulate : what goes on with the motion
    tau : as `simulate` was given it
    """

    def __init__(
        self,
        trace: Callable[[], DenseOutput | None] | None,
        simulate: Callable[..., Motion] | None = None,
        efforts: Callable[..., np.ndarray] | None = None,
        begin: float = 0.0,
        project: bool = False,
        tau: Any = None,
    ) -> None:
        self._trace, self._found, self._done = trace, None, False
        self.simulate, self.efforts, self.begin, self.project = simulate, efforts, begin, project
        self.tau = tau

    _found: DenseOutput | None

    @property
    def output(self) -> DenseOutput | None:
        """The steps, taken again when they are first asked for; None where nothing tells how they were taken."""
        if not self._done:
            self._found, self._done = None if self._trace is None else self._trace(), True
        return self._found

    def __getstate__(self) -> dict[str, Any]:
        """What can be copied: a Python function may be of a kind that cannot."""
        state = dict(self.__dict__)
        if getattr(self.efforts, "called", False):
            state["efforts"] = state["tau"] = None
        return state


def as_times(motion: Motion, t: Any) -> np.ndarray:
    """Times inside a motion, of any shape, or an error that tells where it lies."""
    first, last = float(motion.t[0]), float(motion.t[-1])
    try:
        if t is None or isinstance(t, str | bytes) or np.iscomplexobj(t):
            raise TypeError
        times = np.asarray(t, dtype=float)
    except (TypeError, ValueError):
        raise StateError(f"t = {shorten(t)} is not a time", remedy=f"give seconds, {first:g} … {last:g}") from None
    slack = ROUNDING * max(abs(first), abs(last))
    bad = ~((times >= first - slack) & (times <= last + slack))  # NaN, too
    if bad.any():
        place = "" if times.ndim == 0 else f" at place {int(np.flatnonzero(bad)[0])}"
        raise StateError(
            f"t = {times[bad].flat[0]:g}{place} is outside the motion",
            where="motion",
            remedy=f"give {first:g} … {last:g} s, or simulate longer",
        )
    return np.clip(times, first, last)


def resampled(motion: Motion, t: np.ndarray) -> Motion:
    """The motion with frames at other times (frames,) inside it, in whatever order."""
    source = motion.source
    output = None if source is None else source.output
    if source is None or output is None or not len(output.begins):
        return _with_frames(motion, t, *_between_frames(motion, t))
    rows = output(t - source.begin)
    nq, nv = motion.model.nq, motion.model.nv
    found = _with_frames(motion, t, rows[:, :nq], rows[:, nq : nq + nv], rows[:, -1])
    if source.project and len(t):
        relative_constraint_residuals(found, True)
    if motion.efforts is None or source.efforts is None:
        return found
    return replace(found, efforts=np.ascontiguousarray(source.efforts(found.t, found.q, found.u)))


def _with_frames(motion: Motion, t: np.ndarray, q: np.ndarray, u: np.ndarray, work: np.ndarray) -> Motion:
    """The motion with other frames: quaternions of unit length, efforts between those of its own frames."""
    q, u, work, packed = np.ascontiguousarray(q), np.ascontiguousarray(u), np.ascontiguousarray(work), motion.packed
    normalise_quaternions(packed.model, q)
    if motion.model.constraints and len(q):  # a curve's foot is sought from the first frame on
        packed = packed._replace(model=packed.model.copy())
        set_nearest_curve_parameters(packed, q[0])
    efforts = motion.efforts
    if efforts is not None:
        efforts = np.column_stack([np.interp(t, motion.t, column) for column in efforts.T])
    return replace(motion, t=t, q=q, u=u, work=work, efforts=efforts, packed=packed)


def _between_frames(motion: Motion, t: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """q, u and the work of a motion whose steps nobody knows: cubic between its frames."""
    if len(motion.t) < 2:
        only = np.zeros(len(t), dtype=int)
        return motion.q[only], motion.u[only], motion.work[only]
    from scipy.interpolate import CubicHermiteSpline

    q = CubicHermiteSpline(motion.t, motion.q, _coordinate_rates(motion))(t)
    return q, CubicHermiteSpline(motion.t, motion.u, motion.ud)(t), np.interp(t, motion.t, motion.work)


def _coordinate_rates(motion: Motion) -> np.ndarray:
    """q̇ (frames, nq): u, and of a ball half of q ∘ ω."""
    model, rates = motion.model, np.empty_like(motion.q)
    for body, qi, ui in zip(model.bodies, model.q_offsets, model.u_offsets, strict=False):
        for column in body.joint.columns():
            if column.kind == "ball":
                omega = np.pad(motion.u[:, ui : ui + 3], ((0, 0), (0, 1)))
                rates[:, qi : qi + 4] = quaternion_product(motion.q[:, qi : qi + 4], omega) / 2
                qi, ui = qi + 4, ui + 3
            else:
                rates[:, qi] = motion.u[:, ui]
                qi, ui = qi + 1, ui + 1
    return rates
