"""Readers without widgets: nbconvert shows a still picture in the place of every view."""

from __future__ import annotations

import base64
import io
import re

import matplotlib.image
import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient
from nbconvert import HTMLExporter

VIEWS = ("MassMomentsView", "RotatorsView", "ReactionsView", "ReleaseView", "EquationsView", "PermanentRotationsView")
CELLS = ["import mbwidgets as mb", *(f"mb.{name}(duration=0.5)" for name in (*VIEWS, "ConstrainedView"))]
CELLS.append("mb.Explorer(mb.library.pendulum(2), duration=0.5)")


@pytest.fixture(scope="module")
def executed() -> nbformat.NotebookNode:
    content = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in CELLS])
    NotebookClient(content, timeout=300, startup_timeout=600, kernel_name="python3").execute()
    return content


def pictures(html: str) -> list[np.ndarray]:
    found = re.findall(r'<img[^>]*src="data:image/png;base64,([^"]+)"', html)
    return [matplotlib.image.imread(io.BytesIO(base64.b64decode(text)))[..., :3] for text in found]


@pytest.mark.slow
def test_every_view_is_a_still_picture_where_widgets_are_unknown(executed: nbformat.NotebookNode) -> None:
    executed.metadata.pop("widgets", None)
    html, _ = HTMLExporter(template_name="classic").from_notebook_node(executed)
    shown = pictures(html)
    assert len(shown) == len(CELLS) - 1
    for source, picture in zip(CELLS[1:], shown, strict=True):
        assert picture.shape[0] >= 300, source
        assert picture.std() > 0.02, f"{source} is blank"


@pytest.mark.slow
def test_latex_takes_the_picture_and_not_the_widget(executed: nbformat.NotebookNode) -> None:
    for cell in executed.cells[1:]:
        (output,) = [item for item in cell.outputs if "data" in item]
        assert {"image/png", "text/plain", "application/vnd.jupyter.widget-view+json"} <= output.data.keys()
    # the order in which nbconvert's LaTeX exporter prefers what a cell shows, without pandoc
    from nbconvert import LatexExporter

    order = LatexExporter().config.get("NbConvertBase", {}).get("display_data_priority", [])
    preferred = [kind for kind in order if kind in executed.cells[1].outputs[0].data]
    assert preferred[0] == "image/png"
