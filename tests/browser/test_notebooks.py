"""Every notebook in JupyterLab: it runs to its end, each of its views draws, and the page complains of nothing."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pytest

from tests.browser.lab import Lab
from tests.thorough import THOROUGH

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
SHOWN = 8
"""Renderers that pythreejs keeps alive in one page; older ones freeze."""


def views(notebook: Path) -> list[str]:
    """The names of the views that the notebook shows, as it was stored."""
    cells = nbformat.read(notebook, as_version=4).cells
    texts = [
        output["data"].get("text/plain", "")
        for cell in cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if "application/vnd.jupyter.widget-view+json" in output.get("data", {})
    ]
    return [found[1] for text in texts if (found := re.match(r"<(Explorer|\w+View) of ", text))]


def each_notebook() -> list[Any]:
    """A tree's and a loop's views always, the others when thorough; the quick start has a test of its own."""
    always = ("01", "05")
    paths = [*sorted(NOTEBOOKS.glob("*.ipynb")), *sorted(NOTEBOOKS.glob("assignments/*.ipynb"))]
    return [
        pytest.param(path, id=path.stem, marks=() if path.name.startswith(always) else pytest.mark.thorough)
        for path in paths
    ]


LECTURES = {
    "00_quickstart": {"Explorer", "ReactionsView"},
    "01_joint_reactions": {"ReactionsView", "MassMomentsView", "RotatorsView"},
    "02_joint_release": {"ReleaseView"},
    "03_equations_of_motion": {"EquationsView"},
    "04_permanent_rotations": {"PermanentRotationsView"},
    "05_constrained_motion": {"ConstrainedView"},
    "06_build_your_own": {"Explorer"},
}


def test_each_lecture_is_opened_and_shows_the_views_of_its_paper() -> None:
    opened = {parameter.id for parameter in each_notebook()}
    assert opened >= {*LECTURES, "07_validation", "arm", "crusher", "rotor"}
    for name, wanted in LECTURES.items():
        assert wanted <= set(views(NOTEBOOKS / f"{name}.ipynb")), f"{name} does not show its views"


@pytest.mark.parametrize("notebook", each_notebook())
def test_a_notebook_runs_and_each_of_its_views_draws(lab: Lab, notebook: Path) -> None:
    expected = views(notebook)
    assert len(expected) <= SHOWN
    lab.page.set_viewport_size({"width": 1280, "height": 1100})
    lab.open(notebook.relative_to(NOTEBOOKS))
    cells = lab.run_all(timeout=240)
    assert [cell.error for cell in cells if cell.error] == []
    assert [cell.index for cell in cells if cell.execution_count is None] == []

    canvases = lab.page.locator(".jp-OutputArea canvas")
    for number, name in enumerate(expected):
        canvas = canvases.nth(number)
        canvas.wait_for(timeout=30_000)
        canvas.scroll_into_view_if_needed()
        for _ in range(50):  # software WebGL on a busy machine takes its time to draw the first picture
            if (contrast := np.ptp(lab.pixels(canvas))) > 0.3:
                break
            lab.page.wait_for_timeout(200)
        assert contrast > 0.3, f"view {number}, {name}, is blank"
    for part in (".mbw-timeline button", ".mbw-controls input") if expected else ():
        outputs = lab.page.locator(".jp-OutputArea-child", has=lab.page.locator(part))
        outputs.nth(len(expected) - 1).wait_for(timeout=30_000)
    for k, plot in enumerate(lab.page.locator(".jp-RenderedImage img").all()):
        assert lab.pixels(plot).std() > 0.01, f"plot {k} is blank"
    assert lab.page.locator(".jp-RenderedMarkdown mjx-merror, .jp-OutputArea mjx-merror").count() == 0
    lab.page.locator(".jp-Cell").first.scroll_into_view_if_needed()
    lab.screenshot("top")
    if THOROUGH:  # pictures for a person, half of the time that the test takes
        for cell in cells:
            lab.screenshot(f"cell{cell.index:02d}", lab.cell(cell.index))
    assert lab.errors == []
