"""Plane closed linkages: four-bars, the slider-crank, Andrews' squeezing mechanism."""

from __future__ import annotations

from typing import Any

from ..bodies import Body, ground
from ..constraints import PointConstraint
from ..forces import Effort, Spring
from ..guesses import answer_arguments
from ..joints import Prismatic, Revolute
from ..model import Model
from ..parameters import Parameter
from ..solids import Box, Cylinder, Rod
from .common import body_count, gravity_slider


@answer_arguments
def four_bar() -> Model:
    """A four-bar linkage that turns through: crank, coupler and rocker on a fixed base, closed by a pin.

    Grashof's condition holds at the default lengths: the crank makes full turns. One degree of freedom is left of
    three; the loop is a `PointConstraint`, of which the part across the plane is redundant.
    """
    m = Parameter("m", 1.0, min=0.1, max=10, unit="kg")
    crank, coupler = _length("l1", 0.5), _length("l2", 1.2)
    rocker, base = _length("l3", 1.0), _length("l4", 1.1)
    phi0 = Parameter("phi0", 1.2, min=-3.1, max=3.1, unit="rad")
    omega = Parameter("omega", 4.0, min=-20, max=20, unit="rad/s")
    return Model(
        [
            Body("crank", Revolute("z"), inertia=_bar(crank, m)),
            Body("coupler", Revolute("z", at=(crank, 0, 0)), inertia=_bar(coupler, 2 * m)),
            Body("rocker", Revolute("z", at=(base, 0, 0)), parent=ground, inertia=_bar(rocker, 2 * m)),
        ],
        gravity=(0, -gravity_slider(), 0),
        constraints=[PointConstraint(("coupler", (coupler, 0, 0)), ("rocker", (rocker, 0, 0)))],
        # closed at these lengths and this angle; elsewhere `simulate` closes the loop, starting from here
        state={
            "q": [phi0, 0.4488537985859115 - phi0, 1.407762079974128],
            "u": [omega, -1.1049960577975081 * omega, 0.41687404792186156 * omega],
        },
        name="four-bar linkage",
    )


@answer_arguments
def slider_crank() -> Model:
    """The slider-crank of every engine: crank and rod on pins, the piston guided by a prismatic joint.

    The loop closes where the rod's end meets the piston.
    """
    m = Parameter("m", 1.0, min=0.1, max=10, unit="kg")
    r, length = _length("r", 0.3), _length("l", 1.0)
    phi0 = Parameter("phi0", 0.6, min=-3.1, max=3.1, unit="rad")
    omega = Parameter("omega", 6.0, min=-20, max=20, unit="rad/s")
    return Model(
        [
            Body("crank", Revolute("z"), inertia=_bar(r, 2 * m)),
            Body("rod", Revolute("z", at=(r, 0, 0)), inertia=_bar(length, m)),
            Body("piston", Prismatic("x"), parent=ground, inertia=Box((0.2, 0.15, 0.15), mass=m)),
        ],
        gravity=(0, -gravity_slider(), 0),
        constraints=[PointConstraint(("rod", (length, 0, 0)), "piston")],
        # closed at these lengths and this angle; elsewhere `simulate` closes the loop, starting from here
        state={
            "q": [phi0, -0.170213474086752 - phi0, 1.2331493128781437],
            "u": [omega, -1.2512313216584321 * omega, -0.21194950447516683 * omega],
        },
        name="slider-crank",
    )


@answer_arguments
def n_four_bar(n: int = 2) -> Model:
    """n four-bar linkages in a row that share their vertical bars: the second IFToMM benchmark problem.

    Equal uniform bars, all vertical ones up at the start. Each time the bars lie flat the mechanism is singular and
    gains degrees of freedom for a moment; the motion goes on along its branch. The knee of the first bar starts at
    ``v0``. González et al., A benchmarking system for MBS simulation software, Multibody Syst. Dyn. 16 (2006).
    """
    m = Parameter("m", 1.0, min=0.1, max=10, unit="kg")
    length = Parameter("l", 1.0, min=0.1, max=3, unit="m")
    v0 = Parameter("v0", 1.0, min=0.1, max=10, unit="m/s")
    bodies = []
    for i in range(body_count(n) + 1):
        up = Rod(length, axis="y", at=(0, length / 2, 0), mass=m)
        bodies.append(Body(f"bar {i}", Revolute("z", at=(i * length, 0, 0)), parent=ground, inertia=up))
    for i in range(n):
        level = Rod(length, axis="x", at=(length / 2, 0, 0), mass=m)
        bodies.append(Body(f"link {i}", Revolute("z", at=(0, length, 0)), parent=f"bar {i}", inertia=level))
    return Model(
        bodies,
        gravity=(0, -gravity_slider(), 0),
        constraints=[
            PointConstraint((f"link {i}", (length, 0, 0)), (f"bar {i + 1}", (0, length, 0))) for i in range(n)
        ],
        state={"u": [-v0 / length] * (n + 1) + [v0 / length] * n},
        name=f"{n} four-bar linkages in a row",
    )


@answer_arguments
def andrews_squeezer() -> Model:
    """Andrews' squeezing mechanism: seven bodies, three loops through one pin, driven by a constant torque.

    Coordinates β, Θ, γ, Φ, δ, Ω, ε, numbers and start are those of the Test Set for IVP Solvers. Light and fast: it
    turns five times in thirty milliseconds.
    """
    torque = Parameter("M", 0.033, min=-0.1, max=0.1, unit="N m")
    xa, ya, xb, yb, xc, yc = -0.06934, -0.00227, -0.03635, 0.03273, 0.014, 0.072
    d, da, e, ea, rr, ra = 0.028, 0.0115, 0.02, 0.01421, 0.007, 0.00092
    ss, sa, sb, sc, sd = 0.035, 0.01874, 0.01043, 0.018, 0.02
    zt, ta, tb, u, ua, ub, zf, fa = 0.04, 0.02308, 0.00916, 0.04, 0.01228, 0.00449, 0.02, 0.01421
    A, B = (xa, ya, 0), (xb, yb, 0)
    bodies = [
        _plate("K1", (0, 0, 0), None, (ra, 0, 0), 0.04325, 2.194e-6),
        _plate("K2", (rr, 0, 0), "K1", (-da, 0, 0), 0.00365, 4.410e-7),
        _plate("K3", B, None, (sb, -sa, 0), 0.02373, 5.255e-6),
        _plate("K4", (zt, 0, 0), "K5", (0, ea - e, 0), 0.00706, 5.667e-7),
        _plate("K5", A, None, (ta, tb, 0), 0.07050, 1.169e-5),
        _plate("K6", (0, -u, 0), "K7", (zf - fa, 0, 0), 0.00706, 5.667e-7),
        _plate("K7", A, None, (-ub, -ua, 0), 0.05498, 1.912e-5),
    ]
    pin = ("K2", (-d, 0, 0))
    return Model(
        bodies,
        gravity=(0, 0, 0),
        forces=[
            Effort("K1", torque),
            Spring(("K3", (sd, -sc, 0)), (None, (xc, yc, 0)), stiffness=4530, length=0.07785),
        ],
        constraints=[
            PointConstraint(pin, ("K3", (0, -ss, 0))),
            PointConstraint(pin, ("K4", (0, -e, 0))),
            PointConstraint(pin, ("K6", (zf, 0, 0))),
        ],
        state={
            "q": [
                -0.0617138900142764496358948458001,
                0,
                0.455279819163070380255912382449,
                0.222668390165885884674473185609,
                0.487364979543842550225598953530,
                -0.222668390165885884674473185609,
                1.23054744454982119249735015568,
            ],
            "duration": 0.03,
        },
        name="Andrews' squeezing mechanism",
    )


def _length(name: str, value: float) -> Parameter:
    return Parameter(name, value, min=0.1, max=3, unit="m")


def _bar(length: Any, mass: Any) -> Cylinder:
    return Cylinder(0.02, length, axis="x", at=(length / 2, 0, 0), mass=mass)


def _plate(name: str, at: Any, parent: str | None, com: Any, mass: float, moment: float) -> Body:
    """A flat body that turns about z; it has no solid, and is drawn through its pins."""
    inertia = (moment / 2, moment / 2, moment)
    return Body(name, Revolute("z", at=at), parent=parent, mass=mass, com=com, inertia=inertia)
