"""Exact mechanisms for the tests of the symbolic layer: rational numbers, rational unit axes, trees and
chains.
"""

from __future__ import annotations

import json
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

from mbwidgets.model.bodies import Body, ground
from mbwidgets.model.joints import Prismatic, Revolute
from mbwidgets.model.model import Model
from mbwidgets.model.parameters import Parameter

DATA = Path(__file__).parents[1] / "data"
ORIGIN = (0, 0, 0)


def data(name: str) -> Any:
    """Reference values from ``tests/data``."""
    return json.loads((DATA / name).read_text())


def manipulator(g: Any = None) -> Model:
    """The five-axis manipulator of the Multibody Systems Handbook, as Marković and Obradović enter it."""
    half, twentieth = Fraction(1, 2), Fraction(1, 20)
    g = Parameter("g", 9.81) if g is None else g
    rows: list[tuple[Any, Any, Any, Any, Any]] = [
        (Prismatic("z"), 0, ORIGIN, (0, 0, 0), ORIGIN),
        (Revolute("z"), 250, ORIGIN, (90, 10, 90), ORIGIN),
        (Prismatic("y"), 0, ORIGIN, (0, 0, 0), ORIGIN),
        (Revolute("y"), 150, ORIGIN, (13, Fraction(3, 4), 13), ORIGIN),
        (Revolute("x", at=(0, half, 0)), 100, (0, twentieth, 0), (4, 1, Fraction(43, 10)), ORIGIN),
    ]
    bodies = [
        Body(f"body{i + 1}", joint, mass=mass, com=com, inertia=inertia)
        for i, (joint, mass, com, inertia, _) in enumerate(rows)
    ]
    return Model(bodies, gravity=(0, 0, -g), name="five-axis manipulator")


def rational_axis(rng: random.Random) -> tuple[Fraction, ...]:
    """A unit vector with rational coordinates, from the stereographic projection of a small fraction."""
    if rng.random() < 0.3:
        axis = [Fraction(0)] * 3
        axis[rng.randrange(3)] = Fraction(rng.choice((-1, 1)))
        return tuple(axis)
    a, b = Fraction(rng.randint(-3, 3), rng.randint(1, 3)), Fraction(rng.randint(-3, 3), rng.randint(1, 3))
    norm = 1 + a * a + b * b
    axis = [2 * a / norm, 2 * b / norm, (1 - a * a - b * b) / norm]
    rng.shuffle(axis)
    return tuple(axis)


def random_mechanism(rng: random.Random, n: int, tree: bool = False, slides: float = 0.3) -> Model:
    """A chain or tree of n one-axis joints with small rational numbers everywhere."""

    def small() -> Fraction:
        return Fraction(rng.randint(-9, 9), 10)

    bodies = []
    for i in range(n):
        kind = Prismatic if rng.random() < slides else Revolute
        parent: Any = f"b{i - 1}" if i and not (tree and rng.random() < 0.5) else None
        if parent is None:
            parent = f"b{rng.randrange(i)}" if i and rng.random() < 0.8 else ground
        inertia = (4 + small(), 4 + small(), 4 + small(), small() / 2, small() / 2, small() / 2)
        bodies.append(
            Body(
                f"b{i}",
                kind(rational_axis(rng), at=(small(), small(), small())),
                mass=rng.randint(1, 9),
                com=(small(), small(), small()),
                inertia=inertia,
                parent=parent,
            )
        )
    return Model(bodies, gravity=(small(), small(), small() - 9), name=f"random mechanism of {n}")


AXES = [(2, 3, 6), (1, 2, 2), (6, -2, 3), (2, 1, -2), (3, 6, -2), (4, 4, 7), (1, 8, 4)]
"""Directions of rational length, none along a coordinate axis."""


def general_chain(n: int, symbolic: bool = False, seed: int = 1) -> Model:
    """n revolute joints on general rational axes; ``symbolic``: every mass, length and inertia is a
    parameter.
    """
    rng = random.Random(seed)
    bodies = []
    for i in range(n):

        def value(name: str, low: int = -9, i: int = i) -> Any:
            return Parameter(f"{name}{i + 1}") if symbolic else Fraction(rng.randint(low, 9), 10)

        at = tuple(value(f"l{axis}") for axis in "xyz")
        com = tuple(value(f"r{axis}") for axis in "xyz")
        products = tuple(value(f"J{pair}") if symbolic else value("", -1) / 10 for pair in ("xy", "xz", "yz"))
        moments = tuple(value(f"J{axis}", 4) for axis in "xyz")
        mass = value("m", 1)
        bodies.append(Body(f"b{i}", Revolute(AXES[i], at=at), mass=mass, com=com, inertia=(*moments, *products)))
    return Model(bodies, gravity=(0, 0, -Parameter("g")), name=f"{n} general axes")
