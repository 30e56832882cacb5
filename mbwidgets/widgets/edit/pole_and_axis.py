"""A body with a pole and an axis: its inertia there, what S and D say about them, and the marks that show them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from ...errors import ModelError
from ...model.model import Model
from ...numeric.base.rotations import quaternion_from_y, quaternion_of_matrix, unit_vector
from ...numeric.motion import body_axes
from ...numeric.motion.mass_moments import MassMomentFrames, body_moments, tensor_at
from ...numeric.packing.traced_numbers import greater, largest_size, lengths_of, traced_where
from ...scene.look.palette import QUANTITY
from ...scene.look.shapes import STRAIGHT, Part, model_size
from ...symbolic import mass_moments
from ..text.paragraphs import numbered_equations
from ..text.sentences import Case, Sentences, large, small

__all__ = ["BALANCE_NUMBERS", "LOOKS", "PoleAndAxis", "balance_sentences", "joint_axis_or_z", "three_numbers"]

LOOKS: Final = {
    "plane": (QUANTITY["deviation"], 0.16),
    "line": (QUANTITY["axis"], 0.7),
    "pole": ("#23272E", 1.0),
    "centre": (QUANTITY["weight"], 1.0),
}
"""Colour and opacity of the marks."""
BALANCE_NUMBERS: Final = 6
"""How many `verdict_numbers` there are."""
SMALL: Final = 1e-10
"""S and D below this share of mass × size, of the inertia, are zero but for rounding."""


@dataclass(frozen=True, eq=False)
class PoleAndAxis:
    """One body, a pole (from O*) and a unit vector n, both in body axes.

    Numbers may be traced ones; then what it says in words and marks is left out.
    """

    model: Model
    index: int
    pole: tuple[Any, ...]
    axis: tuple[Any, ...]

    @cached_property
    def n(self) -> np.ndarray:
        """n (3,)"""
        axis = np.array(self.axis)
        return axis if axis.dtype == object else unit_vector(axis)  # a traced one is of unit length

    @cached_property
    def centre(self) -> np.ndarray:
        """ρ_iC: O* → C (3,)"""
        return np.array([self.model.number(item) for item in self.model.bodies[self.index].com])

    @cached_property
    def lever(self) -> np.ndarray:
        """pole → C (3,)"""
        return np.asarray(self.centre - np.array(self.pole))

    @cached_property
    def tensor(self) -> np.ndarray:
        """𝕁 at the pole (3, 3)"""
        return tensor_at(self.model, self.index, np.array(self.pole))

    @property
    def principal(self) -> np.ndarray:
        """Principal axes at the pole as columns, by growing moment; each points as near to x, y or z as it can."""
        found = np.linalg.eigh(self.tensor)[1]
        largest = np.take_along_axis(found, np.abs(found).argmax(axis=0)[None], axis=0)
        return np.asarray(found * np.sign(largest))

    @cached_property
    def _moments(self) -> MassMomentFrames:
        return body_moments(self.model, self.index, self.n[None], np.array(self.pole))

    @property
    def static(self) -> np.ndarray:
        """S_n (3,)   (41)"""
        return np.asarray(self._moments.static[0])

    @property
    def deviation(self) -> np.ndarray:
        """D_n (3,)   (45)"""
        return np.asarray(self._moments.deviation[0])

    @property
    def off(self) -> Any:
        """How far C is off the axis, m."""
        return lengths_of(np.cross(self.n, self.lever))[()]

    @property
    def static_is_zero(self) -> bool:
        """Whether the axis passes through C."""
        return bool(self.off <= SMALL * max(model_size(self.model), 1e-300))

    @property
    def deviation_is_zero(self) -> bool:
        """Whether n is a principal axis at the pole."""
        return bool(lengths_of(self.deviation) <= SMALL * np.trace(self.tensor))

    def verdict_numbers(self, size: float) -> np.ndarray:
        """What the verdict is about (1, 6); ``size`` is that of the model.

        The larger of the shares that S and D have in size and inertia, both shares, 1, m off the axis, degrees off it.
        """
        deviation = lengths_of(self.deviation)[()]
        trace = np.trace(self.tensor)
        whole = traced_where(greater(np.array([trace]), 0.0), trace, 1.0)[0]  # a body without inertia has no D
        static, turned = self.off / max(size, 1e-300), deviation / whole
        tilt = np.degrees(np.arctan2(deviation, self._moments.axial[0]))
        larger = largest_size(np.array([[static, turned]]))[0]
        return np.array([[larger, static, turned, 1.0, self.off, tilt]])

    def marked(self) -> dict[str, np.ndarray]:
        """Where the marks are, as numbers of one frame: the place, (1, 3), the direction y, (1, 6), and x too, (1, 9).

        A plane that D does not tell is nowhere.
        """
        pole, told = np.array(self.pole), self._tells(self.deviation)
        across = self.deviation / traced_where(told, lengths_of(self.deviation)[None], np.nan)
        line = np.concatenate([pole, self.n])
        found = {"plane": np.concatenate([line, across]), "line": line, "pole": pole, "centre": self.centre}
        return {name: numbers[None] for name, numbers in found.items()}

    def _tells(self, deviation: np.ndarray) -> np.ndarray:
        """Whether D is more than rounding (1,)."""
        return greater(lengths_of(deviation)[None], SMALL * np.trace(self.tensor))

    def marks(self, size: float) -> dict[str, Part | None]:
        """The plane of n and 𝔍, the line along n through the pole, the pole, the mass centre."""
        pole, plane = _triple(self.pole), None
        if not self.deviation_is_zero:
            across = unit_vector(self.deviation)
            turn = quaternion_of_matrix(np.column_stack([across, self.n, np.cross(across, self.n)]))
            plane = Part("box", pole, turn, (0.8 * size, 0.8 * size, 1e-3 * size))
        return {
            "plane": plane,
            "line": Part("cylinder", pole, quaternion_from_y(self.n), (0.003 * size, 1.5 * size, 0.003 * size)),
            "pole": Part("ball", pole, STRAIGHT, (0.014 * size,) * 3),
            "centre": Part("ball", _triple(self.centre), STRAIGHT, (0.012 * size,) * 3),
        }

    def turned(self, degrees: np.ndarray) -> np.ndarray:
        """J_n and |D_n| (k, 2) for n turned by these angles in the plane of n and 𝔍, towards D.

        Where D is zero any plane will do: that of n and the next principal axis.
        """
        across = traced_where(self._tells(self.deviation), self.deviation, _across_farthest(self.n))
        across = across / lengths_of(across)
        angle = np.radians(degrees)[:, None]
        cos, sin = np.cos(angle), np.sin(angle)
        # 𝔍 is linear in n: two of them give all
        n, inertia = (cos * a + sin * b for a, b in ((self.n, across), (self.tensor @ self.n, self.tensor @ across)))
        axial = (n * inertia).sum(axis=1)
        return np.stack([axial, lengths_of(inertia - axial[:, None] * n)], axis=1)

    def formulae(self) -> str:
        """(41), (42), (44), (45) with the body's letters, exact, body axes, as HTML for MathJax."""
        found = mass_moments(self.model, self.index, self.axis, self.pole, axes="body")
        return numbered_equations(
            [
                ("(41)", r"\vec{\mathbf S}_{\vec n} = [\vec n,\vec\rho_C]\,M", found.static, "kg m"),
                ("(42)", r"\vec{\mathfrak J}_{\vec n} = \mathbb J\,\vec n", found.inertia, "kg m²"),
                ("(44)", r"J_{\vec n} = \vec n\cdot\vec{\mathfrak J}_{\vec n}", found.axial, "kg m²"),
                (
                    "(45)",
                    r"\vec{\mathbf D}_{\vec n} = [\vec n,[\vec{\mathfrak J}_{\vec n},\vec n]]",
                    found.deviation,
                    "kg m²",
                ),
            ]
        )


def joint_axis_or_z(model: Model, index: int) -> tuple[float, ...]:
    """The axis of the joint in body axes, a unit vector; z where it has none."""
    own = body_axes.joint_axis(model, index)
    return (0.0, 0.0, 1.0) if own is None else tuple(map(float, own))


def three_numbers(value: Any, what: str) -> tuple[float, ...]:
    """Three finite numbers."""
    found = tuple(float(item) for item in value)
    if len(found) != 3 or not all(math.isfinite(item) for item in found):
        raise ModelError(f"{what} {found} is not three finite numbers", where=what, remedy="give x, y, z")
    return found


def balance_sentences() -> Sentences:
    """What S and D say about the axis, of `verdict_numbers`."""
    static = (
        Case("*Static balance:* the axis passes through [C], so [S_n] = 0.", (small(1, SMALL, 3),)),
        Case("*Static unbalance:* [C] lies *{4:m}* off the axis, [S_n] ≠ 0.", (large(1, SMALL, 3),)),
    )
    dynamic = (
        Case("*Dynamic balance:* [n] is a principal axis at this pole, so [D_n] = 0.", (small(2, SMALL, 3),)),
        Case("*Dynamic unbalance:* [𝔍_n] stands *{5:°}* off the axis, [D_n] ≠ 0.", (large(2, SMALL, 3),)),
    )
    colours = {"S_n": QUANTITY["static"], "𝔍_n": QUANTITY["inertia"], "D_n": QUANTITY["deviation"]}
    return Sentences((static, dynamic), {}, (), colours)


def _across_farthest(n: np.ndarray) -> np.ndarray:
    """n × e, e the one of x, y, z that n is farthest from: never zero."""
    x, y, z = n
    by_x, by_y, by_z = np.array([0 * x, z, -y]), np.array([-z, 0 * x, x]), np.array([y, -x, 0 * x])
    size = np.abs(n)
    y_first = greater(size[:1], size[1])
    nearer = traced_where(y_first, size[1], size[0])
    return traced_where(greater(nearer, size[2]), by_z, traced_where(y_first, by_y, by_x))


def _triple(value: Any) -> tuple[float, float, float]:
    return (float(value[0]), float(value[1]), float(value[2]))
