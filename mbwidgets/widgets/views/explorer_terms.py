"""What the Explorer finds of the selected body: the force in its joint and its equation of motion, term by term."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from ...errors import MbwidgetsError
from ...model.model import Model
from ...numeric.motion.traced_motion import evaluated, present_of
from ...numeric.packing.traced_numbers import lengths_of
from ...scene.look.palette import QUANTITY
from ...scene.quantities.free_body_quantities import free_body_vectors
from ...scene.quantities.motion_quantities import find_quantity
from ...scene.stage.pin_feet import Pin
from ...symbolic import covariant
from ...symbolic.papers.covariant import Covariant
from ..parts.second_way import FEW_BODIES
from ..parts.terms import Term, TermRow, Terms
from ..text.components import prismatic_coordinates

__all__ = ["equation_look", "equation_values", "force_look", "force_values", "quick_equations"]

FORCE: Final = "force"
CLOSING: Final = "constraint force"
NO_LETTERS: Final[Mapping[Pin, str]] = MappingProxyType({})
NO_EQUATION: Final = "Under constraints its equation has multipliers: it is among the formulae."
NOT_QUICK: Final = "Its equation is among the formulae."
FIXED: Final = "The joint is fixed."


# The force in the joint: F_R = m a_C − G + Σ F_R of what the body carries − other forces.


def force_look(model: Model, index: int, letters: Mapping[Pin, str] = NO_LETTERS) -> dict[str, Any]:
    """Traits of `Terms` for the force in a joint; ``letters`` are those of the figure's pins."""
    name, parent = model.bodies[index].name, model.parents[index]
    above = "the ground" if parent < 0 else model.bodies[parent].name
    own = _symbol(model, index, letters)
    symbols = [("", own or "F_R", FORCE), ("=", f"m_{{{index + 1}}}a_{{C{index + 1}}}", "acceleration")]
    symbols.append(("", f"−G_{{{index + 1}}}", "weight"))
    symbols += [
        ("+", _symbol(model, child, letters) or f"F_{{R{child + 1}}}", "carried force")
        for child in _children(model, index)
    ]
    closing = _closing(model, index, letters)
    symbols += [closing if key == CLOSING and closing else ("", sign, key) for sign, key in _others(model, index)]
    terms = tuple(Term(before, symbol, QUANTITY[key], key) for before, symbol, key in symbols)
    hint = f"what {above} does to {name}; parts along {own or 'F_{R}'}, which add up"
    return Terms.look_of("Force in the joint", [TermRow("", "", terms, "N")], hint)


def _symbol(model: Model, index: int, letters: Mapping[Pin, str]) -> str:
    """F_A, as the stage writes it where pins have letters, N where a slide is held; else nothing."""
    if letters and model.bodies[index].joint.type == "prismatic":
        return "N" if len([body for body in model.bodies if body.joint.type == "prismatic"]) == 1 else ""
    letter = letters.get(Pin("joint", index))
    return f"F_{{{letter}}}" if letter else ""


def _closing(model: Model, index: int, letters: Mapping[Pin, str]) -> tuple[str, str, str] | None:
    """The term of what closes a loop at one lettered pin of a body; none where there are several, or no letter.

    F_D acts on the body that the loop names second, −F_D on the first: taken from the one, added to the other.
    """
    name, found = model.bodies[index].name, []
    for number, item in enumerate(model.constraints):
        for end, (before, minus) in ((getattr(item, "a", None), ("+", "")), (getattr(item, "b", None), ("", "−"))):
            if end is not None and end.body == name:
                found.append((before, minus, letters.get(Pin("loop", number))))
    (before, minus, letter), *others = found or [("", "", None)]
    return (before, f"{minus}F_{{{letter}}}", CLOSING) if letter and not others else None


def force_values(motion: Any, index: int) -> np.ndarray:
    """|F_R| and what each term has along F_R (frames, k), N."""
    model = motion.model
    force = motion.reactions(index)[:, :3]
    parts = [
        model.number(model.bodies[index].mass) * find_quantity("acceleration").values(motion, index),
        -find_quantity("weight").values(motion, index),
        *(motion.reactions(child)[:, :3] for child in _children(model, index)),
    ]
    rest = force - sum(parts[1:], parts[0])
    others = _others(present_of(motion).model, index)
    if len(others) > 1:  # what constraints do is known; the loads are what is left
        bound = _constraint_force(motion, index)
        parts += [-bound, rest + bound]
    elif others:
        parts.append(rest)
    length = lengths_of(force)
    direction = force / (length + 1e-300)[:, None]
    return np.column_stack([length, *((part * direction).sum(axis=1) for part in parts)])


def _others(model: Model, index: int) -> list[tuple[str, str]]:
    """Forces on a body besides its weight and those of joints: their terms, and the keys of their arrows."""
    keys = free_body_vectors(model)
    told = {CLOSING: "−F_λ"} if any(_acts_on(item, model.bodies[index].name) for item in model.constraints) else {}
    return [(sign, key) for key, sign in {**told, "load": "−F_a"}.items() if key in keys]


def _acts_on(constraint: Any, name: str) -> bool:
    ends = (constraint, getattr(constraint, "a", None), getattr(constraint, "b", None))
    return any(getattr(end, "body", None) == name for end in ends)


def _constraint_force(motion: Any, index: int) -> Any:
    """What all constraints do to a body (frames, 3)."""
    model = present_of(motion).model
    there = [item for item in motion.constraint_forces if item.body is not None and model.index(item.body) == index]
    return sum((item.force for item in there), np.zeros((len(motion), 3)))


def _children(model: Model, index: int) -> list[int]:
    return [child for child, parent in enumerate(model.parents) if parent == index]


# The equation of motion of each coordinate k of the joint: Q_k = a_kβ q̈_β + Γ_k,βγ q̇_β q̇_γ + ∂Π/∂q_k − Q_Fk.


def quick_equations(model: Model) -> Covariant | None:
    """The exact equations of a tree of few one-axis joints, which take milliseconds; else none."""
    if model.constraints or len(model.bodies) > FEW_BODIES:
        return None
    try:
        return covariant(model)
    except MbwidgetsError:
        return None


def equation_look(model: Model, index: int, found: Covariant | None) -> dict[str, Any]:
    """Traits of `Terms` for the equation of motion of the joint's coordinates   (Marković, Obradović (5))."""
    rows = [_equation_row(model, found, k) for k in _coordinates(model, index)] if found else []
    note = "" if found else NO_EQUATION if model.constraints else NOT_QUICK
    names = ", ".join(model.velocity_names[k] for k in _coordinates(model, index))
    hint, note = (f"of {names}; Q is what drives it", note) if names else ("", FIXED)
    return Terms.look_of("Equation of motion", rows, hint, note)


def _equation_row(model: Model, found: Covariant, k: int) -> TermRow:
    n = k + 1
    symbols = [(f"a_{{{n},{b + 1}}}q̈_{{{b + 1}}}", "acceleration") for b in _coupled(found, k)]
    symbols += [(f"Γ_{{{n},βγ}}q̇_{{β}}q̇_{{γ}}", "angular velocity"), (f"∂Π/∂q_{{{n}}}", "weight")]
    terms = [Term("+" if number else "=", *_coloured(item)) for number, item in enumerate(symbols)]
    if found.forces.entries[k] != 0:
        terms.append(Term("", f"−Q_{{F{n}}}", QUANTITY["load"]))
    unit = "N" if prismatic_coordinates(model)[k] else "N m"
    return TermRow("", "", (Term("", f"Q_{{{n}}}", QUANTITY["effort"]), *terms), unit)


def _coloured(item: tuple[str, str]) -> tuple[str, str]:
    return item[0], QUANTITY[item[1]]


def equation_values(motion: Any, index: int, found: Covariant | None) -> np.ndarray:
    """The terms of each row (frames, terms of all rows): Q_k first, N or N m."""
    if found is None:
        return np.zeros((len(motion), 0))
    metric = evaluated(found.metric, motion)
    coriolis, gradient, forces = (
        evaluated(part, motion).reshape(len(motion), -1)
        for part in (found.coriolis, found.potential_gradient, found.forces)
    )
    columns = []
    for k in _coordinates(present_of(motion).model, index):
        terms = [metric[:, k, b] * motion.ud[:, b] for b in _coupled(found, k)]
        terms += [coriolis[:, k], gradient[:, k]]
        if found.forces.entries[k] != 0:
            terms.append(-forces[:, k])
        columns += [sum(terms[1:], terms[0]), *terms]
    return np.stack(columns, axis=1) if columns else np.zeros((len(motion), 0))


def _coordinates(model: Model, index: int) -> range:
    return range(model.u_offsets[index], model.u_offsets[index + 1])


def _coupled(found: Covariant, k: int) -> list[int]:
    """The coordinates whose accelerations are felt by the one at k."""
    return [b for b in range(found.metric.shape[1]) if found.metric[k, b].entries[0] != 0]
