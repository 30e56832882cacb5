"""The engines: the same bits from both, in every thread and process; and what happens where something is missing."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.errors import FileError, SizeError, StateError, UnknownNameError
from mbwidgets.numeric.engines import product
from mbwidgets.numeric.engines.kernel import ENTRY_POINTS, current_engine, kernel
from mbwidgets.numeric.engines.product import STATIC, read_product
from mbwidgets.numeric.engines.translate.entries import translate_entry_points, write_products
from mbwidgets.numeric.engines.translate.module import Module
from mbwidgets.numeric.engines.wasm_engine import Instance
from mbwidgets.numeric.kernels import assembly, constrained_derivative, entry_points
from mbwidgets.numeric.kernels import memory_layout as layout
from mbwidgets.numeric.packing.formula_programs import formula_program
from mbwidgets.numeric.packing.machine import machine_data
from mbwidgets.numeric.packing.pack import pack_model, recipe_of
from tests.numeric.engines.translated import NODE, Machines
from tests.thorough import THOROUGH

ROOT = Path(__file__).resolve().parents[3]
HASHES = ROOT / "tests" / "data" / "motions.json"
INPUTS = 1000 if THOROUGH else 60
MOTION = """
import mbwidgets as mb, hashlib
motion = mb.simulate(mb.library.three_body_arm(), duration=1)
print(mb.engine(), motion.engine, hashlib.sha256(motion.q.tobytes()).hexdigest())
"""


@pytest.fixture
def wasm() -> Iterator[Instance]:
    before = mb.engine()
    mb.engine("wasm")
    yield current_engine().instance  # type: ignore[attr-defined]
    mb.engine(before)


def run(text: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command, told = [sys.executable, "-c", text], {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    return subprocess.run(command, env=told, capture_output=True, text=True, timeout=120, check=False)


def digest(*arrays: np.ndarray) -> str:
    return hashlib.sha256(b"".join(array.tobytes() for array in arrays)).hexdigest()


def test_the_products_are_what_the_kernels_translate_to(tmp_path: Path) -> None:
    write_products(tmp_path)
    parts = ("wasm", "json", "js.gz")
    names = (*(f"{name}.{part}" for name in ("kernels", "pages") for part in parts), "tangents.wasm", "tangents.json")
    for name in (*names, "names.json"):
        made, kept = ((folder / name).read_bytes() for folder in (tmp_path, STATIC))
        if name.endswith(".gz"):  # compressors differ
            made, kept = gzip.decompress(made), gzip.decompress(kept)
        assert made == kept, "python tools/translate.py makes them anew"


def test_motions_have_the_same_bits_wherever_they_are_computed(wasm: Instance) -> None:
    """Checked in: another machine, another system, another version of wasmtime must give the same."""
    found = {}
    for name in sorted(json.loads(HASHES.read_text(encoding="utf-8"))):
        motion = mb.simulate(getattr(mb.library, name)(), duration=1, rate=30)
        found[name] = digest(motion.q, motion.u, motion.reactions(0))
    assert found == json.loads(HASHES.read_text(encoding="utf-8"))
    assert len(found) >= 10
    assert {"four_bar", "bricard", "andrews_squeezer"} <= set(found)


def test_threads_and_other_processes_give_the_same_bits(wasm: Instance) -> None:
    here = digest(mb.simulate(mb.library.three_body_arm(), duration=1).q)
    with ThreadPoolExecutor(6) as pool:
        motions = list(pool.map(lambda _: mb.simulate(mb.library.three_body_arm(), duration=1), range(12)))
    assert {digest(motion.q) for motion in motions} == {here}
    done = run(MOTION)
    assert done.stdout.split() == ["wasm", "wasm", here], done.stderr
    assert done.stderr == ""


def test_python_computes_the_same_bits_as_wasm(wasm: Instance) -> None:
    def frames(name: str) -> list[str]:
        mb.engine(name)
        chain = mb.simulate(mb.library.pendulum(2), duration=0.3, rate=20)
        loop = mb.simulate(mb.library.four_bar(), duration=0.02, rate=100)
        assert chain.engine == loop.engine == name
        return [digest(motion.q, motion.u, motion.ud, motion.reactions(0)) for motion in (chain, loop)]

    assert frames("python") == frames("wasm")


Arrays = tuple[np.ndarray, np.ndarray]


def arrays_of(model: mb.Model) -> Arrays:
    """The arrays of a model and of a new data."""
    packed = pack_model(model)
    return packed.model, packed.new_data()


def states(seed: int, count: int) -> Iterator[tuple[mb.Model, Arrays, np.ndarray, np.ndarray, np.ndarray]]:
    """Library models with their arrays, model and data, and random states."""
    rng = np.random.default_rng(seed)
    names = mb.library.names()
    packed = {}
    for k in range(count):
        name = names[k % len(names)]
        if name not in packed:
            model = getattr(mb.library, name)()
            packed[name] = model, arrays_of(model)
        model, arrays = packed[name]
        yield model, arrays, *(rng.normal(size=size) for size in (model.nq, model.nv, model.nv))


METRICS = {
    model.name: formula_program(mb.covariant(model).metric, model.nq, model.nv)
    for model in (mb.library.three_body_arm(), mb.library.scara(), mb.library.cart_pendulum())
}
"""Programs of the metrics of a few models."""


def calls_at(model: mb.Model, arrays: Arrays, q: np.ndarray, u: np.ndarray, tau: np.ndarray):
    """Calls of the kernels that serve a state, by the name of their export."""
    n, nv, t = len(model.bodies), model.nv, np.array([0.3])
    yield "forward_dynamics", (*arrays, 0.3, q, u, tau, np.zeros(nv))
    yield "inverse_dynamics", (*arrays, t, q[None], u[None], tau[None], np.zeros((1, nv)), np.zeros((1, n, 6)))
    yield "fill_mass_matrix", (*arrays, q, np.zeros((nv, nv)))
    yield "body_poses", (*arrays, q[None], np.zeros((1, n, 3)), np.zeros((1, n, 4)))
    yield "energy_and_momenta", (*arrays, q[None], u[None], np.zeros((1, 8)))
    yield "body_vectors", (*arrays, q[None], u[None], tau[None], np.zeros((1, n, 36)))
    state = np.concatenate([q, u, [0.0]])
    yield "state_derivative:tree_derivative", (*arrays, tau, 0.3, state, np.zeros_like(state))
    if model.constraints:
        yield "state_derivative:constrained_derivative", (*arrays, tau, 0.3, state, np.zeros_like(state))
        yield from constraint_calls(arrays, 0.9 * model.q0 + 0.01 * q, u, tau)
    recipe = recipe_of(model).recipe
    values = np.array([float(model.values[name]) for name in recipe.names]) * (1.0 + 0.1 * tau[0])
    yield "follow_recipe", (recipe.machine, machine_data(recipe.machine), recipe.steps, values, recipe.template.copy())
    if model.name in METRICS:
        program = METRICS[model.name]
        given = np.array([float(model.values[name]) for name in program.parameters])
        numbers = np.concatenate([q, u, tau, given, np.zeros(program.programs)])
        yield (
            "run_formula",
            (program.machine, machine_data(program.machine), t, numbers[None], len(numbers) - program.programs),
        )


def constraint_calls(arrays: Arrays, q: np.ndarray, u: np.ndarray, tau: np.ndarray):
    """Calls of the kernels that serve constraints."""
    m, nq, nv = int(arrays[0][layout.EQUATIONS]), len(q), len(u)
    rows, spare = int(arrays[0][layout.ROWS]), np.zeros((assembly.SPARE_ROWS, nq + nv + 1 + m))
    yield "assemble", (*arrays, q, u, spare, np.zeros(4))
    yield "close_loops", (*arrays, 0.0, q, spare)
    yield "find_curve_feet", (*arrays, q, np.zeros(rows))
    state = np.concatenate([q, u, [0.0]])[None]
    found, jacobian = np.zeros((1, 4 * m + rows)), np.linspace(-1.0, 1.3, m * nv).reshape(1, m, nv)
    yield "observe_frames", (*arrays, np.array([0.3]), state, tau[None], found, jacobian.copy(), np.zeros_like(state))
    room = np.zeros((m, nv + m)), np.zeros(nv + 2 * m)
    yield "shortest_multipliers", (arrays[0], np.linspace(1.0, 2.0, m)[None], jacobian, min(m, nv, 2), *room)
    yield "normalise_quaternions", (arrays[0], state[:, :nq])


@cache
def translated() -> Module:
    """All entry points, translated once for several tests."""
    return translate_entry_points()


class Kernels(Machines):
    """All kernels of the package."""

    def __init__(self, folder: Path) -> None:
        self.module = translated()
        self._open(folder)

    def source(self, name: str):
        """The Python source of an export."""
        entry, _, given = name.partition(":")
        function = ENTRY_POINTS[entry].source
        if not given:
            return function
        derivative = getattr(entry_points, given, None) or getattr(constrained_derivative, given)
        return lambda *arguments: function(derivative, *arguments)


def test_every_kernel_gives_the_same_bits_as_its_source(tmp_path: Path, seed: int) -> None:
    machines, seen = Kernels(tmp_path), 0
    for state in states(seed, INPUTS):
        for name, given in calls_at(*state):
            if name == "state_derivative:constrained_derivative" and seen % 5:
                seen += 1
                continue  # the slowest as plain Python
            seen += 1
            assert machines.wasm(name, given) == machines.python(name, given, machines.source(name)), (state[0], name)


@pytest.mark.skipif(NODE is None, reason="there is no node")
def test_wasm_and_javascript_give_the_same_bits_on_all_library_models(tmp_path: Path, seed: int) -> None:
    machines = Kernels(tmp_path)
    calls = [call for state in states(seed, len(mb.library.names())) for call in calls_at(*state)]
    for call, scripted in zip(calls, machines.javascript(calls), strict=True):
        assert machines.wasm(*call) == scripted, call[0]


def test_an_engine_that_does_not_exist_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="'fortran' is no engine; give one of 'wasm', 'python'"):
        mb.engine("fortran")


def test_without_wasmtime_python_computes_and_it_is_said_once() -> None:
    text = "import sys; sys.modules['wasmtime'] = None\n" + MOTION.replace("duration=1", "duration=0.05")
    done = run(text)
    assert done.stdout.split()[:2] == ["python", "python"], done.stderr
    assert done.stderr.count("pip install wasmtime") == 1


def test_a_damaged_module_is_refused_by_its_hash(tmp_path: Path) -> None:
    for name in ("kernels.wasm", "kernels.json"):
        shutil.copy(STATIC / name, tmp_path)
    code = bytearray((tmp_path / "kernels.wasm").read_bytes())
    code[len(code) // 2] ^= 1
    (tmp_path / "kernels.wasm").write_bytes(code)
    with pytest.raises(FileError, match="not those that were installed; install mbwidgets anew"):
        read_product(tmp_path)
    (tmp_path / "kernels.wasm").unlink()
    with pytest.raises(FileError, match="cannot be read"):
        read_product(tmp_path)


def test_users_hold_copies_and_no_view_of_the_modules_memory(wasm: Instance) -> None:
    model = mb.library.three_body_arm()
    motion, dynamics = mb.simulate(model, duration=0.2), mb.Dynamics(model)
    given = [
        motion.q,
        motion.u,
        motion.ud,
        motion.reactions(0),
        dynamics.mass_matrix(model.q0),
        dynamics.forward(model.q0, model.u0),
        *dynamics.poses(model.q0),
    ]
    assert not any(np.shares_memory(array, wasm.floats) for array in given)


def test_the_memory_grows_with_what_is_computed_and_too_much_is_refused_in_words(
    wasm: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, frames = mb.library.pendulum(1), 20_000
    arrays = arrays_of(model)
    before = len(wasm.floats)
    out = np.zeros((max(frames, before // 8 + 1), 8))
    q = np.zeros((len(out), 1))
    entry_points.energy_and_momenta(*arrays, q, q, out)
    assert len(wasm.floats) > before
    assert np.ptp(out[:, 1]) == 0
    monkeypatch.setattr(wasm, "_pages", len(wasm.floats) * 8 // product.PAGE)
    many = np.zeros((2 * len(wasm.floats) // 8, 8))
    with pytest.raises(SizeError, match=r"a computation needs .* MB, and can have"):
        entry_points.energy_and_momenta(*arrays, np.zeros((len(many), 1)), np.zeros((len(many), 1)), many)


def test_a_large_computation_gives_its_memory_back() -> None:
    text = """
import mbwidgets as mb, numpy as np
from mbwidgets.numeric.engines.kernel import current_engine
from mbwidgets.numeric.kernels import entry_points
from mbwidgets.numeric.packing.pack import pack_model
packed, q = pack_model(mb.library.pendulum(1)), np.zeros((1_000_000, 1))
entry_points.energy_and_momenta(packed.model, packed.new_data(), q, q, np.zeros((len(q), 8)))
print(len(current_engine().instance.floats) * 8 >> 20)
"""
    done = run(text)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 64  # MB; the call itself needed 80


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_child_computes_whether_or_not_its_parent_has() -> None:
    text = """
import os, sys, threading
import mbwidgets as mb
if sys.argv[1] == "first":
    mb.simulate(mb.library.pendulum(1), duration=0.1)
child = os.fork()
if child == 0:
    result = []
    moved = lambda: mb.simulate(mb.library.pendulum(2), duration=0.1).outcome.ok
    thread = threading.Thread(target=lambda: result.append(moved()))
    thread.start(); thread.join(30)
    ok = mb.simulate(mb.library.pendulum(2), duration=0.1).outcome.ok and result == [True]
    os._exit(0 if ok else 1)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    for order in ("first", "after"):
        done = subprocess.run([sys.executable, "-c", text, order], cwd=ROOT, timeout=90, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="no such limit there")
def test_it_starts_where_the_addresses_of_a_process_are_limited() -> None:
    limit = "import resource; resource.setrlimit(resource.RLIMIT_AS, (1 << 30, resource.RLIM_INFINITY))\n"
    done = run(limit + MOTION, OPENBLAS_NUM_THREADS="1")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[0] == "wasm"
    before = "import mbwidgets as mb; mb.simulate(mb.library.pendulum(1), duration=0.1)\n"
    late = limit.replace("1 << 30", "(8 << 30)")
    text = (
        before
        + late
        + "import threading\nfound = []\n"
        + "thread = threading.Thread(target=lambda: found.append(mb.simulate(mb.library.pendulum(1), duration=0.1)))\n"
        + "thread.start(); thread.join(); assert found[0].outcome.ok\n"
    )
    done = run(text, OPENBLAS_NUM_THREADS="1")
    assert done.returncode == 0, done.stderr


def test_a_kernel_outside_its_rooms_is_refused() -> None:
    with pytest.raises(ImportError, match="it would not be translated"):
        kernel(lambda x: x)


@pytest.mark.parametrize("engine", ["wasm", "python"])
def test_a_call_does_not_feel_what_the_last_was_given(engine: str, rng: np.random.Generator) -> None:
    before, model = mb.engine(), mb.library.three_body_arm()
    try:
        mb.engine(engine)
        used, (q, u, tau) = mb.Dynamics(model), rng.normal(size=(3, 3))
        for given in (tau, None, 2 * tau, None, None):
            assert digest(used.forward(q, u, given)) == digest(mb.Dynamics(model).forward(q, u, given))
            assert digest(used.inverse(q, u, tau)) == digest(mb.Dynamics(model).inverse(q, u, tau))
        with pytest.raises(StateError, match="effort"):
            used.forward(q, u, np.full(3, np.nan))
        assert digest(used.forward(q, u)) == digest(mb.Dynamics(model).forward(q, u))
        assert digest(used.mass_matrix(q)) == digest(mb.Dynamics(model).mass_matrix(q))
    finally:
        mb.engine(before)


def test_an_entry_point_refuses_what_is_no_array_of_its_kind(wasm: Instance) -> None:
    arrays = arrays_of(mb.library.pendulum(1))
    with pytest.raises(TypeError, match="argument 2 is no array of 1 indices"):
        entry_points.fill_mass_matrix(*arrays, [0.0], np.zeros((1, 1)))
    with pytest.raises(TypeError, match="takes 4 arguments"):
        entry_points.fill_mass_matrix(*arrays, np.zeros(1))
