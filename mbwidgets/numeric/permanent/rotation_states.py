"""Rotations about the vertical as states of a model: read from it, written to it, snapped to permanence, disturbed.

Source: Chebanov, Khlistunova, sections 2 to 4.
"""

from __future__ import annotations

import numpy as np
from scipy.spatial.transform import Rotation

from ...model.model import Model
from ..base.rotations import unit_vector
from ..motion.motion import Motion
from .ball_chain import Chain
from .cone_curves import fastest_followed_speed, sampled_cone_curves
from .equilibria import ConvergenceError, smallest_rotation_matrix, solve_equilibrium
from .permanent import Permanent, permanent_rotation_of_chain
from .staude import StaudeCone

__all__ = [
    "axis_errors",
    "rotation_of",
    "tilted_start",
    "with_first_body_axis_down",
    "with_nearest_permanent_rotation",
    "with_permanent_rotation_if_found",
    "with_rotation",
]

EQUAL = 1e-9
"""Speeds that differ by less than this part are equal."""
FINE = 400
"""Axes on each curve of the cone among which the nearest is looked for."""


def rotation_of(model: Model) -> Permanent:
    """The rotation about the vertical that the model's own state begins: of each body the part of ω along ν."""
    chain = Chain.of(model)
    turns = chain.turns(model.q0)
    relative = np.einsum("iab,ib->ia", turns, model.u0.reshape(-1, 3))
    return permanent_rotation_of_chain(chain, np.cumsum(relative, axis=0) @ chain.basis[:, 2], turns)


def with_rotation(model: Model, turns: np.ndarray, speeds: np.ndarray) -> Model:
    """The model, to begin with world rotations R_i (n, 3, 3) and speeds ω_i (n,) about ν."""
    chain = Chain.of(model)
    u = chain.relative_speeds(turns, np.asarray(speeds, dtype=float)[:, None] * chain.basis[:, 2])
    return model.replace(state={"q": [float(x) for x in chain.quaternions(turns)], "u": [float(x) for x in u]})


def with_first_body_axis_down(model: Model, axis: np.ndarray, speed: float | None = None) -> Model:
    """The model with its first body turned, by the smallest rotation, so that ``axis`` (body axes) points down.

    The other bodies keep their directions in space; ``speed`` replaces ω₁, whose sense is kept.
    """
    now = rotation_of(model)
    turns, speeds = now.turns.copy(), now.omega.copy()
    nu = now.chain.basis[:, 2]
    turns[0] = smallest_rotation_matrix(turns[0] @ unit_vector(axis), nu) @ turns[0]
    if speed is not None:
        speeds[0] = np.copysign(speed, speeds[0] if speeds[0] else 1.0)
    return with_rotation(model, turns, speeds)


def with_nearest_permanent_rotation(model: Model, axis: np.ndarray | None = None) -> Model:
    """The model in the permanent rotation nearest to the one that it begins, or to one about ``axis`` (body 1's axes).

    Several bodies at one speed: the relative equilibrium that Newton's method finds from there (ConvergenceError
    where it finds none). Otherwise: the axis of the first body's Staude cone that is nearest, at its speed.
    """
    start = model if axis is None else with_first_body_axis_down(model, axis)
    now = rotation_of(start)
    if len(now.chain) > 1 and np.ptp(now.omega) <= EQUAL * max(1.0, float(np.abs(now.omega).max())):
        common = float(now.omega.mean())
        return with_rotation(
            model, solve_equilibrium(now.chain, common, now.turns).turns, np.full(len(now.chain), common)
        )
    direction, speed = nearest_cone_axis(now)
    return with_first_body_axis_down(start, direction, None if np.isnan(speed) else speed)


def with_permanent_rotation_if_found(model: Model) -> Model:
    """As `with_nearest_permanent_rotation`, or the model itself where no permanent rotation is found."""
    try:
        return with_nearest_permanent_rotation(model)
    except ConvergenceError:
        return model


def nearest_cone_axis(now: Permanent) -> tuple[np.ndarray, float]:
    """The axis (3,) of the first body's Staude cone that is nearest to its vertical, and its speed, nan where any does.

    At the principal axes ω → ∞: where the nearest axis is faster than `fastest_followed_speed`, the nearest of the
    slower ones.
    """
    cone = cone_of(now.chain)
    wanted = now.turns[0].T @ now.chain.basis[:, 2]
    spot = cone.nearest(wanted)
    if not spot.speed > fastest_followed_speed(cone):
        return spot.axis, spot.speed
    axes, speeds = (np.concatenate(parts) for parts in zip(*sampled_cone_curves(cone, FINE), strict=True))
    best = int(np.argmax(axes @ wanted))
    return axes[best], float(speeds[best])


def cone_of(chain: Chain) -> StaudeCone:
    """The Staude cone of the first augmented body."""
    return StaudeCone(chain.names[0], chain.augmented[0], chain.static[0], chain.weight)


def tilted_start(now: Permanent, angle: float) -> tuple[np.ndarray, np.ndarray]:
    """q and u of the rotation with the first body tilted by an angle, rad, about a horizontal axis at 45° to e1."""
    turns = now.turns.copy()
    across = now.chain.basis @ np.array([1.0, 1.0, 0.0]) / np.sqrt(2.0)
    turns[0] = Rotation.from_rotvec(angle * across).as_matrix() @ turns[0]
    speeds = now.omega[:, None] * now.chain.basis[:, 2]
    return now.chain.quaternions(turns), now.chain.relative_speeds(turns, speeds)


def axis_errors(now: Permanent, motion: Motion) -> np.ndarray:
    """Angle (frames, n), rad, in each body between the vertical and the axis that the rotation wants to be vertical.

    It is zero as long as the rotation lasts.
    """
    nu = now.chain.basis[:, 2]
    wanted = np.einsum("iba,b->ia", now.turns, nu)
    seen = np.einsum("fiba,b->fia", motion.rotations, nu)
    sine = np.linalg.norm(np.cross(seen, wanted), axis=2)
    return np.asarray(np.arctan2(sine, np.einsum("fia,ia->fi", seen, wanted)))
