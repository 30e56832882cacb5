"""What goes between two points that move: springs, dampers, rods; laid along their line in every frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from ...numeric.motion.motion import Motion
from ..look.body_shells import Anatomy
from ..look.forms import ball, cylinder_outline, revolved
from ..look.nodes import numbers_of
from ..look.shell import NOTHING, Role, Shell, join_shells, turn_from_y
from ..look.sweeps import coil

__all__ = ["Hand", "Span", "laid_shell", "packed_ends", "spans_of"]

COIL, WIRE = 0.95, 0.18
"""Radius of a spring and of its wire, in radii of a link."""
PITCH: Final = 1.0
"""Between two turns of a spring, in radii of a link, at its middle length; ``TURNS`` are how many there are."""
TURNS: Final = (5, 18)
BARREL, STEM, REST = 0.46, 0.17, 0.45
"""Radii of a damper's barrel and stem, in radii of a link, and the barrel's share of the least length."""
ROD: Final = 0.28
"""Radius of a rod of constant length, in radii of a link."""
KINDS: Final = ("spring", "damper", "distance")
"""Forces and constraints between two points."""


@dataclass(frozen=True, eq=False)
class Span:
    """Two ends (frames, 2, 3), m, in the world's axes, and what is between: at the first, stretched, at the second.

    The shells stand along y; ``middle`` goes from 0 to 1 and is stretched, the others keep their length.
    """

    ends: np.ndarray
    near: Shell
    middle: Shell
    far: Shell

    @property
    def parts(self) -> tuple[Shell, Shell, Shell]:
        """In the order of a group's children."""
        return self.near, self.middle, self.far


Hand = tuple[float, float, float]
"""Where a hand is that pulls a body by a spring, m."""


def spans_of(motion: Motion, anatomy: Anatomy, hand: Hand | None = None) -> list[Span]:
    """A spring, a damper or a rod for each force and constraint between two points.

    Of what pulls at a ``hand`` only the spring is drawn, not the damper that calms it.
    """
    model, found = motion.model, []
    for item in (*model.forces, *model.constraints):
        if item.type not in KINDS:
            continue
        pair = (item.start, item.end) if item.type != "distance" else (item.a, item.b)
        if item.type == "damper" and any(held_by(motion, end, hand) for end in pair):
            continue
        ends = np.stack([_path(motion, end) for end in pair], axis=1)
        found.append(Span(ends, *_parts(item.type, ends, anatomy.gauge)))
    return found


def held_by(motion: Motion, end: Any, hand: Hand | None) -> bool:
    """Whether an end is where a hand is."""
    return hand is not None and end.body is None and tuple(numbers_of(motion.model, end.at)) == hand


def _path(motion: Motion, end: Any) -> np.ndarray:
    """Where an anchor is in every frame (frames, 3)."""
    at = numbers_of(motion.model, end.at)
    if end.body is None:
        return np.broadcast_to(at, (len(motion), 3))
    body = motion.model.index(end.body)
    return np.asarray(motion.poses[0][:, body] + motion.rotations[:, body] @ at)


def _parts(kind: str, ends: np.ndarray, gauge: float) -> tuple[Shell, Shell, Shell]:
    eye = ball(0.3 * gauge, Role.PIN, 12)
    lengths = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
    lengths = lengths[np.isfinite(lengths)]
    if kind == "spring":
        middle = float(np.median(lengths)) if len(lengths) else 0.0
        turns = int(np.clip(middle / (PITCH * gauge), *TURNS))
        return eye, coil(turns, COIL * gauge, WIRE * gauge), eye
    least = float(lengths.min(initial=np.inf))
    thick = STEM if kind == "damper" else ROD
    stem = revolved([(0.0, 0.0), (thick * gauge, 0.0), (thick * gauge, 1.0), (0.0, 1.0)], 12, Role.STEEL)
    if kind == "distance" or not np.isfinite(least) or REST * least < 0.2 * gauge:
        return eye, stem, eye
    outline = cylinder_outline(BARREL * gauge, REST * least, 0.06 * gauge, (0.15 + REST / 2) * least)
    collar = cylinder_outline(1.15 * BARREL * gauge, 0.16 * gauge, 0.04 * gauge, (0.15 + REST) * least)
    barrel = join_shells([revolved(outline, 16, Role.STEEL), revolved(collar, 16, Role.PIN)])
    return join_shells([eye, barrel]), stem, eye


def laid_shell(span: Span, frame: int) -> Shell:
    """What is between the ends in a frame, in the world's axes."""
    start, end = span.ends[frame]
    way = end - start
    length = float(np.linalg.norm(way))
    if not np.isfinite(length):
        return NOTHING
    turn = turn_from_y(way) if length > 0 else np.eye(3)
    points = span.middle.points * (1.0, length, 1.0)
    normals = span.middle.normals * (length, 1.0, length)
    normals = normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)
    middle = Shell(points, normals, span.middle.faces, span.middle.roles)
    return join_shells([span.near, middle, span.far.moved((0.0, length, 0.0))]).moved(start, turn)


def packed_ends(spans: Sequence[Span], frames: int) -> np.ndarray:
    """The ends of all spans, (frames, spans, 6)."""
    if not spans:
        return np.zeros((frames, 0, 6))
    return np.stack([span.ends.reshape(frames, 6) for span in spans], axis=1)
