"""Speeds about the vertical as places that sliders move: one a body, or one for all that turn as one."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...model.model import Model
from ...numeric.permanent.permanent import Permanent
from ...numeric.permanent.rotation_states import EQUAL, rotation_of, with_speeds
from .places import Place

__all__ = ["FIRST", "GROUP", "all_turn_at_one_speed", "speed_places"]

GROUP = "Speeds about the vertical"
FIRST = "speed 0"
"""Key of the first body's own speed."""


def all_turn_at_one_speed(now: Permanent) -> bool:
    """Whether several bodies turn at one speed."""
    return len(now.omega) > 1 and float(np.ptp(now.omega)) <= EQUAL * max(1.0, float(np.abs(now.omega).max()))


def speed_places(now: Permanent) -> list[Place]:
    """One place a body; before them one for all, which makes them equal."""
    names = now.chain.names
    own = [_place(f"speed {i}", f"ω of {name}", now.omega[i], i) for i, name in enumerate(names)]
    return [_place("speed of all", "ω of all", float(now.omega.mean()), None), *own] if len(names) > 1 else own


def _place(key: str, title: str, value: float, index: int | None) -> Place:
    reach = max(20.0, 5.0 * np.ceil(abs(value) / 4.0))
    which = slice(None) if index is None else index
    return Place(key, GROUP, title, "rad/s", -reach, reach, _reader(which), _writer(which))


def _reader(which: int | slice) -> Callable[[Model], float]:
    return lambda model: float(np.mean(rotation_of(model).omega[which]))


def _writer(which: int | slice) -> Callable[[Model, float], Model]:
    def write(model: Model, value: float) -> Model:
        now = rotation_of(model)
        speeds = now.omega.copy()
        speeds[which] = value
        return with_speeds(model, speeds)

    return write
