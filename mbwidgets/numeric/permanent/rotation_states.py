"""Rotations about the vertical as states of a model: read from it, written to it, snapped to permanence, disturbed.

Source: Chebanov, Khlistunova, sections 2 to 4.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...model.model import Model
from ..kernels import memory_layout as layout
from ..kernels.staude_cone import CONE_ROWS, snap_to_cone
from ..kernels.vertical_rotation import (
    read_vertical_speeds,
    tilt_first_body,
    turn_axis_down,
    write_vertical_speeds,
)
from ..motion.motion import Motion
from ..packing.pack import recipe_of
from .ball_chain import Chain
from .equilibria import ConvergenceError, solve_equilibrium
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
    "with_speeds",
]

EQUAL = 1e-9
"""Speeds that differ by less than this part are equal."""


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


def with_speeds(model: Model, speeds: np.ndarray) -> Model:
    """The model in the pose of its start, to begin with speeds ω_i (n,) about ν."""
    state = _State.of(model)
    state.turn_at(np.array(speeds, dtype=float))
    return state.given_to(model)


def with_first_body_axis_down(model: Model, axis: np.ndarray, speed: float | None = None) -> Model:
    """The model with its first body turned, by the smallest rotation, so that ``axis`` (body axes) points down.

    The other bodies keep their directions in space; ``speed`` replaces ω₁, whose sense is kept.
    """
    state = _State.of(model)
    speeds = state.speeds
    if speed is not None:
        speeds[0] = np.copysign(speed, speeds[0] if speeds[0] else 1.0)
    turn_axis_down(state.gravity, state.q, np.array(axis, dtype=float))
    state.turn_at(speeds)
    return state.given_to(model)


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
    state = _State.of(start)
    snap_to_cone(state.array, state.q, state.u, *_rooms(len(now.chain)))
    return state.given_to(model)


def with_permanent_rotation_if_found(model: Model) -> Model:
    """As `with_nearest_permanent_rotation`, or the model itself where no permanent rotation is found."""
    try:
        return with_nearest_permanent_rotation(model)
    except ConvergenceError:
        return model


@dataclass(frozen=True)
class _State:
    """A model's array for the kernels, and the state that it begins with, to be changed by them."""

    array: np.ndarray
    q: np.ndarray
    u: np.ndarray

    @classmethod
    def of(cls, model: Model) -> _State:
        made = recipe_of(model)
        return cls(made.pack(model.values).model, *made.start(model.values))

    @property
    def gravity(self) -> np.ndarray:
        return self.array[layout.GRAVITY : layout.GRAVITY + 3]

    @property
    def speeds(self) -> np.ndarray:
        """ω_i (n,) about ν."""
        found = np.empty(len(self.u) // 3)
        read_vertical_speeds(self.gravity, self.q, self.u, found)
        return found

    def turn_at(self, speeds: np.ndarray) -> None:
        """Let the bodies turn about ν at these speeds."""
        write_vertical_speeds(self.gravity, self.q, speeds, self.u)

    def given_to(self, model: Model) -> Model:
        return model.replace(state={"q": [float(x) for x in self.q], "u": [float(x) for x in self.u]})


def _rooms(bodies: int) -> tuple[np.ndarray, ...]:
    """What `snap_to_cone` needs besides a state."""
    return np.empty(bodies), np.empty(3), np.zeros((CONE_ROWS, 3)), np.zeros((3, 3))


def cone_of(chain: Chain) -> StaudeCone:
    """The Staude cone of the first augmented body."""
    return StaudeCone(chain.names[0], chain.augmented[0], chain.static[0], chain.weight)


def tilted_start(now: Permanent, angle: float) -> tuple[np.ndarray, np.ndarray]:
    """q and u of the rotation with the first body tilted by an angle, rad, about a horizontal axis at 45° to e1."""
    q, u = now.state()
    tilt_first_body(now.chain.gravity, q, float(angle))
    write_vertical_speeds(now.chain.gravity, q, now.omega, u)
    return q, u


def axis_errors(now: Permanent, motion: Motion) -> np.ndarray:
    """Angle (frames, n), rad, in each body between the vertical and the axis that the rotation wants to be vertical.

    It is zero as long as the rotation lasts.
    """
    nu = now.chain.basis[:, 2]
    wanted = np.einsum("iba,b->ia", now.turns, nu)
    seen = np.einsum("fiba,b->fia", motion.rotations, nu)
    sine = np.linalg.norm(np.cross(seen, wanted), axis=2)
    return np.asarray(np.arctan2(sine, np.einsum("fia,ia->fi", seen, wanted)))
