"""A motion answers between its frames as finely as it was solved, and in the words of an engineer."""

from __future__ import annotations

import doctest
import inspect
import math
import warnings
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.numeric.motion.asking import Asking
from tests.random_models import random_state, random_tree
from tests.thorough import THOROUGH

NAMES = [name for name in mb.library.names() if name != "andrews_squeezer"]


@pytest.mark.parametrize(
    "name", [name for name, _ in inspect.getmembers(Asking, inspect.isfunction) if name != "__iter__"]
)
def test_each_question_has_an_example_that_runs(name: str) -> None:
    text = getattr(Asking, name).__doc__ or ""
    found = doctest.DocTestParser().get_examples(text, name)
    if name.startswith("_") and name not in ("__call__", "__getitem__"):
        return
    assert found, "show how it is used"
    told: list[str] = []
    test = doctest.DocTest(found, {"mb": mb, "np": np}, name, None, 0, None)
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=told.append)
    assert not told, "".join(told)


@pytest.mark.parametrize("name", NAMES)
def test_a_motion_at_any_time_is_the_one_with_those_frames(name: str, rng: np.random.Generator) -> None:
    """Frames of another rate, and times of one's own, to the last bit; loops on their constraints."""
    model = getattr(mb.library, name)()
    coarse = mb.simulate(model, duration=1, rate=20)
    fine = mb.simulate(model, duration=1, rate=333)
    q, u = coarse(fine.t)
    assert abs(q - fine.q).max() <= 1e-9
    assert abs(u - fine.u).max() <= 1e-9 * max(1.0, abs(fine.u).max())
    times = np.sort(rng.uniform(0, 1, 20))
    asked = mb.simulate(model, times=times)
    assert np.array_equal(asked.t, times)
    q, u = coarse(times)
    assert abs(q - asked.q).max() <= 1e-9
    assert coarse.at(times).constraint_residual.max(initial=0.0) <= 1e-11
    single = coarse(float(times[3]))
    assert abs(single[0] - asked.q[3]).max() <= 1e-9
    assert single[1].shape == (model.nv,)
    norms = [np.linalg.norm(q[:, k : k + 4], axis=1) for k in _quaternions(model)]
    assert all(abs(norm - 1).max() <= 1e-15 * 4 for norm in norms)


def _quaternions(model: mb.Model) -> list[int]:
    found = []
    for body, start in zip(model.bodies, model.q_offsets, strict=False):
        for column in body.joint.columns():
            if column.kind == "ball":
                found.append(start)
            start += 4 if column.kind == "ball" else 1
    return found


@pytest.mark.parametrize("method", ["dop853", "radau", "bdf", "rk4"])
def test_every_method_has_its_steps(method: str) -> None:
    model = mb.library.pendulum(2)
    given = {"q": [1.0, 0.5], "u": [0, 0], "duration": 1, "method": method, "step": 1e-3 if method == "rk4" else None}
    coarse, fine = mb.simulate(model, rate=20, **given), mb.simulate(model, rate=200, **given)
    assert abs(coarse(fine.t)[0] - fine.q).max() < 1e-9


def test_functions_of_a_person_are_asked_between_frames_too() -> None:
    model = mb.library.pendulum(1)
    written = mb.simulate(model, q=[1], u=[0], tau="sin(5*t) - u[0]", duration=1, rate=200)
    called = mb.simulate(model, q=[1], u=[0], tau=lambda t, q, u: [math.sin(5 * t) - u[0]], duration=1, rate=10)
    assert abs(called(written.t)[0] - written.q).max() < 1e-9
    found = called.at(written.t[1:-1])
    assert abs(found.efforts - written.efforts[1:-1]).max() < 1e-8
    assert abs(found.reactions(0) - written.reactions(0)[1:-1]).max() < 1e-7


QUANTITIES = ("force", "moment", "position", "acceleration")


def test_extrema_do_not_depend_on_the_rate(rng: np.random.Generator) -> None:
    """Random trees and loops, 200 of them when thorough: at rates 10 to 2,000 the extremum is that of frames at
    20,000 with a parabola through the highest three, which refines by nothing of ours: at a peak it errs by the
    fourth power of 50 µs, and where the motion's end is the highest by nothing."""
    wanted, done, worst, other = (200 if THOROUGH else 12), 0, 0.0, 0.0
    for k in range(10 * wanted):
        if done == wanted:
            break
        named = k % 4 == 0
        model = getattr(mb.library, NAMES[k // 4 % len(NAMES)])() if named else random_tree(rng, most=5)
        state = None if named else random_state(rng, model)
        start = {} if state is None else {"q": state.q, "u": state.u}
        asked = QUANTITIES[k % 3], int(rng.integers(len(model.bodies)))
        fine = mb.simulate(model, duration=0.5, rate=20_000, **start)
        if not fine.outcome.ok or fine.drift > 1e-6:
            continue
        frames = np.linalg.norm(fine.at(fine.t).signal(asked), axis=1)
        exact = fine.maximum(asked).value
        if exact < 1e-6:
            continue
        done += 1
        other = max(other, abs(_highest(frames) / exact - 1))
        for rate in (10, 37, 60, 500, 2000):
            found = mb.simulate(model, duration=0.5, rate=rate, **start).maximum(asked)
            worst = max(worst, abs(found.value / exact - 1))
            assert found.value == pytest.approx(float(np.linalg.norm(found.vector)), rel=1e-12)
    assert done == wanted
    assert worst <= 1e-8
    assert other <= 1e-8


def _highest(values: np.ndarray) -> float:
    """The largest of numbers, by the parabola through it and its neighbours where it is no end."""
    k = int(values.argmax())
    if k in (0, len(values) - 1):
        return float(values[k])
    low, middle, high = values[k - 1 : k + 2]
    bend = low - 2 * middle + high
    return float(middle if bend == 0.0 else middle - (high - low) ** 2 / (8 * bend))


def test_a_pendulums_largest_pin_force_is_that_of_the_energy() -> None:
    """m g (3 cos φ − 2 cos φ₀) for a point mass: at the lowest place m g (3 − 2 cos φ₀)."""
    point = mb.Model([mb.Body("bob", mb.Revolute("y"), mass=2, com=(0, 0, -0.7), inertia=(0, 0, 0))])
    motion = mb.simulate(point, q=[2.0], u=[0], duration=1, rate=3)
    found = motion.maximum(("force", "bob"))
    assert found.value == pytest.approx(2 * 9.81 * (3 - 2 * math.cos(2.0)), rel=1e-9)
    assert "rate=" in found.note
    least = motion.minimum(("force", "bob"))  # taut by cos φ = 0 … F = 0 where 3 cos φ = 2 cos φ₀
    assert least.value < 1e-6


def test_period_and_crossings_are_the_closed_form() -> None:
    """4 √(l/g) K(sin² φ₀/2)   (point mass)"""
    point = mb.Model([mb.Body("bob", mb.Revolute("y"), mass=2, com=(0, 0, -0.7), inertia=(0, 0, 0))])
    motion = mb.simulate(point, q=[2.0], u=[0], duration=12, rate=5, rtol=1e-12)
    exact = float(4 * mpmath.sqrt(mpmath.mpf("0.7") / mpmath.mpf("9.81")) * mpmath.ellipk(mpmath.sin(1) ** 2))
    assert motion.period("q[bob]") == pytest.approx(exact, rel=1e-9)
    zeros = motion.crossings("q[bob]")
    assert abs(zeros - exact * (1 + 2 * np.arange(len(zeros))) / 4).max() < 1e-8
    assert abs(motion.crossings("q[bob]", direction=1) - zeros[1::2]).max() < 1e-12
    assert abs(np.cos(motion(motion.crossings("cos(q[0])", 0.5))[0][:, 0]) - 0.5).max() < 1e-12
    with pytest.raises(mb.StateError, match="does not return"):
        motion[:3].period("q[bob]")


def test_a_signal_faster_than_the_frames_is_seen_and_told() -> None:
    spin = mb.Model([mb.Body("disc", mb.Revolute("z"), mass=2, com=(0.01, 0, 0), inertia=(1, 1, 1))], gravity=(0, 0, 0))
    motion = mb.simulate(spin, u=[200 * math.pi], duration=1, rate=10)  # a hundred turns: every frame looks alike
    assert motion.maximum("x[disc]").value == 0.0
    assert motion.maximum(("position", "disc", (1, 0, 0))).value == pytest.approx(1)
    assert motion.minimum("cos(q[disc])").value == pytest.approx(-1, abs=1e-12)
    with pytest.warns(mb.UndersampledWarning, match="rate="):
        motion.signal("cos(q[disc])")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        motion.signal(("force", "disc"))  # its length is constant


def test_signals_are_what_they_say() -> None:
    motion = mb.simulate(mb.library.three_body_arm(), duration=1, rate=500)
    position = motion.point("fore", (0.1, 0, 0)).position
    assert np.array_equal(motion.signal(("position", "fore", (0.1, 0, 0))), position)
    force = motion.reactions("fore")[:, :3]
    assert motion.signal("force[fore] - 2*max(q[0], u[fore])").tolist() == pytest.approx(
        (np.linalg.norm(force, axis=1) - 2 * np.maximum(motion.q[:, 0], motion.u[:, 2])).tolist(), rel=1e-14
    )
    assert np.array_equal(motion.signal("ud[base]"), motion.ud[:, 0])
    assert np.allclose(
        motion.signal("vx[fore]**2 + vy[fore]**2 + vz[fore]**2"), (motion.point("fore").velocity ** 2).sum(axis=1)
    )
    assert np.allclose(motion.signal("energy"), motion.energy.total)
    for signal, said in {
        "q[fire]": "did you mean 'fore'",
        "forc[fore]": "did you mean 'force'",
        "q[7]": "count from 0 to 2",
        "sine(t)": "no function 'sine'",
        "speed": "is not a parameter",
    }.items():
        with pytest.raises(mb.MbwidgetsError, match=said):
            motion.maximum(signal)


def test_times_outside_a_motion_are_refused_by_name() -> None:
    motion = mb.simulate(mb.library.pendulum(1), duration=1)
    for t in (-0.1, 1.2, [0.5, 7.0], math.nan):
        with pytest.raises(mb.StateError, match="outside the motion"):
            motion(t)
    for t in ("now", None, 1j):
        with pytest.raises(mb.StateError, match="is not a time"):
            motion(t)
    for times, said in (([2, 1], "does not rise"), ([], "list"), ([-1, 1], "begins at 0"), ([1, np.nan], "finite")):
        with pytest.raises(mb.StateError, match=said):
            mb.simulate(mb.library.pendulum(1), times=times)
    with pytest.raises(mb.StateError, match="duration and rate"):
        mb.simulate(mb.library.pendulum(1), times=[1, 2], rate=3)
    with pytest.raises(mb.StateError, match="no frames in"):
        motion[5:5]
    with pytest.raises(mb.StateError, match=r"motion\.at"):
        motion[::-1]
    assert [values.shape for values in motion([])] == [(0, 1), (0, 1)]


@pytest.mark.parametrize("name", ["cart_pendulum", "slider_crank", "body_on_circle"])
def test_a_motion_that_begins_later_is_that_of_the_shifted_time(name: str) -> None:
    model = getattr(mb.library, name)()
    joint = model.bodies[0].name
    if model.bodies[0].joint.nv > 1:
        joint = model.velocity_names[0]
    now = mb.simulate(model, duration=1, tau={joint: "3*sin(4*t)"})
    later = mb.simulate(model, duration=1, tau={joint: "3*sin(4*(t - 2.5))"}, start=2.5, events=["q[0] - 0.1"])
    assert later.t[0] == 2.5
    assert later.outcome.time == pytest.approx(3.5)
    assert abs(later.q - now.q).max() < 1e-8
    assert abs(later.ud - now.ud).max() < 1e-6 * abs(now.ud).max()
    assert abs(later.efforts - now.efforts).max() < 1e-12
    assert all(2.5 <= event.time <= 3.5 for event in later.events)
    q, _ = later(later.t[7:9])
    assert abs(q - later.q[7:9]).max() < 1e-14


def test_a_prescribed_motion_goes_on_at_its_time() -> None:
    crank = mb.Model(
        [mb.Body("crank", mb.Revolute("z"), mass=1, com=(0.1, 0, 0), inertia=(1, 1, 1))],
        constraints=[mb.Prescribed("crank", "sin(t)")],
    )
    motion = mb.simulate(crank, duration=1)
    more = motion.then(duration=2)
    assert abs(more.q[:, 0] - np.sin(more.t)).max() < 1e-9
    both = mb.join(motion, more)
    assert abs(both(2.345)[0] - math.sin(2.345)).max() < 1e-9
    assert np.allclose(both.drive("crank"), -1.01 * np.sin(both.t), atol=1e-6)
    assert (np.diff(both.t) > 0).all()


def test_mappings_give_what_they_name_and_leave_the_rest() -> None:
    arm = mb.library.three_body_arm()
    own = mb.simulate(arm, duration=0.1)
    motion = mb.simulate(arm, q={"fore": 0.3, 0: 0.7}, u={"base": 2}, duration=0.1)
    assert motion.q[0].tolist() == [0.7, own.q[0, 1], 0.3]
    assert motion.u[0].tolist() == [2.0, *own.u[0, 1:]]
    with pytest.raises(mb.UnknownNameError, match="did you mean 'fore'"):
        mb.simulate(arm, q={"four": 1})
    with pytest.raises(mb.StateError, match="give 1 numbers"):
        mb.simulate(arm, q={"fore": [1, 2]})


def test_join_goes_on_with_another_model(rng: np.random.Generator) -> None:
    free = mb.library.pendulum(2)
    damped = free.replace(forces=(mb.JointDamper("rod 1", 2.0),))
    one = mb.simulate(free, q=[1, 0], u=[0, 0], duration=1)
    two = one.then(damped, duration=1)
    both = mb.join(one, two)
    assert both.t[-1] == 2.0
    assert np.allclose(both.reactions(0)[len(one) :], two.reactions(0)[1:])
    largest = max(one.maximum("u[0]").value, two.maximum("u[0]").value)
    assert both.maximum("u[0]").value == pytest.approx(largest, rel=1e-12)
    with pytest.raises(mb.StateError, match="same joints"):
        mb.join(one, mb.simulate(mb.library.pendulum(1), duration=1))
    again = mb.join(one, one)
    assert again.t[-1] == 2.0
    assert abs(again(1.25)[0] - one(0.25)[0]).max() < 1e-15


def test_a_saved_motion_is_the_same(tmp_path: Path) -> None:
    for name in ("three_body_arm", "four_bar", "body_on_circle", "spherical_chain"):
        model = getattr(mb.library, name)()
        tau = {model.bodies[0].name: "sin(t)"} if name == "three_body_arm" else None
        motion = mb.simulate(model, duration=0.5, rate=30, tau=tau, start=1.0, events=["t - 1.2"])
        motion.save(tmp_path / "motion.npz")
        found = mb.load_motion(tmp_path / "motion.npz")
        assert np.array_equal(found.q, motion.q)
        assert found.model == motion.model
        assert found.events[0].time == motion.events[0].time
        assert abs(found(1.2345)[0] - motion(1.2345)[0]).max() == 0.0
        assert abs(found.reactions(0) - motion.reactions(0)).max() <= 1e-9 * max(1, abs(motion.reactions(0)).max())
        assert found.then(duration=0.1).t[0] == 1.5


def test_damaged_files_are_refused(tmp_path: Path, rng: np.random.Generator) -> None:
    path = tmp_path / "motion.npz"
    mb.simulate(mb.library.pendulum(1), duration=0.2).save(path)
    whole = path.read_bytes()
    for _ in range(150):
        damaged = bytearray(whole[: int(rng.integers(1, len(whole)))] if rng.random() < 0.3 else whole)
        for _ in range(int(rng.integers(1, 5))):
            damaged[int(rng.integers(len(damaged)))] = int(rng.integers(256))
        path.write_bytes(bytes(damaged))
        try:
            mb.load_motion(path)
        except mb.FileError as error:
            assert str(path) in str(error)  # noqa: PT017  most damages are harmless
    kinds: list[dict[str, Any]] = [
        {"t": np.array([object()])},
        {"other": np.zeros(3)},
        {"head": np.zeros(3, dtype=np.uint8)},
    ]
    for arrays in kinds:
        np.savez(path, **arrays)
        with pytest.raises(mb.FileError):
            mb.load_motion(path)
    with pytest.raises(mb.FileError, match="check the path"):
        mb.load_motion(tmp_path / "nowhere.npz")


def test_a_file_that_unpacks_to_too_much_is_refused_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import zipfile

    from mbwidgets.numeric.motion import motion_file

    monkeypatch.setattr(motion_file, "MOST_BYTES", 1 << 24)
    path = tmp_path / "bomb.npz"
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("t.npy", "w", force_zip64=True) as member,
    ):
        block = bytes(1 << 24)
        for _ in range(2):
            member.write(block)
    with pytest.raises(mb.FileError, match="MB"):
        mb.load_motion(path)


def test_what_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    motion = mb.simulate(mb.library.pendulum(1), duration=0.1)
    for name, ask in (("pandas", motion.to_dataframe), ("xarray", motion.to_xarray)):
        monkeypatch.setitem(sys.modules, name, None)
        with pytest.raises(mb.MissingError, match=f"pip install {name}"):
            ask()


def test_a_hand_made_motion_is_asked_between_its_frames() -> None:
    from dataclasses import replace

    motion = mb.simulate(mb.library.spherical_chain(2), duration=1, rate=400)
    bare = replace(motion, source=None)
    assert abs(bare(0.4567)[0] - motion(0.4567)[0]).max() < 1e-6


def test_times_of_ones_own_are_all_there_under_a_function_too() -> None:
    """The end of a motion that SciPy steps is rounded; the last time is not lost by that."""
    times = np.sort(np.random.default_rng(5).uniform(0, 2, 60))
    motion = mb.simulate(mb.library.pendulum(2), times=times, tau={"rod 1": lambda t: math.sin(t)})
    assert np.array_equal(motion.t, times)


def test_what_cancels_is_nothing_and_not_too_fast() -> None:
    """In a free joint no effort is left but rounding: no peak is looked for in it, and no warning is given."""
    cases = (mb.library.pendulum(2), "rod 1"), (mb.library.four_bar(), "crank"), (mb.library.cart_pendulum(), "cart")
    for model, joint in cases:
        motion = mb.simulate(model, duration=1)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert abs(motion.signal(("effort", joint))).max() < 1e-10
        assert motion.maximum(("effort", joint)).value < 1e-10
        assert not len(motion.crossings(("effort", joint)))
        assert motion.maximum(f"x[{joint}] + 3 - (x[{joint}] + 3.0)").value == pytest.approx(0, abs=1e-12)
    slider = mb.simulate(mb.library.flyball_governor(), duration=0.5)  # guided, and led by springs of 800 kN/m
    assert slider.maximum(("force", "slider")).value < 1e-9
    with pytest.raises(mb.StateError, match="name a joint that moves"):
        mb.simulate(mb.library.scara(), duration=0.1).maximum(("effort", 3))


def test_a_jump_is_no_higher_than_its_sides() -> None:
    motion = mb.simulate(mb.library.pendulum(1), q=[1], u=[0], duration=3)
    assert motion.maximum("where(q[0], 1, -1)").value == motion.maximum("sign(q[0])").value == 1.0
    found = motion.maximum("sign(q[0]) + 0.1*cos(20*t)")
    assert found.value == pytest.approx(1.1, abs=1e-12)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        motion.signal("where(q[0], 1, -1)")


def test_names_that_people_guess_are_taken_or_answered() -> None:
    motion = mb.simulate(mb.library.pendulum(2), q=[1, 2], duration=1, rate=500)
    assert np.array_equal(motion.signal("q['rod 1']"), motion.q[:, 0])
    assert np.array_equal(motion.signal("x[rod 1, (0, 0, 1)]"), motion.signal("x[rod 1, 0, 0, 1]"))
    wrench = motion.reactions("rod 2", pole=(0.1, 0, 1))
    for place, name in enumerate(("fx", "fy", "fz", "mx", "my", "mz")):
        assert np.array_equal(motion.at(motion.t).signal(f"{name}[rod 2, 0.1, 0, 1]"), wrench[:, place])
    assert np.array_equal(motion.signal("wy[rod 2]"), motion.angular_velocities[:, 1, 1])
    assert np.array_equal(motion.signal(lambda t: t * t), motion.t**2)
    for given, told in [
        (("reaction", "rod 1"), "say 'force'"),
        ("torque[rod 1]", "'moment' of what its bearing carries"),
        ("u[rod 1]+foo", r"signal u\[rod 1\]\+foo: 'foo' is not a parameter"),
        (lambda t, q, u: None, "return one number"),
        (("force", "rod 1", "O", "world", 3), "joint, pole, axes"),
    ]:
        with pytest.raises(mb.MbwidgetsError, match=told):
            motion.signal(given)
    with pytest.raises(mb.StateError, match=r"l/2"):
        motion.crossings("q[0]", "l/2")


def test_a_joined_motion_answers_by_its_pieces_or_says_that_it_cannot() -> None:
    first = mb.simulate(mb.library.pendulum(2), q=[1, 2], duration=1)
    second = first.then(first.model.with_values(m=3.0), duration=1)
    both = mb.join([first, second])
    moments = both.mass_moments("rod 1")
    assert np.allclose(moments.mass[-1], 3.0 * moments.axis[-1])
    assert np.allclose(moments.mass[0], first.mass_moments("rod 1").mass[0])
    assert np.array_equal(both.bearings("rod 1", -1, 1).a[-1], second.bearings("rod 1", -1, 1).a[-1])
    for ask in ("rotators", "release", "pressure_spectrum"):
        with pytest.raises(mb.ModelError, match=rf"{ask}: .*motion\.pieces"):
            getattr(both, ask)("rod 1")
    with pytest.raises(mb.ModelError, match=r"horizon: .*motion\.pieces"):
        _ = both.horizon
    assert both.pieces[0].horizon == math.inf


def test_a_slice_of_seconds_ends_at_the_second_that_was_asked_for() -> None:
    """A motion is cut where an event was, not at the frame before it; what follows goes on from there."""
    arm = mb.library.three_body_arm()
    motion = mb.simulate(arm, duration=2, rate=20, tau={"base": "cos(t)"})
    (cut, *_) = motion.crossings("u[upper]")
    before = motion[:cut]
    assert before.t[-1] == cut
    assert np.array_equal(before.q[:-1], motion.q[: len(before) - 1])
    assert before.efforts is not None
    assert before.efforts[-1, 0] == pytest.approx(math.cos(cut), abs=1e-14)
    assert abs(before.u[-1, 1]) < 1e-9  # where the crossing is, to its own tolerance
    assert np.array_equal(before.q[-1], motion(cut)[0])
    after = before.then(duration=2 - cut, rate=20)
    assert after.t[0] == cut
    assert abs(after.q[-1] - motion.q[-1]).max() < 1e-7  # two solutions of rtol 1e-10 and their growth in 2 s
    assert np.array_equal(motion[0.5:1.0].t, motion.t[10:21])
    assert motion[3:7].t.tolist() == motion.t[3:7].tolist()
    assert motion[:9.0].t[-1] == motion.t[-1]
    assert motion[0.0:1.02:2].t[-1] == motion.t[20]
    both = mb.join(before, after)
    assert both[: cut + 0.123].t[-1] == cut + 0.123
    loop = mb.simulate(mb.library.four_bar(), duration=1, rate=10)[:0.77]
    assert loop.t[-1] == 0.77
    assert loop.constraint_residual.max() < 1e-11


def test_a_body_that_cannot_move_is_asked_too(tmp_path: Path) -> None:
    fixed = mb.Model([mb.Body("base", mb.Fixed(), mass=2, com=(0.1, 0, 0), inertia=(1, 1, 1))])
    motion = mb.simulate(fixed, duration=1)
    assert motion.maximum(("force", "base")).value == pytest.approx(19.62)
    motion.save(tmp_path / "fixed.npz")
    assert np.array_equal(mb.load_motion(tmp_path / "fixed.npz").reactions("base"), motion.reactions("base"))
    assert mb.Dynamics(fixed).forward(np.zeros((5, 0)), np.zeros((5, 0))).shape == (5, 0)
    with pytest.raises(mb.StateError, match="no coordinate moves"):
        motion.plot()


def test_a_function_that_a_file_cannot_keep_is_asked_for_again(tmp_path: Path) -> None:
    for tau in ({"rod 1": mb.Controller(lambda t: 1.0)}, lambda t, q, u: [1.0]):
        motion = mb.simulate(mb.library.pendulum(1), tau=tau, duration=1)
        motion.save(tmp_path / "motion.npz")
        found = mb.load_motion(tmp_path / "motion.npz")
        assert np.array_equal(found.efforts, motion.efforts)
        with pytest.raises(mb.StateError, match="give tau again"):
            found.then(duration=1)
        assert found.then(duration=1, tau=tau).q[-1] == motion.then(duration=1).q[-1]
        assert found.then(duration=1, tau=None).efforts is None
    with pytest.raises(mb.FileError, match=r"mb\.load_motion"):
        mb.load(tmp_path / "motion.npz")
