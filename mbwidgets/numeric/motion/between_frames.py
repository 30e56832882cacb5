"""States between the frames of a motion, from its velocities and accelerations: what frames alone may have missed.

A rotor that turns sixteen times between two frames looks at rest in them; its velocity tells.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from ...errors import ModelError
from ..base.rotations import quaternion_product

if TYPE_CHECKING:
    from .motion import Motion

__all__ = ["States", "states_between", "too_many_turns"]

LEAST: Final = 4
"""Parts of the time between two frames: waves four times as fast as the frames can tell are seen in a slow motion too.
A fast one has eight in each turn of its fastest joint."""
MOST: Final = 256
"""Parts at most, 32 turns between two frames: a motion that needs more is to be simulated with more frames."""

States = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def states_between(motion: Motion, frames: int) -> States:
    """t, q, u, u̇ at equal parts between the first ``frames`` frames, which lie at equal steps.

    Velocities by cubic Hermite polynomials, coordinates by their integrals, a ball about its axis of turning.
    """
    step = float(motion.t[1] - motion.t[0])
    parts = _parts(motion, step)
    s = np.arange(parts)[:, None] / parts * step
    u0, u1 = motion.u[: frames - 1, None], motion.u[1:frames, None]
    a0, a1 = motion.ud[: frames - 1, None] * step, motion.ud[1:frames, None] * step
    x = s / step
    # u = u0 + a0 x + c x² + d x³ with the values and slopes of both ends
    c, d = 3 * (u1 - u0) - 2 * a0 - a1, 2 * (u0 - u1) + a0 + a1
    u = u0 + x * (a0 + x * (c + x * d))
    ud = (a0 + x * (2 * c + x * 3 * d)) / step
    turned = s * (u0 + x * (a0 / 2 + x * (c / 3 + x * d / 4)))
    q = _moved(motion, frames, turned)
    t = motion.t[: frames - 1, None] + s[:, 0]
    return t.ravel(), q.reshape(-1, q.shape[-1]), u.reshape(-1, u.shape[-1]), ud.reshape(-1, u.shape[-1])


def _parts(motion: Motion, step: float) -> int:
    """How finely a motion must be looked at between frames."""
    speed = 0.0
    for body, first in zip(motion.model.bodies, motion.model.u_offsets, strict=False):
        place = first
        for column in body.joint.columns():
            width = 3 if column.kind == "ball" else 1
            if column.kind != "translation":
                speed = max(speed, float(np.linalg.norm(motion.u[:, place : place + width], axis=1).max()))
            place += width
    turns = speed * step / (2 * math.pi)
    if 8 * turns > MOST:
        raise too_many_turns(f"{turns:.0f}", str(math.ceil(2.5 * turns / step)))
    return max(LEAST, math.ceil(8 * turns))


def too_many_turns(turns: str, rate: str) -> ModelError:
    """What is said of a joint that turns so often between two frames; another frame rate would do."""
    return ModelError(f"a joint turns {turns} times between two frames", remedy=f"simulate with rate={rate} or more")


def _moved(motion: Motion, frames: int, turned: np.ndarray) -> np.ndarray:
    """Coordinates after the first ``frames − 1`` frames have moved by ``turned`` (frames − 1, parts, nv)."""
    model = motion.model
    q = np.repeat(motion.q[: frames - 1, None], turned.shape[1], axis=1)
    for body, qi, ui in zip(model.bodies, model.q_offsets, model.u_offsets, strict=False):
        for column in body.joint.columns():
            if column.kind == "ball":
                q[..., qi : qi + 4] = _turned(q[..., qi : qi + 4], turned[..., ui : ui + 3])
                qi, ui = qi + 4, ui + 3
            else:
                q[..., qi] += turned[..., ui]
                qi, ui = qi + 1, ui + 1
    return q


def _turned(q: np.ndarray, angle: np.ndarray) -> np.ndarray:
    """q ∘ exp(angle/2), body axes."""
    size = np.linalg.norm(angle, axis=-1, keepdims=True)
    turn = np.concatenate([angle * np.sinc(size / (2 * math.pi)) / 2, np.cos(size / 2)], axis=-1)
    return quaternion_product(q, turn)
