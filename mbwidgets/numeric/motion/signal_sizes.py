"""The sizes of the terms that quantities are sums of: where they cancel, rounding is left, and no signal.

In a free joint no effort acts, and at a body on a straight line no force across it; computed, both are some 1e-16 of
the forces of the mechanism, which jump from instant to instant.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

import numpy as np

from ..kernels import memory_layout as layout

if TYPE_CHECKING:
    from .motion import Motion

__all__ = ["SIZES"]

Size = Callable[["Motion"], float]


def _largest(values: np.ndarray) -> float:
    """The largest number; of what is not finite anywhere nothing is known."""
    found = np.abs(values).max(initial=0.0)
    return float(found) if np.isfinite(found) else 0.0


def _length(motion: Motion) -> float:
    """How far the mechanism reaches, m."""
    return _largest(motion.poses[0]) + float(motion.packed.model[layout.LENGTH])


def _force(motion: Motion) -> float:
    """Of weight, motion, loads and constraints in any joint, N."""
    parts = [wrenches[:, :, :3] for _, wrenches in motion._parts.values()]
    return sum(map(_largest, parts)) + _largest(motion._reactions[:, :, :3])


def _moment(motion: Motion) -> float:
    """The same of moments, and of efforts, N m."""
    parts = [part for efforts, wrenches in motion._parts.values() for part in (efforts, wrenches[:, :, 3:])]
    return sum(map(_largest, parts)) + _largest(motion._reactions[:, :, 3:]) + _length(motion) * _force(motion)


def _effort(motion: Motion) -> float:
    return max(_force(motion), _moment(motion))


def _speed(motion: Motion) -> float:
    return _largest(motion.u) * (1.0 + _length(motion))


def _acceleration(motion: Motion) -> float:
    return (_largest(motion.ud) + _largest(motion.u) ** 2) * (1.0 + _length(motion))


def _energy(motion: Motion) -> float:
    return _largest(motion.energy.kinetic) + _largest(motion.energy.potential)


def _coordinate(motion: Motion) -> float:
    return _largest(motion.q)


SIZES: Final[Mapping[str, Size]] = {
    **dict.fromkeys(("force", "bearing", "fx", "fy", "fz"), _force),
    **dict.fromkeys(("moment", "mx", "my", "mz"), _moment),
    **dict.fromkeys(("effort", "drive"), _effort),
    **dict.fromkeys(("position", "x", "y", "z"), _length),
    **dict.fromkeys(("velocity", "vx", "vy", "vz", "angular_velocity", "wx", "wy", "wz", "u"), _speed),
    **dict.fromkeys(("acceleration", "ax", "ay", "az", "ud"), _acceleration),
    **dict.fromkeys(("kinetic", "potential", "energy"), _energy),
    "q": _coordinate,
}
"""By quantity: the largest of its terms over the frames of a motion."""
