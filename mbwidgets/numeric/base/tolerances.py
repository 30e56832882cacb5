"""Every tolerance that decides about constraints, rank, masses and steps: its value, what it is relative to, and why.

`TABLE` lists them for people. A test runs the closed loops of the library with all of them three times as large, and
three times as small; ``python tools/tolerances.py`` multiplies and divides each by ten and tells which tests notice.
"""

from __future__ import annotations

from typing import Final, NamedTuple

__all__ = ["TABLE", "Tolerance"]


class Tolerance(NamedTuple):
    """One row of the table."""

    value: float
    relative_to: str
    why: str


TABLE: Final[dict[str, Tolerance]] = {}


def _declare(name: str, value: float, relative_to: str, why: str) -> float:
    TABLE[name] = Tolerance(value, relative_to, why)
    return value


# Are constraint equations independent?
DEPENDENT_AT_START: Final = _declare(
    "DEPENDENT_AT_START",
    1e-7,
    "the largest singular value of J, its rows of length one",
    "a start in a singular position is a double root: positions, and so J, are found to √ε = 1.5e-8 only",
)
DEPENDENT: Final = _declare(
    "DEPENDENT",
    1e-10,
    "the largest singular value of J",
    "at a state that meets the constraints J is known to some twelve digits",
)
DEPENDENT_BESIDE: Final = _declare(
    "DEPENDENT_BESIDE",
    1e-3,
    "the largest singular value of J",
    "off the constraints redundant equations seem to differ, by some hundred times how far off the state is",
)
JACOBIAN_ROUNDING: Final = _declare(
    "JACOBIAN_ROUNDING",
    1e-11,
    "the longest row of J in its group",
    "a shorter row is the difference of terms that cancel: fewer than five digits of it are left",
)
JACOBIAN_BLURRED: Final = _declare(
    "JACOBIAN_BLURRED",
    1e-5,
    "the longest row of J in its group",
    "ten digits of such a row are left: it counts, by its length, and is not blown up to length one",
)
SINGULAR_FRAME: Final = _declare(
    "SINGULAR_FRAME",
    1e-13,
    "the largest singular value of J",
    "of those that count by rank, one below this is rounding: the frame stands in a singular position",
)
NEAR_SINGULARITY: Final = _declare(
    "NEAR_SINGULARITY",
    1e-9,
    "the clearance of well separated equations",
    "of accelerations in the constraints' directions no seven digits are left",
)

# Is a constraint met?
RESIDUAL_ROUNDING: Final = _declare(
    "RESIDUAL_ROUNDING",
    1e-15,
    "the terms of Φ",
    "a few units of the last digit: Newton's method can do no more",
)
RESIDUAL_STAGNATES: Final = _declare(
    "RESIDUAL_STAGNATES",
    1e-13,
    "the terms of Φ",
    "below it a residual that no longer halves is rounding of longer sums",
)
RESIDUAL_MET: Final = _declare(
    "RESIDUAL_MET",
    1e-9,
    "the terms of Φ",
    "what a projection that converges leaves is far less, one that does not is far more",
)
START_CLOSED: Final = _declare(
    "START_CLOSED",
    1e-10,
    "the terms of Φ and Φ̇",
    "a closed loop of the library is closed to 1e-15; a wrong one to 1e-3",
)
START_LEFT_ALONE: Final = _declare(
    "START_LEFT_ALONE", 1e-14, "the terms of Φ and Φ̇", "a start that is met but for rounding keeps its digits"
)
START_BESIDE: Final = _declare(
    "START_BESIDE", 1e-8, "the terms of Φ, or lengths and radians", "√ε: of a double root no more can be asked"
)
START_MOVED: Final = _declare(
    "START_MOVED", 1e-9, "the mechanism's length, or a radian", "what a start is moved by that is worth a word"
)
FRAMES_MET: Final = _declare(
    "FRAMES_MET", 1e-8, "the terms of Φ", "frames are off by more than projection or interpolation leaves"
)
FRAMES_PARTED: Final = _declare(
    "FRAMES_PARTED",
    1e-2,
    "the terms of Φ, or of J u̇ = γ",
    "where nobody asked for projection drift is left, a motion that ignores its constraints is not",
)
FRAME_CORRECTION: Final = _declare(
    "FRAME_CORRECTION",
    1e-5,
    "the largest numbers of the state",
    "an interpolated frame is off by its tolerance; a larger correction leads to another branch",
)
ACCELERATION_MISSED: Final = _declare(
    "ACCELERATION_MISSED",
    1e-6,
    "the terms of J u̇ = γ",
    "given accelerations meet an equation to the digits that people write",
)
EFFORT_MISSED: Final = _declare(
    "EFFORT_MISSED",
    1e-9,
    "the terms of L_τᵀ τ",
    "what drives that can make a motion leave is rounding; those that cannot miss it by parts that people see",
)
POINT_ON_CURVE: Final = _declare(
    "POINT_ON_CURVE",
    1e-6,
    "the lengths in the equation",
    "a point farther off the curve, at the parameter last found, is looked for along all of it",
)

# Does a velocity move mass?
PIVOT_MASSLESS: Final = _declare(
    "PIVOT_MASSLESS",
    1e-14,
    "the body's articulated inertia",
    "rounding of the inertia that its outer bodies take away",
)
LEFT_MASSLESS: Final = _declare(
    "LEFT_MASSLESS",
    1e-14,
    "a velocity's own inertia",
    "what is left of it when others are held is rounding: M is singular",
)
MOTION_MASSLESS: Final = _declare(
    "MOTION_MASSLESS",
    1e-12,
    "the inertia of a motion's own velocities",
    "its kinetic energy is a sum over all velocities, and rounded so",
)

# Is a motion stuck?
STALLED: Final = _declare(
    "STALLED",
    1e-7,
    "the duration",
    "a constrained motion that gets on by less in 3000 evaluations nears a singular position without end",
)
GROWS_ENDLESSLY: Final = _declare(
    "GROWS_ENDLESSLY",
    1e8,
    "radians or lengths of the mechanism in the motion's time",
    "what a prescribed motion asks for is then taken to grow without bound",
)
NUDGE: Final = _declare(
    "NUDGE",
    1e-2,
    "radians, or lengths of the mechanism",
    "how far from the start the rank is looked at once more: far enough that a singular position shows",
)
