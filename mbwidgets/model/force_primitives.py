"""Forces as primitives: what each force of a model does, said once for the compiled and the exact layer.

A primitive says where a force acts, its law how strongly. A law has a potential V(x) and a resistance R(x, ẋ) of one
measure x, the length of a line (m) or a coordinate of a joint (rad or m): it pulls x back with dV/dx + R, in N or N·m,
and takes the power R ẋ, in W. Numbers stay the model's own scalars; a reader evaluates or derives.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from ..errors import ModelError
from ..expressions import Expression, Variable
from ..expressions.tree import add, call, multiply, raise_to
from . import forces as kinds
from .constraint_primitives import Direction
from .fields import iterate_scalars
from .point_places import holds_points, primitive_in_coordinates

if TYPE_CHECKING:
    from .model import Model

__all__ = [
    "MEASURE",
    "RATE",
    "AlignmentMoment",
    "BodyLoad",
    "Drive",
    "Elastic",
    "ForcePrimitive",
    "Friction",
    "JointForce",
    "Law",
    "LineForce",
    "Viscous",
    "acts_inside_joints",
    "force_primitives",
    "reduce_force",
]

Vector: TypeAlias = tuple[Any, Any, Any]
MEASURE: Final = Variable("q", 0)
"""x in the expressions of a `Law`, where it is the only coordinate."""
RATE: Final = Variable("u", 0)
"""ẋ in the expressions of a `Law`."""


@dataclass(frozen=True)
class Elastic:
    """V = ½ k (x − x₀)², R = 0; ``stiffness`` k in N/m or N·m/rad, ``rest`` x₀ in m or rad."""

    stiffness: Any
    rest: Any = 0


@dataclass(frozen=True)
class Viscous:
    """V = 0, R = c ẋ; ``damping`` c in N·s/m or N·m·s/rad."""

    damping: Any


@dataclass(frozen=True)
class Friction:
    """V = 0, R = c ẋ + f tanh(ẋ/ε): ``viscous`` c, ``coulomb`` f in N or N·m, ``smoothing`` ε > 0 in m/s or rad/s."""

    viscous: Any
    coulomb: Any
    smoothing: Any


@dataclass(frozen=True)
class Drive:
    """V = 0, R = −value: an effort in N or N·m, an expression of the model's t, q, u."""

    value: Any


@dataclass(frozen=True)
class Law:
    """Any V(x) and R(x, ẋ), expressions of `MEASURE`, `RATE` and parameters: a cubic spring has V = ¼ k x⁴."""

    energy: Any = 0
    resistance: Any = 0


@dataclass(frozen=True)
class _Primitive:
    """``owner``: the number of the model's force; ``title``: that force as messages name it."""

    owner: int
    title: str


@dataclass(frozen=True)
class LineForce(_Primitive):
    """Tension dV/dℓ + R in the line between two points of bodies, ℓ = |p_b − p_a|; none while ℓ = 0.

    ``bodies`` are indices, −1 the ground; ``points`` stand in their axes, from O*. With a ``factor``, an expression of
    the model's t, q, u, the tension of an `Elastic` or `Viscous` law is multiplied by it, and has no potential.
    """

    bodies: tuple[int, int]
    points: tuple[Vector, Vector]
    law: Elastic | Viscous | Law
    factor: Any = None


@dataclass(frozen=True)
class JointForce(_Primitive):
    """Effort −(dV/dq + R) along one free direction of the joint that carries ``body``; nothing else is loaded.

    ``velocity`` is its place in u, ``coordinate`` that in q, None for a ball's quaternion, which no V may need.
    """

    body: int
    velocity: int
    coordinate: int | None
    law: Elastic | Viscous | Friction | Drive | Law


@dataclass(frozen=True)
class BodyLoad(_Primitive):
    """A force (N) at ``point`` of a body, in its axes from O*, or a moment (N·m) where ``point`` is None.

    ``value``: expressions of t, q, u in the axes of the world or, ``turned``, of the body.
    """

    body: int
    value: Vector
    point: Vector | None
    turned: bool


@dataclass(frozen=True)
class AlignmentMoment(_Primitive):
    """Moment κ² e_b × e_a on body b, its opposite on a, in N·m; V = κ² (1 − e_a·e_b) in J; ``stiffness`` κ².

    ``bodies`` (a, b): a joint's parent, −1 the ground, and its body; ``directions`` are fixed in them.
    """

    bodies: tuple[int, int]
    directions: tuple[Direction, Direction]
    stiffness: Any


ForcePrimitive: TypeAlias = LineForce | JointForce | BodyLoad | AlignmentMoment


def force_primitives(model: Model, extra: Any = ()) -> tuple[ForcePrimitive, ...]:
    """The primitives of all forces of a model, in their order, and of ``extra`` ones that act beside them.

    Those of the model are made once.
    """
    kept = model.reductions
    if "forces" not in kept:
        kept["forces"] = tuple(part for k, force in enumerate(model.forces) for part in reduce_force(model, k, force))
    beside = enumerate(extra, start=len(model.forces))
    return (*kept["forces"], *(part for k, force in beside for part in reduce_force(model, k, force)))


def reduce_force(model: Model, owner: int, force: Any) -> list[ForcePrimitive]:
    """The primitives of one force, the model's number ``owner``: a joint's damper has one for each velocity."""
    found = _reduced(model, owner, force)
    if not any(map(holds_points, iterate_scalars(force))):
        return found
    return [primitive_in_coordinates(model, part) for part in found]


def _reduced(model: Model, owner: int, force: Any) -> list[ForcePrimitive]:
    name = owner, f"force {owner} ({force.type})"
    match force:
        case kinds.Spring(start=a, end=b, stiffness=k, length=length):
            return _spring(name, _ends(model, a, b), k, length)
        case kinds.Damper(start=a, end=b, damping=c):
            ends = _ends(model, a, b)
            return [LineForce(*name, *ends, Viscous(1), c) if _varies(c) else LineForce(*name, *ends, Viscous(c))]
        case kinds.JointSpring(joint=joint, stiffness=k, rest=rest, coordinate=j):
            return [_at_its_state(part) for part in _along(model, name, joint, Elastic(k, rest))[j : j + 1]]
        case kinds.JointDamper(joint=joint, damping=c):
            return [_at_its_state(part) for part in _along(model, name, joint, Viscous(c))]
        case kinds.JointFriction(joint=joint, viscous=c, coulomb=f, smoothing=e):
            return [_at_its_state(part) for part in _along(model, name, joint, Friction(c, f, e))]
        case kinds.Gravity(value=value):
            heavy = [i for i, body in enumerate(model.bodies) if body.mass != 0]
            bodies = [(i, model.bodies[i].mass, model.bodies[i].com) for i in heavy]
            return [BodyLoad(*name, i, tuple(multiply(mass, x) for x in value), com, False) for i, mass, com in bodies]
        case kinds.Effort(joint=joint, value=value, coordinate=j):
            return [_along(model, name, joint, Drive(value))[j]]
        case kinds.Force(body=body, value=value, at=at, axes=axes):
            return [BodyLoad(*name, model.index(body), value, at, axes == "body")]
        case kinds.Torque(body=body, value=value, axes=axes):
            return [BodyLoad(*name, model.index(body), value, None, axes == "body")]
        case kinds.ElasticAlignment(joint=joint, axis_parent=outer, axis_child=inner, stiffness=k):
            body = model.index(joint)
            fixed = (
                Direction(outer, None, f"p{body + 1}", "axis_parent"),
                Direction(inner, None, f"c{body + 1}", "axis_child"),
            )
            return [AlignmentMoment(*name, (model.parents[body], body), fixed, k)]
    raise ModelError("this force has no primitives", where=name[1], remedy="write them in reduce_force of the model")


def _varies(*scalars: Any) -> bool:
    """Whether one of them depends on t, q or u: then a force has no potential, and is what it is at each state."""
    leaves = (leaf for scalar in scalars if isinstance(scalar, Expression) for leaf in scalar.leaves())
    return any(isinstance(leaf, Variable) for leaf in leaves)


def _spring(name: tuple[int, str], ends: Any, k: Any, length: Any) -> list[Any]:
    """k (ℓ − ℓ₀), of varying ℓ₀ as (k − k ℓ₀) ℓ + k ℓ₀ (ℓ − 1): both are springs of numbers times a factor."""
    bodies, points = ends
    if _varies(length):
        pull = multiply(k, length)
        parts = (Elastic(1), add(k, multiply(-1, pull))), (Elastic(1, 1), pull)
        return [LineForce(*name, bodies, points, law, factor) for law, factor in parts]
    law, factor = (Elastic(1, length), k) if _varies(k) else (Elastic(k, length), None)
    return [LineForce(*name, bodies, points, law, factor)]


def _at_its_state(part: JointForce) -> JointForce:
    """A law of a joint as the effort that it is at each state, where its numbers depend on t, q or u."""
    rate = Variable("u", part.velocity)
    match part.law:
        case Elastic(stiffness=k, rest=rest) if _varies(k, rest) and part.coordinate is not None:
            pull = multiply(k, add(Variable("q", part.coordinate), multiply(-1, rest)))
        case Viscous(damping=c) if _varies(c):
            pull = multiply(c, rate)
        case Friction(viscous=c, coulomb=f, smoothing=e) if _varies(c, f):
            pull = add(multiply(c, rate), multiply(f, call("tanh", multiply(rate, raise_to(e, -1)))))
        case _:
            return part
    return replace(part, law=Drive(multiply(-1, pull)))


def acts_inside_joints(model: Model, force: Any) -> bool:
    """Whether a force acts along free directions of joints and nowhere else: it is part of their effort."""
    return all(isinstance(part, JointForce) for part in reduce_force(model, 0, force))


def _ends(model: Model, a: Any, b: Any) -> tuple[tuple[int, int], tuple[Vector, Vector]]:
    first, second = (-1 if end.body is None else model.index(end.body) for end in (a, b))
    return (first, second), (a.at, b.at)


def _along(model: Model, name: tuple[int, str], joint: Any, law: Any) -> list[JointForce]:
    """A law for each free direction of a joint."""
    body = model.index(joint)
    u, q = model.u_offsets[body], model.q_offsets[body]
    found = []
    for column in model.bodies[body].joint.columns():
        ball = column.kind == "ball"
        found += [JointForce(*name, body, u + j, None if ball else q, law) for j in range(3 if ball else 1)]
        u, q = u + (3 if ball else 1), q + (4 if ball else 1)
    return found
