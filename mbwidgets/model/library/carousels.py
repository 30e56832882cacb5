"""Chains on balls that turn about the vertical for ever."""

from __future__ import annotations

from fractions import Fraction

from ..bodies import Body
from ..guesses import answer_arguments
from ..joints import Spherical
from ..model import Model
from ..parameters import Parameter
from ..solids import Box, Composite, Cylinder
from .common import gravity_slider

PLATE = (0.12, 0.14, -0.11)
ARM = (-0.03, -0.25, -0.07)
"""From the ball of the plate to its mass centre, and to the ball of the rotor, m."""
POSE = (0.047677019186600604, 0.059212804008091084, 0.0, 0.9971061857610652)
SPEED, SPIN = 7.999999999999998, 12.0
"""A permanent rotation, to the last digit: the quaternion of the plate; ω of plate and rotor, rad/s."""


@answer_arguments
def carousel() -> Model:
    """A plate that turns for ever about a vertical axis of its Staude cone and carries a rotor that turns at a speed
    of its own: a permanent rotation of two bodies (Chebanov and Khlistunova, case 1, (3.7)).

    The plate hangs from a ball; so does the rotor, in its mass centre, at the end of an arm. Any axis of the plate's
    cone will do, each at its own speed; mb.PermanentRotationsView() shows them all.
    """
    m1 = Parameter("m1", 2.0, min=0.5, max=6, unit="kg")
    m2 = Parameter("m2", 1.0, min=0.1, max=4, unit="kg")
    sides = (Fraction(3, 5), Fraction(2, 5), Fraction(1, 10))
    disk = Cylinder(Fraction(3, 25), Fraction(1, 20), axis="z", mass=m2)
    shape = Composite(
        [
            Box(sides, at=PLATE),
            *(Cylinder(0.014, _length(end), axis=end, at=tuple(x / 2 for x in end)) for end in (PLATE, ARM)),
        ]
    )
    x, y, z, w = POSE
    # the rotor's axis stays vertical: its pose in the plate undoes that of the plate
    vertical = (2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y))
    turn = [-SPEED * part for part in vertical]
    return Model(
        [
            Body("plate", Spherical(), inertia=Box(sides, at=PLATE, mass=m1), shape=shape),
            Body("rotor", Spherical(at=ARM), inertia=disk),
        ],
        gravity=(0, 0, -gravity_slider()),
        state={"q": [*POSE, -x, -y, -z, w], "u": [*turn, 0, 0, SPEED - SPIN]},
        name="carousel",
    )


def _length(end: tuple[float, float, float]) -> float:
    return float(sum(x * x for x in end) ** 0.5)
