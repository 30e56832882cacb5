"""Constraints at every scale: what is met, and what a step costs, does not depend on the units.

The same mechanism with its lengths, its time and its masses multiplied makes the same motion; so does an equation that
is multiplied by a number.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.numeric.base.outcome import Result

RATE = 30


class Scale:
    """Units of length, time and mass, and a number that equations are multiplied by."""

    def __init__(self, length: float = 1.0, time: float = 1.0, mass: float = 1.0, factor: float = 1.0) -> None:
        self.length, self.time, self.mass, self.factor = length, time, mass, factor

    @classmethod
    def random(cls, rng: np.random.Generator) -> Scale:
        """Units from 1e-9 to 1e9; masses from 1e-6 to 1e6."""
        length, duration, factor = (10.0 ** float(x) for x in rng.uniform(-9, 9, size=3))
        return cls(length, duration, 10.0 ** float(rng.uniform(-6, 6)), factor)

    def __repr__(self) -> str:
        return f"{self.length:.3g} m, {self.time:.3g} s, {self.mass:.3g} kg, factor {self.factor:.3g}"

    def body(self, name: str, joint: Any, **given: Any) -> mb.Body:
        """A body of about this size."""
        unit = self.mass * self.length**2
        com = tuple(self.length * x for x in (0.1, 0.05, -0.02))
        return mb.Body(name, joint, mass=self.mass, com=com, inertia=(unit, 1.3 * unit, 0.9 * unit), **given)

    def model(self, bodies: Any, constraints: Any, q: Any, u: Any) -> mb.Model:
        """A model under weight, its state given in units of this scale: lengths where ``slides`` are."""
        bare = mb.Model(bodies, gravity=(0, 0, -9.81 * self.length / self.time**2))
        places, speeds = slides(bare)
        state = {
            "q": list(np.where(places, self.length, 1.0) * q),
            "u": list(np.where(speeds, self.length, 1.0) / self.time * u),
        }
        return bare.replace(constraints=constraints, state=state)


def slides(model: mb.Model) -> tuple[np.ndarray, np.ndarray]:
    """Which coordinates and which velocities are lengths."""
    kinds = [column.kind for body in model.bodies for column in body.joint.columns()]
    q = [kind == "translation" for kind in kinds for _ in range(4 if kind == "ball" else 1)]
    u = [kind == "translation" for kind in kinds for _ in range(3 if kind == "ball" else 1)]
    return np.array(q), np.array(u)


X, Z = np.cos(0.9), np.sin(0.9)  # not on the sphere to the last digit
FREE = np.array([X, 0.0, Z, 0, 0, 0, 1.0]), np.array([Z, 0.3, -X, 1.0, 0.5, -0.4])


def sphere(s: Scale) -> mb.Model:
    return s.model([s.body("a", mb.Free())], [mb.OnSphere("a", radius=s.length)], *FREE)


def circle(s: Scale) -> mb.Model:
    constraint = mb.OnCircle("a", radius=s.length, normal="y")
    u = np.array([Z, 0.0, -X, 1.0, 0.5, -0.4])
    return s.model([s.body("a", mb.Free())], [constraint], FREE[0], u)


def distance(s: Scale) -> mb.Model:
    bodies = [s.body("a", mb.Free()), s.body("b", mb.Free(), parent=mb.ground)]
    constraint = mb.DistanceConstraint("a", ("b", (0, 0, 0.5 * s.length)), 1.5 * s.length)
    far = np.array([X, 0, Z - 2.0, 0, 0, 0, 1.0])
    return s.model(bodies, [constraint], np.concatenate([FREE[0], far]), np.concatenate([FREE[1], FREE[1]]))


def equation(s: Scale) -> mb.Model:
    text = f"{s.factor!r}*(q[0]**2 + q[2]**2 - {s.length!r}**2)"
    return s.model([s.body("a", mb.Free())], [mb.EquationConstraint(text)], *FREE)


def curve(s: Scale) -> mb.Model:
    shape = [f"{s.length!r}*{x}" for x in ("cos(s)", "sin(s)", "(1 - cos(s) + s/5)")]
    q, u = np.array([1.0, 0, 0, 0, 0, 0, 1]), np.array([0, 1.0, 0.2, 0.3, 0.1, 0.2])
    return s.model([s.body("a", mb.Free())], [mb.OnCurve("a", shape)], q, u)


def prescribed(s: Scale) -> mb.Model:
    bodies = [s.body("cart", mb.Prismatic("x")), s.body("rod", mb.Revolute("y"))]
    drive = mb.Prescribed("cart", f"{s.length!r}*sin(t/{s.time!r})")
    return s.model(bodies, [drive], np.array([0.0, 0.5]), np.array([1.0, 0.0]))


def four_bar(s: Scale) -> mb.Model:
    bars = [
        s.body("crank", mb.Revolute("y")),
        s.body("coupler", mb.Revolute("y", at=(0.5 * s.length, 0, 0))),
        s.body("rocker", mb.Revolute("y", at=(1.1 * s.length, 0, 0)), parent=mb.ground),
    ]
    pin = mb.PointConstraint(("coupler", (1.2 * s.length, 0, 0)), ("rocker", (s.length, 0, 0)))
    loop = mb.library.four_bar()
    return s.model(bars, [pin], -loop.q0, -loop.u0)


def weld(s: Scale) -> mb.Model:
    """A free body welded to a swinging one: lengths and angles beside each other."""
    bodies = [s.body("rod", mb.Revolute("y")), s.body("load", mb.Free(), parent=mb.ground)]
    return s.model(bodies, [mb.WeldConstraint(("rod", (s.length, 0, 0)), "load")], *SWUNG)


SWUNG = np.array([0, 1.0, 0, 0, 0, 0, 0, 1]), np.array([0.5, 0, 0, -0.5, 0, 0.5, 0])
KINDS: dict[str, Callable[[Scale], mb.Model]] = {
    kind.__name__: kind for kind in (sphere, circle, distance, equation, curve, prescribed, four_bar, weld)
}


def moved(model: mb.Model, s: Scale) -> mb.Motion:
    """Two units of time of a motion."""
    return mb.simulate(model, duration=2 * s.time, rate=RATE / s.time, budget=20)


@pytest.mark.parametrize("kind", KINDS)
def test_a_constraint_is_met_at_every_scale(kind: str, rng: np.random.Generator) -> None:
    unit = mb.simulate(KINDS[kind](Scale()), duration=2, rate=RATE)
    assert unit.outcome.ok, unit.outcome
    places, _ = slides(unit.model)
    for _ in range(12):
        s = Scale.random(rng)
        model = KINDS[kind](s)
        motion = moved(model, s)
        assert motion.outcome.ok, (s, motion.outcome)
        found = motion.q / np.where(places, s.length, 1.0)
        # both motions have errors of 1e-10 a step, which the mechanism spreads
        np.testing.assert_allclose(found, unit.q, atol=1e-8, err_msg=repr(s))
        assert motion.outcome.message == unit.outcome.message, s
        # a tolerance that weighs lengths, angles and speeds alike asks for more steps in some units, not for crawling
        assert motion.evaluations < 3 * unit.evaluations, s


def test_a_sphere_of_seven_thousand_kilometres_is_met_to_the_last_digit() -> None:
    """Its residual is 9.3e-10 m, one unit in the last place."""
    body = mb.Body("a", mb.Free(), mass=1, inertia=(1, 2, 3))
    model = mb.Model([body], constraints=[mb.OnSphere("a", radius=7e6)])
    for q in ([7e6, 0, 0, 0, 0, 0, 1], [3e6, 4e6, 5e6, 0, 0, 0, 1], [1, 0, 0, 0, 0, 0, 1]):
        motion = mb.simulate(model, q=q, u=[0, 7e3, 0, 1, 2, 3], duration=5)
        assert motion.outcome.ok, motion.outcome
        assert motion.constraint_residual.max() <= 10 * np.spacing(7e6)


def test_an_equation_multiplied_by_a_billion_beside_others_changes_nothing() -> None:
    """Neither its own size nor that of the others decides which of them count."""
    loop = mb.library.four_bar()
    (pin,) = loop.constraints
    plain = mb.simulate(loop.replace(constraints=[pin, mb.Prescribed("crank", "1.2 + 4*t")]), duration=1)
    for factor in ("1e-12", "1e-9", "1e9", "1e12"):
        drive = mb.EquationConstraint(f"{factor}*(q[0] - 1.2 - 4*t)")
        motion = mb.simulate(loop.replace(constraints=[pin, drive]), duration=1)
        assert motion.outcome.ok, (factor, motion.outcome)
        np.testing.assert_allclose(motion.q, plain.q, atol=1e-9)
        state = mb.Dynamics(motion.model).constraints(motion.q[-1], motion.u[-1], t=motion.t[-1])
        assert state.rank == 3, factor
        np.testing.assert_allclose(state.accelerations, plain.ud[-1], atol=1e-6)


def failing_at_the_end(end: float) -> mb.Model:
    """A rod whose effort has no value from shortly before the end on."""
    rod = mb.library.pendulum(1)
    return rod.replace(forces=[mb.Effort(rod.bodies[0].name, f"1e-30*sqrt({end!r} - t)")])


@pytest.mark.parametrize("method", ["auto", "dop853"])
def test_a_last_step_that_cannot_be_taken_ends(method: str) -> None:
    """It was tried again at the same length for ever."""
    motion = mb.simulate(failing_at_the_end(1.999), duration=2, method=method, budget=5)
    assert motion.outcome.result is Result.NOT_FINITE, motion.outcome
    assert motion.outcome.time == pytest.approx(1.999, abs=1e-4)


@pytest.mark.parametrize("q", [(1.0, 0, 0), (0.6, 0, 0.8), (0.3, 0, 0.4)])
def test_an_equation_of_size_a_billion_is_met_and_ends(q: tuple[float, ...]) -> None:
    """Rounding alone leaves 1e-7 of it; projecting that away went on for ever."""
    body = mb.Body("a", mb.Free(), mass=1, inertia=(1, 2, 3))
    constraint = mb.EquationConstraint("1e9*(q[0]**2 + q[2]**2 - 1)")
    model = mb.Model([body], gravity=(0, 0, -9.81), constraints=[constraint])
    motion = mb.simulate(model, q=[*q, 0, 0, 0, 1], duration=2, budget=5)
    assert motion.outcome.ok, motion.outcome
    assert motion.constraint_residual.max() < 1e9 * 1e-14


def test_no_constraint_outlasts_its_budget(rng: np.random.Generator) -> None:
    """Sizes of equations and lengths far from one, states off them: whatever comes of it comes in time."""
    body = mb.Body("a", mb.Free(), mass=1, com=(0.1, 0, 0), inertia=(1, 2, 3))
    for _ in range(25):
        size, length = 10.0 ** float(rng.uniform(-12, 12)), 10.0 ** float(rng.uniform(-9, 9))
        constraints = [
            mb.EquationConstraint(f"{size!r}*(q[0]**2 + q[2]**2 - 1)"),
            mb.DistanceConstraint(None, "a", length),
            mb.OnSphere("a", radius=length),
            mb.EquationConstraint(f"{size!r}*(sin(q[0]) - q[1]*t)"),
        ]
        chosen = rng.choice(len(constraints), size=rng.integers(1, 3), replace=False)
        model = mb.Model([body], gravity=(0, 0, -9.81), constraints=[constraints[k] for k in chosen])
        q = np.concatenate([rng.normal(size=3), [0, 0, 0, 1]])
        start = time.monotonic()
        motion = mb.simulate(model, q=q, u=rng.normal(size=6), duration=2, budget=0.5)
        assert time.monotonic() - start < 5, (size, length, chosen)
        assert motion.outcome.message
        if motion.outcome.ok:
            assert np.isfinite(motion.q).all()


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="no signals to threads here")
def test_ctrl_c_ends_a_motion_that_crawls_on_a_tiny_circle() -> None:
    """A pendulum of 10 nm swings 300,000 times a minute; nobody waits for that."""
    body = mb.Body("a", mb.Free(), mass=1, inertia=(1, 2, 3))
    model = mb.Model([body], gravity=(0, 0, -9.81), constraints=[mb.DistanceConstraint(None, "a", 1e-8)])
    mb.simulate(model, duration=1e-6)  # all is compiled
    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    start = time.monotonic()
    motion = mb.simulate(model, duration=600, budget=60)
    assert time.monotonic() - start < 10
    assert motion.outcome.result is Result.CANCELLED
