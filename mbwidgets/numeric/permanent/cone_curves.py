"""The Staude cone as curves on the unit sphere: axes, speeds, and whether small motions about them grow."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..base.brief import brief_text
from ..base.rotations import skew_matrix
from .ball_chain import Posed
from .equilibria import smallest_rotation_matrix
from .growth_rates import DOUBLE_ZERO, ROUNDING, Growth, rotation_growth
from .staude import Branch, StaudeCone

__all__ = [
    "ConeCurve",
    "cone_curves",
    "fastest_followed_speed",
    "natural_speed",
    "sampled_cone_curves",
    "single_body_growth",
]

RINGS = 18
"""That stand for a half sphere of axes."""
RIM = 0.985
"""How near to the rim, where ω → ∞, a branch is followed."""
FASTEST = 8.0
"""Times the natural speed: at the principal axes ω → ∞, and beyond this nobody looks."""
THIN = 1e-9
"""Part of the largest moment below which the least one is zero."""
Sampled = list[tuple[np.ndarray, np.ndarray]]


class ConeCurve(NamedTuple):
    """Axes ν (k, 3) in order, body axes; ω (k,), rad/s, nan where any speed will do; growth rates (k,), 1/s.

    The rates are those of the augmented body by itself, see `single_body_growth`; nan where the speed is.
    """

    axes: np.ndarray
    speeds: np.ndarray
    growth: np.ndarray

    def __repr__(self) -> str:
        return brief_text(self)


def natural_speed(cone: StaudeCone) -> float:
    """√(g|a| / mean principal moment), rad/s"""
    return float(np.sqrt(cone.weight * np.linalg.norm(cone.static) / max(float(cone.moments.mean()), 1e-300)))


def fastest_followed_speed(cone: StaudeCone) -> float:
    """The speed up to which the curves are followed, rad/s."""
    return FASTEST * natural_speed(cone)


def single_body_growth(cone: StaudeCone, axis: np.ndarray, speed: float) -> Growth:
    """Growth rates of small motions of the augmented body by itself about an axis of its cone.

    They are those of the chain wherever the other bodies hang in their barycentres: then nothing couples back.
    """
    turn = smallest_rotation_matrix(axis, np.array([0.0, 0.0, 1.0]))
    posed = Posed((turn @ cone.static)[None], np.zeros((1, 3)), (turn @ cone.inertia @ turn.T)[None], cone.weight)
    return rotation_growth(posed, np.array([speed]))


def cone_curves(cone: StaudeCone, count: int = 48) -> tuple[ConeCurve, ...]:
    """All admissible axes up to `fastest_followed_speed`, about ``count`` on each curve: arcs, and branches of a cone
    that falls apart."""
    return tuple(
        ConeCurve(axes, speeds, _rates(cone, axes, speeds)) for axes, speeds in sampled_cone_curves(cone, count)
    )


def sampled_cone_curves(cone: StaudeCone, count: int) -> Sampled:
    """The same without growth rates: pairs of axes (k, 3) and speeds (k,)."""
    found: Sampled = []
    for arc, mus in zip(cone.arcs, cone.mus(count) if cone.arcs else (), strict=True):
        if np.isinf(arc.low):  # the body that stands, and the one that hangs, at rest
            mus = np.concatenate([[-np.inf], mus])
        if np.isinf(arc.high):
            mus = np.concatenate([mus, [np.inf]])
        found.append((cone.axis(mus), np.asarray(cone.speed(mus))))
    for branch in cone.branches:
        found += _free(branch) if branch.free else _at_moment(cone, branch, count)
    slow = [(axes, speeds, ~(speeds > fastest_followed_speed(cone))) for axes, speeds in found]
    return [(axes[keep], speeds[keep]) for axes, speeds, keep in slow if keep.any()]


def _rates(cone: StaudeCone, axes: np.ndarray, speeds: np.ndarray) -> np.ndarray:
    """`single_body_growth` for many axes at once: `linearised_equations` of one body, in axes that turn with it."""
    if np.isnan(speeds).any():
        return np.full(len(speeds), np.nan)
    if cone.moments[0] <= THIN * cone.moments[2]:  # a turn that moves no mass needs the care of `rotation_growth`
        return np.array(
            [single_body_growth(cone, axis, float(speed)).largest for axis, speed in zip(axes, speeds, strict=True)]
        )
    inertia, spin = cone.inertia, skew_matrix(speeds[:, None] * axes)
    momentum = speeds[:, None] * (axes @ inertia)
    rate = spin @ inertia - inertia @ spin - skew_matrix(momentum)
    torque = (spin @ momentum[:, :, None])[:, :, 0]
    own = -skew_matrix(torque) - cone.weight * skew_matrix(axes) @ skew_matrix(cone.static)
    stiffness, damping = own + rate @ spin + inertia @ spin @ spin, rate + 2 * inertia @ spin
    zero, one = np.zeros_like(spin), np.broadcast_to(np.eye(3), spin.shape)
    inverse = np.linalg.inv(inertia)
    matrix = np.block([[zero, one], [-inverse @ stiffness, -inverse @ damping]])
    values = np.linalg.eigvals(matrix)
    scale = np.maximum(np.abs(values).max(axis=1), speeds)[:, None]
    real = np.where(np.abs(values) <= DOUBLE_ZERO * scale, 0.0, values.real).max(axis=1)
    return np.where(real > ROUNDING * scale[:, 0], real, 0.0)


def _at_moment(cone: StaudeCone, branch: Branch, count: int) -> Sampled:
    """ν = −(g/ω²) p + τ with |τ| < 1: half a circle where τ has one component, else rings about the foot."""
    if branch.space.shape[1] == 1:
        reach = RIM * np.sin(np.linspace(-np.pi / 2, np.pi / 2, count))
        return [(np.array([branch.axis(value) for value in reach]), _speeds(cone, branch, reach))]
    around = np.linspace(0.0, 2 * np.pi, count)
    return [
        (
            np.array([branch.axis(tau * np.cos(angle), tau * np.sin(angle)) for angle in around]),
            _speeds(cone, branch, np.full(count, tau)),
        )
        for tau in np.sin(np.linspace(0.0, np.arcsin(RIM), RINGS + 1))[1:]
    ]


def _speeds(cone: StaudeCone, branch: Branch, tau: np.ndarray) -> np.ndarray:
    return np.asarray(np.sqrt(cone.weight * np.linalg.norm(branch.foot) / np.sqrt(1.0 - tau**2)))


def _free(branch: Branch) -> Sampled:
    """Axes at any speed: two points, a circle, or three circles of a sphere."""
    size = branch.space.shape[1]
    if size == 1:
        return [(np.array([branch.axis(sign)]), np.full(1, np.nan)) for sign in (1.0, -1.0)]
    angles = np.linspace(0.0, 2 * np.pi, 73)
    found = []
    for i, j in [(0, 1)] if size == 2 else [(0, 1), (1, 2), (2, 0)]:
        parts = np.zeros((len(angles), size))
        parts[:, i], parts[:, j] = np.cos(angles), np.sin(angles)
        found.append((np.array([branch.axis(*part) for part in parts]), np.full(len(angles), np.nan)))
    return found
