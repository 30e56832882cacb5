"""Permanent rotations: agreement of independent routes, and how long the drawings of a lecture take."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

import mbwidgets as mb
from benchmarks.dynamics import Report
from mbwidgets.numeric.permanent.kharlamov import Kharlamov
from tests.numeric.permanent.permanent_chains import SYSTEMS, random_spherical_chain, reference_chain, rods
from tests.random_models import random_state

SEED = 4


def seconds(task: Callable[[], Any], repeats: int) -> float:
    """The shortest of several runs."""
    best = np.inf
    for _ in range(repeats):
        start = time.perf_counter()
        task()
        best = min(best, time.perf_counter() - start)
    return best


def kharlamov(report: Report, chains: int) -> None:
    """(1.5) and (1.1) beside the kernels for trees."""
    rng = np.random.default_rng(SEED)
    worst = {True: 0.0, False: 0.0}
    for number in range(chains):
        model = random_spherical_chain(rng, int(rng.integers(1, 7)), elastic=number % 2 == 1)
        state = random_state(rng, model)
        expected = mb.Dynamics(model).forward(state.q, state.u)
        for augmented in worst:
            found = Kharlamov(model).accelerations(state.q, state.u, augmented)
            worst[augmented] = max(worst[augmented], float(np.abs(found - expected).max() / np.abs(expected).max()))
    report.target(f"accelerations by (1.5), {chains} chains, relative", worst[True], 1e-11)
    report.target(f"accelerations by (1.1), {chains} chains, relative", worst[False], 1e-11)


def verdicts(report: Report) -> None:
    """The reference systems: how many verdicts are wrong, and what one costs."""
    wrong = 0
    for system in SYSTEMS.values():
        found = mb.permanent(reference_chain(system), system["omega"])
        wrong += found.holds is not system["expected_permanent"]
    report.target(f"wrong verdicts on {len(SYSTEMS)} reference systems", wrong, 0)
    system = SYSTEMS["n3_k4_all_vertical"]
    model = reference_chain(system)
    report.target("one verdict", 1e3 * seconds(lambda: mb.permanent(model, system["omega"]), 5), 20, " ms")


def cones(report: Report, bodies: int) -> None:
    """Sampled axes of random bodies against (2.2); what a drag that snaps costs."""
    rng = np.random.default_rng(SEED)
    worst = 0.0
    for _ in range(bodies):
        cone = mb.staude_cone(random_spherical_chain(rng, 1))
        mus = cone.mus(8)
        axes, speeds = cone.axis(mus).reshape(-1, 3), cone.speed(mus).ravel()
        lever = speeds[:, None] ** 2 * (axes @ cone.inertia) + cone.weight * cone.static
        scale = speeds**2 * np.linalg.norm(cone.inertia) + cone.weight * np.linalg.norm(cone.static)
        worst = max(worst, float((np.linalg.norm(np.cross(axes, lever), axis=1) / scale).max()))
    report.target(f"(2.2) on the cones of {bodies} bodies, relative", worst, 1e-12)
    report.target("nearest axis of a cone", 1e3 * seconds(lambda: cone.nearest((1, 2, 3)), 5), 100, " ms")


def branches(report: Report) -> None:
    """The diagram of tilt against ω of two rods."""
    model = rods()
    report.target("branch diagram of two rods, ω = 0 … 12", seconds(lambda: mb.branch_diagram(model), 3), 1.0, " s")
    diagram = mb.branch_diagram(model)
    for omega, tilts in ((5.0, (71.40032, 76.17647)), (9.0, (21.81331, -57.70623))):
        error = min(float(np.abs(np.degrees(item.tilt) - tilts).max()) for item in diagram.at(omega))
        report.target(f"tilts at ω = {omega:g} beside the published ones, degrees", error, 1e-5)


def long_chain(report: Report) -> None:
    """Fifty rods on balls for ten seconds."""
    motion = mb.simulate(mb.library.spherical_chain(50), duration=10)
    report.target("energy drift of 50 rods in 10 s", motion.drift, 1e-8)


def run(quick: bool = False) -> int:
    """Print all figures; the number of targets that were missed."""
    report = Report()
    kharlamov(report, 100 if quick else 500)
    verdicts(report)
    cones(report, 100 if quick else 1000)
    branches(report)
    long_chain(report)
    return report.missed


if __name__ == "__main__":
    raise SystemExit(run() > 0)
