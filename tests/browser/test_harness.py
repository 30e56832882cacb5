"""The harness itself: what it must notice, it notices. A harness that misses faults makes every test pass."""

from __future__ import annotations

import pytest

from tests.browser.lab import Lab


@pytest.mark.thorough
def test_a_widget_answers_in_the_page_and_in_the_kernel(lab: Lab) -> None:
    lab.open_cells("import ipywidgets", "slider = ipywidgets.IntSlider(3, 0, 10); slider")
    cells = lab.run_all()
    assert [cell.error for cell in cells] == [None, None]

    lab.cell(1).get_by_role("slider").press("ArrowRight")
    model = lab.python("print(slider.model_id)")
    assert lab.widgets("async (manager, id) => (await manager.get_model(id)).get('value')", model) == 4
    assert lab.python("print(slider.value)") == "4"
    assert lab.errors == []


@pytest.mark.thorough
def test_an_exception_in_a_cell_is_seen_and_stops_the_run(lab: Lab) -> None:
    lab.open_cells("print('first')", "1 / 0", "print('never')")
    first, second, third = lab.run_all()
    assert first.text.strip() == "first"
    assert second.error == "ZeroDivisionError: division by zero"
    assert third.execution_count is None


def test_a_script_error_and_a_request_beyond_this_machine_are_seen(lab: Lab) -> None:
    lab.open_cells(
        "from IPython.display import HTML",
        "HTML('<script>console.error(\"a fault\")</script>')",
        "HTML('<img src=\"https://cdn.example/picture.png\">')",
    )
    lab.run_all()
    lab.page.wait_for_timeout(500)
    assert any("a fault" in error for error in lab.errors)
    assert any("beyond this machine: https://cdn.example/" in error for error in lab.errors)


@pytest.mark.thorough
def test_a_cell_that_hangs_meets_its_time_limit(lab: Lab) -> None:
    lab.open_cells("import time; time.sleep(600)")
    with pytest.raises(TimeoutError, match="waited 1 s for the notebook to run"):
        lab.run_all(timeout=1)
