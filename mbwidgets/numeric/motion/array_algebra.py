"""The papers' vectors as numbers: one state, or every frame of a motion at once.

`Numbers` is the arithmetic that the exact recursions of `symbolic.mechanics.rodrigues` and
`symbolic.mechanics.carriers` run on here: a scalar is a float, or an array with one entry a frame. Nothing is
compiled, so nothing has to be waited for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...errors import MbwidgetsError
from ...model.model import Model
from ...symbolic.mechanics.carriers import Carriers
from ...symbolic.mechanics.mechanism import Mechanism, Segment, rodrigues_rotation
from ...symbolic.mechanics.rodrigues import Rodrigues
from ...symbolic.ring.algebra import Algebra, Matrix, Vector
from ..base.rotations import unit_components
from ..packing.traced_numbers import TracedNumber

__all__ = ["Numbers", "carriers_at", "numeric_mechanism", "reactions_at", "stack_components"]


class Numbers(Algebra):
    """Floats, or arrays of floats."""

    zero = 0.0
    one = 1.0

    def mul(self, a: Any, b: Any) -> Any:
        return a * b

    def dot(self, a: Sequence[Any], b: Sequence[Any]) -> Any:
        total = a[0] * b[0]
        for x, y in zip(a[1:], b[1:], strict=True):
            total = total + x * y
        return total


def numeric_mechanism(model: Model, q: Any) -> Mechanism:
    """A model of one-axis joints at coordinates ``q``, (nq,) or (nq, frames), as a `Mechanism` over `Numbers`."""
    r = Numbers()
    segments = []
    for link in model.elementary():
        try:
            segments.append(_segment(r, model, link, q))
        except MbwidgetsError as error:
            raise error.at(f"body {link.name!r}") from None
    gravity = _vector(model, model.gravity)
    return Mechanism(r, tuple(segments), gravity, model.nv)


def carriers_at(model: Model, q: Any, u: Any, ud: Any) -> Carriers:
    """Mass moments and rotators in a state; each argument (n,) or (n, frames)."""
    return Carriers(Rodrigues(numeric_mechanism(model, q), u, ud))


def stack_components(vector: Sequence[Any], frames: int | None = None) -> np.ndarray:
    """Three scalars as one array (3,), or (frames, 3) with constants spread over the frames."""
    if frames is None:
        return np.array([float(part) for part in vector])
    return np.stack([np.broadcast_to(part, (frames,)) for part in vector], axis=-1)


def reactions_at(carriers: Carriers, method: str = "rodrigues", frames: int | None = None) -> np.ndarray:
    """F_R, M_R of every body's joint by one of the paper's methods, weight and motion, no loads: (…, n, 6).

    As the compiled `Dynamics.reactions`; the methods and the kernel must agree.
    """
    r = carriers.r
    last = {s.body: i for i, s in enumerate(r.segments)}
    found = []
    for body in sorted(last):
        places = [i for i, s in enumerate(r.segments) if s.body == body]
        kinetic = r.kinetic(places[0]) if method == "rodrigues" else carriers.kinetic(places[0])
        static = r.static(places[0])
        force, moment = (r.ring.add(x, y) for x, y in zip(static, kinetic, strict=True))
        slides = [r.axis(i) for i in places if r.segments[i].kind == "prismatic"]
        turns = [r.axis(i) for i in places if r.segments[i].kind == "revolute"]
        parts = (
            stack_components(_across(r.ring, force, slides), frames),
            stack_components(_across(r.ring, moment, turns), frames),
        )
        found.append(np.concatenate(parts, axis=-1))
    return np.stack(found, axis=-2)


def _across(r: Algebra, v: Vector, directions: list[Vector]) -> Vector:
    """v less its part in the span of the directions."""
    taken: list[Vector] = []
    for e in directions:
        for t in taken:
            e = _less(r, e, t)
        taken.append(e)
        v = _less(r, v, e)
    return v


def _less(r: Algebra, v: Vector, e: Vector) -> Vector:
    share = r.dot(v, e) / r.dot(e, e)
    return v[0] - share * e[0], v[1] - share * e[1], v[2] - share * e[2]


def _vector(model: Model, values: Any) -> Vector:
    x, y, z = (model.number(value) for value in values)
    return x, y, z


def _unit(axis: Vector) -> Vector:
    if isinstance(axis[0], TracedNumber):  # the model's array holds unit vectors
        return axis
    x, y, z = unit_components(axis, "the joint's axis")
    return x, y, z


def _segment(r: Numbers, model: Model, link: Any, q: Any) -> Segment:
    mass, com, at = model.number(link.mass), _vector(model, link.com), _vector(model, link.at)
    x, y, z = (_vector(model, row) for row in link.inertia)
    inertia: Matrix = (x, y, z)
    half = 0.5 * (x[0] + y[1] + z[2])
    planar: Matrix = (
        (half - x[0], -x[1], -x[2]),
        (-y[0], half - y[1], -y[2]),
        (-z[0], -z[1], half - z[2]),
    )
    turn, offset = None, at
    axis: Vector = (0.0, 0.0, 0.0) if link.kind == "fixed" else _unit(_vector(model, link.axis))
    if link.kind == "revolute":
        angle = q[link.coordinate]
        turn = rodrigues_rotation(r, axis, np.sin(angle), np.cos(angle))
    elif link.kind == "prismatic":
        offset = r.add(at, r.scale(q[link.coordinate], axis))
    return Segment(
        link.name,
        link.parent,
        link.kind,
        link.coordinate,
        link.body,
        axis,
        at,
        offset,
        turn,
        mass,
        com,
        inertia,
        planar,
    )
