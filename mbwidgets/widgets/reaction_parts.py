"""What the view of joint reactions shows: the parts of a reaction as rows and arrows, and both methods as numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from ..errors import MbwidgetsError, ModelError
from ..numeric.motion import Motion
from ..numeric.reactions import ReactionFrames
from ..numeric.vectors import carriers_at, reactions_at
from ..scene.drawn import Drawn
from ..scene.palette import BLUE, GREEN, ORANGE, QUANTITY
from ..scene.reading import Reading, reading
from .ledger import Entry

__all__ = ["EQUATIONS", "HALVES", "PARTS", "Shown", "shown_of", "two_methods"]

Shown = tuple[Entry, Drawn]

PARTS: Final = {
    "static": ("s", BLUE),
    "kinetic": ("k", GREEN),
    "applied": ("a", "#5D6B7A"),
    "pressure": ("p", ORANGE),
}
"""Subscript and colour of the parts of a reaction; the pressure is the kinetic part with its sign turned."""
HALVES: Final = {"force": (slice(0, 3), "F", "N", "3"), "moment": (slice(3, 6), "M", "N m", "19")}
"""Where each half of a reaction is among the six numbers, its letter, its unit, the paper's equation."""
EFFORT: Final = "#004B7A"

EQUATIONS: Final = r"""
<div style="display:flex;flex-wrap:wrap;gap:0 34px;line-height:1.25;font-size:12px">
<div><b>A · Rodrigues approach</b>
$$\begin{aligned}
\vec F_k &= \sum_{i\ge k} m_i\,(\vec a_{C_i}-\vec g) & (3)\\
\vec M_k &= \sum_{i\ge k} \bigl(\dot{\vec L}_{C_i} + \vec R_{k(i)}\times m_i(\vec a_{C_i}-\vec g)\bigr) & (19)
\end{aligned}$$</div>
<div><b>B · mass moments and vector rotators</b>
$$\begin{aligned}
\vec F_k &= \sum_{w}|w|\,\vec{\mathfrak R}_w - \sum_{i\ge k}\vec G_i & (54),(57)\\
\vec M_k &= \dot{\vec L}_{O_k} + [\vec v_{O_k},\vec K] - \sum_{i\ge k}[\vec R_{k(i)},\vec G_i] & (55),(58)
\end{aligned}$$</div>
</div>"""


def two_methods(motion: Motion, index: int) -> tuple[np.ndarray, str]:
    """The reaction by methods A and B (2, frames, 6), loads included; NaN, and why, where the paper does not reach."""
    try:
        if any(item.type != "prescribed" for item in motion.model.constraints):
            raise ModelError("both methods are for open trees: forces of constraints are not among them")
        carriers = carriers_at(motion.model, motion.q.T, motion.u.T, motion.ud.T)
        both = [reactions_at(carriers, name, len(motion))[:, index] for name in ("rodrigues", "rotators")]
    except MbwidgetsError as error:
        return np.full((2, len(motion), 6), np.nan), str(error)
    return np.asarray(np.stack(both) + motion.reaction_parts(index).applied), ""


def shown_of(motion: Motion, index: int) -> list[Shown]:
    """Rows of the table with their arrows: the parts of force and moment at O, then the joint and the body."""
    look, frames = reading(motion), motion.reaction_parts(index)
    return [*_parts(look, frames, index), *_others(motion, look, frames, index)]


def _parts(look: Reading, frames: ReactionFrames, index: int) -> Iterator[Shown]:
    at = look.joint_point(index)
    for half, (part, letter, unit, number) in HALVES.items():
        group, double = f"{half.capitalize()} at O, {unit}   ({number})", half == "moment"
        for name, (lower, colour) in PARTS.items():
            value = getattr(frames, name)[:, part]
            if name != "applied" or value.any():
                yield _shown(f"{half} {name}", f"{letter}_{lower}", name, colour, group, at, value, half, double)
        total, colour = frames.total[:, part], QUANTITY[half]
        yield _shown(f"{half} total", f"{letter}_R", "reaction", colour, group, at, total, half, double)


def _others(motion: Motion, look: Reading, frames: ReactionFrames, index: int) -> Iterator[Shown]:
    """The axis, the effort along it, the body's weight and the acceleration of its mass centre."""
    at, e, group = look.joint_point(index), look.axis(index), "Joint and body"
    yield _shown("axis", "e", "axis", QUANTITY["axis"], group, at, e, "axis", longest=0.25)
    kind = motion.model.bodies[index].joint.type
    if kind in ("revolute", "prismatic"):
        scale, unit = ("moment", "N m") if kind == "revolute" else ("force", "N")
        effort = frames.effort[:, :1] * e
        yield _shown("effort", "Q", f"effort along e, {unit}", EFFORT, group, at, effort, scale, kind == "revolute")
    centre = look.centre_motion(motion, index)
    weight = np.tile(look.mass(index) * np.array(look.vector(motion.model.gravity)), (len(motion), 1))
    yield _shown("weight", "G", "weight, N", QUANTITY["weight"], group, centre.position, weight, "force")
    value, colour = centre.acceleration, QUANTITY["acceleration"]
    yield _shown("acceleration", "a_C", "of C, m/s²", colour, group, centre.position, value, "acceleration")


def _shown(
    key: str,
    symbol: str,
    name: str,
    colour: str,
    group: str,
    at: np.ndarray,
    value: Any,
    scale: str,
    double: bool = False,
    **more: Any,
) -> Shown:
    arrow = Drawn(key, symbol.replace("_", ""), colour, at, np.asarray(value), scale, double, **more)
    return Entry(key, symbol, name, "", colour, group, tick=True, strong=key.endswith("total")), arrow
