"""The first notebook that a newcomer opens, in the JupyterLab that they open it in."""

from __future__ import annotations

from tests.browser.lab import Lab


def test_the_quickstart_runs_and_shows_a_model_and_a_plot(lab: Lab) -> None:
    lab.open("00_quickstart.ipynb")
    cells = lab.run_all(timeout=180)
    lab.screenshot("top")

    assert [cell.error for cell in cells if cell.error] == []
    assert [cell.index for cell in cells if cell.execution_count is None] == []
    assert any("<table" in cell.html for cell in cells), "no model is shown as a table"
    assert lab.page.locator(".jp-OutputArea-output table").first.is_visible()

    plots = lab.page.locator(".jp-OutputArea-output img").all()
    assert any(lab.pixels(plot).std() > 0.01 for plot in plots), f"{len(plots)} plots, all blank"
    lab.screenshot("plot", plots[0])
    assert lab.errors == []
