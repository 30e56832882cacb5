"""The joint-reaction examples P1, P2, P3, PX, shared by the tests of both methods."""

from __future__ import annotations

from typing import Any

import numpy as np

import mbwidgets as mb
from tests.oracles.test_reference import EXAMPLES, chain, states

__all__ = ["EXAMPLES", "NAMES", "PRECISION", "arm_in_letters", "chain", "close", "difference", "states"]

NAMES = ("P1", "P2", "P3", "PX")
PRECISION = 1e-12
"""Relative; the reference was computed with 50 digits and rounded to doubles."""


def difference(ours: Any, expected: Any, scale: float = 0.0) -> float:
    """Largest difference over the largest value of the vector, or over ``scale`` where that is larger."""
    ours, expected = np.asarray(ours, dtype=float), np.asarray(expected, dtype=float)
    assert ours.shape == expected.shape
    largest = max(float(np.abs(expected).max(initial=0.0)), scale)
    worst = float(np.abs(ours - expected).max(initial=0.0))
    return worst / largest if largest > 0 else worst


def close(ours: Any, expected: Any, scale: float = 0.0) -> bool:
    """Equal to the precision of the reference.

    ``scale``: the size of what a value is the difference of, for values that are zero by symmetry.
    """
    return difference(ours, expected, scale) <= PRECISION


def arm_in_letters() -> mb.Model:
    """The three-body arm with every mass, length and inertia a parameter."""
    bodies = []
    for i, (axis, has_lever) in enumerate((("z", False), ("x", True), ("y", True)), start=1):
        at = tuple(mb.Parameter(f"l{i}{x}") for x in "xyz") if has_lever else (0, 0, 0)
        com = tuple(mb.Parameter(f"r{i}{x}") for x in "xyz")
        inertia = tuple(mb.Parameter(f"J{i}{x}") for x in ("x", "y", "z", "xy", "xz", "yz"))
        bodies.append(mb.Body(f"b{i}", mb.Revolute(axis, at=at), mass=mb.Parameter(f"m{i}"), com=com, inertia=inertia))
    return mb.Model(bodies, gravity=(0, 0, -mb.Parameter("g")))
