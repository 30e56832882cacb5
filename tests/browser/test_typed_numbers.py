"""What a hand does to sliders and boxes: typed numbers, fingers, narrow pages; and what a page says when nobody hears.

The first tests open an exported widget; those that need a kernel run in JupyterLab.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

import mbwidgets as mb
from tests.browser.lab import Lab

MODEL = mb.Model(
    [
        mb.Body(
            "rod",
            mb.Revolute("x"),
            mass=mb.Parameter("m", 2.0, min=0.5, max=30, unit="kg"),
            com=(0, 0, -0.5),
            inertia=(mb.Parameter("J_xx", 0.2, min=0.1, max=0.35, unit="kg m²"), 0.2, 0.2),
        )
    ],
    gravity=(0, 0, -9.81),
    state={"q": [1.0]},
)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An exported Explorer with live sliders."""
    view = mb.Explorer(MODEL, duration=0.5, rate=30)
    sliders = {"m": (1.0, 1.5, 2.0, 20.0), "J_xx": 3}
    path = view.to_html(tmp_path_factory.mktemp("typed") / "page.html", sliders=sliders)
    view.close()
    return path


@pytest.fixture
def page(browser: Browser, path: Path) -> Iterator[Page]:
    """It is open on a telephone."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    page = context.new_page()
    page.goto(path.as_uri())
    page.locator(".mbw-controls .mbw-row").first.wait_for(timeout=60_000)
    yield page
    context.close()


def row(page: Page, title: str) -> Locator:
    return page.locator(".mbw-controls .mbw-row").filter(has=page.get_by_label(title, exact=True))


@pytest.mark.parametrize(("text", "shown"), [("1,5", "1.5"), ("1.5", "1.5"), (" 15e-1 ", "1.5"), ("20", "20")])
def test_a_number_is_read_as_it_is_written(page: Page, text: str, shown: str) -> None:
    box = page.get_by_label("m, number", exact=True)
    box.fill(text)
    box.press("Enter")
    expect(box).to_have_value(shown)
    expect(page.get_by_label("m", exact=True)).to_have_value(shown)
    expect(row(page, "m").locator(".mbw-untaken")).to_have_count(0)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no number was given"),
        ("abc", "“abc” is not a number"),
        ("1,234.5", "“1,234.5” is not a number"),
        ("1e400", "too large"),
        ("--2", "not a number"),
    ],
)
def test_what_is_no_number_leaves_the_old_one_and_says_why(page: Page, text: str, why: str) -> None:
    box = page.get_by_label("m, number", exact=True)
    expect(box).to_have_value("2")
    box.fill(text)
    box.press("Enter")
    expect(row(page, "m").locator(".mbw-untaken")).to_contain_text(why)
    expect(row(page, "m").locator(".mbw-untaken")).to_contain_text("2 stays")
    expect(box).to_have_value("2")
    box.fill("1.5")
    box.press("Enter")
    expect(row(page, "m").locator(".mbw-untaken")).to_have_count(0)


@pytest.mark.thorough
def test_a_number_beyond_the_range_is_cut_and_told(page: Page) -> None:
    box = page.get_by_label("m, number", exact=True)
    box.fill("500")
    box.press("Enter")
    expect(box).to_have_value("20")
    expect(row(page, "m").locator(".mbw-untaken")).to_contain_text("only 1 to 20 kg")


def swipe(page: Page, start: tuple[float, float], way: tuple[float, float]) -> None:
    """One finger, in ten steps, as the browser hears it."""
    session = page.context.new_cdp_session(page)
    point = {"x": start[0], "y": start[1]}
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    for k in range(1, 11):
        point = {"x": start[0] + way[0] * k / 10, "y": start[1] + way[1] * k / 10}
        session.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
        page.wait_for_timeout(20)
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_timeout(300)


@pytest.mark.thorough
@pytest.mark.parametrize("label", ["m", "Time"])
def test_a_finger_that_scrolls_the_page_leaves_sliders_alone(page: Page, label: str) -> None:
    slider = page.get_by_label(label, exact=True)
    slider.scroll_into_view_if_needed()
    page.mouse.wheel(0, 0)
    before, box, top = slider.input_value(), slider.bounding_box(), page.evaluate("scrollY")
    assert box is not None
    swipe(page, (box["x"] + 0.9 * box["width"], box["y"] + box["height"] / 2), (4, -160 if top < 100 else 160))
    assert slider.input_value() == before
    assert page.evaluate("scrollY") != top, "the page scrolls"


@pytest.mark.thorough
def test_a_finger_that_goes_sideways_moves_the_slider(page: Page) -> None:
    slider = page.get_by_label("m", exact=True)
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    assert box is not None
    swipe(page, (box["x"] + 0.1 * box["width"], box["y"] + box["height"] / 2), (0.85 * box["width"], 3))
    expect(slider).to_have_value("20")


def test_units_and_the_way_back_are_in_sight_on_a_telephone(page: Page, screenshots: Path) -> None:
    box = page.get_by_label("m, number", exact=True)
    box.fill("1.5")
    box.press("Enter")
    edge = page.evaluate("document.documentElement.clientWidth")
    for title in ("m", "J_xx"):
        line = row(page, title)
        for part in (".mbw-unit", f"[aria-label='{title}, number']", "button"):
            node = line.locator(part)
            place = node.bounding_box()
            assert place is not None
            assert place["x"] >= 0
            assert place["x"] + place["width"] <= edge
            assert node.evaluate("n => n.scrollWidth <= n.clientWidth + 1"), f"{part} of {title} is cut"
    expect(row(page, "m").get_by_label("Reset m")).to_be_visible()
    page.locator(".mbw-controls").first.screenshot(path=str(screenshots / "typed-narrow.png"))


def test_a_parameter_is_written_as_formulae_write_it_and_called_what_its_author_calls_it(page: Page) -> None:
    name = row(page, "J_xx").locator(".mbw-name")
    expect(name.locator("sub")).to_have_text("xx")
    expect(name).to_have_attribute("title", "J_xx")


@pytest.mark.thorough
def test_tables_have_three_digits_and_curves_their_units(page: Page) -> None:
    texts = page.locator(".mbw-readout .mbw-number").all_inner_texts()
    assert texts
    for text in texts:
        mantissa = text.replace("−", "").partition("e")[0].replace(".", "").lstrip("0")
        assert text in ("0", "–") or len(mantissa) >= 3, text
    page.get_by_role("tab", name="Plots").click()
    expect(page.locator(".mbw-legend").first).to_contain_text("rad")


@pytest.mark.thorough
def test_a_click_on_a_plot_stops_on_a_frame(page: Page) -> None:
    page.get_by_role("tab", name="Plots").click()
    chart = page.locator(".mbw-plot > svg").first
    chart.scroll_into_view_if_needed()
    box = chart.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 0.437 * box["width"], box["y"] + box["height"] / 2)
    time = float(page.get_by_label("Time", exact=True).input_value())
    assert time > 0
    assert abs(time * 30 - round(time * 30)) < 1e-4


@pytest.mark.thorough
def test_a_view_whose_kernel_has_ended_says_that_nobody_hears_it(lab: Lab) -> None:
    lab.harmless += [(".*", "a kernel that ends makes JupyterLab complain")]
    lab.open_cells("import mbwidgets as mb", "view = mb.Explorer(mb.library.pendulum(1), duration=1); view")
    lab.run_all()
    view = lab.cell(1)
    view.locator(".mbw-controls .mbw-row").first.wait_for()
    expect(view.locator(".mbw-fault")).to_be_hidden()
    lab._wait(60, "the kernel to start again", "panel => panel.sessionContext.session.kernel.restart()")
    expect(view.locator(".mbw-fault")).to_contain_text("nobody hears", timeout=20_000)
    assert view.locator(".mbw-controls").first.evaluate("node => node.inert")
    lab.screenshot("restarted")


SAID = """label => document.querySelector(`.mbw-controls input[aria-label="${label}, number"]`)
    .closest(".mbw-row").innerText + (document.querySelector(`.mbw-controls input[aria-label="${label}, number"]`)
    .closest(".mbw-row").nextElementSibling?.innerText ?? "")"""


def type_and_read(page: Page, key: str, typed: str, words: str) -> None:
    """Type a number and wait for these words beside its box."""
    box = page.get_by_label(f"{key}, number", exact=True).first
    box.fill(typed)
    box.press("Enter")
    page.wait_for_function(f"label => ({SAID})(label).includes('{words}')", arg=key, timeout=20_000)


ASKED = (
    ("m3", "-5", "only 0.1 to 20 kg: 0.1 is taken"),
    ("J_x", "0.00001", "0.00001 is not possible here: 0.0030"),
    ("J_x", "0.2", "0.2 is not possible here: 0.0488"),
)
"""Masses are clamped to their slider, moments of inertia to what a body can have beside the other two."""
UNFOLD = "() => { for (const fold of document.querySelectorAll('.mbw-controls details')) fold.open = true; }"


def test_a_page_says_beside_the_box_what_it_takes_for_what_cannot_be(browser: Browser, tmp_path: Path) -> None:
    arm = mb.library.three_body_arm()
    view = mb.Explorer(arm, duration=0.5)
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(view.to_html(tmp_path / "typed.html").as_uri())
    view.close()
    page.locator(".mbw-controls .mbw-row").first.wait_for(timeout=60_000)
    page.evaluate(UNFOLD)
    for asked in ASKED:
        type_and_read(page, *asked)
    # a number that can be is told nothing of
    box = page.get_by_label("J_x, number", exact=True).first
    box.fill("0.005")
    box.press("Enter")
    page.wait_for_timeout(1800)
    assert "possible" not in page.evaluate(SAID, "J_x")
    page.close()


@pytest.mark.thorough
def test_jupyterlab_says_beside_the_box_what_is_taken_for_what_cannot_be(lab: Lab) -> None:
    lab.open_cells("import mbwidgets as mb", "view = mb.Explorer(mb.library.three_body_arm(), duration=0.5)\nview")
    assert [cell.error for cell in lab.run_all()] == [None, None]
    lab.page.locator(".mbw-controls .mbw-row").first.wait_for(timeout=60_000)
    lab.page.evaluate(UNFOLD)
    for asked in ASKED:
        type_and_read(lab.page, *asked)
        lab.page.wait_for_timeout(2000)  # until the kernel has answered too: it writes into the box
    assert lab.errors == []
