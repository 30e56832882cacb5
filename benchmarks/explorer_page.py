"""The Explorer in a real JupyterLab page: from a slider's input event to the moved object, and where the time goes.

    python -m benchmarks.explorer --page

Chromium renders in software. An event is sent when the page and the kernel rest, as a single step of a slider is; or
as soon as the objects of the one before have moved, as in a drag.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import tempfile
from pathlib import Path
from typing import Final

from playwright.sync_api import sync_playwright

from benchmarks.dynamics import Report
from tests.browser.lab import FLAGS, Lab
from tests.browser.server import LabServer

LIMIT: Final = 150.0
"""Milliseconds, median."""
CELL: Final = (
    "view = mb.Explorer(mb.library.three_body_arm(), vectors=('axis', 'force', 'moment'), selected='fore'); view"
)
SLIDERS: Final = ("m3", "azimuth of e", "J_x")
"""A mass, a joint's axis and a moment of inertia, moved in turn."""
# What the kernel does with an event, by the clock that the page has too.
CLOCK: Final = """
import time
marks = []
def marked(owner, name, before=None, after=None):
    usual = getattr(owner, name)
    def wrapped(*args, **options):
        if before: marks.append((before, time.time()))
        try:
            return usual(*args, **options)
        finally:
            if after: marks.append((after, time.time()))
    setattr(owner, name, wrapped)
marked(view.controls, "_moved", "handler", "handled")
marked(view._solver, "_done", "solved")
marked(view.picture.player, "load", None, "sent")
"""
# One event: the input of a slider, the websocket's messages, the player's new version, the picture after it.
EVENT: Final = """async (manager, [id, labels, shares, pause]) => {
    const player = await manager.get_model(id);
    const clock = () => performance.timeOrigin + performance.now();
    const socket = window.mbwSocket;
    const [send, take] = [socket.send, socket.onmessage];
    let out = {};
    socket.send = (data) => { out.asked ??= clock(); return send.call(socket, data); };
    socket.onmessage = (event) => {
        if ((event.data.byteLength ?? event.data.length) > 40000) out.arrived ??= clock();
        return take.call(socket, event);
    };
    const all = []; // moments of each event, by name
    const starts = (window.mbwStarts ??= {});
    for (const [number, share] of shares.entries()) {
        await new Promise((resolve) => setTimeout(resolve, pause));
        const range = [...document.querySelectorAll("input[type=range]")]
            .find((node) => node.getAttribute("aria-label") === labels[number % labels.length]);
        starts[range.ariaLabel] ??= Number(range.value);
        range.step = "any";
        const value = starts[range.ariaLabel] + share * (Number(range.max) - Number(range.min));
        out = {};
        all.push(out);
        const moved = new Promise((resolve, reject) => {
            setTimeout(reject, 10000, `${range.ariaLabel} = ${value} moved nothing`);
            const own = out;
            player.once("change:version", () => {
                own.moved = clock();
                requestAnimationFrame(() => setTimeout(() => (own.drawn = clock())));
                setTimeout(resolve);
            });
        });
        out.input = clock();
        range.value = value;
        range.dispatchEvent(new Event("input"));
        await moved;
    }
    await new Promise((resolve) => setTimeout(resolve, 1000));
    Object.assign(socket, { send, onmessage: take });
    return all;
}"""
SOCKET: Final = """(manager) => {
    window.mbwSocket = manager.kernel._ws;
}"""
PARTS: Final = (
    ("page, before it is sent", "input", "asked"),
    ("to the kernel", "asked", "handler"),
    ("model and motion", "handler", "solved"),
    ("arrows and buffers", "solved", "sent"),
    ("to the page", "sent", "arrived"),
    ("page, objects set", "arrived", "moved"),
    ("slider to moved object", "input", "moved"),
    ("and drawn", "moved", "drawn"),
    ("kernel, after it is sent", "sent", "handled"),
)


def measure(count: int) -> dict[str, dict[str, list[float]]]:
    """Milliseconds of each part, for single steps and for a drag."""
    path = os.environ.get("MBWIDGETS_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    with (
        tempfile.TemporaryDirectory() as folder,
        sync_playwright() as playwright,
        LabServer(Path(folder) / "none", Path(folder) / "home") as server,
    ):
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS, timeout=60_000)
        with Lab(browser, server, "benchmark", Path(folder)) as lab:
            lab.open_cells("import mbwidgets as mb", CELL)
            lab.run_all()
            lab.page.get_by_role("slider", name="Time").first.wait_for()
            lab.page.wait_for_timeout(2000)
            player = lab.python(CLOCK + "\nprint(view.picture.player.model_id)")
            lab.widgets(SOCKET)
            events(lab, player, range(3), 500)
            return {
                "single steps": events(lab, player, range(3, 3 + count), 500),
                "a drag": events(lab, player, range(3 + count, 3 + 2 * count), 0),
            }


def events(lab: Lab, player: str, numbers: range, pause: float) -> dict[str, list[float]]:
    """Milliseconds of each part of these events, ``pause`` ms after one another."""
    lab.python("marks.clear()")
    # small steps to and fro: a moment of inertia that is no body's would be refused
    shares = [0.004 * (1 + 3 * number % 7) for number in numbers]
    in_page = lab.widgets(EVENT, [player, SLIDERS, shares, pause], timeout=30 + len(numbers))
    in_kernel = json.loads(lab.python("import json; print(json.dumps(marks))"))
    parts: dict[str, list[float]] = {name: [] for name, _, _ in PARTS}
    for number, times in enumerate(in_page):
        own = in_kernel[4 * number : 4 * number + 4]
        moments = times | {name: 1e3 * moment for name, moment in own}
        for name, start, end in PARTS:
            parts[name].append(moments[end] - moments[start])
    return parts


def run(count: int = 25) -> int:
    """Print the parts; returns how many targets were missed."""
    report = Report()
    for how, parts in measure(count).items():
        report.head(f"From a slider's input event to the moved object in JupyterLab, {how}, ms")
        print(f"  {'':<28}{'median':>10}{'least':>10}")
        for name, values in parts.items():
            print(f"  {name:<28}{statistics.median(values):>10.1f}{min(values):>10.1f}")
        report.target("median", statistics.median(parts["slider to moved object"]), LIMIT, " ms")
    return report.missed


if __name__ == "__main__":
    raise SystemExit(run())
