"""The Staude cone as curves on the unit sphere: axes, speeds, and whether small motions about them grow."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .staude import Branch, StaudeCone
from .turning import alone

__all__ = ["ConeCurve", "cone_curves"]

MERIDIANS = 12
"""Half circles that stand for a half sphere of axes."""
RIM = 0.985
"""How near to the rim, where ω → ∞, a branch is drawn."""


class ConeCurve(NamedTuple):
    """Axes ν (k, 3) in order, body axes; ω (k,), rad/s, nan where any speed will do; growth rates (k,), 1/s.

    The rates are those of the augmented body by itself, see `alone`; nan where the speed is.
    """

    axes: np.ndarray
    speeds: np.ndarray
    growth: np.ndarray


def cone_curves(cone: StaudeCone, count: int = 48) -> tuple[ConeCurve, ...]:
    """All admissible axes, ``count`` on each curve: the arcs, and the branches where the cone falls apart."""
    curves = []
    for arc, mus in zip(cone.arcs, cone.mus(count) if cone.arcs else (), strict=True):
        if np.isinf(arc.low):  # the body that stands, and the one that hangs, at rest
            mus = np.concatenate([[-np.inf], mus])
        if np.isinf(arc.high):
            mus = np.concatenate([mus, [np.inf]])
        curves.append((cone.axis(mus), np.asarray(cone.speed(mus))))
    found = [ConeCurve(axes, speeds, _rates(cone, axes, speeds)) for axes, speeds in curves]
    for branch in cone.branches:
        found += _free_curves(branch) if branch.free else _half_circles(cone, branch, count)
    return tuple(found)


def _rates(cone: StaudeCone, axes: np.ndarray, speeds: np.ndarray) -> np.ndarray:
    return np.array([alone(cone, axis, float(speed)).largest for axis, speed in zip(axes, speeds, strict=True)])


def _half_circles(cone: StaudeCone, branch: Branch, count: int) -> list[ConeCurve]:
    """ν = −(g/ω²) p + τ with |τ| < 1; where τ has two components, half circles through the foot.

    There the body is symmetric about the foot, and the rates are the same on all of them.
    """
    size = branch.space.shape[1]
    tau = RIM * np.sin(np.linspace(-np.pi / 2, np.pi / 2, count))
    speeds = np.sqrt(cone.weight * np.linalg.norm(branch.foot) / np.sqrt(1.0 - tau**2))
    found: list[ConeCurve] = []
    for angle in np.arange(MERIDIANS) * np.pi / MERIDIANS if size > 1 else (0.0,):
        along = np.array([np.cos(angle), np.sin(angle)])[:size]
        axes = np.array([branch.axis(*(value * along)) for value in tau])
        found.append(ConeCurve(axes, speeds, found[0].growth if found else _rates(cone, axes, speeds)))
    return found


def _free_curves(branch: Branch) -> list[ConeCurve]:
    """Axes at any speed: two points, a circle, or three circles of a sphere."""
    size = branch.space.shape[1]
    if size == 1:
        return [_free(np.array([branch.axis(sign)])) for sign in (1.0, -1.0)]
    angles = np.linspace(0.0, 2 * np.pi, 73)
    found = []
    for i, j in [(0, 1)] if size == 2 else [(0, 1), (1, 2), (2, 0)]:
        parts = np.zeros((len(angles), size))
        parts[:, i], parts[:, j] = np.cos(angles), np.sin(angles)
        found.append(_free(np.array([branch.axis(*part) for part in parts])))
    return found


def _free(axes: np.ndarray) -> ConeCurve:
    nothing = np.full(len(axes), np.nan)
    return ConeCurve(axes, nothing, nothing)
