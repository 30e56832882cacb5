"""What Python hands in: states and times, checked before a kernel sees them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...errors import StateError, shorten
from ...model.model import Model

__all__ = ["as_array", "as_time", "joint_with_zero_quaternion"]


def joint_with_zero_quaternion(model: Model, q: np.ndarray) -> str | None:
    """The name of a joint whose quaternion is zero, if there is one."""
    for body, start in zip(model.bodies, model.q_offsets, strict=False):
        ball = [number for number, column in enumerate(body.joint.columns()) if column.kind == "ball"]
        if ball and not np.any(q[start + ball[0] : start + ball[0] + 4]):
            return str(body.name)
    return None


def as_time(t: Any) -> float:
    """A time as a float, or an error."""
    try:
        time = float(t)
    except (TypeError, ValueError):
        raise StateError(f"t = {shorten(t)} is not a number", remedy="give a time in seconds") from None
    if not math.isfinite(time):
        raise StateError(f"t = {shorten(t)} is not finite", remedy="give a time in seconds")
    return time


def as_array(values: Any, names: tuple[str, ...], what: str) -> np.ndarray:
    """A float array with one entry a name, or an error that lists the names."""
    try:
        if np.iscomplexobj(values):  # NumPy would cut the imaginary part off with a mere warning
            raise TypeError
        array = np.ascontiguousarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise StateError(f"{what} = {shorten(values)} is not a list of numbers", remedy="give numbers") from None
    if array.shape != (len(names),):
        listed = ", ".join(names) if len(names) <= 12 else f"{', '.join(names[:10])}, …"
        raise StateError(f"{what} has shape {array.shape}", remedy=f"give {len(names)} numbers: {listed}")
    return array
