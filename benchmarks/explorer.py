"""The Explorer: kernel time from a slider event to the buffers sent, on random chains.

A motion of ten seconds at 60 frames a second, its arrows, and the selected body's S, 𝔍, D and reaction; the
formulae come afterwards and are not part of it, as in a notebook.

``python -m benchmarks.explorer --page`` measures the whole way in a JupyterLab page (`benchmarks.explorer_page`).
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import time

import numpy as np
from ipywidgets.widgets.widget import _instances

from benchmarks.dynamics import Report
from mbwidgets.model.model import Model
from mbwidgets.widgets.views.explorer import Explorer
from tests.random_models import random_chain

SEED = 21
VECTORS = ("axis", "force", "moment", "static", "inertia", "deviation")


def moved(view: Explorer, number: int) -> tuple[float, float]:
    """Seconds, and seconds of the processor, that a slider's event takes: mass, inertia and axis in turn."""
    index = view.index
    key = (f"mass {index}", f"inertia {index} 00", f"axis {index} 0")[number % 3]
    place = view.controls._places[key]
    value = place.low + (place.high - place.low) * (0.3 + 0.4 * (number % 17) / 17)
    start, busy = time.perf_counter(), time.process_time()
    view.controls.edit = {"key": key, "value": value, "number": number}
    return time.perf_counter() - start, time.process_time() - busy


async def drags(models: list[Model], events: int) -> tuple[list[tuple[float, float]], int]:
    """Times of events over several chains, and how many widgets the events left behind."""
    times, grown = [], 0
    for model in models:
        view = Explorer(model, vectors=VECTORS)
        moved(view, 0)
        before = len(_instances)
        for number in range(events):
            sent = view.picture.player.version
            seconds = moved(view, number)
            if view.picture.player.version > sent:  # inertia at the edge of what is physical stays where it is
                times.append(seconds)
            await asyncio.sleep(0)
        grown += len(_instances) - before
        view.close()
    return times, grown


def run(*, quick: bool = False) -> int:
    """All figures; returns how many targets were missed."""
    report = Report()
    chains, events = (3, 12) if quick else (10, 30)
    report.head("From a slider event to the buffers sent, ms", "n", "median", "worst", "median, CPU")
    for n, limit in ((3, 30.0), (10, 120.0)):
        models = [random_chain(np.random.default_rng([SEED, n, k]), n) for k in range(chains)]
        times, grown = asyncio.run(drags(models, events))
        seconds, busy = ([1e3 * pair[k] for pair in times] for k in range(2))
        middle = statistics.median(seconds)
        report.row(str(n), f"{middle:.1f}", f"{max(seconds):.1f}", f"{statistics.median(busy):.1f}")
        report.target(f"median at n = {n}", middle, limit, " ms")
        report.target(f"widgets left behind by {len(times)} events at n = {n}", grown, 0)
    return report.missed


if __name__ == "__main__":
    if "--page" in sys.argv[1:]:
        from benchmarks import explorer_page  # needs a browser

        raise SystemExit(explorer_page.run())
    raise SystemExit(run(quick=True))
