"""Compiled dynamics beside Pinocchio and MuJoCo, in one process and one run, on the same random chains.

Times are the minimum of several runs that alternate between the engines, so that a busy machine hurts all
alike.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pinocchio as pin
from scipy.integrate import solve_ivp

from mbwidgets.model.model import Model
from mbwidgets.numeric.engines.desk import Desk
from mbwidgets.numeric.kernels import entry_points
from mbwidgets.numeric.simulation.simulate import simulate
from mbwidgets.numeric.states.dynamics import Dynamics
from tests.oracles.mujoco_oracle import compile_model, coordinate_maps
from tests.oracles.pinocchio_oracle import PinocchioOracle
from tests.random_models import random_chain

SEED = 20
DURATION = 10.0
EARLY = 2.0
"""Chains are chaotic: later than this, seconds, no two methods follow the same trajectory for long."""
FIRST_MOTION = """
import time
start = time.perf_counter()
import mbwidgets as mb
mb.simulate(mb.library.three_body_arm())
print(time.perf_counter() - start, time.process_time())
"""


class Report:
    """Prints lines, and counts the targets that were missed."""

    def __init__(self) -> None:
        self.missed = 0

    def head(self, title: str, *columns: str) -> None:
        print(f"\n{title}")
        if columns:
            print("  " + "".join(f"{column:>16}" for column in columns))

    def row(self, *cells: str) -> None:
        print("  " + "".join(f"{cell:>16}" for cell in cells), flush=True)

    def target(self, name: str, value: float, limit: float, unit: str = "") -> None:
        met = value <= limit
        self.missed += not met
        print(
            f"    {name}: {value:.3g}{unit}, target at most {limit:.3g}{unit}: {'met' if met else 'MISSED'}",
            flush=True,
        )


def fastest(tasks: dict[str, Callable[[], Any]], repeats: int, calls: int) -> dict[str, float]:
    """Seconds per call of each task: the minimum over ``repeats`` rounds, each of which runs every task."""
    best = dict.fromkeys(tasks, np.inf)
    for _ in range(repeats):
        for name, task in tasks.items():
            start = time.perf_counter()
            for _ in range(calls):
                task()
            best[name] = min(best[name], (time.perf_counter() - start) / calls)
    return best


class Peers:
    """One chain in the three engines, in one state."""

    def __init__(self, n: int, seed: int) -> None:
        self.model = random_chain(np.random.default_rng([SEED, n, seed]), n)
        self.ours = Dynamics(self.model)
        # the chain is listed base to tip, so all three engines share one order of coordinates
        self.tree = PinocchioOracle(self.model)._tree
        self.engine = compile_model(self.model)
        self.data = mujoco.MjData(self.engine)
        rng = np.random.default_rng([SEED, n, seed, 1])
        self.q, self.u, self.ud, self.tau = rng.normal(size=(4, n))
        for order in coordinate_maps(self.model, self.engine):
            assert np.array_equal(order, np.arange(n))

    def forward(self) -> dict[str, Callable[[], Any]]:
        pin_model, pin_data, engine, data = self.tree.model, self.tree.data, self.engine, self.data
        q, u, tau, ours = self.q, self.u, self.tau, self.ours.forward

        def by_mujoco() -> None:
            data.qpos[:] = q
            data.qvel[:] = u
            data.qfrc_applied[:] = tau
            mujoco.mj_forward(engine, data)

        return {
            "ours": lambda: ours(q, u, tau),
            "Pinocchio": lambda: pin.aba(pin_model, pin_data, q, u, tau),
            "MuJoCo": by_mujoco,
        }

    def wrenches(self) -> dict[str, Callable[[], Any]]:
        """All joint wrenches as an array (n, 6), and what the peers' own calls cost before anything is read out."""
        pin_model, pin_data, engine, data = self.tree.model, self.tree.data, self.engine, self.data
        q, u, ud, ours = self.q, self.u, self.ud, self.ours.reactions
        n, forces, first = len(q), pin_data.f, slice(1, None)

        def by_pinocchio() -> None:
            pin.rnea(pin_model, pin_data, q, u, ud)

        def read_pinocchio() -> np.ndarray:
            by_pinocchio()
            out = np.empty((n, 6))
            for k in range(n):
                out[k] = forces[k + 1].vector
            return out

        def by_mujoco() -> None:
            data.qpos[:] = q
            data.qvel[:] = u
            data.qacc[:] = ud
            mujoco.mj_fwdPosition(engine, data)
            mujoco.mj_fwdVelocity(engine, data)
            mujoco.mj_rnePostConstraint(engine, data)

        def read_mujoco() -> np.ndarray:
            """The wrenches about the mass centre of the whole tree, brought to the joints."""
            by_mujoco()
            out = data.cfrc_int[first].copy()
            out[:, :3] -= np.cross(data.xanchor - data.subtree_com[1], out[:, 3:])
            return out

        return {
            "ours": lambda: ours(q, u, ud),
            "Pinocchio": by_pinocchio,
            "MuJoCo": by_mujoco,
            "Pinocchio, read": read_pinocchio,
            "MuJoCo, read": read_mujoco,
        }

    def others(self) -> dict[str, Callable[[], Any]]:
        """Inverse dynamics and the mass matrix, ours and Pinocchio's."""
        pin_model, pin_data, q, u, ud = self.tree.model, self.tree.data, self.q, self.u, self.ud
        return {
            "inverse": lambda: self.ours.inverse(q, u, ud),
            "rnea": lambda: pin.rnea(pin_model, pin_data, q, u, ud),
            "matrix": lambda: self.ours.mass_matrix(q),
            "crba": lambda: pin.crba(pin_model, pin_data, q),
        }

    def assert_same_wrenches(self) -> None:
        """That the three read the same wrenches out: at the joints, world axes, apart from the part about the axis."""
        tasks = self.wrenches()
        ours, pinocchio, theirs = (tasks[name]() for name in ("ours", "Pinocchio, read", "MuJoCo, read"))
        force, moment = ours[:, :3], ours[:, 3:]
        axes = self.data.xaxis
        across = moment - np.einsum("ij,ij->i", moment, axes)[:, None] * axes
        other = theirs[:, :3] - np.einsum("ij,ij->i", theirs[:, :3], axes)[:, None] * axes
        size = np.abs(ours).max()
        np.testing.assert_allclose(theirs[:, 3:], force, rtol=0, atol=1e-9 * size)
        np.testing.assert_allclose(other, across, rtol=0, atol=1e-9 * size)
        # Pinocchio's stand in the axes of the bodies
        np.testing.assert_allclose(
            np.linalg.norm(pinocchio[:, :3], axis=1), np.linalg.norm(force, axis=1), rtol=0, atol=1e-9 * size
        )


def per_call(report: Report, quick: bool) -> None:
    """One call from Python: forward dynamics, and all joint wrenches."""
    repeats, calls = (5, 500) if quick else (15, 2000)
    columns = "n", "ours", "pinocchio", "mujoco", "ours/pinocchio", "ours/mujoco"
    report.head("Forward dynamics, µs per call from Python", *columns)
    for n, limit in ((2, None), (5, 1.2), (10, 0.6), (30, 0.8)):
        times = fastest(Peers(n, 0).forward(), repeats, calls)
        ours, theirs, other = times["ours"], times["Pinocchio"], times["MuJoCo"]
        cells = [f"{x * 1e6:.2f}" for x in (ours, theirs, other)]
        report.row(str(n), *cells, f"{ours / theirs:.2f}", f"{ours / other:.2f}")
        if limit is not None:
            report.target(f"forward dynamics at n = {n} over the better peer", ours / min(theirs, other), limit)
    calls_only = "pinocchio alone", "mujoco alone"
    report.head(
        "All joint wrenches as an array (n, 6), µs per call from Python; alone: before anything is read out",
        *columns,
        *calls_only,
    )
    for n in (2, 5, 10, 30):
        peers = Peers(n, 0)
        peers.assert_same_wrenches()
        times = fastest(peers.wrenches(), repeats, calls)
        ours, theirs, other = times["ours"], times["Pinocchio, read"], times["MuJoCo, read"]
        bare = times["Pinocchio"], times["MuJoCo"]
        cells = [f"{x * 1e6:.2f}" for x in (ours, theirs, other)]
        report.row(
            str(n),
            *cells,
            f"{ours / theirs:.2f}",
            f"{ours / other:.2f}",
            *(f"{ours / x:.2f} of {x * 1e6:.2f}" for x in bare),
        )
        report.target(f"all joint wrenches at n = {n} over the better peer", ours / min(theirs, other), 0.5)
    report.head(
        "Inverse dynamics and mass matrix, µs per call from Python", "n", "inverse", "pinocchio", "matrix", "pinocchio"
    )
    for n in (5, 10, 30, 100, 200):
        times = fastest(Peers(n, 0).others(), repeats, max(calls // n, 20))
        report.row(str(n), *(f"{times[name] * 1e6:.2f}" for name in ("inverse", "rnea", "matrix", "crba")))


def many_states(report: Report, quick: bool) -> None:
    """Forward dynamics of 10,000 states in one call, beside the kernel alone and a loop over Pinocchio in Python."""
    count, n = 10_000, 10
    peers = Peers(n, 0)
    q, u, tau = np.random.default_rng([SEED, n, 2]).normal(size=(3, count, n))
    pin_model, pin_data, ours = peers.tree.model, peers.tree.data, peers.ours
    packed, t, out = ours._packed, np.zeros(count), np.empty((count, n))
    desk = Desk(
        {"model": packed.model, "data": packed.new_data(), "t": t, "q": q, "u": u, "tau": tau, "out": out}
    )  # where the kernel works: nothing is copied to it
    kernel = desk.bind(entry_points.forward_dynamics_frames, "model", "data", "t", "q", "u", "tau", "out")

    def by_pinocchio() -> np.ndarray:
        found = np.empty((count, n))
        for k in range(count):
            found[k] = pin.aba(pin_model, pin_data, q[k], u[k], tau[k])
        return found

    assert abs(ours.forward(q, u, tau) - by_pinocchio()).max() < 1e-8
    tasks = {"ours": lambda: ours.forward(q, u, tau), "kernel": kernel, "Pinocchio": by_pinocchio}
    times = fastest(tasks, 5 if quick else 60, 1)
    report.head(f"Forward dynamics of {count:,} states, n = {n}, µs a state", "ours", "kernel alone", "pinocchio")
    report.row(*(f"{times[name] / count * 1e6:.3f}" for name in tasks))
    report.target("one call over the kernel alone", times["ours"] / times["kernel"], 1.1)
    report.target("one call over a loop over Pinocchio", times["ours"] / times["Pinocchio"], 1 / 3)


def mujoco_drift(model: Model, engine: mujoco.MjModel) -> float:
    """Energy drift of MuJoCo's motion in our measure: max |E − E₀| over max T + max |V − V₀|, at 60 Hz."""
    data = mujoco.MjData(engine)
    data.qpos[:], data.qvel[:] = model.q0, model.u0
    energies = []
    per_frame = round(1 / 60 / engine.opt.timestep)
    for _ in range(round(DURATION / (per_frame * engine.opt.timestep)) + 1):
        mujoco.mj_forward(engine, data)
        mujoco.mj_energyPos(engine, data)
        mujoco.mj_energyVel(engine, data)
        energies.append(data.energy.copy())
        mujoco.mj_step(engine, data, per_frame)
    potential, kinetic = np.array(energies).T
    total = potential + kinetic
    return float(np.abs(total - total[0]).max() / (kinetic.max() + np.abs(potential - potential[0]).max()))


def early_state(model: Model) -> np.ndarray:
    """q after two seconds, by SciPy's DOP853 on Pinocchio's aba at the tightest tolerance."""
    tree = PinocchioOracle(model)._tree
    n = model.nv

    def rates(_: float, y: np.ndarray) -> np.ndarray:
        return np.concatenate([y[n:], pin.aba(tree.model, tree.data, y[:n], y[n:], np.zeros(n))])

    start = np.concatenate([model.q0, model.u0])
    return solve_ivp(rates, (0, EARLY), start, method="DOP853", rtol=3e-14, atol=1e-14).y[:n, -1]


def ten_seconds(report: Report, quick: bool) -> None:
    """Ten seconds of motion at the default tolerance, beside MuJoCo's RK4 with steps of a millisecond."""
    chains, repeats = (6, 2) if quick else (30, 3)
    columns = ("n", "", "ms", "energy drift", f"error at {EARLY:g} s")
    report.head(f"Ten seconds of motion: medians of {chains} random chains", *columns)
    for n, limit in ((3, 0.1), (10, 0.3)):
        ratios: list[float] = []
        ours: list[tuple[float, float, float]] = []
        theirs: list[tuple[float, float, float]] = []
        for number in range(chains):
            model = random_chain(np.random.default_rng([SEED, n, number, 2]), n)
            engine = compile_model(model)
            data = mujoco.MjData(engine)

            def by_mujoco(model: Model = model, engine: Any = engine, data: Any = data) -> None:
                mujoco.mj_resetData(engine, data)
                data.qpos[:], data.qvel[:] = model.q0, model.u0
                mujoco.mj_step(engine, data, round(DURATION / engine.opt.timestep))

            def by_us(model: Model = model) -> None:
                simulate(model, duration=DURATION)

            times = fastest({"ours": by_us, "MuJoCo": by_mujoco}, repeats, 1)
            motion = simulate(model, duration=DURATION)
            reference = early_state(model)
            mujoco.mj_resetData(engine, data)
            data.qpos[:], data.qvel[:] = model.q0, model.u0
            mujoco.mj_step(engine, data, round(EARLY / engine.opt.timestep))
            at = int(np.argmin(np.abs(motion.t - EARLY)))
            our_error = float(np.abs(motion.q[at] - reference).max())
            their_error = float(np.abs(data.qpos - reference).max())
            ours.append((times["ours"] * 1e3, motion.drift, our_error))
            theirs.append((times["MuJoCo"] * 1e3, mujoco_drift(model, engine), their_error))
            ratios.append(times["ours"] / times["MuJoCo"])
        for name, rows in (("ours", ours), ("MuJoCo RK4 1 ms", theirs)):
            milliseconds, drift, error = (statistics.median(column) for column in zip(*rows, strict=True))
            report.row(str(n), name, f"{milliseconds:.2f}", f"{drift:.1e}", f"{error:.1e}")
        report.target(f"n = {n}, ours over MuJoCo, median of the ratios", statistics.median(ratios), limit)


def first_motion(report: Report, quick: bool) -> None:
    """From import to the first motion in a new process."""
    report.head("From import to the first motion in a new process")
    root = Path(__file__).resolve().parents[1]
    environment = {**os.environ, "PYTHONPATH": str(root)}

    def measure() -> tuple[float, float]:
        command = [sys.executable, "-c", FIRST_MOTION]
        result = subprocess.run(command, env=environment, cwd=root, capture_output=True, text=True, check=True)
        wall, processor = result.stdout.split()
        return float(wall), float(processor)

    wall, processor = min(measure() for _ in range(2 if quick else 4))
    report.target(f"new process ({processor:.1f} s of processor time)", wall, 0.8, " s")


def run(*, quick: bool = False) -> int:
    """All figures; returns how many targets were missed."""
    report = Report()
    versions = f"Pinocchio {pin.__version__}, MuJoCo {mujoco.__version__}, Python {sys.version.split()[0]}"
    print(f"{versions}, {os.cpu_count()} cores")
    for section in (per_call, many_states, ten_seconds, first_motion):
        section(report, quick)
    return report.missed
