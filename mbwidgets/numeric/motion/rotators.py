"""Vector rotators of a motion: every row of the table as arrays over the frames, ready to be drawn as arrows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ...model.model import Model
from ...symbolic.mechanics.carriers import Carriers, Row, inertia_at_joint_point
from ...symbolic.mechanics.rotator_labels import (
    LabelledRows,
    label_rotator,
    segment_numbers,
    three_revolute_chain,
)
from ...symbolic.papers.lumped_rotators import lumped_rotator_vectors, lumped_sum, lumped_velocity_product_vectors
from ...symbolic.papers.rotators import RotatorRow, described_row
from ...symbolic.ring.algebra import Vector
from ..base.brief import brief_text
from ..packing.traced_numbers import greater, lengths_of, traced_where
from .array_algebra import carriers_at, stack_components

__all__ = ["LumpedFrames", "RotatorFrames", "RotatorsFrames", "rotators_of"]

VANISHING = 1e-12
"""|w| relative to mass × length: below, its direction is rounding."""


class LumpedFrames(NamedTuple):
    """𝒮_kb and ℒ_kb (frames, N, 3), and the kinetic force and moment that they make (frames, 3)."""

    vectors: np.ndarray
    moments: np.ndarray
    force: np.ndarray
    moment: np.ndarray

    def __repr__(self) -> str:
        return brief_text(self)


@dataclass(frozen=True, eq=False, repr=False)
class RotatorFrames(RotatorRow):
    """One row over the frames; `symbolic.papers.rotators.Rotator` is its exact twin."""

    table: RotatorsFrames

    def _array(self, vector: Vector) -> np.ndarray:
        return stack_components(vector, self.table.frames)

    @cached_property
    def vector(self) -> np.ndarray:
        """w (frames, 3)"""
        return self._array(self.row.vector)

    @cached_property
    def magnitude(self) -> np.ndarray:
        """|w| (frames,)"""
        return lengths_of(self.vector)

    @cached_property
    def contribution(self) -> np.ndarray:
        """|w| ℜ (frames, 3); zero where w is"""
        return self._array(self.row.change)

    @cached_property
    def moment(self) -> np.ndarray:
        """The row's part in dL/dt + [v_Ok, K] about O_k (frames, 3)"""
        return self._array(self.table.carriers.moment(self.row, self.table.first))

    @cached_property
    def defined(self) -> np.ndarray:
        """(frames,) whether w is long enough to have a direction"""
        return greater(self.magnitude, self.table.smallest(self.row))

    @cached_property
    def rotator(self) -> np.ndarray:
        """ℜ (frames, 3); NaN where it is not `defined`"""
        length = traced_where(self.defined, self.magnitude, np.nan)
        return np.asarray(self.contribution / length[:, None])

    @cached_property
    def speed(self) -> np.ndarray:
        """|ℜ| (frames,): √(ω̇² + ω⁴) of an own rotator even where it has no direction"""
        if self.kind in ("own", "deviation"):
            return np.broadcast_to(np.hypot(self.row.along, self.row.across), (self.table.frames,))
        return lengths_of(self.rotator)

    @cached_property
    def angle(self) -> np.ndarray:
        """atan2(ω², ω̇) (frames,): from u to an own rotator, about n"""
        across, along = self.row.across, np.asarray(self.row.along)
        if along.dtype == object:  # beside traced numbers a zero must be one of them
            across = across + 0 * along
        return np.broadcast_to(np.arctan2(across, along), (self.table.frames,))

    def __repr__(self) -> str:
        return f"<rotator {self.label.text} of body {self.body!r}, {self.table.frames} frames>"


class RotatorsFrames(LabelledRows[RotatorFrames]):
    """The rotators of all that a joint carries over a motion; go through it, or take a row by number or name."""

    def __init__(self, model: Model, index: int, carriers: Carriers, frames: int) -> None:
        self.model, self.index, self.carriers, self.frames = model, index, carriers, frames
        self.joint: str = model.bodies[index].name
        segments = carriers.r.segments
        self.first = next(i for i, s in enumerate(segments) if s.body == index)
        self._lengths: dict[int, Any] = {}

    @cached_property
    def rows(self) -> tuple[RotatorFrames, ...]:
        """All rows, body by body."""
        r = self.carriers.r
        numbers, names = segment_numbers(r.segments), tuple(s.name for s in r.segments)
        paper = three_revolute_chain(r)
        found = [row for i in r.carried(self.first) for row in self.carriers.rows(i)]
        return tuple(
            RotatorFrames(label_rotator(row, numbers, paper), *described_row(row, names), self) for row in found
        )

    @cached_property
    def _kinetic(self) -> tuple[np.ndarray, np.ndarray]:
        force, moment = self.carriers.kinetic(self.first)
        return stack_components(force, self.frames), stack_components(moment, self.frames)

    @property
    def force(self) -> np.ndarray:
        """dK/dt (frames, 3)"""
        return self._kinetic[0]

    @property
    def moment(self) -> np.ndarray:
        """dL/dt + [v_Ok, K] about O_k (frames, 3)"""
        return self._kinetic[1]

    @cached_property
    def _momenta(self) -> tuple[np.ndarray, np.ndarray]:
        linear, angular = self.carriers.momenta(self.first)
        return stack_components(linear, self.frames), stack_components(angular, self.frames)

    @property
    def momentum(self) -> np.ndarray:
        """K of all that the joint carries (frames, 3)   (48)"""
        return self._momenta[0]

    @property
    def angular_momentum(self) -> np.ndarray:
        """L about O_k (frames, 3)   (50)"""
        return self._momenta[1]

    def lumped(self) -> LumpedFrames:
        """One vector a coordinate: few arrows, the default picture."""
        r = self.carriers.r
        pair, products = lumped_rotator_vectors(r, self.first), lumped_velocity_product_vectors(r, self.first)
        nothing = np.zeros((self.frames, 0, 3))  # bodies on welds alone
        vectors = [
            np.stack([stack_components(v, self.frames) for v in part], axis=1) if part else nothing for part in pair
        ]
        sums = [stack_components(lumped_sum(r, *both), self.frames) for both in zip(pair, products, strict=True)]
        return LumpedFrames(vectors[0], vectors[1], sums[0], sums[1])

    def smallest(self, row: Row) -> Any:
        """The length below which a row's w has no direction: 1e-12 of mass × length."""
        r, i = self.carriers.r, row.body
        mass = r.segments[i].mass
        if row.carrier in ("J", "D", "I"):
            tensor = inertia_at_joint_point(r, r.segments[i])
            return VANISHING * (tensor[0][0] + tensor[1][1] + tensor[2][2])
        if row.carrier == "M":
            return VANISHING * mass
        if i not in self._lengths:
            parts = [*(r.segments[j].offset for j in r.paths[i]), r.segments[i].com]
            self._lengths[i] = sum(_largest(np.sqrt(_square(part))) for part in parts)
        return VANISHING * mass * self._lengths[i]

    def __repr__(self) -> str:
        return f"<rotators of joint {self.joint!r}: {len(self)} rows, {self.frames} frames>"


def _largest(length: Any) -> Any:
    """Over the frames; a traced number is that of one."""
    found = np.asarray(length)
    return found.flat[0] if found.dtype == object else float(np.max(found))


def _square(v: Vector) -> Any:
    return v[0] * v[0] + v[1] * v[1] + v[2] * v[2]


def rotators_of(model: Model, joint: str | int, q: np.ndarray, u: np.ndarray, ud: np.ndarray) -> RotatorsFrames:
    """The rotators of a joint at the frames of a motion: q, u, ud (frames, n)."""
    index = model.index(joint)
    carriers = carriers_at(model, q.T, u.T, ud.T)
    return RotatorsFrames(model, index, carriers, len(q))
