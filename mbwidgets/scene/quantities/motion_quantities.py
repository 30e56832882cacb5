"""Vectors of the motion and of the masses as data: a name, a symbol, a unit, a colour, a place, a function each.

Those of the reactions and of the rotators have modules of their own; all are in the one registry.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...numeric.kernels import body_vectors as columns
from ...numeric.motion.motion import Motion
from ..look.palette import QUANTITY
from . import constraint_quantities, free_body_quantities, reaction_quantities, rotator_quantities
from .registry import Drawn, Quantity, arrow_origin, arrows_of, find_quantity, quantity_names, register_quantity

__all__ = ["Drawn", "Quantity", "arrow_origin", "arrows_of", "find_quantity", "quantity_names", "register_quantity"]


def axis(motion: Motion, index: int) -> np.ndarray:
    """e_k: the joint's axis, of several the last, or the direction of ω where the joint has none."""
    return _vector(motion, index, columns.E)


def weight(motion: Motion, index: int) -> np.ndarray:
    """G_i = m_i g"""
    return _vector(motion, index, columns.G)


def acceleration(motion: Motion, index: int) -> np.ndarray:
    """a_Ci   (Cajić-Lazarević (4))"""
    return _vector(motion, index, columns.A_C)


def angular_velocity(motion: Motion, index: int) -> np.ndarray:
    """ω_i   (Cajić-Lazarević (21))"""
    return _vector(motion, index, columns.OMEGA)


def momentum(motion: Motion, index: int) -> np.ndarray:
    """K_i = m_i v_Ci"""
    return _vector(motion, index, columns.K)


def angular_momentum(motion: Motion, index: int) -> np.ndarray:
    """L_Ci = J_Ci ω_i, about the mass centre"""
    return _vector(motion, index, columns.L_C)


def static_moment(motion: Motion, index: int) -> np.ndarray:
    """S_n = [n, ρ_iC] m_i   (Cajić-Lazarević (41))"""
    return _vector(motion, index, columns.S)


def inertia_moment(motion: Motion, index: int) -> np.ndarray:
    """𝔍_n = 𝕁_i n, pole O_i*   (Cajić-Lazarević (42))"""
    return _vector(motion, index, columns.J_N)


def deviation_moment(motion: Motion, index: int) -> np.ndarray:
    """D_n = 𝔍_n − (n·𝔍_n) n   (Cajić-Lazarević (45))"""
    return _vector(motion, index, columns.D_N)


def _vector(motion: Motion, index: int, column: int) -> np.ndarray:
    """One vector of a body (frames, 3)."""
    return motion.body_vectors[:, index, column : column + 3]


def _declare(
    key: str,
    symbol: str,
    label: str,
    name: str,
    unit: str,
    at: str,
    values: Callable[[Motion, int], np.ndarray],
    column: int,
    double: bool = False,
    group: str = "Motion",
) -> None:
    source = ("vectors", column, 1)
    register_quantity(Quantity(key, symbol, label, name, unit, QUANTITY[key], at, values, double, group, source=source))


MASS = "Mass moments"
_declare("axis", "e", "e", "joint axis", "1", "O", axis, columns.E)
_declare("weight", "G", "G", "weight", "N", "C", weight, columns.G)
_declare("acceleration", "a_C", "a_C", "acceleration of C", "m/s²", "C", acceleration, columns.A_C)
_declare("angular velocity", "ω", "ω", "angular velocity", "rad/s", "O*", angular_velocity, columns.OMEGA, True)
_declare("momentum", "K", "K", "momentum", "kg m/s", "C", momentum, columns.K)
_declare(
    "angular momentum", "L_C", "L_C", "angular momentum about C", "kg m²/s", "C", angular_momentum, columns.L_C, True
)
_declare("static", "S", "S", "static moment", "kg m", "O*", static_moment, columns.S, False, MASS)
_declare("inertia", "𝔍", "𝔍", "inertia moment", "kg m²", "O*", inertia_moment, columns.J_N, False, MASS)
_declare("deviation", "D", "D", "deviation moment", "kg m²", "O*", deviation_moment, columns.D_N, False, MASS)
reaction_quantities.declare_reaction_quantities()
rotator_quantities.declare_rotator_quantities()
constraint_quantities.declare_constraint_quantities()
free_body_quantities.declare_free_body_quantities()
