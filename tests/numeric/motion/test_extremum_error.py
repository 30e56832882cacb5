"""How far extrema are off, what their notes say, and that their ends are ends."""

from __future__ import annotations

import copy
import doctest
import math
import warnings
from typing import Any

import mpmath
import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.numeric.motion.extrema import Extremum
from mbwidgets.numeric.motion.motion import Motion


def test_the_error_is_that_of_a_motion_known_better() -> None:
    """Of a double pendulum the estimate is the distance to a motion of 1e-14, to a factor of ten, and never silent."""
    model, seen = mb.library.pendulum(2), 0
    for rtol in (1e-6, 1e-8, 1e-10):
        found = mb.simulate(model, q=[2.0, 1.0], duration=6, rtol=rtol).maximum("force[rod 1]")
        exact = mb.simulate(model, q=[2.0, 1.0], duration=6, rtol=1e-14).maximum("force[rod 1]")
        off = abs(found.value - exact.value)
        assert off <= 10 * found.error
        assert found.error <= 10 * off
        seen += off > 1e-9
    assert seen >= 2


def test_the_error_holds_for_slices_steps_events_and_motions_of_rounding() -> None:
    model, given = mb.library.pendulum(1), {"q": [2.0], "u": [0.0], "duration": 5}
    exact = 9.81 * (5 / 2 - 3 / 2 * math.cos(2.0))  # a thin rod of 1 kg: m g (5/2 cos φ − 3/2 cos φ₀) at φ = 0
    for motion in (
        mb.simulate(model, **given),
        mb.simulate(model, **given)[1.0:4.0],
        mb.simulate(model, **given, method="rk4", step=0.02),
        mb.simulate(model, **given, rtol=1e-14),
        mb.simulate(model, **given, rtol=1e-7, events=[mb.Event("t - 3", terminal=True)]),
    ):
        found = motion.maximum("force[rod 1]")
        assert abs(found.value - exact) <= 10 * found.error + 1e-12
        assert found.error < 1e-3
    falling = mb.simulate(model, **given, rtol=1e-6, events=[mb.Event("q[0]", terminal=True)])
    assert falling.outcome.result is mb.Result.EVENT
    found = falling.maximum("t")  # the last instant: a quarter of the period, which depends on the tolerance
    K = mpmath.ellipk(mpmath.sin(1.0) ** 2)
    assert 1e-13 < abs(found.value - float(mpmath.sqrt(mpmath.mpf(2) / 3 / mpmath.mpf("9.81")) * K)) <= 10 * found.error


def test_an_error_that_cannot_be_had_says_why() -> None:
    model = mb.library.pendulum(1)
    called = mb.simulate(model, duration=0.5, tau={"rod 1": mb.Controller(lambda t: 1.0)})
    with pytest.raises(mb.StateError, match=r"the error is not known: .*tau is a Python function"):
        _ = called.maximum("q[0]").error
    motion = mb.simulate(model, duration=0.5)
    with pytest.raises(mb.StateError, match="the error is not known"):
        _ = mb.join(motion, motion).maximum("q[0]").error
    found = motion.maximum("q[0]")
    twin = copy.deepcopy(found)
    assert twin == found
    with pytest.raises(mb.StateError, match="a copy is not asked again"):
        _ = twin.error


def test_a_note_says_that_the_value_is_right() -> None:
    model = mb.library.pendulum(1)
    coarse = mb.simulate(model, q=[2.5], u=[0], duration=4, rate=0.75)
    for found, frames, word in (
        (coarse.maximum("u[0]"), coarse.u.max(), "less"),
        (coarse.minimum("u[0]"), coarse.u.min(), "more"),
    ):
        part = 100 * abs(found.value - frames) / abs(found.value)
        assert found.note.startswith(f"The value is right; a curve of these frames shows {part:.2g} % {word}: ")


def test_an_extremum_at_an_end_has_the_time_of_that_end() -> None:
    model = mb.library.pendulum(1)
    for q, rate, start in ((1.0, 60, 0.0), (2.0, 7, 0.0), (0.3, 11, 2.5)):
        motion = mb.simulate(model, q=[q], u=[0], duration=0.9, rate=rate, start=start)
        assert motion.maximum("q[0]").time == motion.t[0]
        assert motion.maximum("potential").time == motion.t[0]
        assert motion.minimum("t").time == motion.t[0]
        assert motion.maximum("t").time == motion.t[-1]


def test_a_drive_of_too_few_frames_is_told_as_its_signal_is() -> None:
    crank = mb.Model(
        [mb.Body("crank", mb.Revolute("z"), mass=1, com=(0.1, 0, 0), inertia=(1, 1, 2))],
        constraints=[mb.Prescribed("crank", "sin(40*t)")],
    )
    motion = mb.simulate(crank, duration=0.5, rate=15)
    for ask in (lambda: motion.signal(("drive", "crank")), lambda: motion.drive("crank")):
        with pytest.warns(mb.UndersampledWarning, match="rate=") as told:
            ask()
        assert told[0].filename == __file__
    found = motion.maximum("drive[crank]")
    assert found.value == pytest.approx(2.01 * 1600, rel=1e-7)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fine = mb.simulate(crank, duration=0.5, rate=400).drive("crank")
    assert abs(fine).max() == pytest.approx(2.01 * 1600, rel=0.01)
    assert np.ndim(fine) == 1


@pytest.mark.parametrize("member", [Extremum.error, Motion.point, mb.Model.with_constraint, mb.Model.with_force])
def test_examples_of_answers_run(member: Any) -> None:
    found = doctest.DocTestParser().get_examples(member.__doc__)
    assert found
    told: list[str] = []
    test = doctest.DocTest(found, {"mb": mb, "np": np}, "example", None, 0, None)
    doctest.DocTestRunner().run(test, out=told.append)
    assert not told, "".join(told)
