"""The elementary functions: within their bounds of the true value, over their ranges and at large angles."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest

from mbwidgets.numeric.kernels import libm

BOUNDS = {"sin": 1, "cos": 1, "tan": 2, "exp": 1, "log": 1, "tanh": 2, "atan": 1, "asin": 1, "acos": 1, "atan2": 2}
"""Units of the last place, as the module states them."""


def powers(rng: np.random.Generator, low: float, high: float, count: int) -> np.ndarray:
    """Numbers of both signs and many magnitudes."""
    return rng.choice([-1.0, 1.0], count) * 10.0 ** rng.uniform(low, high, count)


def near_multiples(rng: np.random.Generator, count: int) -> np.ndarray:
    """The floats nearest to multiples of π/2, where reduction loses most digits."""
    with mpmath.workdps(60):
        return np.array([float(int(k) * mpmath.pi / 2) for k in rng.integers(1, 2**49, count)])


def places(rng: np.random.Generator, name: str, count: int) -> np.ndarray:
    if name in ("sin", "cos", "tan"):
        large = powers(rng, 5, 15, count)
        parts = [
            rng.uniform(-10, 10, count),
            powers(rng, -12, 6, count),
            large[abs(large) < libm.LARGEST_ANGLE],
            near_multiples(rng, count),
        ]
    elif name == "exp":
        parts = [rng.uniform(-700, 709.7, count), rng.uniform(-745, -700, count), powers(rng, -12, 0, count)]
    elif name == "log":
        parts = [10 ** rng.uniform(-307, 308, count), rng.uniform(0.5, 2, count), 10 ** rng.uniform(-323, -307, count)]
    elif name == "tanh":
        parts = [rng.uniform(-25, 25, count), powers(rng, -12, 0, count)]
    elif name == "atan":
        parts = [rng.uniform(-5, 5, count), powers(rng, -20, 20, count)]
    else:
        parts = [rng.uniform(-1, 1, count), powers(rng, -12, 0, count), 1 - 10 ** rng.uniform(-16, -1, count)]
    return np.concatenate(parts)


def off(found: float, true: Any) -> float:
    """How far a value is from the true one, in units of the last place of that."""
    return float(abs(mpmath.mpf(found) - true) / math.ulp(float(true)))


@pytest.mark.parametrize("name", [name for name in BOUNDS if name != "atan2"])
def test_a_function_is_within_its_bound(name: str, rng: np.random.Generator) -> None:
    function: Callable[[float], float] = getattr(libm, name)
    with mpmath.workdps(60):
        for x in map(float, places(rng, name, 1500)):
            assert off(function(x), getattr(mpmath, name)(mpmath.mpf(x))) <= BOUNDS[name], x


def test_the_angle_of_a_point_is_within_its_bound(rng: np.random.Generator) -> None:
    with mpmath.workdps(60):
        for y, x in zip(powers(rng, -8, 8, 3000), powers(rng, -8, 8, 3000), strict=True):
            true = mpmath.atan2(mpmath.mpf(float(y)), mpmath.mpf(float(x)))
            assert off(libm.atan2(float(y), float(x)), true) <= BOUNDS["atan2"], (y, x)


def test_sine_and_cosine_together_are_those_alone(rng: np.random.Generator) -> None:
    for x in map(float, powers(rng, -12, 16, 3000)):
        assert libm.sin_cos(x) == (libm.sin(x), libm.cos(x)) or abs(x) > libm.LARGEST_ANGLE


def test_what_has_no_value_has_none() -> None:
    for function, x in [
        (libm.sin, 2e15),
        (libm.cos, math.inf),
        (libm.tan, math.nan),
        (libm.sqrt, -1.0),
        (libm.log, -1.0),
        (libm.asin, 1.5),
        (libm.acos, -1.5),
        (libm.tanh, math.nan),
        (libm.exp, math.nan),
        (libm.atan, math.nan),
    ]:
        assert math.isnan(function(x)), (function, x)


def test_ends_are_exact() -> None:
    assert (libm.exp(0.0), libm.exp(1000.0), libm.exp(-1000.0), libm.exp(-745.0)) == (1.0, math.inf, 0.0, 5e-324)
    assert (libm.log(1.0), libm.log(0.0), libm.log(math.inf)) == (0.0, -math.inf, math.inf)
    assert (libm.log(5e-324), libm.log(1.7e308)) == (math.log(5e-324), math.log(1.7e308))
    assert (libm.asin(1.0), libm.acos(1.0), libm.acos(-1.0), libm.atan(math.inf)) == (
        math.pi / 2,
        0.0,
        math.pi,
        math.pi / 2,
    )
    assert (libm.tanh(30.0), libm.tanh(-30.0), libm.tanh(0.0)) == (1.0, -1.0, 0.0)
    assert [libm.atan2(y, x) for y, x in [(0.0, 1.0), (0.0, -1.0), (1.0, 0.0), (-1.0, 0.0)]] == [
        0.0,
        math.pi,
        math.pi / 2,
        -math.pi / 2,
    ]
    assert (libm.floor(-1.5), libm.ceil(-1.5), libm.sqrt(2.0)) == (-2.0, -1.0, math.sqrt(2.0))
