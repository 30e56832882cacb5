"""Efforts that hold a pose, and the rule by which a machine lacks its drives."""

from __future__ import annotations

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.numeric.simulation.holding import drives_of, undriven_slides


def machine(*joints: mb.Joint, forces: object = ()) -> mb.Model:
    bodies = [
        mb.Body(f"part {k}", joint, mass=2, com=(0.1, 0, 0.05), inertia=(0.02, 0.03, 0.04))
        for k, joint in enumerate(joints)
    ]
    return mb.Model(bodies, forces=forces)


LIFT, TURN, SWING = mb.Prismatic("z"), mb.Revolute("z"), mb.Revolute("x", at=(0.3, 0, 0))


@pytest.mark.parametrize("name", ["three_body_arm", "spherical_chain", "gyroscope", "opnchain_manipulator"])
def test_a_mechanism_at_rest_that_is_held_stays_where_it_is(name: str) -> None:
    model = getattr(mb.library, name)()
    motion = mb.simulate(model, u=np.zeros(model.nv), tau=mb.hold(model), duration=3)
    assert motion.outcome.ok
    assert abs(motion.q - motion.q[0]).max() < 1e-9, "what the weight asks for is what the drives give"


def test_what_is_pushed_comes_back_to_the_pose_that_is_held() -> None:
    model = mb.library.three_body_arm()
    pose = [0.2, -0.3, 0.5]
    motion = mb.simulate(model, q=[0.4, -0.6, 1.1], tau=mb.hold(model, q=pose), duration=10)
    assert abs(motion.q[0] - pose).max() > 0.1
    assert abs(motion.q[-1] - pose).max() < 1e-6


def test_a_ball_is_turned_back() -> None:
    model = mb.library.spinning_top()
    away = np.array([np.sin(0.2), 0, 0, np.cos(0.2)])
    motion = mb.simulate(model, q=away, u=[0, 0, 0], tau=mb.hold(model, q=[0, 0, 0, 1]), duration=10)
    assert abs(motion.q[-1, :3]).max() < 1e-6


def test_the_manipulator_stands_on_its_drives_and_they_are_no_part_of_it() -> None:
    model = mb.library.opnchain_manipulator()
    assert undriven_slides(model) == ("lift", "reach")
    motion = mb.simulate(model, tau=drives_of(model))
    assert abs(motion.q[:, 0]).max() < 0.01, "m; alone it falls 490 m"
    assert np.ptp(motion.q[:, 4]) > 1, "the wrist swings as it did"
    assert motion.model is model
    assert motion.drift < 1e-8
    assert motion.efforts is not None
    assert motion.efforts[0, 0] == pytest.approx(500 * 9.81)


@pytest.mark.parametrize(
    ("model", "slides"),
    [
        (machine(LIFT, TURN, SWING), ("part 0",)),
        (machine(mb.Cylindrical("z"), mb.Prismatic("x"), SWING), ("part 0", "part 1")),
        (machine(mb.Prismatic((1, 0, 1)), TURN, SWING), ("part 0",)),
        (machine(LIFT), ()),
        (machine(LIFT, SWING), ()),
        (machine(mb.Prismatic("x"), TURN, SWING), ()),
        (machine(mb.Free(), TURN, SWING), ()),
        (machine(LIFT, TURN, SWING, forces=[mb.JointSpring("part 0", 900)]), ()),
        (machine(LIFT, TURN, SWING, forces=[mb.Effort("part 0", 58.86)]), ()),
        (machine(LIFT, TURN, SWING, forces=[mb.Spring((None, (0, 0, 2)), "part 1", stiffness=900)]), ()),
        (machine(LIFT, TURN, SWING).replace(gravity=(0, 0, 0)), ()),
    ],
    ids=[
        "a lift",
        "a lift that turns, with a reach",
        "an inclined lift",
        "a block",
        "a cart with a pendulum",
        "a level slide",
        "a free body",
        "a lift on a spring",
        "a driven lift",
        "a lift on a rope",
        "no gravity",
    ],
)
def test_only_the_lift_of_a_machine_that_nothing_carries_lacks_its_drive(
    model: mb.Model, slides: tuple[str, ...]
) -> None:
    assert undriven_slides(model) == slides


def test_no_other_mechanism_of_the_library_lacks_a_drive() -> None:
    found = {name for name in mb.library.names() if undriven_slides(getattr(mb.library, name)())}
    assert found == {"opnchain_manipulator"}


def test_one_drive_holds_a_closed_loop_where_it_is() -> None:
    """Its effort carries the whole weight of the loop, though others could share it."""
    bars = mb.library.four_bar()
    motion = mb.simulate(bars, u=[0, 0, 0], tau=mb.hold(bars, "crank"), duration=3)
    assert abs(motion.q - bars.q0).max() < 1e-8


def test_a_pose_may_be_given_by_joint() -> None:
    cart = mb.library.cart_pendulum()
    assert mb.hold(cart, q={"rod": 1.0}) == mb.hold(cart, q=[0.0, 1.0])
    assert list(mb.hold(cart, "cart")) == ["cart"]


def test_a_pose_that_a_loop_cannot_have_is_closed_or_refused() -> None:
    bars = mb.library.four_bar()
    near = bars.q0 + np.array([0.0, 0.01, 0.0])
    motion = mb.simulate(mb.assemble(bars, near), u=[0, 0, 0], tau=mb.hold(bars, q=near), duration=2)
    assert abs(motion.q - motion.q[0]).max() < 1e-8
    torn = bars.with_values(l4=2.9)
    with pytest.raises(mb.StateError, match=r"hold: .*constraints"):
        mb.hold(torn)
