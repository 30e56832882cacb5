"""The force in a joint by two roads, vector by vector: accelerations and weights, or rotators and weights."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from ...numeric.motion.traced_motion import present_of
from ...numeric.packing.traced_numbers import lengths_of
from ...scene.look.palette import QUANTITY
from ...scene.quantities.motion_quantities import find_quantity
from ...scene.quantities.reading import kinematics_of
from ..parts.chains import Chain, Link
from ..parts.terms import Term, TermRow
from ..text.sentences import Case, Sentences, large, small

__all__ = [
    "TOTAL",
    "WIDTH",
    "Road",
    "along_total",
    "chains_of",
    "finding_numbers",
    "finding_of",
    "force_by_accelerations",
    "force_by_rotators",
    "term_rows",
]

WIDTH: Final = 5
"""Numbers of `finding_numbers`."""
TOTAL: Final = Link("F_R", QUANTITY["force"], "force")
NOTHING: Final = 1e-9
"""A force beside the largest of the motion that is rounding."""
FEW: Final = 0.02
"""A share of the force that a sentence leaves out: it would not be seen in the polygon."""
PARTS: Final = ("force", "static force", "kinetic force")


class Road(NamedTuple):
    """Vectors that add up to F_R: their links, and (frames, k, 3)."""

    links: tuple[Link, ...]
    vectors: np.ndarray


def force_by_accelerations(motion: Any, index: int) -> Road:
    """Σ m_i a_Ci − Σ G_i − F_a − F_λ − Q e of all that a joint carries   (Cajić-Lazarević (3) and loads, drives)."""
    carried = _carried(motion, index)
    links = [Link(f"m_{{{i + 1}}}a_{{C{i + 1}}}", QUANTITY["acceleration"]) for i in carried]
    vectors = [_inertia(motion, i) for i in carried]
    return _with_rest(motion, index, carried, links, vectors)


def force_by_rotators(motion: Any, index: int) -> Road:
    """Σ|w|ℜ, own and coupled of each body, in place of Σ m_i a_Ci   (Cajić-Lazarević (54), (57))."""
    model = present_of(motion).model
    rows = [row for row in motion.rotators(index) if row.row.force]
    links, vectors = [], []
    carried = _carried(motion, index)
    for i in carried:
        for kind, mark in (("own", ""), ("coupled", "c")):
            mine = [row.contribution for row in rows if row.kind == kind and row.body == model.bodies[i].name]
            if mine:
                links.append(
                    Link(f"ℜ_{i + 1}^{mark}" if mark else f"ℜ_{i + 1}", QUANTITY["rotator"], "", kind == "coupled")
                )
                vectors.append(sum(mine[1:], mine[0]))
    return _with_rest(motion, index, carried, links, vectors)


def _with_rest(motion: Any, index: int, carried: list[int], links: list[Link], vectors: list[np.ndarray]) -> Road:
    """Weights, loads, what closes loops, and the drive's share complete a road."""
    for i in carried:
        links.append(Link(f"−G_{i + 1}", QUANTITY["weight"]))
        vectors.append(-find_quantity("weight").values(motion, i))
    if np.asarray(present_of(motion).reaction_parts(index).applied)[:, :3].any():
        links.append(Link("−F_a", QUANTITY["applied force"], "applied force"))
        vectors.append(motion.reaction_parts(index).applied[:, :3])
    bound = _bound(motion, index)
    if bound is not None:
        links.append(Link("−F_λ", QUANTITY["constraint force"]))
        vectors.append(-bound)
    slides = [axis for kind, axis in kinematics_of(motion).free_directions(index) if kind == "translation"]
    if slides:
        links.append(Link("−Q", QUANTITY["effort force"], "effort force"))
        vectors.append(motion.reactions(index)[:, :3] - sum(vectors[1:], vectors[0]))
    return Road(tuple(links), np.stack(vectors, axis=1))


def _bound(motion: Any, index: int) -> Any:
    """What constraints do to all that a joint carries, N (frames, 3); None where they never do."""
    model = present_of(motion).model
    carried = {model.bodies[i].name for i in model.subtree(index)}
    both = zip(motion.constraint_forces, present_of(motion).constraint_forces, strict=True)
    there = [(item.force, shown.force) for item, shown in both if shown.body in carried]
    if not any(np.nan_to_num(shown).any() for _, shown in there):
        return None
    return sum((force for force, _ in there[1:]), there[0][0])


def chains_of(roads: list[Road]) -> tuple[Chain, ...]:
    """Roads A and B as polygons."""
    names = (("A", "accelerations"), ("B", "rotators"))
    return tuple(
        Chain(name, f"{words} · {len(road.links)} steps", road.links)
        for (name, words), road in zip(names, roads, strict=True)
    )


def along_total(motion: Any, index: int, road: Road) -> np.ndarray:
    """What each vector of a road has along F_R, N (frames, 1 + k): they add up to the first, |F_R|."""
    force = motion.reactions(index)[:, :3]
    length = lengths_of(force)
    direction = force / (length + 1e-300)[:, None]
    shares = (road.vectors * direction[:, None]).sum(axis=2)
    return np.column_stack([length, shares])


def term_rows(roads: list[Road]) -> list[TermRow]:
    """Roads A and B as formulae."""
    rows = []
    for road, (name, number) in zip(roads, (("A", "(3)"), ("B", "(54), (57)")), strict=True):
        terms = [Term("", TOTAL.symbol, TOTAL.colour, TOTAL.key)]
        for link in road.links:
            before = "=" if len(terms) == 1 else "" if link.symbol.startswith("−") else "+"
            terms.append(Term(before, link.symbol, link.colour, link.key, link.striped))
        rows.append(TermRow(name, number, tuple(terms), "N"))
    return rows


def finding_numbers(motion: Any, index: int) -> np.ndarray:
    """|F_R|, |F_st|, |F_kin|, their sum, and |F_λ|, what closes loops, on all that is carried (frames, 5), N.

    In a closed loop weight and motion are told of the bodies, |Σ G_i| and |Σ m_i a_Ci|.
    """
    bound, force = _bound(motion, index), motion.reactions(index)[:, :3]
    if bound is None:
        parts = motion.reaction_parts(index)
        static, kinetic = parts.static[:, :3], parts.kinetic[:, :3]
    else:
        carried = _carried(motion, index)
        static = sum((find_quantity("weight").values(motion, i) for i in carried), 0 * force)
        kinetic = sum((_inertia(motion, i) for i in carried), 0 * force)
    found = [lengths_of(item) for item in (force, static, kinetic)]
    whole = found[0] + found[1] + found[2]
    return np.column_stack([*found, whole, 0 * whole if bound is None else lengths_of(bound)])


def _carried(motion: Any, index: int) -> list[int]:
    """The bodies with mass that a joint carries."""
    model = present_of(motion).model
    return [i for i in model.subtree(index) if model.number(model.bodies[i].mass)]


def _inertia(motion: Any, i: int) -> Any:
    """m a_C of a body (frames, 3)."""
    return motion.model.number(motion.model.bodies[i].mass) * find_quantity("acceleration").values(motion, i)


def finding_of(motion: Any, index: int) -> Sentences:
    """Who holds whom, and whether weight or motion asks for it."""
    model = motion.model
    parent = model.parents[index]
    names = ("the ground" if parent < 0 else model.bodies[parent].name, model.bodies[index].name)
    colours = {symbol: QUANTITY[key] for symbol, key in zip(("F_R", "F_st", "F_kin"), PARTS, strict=True)}
    holds = "*{@0}* holds *{@1}* with *{0:N}*"
    looped = "what it carries weighs {1:N} and takes {2:N} to move so, what closes the loop does {4:N} to it"
    nothing = Case("No force passes from *{@0}* to *{@1}* now.", (small(0, NOTHING, 3),))
    if _bound(motion, index) is not None:
        return Sentences(((nothing, Case(f"{holds}: {looped}.")),), {}, names, colours)
    line = (
        nothing,
        Case(f"{holds}: its weight, and nothing else.", (small(2, FEW, 0),)),
        Case(f"{holds}: all of it bends the motion, no weight rests on it.", (small(1, FEW, 0),)),
        Case(f"{holds}: the motion asks for {{2:N}}, the weight for {{1:N}} only.", (large(2, 1.0, 1),)),
        Case(f"{holds}: the weight asks for {{1:N}}, the motion for {{2:N}}."),
    )
    return Sentences((line,), {}, names, colours)
