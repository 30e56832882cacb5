"""Reactions as vectors that can be drawn: whole, in their parts, as pressures, and what drives the joint."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...errors import ModelError
from ...numeric.motion.motion import Motion
from ...numeric.motion.reaction_parts import ReactionFrames
from ..look.palette import QUANTITY
from .reading import kinematics_of
from .registry import Quantity, register_quantity

__all__ = ["declare_reaction_quantities"]

ROUNDING = 1e-9
"""An effort this much smaller than the joint's other loads is none."""


def _whole(first: int) -> Callable[[Motion, int], np.ndarray]:
    return lambda motion, index: motion.reactions(index)[:, first : first + 3]


def _part(name: str, first: int) -> Callable[[Motion, int], np.ndarray]:
    return lambda motion, index: getattr(_parts(motion, index), name)[:, first : first + 3]


def _parts(motion: Motion, index: int) -> ReactionFrames:
    if motion.model.constraints:
        raise ModelError(
            "weight, motion and loads leave out what the constraints do",
            where=f"joint {motion.model.bodies[index].name!r}",
            remedy="draw the whole reaction and the constraint forces",
        )
    return motion.reaction_parts(index)


def _effort(kinds: tuple[str, ...]) -> Callable[[Motion, int], np.ndarray]:
    """Q_k e_k over the joint's free directions of these kinds: what its drives, springs and friction supply."""

    def values(motion: Motion, index: int) -> np.ndarray:
        parts = _parts(motion, index)
        summed = (parts.static_effort, parts.kinetic_effort, parts.total)
        effort = parts.effort
        if effort.dtype != object:  # a traced number has no size yet
            size = max(np.abs(part).max(initial=0.0) for part in summed)
            effort = np.where(np.abs(effort) > ROUNDING * size, effort, 0.0)
        out = np.zeros((len(motion), 3), dtype=effort.dtype)
        for k, (kind, axis) in enumerate(kinematics_of(motion).free_directions(index)):
            if kind in kinds:
                out += effort[:, k, None] * axis
        return out

    return values


def _declare(
    key: str,
    symbol: str,
    label: str,
    name: str,
    values: Callable[[Motion, int], np.ndarray],
    moment: bool,
    table: str = "",
    sign: int = 1,
) -> None:
    unit = "N m" if moment else "N"
    source = (table, 3 if moment else 0, sign) if table else None
    # a moment is about O; a force is drawn where the body is, to which it is given
    at = "O" if moment else "held"
    register_quantity(
        Quantity(key, symbol, label, name, unit, QUANTITY[key], at, values, moment, "Reactions", source=source)
    )


def declare_reaction_quantities() -> None:
    """Register them, in the order of menus."""
    # F_R, M_R at O_k and their static, kinetic and applied parts   (Cajić-Lazarević (3), (19));
    # the pressures on the bearing are the kinetic parts turned round   (Cajić-Lazarević, section 3.5)
    _declare("force", "F_R", "F_R", "reaction force", _whole(0), False, "reactions")
    _declare("moment", "M_R", "M_R", "reaction moment", _whole(3), True, "reactions")
    _declare("static force", "F_st", "Fₛₜ", "static reaction force", _part("static", 0), False, "static")
    _declare("kinetic force", "F_kin", "Fₖᵢₙ", "kinetic reaction force", _part("kinetic", 0), False, "kinetic")
    _declare("applied force", "F_app", "Fₐₚₚ", "applied reaction force", _part("applied", 0), False, "applied")
    _declare("static reaction moment", "M_st", "Mₛₜ", "static reaction moment", _part("static", 3), True, "static")
    _declare("kinetic moment", "M_kin", "Mₖᵢₙ", "kinetic reaction moment", _part("kinetic", 3), True, "kinetic")
    _declare("applied moment", "M_app", "Mₐₚₚ", "applied reaction moment", _part("applied", 3), True, "applied")
    _declare("pressure", "P", "P", "kinetic pressure", _part("pressure", 0), False, "kinetic", -1)
    _declare("pressure moment", "P_M", "P_M", "moment of kinetic pressure", _part("pressure", 3), True, "kinetic", -1)
    _declare("effort", "Q", "Q", "turning effort", _effort(("rotation", "ball")), True)
    _declare("effort force", "Q_F", "Q_F", "sliding effort", _effort(("translation",)), False)
