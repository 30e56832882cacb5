"""Kernels: compiled once, kept, never recompiled by a new value; the same code runs as Python."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numba
import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.numeric.engines import jit, warm

FALLBACK = """
import mbwidgets as mb, numpy as np
from mbwidgets.numeric.engines import jit
assert not jit.COMPILED
motion = mb.simulate(mb.library.pendulum(2), duration=0.5, rate=20)
assert motion.outcome.ok and motion.drift < 1e-8, motion
print(repr(motion.q[-1].tolist()))
"""


def use(value: float) -> None:
    """A motion, reactions and a mass matrix of a model with this value in it."""
    model = mb.Model(
        [
            mb.Body("a", mass=value, com=(0, 0, 1)),
            mb.Body("b", joint=mb.Spherical(), mass=1, inertia=(1, 1, 1)),
        ],
        forces=[mb.Effort("a", f"{value}*sin(t)"), mb.JointDamper("b", value)],
    )
    motion = mb.simulate(model, duration=0.1, events=["q[0]"])
    motion.reactions("b")
    mb.Dynamics(model).mass_matrix(model.q0)


@pytest.mark.skipif(not jit.COMPILED, reason="numba is not installed")
def test_a_new_value_a_new_model_and_a_new_expression_compile_nothing() -> None:
    model = mb.library.pendulum(2)
    mb.simulate(model, duration=0.1).reactions(0)
    mb.Dynamics(model).mass_matrix(model.q0)
    compiled: list[str] = []
    stop = jit.on_compile(compiled.append)
    try:
        use(0.5)
        use(2.0)
    finally:
        stop()
    assert compiled == []


def test_without_numba_the_same_code_gives_the_same_motion() -> None:
    environment = {**os.environ, "MBWIDGETS_NUMBA": "0"}
    done = subprocess.run(
        [sys.executable, "-c", FALLBACK], env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    expected = mb.simulate(mb.library.pendulum(2), duration=0.5, rate=20).q[-1]
    slow = [float(item) for item in done.stdout.strip().strip("[]").split(",")]
    assert np.allclose(slow, expected, atol=1e-9)


@pytest.mark.skipif(not jit.COMPILED, reason="numba is not installed")
def test_threads_that_need_a_kernel_at_once_compile_it_once() -> None:
    @numba.njit
    def double(x: np.ndarray) -> float:
        return 2 * x[0]

    def ask() -> float:
        jit.compile_only(double, np.zeros(1))
        return float(double(np.ones(1)))

    with ThreadPoolExecutor(8) as pool:
        answers = [future.result() for future in [pool.submit(ask) for _ in range(8)]]
    assert answers == [2.0] * 8
    assert len(double.signatures) == 1
    with pytest.raises(TypeError):
        double(np.ones(1, dtype=int))


@pytest.mark.skipif(not jit.COMPILED, reason="numba is not installed")
def test_two_processes_never_write_over_each_others_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MBWIDGETS_CACHE_DIR", str(tmp_path))
    jit.cache_folder().mkdir(parents=True)
    for process, code in ((11, "one"), (12, "other")):
        monkeypatch.setattr(os, "getpid", lambda process=process: process)
        file = jit._Cache(use)._cache_file
        monkeypatch.setattr(file, "_load_index", dict)  # neither has seen yet what the other one wrote
        file.save(("signature", code), code)
        monkeypatch.undo()
        monkeypatch.setenv("MBWIDGETS_CACHE_DIR", str(tmp_path))
    assert len(list(jit.cache_folder().glob("*.nbc"))) == 2
    assert jit._Cache(use)._cache_file.load(("signature", "other")) == "other"


@pytest.mark.thorough
@pytest.mark.skipif(not jit.COMPILED, reason="numba is not installed")
def test_a_second_process_compiles_its_part_into_the_cache(tmp_path: Path) -> None:
    script = (
        "from mbwidgets.numeric.engines import jit, warm\n"
        "names = []; jit.on_compile(names.append); warm.ensure_compiled('motion')\n"
        "import mbwidgets as mb; mb.simulate(mb.library.pendulum(1), duration=0.1); print(*names)"
    )
    environment = {**os.environ, "MBWIDGETS_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, timeout=300, check=True
    )
    assert "advance_steps" in done.stdout.split()
    assert ("tree_derivative" in done.stdout.split()) == (len(os.sched_getaffinity(0)) < 2)


def test_all_is_compiled_here_where_the_second_process_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "python"
    broken.write_text("#!/bin/sh\nexit 3\n")
    broken.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(broken))
    monkeypatch.setenv("MBWIDGETS_CACHE_DIR", str(tmp_path))
    jit.cache_folder().mkdir(parents=True)
    taken: list[str] = []
    steps = [warm.Step("late", lambda: taken.append("late"), True), warm.Step("early", lambda: taken.append("early"))]
    monkeypatch.setattr(warm, "_kinds", lambda: {"motion": lambda: steps})
    warm._compile("motion", lambda done, total, name: None)
    assert taken == ["early", "late"]
    assert warm._marker("motion").exists()


@pytest.mark.skipif(not jit.COMPILED, reason="numba is not installed")
def test_an_edit_of_a_constant_reaches_compiled_code(tmp_path: Path) -> None:
    """In the file of the kernel that uses it, or in another that kernels import: a stale cache would not see it."""
    package = tmp_path / "mbwidgets"
    shutil.copytree(Path(mb.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__", "static"))
    script = (
        "import numpy as np\n"
        "from mbwidgets.numeric.steps.chebyshev import NODES, SAMPLES, zero_search_places_at\n"
        "places = np.zeros(200)\n"
        "print(zero_search_places_at(NODES - 0.5, 0.0, 0.0, False, np.zeros((2, SAMPLES)), places)[0])"
    )
    environment = {**os.environ, "MBWIDGETS_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": str(tmp_path)}

    def run() -> str:
        done = subprocess.run(
            [sys.executable, "-c", script], env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=300
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    before = run()
    kernel = package / "numeric" / "steps" / "chebyshev.py"
    source = kernel.read_text(encoding="utf-8")
    assert "DECAYED = 1e-9" in source
    kernel.write_text(source.replace("DECAYED = 1e-9", "DECAYED = -1.0"), encoding="utf-8")
    assert (before, run()) == (before, "-1")
    assert before != "-1"


@pytest.mark.parametrize("room", jit.ROOMS)
def test_every_room_that_kernels_reach_is_hashed(room: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    numeric = tmp_path / "numeric"
    shutil.copytree(Path(jit.__file__).parents[1], numeric, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(jit, "__file__", str(numeric / "engines" / "jit.py"))
    before = jit._source_hash()
    assert before == jit._source_hash()
    (numeric / room / "constants_of_tomorrow.py").write_text("LIMIT = 3\n", encoding="utf-8")
    assert jit._source_hash() != before


def test_a_kernel_outside_these_rooms_is_refused() -> None:
    with pytest.raises(ImportError, match="its edits would not be seen"):
        jit.kernel(use)
