"""`reactions(model, joint)`: what a joint's bearing carries, exactly, by three methods that must agree.

F_R = F_tot − ξ_k Q_k e_k and M_R = M_tot − ξ̄_k Q_k e_k   (Cajić-Lazarević (3), (19)); parent on body, pole O_k,
inertial axes. The methods differ in how they find the kinetic part: ``"rodrigues"`` by accelerations of the mass
centres (section 2), ``"rotators"`` by mass moments and vector rotators (section 3), ``"release"`` by Lagrange's
equations of the mechanism with the joint opened (Do Sanh), which takes spherical and free joints too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from ...errors import ModelError, shorten
from ...model.arguments import as_model
from ...model.fields import suggest_name
from ..formula.evaluation import Defaults, State
from ..formula.formula import Formula
from ..formula.solved_formula import Solved, System
from ..mechanics.derivation import Study, parameter_values_in, study_of
from ..mechanics.load_wrenches import negative_load_wrench
from ..mechanics.rodrigues import Wrench
from ..ring.derivation_limits import SECONDS, TERMS, limited
from ..ring.element import rational_element
from ..ring.scalar_reader import Reader
from ..ring.vectors import Vec, cross, dot, subtract
from .release import Release

__all__ = ["Bearings", "Components", "Pressure", "Reactions", "Split", "reactions"]

PARTS = ("static", "kinetic", "applied")


class Split(Formula):
    """A formula that is the sum of its parts: ``static`` (weight), ``kinetic`` (motion), ``applied`` (loads)."""

    def __init__(self, parts: Sequence[Formula], form: str = "collected", system: System | None = None) -> None:
        static, kinetic, applied = parts
        total = static + kinetic + applied
        super().__init__(total._array, total.values, form, route=self._summed)
        self.static, self.kinetic, self.applied = static, kinetic, applied
        self.system = system

    def evaluate(self, q: Any = None, u: Any = None, ud: Any = None, t: Any = 0.0, **parameters: Any) -> Any:
        """Numbers (batch…, shape…); a model with closed loops solves for λ, and for u̇ where none is given."""
        if self.system is not None:
            ud, parameters = self.system.complete(self, q, u, ud, t, parameters)
        return super().evaluate(q=q, u=u, ud=ud, t=t, **parameters)

    def _summed(self, state: State) -> Any:
        """Part by part: the springs' fractions would cancel digits of the others."""
        return self.static.at(state) + self.kinetic.at(state) + self.applied.at(state)

    def _in_form(self, form: str) -> Formula:
        return Split([part._in_form(form) for part in (self.static, self.kinetic, self.applied)], form, self.system)


class Pressure(NamedTuple):
    """Kinetic pressures, the negative of the kinetic reactions; each (3,)."""

    force: Formula
    moment: Formula


class Components(NamedTuple):
    """Force and moment in the axes asked for; each (3,) with its parts."""

    force: Split
    moment: Split


class Bearings(NamedTuple):
    """Forces of two radial bearings on the body; each (3,)."""

    a: Formula
    b: Formula


class Reactions:
    """The reactions of one joint; make it with `reactions`."""

    def __init__(self, owner: Study, index: int, method: str, limits: tuple[int, float]) -> None:
        self.study = owner
        self.model = owner.model
        self.index = index
        self.joint: str = owner.model.bodies[index].name
        self.method = method
        self.limits = limits

    @cached_property
    def _wrenches(self) -> dict[str, tuple[Vec, Vec]]:
        """F_tot and M_tot at O_k of each part, free directions included."""
        with limited(*self.limits):
            first = self.study.joint(self.index)[0]
            found = {"static": self.study.rodrigues.static(first), "kinetic": METHODS[self.method](self.study, first)}
            exact = {name: (self.study.elements(f), self.study.elements(m)) for name, (f, m) in found.items()}
            force, moment = negative_load_wrench(self.study, first)
            if self.freed is not None:  # closed loops push with Φ_zᵀ λ
                held = list(self.freed.held.entries)
                force, moment = subtract(force, held[:3]), subtract(moment, held[3:])
            return {**exact, "applied": (force, moment)}

    @cached_property
    def freed(self) -> Release | None:
        """The freed system of a model with closed loops."""
        return Release(self.study, self.index, self.limits) if _closing(self.model) else None

    @cached_property
    def _free(self) -> tuple[list[Vec], list[Vec]]:
        """The joint's free directions, orthogonal to each other: of translation, of rotation."""
        slides: list[Vec] = []
        turns: list[Vec] = []
        for i in self.study.joint(self.index):
            kind = self.study.mechanism.segments[i].kind
            if kind == "ball":
                turns = [[rational_element(int(j == k)) for k in range(3)] for j in range(3)]
            elif kind != "fixed":
                directions = turns if kind == "revolute" else slides
                axis = self.study.elements(self.study.rodrigues.axis(i))
                directions.append(_across(axis, directions))
        return slides, turns

    def _split(self, pick: Callable[[Vec, Vec], Any]) -> Split:
        with limited(*self.limits):
            freed = self.freed
            values = self.study.values if freed is None else freed.values
            parts = [pick(*self._wrenches[part]) for part in PARTS]
            if freed is None:
                return Split([Formula(part, values, "collected") for part in parts])
            return Split([Solved(part, values, freed.system) for part in parts], system=freed.system)

    @cached_property
    def force(self) -> Split:
        """F_R, (3,) N   (3)"""
        return self._split(lambda force, _: _across(force, self._free[0]))

    @cached_property
    def moment(self) -> Split:
        """M_R at O_k, (3,) N m   (19)"""
        return self._split(lambda _, moment: _across(moment, self._free[1]))

    @cached_property
    def total_force(self) -> Split:
        """F_tot: force of the parent on the body, effort included, (3,) N"""
        return self._split(lambda force, _: force)

    @cached_property
    def total_moment(self) -> Split:
        """M_tot at O_k, effort included, (3,) N m"""
        return self._split(lambda _, moment: moment)

    @cached_property
    def moment_at_image(self) -> Split:
        """M_R at O_k*, the joint's point in the body: M* = M − O_kO_k* × F, (3,) N m

        In one-axis joints O_kO_k* = ξ_k q_k e_k; both F and M are the reactions.
        """
        arm = self._slide()
        slides, turns = self._free

        def shifted(force: Vec, moment: Vec) -> Vec:
            back = cross(arm, _across(force, slides))
            return [x - y for x, y in zip(_across(moment, turns), back, strict=True)]

        return self._split(shifted)

    @cached_property
    def effort(self) -> Split:
        """Q = e·F_tot or e·M_tot at O_k*: what actuators, springs and friction in the joint supply together.

        A scalar for a one-axis joint, one entry an axis for others   (2), corrected: ξ_k F_uk e_k.
        """
        places, arm = self.study.joint(self.index), self._slide()
        free = [d for d in self.study.virtual.joints if d.segment in places]
        axes = [self.study.elements(d.direction) for d in free]

        def along(force: Vec, moment: Vec) -> Any:
            back = [x - y for x, y in zip(moment, cross(arm, force), strict=True)]
            found = [dot(e, back if d.turn else force) for d, e in zip(free, axes, strict=True)]
            return found[0] if len(found) == 1 else found

        return self._split(along)

    @property
    def pressure(self) -> Pressure:
        """Kinetic pressures: −kinetic   (section 3.5)"""
        return Pressure(-self.force.kinetic, -self.moment.kinetic)

    def components(self, axes: str = "world") -> Components:
        """Force and moment in ``"world"``, ``"parent"`` or ``"body"`` axes."""
        if axes not in ("world", "parent", "body"):
            raise ModelError(f"no axes {axes!r}", remedy='use "world", "parent" or "body"')
        segment = self.study.bodies[self.index] if axes == "body" else self._parent
        if axes == "world" or segment < 0:
            return Components(self.force, self.moment)
        with limited(*self.limits):
            back = self.study.formula(self.study.rodrigues.frame(segment)).T
            split = (Split([back @ getattr(whole, part) for part in PARTS]) for whole in (self.force, self.moment))
            return Components(*split)

    def bearings(self, a: Any, b: Any) -> Bearings:
        """Two radial bearings at O + a n and O + b n: F_B = ([M, n] − a F⊥)/(b − a), F_A = (b F⊥ − [M, n])/(b − a).

        For a revolute joint; what acts along n is left to an axial bearing.
        """
        segments = [self.study.mechanism.segments[i] for i in self.study.joint(self.index)]
        if len(segments) != 1 or not segments[0].revolute:
            raise ModelError(
                "only a revolute joint has two radial bearings", where=f"joint {self.joint!r}", remedy="choose another"
            )
        reader = Reader()
        low, high = reader.read(a, "bearing a"), reader.read(b, "bearing b")
        if low == high:
            raise ModelError("the two bearings are at one place", where=f"joint {self.joint!r}", remedy="give a ≠ b")
        n = self._free[1][0]
        across, moment = _across(list(self.force.entries), [n]), cross(list(self.moment.entries), n)
        first = [(high * f - m) / (high - low) for f, m in zip(across, moment, strict=True)]
        second = [(m - low * f) / (high - low) for f, m in zip(across, moment, strict=True)]
        values = Defaults.joined(parameter_values_in(a, b), self.study.values)
        return Bearings(*(Formula(part, values, "collected") for part in (first, second)))

    @property
    def _parent(self) -> int:
        return self.study.mechanism.segments[self.study.joint(self.index)[0]].parent

    def _slide(self) -> Vec:
        """O_k → O_k*"""
        places, r = self.study.joint(self.index), self.study.rodrigues
        start, end = (self.study.elements(p) for p in (r.joint(places[0]), r.image(places[-1])))
        return [y - x for x, y in zip(start, end, strict=True)]

    def _repr_latex_(self) -> str:
        k = self.index + 1
        parts = ((f"\\vec F_{{R{k}}}", self.force), (f"\\vec M_{{R{k}}}", self.moment), (f"Q_{{{k}}}", self.effort))
        lines = " \\\\ ".join(f"{name} &= {formula.latex(limit=400, named=False)}" for name, formula in parts)
        return f"$\\displaystyle \\begin{{aligned}}{lines}\\end{{aligned}}$"

    def __repr__(self) -> str:
        terms = f"{self.force.terms:,} and {self.moment.terms:,} terms"
        return f"<reactions of joint {self.joint!r} by {self.method}: force and moment of {terms}>"


def _by_rodrigues(owner: Study, first: int) -> Wrench:
    return owner.rodrigues.kinetic(first)


def _by_rotators(owner: Study, first: int) -> Wrench:
    return owner.carriers.kinetic(first)


def _by_release(owner: Study, first: int) -> Wrench:
    return owner.virtual.kinetic(first)


METHODS: dict[str, Callable[[Study, int], Wrench]] = {
    "rodrigues": _by_rodrigues,
    "rotators": _by_rotators,
    "release": _by_release,
}
"""Method: kinetic force and moment at O_k of all that the segment carries."""


def _across(v: Vec, directions: list[Vec]) -> Vec:
    """v less its parts along orthogonal directions of any length."""
    for e in directions:
        share, square = dot(v, e), dot(e, e)
        if square != rational_element(1):
            share = share / square
        v = [x - share * y for x, y in zip(v, e, strict=True)]
    return v


def _closing(model: Any) -> list[Any]:
    """The constraints whose forces pass through joints; a prescribed coordinate is an effort."""
    return [item for item in model.constraints if item.type != "prescribed"]


def reactions(
    model: Any, joint: str | int, method: str = "rodrigues", *, terms: int = TERMS, seconds: float = SECONDS
) -> Reactions:
    """The exact reactions of a joint of a model of one-axis joints and compounds of them; by release of any joint.

    Parameters
    ----------
    joint : the body that it carries, by name or by index from 0
    method : ``"rodrigues"``, ``"rotators"`` or ``"release"``, which also takes closed loops: their forces are part of
        ``applied``, with λ as letters that ``evaluate`` solves for
    terms, seconds : what one derivation may use before it answers with `SizeError`

    >>> mb.reactions(mb.library.pendulum(1), 0).force.static  # N
    <Formula 3: [0, 0, g*m]>
    """
    index = as_model(model).index(joint)
    if str(method) not in METHODS:
        raise ModelError(f"no method {shorten(method)}", remedy=suggest_name(str(method), METHODS))
    if method != "release" and (closing := _closing(model)):
        raise ModelError(
            f"the model has constraints ({len(closing)}), whose forces this method leaves out",
            where=f"joint {model.bodies[index].name!r}",
            remedy='use method="release", or take the open tree: model.replace(constraints=())',
        )
    with limited(terms, seconds):
        return Reactions(study_of(model, balls=method == "release"), index, method, (terms, seconds))
