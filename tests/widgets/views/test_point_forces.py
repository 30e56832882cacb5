"""Views of models whose forces depend on places of points."""

from __future__ import annotations

import mbwidgets as mb


def test_a_view_of_such_a_model_stays_with_the_kernel_and_says_why() -> None:
    rod = mb.Body("rod", mb.Revolute("y"), mass=1, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0.1))
    view = mb.Explorer(mb.Model([rod], forces=[mb.Effort("rod", "-x[rod, 0, 0, -1]")], state={"q": [0.5]}))
    try:
        assert view.motion.outcome.ok
        assert "stays with Python" in view.page_solver.note
    finally:
        view.close()
