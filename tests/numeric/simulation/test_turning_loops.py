"""Planar loops on bases that turn: which of their equations are independent changes on the way.

The witness is the same four-bar with its two closing equations written in its own plane, which no turn of the base
changes: two expressions that are independent everywhere.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mbwidgets as mb

AXES: dict[str, Any] = {"x": "x", "y": "y", "z": "z", "oblique": (1, 2, 3), "in the plane": (1, 1, 0)}
IN_PLANE = (
    mb.EquationConstraint("l1*cos(q[1]) + l2*cos(q[1] + q[2]) - l4 - l3*cos(q[3])"),
    mb.EquationConstraint("l1*sin(q[1]) + l2*sin(q[1] + q[2]) - l3*sin(q[3])"),
)


def on_a_base(axis: Any, speed: float, constraints: Any = None, start: float = 0.0) -> mb.Model:
    """The library's four-bar on a heavy base that turns about an axis."""
    loop = mb.library.four_bar()
    base = mb.Body("base", mb.Revolute(axis), mass=3, com=(0.1, 0.2, 0.1), inertia=(1, 1.2, 0.9))
    parents = {"crank": "base", "coupler": "crank", "rocker": "base"}
    return loop.replace(
        bodies=[base, *(body.replace(parent=parents[body.name]) for body in loop.bodies)],
        constraints=loop.constraints if constraints is None else constraints,
        state={"q": [start, *loop.q0], "u": [speed, *loop.u0]},
    )


@pytest.mark.parametrize("speed", [0.0, 2.0, 20.0])
@pytest.mark.parametrize("axis", AXES)
def test_a_four_bar_on_a_turning_base_moves_as_its_plane_says(axis: str, speed: float) -> None:
    motion = mb.simulate(on_a_base(AXES[axis], speed), duration=3)
    witness = mb.simulate(on_a_base(AXES[axis], speed, IN_PLANE), duration=3)
    assert motion.outcome.ok, motion.outcome
    assert witness.outcome.ok, witness.outcome
    # the loop's tolerance of 1e-10 a step, a hundred to a thousand steps, and a mechanism that spreads errors
    np.testing.assert_allclose(motion.q, witness.q, atol=1e-7)
    assert motion.drift < 1e-9
    assert motion.constraint_residual.max() < 1e-14
    assert motion.closure.rank == 2


@pytest.mark.parametrize("start", [1e-12, 1e-10, 1e-8, 1e-6, np.pi / 2, np.pi - 1e-10])
def test_an_equation_that_has_just_begun_to_count_is_not_taken_for_an_independent_one(start: float) -> None:
    """Turned by so little, the row across the plane is one of the others, blurred by rounding."""
    motion = mb.simulate(on_a_base("y", 2.0, start=start), duration=1)
    witness = mb.simulate(on_a_base("y", 2.0, IN_PLANE, start=start), duration=1)
    assert motion.outcome.ok, motion.outcome
    assert motion.closure.rank == 2
    np.testing.assert_allclose(motion.q, witness.q, atol=1e-8)


@pytest.mark.parametrize("method", ["rk4", "radau", "bdf"])
def test_every_method_follows_a_loop_on_a_turning_base(method: str) -> None:
    motion = mb.simulate(on_a_base((1, 2, 3), 2.0), duration=1, method=method, rtol=1e-8)
    witness = mb.simulate(on_a_base((1, 2, 3), 2.0, IN_PLANE), duration=1)
    assert motion.outcome.ok, motion.outcome
    np.testing.assert_allclose(motion.q, witness.q, atol=1e-5)


@pytest.mark.parametrize("stabilise", ["baumgarte", "none"])
def test_drift_control_does_not_matter_on_a_turning_base(stabilise: str) -> None:
    motion = mb.simulate(on_a_base("y", 2.0), duration=1, stabilise=stabilise)
    witness = mb.simulate(on_a_base("y", 2.0, IN_PLANE), duration=1)
    assert motion.outcome.ok, motion.outcome
    np.testing.assert_allclose(motion.q, witness.q, atol=1e-7)


def test_accelerations_and_reactions_on_a_turning_base_are_those_of_the_plane() -> None:
    motion = mb.simulate(on_a_base("y", 5.0), duration=1)
    dynamics = mb.Dynamics(on_a_base("y", 5.0, IN_PLANE))
    for k in (0, 20, 40, 60):
        np.testing.assert_allclose(motion.ud[k], dynamics.forward(motion.q[k], motion.u[k]), rtol=1e-9, atol=1e-9)
    # the base's shaft carries what the base and the bars need to accelerate, whichever equations the pin is written in
    held = dynamics.reactions(motion.q[40], motion.u[40], motion.ud[40])
    np.testing.assert_allclose(motion.reactions("base")[40], held[0], atol=1e-8 * abs(held).max())


def test_a_motion_on_a_turning_base_is_the_same_at_every_rate() -> None:
    """The choice among redundant equations is made at the ends of steps, not of frames."""
    slow, fast = (mb.simulate(on_a_base("y", 2.0), duration=2, rate=rate) for rate in (8, 4096))
    assert np.array_equal(slow.q, fast.q[::512])
