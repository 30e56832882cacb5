"""The views of the first paper in JupyterLab: drawn, moved by hand, and right against the core."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Locator

import mbwidgets as mb
from tests.browser.lab import Lab
from tests.browser.test_export import Opened

VISIBLE_ARROWS = """async (manager, id) => {
    const player = await manager.get_model(id);
    const found = player.get("arrows").map((item) => manager.get_model(item.replace("IPY_MODEL_", "")));
    const arrows = await Promise.all(found);
    return player.get("quantities").filter((_, k) => arrows[k].obj.visible);
}"""


def show(lab: Lab, code: str) -> Locator:
    """Run a cell that shows `view`; returns its output."""
    lab.page.set_viewport_size({"width": 1280, "height": 1250})
    lab.open_cells("import numpy as np\nimport mbwidgets as mb", f"view = {code}\nview")
    assert [cell.error for cell in lab.run_all()] == [None, None]
    lab.page.locator("canvas").first.wait_for()
    lab.page.locator(".mbw-ledger tbody tr").first.wait_for()
    lab.page.wait_for_timeout(600)
    assert np.ptp(lab.pixels(lab.page.locator("canvas").first)) > 0.3, "nothing is drawn"
    return lab.cell(1)


def values(lab: Lab, code: str) -> Any:
    return json.loads(lab.python(f"import json\nprint(json.dumps(np.asarray({code}).tolist()))"))


def row(place: Locator, key: str) -> list[float]:
    """The numbers of a row of a table as the page shows them."""
    cells = place.locator(f'.mbw-ledger tr[data-key="{key}"] .mbw-number').all_inner_texts()
    return [float(text.replace("\u2212", "-").replace("–", "nan")) for text in cells]


def settled(lab: Lab, read: Any, wanted: Any) -> None:
    """Wait, on a busy machine, until the page shows what it must; four digits are shown."""
    for _ in range(100):
        if read() == pytest.approx(wanted, rel=1e-3, abs=1e-5):
            return
        lab.page.wait_for_timeout(100)
    assert read() == pytest.approx(wanted, rel=1e-3, abs=1e-5)


def slide(place: Locator, name: str, value: float) -> None:
    """Type a number beside a slider."""
    box = place.get_by_role("spinbutton", name=f"{name}, number", exact=True)
    box.fill(str(value))
    box.press("Enter")


def visible(lab: Lab) -> set[str]:
    return set(lab.widgets(VISIBLE_ARROWS, lab.python("print(view.picture.player.model_id)")))


@pytest.mark.thorough
def test_reactions_follow_a_slider_and_agree_with_the_core(lab: Lab) -> None:
    view = show(lab, "mb.ReactionsView(joint='upper')")
    lab.python("view.time = 0.8")
    slide(view, "m2", 12)
    core = "mb.simulate(mb.library.three_body_arm().with_values(m2=12))"
    frame = values(lab, f"(lambda m: [*m.reactions('upper')[48], *m.reaction_parts('upper').kinetic[48]])({core})")
    force, moment, kinetic = frame[0:3], frame[3:6], frame[6:9]
    settled(lab, lambda: row(view, "force"), [*force, np.linalg.norm(force)])
    assert row(view, "moment")[:3] == pytest.approx(moment, rel=1e-3)
    assert row(view, "kinetic force")[:3] == pytest.approx(kinetic, rel=1e-3)
    for name, value in zip("xyz", force, strict=True):
        a, b, gap, compiled, other = row(view, f"F{name}")
        assert (a, b, compiled) == pytest.approx((value,) * 3, rel=1e-3)
        assert max(abs(gap), abs(other)) < 1e-11 * np.linalg.norm(force)
    assert "the methods agree" in view.inner_text()
    lab.screenshot("methods", view)

    assert {"force", "static force", "kinetic force"} <= visible(lab)
    view.get_by_text("Moment at O").first.click()  # what is first folded away
    view.get_by_label("Draw reaction").nth(1).check()
    view.get_by_label("Draw static").first.uncheck()
    lab.page.wait_for_timeout(800)
    assert "moment" in visible(lab)
    assert "static force" not in visible(lab)

    for name in ("Over time", "Spectrum", "Formulae"):
        view.get_by_role("tab", name=name).click()
        lab.page.wait_for_timeout(900)
        lab.screenshot(name.replace(" ", "-").lower(), view)
    view.get_by_role("tab", name="Spectrum").click()
    stiffness, carried = 5000, 12 + 3
    assert view.get_by_text(f"shaft {np.sqrt(stiffness / carried) / (2 * np.pi):.3g} Hz").is_visible()
    assert lab.errors == []


@pytest.mark.thorough
def test_mass_moments_follow_pole_and_axis(lab: Lab) -> None:
    view = show(lab, "mb.MassMomentsView()")
    lab.screenshot("start", view)
    assert row(view, "static") == pytest.approx([0, 0.2, 0, 0.2])
    assert row(view, "deviation") == pytest.approx([-0.04, 0, 0, 0.04])
    view.get_by_role("button", name="at C").click()
    settled(lab, lambda: row(view, "static"), [0, 0, 0, 0])
    slide(view, "elevation", 60)
    core = "mb.mass_moments(view.model, 'rotor', (0.5, 0, 3**0.5 / 2), (0.02, 0, 0.05), axes='body')"
    wanted = values(lab, f"{core}.deviation.evaluate()")
    settled(lab, lambda: row(view, "deviation")[:3], wanted)
    view.get_by_role("button", name="principal 1").click()
    settled(lab, lambda: row(view, "deviation"), [0, 0, 0, 0])
    # the words come with the next message
    settled(lab, lambda: float("n is a principal axis" in view.inner_text()), 1.0)
    lab.screenshot("principal", view)

    canvas = lab.page.locator("canvas").first
    box = canvas.bounding_box()
    canvas.dblclick(position={"x": 0.6 * box["width"], "y": 0.4 * box["height"]})
    for _ in range(200):
        pole = values(lab, "view.pole")
        if pole != pytest.approx([0.02, 0, 0.05]):
            break
        lab.page.wait_for_timeout(100)
    assert pole != pytest.approx([0.02, 0, 0.05]), "a double click did not put the pole there"
    assert np.linalg.norm(pole) < 1, "the pole is not on the rotor"
    view.get_by_role("tab", name="Turn the axis").click()
    lab.page.wait_for_timeout(600)
    assert view.locator("path.mbw-curve").count() == 2
    lab.screenshot("turn", view)
    assert lab.errors == []


@pytest.mark.thorough
def test_rotators_are_picked_added_up_and_balanced(lab: Lab) -> None:
    view = show(lab, "mb.RotatorsView(joint=0)")
    lab.python("view.time = 0.5")
    view.locator('tr[data-key="R12(3):S"]').click()
    frame = "mb.simulate(mb.library.three_body_arm()).rotators(0)"
    wanted = values(lab, f"(lambda r: [r['R12(3):S'].contribution[30], r.force[30]])({frame})")
    settled(lab, lambda: row(view, "part")[:3], wanted[0])
    assert row(view, "R12(3):S")[3:6] == pytest.approx(wanted[0], rel=1e-3, abs=1e-6)
    assert row(view, "sum")[3:6] == pytest.approx(wanted[1], rel=1e-3)
    view.locator("mjx-container").first.wait_for()
    assert {"u", "rotator", "sum force"} <= visible(lab)
    lab.screenshot("picked", view)
    view.get_by_role("button", name="moment").click()
    total = values(lab, f"{frame}.moment[30]")
    settled(lab, lambda: row(view, "sum")[3:6], total)
    assert lab.errors == []


@pytest.mark.thorough
def test_a_rotor_is_balanced_in_two_steps(lab: Lab) -> None:
    view = show(lab, "mb.RotatorsView(mb.library.rotor(), duration=0.5, rate=1000)")
    view.get_by_role("tab", name="Balance").click()
    view.get_by_text("largest force").wait_for()
    lab.screenshot("before", view)
    for button in ("mass centre onto the axis", "principal axis onto the axis"):
        view.get_by_role("button", name=button).click()
        lab.page.wait_for_timeout(700)
    largest = values(lab, "abs(view.motion.reaction_parts(0).pressure).max()")
    assert largest == 0
    assert view.get_by_text("✓").count() == 4
    lab.screenshot("after", view)
    assert lab.errors == []


EXPORTED = {
    "reactions": (lambda: mb.ReactionsView(joint="upper", duration=2), "force"),
    "mass moments": (lambda: mb.MassMomentsView(duration=2), "deviation"),
    "rotators": (lambda: mb.RotatorsView(joint=0, duration=2), "sum"),
}


@pytest.mark.parametrize("name", EXPORTED)
@pytest.mark.thorough
def test_an_exported_view_answers_a_slider_without_a_kernel(browser: Browser, tmp_path: Path, name: str) -> None:
    make, key = EXPORTED[name]
    view = make()
    view.time = 0.0
    slider = "Jxz" if name == "mass moments" else "m2"
    high = float(view.model.parameters[slider].max)
    page = Opened(browser, view.to_html(tmp_path / "view.html", sliders={slider: (high,)}))
    cells = page.page.locator(f'.mbw-ledger tr[data-key="{key}"] .mbw-number')

    def shown() -> list[float]:
        return [float(text.replace("\u2212", "-").replace("–", "nan")) for text in cells.all_inner_texts()][-4:]

    def wanted() -> list[float]:
        table = view.table if hasattr(view, "table") else view.parts
        return table.array()[0, [row["key"] for row in table.rows].index(key)].tolist()[-4:]

    page.until(lambda: shown() == pytest.approx(wanted(), rel=1e-3, abs=1e-5), "the first table")
    view.attempt(lambda model: model.with_values(**{slider: high}))
    page.page.evaluate("for (const fold of document.querySelectorAll('.mbw-controls details')) fold.open = true")
    box = page.page.get_by_role("spinbutton", name=f"{slider}, number", exact=True)
    box.fill(str(high))
    box.press("Enter")
    page.until(lambda: shown() == pytest.approx(wanted(), rel=1e-3, abs=1e-5), "the table after the slider")
    page.page.wait_for_timeout(500)
    page.shot(f"view-{name.replace(' ', '-')}")
    assert np.ptp(page.pixels()) > 0.3
    assert page.errors == []
    assert [url for url in page.requests if not url.startswith("file:")] == []
    page.context.close()
    view.close()
