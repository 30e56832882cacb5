"""Too large or too long: a clear answer, never a frozen kernel."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mbwidgets.symbolic import SizeError, covariant, limited, motion_vectors, reactions, rotators
from mbwidgets.symbolic.ring.generators import parameter
from mbwidgets.symbolic.ring.ring import make_ring
from tests.symbolic.mechanisms import general_chain, manipulator


def test_a_size_limit_answers_with_the_size_and_the_alternative() -> None:
    with pytest.raises(SizeError, match=r"limit of 500 terms.*mb\.Dynamics"):
        _ = covariant(general_chain(6), terms=500).metric


def test_a_time_limit_answers_in_time() -> None:
    start = time.monotonic()
    with pytest.raises(SizeError, match=r"longer than 0\.3 s and reached [\d,]+ terms.*mb\.Dynamics"):
        covariant(general_chain(7, symbolic=True), seconds=0.3).christoffel()
    # one product more than the limit, on a loaded machine
    assert time.monotonic() - start < 20.0


def test_a_large_inverse_points_to_its_numbers() -> None:
    equations = covariant(general_chain(6), terms=60_000, seconds=5)
    with pytest.raises(SizeError, match=r"contravariant metric.*contravariant_at"):
        _ = equations.contravariant_metric


DERIVATIONS: dict[str, Callable[[Any], Any]] = {
    "reactions": lambda model: reactions(model, 0, terms=5).moment,
    "rotators": lambda model: rotators(model, 0, terms=5).moment,
    "motion vectors": lambda model: motion_vectors(model, terms=5).accelerations,
    "covariant": lambda model: covariant(model, terms=5).metric,
}


@pytest.mark.parametrize("name", DERIVATIONS)
def test_the_remedy_of_a_limit_works_for_every_derivation(name: str) -> None:
    # a model of its own: what was derived for another joint or method is kept, and costs nothing
    derive, model = DERIVATIONS[name], general_chain(4).replace(name=name)
    with pytest.raises(SizeError) as error:
        derive(model)
    assert "with mb.limited(terms=..., seconds=...):" in str(error.value)
    assert "mb.covariant" not in str(error.value)
    with limited(terms=100_000, seconds=20):
        assert derive(model).terms > 5


def test_a_limit_passed_inside_a_matrix_product_keeps_its_type() -> None:
    """np.dot goes on multiplying after an error and ends with SystemError; so it would after Ctrl-C."""
    equations = covariant(general_chain(3))
    metric, gamma = equations.metric, equations.christoffel()
    with limited(terms=1), pytest.raises(SizeError):
        _ = metric @ metric
    with limited(terms=1), pytest.raises(SizeError):
        _ = gamma @ equations.potential_gradient
    product = gamma @ metric
    assert product.shape == (3, 3, 3)
    assert all(product[i, j] == gamma[i, j] @ metric for i in range(3) for j in range(3))


def test_linearisation_keeps_within_its_limits() -> None:
    with pytest.raises(SizeError):
        covariant(general_chain(4, symbolic=True), seconds=0.5).linearised(q=[0.1] * 4, u=[0.2] * 4)


def test_limits_do_not_touch_what_fits() -> None:
    with limited(terms=1000, seconds=5) as budget:
        _ = covariant(manipulator()).metric
    assert covariant(manipulator(), terms=1000).metric[0, 0] == 500
    assert budget.largest <= 1000


def test_the_limit_of_time_acts_inside_a_long_product() -> None:
    """Two polynomials of 20,000 terms: at one go their product takes flint half a minute."""
    letters = [parameter(f"p{k}") for k in range(40)]
    home = make_ring(letters)
    rng = random.Random(1)
    a, b = (
        home.backend.from_terms({tuple(rng.choice((0, 0, 0, 1)) for _ in letters): 1 for _ in range(20_000)})
        for _ in range(2)
    )
    start = time.monotonic()
    with limited(terms=10**9, seconds=0.5), pytest.raises(SizeError, match=r"took longer than 0.5 s"):
        home.mul(a, b)
    assert time.monotonic() - start < 10


@pytest.mark.parametrize("name", ["flint", "sympy"])
def test_a_product_in_pieces_is_the_product(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MBWIDGETS_RING", name)
    equations = covariant(general_chain(3))
    home, entries = equations.metric.ring, [entry.num for entry in equations.metric.entries]
    whole = [home.mul(a, b) for a in entries for b in entries]
    summed = home.dot(entries, entries)
    monkeypatch.setattr("mbwidgets.symbolic.ring.ring.LONGEST", 7)
    assert [home.mul(a, b) for a in entries for b in entries] == whole
    assert home.dot(entries, entries) == summed


def test_control_c_stops_a_derivation() -> None:
    script = (
        "from tests.symbolic.mechanisms import general_chain\n"
        "from mbwidgets.symbolic import covariant\n"
        "equations = covariant(general_chain(7, symbolic=True), terms=10**9, seconds=600)\n"
        "print('begin', flush=True)\n"
        "equations.contravariant_metric\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[3],
        env={"PYTHONPATH": "."},
    )
    assert process.stdout is not None
    assert process.stdout.readline().strip() == "begin"
    time.sleep(1.0)
    process.send_signal(signal.SIGINT)
    try:
        _, errors = process.communicate(timeout=20)
    finally:
        process.kill()
    assert "KeyboardInterrupt" in errors
