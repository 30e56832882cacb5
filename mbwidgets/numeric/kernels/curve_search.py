"""Where on its curve a guided point is, when nobody knows."""

from __future__ import annotations

from math import inf

from ..engines.kernel import Vector, entry_point
from .constraint_equations import curve_point
from .kinematics import update_poses
from .loads import place_of, point_lever
from .memory_layout import C_A, C_FIRST, C_KIND, C_PROGRAM, CURVE, constraint_table, tables_of
from .vector3 import dot, get_vector, subtract

FIRST_PARAMETER, SPACING, SAMPLES = -10.0, 0.025, 801
"""Parameters from −10 to 10."""


@entry_point
def find_curve_feet(model: Vector, data: Vector, q: Vector, found: Vector) -> None:
    """The parameter, of many, of the curve's point nearest to each guided point, by row; others are left alone."""
    m, d = tables_of(model, data)
    rows = constraint_table(m)
    update_poses(m, d, q)
    for r in range(rows.shape[0]):
        if rows[r, C_KIND] >= CURVE:
            a, program = int(rows[r, C_A]), int(rows[r, C_PROGRAM])
            p = place_of(d, a, point_lever(d, a, get_vector(rows, r, C_FIRST)))
            best, least = 0.0, inf
            for k in range(SAMPLES):
                s = FIRST_PARAMETER + SPACING * k
                away = subtract(curve_point(m, d, program, s, q), p)
                distance = dot(away, away)
                if distance < least:
                    best, least = s, distance
            found[r] = best
