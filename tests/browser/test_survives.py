"""A saved notebook that is opened again with a new kernel shows what it showed: camera, selection, vectors and time."""

from __future__ import annotations

import io
from pathlib import Path

import matplotlib.image
import nbclient
import nbformat
import numpy as np
import pytest
from playwright.sync_api import Browser, Page

from tests.browser.lab import ELSEWHERE, PATIENCE, Lab, show_elsewhere


def reopen(lab: Lab) -> None:
    """Save the notebook with its widgets, end its kernel and open it again."""
    lab.page.evaluate(
        """async () => {
            const { commands, shell } = window.jupyterapp;
            if (!commands.isToggled("@jupyter-widgets/jupyterlab-manager:saveWidgetState"))
                await commands.execute("@jupyter-widgets/jupyterlab-manager:saveWidgetState");
            await new Promise((done) => setTimeout(done, 500));
            await commands.execute("docmanager:save");
            await shell.currentWidget.sessionContext.shutdown();
        }"""
    )
    lab.page.wait_for_timeout(500)
    lab.page.reload()
    lab.page.locator(".jp-NotebookPanel").wait_for(timeout=30_000)
    lab.page.locator("canvas").first.wait_for(timeout=30_000)


@pytest.mark.thorough
def test_a_saved_notebook_with_a_new_kernel_shows_what_it_showed(lab: Lab) -> None:
    lab.page.set_viewport_size({"width": 1280, "height": 1250})
    lab.open_cells("import mbwidgets as mb", "view = mb.Explorer(mb.library.three_body_arm(), duration=4)\nview")
    assert [cell.error for cell in lab.run_all()] == [None, None]
    canvas = lab.page.locator("canvas").first
    canvas.wait_for()
    lab.page.wait_for_timeout(900)
    lab.python("view.selected = 'upper'\nview.vectors = ('force', 'momentum')\nview.time = 2.0")
    lab.page.wait_for_timeout(500)
    box = canvas.bounding_box()
    lab.page.mouse.move(box["x"] + 30, box["y"] + 200)
    lab.page.mouse.down()
    lab.page.mouse.move(box["x"] + 150, box["y"] + 240, steps=4)
    lab.page.mouse.up()
    lab.page.mouse.move(5, 5)
    lab.page.wait_for_timeout(1500)
    seen = lab.pixels(canvas)
    table = lab.cell(1).locator(".mbw-readout").inner_text()
    reopen(lab)
    lab.page.wait_for_timeout(4000)
    again = lab.pixels(lab.page.locator("canvas").first)
    lab.screenshot("reopened")
    assert again.shape == seen.shape
    # no more changes than the edges of letters
    assert (np.abs(again - seen).max(axis=2) > 0.1).mean() < 0.01
    assert lab.cell(1).locator(".mbw-readout").inner_text() == table
    assert lab.cell(1).get_by_text("The kernel that made this has ended").count() == 1


@pytest.mark.thorough
@pytest.mark.parametrize("where", ELSEWHERE)
def test_the_camera_looks_elsewhere_as_it_does_in_jupyterlab(
    lab: Lab, browser: Browser, tmp_path: Path, where: str
) -> None:
    options = "duration=1, width=480, height=360, theme='light'"  # whatever theme the lab was left with
    code = ("import mbwidgets as mb", f"mb.Explorer(mb.library.three_body_arm(), {options})")
    lab.open_cells(*code)
    assert [cell.error for cell in lab.run_all()] == [None, None]
    lab.page.locator("canvas").first.wait_for()
    lab.page.wait_for_timeout(3000)
    wanted, found = lab.pixels(lab.page.locator("canvas").first), []

    def look(page: Page) -> None:
        canvas = page.locator("canvas").first
        canvas.wait_for(timeout=PATIENCE)
        page.wait_for_timeout(5000)
        found.append(matplotlib.image.imread(io.BytesIO(canvas.screenshot()))[..., :3])
        # a slider under the hand is answered by the page there, too
        slider = page.get_by_role("slider", name="m3", exact=True).first
        slider.scroll_into_view_if_needed()
        box = slider.bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + 0.3 * box["width"], box["y"] + box["height"] / 2)
        page.mouse.down()
        page.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + box["height"] / 2, steps=5)
        page.get_by_text("solved in this page").first.wait_for(timeout=PATIENCE)
        page.mouse.up()

    show_elsewhere(browser, tmp_path, where, look, *code)
    assert found[0].shape == wanted.shape
    # no more changes than the edges of letters
    assert (np.abs(found[0] - wanted).max(axis=2) > 0.1).mean() < 0.01


@pytest.mark.thorough
def test_a_saved_notebook_that_is_not_trusted_shows_the_still_and_how_to_trust_it(lab: Lab) -> None:
    """Nothing of it runs; the picture is there, with a line of words below it."""
    code = "import mbwidgets as mb\nmb.Explorer(mb.library.pendulum(1), duration=1)"
    content = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
    content.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbclient.NotebookClient(content, timeout=120).execute()
    lab.open_saved(content)
    picture = lab.page.locator(".jp-OutputArea-output img").first
    picture.wait_for(timeout=30_000)
    assert picture.evaluate("node => [node.naturalWidth, node.naturalHeight > 400]") == [560, True]
    assert lab.page.locator("canvas").count() == 0
    assert lab.errors == []
