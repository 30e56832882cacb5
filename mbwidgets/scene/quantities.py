"""Vectors as data: each quantity has a name, a symbol, a unit, a colour, a place, and a function of the motion.

A theory adds its own with `register`; arrows, tables and menus read the registry and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from ..errors import ModelError, UnknownNameError
from ..model.fields import suggest
from ..numeric.motion import Motion
from .palette import QUANTITY
from .reading import reading
from .rotations import rotate

__all__ = ["Quantity", "names", "place", "quantity", "register"]

PLACES: Final = ("O", "O*", "C")


@dataclass(frozen=True)
class Quantity:
    """A vector of each joint or body, over the frames of a motion.

    Attributes
    ----------
    key : its name in code
    symbol : its symbol in tables; what follows ``_`` is a subscript
    label : its symbol next to the arrow, plain text
    name : its name in words
    unit : SI
    colour : the one colour of this quantity
    at : where the arrow stands: ``"O"`` (the joint's point in the parent), ``"O*"`` or ``"C"``
    values : (motion, index of the body) → (frames, 3), world axes
    double : two heads, for moments and rotations
    """

    key: str
    symbol: str
    label: str
    name: str
    unit: str
    colour: str
    at: str
    values: Callable[[Motion, int], np.ndarray]
    double: bool = False


_registry: dict[str, Quantity] = {}


def register(item: Quantity) -> Quantity:
    """Make a quantity known to arrows, tables and menus; a key can be registered once."""
    if item.key in _registry:
        raise ModelError(f"a quantity {item.key!r} is already registered", remedy="choose another key")
    if item.at not in PLACES:
        raise ModelError(f"no place {item.at!r}", where=f"quantity {item.key!r}", remedy=f"use one of {PLACES}")
    _registry[item.key] = item
    return item


def quantity(key: str) -> Quantity:
    """A quantity by its key."""
    if key not in _registry:
        raise UnknownNameError(f"no quantity {key!r}", remedy=suggest(key, _registry))
    return _registry[key]


def names() -> tuple[str, ...]:
    """The keys, in the order of registration."""
    return tuple(_registry)


def place(item: Quantity, motion: Motion, index: int) -> np.ndarray:
    """Where the arrow begins, (frames, 3)."""
    look = reading(motion)
    if item.at == "O":
        return look.joint_point(index)
    return look.positions[:, index] if item.at == "O*" else look.mass_centre(index)


def axis(motion: Motion, index: int) -> np.ndarray:
    """e_k: the joint's axis, or the direction of ω where the joint has none."""
    return reading(motion).axis(index)


def reaction_force(motion: Motion, index: int) -> np.ndarray:
    """F_R   (Cajić-Lazarević (3))"""
    return motion.reactions(index)[:, :3]


def reaction_moment(motion: Motion, index: int) -> np.ndarray:
    """M_R at O_k   (Cajić-Lazarević (19))"""
    return motion.reactions(index)[:, 3:]


def weight(motion: Motion, index: int) -> np.ndarray:
    """G_i = m_i g"""
    look = reading(motion)
    return np.tile(look.mass(index) * np.array(look.vector(look.model.gravity)), (len(motion), 1))


def acceleration(motion: Motion, index: int) -> np.ndarray:
    """a_Ci   (Cajić-Lazarević (4))"""
    return np.asarray(reading(motion).centre_motion(motion, index).acceleration)


def angular_velocity(motion: Motion, index: int) -> np.ndarray:
    """ω_i   (Cajić-Lazarević (21))"""
    return reading(motion).angular_velocities[:, index]


def momentum(motion: Motion, index: int) -> np.ndarray:
    """K_i = m_i v_Ci"""
    look = reading(motion)
    return np.asarray(look.mass(index) * look.centre_motion(motion, index).velocity)


def angular_momentum(motion: Motion, index: int) -> np.ndarray:
    """L_Ci = J_Ci ω_i, about the mass centre"""
    look = reading(motion)
    return rotate(look.inertia(index, "C"), look.angular_velocities[:, index])


def static_moment(motion: Motion, index: int) -> np.ndarray:
    """S_n = [n, ρ_iC] m_i   (Cajić-Lazarević (41))"""
    look = reading(motion)
    return np.cross(look.axis(index), look.lever(index)) * look.mass(index)


def inertia_moment(motion: Motion, index: int) -> np.ndarray:
    """𝔍_n = 𝕁_i n, pole O_i*   (Cajić-Lazarević (42))"""
    look = reading(motion)
    return rotate(look.inertia(index, "O*"), look.axis(index))


def deviation_moment(motion: Motion, index: int) -> np.ndarray:
    """D_n = 𝔍_n − (n·𝔍_n) n   (Cajić-Lazarević (45))"""
    n, total = reading(motion).axis(index), inertia_moment(motion, index)
    return np.asarray(total - np.einsum("fi,fi->f", n, total)[:, None] * n)


def _declare(
    key: str,
    symbol: str,
    label: str,
    name: str,
    unit: str,
    at: str,
    values: Callable[[Motion, int], np.ndarray],
    double: bool = False,
) -> None:
    register(Quantity(key, symbol, label, name, unit, QUANTITY[key], at, values, double))


_declare("axis", "e", "e", "joint axis", "1", "O", axis)
_declare("force", "F_R", "F", "reaction force", "N", "O", reaction_force)
_declare("moment", "M_R", "M", "reaction moment", "N m", "O", reaction_moment, True)
_declare("weight", "G", "G", "weight", "N", "C", weight)
_declare("acceleration", "a_C", "a", "acceleration of C", "m/s²", "C", acceleration)
_declare("angular velocity", "ω", "ω", "angular velocity", "rad/s", "O*", angular_velocity, True)
_declare("momentum", "K", "K", "momentum", "kg m/s", "C", momentum)
_declare("angular momentum", "L_C", "L", "angular momentum about C", "kg m²/s", "C", angular_momentum, True)
_declare("static", "S", "S", "static moment", "kg m", "O*", static_moment)
_declare("inertia", "𝔍", "𝔍", "inertia moment", "kg m²", "O*", inertia_moment)
_declare("deviation", "D", "D", "deviation moment", "kg m²", "O*", deviation_moment)
