"""The quick start in JupyterLab: from *Run all* to its last cell done and its last view drawn.

It drives Chromium, and so it is not part of ``python -m benchmarks``; run it alone, on a calm machine:
``python -m benchmarks.quickstart``.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, sync_playwright

from benchmarks.dynamics import Report
from tests.browser.lab import FLAGS, Lab
from tests.browser.server import LabServer

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOK = "00_quickstart.ipynb"
VIEWS = 2
"""That the notebook shows."""
LIMIT = 8.0
"""Seconds."""
PATIENCE = 180.0


def chromium() -> str:
    """The browser of the system."""
    names = ("chromium", "chromium-browser", "google-chrome")
    found = os.environ.get("MBWIDGETS_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if found is None:
        sys.exit("no Chromium: install chromium, or set MBWIDGETS_CHROMIUM to a browser")
    return found


def run_all(browser: Browser, server: LabServer, name: str, folder: Path) -> tuple[float, float]:
    """Seconds from the click to the end of the last cell, and to the last view drawn."""
    with Lab(browser, server, name, folder) as lab:
        lab.open(NOTEBOOK)
        start = time.perf_counter()
        cells = lab.run_all(PATIENCE)
        ended = time.perf_counter() - start
        wrong = [cell.error for cell in cells if cell.error]
        if wrong:
            sys.exit(f"the notebook fails: {wrong[0]}")
        canvas = lab.page.locator(".jp-OutputArea canvas").nth(VIEWS - 1)
        canvas.wait_for(timeout=1000 * PATIENCE)
        while np.ptp(lab.pixels(canvas)) < 0.3:
            if time.perf_counter() - start > PATIENCE:
                sys.exit(f"the last view is still blank after {PATIENCE:g} s")
            lab.page.wait_for_timeout(50)
        return ended, time.perf_counter() - start


def run(*, repeats: int = 3) -> int:
    """The figures; returns how many targets were missed."""
    report = Report()
    with tempfile.TemporaryDirectory() as text, sync_playwright() as playwright:
        folder = Path(text)
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS, timeout=60_000)
        with LabServer(ROOT / "notebooks", folder / "lab") as server:
            times = [run_all(browser, server, f"run-{k}", folder) for k in range(repeats)]
        browser.close()
    report.head("Run all of the quick start in JupyterLab, s", "last cell", "last view drawn")
    ended, drawn = min(times, key=lambda pair: pair[1])
    report.row("least", f"{ended:.1f}", f"{drawn:.1f}")
    report.target("to the last view", drawn, LIMIT, " s")
    return report.missed


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks.quickstart", description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail when a target is missed")
    parser.add_argument("--repeats", type=int, default=3, help="runs, of which the fastest counts")
    options = parser.parse_args()
    missed = run(repeats=options.repeats)
    sys.exit(int(options.check and missed > 0))
