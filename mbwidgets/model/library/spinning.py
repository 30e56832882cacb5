"""Things that spin: an unbalanced rotor, a gyroscope in gimbals, a top."""

from __future__ import annotations

from ..bodies import Body
from ..guesses import answer_arguments
from ..joints import Fixed, Revolute, Spherical
from ..model import Model
from ..parameters import Parameter
from ..solids import Composite, Cone, Cylinder, Sphere, Tube
from .common import gravity_slider, turn_about_x


@answer_arguments
def rotor() -> Model:
    """An unbalanced rotor on a horizontal shaft along z (Cajić and Lazarević, Fig. 3), gravity along −y.

    The mass centre is ``e`` off the axis (static unbalance) and ``Jxz`` tilts the principal axes (dynamic
    unbalance): with both zero the kinetic pressures on the bearing vanish. By hand, with ω = 100 rad/s and
    ω̇ = 5 rad/s²: static moment 0.2 kg m, deviation moment 0.04 kg m², kinetic force (−2000, 1, 0) N.
    """
    m = Parameter("m", 10.0, min=0.5, max=50, unit="kg")
    e = Parameter("e", 0.02, min=-0.1, max=0.1, unit="m")
    c = Parameter("c", 0.05, min=-0.3, max=0.3, unit="m")
    Jxz = Parameter("Jxz", -0.03, min=-0.1, max=0.1, unit="kg m²")  # the triangle inequality allows 0.114
    omega = Parameter("omega", 100.0, min=-300, max=300, unit="rad/s")
    shape = Composite(
        [
            Cylinder(0.02, 0.7, axis="z", at=(0, 0, 0.1)),
            Cylinder(0.16, 0.06, axis="z", at=(e, 0, c)),
            Sphere(0.03, at=(e + 0.13, 0, c + 0.03)),
        ]
    )
    return Model(
        [
            Body(
                "rotor",
                Revolute("z"),
                mass=m,
                com=(e, 0, c),
                inertia=((0.2, 0, Jxz), (0, 0.25, 0), (Jxz, 0, 0.1)),
                shape=shape,
            )
        ],
        gravity=(0, -gravity_slider(), 0),
        state={"q": [0], "u": [omega]},
        name="unbalanced rotor",
    )


@answer_arguments
def gyroscope() -> Model:
    """A gyroscope in two gimbals: the outer ring turns about the vertical z, the inner ring about y, the
    wheel about x.

    A weight fixed to the inner ring, at the end of the wheel's axis, makes it precess at about
    weight·g·arm / (J·spin), with nutation on top. Without the weight the axis keeps its direction.
    """
    weight = Parameter("weight", 0.5, min=0, max=3, unit="kg")
    spin = Parameter("spin", 60.0, min=-200, max=200, unit="rad/s")
    m = Parameter("m", 2.0, min=0.1, max=10, unit="kg")
    radius = Parameter("r", 0.2, min=0.05, max=0.22, unit="m")
    return Model(
        [
            Body("outer ring", Revolute("z"), inertia=Tube(0.36, 0.32, 0.03, axis="x", mass=0.6)),
            Body("inner ring", Revolute("y"), inertia=Tube(0.28, 0.25, 0.03, axis="z", mass=0.4)),
            Body("wheel", Revolute("x"), inertia=Cylinder(radius, 0.05, axis="x", mass=m)),
            Body("weight", Fixed(at=(0.3, 0, 0)), inertia=Sphere(0.03, mass=weight), parent="inner ring"),
        ],
        gravity=(0, 0, -gravity_slider()),
        state={"u": [0, 0, spin]},
        name="gyroscope in gimbals",
    )


@answer_arguments
def spinning_top() -> Model:
    """A heavy symmetric top: a cone on its tip, which a ball holds, with a stem that weighs nothing
    (Lagrange's case).

    It starts tilted, with a spin about its own axis only: the axis falls, then precesses in cusps.
    """
    m = Parameter("m", 0.5, min=0.05, max=5, unit="kg")
    radius = Parameter("r", 0.06, min=0.02, max=0.2, unit="m")
    height = Parameter("h", 0.1, min=0.03, max=0.3, unit="m")
    tilt = Parameter("tilt", 0.5, min=0, max=1.5, unit="rad")
    spin = Parameter("spin", 120.0, min=-400, max=400, unit="rad/s")
    cone = Cone(radius, height, axis="-z", at=(0, 0, height))
    stem = Cylinder(radius / 10, height / 2, axis="z", at=(0, 0, 5 * height / 4))
    mass, com, inertia = cone.properties(m)
    return Model(
        [Body("top", Spherical(), mass=mass, com=com, inertia=inertia, shape=Composite([cone, stem]))],
        gravity=(0, 0, -gravity_slider()),
        state={"q": turn_about_x(tilt), "u": [0, 0, spin]},
        name="spinning top",
    )
