"""Guided and closed mechanisms of the papers and of the IFToMM benchmark."""

from __future__ import annotations

import math
from fractions import Fraction

from ...expressions import PI, call
from ..bodies import Body
from ..constraints import OnCircle, ParallelConstraint, PointConstraint
from ..forces import Damper, Effort, Spring
from ..guesses import answer_arguments
from ..joints import Free, Prismatic, Revolute
from ..model import Model
from ..parameters import Parameter
from ..solids import Box, Composite, Cylinder, Disk, Point
from .common import gravity_slider


@answer_arguments
def hammer_crusher() -> Model:
    """A drum under a torque M with a hammer on a pin at its rim (Do Sanh): x is down, angles are from x.

    Paper: φ of the drum and θ of the hammer, both from x. The model's coordinates are (φ, θ − φ).
    """
    mass = Parameter("m", 3.0, min=0.1, max=20, unit="kg")
    radius, arm = Parameter("R", 0.4, min=0.1, max=2, unit="m"), Parameter("a", 0.25, min=0.05, max=2, unit="m")
    drum = Parameter("I1", 0.8, min=0, max=10, unit="kg m²")
    hammer = Parameter("I2", 0.05, min=0.001, max=2, unit="kg m²")
    torque = Parameter("M", 12.0, min=-50, max=50, unit="N m")
    phi0 = Parameter("phi0", 0.2, min=-3.1, max=3.1, unit="rad")
    theta0 = Parameter("theta0", 0.1, min=-3.1, max=3.1, unit="rad")
    return Model(
        [
            Body(
                "drum",
                Revolute("z"),
                mass=1,
                inertia=(drum / 2, drum / 2, drum),
                shape=Disk(radius, axis="z"),
            ),
            Body(
                "hammer",
                Revolute("z", at=(radius, 0, 0)),
                mass=mass,
                com=(arm, 0, 0),
                inertia=(0, hammer, hammer),
                shape=Cylinder(0.03, 2 * arm, axis="x", at=(arm, 0, 0)),
            ),
        ],
        gravity=(gravity_slider(), 0, 0),
        forces=[Effort("drum", torque)],
        state={"q": [phi0, theta0 - phi0]},
        name="hammer crusher",
    )


@answer_arguments
def body_on_circle() -> Model:
    """A rod with one point O₁ on a fixed circle, in the plane (Tătaru): the example of the orthogonal complement.

    O₁C = d along x₁; from rest with O₁ on the top of the circle. The paper prints gravity along z, which moves
    nothing; along x it is the one reading with a motion that is determined. Two degrees of freedom are left of six.
    """
    mass = Parameter("m", 1.0, min=0.1, max=10, unit="kg")
    offset = Parameter("d", 0.5, min=0.05, max=2, unit="m")
    radius = Parameter("R", 1.0, min=0.1, max=3, unit="m")
    phi0 = Parameter("phi0", math.pi / 2, min=-4, max=4, unit="rad")
    moment = mass * offset**2 / 3
    half = phi0 / 2
    return Model(
        [
            Body(
                "body",
                Free(),
                mass=mass,
                com=(offset, 0, 0),
                inertia=(mass * offset**2 / 25, moment, moment),
                shape=Cylinder(0.04, 2 * offset, axis="x", at=(offset, 0, 0)),
            )
        ],
        gravity=(gravity_slider(), 0, 0),
        constraints=[
            OnCircle("body", radius),
            ParallelConstraint(("body", (0, 0, 0), "z"), (None, (0, 0, 0), "z")),
        ],
        state={"q": [0, radius, 0, 0, 0, call("sin", half), call("cos", half)]},
        name="body on a circle",
    )


@answer_arguments
def bricard() -> Model:
    """Bricard's mechanism: five rods and six pins whose axes are those of a cube, one degree of freedom although
    a count of freedoms leaves none: the fourth IFToMM benchmark problem. One of its loop equations is redundant.
    """
    mass = Parameter("m", 1.0, min=0.1, max=10, unit="kg")
    pins = ("y", "z", "x", "y", "z")
    spans = ((1, 0, 0), (0, -1, 0), (0, 0, 1), (-1, 0, 0), (0, 1, 0))
    thin = Fraction(1, 10)
    bodies, at = [], (0, 0, 0)
    for i, (axis, span) in enumerate(zip(pins, spans, strict=True)):
        size = tuple(1 if item else thin for item in span)
        centre = tuple(Fraction(item, 2) for item in span)
        bodies.append(Body(f"rod {i + 1}", Revolute(axis, at=at), inertia=Box(size, at=centre, mass=mass)))
        at = span
    return Model(
        bodies,
        gravity=(0, -gravity_slider(), 0),
        constraints=[
            PointConstraint(("rod 5", (0, 1, 0)), (None, (0, 0, 1))),
            ParallelConstraint(("rod 5", (0, 1, 0), "x"), (None, (0, 0, 1), "x")),
        ],
        name="Bricard's mechanism",
    )


@answer_arguments
def flyball_governor() -> Model:
    """Watt's governor: two arms with balls on a turning shaft lift a slider by stiff springs with dampers.

    The fifth IFToMM benchmark problem; stiff, and not conservative. The shaft is free after it is started; the arms'
    angles are counted downwards from the horizontal.
    """
    k = Parameter("k", 8e5, min=1e3, max=1e6, unit="N/m")
    c = Parameter("c", 4e4, min=0, max=1e5, unit="N s/m")
    omega = Parameter("omega", 2 * math.pi, min=0, max=20, unit="rad/s")
    ball = Parameter("m", 5.0, min=0.1, max=20, unit="kg")
    thin, side, half = Fraction(1, 100), Fraction(1, 20), Fraction(1, 2)
    bodies = [
        Body("shaft", Revolute("z"), inertia=Box((thin, thin, 1), at=(0, 0, half), mass=Fraction(3, 10))),
        Body("slider", Prismatic("z"), inertia=Box((2 * side,) * 3, mass=3)),
    ]
    ends = []
    for name, axis, sign in (("right arm", "y", 1), ("left arm", "-y", -1)):
        rod = Box((1, thin, thin), at=(sign * half, 0, 0), mass=Fraction(3, 10))
        arm = Composite([rod, Point(at=(sign, 0, 0), mass=ball)])
        bodies.append(Body(name, Revolute(axis, at=(sign * side, 0, 1)), parent="shaft", inertia=arm))
        ends.append((("slider", (sign * side, 0, 0)), (name, (sign * half, 0, 0))))
    return Model(
        bodies,
        gravity=(0, 0, -gravity_slider()),
        forces=[
            *(Spring(*pair, stiffness=k, length=half) for pair in ends),
            *(Damper(*pair, damping=c) for pair in ends),
        ],
        state={"q": [0, half, PI / 6, PI / 6], "u": [omega, 0, 0, 0]},
        name="flyball governor",
    )
