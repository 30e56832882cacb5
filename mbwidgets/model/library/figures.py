"""Figures: trees with several branches."""

from __future__ import annotations

from typing import Any

from ..bodies import Body
from ..forces import Anchor, JointSpring, Spring
from ..guesses import answer_arguments
from ..joints import Planar, Revolute
from ..model import Model
from ..parameters import Parameter
from ..solids import Box, Cylinder, Ellipsoid

# Share of the body's mass; length as a share of its height; mass centre from the upper joint and radius of
# gyration at the mass centre, as shares of that length (Winter, Biomechanics and Motor Control of Human
# Movement, Table 4.1).
SEGMENTS = {
    "thigh": (0.100, 0.245, 0.433, 0.323),
    "shank": (0.061, 0.246, 0.606, 0.416),
    "upper arm": (0.028, 0.186, 0.436, 0.322),
    "forearm": (0.022, 0.146, 0.682, 0.468),
}
TRUNK, HEAD = 0.497, 0.081
TORSO = 0.288
"""From the hip to the shoulder, as a share of the height."""


@answer_arguments
def walking_figure() -> Model:
    """A walking person in the sagittal plane, x forward, z up: torso, head, two arms and two legs, ten
    bodies with twelve degrees of freedom, proportions after Winter's anthropometric table (feet belong to
    the shanks, hands to the forearms).

    It strides in the air: a spring from above carries the weight, as a harness over a treadmill does, and
    weak springs stand for the tendons. Angles count forward, about −y.
    """
    mass = Parameter("mass", 70.0, min=30, max=100, unit="kg")
    height = Parameter("height", 1.75, min=1.2, max=2.1, unit="m")
    harness = Parameter("k_harness", 4000.0, min=2000, max=20000, unit="N/m")
    tendon = Parameter("k_tendon", 30.0, min=0, max=200, unit="N m/rad")
    g = Parameter("g", 9.81, min=0, max=15, unit="m/s²")

    torso_box = Box((0.12 * height, 0.18 * height, TORSO * height), at=(0, 0, TORSO / 2 * height))
    head_ball = Ellipsoid((0.05 * height, 0.045 * height, 0.075 * height), at=(0, 0, 0.1 * height))
    bodies = [
        Body("torso", Planar("-y", at=(0, 0, 0.53 * height)), mass=TRUNK * mass, shape=torso_box),
        Body(
            "head",
            Revolute("-y", at=(0, 0, TORSO * height)),
            mass=HEAD * mass,
            shape=head_ball,
            parent="torso",
        ),
    ]
    for side, y in (("left", 0.06), ("right", -0.06)):
        hip, knee = (0, y * height, 0), (0, 0, -SEGMENTS["thigh"][1] * height)
        bodies.append(_segment("thigh", side, "torso", hip, 0.04, mass, height))
        bodies.append(_segment("shank", side, f"{side} thigh", knee, 0.03, mass, height))
    for side, y in (("left", 0.12), ("right", -0.12)):
        shoulder, elbow = (0, y * height, 0.97 * TORSO * height), (0, 0, -SEGMENTS["upper arm"][1] * height)
        bodies.append(_segment("upper arm", side, "torso", shoulder, 0.025, mass, height))
        bodies.append(_segment("forearm", side, f"{side} upper arm", elbow, 0.02, mass, height))

    above = (1.6 - 0.53 - TORSO) * height
    forces: list[Any] = [
        Spring(
            Anchor(None, (0, 0, 1.6 * height)),
            Anchor("torso", (0, 0, TORSO * height)),
            harness,
            above - mass * g / harness,
        ),
        JointSpring("head", 3 * tendon),
    ]
    for side in ("left", "right"):
        forces += [
            JointSpring(f"{side} thigh", tendon, rest=0.1),
            JointSpring(f"{side} shank", tendon, rest=-0.3),
            JointSpring(f"{side} upper arm", tendon / 4),
            JointSpring(f"{side} forearm", tendon / 4, rest=0.4),
        ]
    stride = [0, 0, 0.05, 0, 0.5, -0.2, -0.4, -0.5, -0.4, 0.3, 0.4, 0.6]
    return Model(bodies, gravity=(0, 0, -g), forces=forces, state={"q": stride}, name="walking figure")


def _segment(kind: str, side: str, parent: str, at: Any, radius: float, mass: Any, height: Any) -> Body:
    """One limb segment, hanging down from its joint."""
    share, length, centre, gyration = SEGMENTS[kind]
    along = length * height
    moment = share * mass * (gyration * along) ** 2
    return Body(
        f"{side} {kind}",
        Revolute("-y", at=at),
        mass=share * mass,
        com=(0, 0, -centre * along),
        inertia=(moment, moment, share * mass * (radius * height) ** 2 / 2),
        shape=Cylinder(radius * height, along, axis="z", at=(0, 0, -along / 2)),
        parent=parent,
    )
