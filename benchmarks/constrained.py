"""Closed loops: ten seconds of each conservative mechanism, and IFToMM's problems A01 to A03 beside Exudyn."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from benchmarks.dynamics import Report, fastest
from mbwidgets.model import library
from mbwidgets.model.bodies import Body
from mbwidgets.model.constraints import DistanceConstraint
from mbwidgets.model.joints import Planar
from mbwidgets.model.model import Model
from mbwidgets.numeric.simulation.simulate import simulate

TOLERANCES = (1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10)


def run(*, quick: bool = False) -> int:
    """All figures; returns how many targets were missed."""
    report = Report()
    _loops(report, 3 if quick else 10)
    _rows(report, 1 if quick else 3)
    _benchmark_problems(report, quick)
    return report.missed


def _loops(report: Report, repeats: int) -> None:
    report.head("Ten seconds at the default tolerance", "mechanism", "ms", "energy drift", "constraints")
    for name in ("four_bar", "slider_crank", "bricard", "body_on_circle", "n_four_bar"):
        model = getattr(library, name)()
        motion = simulate(model)
        seconds = fastest({name: lambda model=model: simulate(model)}, repeats, 1)[name]
        residual = float(motion.constraint_residual.max())
        report.row(name, f"{seconds * 1e3:.1f}", f"{motion.drift:.1e}", f"{residual:.1e}")
        report.target(f"{name}, energy drift", motion.drift, 1e-8)
        report.target(f"{name}, constraint drift", residual, 1e-10)
        if name == "four_bar":
            report.target("four_bar, ready", seconds * 1e3, 50.0, " ms")


def _rows(report: Report, repeats: int) -> None:
    report.head("Four-bars in a row, ten seconds", "loops", "ms", "energy drift", "constraints")
    for n in (2, 10, 40):
        model = library.n_four_bar(n)
        motion = simulate(model)
        seconds = fastest({"": lambda model=model: simulate(model)}, repeats, 1)[""]
        report.row(f"{n}", f"{seconds * 1e3:.0f}", f"{motion.drift:.1e}", f"{motion.constraint_residual.max():.1e}")
        report.target(f"N = {n}, energy drift", motion.drift, 1e-8)


def pendulum() -> Model:
    """IFToMM A01: a point mass at a fixed distance."""
    return Model(
        [Body("point", Planar("z"), mass=1, inertia=(1, 1, 1))],
        gravity=(0, -9.81, 0),
        constraints=[DistanceConstraint("point", None, length=1)],
        state={"q": [-1, 0, 0]},
    )


def _benchmark_problems(report: Report, quick: bool) -> None:
    """Both at equal accuracy: Exudyn at two step sizes, and we at the loosest tolerance that is as exact as each."""
    try:
        import exudyn  # noqa: F401

        from benchmarks import exudyn_models
    except ImportError:
        print("\n  Exudyn is not installed: pip install exudyn prints its times next to ours.")
        return
    problems: tuple[tuple[str, Any, float, tuple[int, ...]], ...] = (
        ("A01", pendulum(), 10.0, (10_000, 40_000)),
        ("A02, N = 2", library.n_four_bar(2), 10.0, (10_003, 40_003)),
        ("A03", library.andrews_squeezer(), 0.03, (3_000, 12_000)),
    )
    report.head(
        "IFToMM problems beside Exudyn at equal accuracy", "problem", "Exudyn ms", "its error", "ours, ms", "our error"
    )
    for name, model, duration, counts in problems:
        exact = _place(model, duration, 1e-13)[1]
        ours = [(*_place(model, duration, rtol), rtol) for rtol in TOLERANCES]
        for steps in counts[:1] if quick else counts:
            theirs = exudyn_models.run(model, duration, steps)
            error = float(abs(theirs.place - exact).max())
            as_exact = [(seconds, float(abs(place - exact).max())) for seconds, place, _ in ours]
            fit = [pair for pair in as_exact if pair[1] <= error] or as_exact[-1:]
            report.row(
                name, f"{theirs.seconds * 1e3:.0f}", f"{error:.1e}", f"{fit[0][0] * 1e3:.1f}", f"{fit[0][1]:.1e}"
            )


def _place(model: Model, duration: float, rtol: float) -> tuple[float, np.ndarray]:
    """Seconds, and where the first body's mass centre ends."""
    best = np.inf
    for _ in range(3):
        start = time.perf_counter()
        motion = simulate(model, duration=duration, rate=10 / duration, rtol=rtol)
        best = min(best, time.perf_counter() - start)
    return best, motion.point(0, model.body(0).com).position[-1, :2]
