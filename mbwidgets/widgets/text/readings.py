"""The formulae there are: each derives, from a model and its selected body, groups of lines to be typeset."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from ...errors import ModelError
from ...model.forces import ElasticAlignment
from ...model.model import Model
from ...symbolic import covariant
from ...symbolic.formula.formula import Formula
from ...symbolic.formula.solved_formula import Solved
from ...symbolic.papers.constrained import constrained
from ...symbolic.papers.kharlamov import kharlamov
from ...symbolic.papers.mass_moments import mass_moments
from ...symbolic.papers.reactions import reactions
from ...symbolic.papers.release import release
from ...symbolic.papers.rotators import rotators

__all__ = ["FORMULAE", "Group", "Reading", "formula_groups", "reaction_reading"]

SECONDS: Final = 5.0
"""That a derivation may take before the panel says so instead."""


class Group(NamedTuple):
    """Lines that belong together, such as the components of a vector.

    ``title``: LaTeX of the whole; ``key``: the quantity whose arrow it is, if any; ``names``: LaTeX of the left sides;
    ``spins``: whether velocities are written u, not q̇, because a ball's are components of ω and no derivatives.
    """

    title: str
    key: str
    names: Sequence[str]
    formula: Formula
    spins: bool = False


@dataclass(frozen=True)
class Reading:
    """A formula in the menu: its title, and how it is derived from (model, index of the body).

    ``derive`` gives groups; left sides and one formula, ``(names, formula)``, stand for a single group.
    """

    title: str
    derive: Callable[[Model, int], Sequence[Group] | tuple[list[str], Formula]]


def formula_groups(reading: Reading, model: Model, index: int) -> list[Group]:
    """What a reading derives, as groups."""
    found: Any = reading.derive(model, index)
    if isinstance(found, tuple) and len(found) == 2 and isinstance(found[1], Formula):
        names, formula = found
        return [Group("", "", names, formula)] if names else []
    return list(found)


def _vector(letter: str, key: str, formula: Formula, low: str = "", high: str = "") -> Group:
    """A vector in world axes: one line a component."""
    sub = f"{low}," if low else ""
    up = f"^{{{high}}}" if high else ""
    names = [f"{letter}_{{{sub}{axis}}}{up}" for axis in "xyz"]
    return Group(f"\\vec {letter}_{{{low}}}{up}" if low else f"\\vec {letter}{up}", key, names, formula)


def _mass_moments(model: Model, index: int) -> list[Group]:
    body = model.bodies[index]
    if body.joint.own_axis is None:
        raise ModelError(
            f"a {body.joint.type} joint has no axis", where=f"joint {body.name!r}", remedy="choose another"
        )
    found = mass_moments(model, index, body.name)
    return [
        _vector("S", "static", found.static),
        _vector("{\\mathfrak J}", "inertia", found.inertia),
        _vector("D", "deviation", found.deviation),
    ]


ROTATOR_KEYS: Final = {
    ("own", "S"): "rotator",
    ("deviation", "D"): "deviation rotator",
    ("coupled", "S"): "coupled rotators",
}


def _rotators(model: Model, index: int) -> list[Group]:
    """|w| ℜ of every row of the selected body   (Cajić-Lazarević (54), (55))"""
    found = []
    name = model.bodies[index].name
    for row in rotators(model, index, seconds=SECONDS):
        if row.body.partition(".")[0] != name:
            continue
        own = row.b.partition(".")[0] == name
        key = ROTATOR_KEYS.get((row.kind, row.carrier), "") if own else ""
        weight = "" if row.kind in ("axial", "mixed") else "|\\vec w|\\,"
        title = f"{weight}{row.label.latex}"
        names = [f"\\bigl({title}\\bigr)_{{{axis}}}" for axis in "xyz"]
        found.append(Group(title, key, names, row.contribution))
    return found


def _reaction(which: str, method: str) -> Callable[[Model, int], list[Group]]:
    letter, static = ("F", "static force") if which == "force" else ("M", "static reaction moment")
    parts = (("static", "st", static), ("kinetic", "kin", f"kinetic {which}"), ("applied", "app", f"applied {which}"))

    def derive(model: Model, index: int) -> list[Group]:
        whole = getattr(reactions(model, index, method, seconds=SECONDS), which)
        found = [_vector(letter, key, getattr(whole, part), low) for part, low, key in parts]
        return [group._replace(spins=_has_balls(model)) for group in found]

    return derive


def _row(model: Model, index: int) -> tuple[Any, list[int]]:
    """The equations of the tree, and the coordinates of the selected joint among them."""
    first, last = model.u_offsets[index], model.u_offsets[index + 1]
    return _tree(model), list(range(first, last))


def _tree(model: Model) -> Any:
    """Metric, potential and energies are those of the tree: constraints take nothing from them, and add nothing."""
    return covariant(model.replace(constraints=()), seconds=SECONDS)


def _equations(model: Model, index: int) -> list[Group]:
    """Q of the joint's drives; under constraints with multipliers λ, and the equations that the constraints are."""
    rows = list(range(model.u_offsets[index], model.u_offsets[index + 1]))
    balls = _has_balls(model)
    if not rows:
        return []
    if _is_ball_chain(model):
        return _chain_equations(model, index)
    if not (model.constraints or balls):
        found = _tree(model)
        effort = Formula([found.effort.entries[k] for k in rows], found.values, "collected")
        return [Group("", "", _efforts(rows), effort)]
    freed = release(model, index, seconds=SECONDS)
    motion = Solved([freed.motion.entries[k] for k in rows], freed.values, freed.system)
    title = "\\vec Q" if len(rows) > 1 else ""
    return [Group(title, "", _efforts(rows), motion, balls), *(_closures(model) if model.constraints else ())]


def _is_ball_chain(model: Model) -> bool:
    """Whether it is a chain of several bodies on balls: Kharlamov's equations of it are short, all others are long."""
    chain = model.parents == tuple(range(-1, len(model.bodies) - 1)) and len(model.bodies) > 1
    elastic = all(isinstance(force, ElasticAlignment) for force in model.forces)
    return chain and elastic and not model.constraints and {body.joint.type for body in model.bodies} == {"spherical"}


def _chain_equations(model: Model, index: int) -> list[Group]:
    """Moment of the joint before a body less that of the joint after it, axes of the body   (Chebanov (1.5))"""
    found = kharlamov(model, seconds=SECONDS)
    last = index + 1 == len(model.bodies)
    title = f"\\vec L_{{{index + 1}}}" if last else f"\\vec L_{{{index + 1}}} - \\vec L_{{{index + 2}}}"
    names = [f"\\bigl({title}\\bigr)_{{{axis}}}" for axis in "xyz"]
    moments = Formula([found.equations[index, k].entries[0] for k in range(3)], found.equations.values, "collected")
    return [Group(title, "", names, moments, True)]


def _has_balls(model: Model) -> bool:
    """Whether a joint turns without an axis: then its velocities are no derivatives of coordinates."""
    return any(column.kind == "ball" for body in model.bodies for column in body.joint.columns())


def _efforts(rows: Sequence[int]) -> list[str]:
    return [f"Q_{{{k + 1}}}" for k in rows]


def _closures(model: Model) -> list[Group]:
    """Φ = 0, those that hold by themselves left out   (Tătaru (23)-(26))"""
    found = constrained(model, seconds=SECONDS)
    rows = [k for k, entry in enumerate(found.equations.entries) if entry != 0]
    names = [f"0 = \\Phi_{{{k + 1}}}" for k in rows]
    whole = Formula([found.equations.entries[k] for k in rows], found.values, "collected")
    return [Group("\\vec\\Phi", "constraint force", names, whole, _has_balls(model))] if rows else []


def _metric(model: Model, index: int) -> tuple[list[str], Formula]:
    found, rows = _row(model, index)
    pairs = [(i, j) for i in rows for j in range(found.n)]
    return [f"a_{{{i + 1}{j + 1}}}" for i, j in pairs], _pick(found, found.metric, pairs)


def _christoffel(model: Model, index: int) -> tuple[list[str], Formula]:
    found, rows = _row(model, index)
    cube = found.christoffel()
    places = [(i, j, k) for k in rows for i in range(found.n) for j in range(i, found.n)]
    places = [place for place in places if cube[place] != 0]
    if not places:
        return ["\\Gamma"], Formula([0], found.values)
    return [f"\\Gamma_{{{i + 1}{j + 1},{k + 1}}}" for i, j, k in places], _pick(found, cube, places)


def _gradient(model: Model, index: int) -> tuple[list[str], Formula]:
    found, rows = _row(model, index)
    names = [f"\\partial\\Pi/\\partial q^{{{k + 1}}}" for k in rows]
    return names, Formula([found.potential_gradient.entries[k] for k in rows], found.values, "factored")


def _energy(name: str, symbol: str) -> Callable[[Model, int], tuple[list[str], Formula]]:
    def derive(model: Model, index: int) -> tuple[list[str], Formula]:
        found = _tree(model)
        whole: Formula = getattr(found, name)
        return [symbol], Formula([whole.entries[0]], found.values, whole.form)

    return derive


def _pick(found: Any, whole: Formula, places: list[Any]) -> Formula:
    return Formula([whole[place].entries[0] for place in places], found.values, "factored")


def reaction_reading(model: Model) -> str:
    """The key of a formula of the reaction force that a model has: by release where there are constraints or balls."""
    return "reaction force by release" if model.constraints or _has_balls(model) else "reaction force"


FORMULAE: dict[str, Reading] = {
    "equation of motion": Reading("Equation of motion of the selected joint", _equations),
    "metric": Reading("Metric a: the selected joint's row", _metric),
    "potential gradient": Reading("Potential gradient of the selected joint", _gradient),
    "christoffel": Reading("Christoffel symbols of the selected joint", _christoffel),
    "kinetic energy": Reading("Kinetic energy", _energy("kinetic_energy", "T")),
    "potential energy": Reading("Potential energy", _energy("potential_energy", "\\Pi")),
    "mass moments": Reading("Mass moments S, 𝔍, D of the selected body", _mass_moments),
    "rotators": Reading("Rotators of the selected body and what they contribute", _rotators),
    "reaction force": Reading("Reaction force, Rodrigues approach", _reaction("force", "rodrigues")),
    "reaction force by rotators": Reading("Reaction force, by rotators", _reaction("force", "rotators")),
    "reaction force by release": Reading("Reaction force, by release of the joint", _reaction("force", "release")),
    "reaction moment": Reading("Reaction moment, Rodrigues approach", _reaction("moment", "rodrigues")),
    "reaction moment by rotators": Reading("Reaction moment, by rotators", _reaction("moment", "rotators")),
    "reaction moment by release": Reading("Reaction moment, by release of the joint", _reaction("moment", "release")),
}
"""The formulae there are; a theory adds its own entry."""
