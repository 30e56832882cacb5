"""Too large or too long: a clear answer, never a frozen kernel."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mbwidgets.symbolic import SizeError, covariant, limited
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


def test_limits_do_not_touch_what_fits() -> None:
    with limited(terms=1000, seconds=5) as budget:
        _ = covariant(manipulator()).metric
    assert covariant(manipulator(), terms=1000).metric[0, 0] == 500
    assert budget.largest <= 1000


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
        cwd=Path(__file__).parents[2],
        env={"PYTHONPATH": "."},
    )
    assert process.stdout is not None
    assert process.stdout.readline().strip() == "begin"
    time.sleep(1.0)
    process.send_signal(signal.SIGINT)
    start = time.monotonic()
    try:
        _, errors = process.communicate(timeout=20)
    finally:
        process.kill()
    assert "KeyboardInterrupt" in errors
    assert time.monotonic() - start < 30
