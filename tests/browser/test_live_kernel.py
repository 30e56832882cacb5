"""Every view in JupyterLab: a drag is answered by the page, which sends nothing; the kernel then says the same."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

from tests.browser.lab import Lab
from tests.browser.test_live import numbers

VIEWS: Final[dict[str, tuple[str, list[tuple[str, str, float]]]]] = {
    "Explorer": ("mb.library.three_body_arm(), ", [("m3", "m3", 9.0), ("l2", "l2", 0.8), ("J_z", "", 0.09)]),
    "MassMomentsView": ("", [("elevation", "", 40.0), ("e", "e", 0.03), ("omega", "omega", 3.0)]),
    "RotatorsView": ("", [("m3", "m3", 9.0), ("l2", "l2", 0.8), ("m1", "m1", 6.0)]),
    "ReactionsView": ("", [("m3", "m3", 9.0), ("l2", "l2", 0.8), ("g", "g", 3.0)]),
    "EquationsView": ("mb.library.pendulum(2), ", [("m", "m", 2.0), ("g", "g", 3.0), ("l", "l", 0.8)]),
    "ReleaseView": ("", [("gap", "", 0.3), ("m", "m", 2.0), ("g", "g", 3.0)]),
    "PermanentRotationsView": ("", [("m2", "m2", 1.5), ("m1", "m1", 2.5), ("g", "g", 8.0)]),
    "ConstrainedView": ("", [("d", "d", 0.8), ("m", "m", 2.0), ("g", "g", 3.0)]),
}
"""By the name of a view its model, and three sliders: label, parameter if it is one, value."""

RESTS: Final = {"PermanentRotationsView": 1500}
"""Milliseconds without news after which a view has said all: cone and growth rates come after the motion."""

# Drag sliders one after the other; what is sent meanwhile, and what page and kernel show in the end.
DRAGS: Final = """async (manager, [id, index, sliders, rest]) => {
    const read = (buffers) => Object.fromEntries(["times", "poses", "vectors"].map((name) => {
        const { buffer, byteOffset, byteLength } = buffers[name];
        return [name, [...new Uint8Array(buffer.slice(byteOffset, byteOffset + byteLength))].join(" ")];
    }));
    const player = await manager.get_model(id);
    const cell = document.querySelectorAll(".jp-NotebookPanel .jp-CodeCell")[index];
    const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
    const sent = [];
    const note = (_, { direction, msg }) => direction === "send" && sent.push(msg.header.msg_type);
    const until = async (ready, what) => {
        const end = performance.now() + 15000;
        while (!ready() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 15));
        if (!ready()) throw new Error(`waited in vain for ${what}: ${cell.innerText.match(/[●▲].*/g)}`);
    };
    const found = [];
    for (const [label, value] of sliders) {
        // the kernel may have written the table anew
        const ranges = [...cell.querySelectorAll("input[type=range]")].filter((node) => !node.disabled);
        const range = ranges.find((node) => node.getAttribute("aria-label") === label);
        if (!range) throw new Error(`no ${label} among ${ranges.map((node) => node.getAttribute("aria-label"))}`);
        kernel.anyMessage.connect(note);
        sent.length = 0;
        range.step = "any";
        range.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
        for (const wanted of [value * 0.99, value * 1.01, value]) {
            const before = player.get("_overlay");
            range.value = wanted;
            range.dispatchEvent(new Event("input", { bubbles: true }));
            await until(() => player.get("_overlay") !== before, `${label} in the page`);
        }
        const during = [...sent];
        kernel.anyMessage.disconnect(note);
        const [page, version] = [read(player.get("_overlay")), player.get("version")];
        range.dispatchEvent(new PointerEvent("pointerup", { bubbles: true }));
        range.dispatchEvent(new Event("change", { bubbles: true }));
        await until(() => player.get("version") !== version, `${label} in the kernel`);
        let [last, since] = [player.get("version"), performance.now()];
        await until(() => {
            if (player.get("version") !== last) [last, since] = [player.get("version"), performance.now()];
            return performance.now() - since > rest; // what came late of the slider before is no answer
        }, `${label} to rest`);
        found.push({ label, page, during, kernel: read(player.attributes) });
    }
    return found;
}"""


@pytest.mark.parametrize("names", [list(VIEWS)[:4], list(VIEWS)[4:]], ids=["papers 1", "papers 2 to 5"])
def test_with_a_kernel_three_sliders_of_every_view_are_answered_in_the_page(lab: Lab, names: list[str]) -> None:
    lab.page.set_viewport_size({"width": 1280, "height": 1250})
    options = "duration=1, rate=30, time=0, width=240, height=160"  # nobody looks at the pictures
    cells = [f"view{k} = mb.{name}({VIEWS[name][0]}{options}); view{k}" for k, name in enumerate(names)]
    lab.open_cells("import mbwidgets as mb", *cells)
    assert [cell.error for cell in lab.run_all()] == [None] * (1 + len(names))
    for k, name in enumerate(names):
        player, sliders = lab.python(f"print(view{k}.picture.player.model_id)"), VIEWS[name][1]
        lab.cell(k + 1).locator("canvas").first.wait_for()
        told = [[label, value] for label, _, value in sliders]
        found: Any = lab.widgets(DRAGS, [player, k + 1, told, RESTS.get(name, 300)], timeout=60)
        for drag, (label, parameter, value) in zip(found, sliders, strict=True):
            assert drag["during"] == [], f"{name}: {label} sends while it is dragged"
            if parameter:
                assert float(lab.python(f"print(view{k}.model.values[{parameter!r}])")) == pytest.approx(
                    value, abs=1e-9
                )
            page, kernel = (numbers(drag[who]["vectors"]).astype(float) for who in ("page", "kernel"))
            assert page.shape == kernel.shape, f"{name}: {label}"
            # sums in another order: rounding of the last digits of a float32
            largest = np.nanmax(np.abs(kernel), initial=0.0)
            np.testing.assert_allclose(page, kernel, rtol=0, atol=1e-5 * largest, err_msg=f"{name}: {label}")
            poses = (numbers(drag[who]["poses"]) for who in ("page", "kernel"))
            np.testing.assert_allclose(*poses, rtol=0, atol=1e-6, err_msg=f"{name}: {label}")
    assert lab.errors == []
