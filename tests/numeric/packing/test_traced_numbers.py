"""Functions of arrays, run on traced numbers, are programs that give the numbers of those functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import mbwidgets as mb
from mbwidgets.errors import ExpressionError
from mbwidgets.numeric.motion.array_algebra import carriers_at, reactions_at
from mbwidgets.numeric.motion.traced_motion import TracedMotion, evaluated, observed_tables, parameters_of
from mbwidgets.numeric.packing import frame_programs
from mbwidgets.numeric.packing.frame_programs import frame_program
from mbwidgets.numeric.packing.traced_numbers import Tracer, greater, largest_size, lengths_of, traced_where

FRAMES = 5
FUNCTIONS: dict[str, Callable[[np.ndarray], Any]] = {
    "sums and products": lambda x: 2.5 * x[:, :3] - x[:, 3:] / 3 + 1 - x[:, ::-1][:, :3] * x[:, :3],
    "quotients": lambda x: 1.0 / (1.0 + x[:, :2] ** 2) - x[:, 2:4] / (2.0 + x[:, 4:] * x[:, 4:]),
    "cross products": lambda x: np.cross(x[:, :3], x[:, 3:]),
    "einsum": lambda x: np.einsum("fi,fj->fij", x[:, :3], x[:, 3:]).reshape(len(x), -1),
    "matrices": lambda x: (x[:, :, None] @ x[:, None, :] @ np.ones((6, 2))).reshape(len(x), -1),
    "lengths": lambda x: np.column_stack([lengths_of(x[:, :3]), lengths_of(x.reshape(len(x), 2, 3))]),
    "angles": lambda x: np.column_stack([np.arctan2(x[:, 0], 2.0 + x[:, 1] ** 2), np.degrees(np.sin(x[:, 2]))]),
    "hypotenuses": lambda x: np.hypot(x[:, :3], 1.0 + abs(x[:, 3:])),
    "the largest size": lambda x: largest_size(x)[:, None],
    "choices": lambda x: traced_where(greater(x[:, :3], 0.5), x[:, 3:], np.nan),
    "choices of numbers": lambda x: traced_where(greater(x[:, :3], x[:, 3:]), 0.0, -x[:, :3]),
    "what is no number": lambda x: np.column_stack([x[:, 0], np.full(len(x), np.nan), np.zeros(len(x))]),
}


@pytest.mark.parametrize("name", FUNCTIONS)
@given(x=arrays(float, (FRAMES, 6), elements=st.floats(-3, 3, allow_nan=False, width=32)))
def test_a_traced_function_is_a_program_that_gives_its_numbers(name: str, x: np.ndarray) -> None:
    tracer = Tracer()
    traced = FUNCTIONS[name](tracer.array("x", 6))
    program = frame_program(tracer, list(np.asarray(traced).reshape(-1)))
    expected = np.asarray(FUNCTIONS[name](x), dtype=float).reshape(FRAMES, -1)
    # another order of the same few operations: a few roundings of numbers below 100
    np.testing.assert_allclose(program.evaluate({"x": x}, np.arange(FRAMES)), expected, rtol=1e-13, atol=1e-13)


def test_what_depends_on_numbers_that_are_not_known_is_refused() -> None:
    x = Tracer().array("x", 3)
    for ask in (lambda: bool(x[0, 0]), lambda: float(x[0, 0]), lambda: x.max(), lambda: np.sort(x[0]), lambda: x > 1):
        with pytest.raises(TypeError, match="not known yet"):
            ask()


def test_only_inputs_that_are_used_are_read() -> None:
    tracer = Tracer()
    x = tracer.array("x", 50)
    assert frame_program(tracer, [x[0, 7] * x[0, 40]]).inputs == (("x", 7), ("x", 40))


def test_a_program_that_is_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frame_programs, "LARGEST", 10)
    tracer = Tracer()
    x = tracer.array("x", 12)
    with pytest.raises(ExpressionError, match="more than 10"):
        frame_program(tracer, [x.sum() * x[0, 0]])


TREES = ["three_body_arm", "six_axis_arm", "cart_pendulum", "opnchain_manipulator", "rotor", "hammer_crusher"]


@pytest.mark.parametrize("name", TREES)
def test_both_methods_of_reactions_are_programs_that_hold_for_other_values(name: str) -> None:
    model = getattr(mb.library, name)()
    motion = mb.simulate(model, duration=0.3)
    tracer = Tracer(parameters_of(model))
    traced = TracedMotion(motion, tracer)

    def methods(seen: Any) -> np.ndarray:
        carriers = carriers_at(seen.model, seen.q.T, seen.u.T, seen.ud.T)
        found = [reactions_at(carriers, method, len(seen)) for method in ("rodrigues", "rotators")]
        return np.stack(found, axis=1).reshape(len(seen), -1)

    program = frame_program(tracer, list(methods(traced)[0]))
    heavier = {key: 1.1 * value for key, value in model.values.items() if key.startswith("m")}
    for other in (model, model.with_values(**heavier)):
        along = mb.simulate(other, duration=0.2)
        expected = methods(along)
        found = program.evaluate(observed_tables(along), along.t)
        # sums of products of the same numbers in another order
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12 * np.abs(expected).max())


def test_an_exact_formula_is_a_program_of_the_parameters() -> None:
    model = mb.library.three_body_arm()
    metric = mb.covariant(model).metric
    tracer = Tracer(parameters_of(model))
    traced = TracedMotion(mb.simulate(model, duration=0.1), tracer)
    program = frame_program(tracer, list(evaluated(metric, traced).reshape(-1)))
    along = mb.simulate(model.with_values(m2=9.0, l2=0.4), duration=0.2)
    found = program.evaluate(observed_tables(along), along.t).reshape(len(along), 3, 3)
    expected = [mb.Dynamics(along.model).mass_matrix(q) for q in along.q]
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)
