"""Views of the papers in JupyterLab: a drag is answered by the page, and the kernel then says the same."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

from tests.browser.lab import Lab
from tests.browser.test_live import DRAG, numbers, opened

LAB: Final = "view = mb.{}(duration=1, rate=30, time=0); view"


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "slider", "value", "said"),
    [
        ("MassMomentsView", "elevation", 40.0, "view.own_numbers()['elevation']"),
        ("MassMomentsView", "e", 0.03, "view.model.values['e']"),
        ("ReleaseView", "gap", 0.3, "view.gap"),
        ("RotatorsView", "m3", 9.0, "view.model.values['m3']"),
        ("ReactionsView", "m3", 9.0, "view.model.values['m3']"),
        ("ConstrainedView", "d", 0.8, "view.model.values['d']"),
    ],
    ids=["axis", "eccentricity", "gap", "rotators", "reactions", "constraint"],
)
def test_with_a_kernel_a_view_answers_a_drag_in_the_page_and_python_then_says_the_same(
    lab: Lab, name: str, slider: str, value: float, said: str
) -> None:
    opened(lab, LAB.format(name))
    player, values = lab.python("print(view.picture.player.model_id)"), [value, value + 1e-3, value]
    found: Any = lab.widgets(DRAG, [player, slider, values, 30])
    assert found["sent"] == []
    assert float(lab.python(f"print({said})")) == pytest.approx(value, abs=1e-9)  # an angle goes through sine and back
    page, kernel = (numbers(found[who]["vectors"]).astype(float) for who in ("page", "kernel"))
    assert page.shape == kernel.shape
    # sums in another order: rounding of the last digits of a float32
    np.testing.assert_allclose(page, kernel, rtol=0, atol=1e-5 * np.nanmax(np.abs(kernel)))
    np.testing.assert_allclose(numbers(found["page"]["poses"]), numbers(found["kernel"]["poses"]), rtol=0, atol=1e-6)
    assert "in the notebook" not in lab.page.inner_text("body")  # what gave way in the page is there again
    assert lab.errors == []
