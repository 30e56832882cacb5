"""Tolerances: each has its reason, and the closed loops do not hang on its last digit."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import mbwidgets as mb
from mbwidgets.numeric.base import tolerances

LOOPS = """
import mbwidgets as mb, numpy as np, json, sys
from mbwidgets.numeric.base import tolerances
models = {name: getattr(mb.library, name)() for name in mb.library.names()}
models["flat parallelogram"] = mb.library.n_four_bar(1)
models["two four-bars"] = mb.library.n_four_bar(2)
found = {}
for name, model in models.items():
    if model.constraints:
        motion = mb.simulate(model, duration=0.03 if "andrews" in name else 2, rate=30)
        forward = mb.Dynamics(model).forward(motion.q[0], motion.u[0])
        found[name] = [
            str(motion.outcome), motion.closure.freedom, motion.constraint_residual.max(), motion.drift,
            motion.q[-1].tolist(), float(abs(forward - motion.ud[0]).max() / (1 + abs(motion.ud[0]).max())),
        ]
json.dump([tolerances.TABLE["DEPENDENT"].value, found], sys.stdout)
"""


def test_every_tolerance_has_its_reason() -> None:
    names = {name for name in vars(tolerances) if name.isupper() and name != "TABLE"}
    assert names == set(tolerances.TABLE)
    for name, row in tolerances.TABLE.items():
        assert getattr(tolerances, name) == row.value
        assert all(len(text) > 10 for text in (row.relative_to, row.why)), name


def scaled(factor: float, folder: Path) -> list[float | dict[str, list[object]]]:
    """What the closed loops of the library do in a process whose tolerances are so many times as large."""
    import json

    package = folder / "mbwidgets"
    shutil.copytree(Path(mb.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__", "static"))
    file = package / "numeric" / "base" / "tolerances.py"
    source, count = re.subn(
        r'(_declare\(\s*"[A-Z_]+",\s*)([0-9.e+-]+)',
        lambda match: f"{match[1]}{float(match[2]) * factor!r}",
        file.read_text(encoding="utf-8"),
    )
    assert count == len(tolerances.TABLE)
    file.write_text(source, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    translate = "from mbwidgets.numeric.engines.translate.entries import write_products; write_products()"
    subprocess.run([sys.executable, "-c", translate], env=environment, cwd=folder, check=True, timeout=300)
    done = subprocess.run(
        [sys.executable, "-c", LOOPS], env=environment, cwd=folder, capture_output=True, text=True, timeout=900
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)  # type: ignore[no-any-return]


@pytest.mark.thorough
@pytest.mark.slow
@pytest.mark.parametrize("factor", [3.0, 1 / 3])
def test_closed_loops_bear_tolerances_three_times_as_large_and_as_small(factor: float, tmp_path: Path) -> None:
    for name in ("usual", "scaled"):
        (tmp_path / name).mkdir()
    usual, others = scaled(1.0, tmp_path / "usual")[1], scaled(factor, tmp_path / "scaled")
    assert others[0] == pytest.approx(factor * tolerances.DEPENDENT)
    assert isinstance(usual, dict)
    assert isinstance(others[1], dict)
    assert len(usual) >= 8
    for name, (outcome, freedom, _, drift, place, _) in usual.items():
        told, left, residual, moved, end, off = others[1][name]
        assert (told, left) == (outcome, freedom), name
        assert residual < 1e-12, name  # m and rad: projection goes on to rounding, wherever it is called met
        assert moved < max(1e-8, 3 * drift), name  # type: ignore[operator]
        # steps at other places give other errors, each within the default tolerance over two seconds
        assert end == pytest.approx(place, abs=1e-6), name
        assert off < 1e-7, name  # kernels and NumPy agree about the accelerations
