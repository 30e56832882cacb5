"""Free-body diagrams close: the forces that are drawn on a body add up to m a_C."""

from __future__ import annotations

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.scene.quantities.free_body_quantities import free_body_vectors, holds_moments
from mbwidgets.scene.quantities.motion_quantities import arrows_of, find_quantity
from mbwidgets.scene.quantities.registry import Drawn

CLOSES = 1e-9
"""Relative to the largest force on the body: what is smaller than this is left out as no force, and sums of a few
terms, multipliers of a linear system among them, round far below it."""


def forces_on(motion: mb.Motion, index: int) -> list[Drawn]:
    return [arrow for key in free_body_vectors(motion.model) for arrow in arrows_of(find_quantity(key), motion, index)]


def assert_closed(motion: mb.Motion) -> None:
    model = motion.model
    for index, body in enumerate(model.bodies):
        drawn = [arrow.value for arrow in forces_on(motion, index)]
        moved = model.number(body.mass) * find_quantity("acceleration").values(motion, index)
        size = max(np.abs(value).max() for value in (*drawn, moved))
        assert np.abs(sum(drawn) - moved).max() <= CLOSES * size, body.name


def driven_by_all() -> mb.Model:
    """A slide on a turning arm with a rod on it: a drive, a spring, a damper and a force in body axes besides."""
    return mb.Model(
        [
            mb.Body("arm", mb.Revolute("z"), mass=2, com=(0.4, 0, 0.1), inertia=(0.1, 0.2, 0.3)),
            mb.Body("slide", mb.Prismatic((1, 1, 0), at=(0.5, 0, 0)), mass=1, com=(0, 0.1, 0), inertia=(0.1, 0.1, 0.1)),
            mb.Body("rod", mb.Revolute("y", at=(0, 0, 0.2)), mass=1, com=(0, 0, -0.3), inertia=(0.1, 0.1, 0.1)),
        ],
        forces=[
            mb.Effort("slide", "2 + t"),
            mb.JointFriction("slide", viscous=0.3),
            mb.Spring((None, (1, 1, 0)), ("rod", (0, 0, -0.5)), stiffness=50, length=0.5),
            mb.Damper(("arm", (0.2, 0, 0)), ("slide", (0, 0, 0.1)), damping=4),
            mb.Force("rod", ("3*cos(t)", 1, 0), at=(0, 0, -0.4), axes="body"),
            mb.Torque("rod", (0, 0, 2)),
        ],
    )


def driven_by_what_varies() -> mb.Model:
    """The same in a field of gravity that changes, with a spring that does."""
    model = driven_by_all()
    spring = mb.Spring((None, (0, 1, 1)), ("slide", (0, 0, 0)), stiffness="20 + 5*t", length="0.1*q[rod]")
    return model.replace(forces=[*model.forces, spring, mb.Gravity((0, "sin(t)", "q[arm]"))])


def driven_slider_crank() -> mb.Model:
    crank = mb.library.slider_crank()
    return crank.replace(forces=[*crank.forces, mb.Effort("piston", "5*sin(t) - 2*u[2]")])


@pytest.mark.parametrize("name", mb.library.names())
def test_the_forces_drawn_on_any_body_of_the_library_add_up_to_its_mass_times_acceleration(name: str) -> None:
    model = getattr(mb.library, name)()
    assert_closed(mb.simulate(model, duration=None if model.duration else 1))


@pytest.mark.parametrize("make", [driven_by_all, driven_by_what_varies, driven_slider_crank])
def test_springs_dampers_loads_and_driven_slides_are_among_them_constraints_or_not(make) -> None:
    assert_closed(mb.simulate(make(), duration=1))


def test_a_machine_that_drives_hold_stands_on_them() -> None:
    model = mb.library.opnchain_manipulator()
    motion = mb.simulate(model, tau=mb.hold(model), duration=0.5)
    assert_closed(motion)
    assert "Q_F" in [arrow.label for arrow in forces_on(motion, 0)]


def test_an_arrow_tells_its_joint_or_its_force_and_stands_where_it_acts() -> None:
    motion = mb.simulate(driven_by_all(), duration=0.2)
    labels = [[arrow.label for arrow in forces_on(motion, index)] for index in range(3)]
    assert labels == [
        ["F_R", "−F_R2", "F_a4", "−Q_F2", "G"],
        ["F_R", "−F_R3", "F_a4", "Q_F", "G"],
        ["F_R", "F_a3", "F_a5", "G"],
    ]
    spring = forces_on(motion, 2)[1]
    assert spring.begin == pytest.approx(motion.point("rod", (0, 0, -0.5)).position, abs=1e-12)
    stretched = np.array([1.0, 1.0, 0.0]) - spring.begin
    length = np.linalg.norm(stretched, axis=1, keepdims=True)
    # by hand: k (d − length) towards the other end
    assert spring.value == pytest.approx(50 * (length - 0.5) * stretched / length, rel=1e-11, abs=1e-11)


def test_what_a_constraint_or_a_drive_does_not_do_has_no_arrow() -> None:
    circle = mb.simulate(mb.library.body_on_circle(), duration=0.5)  # its second constraint only turns
    assert [arrow.label for arrow in forces_on(circle, 0)] == ["R₁", "G"]
    cart = mb.simulate(mb.library.cart_pendulum(), duration=0.5)  # nothing drives the slide
    assert [arrow.label for arrow in forces_on(cart, 0)] == ["F_R", "−F_R2", "G"]


def test_moments_are_worth_drawing_where_a_joint_may_hold_one() -> None:
    spatial = {name: holds_moments(getattr(mb.library, name)()) for name in mb.library.names()}
    assert [spatial[name] for name in ("three_body_arm", "gyroscope")] == [True] * 2
    assert [spatial[name] for name in ("four_bar", "pendulum", "spinning_top")] == [False] * 3
    # a plane motion, and yet: the mass of the rotor is not balanced in its plane
    assert spatial["rotor"]
    for name, drawn in spatial.items():
        motion = mb.simulate(getattr(mb.library, name)(), duration=0.2)
        slides = any(c.kind == "translation" for body in motion.model.bodies for c in body.joint.columns())
        forces, moments = (
            max(float(np.abs(motion.reactions(k)[:, part]).max()) for k in range(len(motion.model.bodies)))
            for part in (slice(0, 3), slice(3, 6))
        )
        # where none is drawn there is none, but for what holds a slide upright
        assert drawn or slides or moments < 1e-6 * forces, name
