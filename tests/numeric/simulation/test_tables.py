"""Tables over time drive joints exactly: against SciPy's splines, whose knots end steps, and in files of version 2."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline

import mbwidgets as mb
from mbwidgets.files.published_schema import schema

SLIDE = mb.Model([mb.Body("cart", mb.Prismatic("x"), mass=2)], gravity=(0, 0, 0))


def test_a_cubic_table_is_scipys_spline(rng: np.random.Generator) -> None:
    """m a = F: twice integrated by SciPy exactly, piece by piece."""
    for count in (2, 3, 4, 50, 2000):
        t = np.sort(rng.uniform(0, 3, count))
        y = rng.normal(size=count)
        spline = CubicSpline(t, y)
        motion = mb.simulate(SLIDE, tau=mb.Table(t, y), duration=3, rate=100)
        inside = (motion.t >= t[0]) & (motion.t <= t[-1])
        wanted = np.where(inside, spline(np.clip(motion.t, t[0], t[-1])), np.where(motion.t < t[0], y[0], y[-1]))
        assert abs(motion.efforts[:, 0] - wanted).max() <= 1e-12 * max(1.0, abs(wanted).max())
        once = spline.antiderivative()
        gained = y[0] * t[0] + once(t[-1]) - once(t[0]) + y[-1] * (3 - t[-1])
        assert motion.u[-1, 0] == pytest.approx(gained / 2, rel=1e-9, abs=1e-9 * max(1.0, abs(wanted).max()))


def test_steps_hold_until_the_next_time(rng: np.random.Generator) -> None:
    t, y = np.cumsum(rng.uniform(0.05, 0.2, 12)), rng.normal(size=12)
    motion = mb.simulate(SLIDE, tau={"cart": mb.Table(t, y, kind="steps")}, duration=3, rate=1000)
    place = np.clip(np.searchsorted(t, motion.t, side="right") - 1, 0, None)
    assert np.array_equal(motion.efforts[:, 0], y[place])
    exact = (y[0] * t[0] + (y[:-1] * np.diff(t)).sum() + y[-1] * (3 - t[-1])) / 2
    assert motion.u[-1, 0] == pytest.approx(exact, rel=1e-10, abs=1e-10)


def test_a_prescribed_table_is_followed_with_its_derivatives(rng: np.random.Generator) -> None:
    t = np.linspace(0, 2, 15)
    y = np.sin(2 * t) + 0.05 * rng.normal(size=15)
    crank = mb.Model(
        [mb.Body("crank", mb.Revolute("z"), mass=1, inertia=(1, 1, 2))],
        constraints=[mb.Prescribed("crank", mb.Table(t, y))],
    )
    motion, spline = mb.simulate(crank, duration=2), CubicSpline(t, y)
    assert motion.outcome.ok
    assert abs(motion.q[:, 0] - spline(motion.t)).max() < 1e-9
    assert abs(motion.u[:, 0] - spline(motion.t, 1)).max() < 1e-8
    assert abs(motion.drive("crank") - 2 * spline(motion.t, 2)).max() < 1e-6
    with pytest.raises(mb.MbwidgetsError, match=r"kink|jump|smooth"):
        mb.Prescribed("crank", mb.Table(t, y, kind="steps"))


def test_a_table_in_a_mechanism_that_moves(rng: np.random.Generator) -> None:
    """Against SciPy's integrator between the knots."""
    pendulum = mb.library.pendulum(1)
    t, y = np.linspace(0, 1, 9), rng.normal(size=9)
    motion = mb.simulate(pendulum.replace(forces=(mb.Effort("rod 1", mb.Table(t, y)),)), q=[1], u=[0], duration=1)
    dynamics, spline, state = mb.Dynamics(pendulum), CubicSpline(t, y), np.array([1.0, 0.0])
    for low, high in pairwise(t):
        found = solve_ivp(
            lambda s, x: [x[1], dynamics.forward(x[:1], x[1:], [float(spline(s))])[0]],
            (low, high),
            state,
            rtol=1e-12,
            atol=1e-12,
        )
        state = found.y[:, -1]
    assert abs(np.array([motion.q[-1, 0], motion.u[-1, 0]]) - state).max() < 1e-9
    later = mb.simulate(pendulum, tau=mb.Table(t + 4, y), q=[1], u=[0], duration=1, start=4)
    assert abs(later.q - motion.q).max() < 1e-9
    assert motion.maximum(("drive", "rod 1")).value == pytest.approx(spline(np.linspace(0, 1, 100_001)).max(), rel=1e-8)


def test_models_with_tables_are_files_of_version_2(tmp_path: Path) -> None:
    table = mb.Table([0, 1, 2], [0.1, 1 / 3, -2], kind="steps")
    model = SLIDE.replace(forces=(mb.Effort("cart", table),))
    data = model.to_dict()
    assert data["version"] == 2
    jsonschema.validate(json.loads(json.dumps(data)), schema())
    mb.save(model, tmp_path / "model.json")
    assert mb.load(tmp_path / "model.json") == model
    assert SLIDE.to_dict()["version"] == 1
    with pytest.raises(mb.ModelError, match="version 1"):
        mb.Model.from_dict({**data, "version": 1})
    held = SLIDE.replace(constraints=(mb.Prescribed("cart", mb.Table([0, 1, 2], [0, 1, 0])),))
    assert mb.Model.from_dict(held.to_dict()) == held
    assert "Table" in repr(table)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (([0, 2, 1], [1, 2, 3]), r"t\[2\] = 1 does not rise above t\[1\] = 2"),
        (([0, 1, 1], [1, 2, 3]), "sort"),
        (([0, 1], [1, 2, 3]), "2 times and 3 values"),
        (([0], [1]), "points"),
        (([0, 1], [1, float("nan")]), r"y\[1\]"),
        ((["a", 1], [1, 2]), "list of numbers"),
        (([[0, 1]], [[1, 2]]), "indices"),
        (("01", [1, 2]), "list of numbers"),
    ],
)
def test_what_is_no_table_is_refused(given: Any, said: str) -> None:
    with pytest.raises(mb.ExpressionError, match=said):
        mb.Table(*given)


def test_tables_stand_where_time_may_stand() -> None:
    table = mb.Table([0, 1], [0, 1])
    with pytest.raises(mb.MbwidgetsError, match=r"cannot stand here|inside"):
        mb.Body("a", mass=table)
    with pytest.raises(mb.MbwidgetsError, match="table alone"):
        mb.Effort("a", 2 * table)
    with pytest.raises(mb.ExpressionError, match="kind"):
        mb.Table([0, 1], [0, 1], kind="linear")
    for broken in (
        {"table": {"t": [0, 1]}},
        {"table": [1]},
        {"tables": 1},
        {"table": {"t": [0, 1], "y": [1, 1], "x": 1}},
    ):
        with pytest.raises(mb.MbwidgetsError):
            mb.Effort("a", broken)


def test_a_prescribed_table_that_ends_while_it_moves_is_refused_beyond_its_end() -> None:
    t = np.linspace(0, 1, 11)
    led = SLIDE.replace(constraints=(mb.Prescribed("cart", mb.Table(t, 5 * t**2)),))
    assert mb.simulate(led, duration=1).outcome.ok
    with pytest.raises(mb.StateError, match=r"constraint 0 \(prescribed\): its table ends at 1 s with the speed 10"):
        mb.simulate(led, duration=2)
    rests = SLIDE.replace(constraints=(mb.Prescribed("cart", mb.Table(t, np.sin(np.pi * t / 2) ** 2)),))
    assert mb.simulate(rests, duration=2).q[-1, 0] == pytest.approx(1)
