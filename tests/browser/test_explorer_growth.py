"""A long session with the Explorer: many slider changes, and one cell run again and again; nothing may grow.

    make growth        # 1,000 changes and 100 runs; a few minutes

Without it a few dozen changes and three runs are made.
"""

from __future__ import annotations

import os
import time
from typing import Any

import pytest

from tests.browser.lab import Lab
from tests.browser.test_explorer import ids, show

CHANGES = int(os.environ.get("MBWIDGETS_CHANGES", "60"))
RUNS = max(3, CHANGES // 10)
"""How often the same cell is run."""
WARM = 40
"""Changes before the first count, so that caches and compilers have what they keep."""
ROOM = 20e6
"""Bytes that the page and the kernel may take more."""

COUNTS = """async (manager, id) => {
    const model = await manager.get_model(id);
    const view = await Object.values(model.views)[0];
    return { models: Object.keys(manager._models).length, geometries: view?.renderer.info.memory.geometries ?? -1 };
}"""
# Move sliders as their page does: parameter, axis and inertia in turn; each waits until the objects have moved.
MOVE = """async (manager, [controls, player, moves]) => {
    const [rows, driver] = [await manager.get_model(controls), await manager.get_model(player)];
    for (const [number, [key, value]] of moves.entries()) {
        const moved = new Promise((resolve, reject) => {
            const late = setTimeout(() => reject(new Error(`${key} = ${value} moved nothing`)), 20000);
            driver.once("change:version", () => {
                clearTimeout(late);
                setTimeout(resolve);
            });
        });
        rows.set("edit", { key, value, number });
        rows.save_changes();
        await moved;
    }
}"""
MEMORY = """
import ctypes, gc, os
gc.collect()
# what the allocator keeps for itself is no growth
ctypes.CDLL(None).malloc_trim(0)
print(int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE"))
"""


def moves(first: int, count: int) -> list[tuple[str, float]]:
    """Changes that are never the present value, and all physical."""
    kinds = (("parameter m2", 1.0, 1.0), ("axis 2 1", 1.0, 0.02), ("inertia 2 11", 0.0252, 0.0002))
    out = []
    for number in range(first, first + count):
        key, low, step = kinds[number % 3]
        out.append((key, low + step * ((number // 3) % 11)))
    return out


def counts(lab: Lab, own: dict[str, str]) -> dict[str, int]:
    """Widget models and GPU geometries in the page."""
    return lab.widgets(COUNTS, own["renderer"])


def memory(lab: Lab) -> dict[str, float]:
    """Bytes in use: JavaScript of the page after its garbage is collected, and the kernel."""
    session = lab.page.context.new_cdp_session(lab.page)
    for _ in range(2):  # what finalizers let go of is collected by the second
        session.send("HeapProfiler.collectGarbage")
    used = session.send("Runtime.getHeapUsage")["usedSize"]
    session.detach()
    return {"page": used, "kernel": float(lab.python(MEMORY))}


def growth(before: dict[str, float], after: dict[str, float]) -> dict[str, float]:
    return {name: after[name] - before[name] for name in before}


@pytest.mark.thorough
def test_many_changes_leave_nothing_behind(lab: Lab) -> None:
    own = show(lab)
    lab.widgets(MOVE, [own["controls"], own["player"], moves(0, WARM)], timeout=120)
    lab.page.wait_for_timeout(1000)
    count, used = counts(lab, own), memory(lab)
    start = time.monotonic()
    made = moves(WARM, CHANGES)
    for at in range(0, CHANGES, 100):
        lab.widgets(MOVE, [own["controls"], own["player"], made[at : at + 100]], timeout=300)
    seconds = time.monotonic() - start
    lab.page.wait_for_timeout(1000)
    grown = growth(used, memory(lab))
    print(f"{CHANGES} changes in {seconds:.0f} s: {count}, grown by {mega(grown)}")
    assert counts(lab, own) == count
    assert grown["page"] < ROOM
    assert grown["kernel"] < ROOM
    last = dict(made[-3:])
    assert float(lab.python("print(view.model.values['m2'])")) == pytest.approx(last["parameter m2"])
    box = lab.cell(1).get_by_label("m2, number", exact=True)
    assert float(box.input_value()) == pytest.approx(last["parameter m2"])
    assert lab.errors == []


@pytest.mark.thorough
def test_one_cell_run_again_and_again_leaves_nothing_behind(lab: Lab) -> None:
    own = show(lab)
    for _ in range(min(5, RUNS)):
        own = again(lab, own)
    count, used = counts(lab, own), memory(lab)
    instances = lab.python(INSTANCES)
    for _ in range(RUNS):
        own = again(lab, own)
        settle(lab, own, count)
    grown = growth(used, memory(lab))
    print(f"{RUNS} runs: {count}, grown by {mega(grown)}")
    assert lab.python(INSTANCES) == instances
    assert grown["page"] < ROOM
    assert grown["kernel"] < ROOM
    assert lab.errors == []


INSTANCES = "from ipywidgets.widgets.widget import _instances; print(len(_instances))"


def again(lab: Lab, before: dict[str, str]) -> dict[str, str]:
    """Run the cells once more; returns when the new view is drawn."""
    lab.run_all()
    own = ids(lab)
    assert own["renderer"] != before["renderer"]
    for _ in range(200):
        if counts(lab, own)["geometries"] > 0:
            return own
        lab.page.wait_for_timeout(50)
    raise AssertionError("the new view was not drawn within 10 s")


def settle(lab: Lab, own: dict[str, str], count: dict[str, int]) -> None:
    """Wait until the counts are what they were; the closed view's models go one by one."""
    now: Any = None
    for _ in range(200):
        if (now := counts(lab, own)) == count:
            return
        lab.page.wait_for_timeout(50)
    raise AssertionError(f"{now} in place of {count}")


def mega(sizes: dict[str, float]) -> str:
    return ", ".join(f"{name} {size / 1e6:.1f} MB" for name, size in sizes.items())
