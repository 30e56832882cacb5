"""The page thinks: a slider that is dragged is answered there, and the kernel hears of it when it rests."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

from tests.browser.lab import Lab
from tests.browser.test_survives import reopen

ARM: Final = "view = mb.Explorer(mb.library.three_body_arm(), duration=2, rate=30, time=0); view"

# Drag a slider by the mouse's events, in small steps; what the page sends meanwhile, and what it shows. A hand that
# rests for half a second is heard by the kernel: on a busy machine it moves on until the page has answered.
DRAG: Final = """async (manager, [id, label, values, pause]) => {
    const read = (buffers) => Object.fromEntries(["times", "poses", "vectors"].map((name) => {
        const { buffer, byteOffset, byteLength } = buffers[name];
        return [name, [...new Uint8Array(buffer.slice(byteOffset, byteOffset + byteLength))].join(" ")];
    }));
    const player = await manager.get_model(id);
    const range = [...document.querySelectorAll("input[type=range]")]
        .find((node) => node.getAttribute("aria-label") === label);
    const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
    const sent = [];
    const note = (_, { direction, msg }) => {
        const told = Object.keys(msg.content.data?.state ?? {});
        if (direction === "send") sent.push(`${msg.header.msg_type} ${told}`);
    };
    kernel.anyMessage.connect(note);
    const [shown, moves] = [[], []];
    let page = null;
    const see = () => {
        shown.push(performance.now());
        page = player.get("_overlay") ?? page;
    };
    player.on("change:version", see);
    range.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
    range.step = "any";
    const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    const move = (value) => {
        range.value = value;
        moves.push(performance.now());
        range.dispatchEvent(new Event("input", { bubbles: true }));
        return wait(pause);
    };
    const end = performance.now() + 30000;
    const until = async (ready, what) => {
        while (!ready() && performance.now() < end) await wait(15);
        if (!ready()) throw new Error(`waited in vain for ${what}`);
    };
    for (const value of values) await move(value);
    const last = values.at(-1);
    const awaited = values.length / 2;
    for (let k = 0; shown.length < awaited && performance.now() < end; k++) await move(last * (1 + (k % 2) / 1e4));
    await move(last);
    const during = { sent: [...sent], shown: [...shown], moves };
    await until(() => performance.now() - Math.max(shown.at(-1) ?? Infinity, moves.at(-1)) > 150, "the page's answer");
    const version = player.get("version");
    range.dispatchEvent(new PointerEvent("pointerup", { bubbles: true }));
    range.dispatchEvent(new Event("change", { bubbles: true }));
    await until(() => player.get("version") !== version, "the kernel to answer");
    let [newest, since] = [player.get("version"), performance.now()];
    await until(() => {
        if (player.get("version") !== newest) [newest, since] = [player.get("version"), performance.now()];
        return performance.now() - since > 1000;
    }, "the kernel to rest");
    kernel.anyMessage.disconnect(note);
    player.off("change:version", see);
    const kernels = Object.fromEntries(["times", "poses", "vectors"].map((name) => [name, player.get(name)]));
    return { ...during, after: sent.slice(during.sent.length), page: read(page), kernel: read(kernels) };
}"""


def opened(lab: Lab, cell: str = ARM) -> None:
    lab.open_cells("import mbwidgets as mb", cell)
    lab.run_all()


def numbers(text: str) -> np.ndarray:
    return np.frombuffer(bytes(map(int, text.split())), dtype=np.float32)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "slider", "value"), [("four_bar", "m", 3), ("body_on_circle", "g", 7), ("slider_crank", "m", 2)]
)
def test_forces_of_constraints_are_told_by_the_page_too(lab: Lab, name: str, slider: str, value: int) -> None:
    opened(lab, f"view = mb.Explorer(mb.library.{name}(), duration=1, rate=30, time=0); view")
    found: Any = lab.widgets(
        DRAG, [lab.python("print(view.picture.player.model_id)"), slider, [value], 300], timeout=60
    )
    page, kernel = (numbers(found[who]["vectors"]).astype(float) for who in ("page", "kernel"))
    assert lab.python("print('constraint force' in view.vectors)") == "True"
    assert np.isfinite(kernel).all()
    # sums in another order: rounding of the last digits of a float32
    np.testing.assert_allclose(page, kernel, rtol=0, atol=1e-5 * np.abs(kernel).max())
    assert found["page"]["poses"] == found["kernel"]["poses"]


def test_a_drag_is_answered_by_the_page_and_the_kernel_hears_of_it_once(lab: Lab) -> None:
    opened(lab)
    lab.python("count = []; view.observe(lambda change: count.append(change.new), 'motion')")
    identity = lab.python("print(view.picture.player.model_id)")
    values = [8.0 + 0.1 * k for k in range(1, 21)]
    found: Any = lab.widgets(DRAG, [identity, "m1", values, 30], timeout=60)
    assert found["sent"] == []
    assert len(found["shown"]) >= len(values) / 2
    # buffers of geometries tell their version back when the kernel has set them: that is pythreejs
    assert [text for text in found["after"] if text != "comm_msg version"] == ["comm_msg edit"]
    assert lab.python("print(len(count), view.model.values['m1'])") == "1 10.0"
    assert found["page"] == found["kernel"]  # bit for bit
    assert lab.errors == []


@pytest.mark.thorough
def test_a_saved_notebook_without_its_kernel_answers_its_sliders(lab: Lab) -> None:
    opened(lab)
    lab.page.locator("canvas").first.wait_for()
    lab.page.wait_for_timeout(1500)
    reopen(lab)
    lab.page.get_by_text("the page answers sliders itself").wait_for(timeout=30_000)
    lab.page.get_by_label("m2, number", exact=True).fill("8.25")
    lab.page.get_by_label("m2, number", exact=True).press("Enter")
    lab.page.get_by_text("solved in this page").wait_for(timeout=30_000)
    lab.screenshot("live-reopened")


def test_a_view_with_a_kernel_tells_until_when_its_motion_is_known(lab: Lab) -> None:
    opened(lab, "view = mb.Explorer(mb.library.pendulum(2), duration=20, time=0); view")
    known = lab.python("print(f'known until t = {view.motion.horizon:g} s: beyond it one possible motion')")
    lab.page.get_by_text(known).wait_for(timeout=30_000)
    assert lab.page.locator(".mbw-timeline .mbw-uncertain").count() == 1
    lab.python("view.model = view.model.with_values(phi0=0.2)")  # all of this motion is known
    lab.page.locator(".mbw-timeline .mbw-uncertain").wait_for(state="detached", timeout=30_000)
    assert lab.page.get_by_text("known until").count() == 0
    assert lab.errors == []
