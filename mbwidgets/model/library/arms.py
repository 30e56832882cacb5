"""Arms and manipulators, without motors: they fall and swing as passive mechanisms."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ..bodies import Body
from ..forces import JointSpring
from ..guesses import answer_arguments
from ..joints import Cylindrical, Fixed, Prismatic, Revolute
from ..model import Model
from ..parameters import Parameter
from ..solids import Box, Composite, Cylinder, Sphere
from .common import gravity_slider


@answer_arguments
def three_body_arm() -> Model:
    """Three bodies on revolute joints whose axes z, x, y are orthogonal and do not meet (Cajić and Lazarević,
    Figs 2 and 4): the example on which the paper shows rotators and joint reactions."""
    m1, m2, m3 = (
        Parameter(name, value, min=0.1, max=20, unit="kg") for name, value in (("m1", 8.0), ("m2", 5.0), ("m3", 3.0))
    )
    length = Parameter("l2", 0.6, min=0.1, max=1.5, unit="m")
    column = Composite([Cylinder(0.05, 0.56, at=(0, 0, 0.28)), Cylinder(0.045, 0.12, axis="x", at=(0.06, 0, 0.5))])
    upper = Composite(
        [
            Box((0.05, length, 0.08), at=(0, length / 2, 0)),
            Cylinder(0.052, 0.055, axis="x"),
            Cylinder(0.04, 0.05, axis="x", at=(0, length, 0)),
            Box((0.05, 0.05, 0.11), at=(0, length - 0.078, 0.055)),
            Cylinder(0.036, 0.05, axis="y", at=(0, length - 0.078, 0.1)),
        ]
    )
    fore = Composite(
        [
            Cylinder(0.036, 0.1, axis="y"),
            Box((0.3, 0.04, 0.05), at=(0.15, 0.03, -0.055)),
            Cylinder(0.02, 0.05, axis="z", at=(0.3, 0.03, -0.055)),
        ]
    )
    return Model(
        [
            Body(
                "base",
                Revolute("z"),
                mass=m1,
                com=(0.02, 0.04, 0.25),
                inertia=(0.193333, 0.193333, 0.053333, -0.01, 0.02, -0.015),
                shape=column,
            ),
            Body(
                "upper",
                Revolute("x", at=(0.15, 0, 0.5)),
                mass=m2,
                com=(0.03, 0.25, 0.04),
                inertia=(0.154167, 0.010167, 0.156, -0.01, -0.002, 0.005),
                shape=upper,
            ),
            Body(
                "fore",
                Revolute("y", at=(0, length, 0.1)),
                mass=m3,
                com=(0.15, 0.03, -0.06),
                inertia=(0.005, 0.025, 0.025, 0.002, -0.003, -0.001),
                shape=fore,
            ),
        ],
        gravity=(0, 0, -gravity_slider()),
        state={"q": [0.4, -0.6, 1.1], "u": [2.0, -1.5, 3.0]},
        name="three-body arm",
    )


@answer_arguments
def opnchain_manipulator(held: bool = False) -> Model:
    """The five-axis manipulator of the Multibody Systems Handbook (1990), as Marković and Obradović compute
    it with OPNCHAIN; all numbers are exact.

    Lift along z, turn about z, reach along y, then a wrist about y and x; the bodies of the lift and of the
    reach are massless. Nothing carries the weight: the lift falls. With ``held`` a spring carries it and
    another keeps the reach, so that the motion stays in view; the metric and the potential of gravity are
    the same.
    """
    half, twentieth = Fraction(1, 2), Fraction(1, 20)
    g = gravity_slider()
    bodies = [
        Body("lift", Prismatic("z"), shape=Cylinder(0.08, 1, axis="z", at=(0, 0, -half)), **_massless()),
        Body("turn", Revolute("z"), mass=250, com=(0, 0, 0), inertia=(90, 10, 90), shape=Box((0.3, 0.8, 0.3))),
        Body("reach", Prismatic("y"), shape=Box((0.1, 0.6, 0.1), at=(0, 0, 0)), **_massless()),
        Body(
            "wrist",
            Revolute("y"),
            mass=150,
            com=(0, 0, 0),
            inertia=(13, Fraction(3, 4), 13),
            shape=Cylinder(0.1, 1, axis="y"),
        ),
        Body(
            "hand",
            Revolute("x", at=(0, half, 0)),
            mass=100,
            com=(0, twentieth, 0),
            inertia=(4, 1, Fraction(43, 10)),
            shape=Box((0.2, 0.5, 0.15), at=(0, twentieth, 0)),
        ),
    ]
    forces = []
    if held:
        lift = Parameter("k_lift", 20000, min=5000, max=100000, unit="N/m")
        reach = Parameter("k_reach", 2000, min=100, max=20000, unit="N/m")
        forces = [JointSpring("lift", lift, rest=500 * g / lift), JointSpring("reach", reach, rest=half)]
    return Model(
        bodies,
        gravity=(0, 0, -g),
        forces=forces,
        state={"q": [0, 0, half, Fraction(2, 5), Fraction(3, 5)], "u": [0, Fraction(1, 2), 0, 1, -1]},
        name="five-axis manipulator",
    )


@answer_arguments
def scara() -> Model:
    """A SCARA: two links about vertical axes, and a quill that slides and turns along z (a cylindrical
    joint, as its ball-screw spline is), with a payload fixed to its end. Dimensions and masses are plausible
    for a small machine, not of one make.

    A balance spring carries the weight; it starts stretched, so the quill bobs while the arm whirls.
    """
    l1 = Parameter("l1", 0.325, min=0.1, max=0.8, unit="m")
    l2 = Parameter("l2", 0.275, min=0.1, max=0.8, unit="m")
    m1 = Parameter("m1", 6.0, min=0.5, max=20, unit="kg")
    m2 = Parameter("m2", 4.0, min=0.5, max=20, unit="kg")
    m3 = Parameter("m3", 1.2, min=0.1, max=10, unit="kg")
    payload = Parameter("payload", 0.5, min=0, max=5, unit="kg")
    stiffness = Parameter("k", 60.0, min=20, max=500, unit="N/m")
    g = gravity_slider()
    return Model(
        [
            Body(
                "inner link",
                Revolute("z", at=(0, 0, 0.4)),
                inertia=Box((l1 + 0.1, 0.12, 0.1), at=(l1 / 2, 0, 0), mass=m1),
            ),
            Body(
                "outer link",
                Revolute("z", at=(l1, 0, 0.1)),
                inertia=Box((l2 + 0.1, 0.1, 0.1), at=(l2 / 2, 0, 0), mass=m2),
            ),
            Body(
                "quill",
                Cylindrical("z", at=(l2, 0, 0)),
                inertia=Cylinder(0.015, 0.4, axis="z", at=(0, 0, -0.05), mass=m3),
            ),
            Body("payload", Fixed(at=(0.03, 0, -0.27)), inertia=Box((0.12, 0.05, 0.04), mass=payload)),
        ],
        gravity=(0, 0, -g),
        forces=[JointSpring("quill", stiffness, rest=(m3 + payload) * g / stiffness)],
        state={"q": [0, 0.5, 0.08, 0], "u": [2.0, -3.0, 0, 6.0]},
        name="SCARA",
    )


@answer_arguments
def six_axis_arm() -> Model:
    """A six-axis arm with the geometry and inertias published for the PUMA 560 (Armstrong, Khatib and Burdick
    1986; Corke and Armstrong-Hélouvry 1994), re-expressed in zero-pose axes, without motors and gears.

    Differences: the largest moment of link 3 is 0.078 instead of 0.086 kg m², which no body can have beside
    the other two (0.066 and 0.0125); link 1, of which only the moment about its own axis is known, has a
    mass of 13 kg on that axis, where it changes no motion. At zero the upper arm lies along x and the
    forearm points up. A ball of mass ``payload`` is fixed to the flange: its row of the reactions is the
    load of the grip. Springs stand for the motors' hold: without them (``k_arm`` and ``k_wrist`` zero) the
    arm falls and its light wrist whirls.
    """
    payload = Parameter("payload", 1.0, min=0, max=5, unit="kg")
    m2 = Parameter("m2", 17.4, min=1, max=40, unit="kg")
    m3 = Parameter("m3", 4.8, min=0.5, max=20, unit="kg")
    arm = Parameter("k_arm", 150.0, min=0, max=1000, unit="N m/rad")
    wrist_hold = Parameter("k_wrist", 3.0, min=0, max=50, unit="N m/rad")
    trunk = Composite(
        [Cylinder(0.08, 0.6, axis="z", at=(0, 0, -0.3)), Cylinder(0.09, 0.26, axis="y", at=(0, -0.05, 0))]
    )
    upper = Composite(
        [Box((0.46, 0.1, 0.16), at=(0.2, -0.2275, 0)), Cylinder(0.09, 0.1, axis="y", at=(0.4318, -0.2275, 0))]
    )
    fore = Composite(
        [Cylinder(0.07, 0.1, axis="y", at=(0, -0.14, 0)), Box((0.1, 0.09, 0.36), at=(0.0203, -0.15, 0.18))]
    )
    wrist = Composite(
        [Cylinder(0.035, 0.08, axis="z", at=(0, 0, 0.39)), Cylinder(0.03, 0.09, axis="y", at=(0, 0, 0.4318))]
    )
    links: list[tuple[str, Any, Any, Any, Any, Any, Any]] = [
        ("trunk", "z", (0, 0, 0.672), 13, (0, 0, 0), (0.175, 0.175, 0.35), trunk),
        ("upper arm", "-y", (0, 0, 0), m2, (0.068, -0.2275, 0.006), (0.13, 0.539, 0.524), upper),
        ("forearm", "-y", (0.4318, 0, 0), m3, (0, -0.16415, 0.07), (0.066, 0.078, 0.0125), fore),
        ("wrist", "z", (0.0203, -0.15005, 0), 0.82, (0, 0, 0.4508), (0.0018, 0.0018, 0.0013), wrist),
        ("hand", "-y", (0, 0, 0.4318), 0.34, (0, 0, 0), (0.0003, 0.0004, 0.0003), Sphere(0.03)),
        (
            "flange",
            "z",
            (0, 0, 0),
            0.09,
            (0, 0, 0.032),
            (0.00015, 0.00015, 0.00004),
            Cylinder(0.025, 0.06, at=(0, 0, 0.03)),
        ),
    ]
    bodies = [
        Body(name, Revolute(axis, at=at), mass=mass, com=com, inertia=inertia, shape=shape)
        for name, axis, at, mass, com, inertia, shape in links
    ]
    bodies.append(Body("payload", Fixed(at=(0, 0, 0.1)), inertia=Sphere(0.04, mass=payload)))
    return Model(
        bodies,
        gravity=(0, 0, -gravity_slider()),
        forces=[
            JointSpring("upper arm", arm, rest=0.9),
            JointSpring("forearm", arm / 3, rest=-0.6),
            *(JointSpring(joint, wrist_hold) for joint in ("wrist", "hand", "flange")),
        ],
        state={"q": [0, 0.6, -0.9, 0.3, 0.5, 0], "u": [1.5, 0, 0, 0, 0, 2.0]},
        name="six-axis arm",
    )


def _massless() -> dict[str, Any]:
    return {"mass": 0, "com": (0, 0, 0), "inertia": (0, 0, 0)}
