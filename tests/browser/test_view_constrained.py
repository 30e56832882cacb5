"""The view of constrained motion in JupyterLab: drawn, moved by hand, and right against the core."""

from __future__ import annotations

import numpy as np
import pytest

from tests.browser.lab import Lab
from tests.browser.test_view_release import cells, tab
from tests.browser.test_views_paper1 import row, settled, show, slide, values


@pytest.mark.thorough
def test_the_body_on_a_circle_follows_its_sliders(lab: Lab) -> None:
    view = show(lab, "mb.ConstrainedView()")
    lab.python("view.time = 1.0")
    lab.page.wait_for_timeout(500)
    # the reference of the paper's own example at t = 1
    settled(lab, lambda: row(view, "λ1")[0], -17.521753059)
    assert row(view, "force 0")[1:3] == pytest.approx([-12.470382620, 12.308589990], rel=1e-3)
    assert row(view, "φ")[0] == pytest.approx(-1.0265818545, rel=1e-3)
    assert "rank 4 of 4" in view.inner_text()
    assert "the 3-1-3 angles are singular" in view.inner_text()
    assert len(cells(view, "L λ")) == 24
    assert len(cells(view, "L τ")) == 12
    lab.screenshot("start", view)

    slide(view, "d", 0.8)
    core = "mb.simulate(mb.library.body_on_circle().with_values(d=0.8))"
    lam = values(lab, f"{core}.multipliers[60]")
    settled(lab, lambda: row(view, "λ1")[0], lam[0])
    slide(view, "g from x", 60)
    wanted = "mb.simulate(mb.library.body_on_circle().with_values(d=0.8).replace(gravity=(4.905, 9.81 * 0.75**0.5, 0)))"
    settled(lab, lambda: row(view, "λ1")[0], values(lab, f"{wanted}.multipliers[60]")[0])
    exact = values(lab, "mb.constrained(view.model).paper.L_lambda.evaluate(q=view.motion.q[60])")
    settled(lab, lambda: cells(view, "L λ"), list(np.ravel(exact)))
    lab.page.set_viewport_size({"width": 1280, "height": 2100})
    texts = {"Formulae": "Constraints Φ = 0", "Drift": "Error of the energy", "Figures 2-10": "Figure 10: velocity"}
    for name, text in texts.items():
        tab(lab, view, name, text)
    assert view.get_by_text("Figure 10: velocity of O₁ along its axis y₁, m/s").is_visible()
    assert lab.errors == []


@pytest.mark.thorough
def test_a_redundant_loop_says_so(lab: Lab) -> None:
    view = show(lab, "mb.ConstrainedView(mb.library.bricard(), duration=2)")
    assert "rank 4 of 5" in view.inner_text()
    assert "λ is not unique, its wrench is" in view.inner_text()
    lab.screenshot("bricard", view)
    assert lab.errors == []
