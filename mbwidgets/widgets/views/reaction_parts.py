"""What the view of joint reactions shows: the parts of a reaction as rows and arrows, and both methods as numbers."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

import numpy as np

from ...errors import MbwidgetsError, ModelError
from ...numeric.motion.array_algebra import carriers_at, reactions_at
from ...numeric.motion.motion import Motion
from ...numeric.motion.traced_motion import present_of
from ...scene.look.arrow_bands import PATTERN_OF
from ...scene.look.palette import QUANTITY
from ...scene.quantities.motion_quantities import arrow_origin, find_quantity
from ...scene.quantities.reading import kinematics_of
from ...scene.stage.own_arrows import OwnArrow
from ..parts.ledger import Entry

__all__ = [
    "EQUATIONS",
    "HALVES",
    "PARTS",
    "POLES",
    "joint_slides",
    "reaction_rows_and_arrows",
    "reactions_by_both_methods",
    "shift_wrench",
    "vector_to_pole",
]

HALVES: Final = {"force": (slice(0, 3), "F", "N", "3"), "moment": (slice(3, 6), "M", "N m", "19")}
"""Where each half of a reaction is among the six numbers, its letter, its unit, the paper's equation."""
PARTS: Final = {
    "force": {
        "static": "static force",
        "kinetic": "kinetic force",
        "applied": "applied force",
        "pressure": "pressure",
        "reaction": "force",
    },
    "moment": {
        "static": "static reaction moment",
        "kinetic": "kinetic moment",
        "applied": "applied moment",
        "pressure": "pressure moment",
        "reaction": "moment",
    },
}
"""The quantities that are the parts of each half, and the whole."""
OTHERS: Final = {
    "axis": "axis",
    "effort": "effort, N m",
    "effort force": "effort, N",
    "weight": "weight, N",
    "acceleration": "of C, m/s²",
}

ADDED: Final = ("static", "kinetic", "applied", "constraints")
"""The parts that add up to the reaction, as they are laid tip to tail."""
POLES: Final = ("O", "O*")
"""Where moments can be taken about: the joint's point fixed in the parent, or the same point fixed in the body."""

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


def reactions_by_both_methods(motion: Motion, index: int) -> tuple[np.ndarray, str]:
    """The reaction by methods A and B (2, frames, 6), loads included; NaN, and why, where the paper does not reach."""
    try:
        if any(item.type != "prescribed" for item in motion.model.constraints):
            raise ModelError("both methods are for open trees: forces of constraints are not among them")
        carriers = carriers_at(motion.model, motion.q.T, motion.u.T, motion.ud.T)
        both = [reactions_at(carriers, name, len(motion))[:, index] for name in ("rodrigues", "rotators")]
    except MbwidgetsError as error:
        return np.full((2, len(motion), 6), np.nan), str(error)
    return np.asarray(np.stack(both) + motion.reaction_parts(index).applied), ""


def joint_slides(motion: Motion, index: int) -> bool:
    """Whether O* leaves O."""
    return any(column.kind == "translation" for column in motion.model.bodies[index].joint.columns())


def vector_to_pole(motion: Motion, index: int, pole: str) -> np.ndarray:
    """O → pole, world axes (frames, 3)."""
    look = kinematics_of(motion)
    begin = look.joint_point(index)
    return np.asarray(look.positions[:, index] - begin if pole == "O*" else np.zeros_like(begin))


def shift_wrench(wrench: np.ndarray, shift: np.ndarray) -> np.ndarray:
    """Force and moment (…, frames, 6) about O as those about another pole: M* = M − shift × F."""
    force, moment = wrench[..., :3], wrench[..., 3:]
    return np.concatenate([force, moment - np.cross(shift, force)], axis=-1)


def reaction_rows_and_arrows(
    motion: Motion, index: int, pole: str = "O", drawn: Collection[str] | None = None
) -> list[tuple[Entry, OwnArrow]]:
    """Rows of the table with their arrows: the parts of force and moment at the pole, then the joint and the body.

    Of the parts that are ``drawn``, all unless told, each begins at the tip of the one before: they end where their
    sum, the reaction, does.
    """
    return [*_parts(motion, index, pole, drawn), *_others(motion, index)]


def _parts(motion: Motion, index: int, pole: str, drawn: Collection[str] | None) -> Iterator[tuple[Entry, OwnArrow]]:
    frames, whole = motion.reaction_parts(index), motion.reactions(index)
    applied = present_of(motion).reaction_parts(index).applied
    values = {"static": frames.static, "kinetic": frames.kinetic, "applied": frames.applied}
    if motion.model.constraints:  # there is no pressure of the motion alone
        values["constraints"] = np.asarray(frames.constraints)
    else:
        values["pressure"] = frames.pressure
    values["reaction"] = whole
    shift = vector_to_pole(motion, index, pole)
    for half, (part, letter, unit, number) in HALVES.items():
        group = f"{half.capitalize()} at {pole}, {unit}   ({number})"
        at = kinematics_of(motion).joint_point(index) + shift  # the pole that the heading names
        tip = None
        for name, value in values.items():
            if name == "applied" and not applied[:, part].any():
                continue
            key = PARTS[half].get(name, f"constraint {half}")
            symbol, label = _signs(key, name, letter)
            colour = QUANTITY[key]
            vector, double = shift_wrench(value, shift)[:, part], half == "moment"
            is_part = name in ADDED and (drawn is None or key in drawn)
            arrow = OwnArrow(
                key,
                label,
                colour,
                at,
                vector,
                unit,
                double,
                offset=tip if is_part else None,
                body=index,
                pattern=PATTERN_OF.get(key, ""),
            )
            if is_part:
                tip = vector if tip is None else tip + vector
            yield Entry(key, symbol, name, "", colour, group, tick=True, strong=name == "reaction"), arrow


def _signs(key: str, name: str, letter: str) -> tuple[str, str]:
    """Symbol and label; what closed loops add to a reaction is not the force at their closure, and has its own."""
    if name == "constraints":
        return f"{letter}_c", f"{letter}ᶜ"
    return find_quantity(key).symbol, find_quantity(key).label


def _others(motion: Motion, index: int) -> Iterator[tuple[Entry, OwnArrow]]:
    """The axis, the effort along it, the body's weight and the acceleration of its mass centre."""
    kinds = {column.kind for column in motion.model.bodies[index].joint.columns()}
    loop = bool(motion.model.constraints)  # its constraints have a share in the effort, too
    missing = {"effort": loop or not kinds & {"rotation", "ball"}, "effort force": loop or "translation" not in kinds}
    for key, name in OTHERS.items():
        if not missing.get(key):
            item = find_quantity(key)
            value, at = item.values(motion, index), arrow_origin(item, motion, index)
            row = Entry(key, item.symbol, name, "", item.colour, "Joint and body", tick=True)
            yield row, OwnArrow(key, item.label, item.colour, at, value, item.unit, item.double, body=index)
