"""The views of papers 3 and 4 in a real JupyterLab: drawn, moved, and right against the core."""

from __future__ import annotations

from tests.browser.lab import Lab

IMPORT = "import mbwidgets as mb"


def show(lab: Lab, code: str, height: int = 1450) -> None:
    """Run cells whose last shows `view`, at a laptop's width."""
    lab.page.set_viewport_size({"width": 1280, "height": height})
    lab.open_cells(IMPORT, f"view = {code}; view")
    errors = [cell.error for cell in lab.run_all()]
    assert errors == [None] * len(errors)
    lab.page.locator("canvas").first.wait_for()
    lab.page.get_by_role("slider", name="Time").first.wait_for()
    lab.page.wait_for_timeout(700)


def test_equations_view(lab: Lab) -> None:
    show(lab, "mb.EquationsView()")
    lab.page.wait_for_timeout(1500)
    lab.screenshot("metric", lab.cell(1))
    lab.python("view.tensor = 'christoffel'; view.place = (4, 4, 1); view.time = 1.0")
    lab.page.wait_for_timeout(1500)
    lab.screenshot("christoffel", lab.cell(1))
    lab.python("view.tensor = 'inverse'; view.place = (0, 0)")
    lab.page.wait_for_timeout(1500)
    lab.screenshot("inverse", lab.cell(1))
    lab.python("view.tabs.selected_index = 1")
    lab.page.wait_for_timeout(1500)
    lab.screenshot("equations", lab.cell(1))
    lab.python("view.tabs.selected_index = 2")
    lab.page.wait_for_timeout(1500)
    lab.screenshot("code", lab.cell(1))
    assert lab.errors == []


def test_permanent_view(lab: Lab) -> None:
    show(lab, "mb.PermanentRotationsView()")
    lab.page.wait_for_timeout(2500)
    lab.screenshot("start", lab.cell(1))
    lab.python("view.turn_to((0.1, 0.5, 0.5)); view.perturbation = 1.0; view.time = 1.5")
    lab.page.wait_for_timeout(2500)
    lab.screenshot("perturbed", lab.cell(1))
    lab.python("view.tabs.selected_index = 2; view.perturbation = 0.0")
    lab.page.wait_for_timeout(2500)
    lab.screenshot("branches", lab.cell(1))
    assert lab.errors == []


def test_permanent_chain(lab: Lab) -> None:
    show(lab, "mb.PermanentRotationsView(mb.library.spherical_chain(2))")
    lab.page.wait_for_timeout(2500)
    lab.python("view.tabs.selected_index = 2")
    lab.page.wait_for_timeout(4500)
    lab.screenshot("branches", lab.cell(1))
    assert lab.errors == []
