"""The first notebook that a newcomer opens, in the JupyterLab that they open it in."""

from __future__ import annotations

import nbformat

from tests.browser.lab import Lab
from tests.browser.test_notebooks import NOTEBOOKS

ARM = """async (manager, id) => {
    const player = await manager.get_model(id);
    const body = await manager.get_model(player.get("bodies").at(-1).replace("IPY_MODEL_", ""));
    return [...body.obj.position.toArray(), ...body.obj.quaternion.toArray()];
}"""


def test_the_quickstart_has_ten_cells() -> None:
    assert len(nbformat.read(NOTEBOOKS / "00_quickstart.ipynb", as_version=4).cells) == 10


def test_the_quickstart_shows_a_model_that_plays_and_answers_a_slider(lab: Lab) -> None:
    lab.open("00_quickstart.ipynb")
    cells = lab.run_all(timeout=180)
    assert [cell.error for cell in cells if cell.error] == []
    assert any("<table" in cell.html for cell in cells), "no model is shown as a table"
    assert lab.page.locator(".jp-OutputArea-output table").first.is_visible()

    explorer = lab.cell(3)
    explorer.locator("canvas").wait_for()
    player = lab.python("print(Out[2].picture.player.model_id)")
    before = lab.widgets(ARM, player)
    explorer.get_by_role("button", name="Play", exact=True).click()
    lab.page.wait_for_timeout(700)
    explorer.get_by_role("button", name="Pause", exact=True).click()
    lab.page.wait_for_timeout(300)
    played = lab.widgets(ARM, player)
    assert played != before
    box = explorer.get_by_role("spinbutton", name="l2, number", exact=True)
    box.fill("1.2")
    box.press("Enter")
    for _ in range(100):
        if lab.widgets(ARM, player) != played:
            break
        lab.page.wait_for_timeout(100)
    assert lab.widgets(ARM, player) != played
    lab.screenshot("explorer", explorer)
    assert lab.errors == []
