"""Formulae in the panel: exact, broken into lines, and honest about their size."""

from __future__ import annotations

import re

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.scene.quantities.motion_quantities import find_quantity, quantity_names
from mbwidgets.widgets.parts.formulas import FORMULAE, FormulaPanel, aligned_lines, formula_html
from mbwidgets.widgets.text.readings import formula_groups


@pytest.mark.parametrize("kind", FORMULAE)
def test_every_formula_of_the_arm_is_written_in_latex(kind: str) -> None:
    text = formula_html(mb.library.three_body_arm(), 1, FORMULAE[kind])
    assert "$$\\begin{aligned}" in text
    assert text.count("{") == text.count("}")
    assert text.count("\\bigl(") == text.count("\\bigr)")


def test_one_rod_gives_the_textbook_equation() -> None:
    text = formula_html(mb.library.pendulum(1), 0, FORMULAE["equation of motion"])
    assert (
        "$$\\begin{aligned}Q_{1} &= \\frac{g l m \\sin q^{1}}{2} + \\frac{l^{2} m \\ddot q^{1}}{3}\\end{aligned}$$"
    ) in text


def test_long_sums_are_broken_between_terms_and_lose_none() -> None:
    tree = mb.covariant(mb.library.three_body_arm()).effort.trees[0]
    whole, broken = aligned_lines("Q", tree, 10**9), aligned_lines("Q", tree, 60)
    assert "\\\\" not in whole
    assert broken.count("\\\\") > 3
    assert broken.count("\\cos") == whole.count("\\cos")


def test_what_nobody_would_read_gives_way_to_numbers() -> None:
    text = formula_html(mb.library.six_axis_arm(), 1, FORMULAE["equation of motion"])
    assert "terms are more than can be read" in text
    assert "Q_{2} &=" in text


def test_a_joint_that_has_no_such_formula_says_so() -> None:
    ball = formula_html(mb.library.spherical_chain(2), 0, FORMULAE["metric"])
    assert "a spherical joint has no one-axis form" in ball
    weld = formula_html(mb.library.six_axis_arm(), 6, FORMULAE["equation of motion"])
    assert "no coordinate of its own" in weld


@pytest.mark.parametrize("name", mb.library.names())
def test_the_formula_that_is_seen_first_exists_for_every_joint_of_the_library(name: str) -> None:
    model, panel = getattr(mb.library, name)(), FormulaPanel()
    for index in range(len(model.bodies)):
        text = formula_html(model, index, FORMULAE[panel.kind], "both")
        assert "mbw-trouble" not in text
        assert "&=" in text or "no coordinate of its own" in text
    panel.close()


@pytest.mark.parametrize(
    "name", ["four_bar", "slider_crank", "body_on_circle", "bricard", "carousel", "spherical_chain", "spinning_top"]
)
def test_equations_with_multipliers_and_of_balls_hold_along_a_motion_that_nothing_drives(name: str) -> None:
    model = getattr(mb.library, name)()
    motion = mb.simulate(model, duration=0.5)
    for index in range(len(model.bodies)):
        groups = formula_groups(FORMULAE["equation of motion"], model, index)
        for k in (5, 25):
            state = {"q": motion.q[k], "u": motion.u[k], "ud": motion.ud[k], "t": motion.t[k]}
            still = {**state, "ud": np.zeros(model.nv)}
            left = np.concatenate([np.ravel(group.formula.evaluate(**state)) for group in groups])
            needed = max(np.abs(group.formula.evaluate(**still)).max() for group in groups)
            # accelerations are exact up to the round-off of the systems that they and λ are solved from
            assert np.abs(left).max() < 1e-8 * max(needed, 1.0)


def test_energies_and_metric_of_a_closed_loop_are_those_of_its_tree() -> None:
    loop = mb.library.four_bar()
    motion = mb.simulate(loop, duration=0.2)
    state = {"q": motion.q[7], "u": motion.u[7]}
    for kind, expected in (("kinetic energy", motion.energy.kinetic[7]), ("metric", None)):
        (group,) = formula_groups(FORMULAE[kind], loop, 1)
        found = group.formula.evaluate(**state)
        row = mb.Dynamics(loop).mass_matrix(motion.q[7])[1] if expected is None else [expected]
        assert np.ravel(found) == pytest.approx(row, rel=1e-12)  # sums of a few products


def test_velocities_of_balls_are_not_written_as_derivatives_of_coordinates() -> None:
    text = formula_html(mb.library.spinning_top(), 0, FORMULAE["equation of motion"])
    assert "\\dot u_{1}" in text
    assert "\\dot q" not in text
    assert "\\lambda_{1}" in formula_html(mb.library.four_bar(), 2, FORMULAE["equation of motion"])


def test_values_at_the_start_stand_beneath_the_formula_and_follow_the_parameters() -> None:
    for phi0 in (0.5, 1.0):
        model = mb.library.pendulum(1).with_values(phi0=phi0)
        text = formula_html(model, 0, FORMULAE["equation of motion"], "both")
        expected = mb.Dynamics(model).bias(model.q0, model.u0)[0]
        assert f"&= {expected:.6g}\\end" in text


def numbers(text: str) -> list[float]:
    """Right sides of a block of values."""
    found = re.findall(r"&= (-?[\d.]+(?: \\cdot 10\^\{-?\d+\})?)", text)
    return [float(item.replace(" \\cdot 10^{", "e").rstrip("}")) for item in found]


KEYS = {
    "mass moments": ("static", "inertia", "deviation"),
    "reaction force": ("static force", "kinetic force"),
    "reaction force by rotators": ("static force", "kinetic force"),
    "reaction moment": ("static reaction moment", "kinetic moment"),
    "reaction moment by rotators": ("static reaction moment", "kinetic moment"),
    "reaction force by release": ("static force", "kinetic force"),
    "reaction moment by release": ("static reaction moment", "kinetic moment"),
}


@pytest.mark.parametrize("kind", KEYS)
@pytest.mark.parametrize("index", [0, 1, 2])
def test_values_at_the_shown_time_are_those_of_the_arrows(kind: str, index: int) -> None:
    model = mb.library.three_body_arm().with_values(m2=7.5)
    motion = mb.simulate(model, duration=1)
    panel = FormulaPanel()
    panel.kind, panel.form = kind, "numbers"
    for time in (0.25, 0.75):
        panel.show(model, index, motion, time)
        expected = np.concatenate([find_quantity(key).values(motion, index)[motion.index(time)] for key in KEYS[kind]])
        found = numbers(panel.text)
        # six digits are shown, and zeros of a part that is absent
        scale = np.abs(expected).max()
        assert found[: len(expected)] == pytest.approx(expected, rel=1e-5, abs=1e-5 * scale)
        assert f"at t = {time:.3f} s" in panel.text
    panel.close()


def test_every_line_that_has_an_arrow_names_a_quantity() -> None:
    seen = set()
    for kind in FORMULAE:
        seen |= set(re.findall(r"data-key='([^']*)'", formula_html(mb.library.three_body_arm(), 2, FORMULAE[kind])))
    assert seen <= set(quantity_names())
    assert {"static", "kinetic force", "applied moment", "rotator", "coupled rotators", "deviation rotator"} <= seen


def test_contributions_of_rotators_add_up_to_the_kinetic_force() -> None:
    model = mb.library.three_body_arm()
    motion = mb.simulate(model, duration=0.5)
    found = formula_groups(FORMULAE["rotators"], model, 2)
    state = {"q": motion.q[20], "u": motion.u[20], "ud": motion.ud[20]}
    force = sum(group.formula.evaluate(**state) for group in found if "^{\\," in group.title)
    assert force == pytest.approx(motion.reaction_parts(2).kinetic[20, :3], rel=1e-10)


def test_long_groups_are_folded_and_short_ones_are_not() -> None:
    text = formula_html(mb.library.three_body_arm(), 2, FORMULAE["reaction force"])
    assert text.count("<details") == 1
    assert "106 terms" in text


def test_a_time_that_changes_derives_nothing_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    motion = mb.simulate(mb.library.pendulum(2), duration=1)
    monkeypatch.setattr(
        "mbwidgets.widgets.parts.formulas.formula_groups", lambda *given: calls.append(1) or formula_groups(*given)
    )
    panel = FormulaPanel()
    panel.form = "both"
    texts = set()
    for time in (0.0, 0.25, 0.5):
        panel.show(motion.model, 0, motion, time)
        texts.add(panel.text)
    assert len(texts) == 3
    assert len(calls) == 1
    panel.close()
