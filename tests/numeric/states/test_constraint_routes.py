"""Constraints at one state: three routes, the compiled solution, the papers' values."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.errors import StateError
from mbwidgets.model.displacement import displaced_coordinates
from mbwidgets.numeric.kernels.memory_layout import RANK
from mbwidgets.numeric.states.constraint_routes import ROUTES, ConstrainedSystem

DATA = Path(__file__).parents[2] / "data"
MODELS = ("four_bar", "slider_crank", "body_on_circle", "bricard", "andrews_squeezer", "n_four_bar")


def reference(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((DATA / f"{name}.json").read_text())
    return loaded


def held_state(name: str) -> tuple[mb.Model, np.ndarray, np.ndarray]:
    """A model a while after its start: a state on the constraints that nobody chose."""
    model = getattr(mb.library, name)()
    long = 0.01 if name == "andrews_squeezer" else 0.4
    motion = mb.simulate(model, duration=long)
    return model, motion.q[-1], motion.u[-1]


@pytest.mark.parametrize("name", MODELS)
def test_three_routes_and_the_compiled_one_agree(name: str, rng: np.random.Generator) -> None:
    model, q, u = held_state(name)
    dynamics, tau = mb.Dynamics(model), rng.normal(size=model.nv)
    scale = 1e-4 if name == "andrews_squeezer" else 1.0
    states = [dynamics.constraints(q, u, scale * tau, 0.3, route=route) for route in ROUTES]
    held = ConstrainedSystem(model).system
    rank = states[0].rank
    held.packed.model[RANK] = rank
    assert held.observe(0.3, q, u, scale * tau)
    compiled = held.derivative[model.nq : model.nq + model.nv]
    size = 1 + abs(compiled).max()
    force = 1 + abs(states[0].wrench).max()
    for state in states:
        np.testing.assert_allclose(state.accelerations, compiled, atol=1e-10 * size)
        np.testing.assert_allclose(state.wrench, held.jacobian.T @ held.multiplier, atol=1e-10 * force)
        np.testing.assert_allclose(state.L_lambda @ state.L_tau, 0, atol=1e-12)
        np.testing.assert_allclose(state.L_lambda.T @ state.multipliers, state.wrench, atol=1e-10 * force)
        assert (state.rank, state.freedom) == (rank, model.nv - rank)


@pytest.mark.parametrize("name", MODELS)
def test_the_jacobian_is_the_slope_of_the_residual(name: str, rng: np.random.Generator) -> None:
    model, q, u = held_state(name)
    system = ConstrainedSystem(model).system
    system.observe(0.0, q, u)
    J, rate = system.jacobian.copy(), system.rate.copy()
    v, step = rng.normal(size=model.nv), 1e-5
    slope = (
        system.residual(0.0, displaced_coordinates(model, q, step * v))
        - system.residual(0.0, displaced_coordinates(model, q, -step * v))
    ) / (2 * step)
    # central differences: 1e-10 from the step, 1e-11 from rounding
    np.testing.assert_allclose(J @ v, slope, atol=1e-8 * (1 + abs(J).max()))
    np.testing.assert_allclose(rate, J @ u, atol=1e-12 * (1 + abs(u).max()))


@pytest.mark.parametrize("name", MODELS)
def test_efforts_give_back_the_accelerations_that_they_are_for(name: str, rng: np.random.Generator) -> None:
    model, q, u = held_state(name)
    dynamics = mb.Dynamics(model)
    scale = 1e-4 if name == "andrews_squeezer" else 1.0
    ud = dynamics.forward(q, u, scale * rng.normal(size=model.nv))
    tau = dynamics.inverse(q, u, ud)
    np.testing.assert_allclose(dynamics.forward(q, u, tau), ud, atol=1e-9 * (1 + abs(ud).max()))


def test_accelerations_beside_the_constraints_are_refused() -> None:
    model = mb.library.four_bar()
    ud = mb.Dynamics(model).forward(model.q0, model.u0)
    with pytest.raises(StateError, match=r"constraint 0 \(point\)"):
        mb.Dynamics(model).inverse(model.q0, model.u0, ud + np.array([0, 0, 1.0]))


def test_an_unknown_route_is_refused() -> None:
    model = mb.library.four_bar()
    with pytest.raises(StateError, match="null_space"):
        mb.Dynamics(model).constraints(model.q0, model.u0, route="nullspace")


def test_the_joints_of_a_loop_carry_the_published_reactions() -> None:
    """A driven slider-crank against its free-body diagrams, at one state."""
    given = reference("joint_release")["slider_crank_loop"]
    v = given["input"]
    bar = {"com": (v["r"] / 2, 0, 0), "inertia": (0, v["J1"], v["J1"])}
    rod = {"com": (v["l"] / 2, 0, 0), "inertia": (0, v["J2"], v["J2"])}
    model = mb.Model(
        [
            mb.Body("crank", mb.Revolute("z"), mass=v["m1"], **bar),
            mb.Body("rod", mb.Revolute("z", at=(v["r"], 0, 0)), mass=v["m2"], **rod),
            mb.Body("slider", mb.Prismatic("x"), parent=mb.ground, mass=v["m3"], inertia=(1, 1, 1)),
        ],
        gravity=(0, -v["g"], 0),
        forces=[mb.Effort("crank", v["tau"]), mb.Force("slider", (v["F_slider"], 0, 0))],
        constraints=[mb.PointConstraint(("rod", (v["l"], 0, 0)), "slider")],
    )
    q, u = given["q"], given["qd"]
    dynamics = mb.Dynamics(model)
    state = dynamics.constraints(q, u)
    np.testing.assert_allclose(state.accelerations, given["qdd"], rtol=1e-10)
    np.testing.assert_allclose(state.multipliers[:2], given["loop_lambda_force_on_rod_end"], rtol=1e-10)
    reactions = dynamics.reactions(q, u, state.accelerations)
    np.testing.assert_allclose(reactions[0, :3], given["crank_bearing"]["force"], rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(reactions[1, :3], given["crank_pin"]["force"], rtol=1e-10, atol=1e-10)


def test_the_hammer_crusher_accelerates_and_presses_as_the_paper_says() -> None:
    """Do Sanh (3.29), (3.32) as they hold, at the points of the reference; as printed (3.32) fails."""
    for point in reference("joint_release")["hammer_points"]:
        model = mb.library.hammer_crusher().with_values(**point["params"])
        phi, theta, phid, thetad = (point[key] for key in ("phi", "theta", "phid", "thetad"))
        q, u = [phi, theta - phi], [phid, thetad - phid]
        dynamics = mb.Dynamics(model)
        ud = dynamics.forward(q, u)
        np.testing.assert_allclose([ud[0], ud[0] + ud[1]], point["qdd"], rtol=1e-10, atol=1e-10)
        pin = dynamics.reactions(q, u, ud)[1, :2]
        np.testing.assert_allclose(pin, [point["R_sigma"], point["R_xi"]], rtol=1e-10, atol=1e-10)
        assert abs(pin - point["printed_3_32_WRONG"]).max() > 0.1


def test_the_body_on_a_circle_is_the_hammer_crusher_without_drum(rng: np.random.Generator) -> None:
    """I1 = 0 and M = 0: accelerations and pin force to 1e-12, relative."""
    free = mb.library.body_on_circle().with_values(m=3.0, d=0.25, R=0.4)
    tensor = free.body(0).inertia
    moment = free.number(tensor[2][2])
    crusher = mb.library.hammer_crusher().with_values(I1=0, I2=moment, M=0, m=3.0, a=0.25, R=0.4)
    for _ in range(100):
        phi, theta, phid, thetad = rng.uniform(-3, 3, size=4)
        place = [0.4 * np.cos(phi), 0.4 * np.sin(phi), 0, 0, 0, np.sin(theta / 2), np.cos(theta / 2)]
        speed = [-0.4 * phid * np.sin(phi), 0.4 * phid * np.cos(phi), 0, 0, 0, thetad]
        state = mb.Dynamics(free).constraints(place, speed)
        tree = mb.Dynamics(crusher)
        q, u = [phi, theta - phi], [phid, thetad - phid]
        ud = tree.forward(q, u)
        size = max(1.0, abs(ud).max())
        np.testing.assert_allclose(state.accelerations[5], ud[0] + ud[1], rtol=0, atol=1e-12 * size)
        across = state.accelerations[:2] @ [-np.sin(phi), np.cos(phi)]
        np.testing.assert_allclose(across, 0.4 * ud[0], rtol=0, atol=1e-12 * size)
        pin = tree.reactions(q, u, ud)[1, :2]
        force = state.multipliers[0] * np.array([np.cos(phi), np.sin(phi)])
        np.testing.assert_allclose(force, pin, rtol=0, atol=1e-12 * max(1.0, abs(pin).max()))
