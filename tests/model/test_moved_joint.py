"""A joint moved through its bodies: nothing moves at q = 0, and mechanics agrees with the parallel axis theorem."""

from __future__ import annotations

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.model.moved_joint import with_joint_moved

ARM = mb.library.three_body_arm()


def centres(model: mb.Model, q: np.ndarray) -> np.ndarray:
    """Mass centres in the world (n, 3)."""
    dynamics = mb.Dynamics(model)
    places, turns = dynamics.poses(q)
    x, y, z, w = turns.T
    out = []
    for k, body in enumerate(model.bodies):
        com = np.array([model.number(item) for item in body.com])
        v = np.array([x[k], y[k], z[k]])
        out.append(places[k] + com + 2 * np.cross(v, np.cross(v, com) + w[k] * com))
    return np.array(out)


@pytest.mark.parametrize("joint", ["base", "upper", "fore"])
def test_bodies_stay_where_they_are_when_a_joint_moves(joint: str) -> None:
    moved = with_joint_moved(ARM, joint, (0.2, -0.1, 0.3))
    rest = np.zeros(ARM.nq)
    assert centres(moved, rest) == pytest.approx(centres(ARM, rest), abs=1e-6)
    assert [moved.number(item) for item in moved.body(joint).joint.at] == pytest.approx([0.2, -0.1, 0.3], abs=1e-6)
    assert moved.values == ARM.values


def test_inertia_about_the_moved_axis_follows_from_huygens_and_steiner() -> None:
    rotor = mb.library.rotor()
    mass = rotor.number(rotor.bodies[0].mass)
    com = np.array([rotor.number(item) for item in rotor.bodies[0].com])
    before = mb.Dynamics(rotor).mass_matrix([0.0])[0, 0] - mass * (com[0] ** 2 + com[1] ** 2)
    onto = with_joint_moved(rotor, 0, com)
    assert mb.Dynamics(onto).mass_matrix([0.0])[0, 0] == pytest.approx(before, rel=1e-9)
    found = mb.mass_moments(onto, 0, (0, 0, 1))
    assert found.static.evaluate(q=[0.3], **onto.values) == pytest.approx(np.zeros(3), abs=1e-9)


def test_a_solid_and_the_points_of_springs_and_constraints_follow() -> None:
    box = mb.Body("box", joint=mb.Revolute("y"), inertia=mb.Box((0.4, 0.2, 0.1), at=(0.2, 0, 0), mass=2))
    tip = mb.Body("tip", joint=mb.Revolute("y", at=(0.4, 0, 0)), mass=1, com=(0.1, 0, 0), inertia=(0.01, 0.01, 0.01))
    spring = mb.Spring(("box", (0.4, 0, 0.05)), (None, (0.4, 0, 1)), stiffness=50)
    model = mb.Model(name="held", bodies=[box, tip], forces=[spring])
    moved = with_joint_moved(model, "box", (0.1, 0, 0.02))
    assert [float(x) for x in moved.forces[0].start.at] == pytest.approx([0.3, 0, 0.03])
    assert [float(x) for x in moved.forces[0].end.at] == [0.4, 0, 1]
    assert [moved.number(x) for x in moved.bodies[0].com] == pytest.approx([0.1, 0, -0.02])
    rest = np.zeros(2)
    assert mb.Dynamics(moved).energy(rest, rest) == pytest.approx(mb.Dynamics(model).energy(rest, rest), abs=1e-9)


def test_a_joint_that_stays_leaves_the_model_as_it_is() -> None:
    at = [ARM.number(item) for item in ARM.bodies[1].joint.at]
    assert with_joint_moved(ARM, 1, at) is ARM
