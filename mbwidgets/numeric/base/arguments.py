"""What Python hands in: states and times, checked before a kernel sees them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ...errors import ModelError, StateError, shorten
from ...model.coordinate_numbers import places_of
from ...model.model import Model

__all__ = ["as_array", "as_state", "as_time", "joint_with_zero_quaternion", "velocities_of"]


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


def as_state(model: Model, values: Any, own: np.ndarray, what: str) -> np.ndarray:
    """q or u, by ``what``: None is ``own``, a mapping by joint or coordinate changes parts of it."""
    names = model.coordinate_names if what == "q" else model.velocity_names
    if values is None:
        return own
    if not isinstance(values, Mapping):
        return as_array(values, names, what)
    found = np.array(own, dtype=float)
    for key, value in values.items():
        places = places_of(model, key, what)
        found[places] = as_array(np.atleast_1d(np.asarray(value)), tuple(names[k] for k in places), f"{what}[{key!r}]")
    return found


def velocities_of(model: Model, given: Any, what: str) -> tuple[list[int], tuple[str, ...]]:
    """Numbers and names of the velocities that a list of joints, or of names of velocities, asks for."""
    if isinstance(given, str | int | np.integer):
        given = [given]
    if not isinstance(given, Iterable):
        raise StateError(f"{what} = {shorten(given)} is not a list", remedy="give names of joints")
    found: list[int] = []
    for item in given:
        places = places_of(model, item, what)
        if not places:
            raise ModelError(f"joint {item!r} does not move", where=what, remedy="name one that does")
        found += places
    if len(set(found)) < len(found):
        twice = next(k for k in found if found.count(k) > 1)
        raise ModelError(f"{model.velocity_names[twice]!r} stands twice", where=what, remedy="name it once")
    return found, tuple(model.velocity_names[k] for k in found)
