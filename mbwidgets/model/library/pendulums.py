"""Pendulums: rods on pins, on a cart, on balls."""

from __future__ import annotations

from ..bodies import Body
from ..guesses import answer_arguments
from ..joints import Prismatic, Revolute, Spherical
from ..model import Model
from ..parameters import Parameter
from ..solids import Box, Cylinder, Rod
from .common import body_count, gravity_slider, turn_about_x


@answer_arguments
def pendulum(n: int = 1) -> Model:
    """n equal thin rods, one below the other, on parallel pins along y.

    Released at rest, straight, at the angle ``phi0`` from the vertical. One rod swings as textbooks say, two
    are the double pendulum, many are a chain; from two on the motion is chaotic.
    """
    m = Parameter("m", 1.0, min=0.05, max=10, unit="kg")
    length = Parameter("l", 1.0, min=0.1, max=3, unit="m")
    phi0 = Parameter("phi0", 2.0, min=-3.1, max=3.1, unit="rad")
    rod = Rod(length, axis="z", at=(0, 0, -length / 2), mass=m)
    bodies = [
        Body(f"rod {i + 1}", Revolute("y", at=(0, 0, 0 if i == 0 else -length)), inertia=rod)
        for i in range(body_count(n))
    ]
    return Model(
        bodies,
        gravity=(0, 0, -gravity_slider()),
        state={"q": [phi0] + [0] * (n - 1)},
        name="pendulum" if n == 1 else f"pendulum of {n} rods",
    )


@answer_arguments
def cart_pendulum() -> Model:
    """A cart that rolls along x without friction, and a rod on a pin along y that hangs from it."""
    m = Parameter("m", 1.0, min=0.05, max=10, unit="kg")
    cart = Parameter("m_cart", 3.0, min=0.1, max=20, unit="kg")
    length = Parameter("l", 1.0, min=0.1, max=3, unit="m")
    phi0 = Parameter("phi0", 2.5, min=-3.1, max=3.1, unit="rad")
    return Model(
        [
            Body("cart", Prismatic("x"), inertia=Box((0.5, 0.3, 0.2), mass=cart)),
            Body("rod", Revolute("y"), inertia=Cylinder(0.02, length, axis="z", at=(0, 0, -length / 2), mass=m)),
        ],
        gravity=(0, 0, -gravity_slider()),
        state={"q": [0, phi0]},
        name="pendulum on a cart",
    )


@answer_arguments
def spherical_chain(n: int = 3) -> Model:
    """n equal rods joined by balls, hung from a ball: the chains whose permanent rotations Chebanov and
    Khlistunova study.

    All start straight, ``tilt`` from the vertical, and turn together about it at ``omega``.
    """
    m = Parameter("m", 1.0, min=0.05, max=10, unit="kg")
    length = Parameter("l", 1.0, min=0.1, max=3, unit="m")
    radius = Parameter("r", 0.03, min=0.01, max=0.2, unit="m")
    tilt = Parameter("tilt", 0.8, min=-1.5, max=1.5, unit="rad")
    omega = Parameter("omega", 3.0, min=-10, max=10, unit="rad/s")
    rod = Cylinder(radius, length, axis="z", at=(0, 0, -length / 2), mass=m)
    bodies = [
        Body(f"rod {i + 1}", Spherical(at=(0, 0, 0 if i == 0 else -length)), inertia=rod) for i in range(body_count(n))
    ]
    turned = turn_about_x(tilt)
    sine, cosine = 2 * turned[0] * turned[3], 1 - 2 * turned[0] ** 2
    return Model(
        bodies,
        gravity=(0, 0, -gravity_slider()),
        # ω z in the axes of a body that is turned by the tilt about x: ω (0, sin, cos)
        state={
            "q": [*turned, *(0, 0, 0, 1) * (n - 1)],
            "u": [0, omega * sine, omega * cosine] + [0] * (3 * (n - 1)),
        },
        name=f"chain of {n} rods on balls",
    )
