"""The view of vector rotators without a browser: its table is the core's, its polygon closes, a rotor is balanced."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.widgets.views.balancing import aligned, centred, with_two_masses
from tests.widgets.views.test_reactions_view import numbers

ARM = mb.library.three_body_arm()


@pytest.fixture
def view():
    made = mb.RotatorsView(ARM, joint=0, duration=1.0)
    yield made
    made.close()


@pytest.mark.parametrize("half", ["force", "moment"])
def test_the_table_is_the_cores_and_its_sum_the_kinetic_part(view: mb.RotatorsView, half: str) -> None:
    view.half = half
    table = mb.simulate(ARM, duration=1.0).rotators(0)
    rows = [row for row in table if half == "moment" or row.row.force]
    assert [row["key"] for row in view.table.rows] == [*(row.label.text for row in rows), "sum"]
    for row in rows:
        shown = numbers(view.table, row.label.text)
        value = row.contribution if half == "force" else row.moment
        np.testing.assert_allclose(shown[:, 0], row.magnitude, rtol=1e-5, atol=1e-9)
        np.testing.assert_allclose(shown[:, 3:6], value, rtol=1e-5, atol=1e-4)
    np.testing.assert_allclose(numbers(view.table, "sum")[:, 3:6], getattr(table, half), rtol=1e-4, atol=1e-3)


def test_the_papers_fifteen_rotators_are_in_the_table(view: mb.RotatorsView) -> None:
    paper = {row["texts"][0] for row in view.table.rows[:-1]}
    wanted = {"1", "20", "2", "21", "22", "30", "3", *(str(k) for k in range(31, 39))}
    assert paper == {f"ℜ{name}" for name in wanted}


def test_the_polygon_leads_from_the_joint_to_the_tip_of_the_sum(view: mb.RotatorsView) -> None:
    player = view.picture.player
    keys = list(player.quantities)
    arrows = np.frombuffer(player.vectors, dtype=np.float32).reshape(-1, len(keys), 6)
    scale = view.picture.scales["sum force"]
    chain = [k for k, key in enumerate(keys) if key.startswith("force ")]
    assert len(chain) == 15
    for before, after in itertools.pairwise(chain):
        tip = arrows[:, before, :3] + scale * arrows[:, before, 3:]
        np.testing.assert_allclose(arrows[:, after, :3], tip, atol=1e-4)
    last, whole = chain[-1], keys.index("sum force")
    ends = [arrows[:, k, :3] + scale * arrows[:, k, 3:] for k in (last, whole)]
    np.testing.assert_allclose(*ends, atol=1e-4)


def test_a_picked_rotator_stands_on_the_tip_of_u(view: mb.RotatorsView) -> None:
    view.table.picked = "R12(3):S"
    assert view.rotator == "R12(3):S"
    row = mb.simulate(ARM, duration=1.0).rotators(0)["R12(3):S"]
    keys = list(view.picture.player.quantities)
    arrows = np.frombuffer(view.picture.player.vectors, dtype=np.float32).reshape(-1, len(keys), 6)
    u, rotator = arrows[:, keys.index("u")], arrows[:, keys.index("rotator")]
    np.testing.assert_allclose(rotator[:, :3], u[:, :3] + u[:, 3:], atol=1e-5)
    np.testing.assert_allclose(rotator[:, 3:], row.rotator, rtol=1e-4, atol=1e-3)
    np.testing.assert_allclose(u[:, :3], view.motion.poses[0][:, 2], atol=1e-5)
    assert "mathfrak R" in view.formula.value
    labels = {item.key: item.label for item in view.picture.shown}
    assert {row["key"]: row["symbol"] for row in view.alone.rows} == {"w": "w", "R": "ℜ_12^S", "part": "|w|ℜ"}
    assert (labels["rotator"], labels["force R12(3):S picked"]) == ("ℜ₁₂ˢ", "|w|ℜ")


def test_terms_that_have_no_rotator_carry_their_own_name(view: mb.RotatorsView) -> None:
    view.half = "moment"
    view.rotator = "J1(3)"
    assert [row["symbol"] for row in view.alone.rows] == ["w", "ω̇J_1"]
    assert "ω̇J₁" in [item.label for item in view.picture.shown]


def test_kinds_choose_the_rows(view: mb.RotatorsView) -> None:
    view.kinds = ("coupled",)
    assert {row["name"] for row in view.table.rows[:-1]} == {"coupled"}
    view.half, view.kinds = "moment", ("deviation", "axial")
    assert {row["name"] for row in view.table.rows[:-1]} == {"deviation", "axial"}


def pressures(model: mb.Model) -> float:
    motion = mb.simulate(model, duration=0.3, rate=500)
    return float(np.abs(motion.reaction_parts(0).pressure).max())


def tilted() -> mb.Model:
    """A rotor whose numbers hold no parameter, about an axis of no special direction."""
    n = np.array([1.0, 2.0, -1.5]) / np.linalg.norm([1.0, 2.0, -1.5])
    inertia = ((0.3, 0.02, -0.01), (0.02, 0.4, 0.03), (-0.01, 0.03, 0.35))
    body = mb.Body("wheel", mb.Revolute(tuple(n)), mass=4, com=(0.05, 0.01, 0.02), inertia=inertia)
    return mb.Model([body], state={"u": [60.0]})


@pytest.mark.parametrize("model", [mb.library.rotor(), tilted()])
def test_centring_then_aligning_takes_the_pressures_away(model: mb.Model) -> None:
    before = pressures(model)
    assert before > 100
    one = centred(model)
    force = mb.simulate(one, duration=0.3, rate=500).reaction_parts(0).pressure[:, :3]
    assert np.abs(force).max() <= 1e-12 * before
    two = aligned(one)
    assert pressures(two) <= 1e-12 * before
    assert two.number(two.bodies[0].mass) == model.number(model.bodies[0].mass)


def test_two_masses_do_both_at_once() -> None:
    model = mb.library.rotor()
    assert pressures(with_two_masses(model)) <= 1e-12 * pressures(model)


def test_the_balance_page_acts_and_can_be_undone() -> None:
    view = mb.RotatorsView(mb.library.rotor(), duration=0.2, rate=1000)
    view.tabs.selected_index = 2
    assert "✓" not in view.balance.text.value
    for button in view.balance.children[0].children[:2]:
        button.click()
    assert view.balance.text.value.count("✓") == 4
    assert (view.model.values["e"], view.model.values["Jxz"]) == (0, 0)
    view.undo()
    view.undo()
    assert view.model.values["e"] == 0.02
    view.close()


def test_a_chain_cannot_be_balanced_by_buttons(view: mb.RotatorsView) -> None:
    view.tabs.selected_index = 2
    assert all(button.disabled for button in view.balance.children[0].children)


def test_a_rotator_without_direction_is_shown_so() -> None:
    view = mb.RotatorsView(mb.library.rotor().with_values(e=0), duration=0.2, rate=500, rotator="R1(1):S")
    assert np.isnan(numbers(view.alone, "R")).all()
    assert numbers(view.table, "R1(1):S")[0, 1] == pytest.approx(1e4, rel=1e-2)  # ω² stays valid
    view.close()


def test_a_mechanism_beyond_the_theory_moves_and_says_why() -> None:
    view = mb.RotatorsView(mb.library.spinning_top(), duration=0.3)
    assert "spherical" in view.formula.value
    assert view.table.rows == []
    for tab in range(3):
        view.tabs.selected_index = tab
    view.close()


def test_every_mechanism_can_be_shown(view: mb.RotatorsView) -> None:
    view.duration = 0.1
    for name in mb.library.names():
        view.model = getattr(mb.library, name)()
        assert view.motion.model is view.model, name
