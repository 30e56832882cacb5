"""Vectors over a motion, against numerical derivatives, Pinocchio's conventions in `Dynamics`, and by hand."""

from __future__ import annotations

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.scene.quantities.motion_quantities import (
    Quantity,
    arrows_of,
    find_quantity,
    quantity_names,
    register_quantity,
)
from mbwidgets.scene.quantities.reading import kinematics_of

MODELS = ["three_body_arm", "scara", "gyroscope", "spherical_chain", "walking_figure", "six_axis_arm"]


@pytest.mark.parametrize("name", MODELS)
def test_angular_velocities_are_the_rate_of_the_rotations(name: str) -> None:
    motion = mb.simulate(getattr(mb.library, name)(), duration=0.2, rate=20000)
    look = kinematics_of(motion)
    turn = look.rotations
    rate = (turn[2:] - turn[:-2]) / (motion.t[2:] - motion.t[:-2])[:, None, None, None]
    skew = rate @ np.swapaxes(turn[1:-1], -1, -2)
    found = np.stack([skew[..., 2, 1], skew[..., 0, 2], skew[..., 1, 0]], axis=-1)
    scale = np.abs(look.angular_velocities).max()
    # central differences: ω³h²/6 with ω up to 60 rad/s and h = 50 µs
    assert np.abs(found - look.angular_velocities[1:-1]).max() < 1e-5 * scale


@pytest.mark.parametrize("name", MODELS)
def test_momenta_add_up_to_those_of_the_whole(name: str) -> None:
    motion = mb.simulate(getattr(mb.library, name)(), duration=1)
    bodies = range(len(motion.model.bodies))
    momentum = sum(find_quantity("momentum").values(motion, i) for i in bodies)
    about_origin = sum(
        find_quantity("angular momentum").values(motion, i)
        + np.cross(kinematics_of(motion).mass_centre(i), find_quantity("momentum").values(motion, i))
        for i in bodies
    )
    # sums of a few terms in double precision, by two routes
    scale = np.abs(motion.totals[:, 2:]).max()
    assert np.abs(momentum - motion.totals[:, 2:5]).max() < 1e-12 * scale
    assert np.abs(about_origin - motion.totals[:, 5:8]).max() < 1e-12 * scale


def test_the_rotor_by_hand() -> None:
    """Cajić and Lazarević, Fig. 3, at q = 0: S = (0, 0.2, 0), D = (−0.04, 0, 0), G = (0, −98.1, 0)."""
    motion = mb.simulate(mb.library.rotor(), duration=0.1)
    at_start = {key: find_quantity(key).values(motion, 0)[0] for key in quantity_names()}
    # products of a few decimals
    assert at_start["static"] == pytest.approx([0, 0.2, 0], abs=1e-15)
    assert at_start["deviation"] == pytest.approx([-0.04, 0, 0], abs=1e-15)
    assert at_start["axis"] == pytest.approx([0, 0, 1])
    assert at_start["weight"] == pytest.approx([0, -98.1, 0])
    assert at_start["angular velocity"] == pytest.approx([0, 0, 100])
    # ω² e towards the axis; the weight turns it by ε = −m g e / (J_z + m e²) = −1.962 / 0.104
    assert at_start["acceleration"] == pytest.approx([-200, -0.02 * 1.962 / 0.104, 0], rel=1e-12)


def test_weight_and_reaction_accelerate_a_free_swinging_body() -> None:
    """m a_C = G + F_R for a single body on a pin."""
    motion = mb.simulate(mb.library.pendulum(1), duration=1)
    found = find_quantity("weight").values(motion, 0) + find_quantity("force").values(motion, 0)
    assert np.allclose(found, find_quantity("acceleration").values(motion, 0), rtol=0, atol=1e-11)


@pytest.mark.parametrize("name", mb.library.names())
def test_every_quantity_is_finite_for_every_body_of_the_library(name: str) -> None:
    motion = mb.simulate(getattr(mb.library, name)(), duration=0.3)
    axes = all(link.kind != "ball" for body in motion.model.bodies for link in body.joint.columns())
    for key in quantity_names():
        item = find_quantity(key)
        for index in range(len(motion.model.bodies)):
            closed = bool(motion.model.constraints) and item.group == "Reactions" and key not in ("force", "moment")
            if (item.group == "Rotators" and not axes) or closed:
                with pytest.raises(mb.ModelError):
                    arrows_of(item, motion, index)
                continue
            for arrow in arrows_of(item, motion, index):
                assert arrow.value.shape == arrow.begin.shape == (len(motion), 3)
                assert np.isfinite(arrow.begin).all()
                # a rotator has no direction where its carrier vanishes
                assert np.isfinite(arrow.value).all() or item.group == "Rotators", key


@pytest.mark.parametrize("name", MODELS)
def test_the_parts_of_a_reaction_make_the_whole(name: str) -> None:
    motion = mb.simulate(getattr(mb.library, name)(), duration=0.5)
    for index in range(len(motion.model.bodies)):
        value = {
            key: find_quantity(key).values(motion, index)
            for key in quantity_names()
            if find_quantity(key).group == "Reactions"
        }
        for whole, parts in (
            ("force", ("static force", "kinetic force", "applied force")),
            ("moment", ("static reaction moment", "kinetic moment", "applied moment")),
        ):
            # rounding of sums in which the parts may cancel
            scale = max(np.abs(value[part]).max() for part in parts)
            assert np.abs(sum(value[part] for part in parts) - value[whole]).max() <= 1e-10 * scale
        assert (value["pressure"] == -value["kinetic force"]).all()
        assert (value["pressure moment"] == -value["kinetic moment"]).all()


def driven() -> mb.Model:
    """A turning arm with a slide on it, both driven."""
    return mb.Model(
        [
            mb.Body("arm", mb.Revolute("z"), mass=2, com=(0.4, 0, 0.1), inertia=(0.1, 0.2, 0.3)),
            mb.Body("slide", mb.Prismatic((1, 1, 0), at=(0.5, 0, 0)), mass=1, com=(0, 0.1, 0), inertia=(0.1, 0.1, 0.1)),
        ],
        gravity=(0, 0, -9.81),
        forces=[mb.Effort("arm", 3), mb.Effort("slide", "2 + t")],
    )


def test_efforts_are_those_that_were_given_and_close_the_balance_of_forces() -> None:
    motion = mb.simulate(driven(), duration=0.5)
    turning, sliding = find_quantity("effort"), find_quantity("effort force")
    # the effort comes back through accelerations: products of a few terms
    assert turning.values(motion, 0) == pytest.approx(np.tile([0.0, 0.0, 3.0], (len(motion), 1)), rel=1e-11)
    assert np.abs(sliding.values(motion, 0)).max() == 0
    assert np.linalg.norm(sliding.values(motion, 1), axis=1) == pytest.approx(2 + motion.t, rel=1e-11)
    acting = sum(find_quantity(key).values(motion, 1) for key in ("force", "weight", "effort force"))
    assert acting == pytest.approx(find_quantity("acceleration").values(motion, 1), rel=1e-10, abs=1e-10)


@pytest.mark.parametrize("name", ["four_bar", "slider_crank"])
def test_constraint_forces_close_the_balance_of_the_last_body(name: str) -> None:
    """m a_C = G + F_R + Σ constraint forces for a body that carries no other, where its joint has no drive."""
    motion = mb.simulate(getattr(mb.library, name)(), duration=0.5)
    model = motion.model
    leaves = [i for i in range(len(model.bodies)) if i not in model.parents and model.number(model.bodies[i].mass) > 0]
    acted = 0
    for index in leaves:
        acting = find_quantity("weight").values(motion, index) + find_quantity("force").values(motion, index)
        arrows = arrows_of(find_quantity("constraint force"), motion, index)
        acted += len(arrows)
        total = acting + sum(arrow.value for arrow in arrows)
        expected = model.number(model.bodies[index].mass) * find_quantity("acceleration").values(motion, index)
        # multipliers come from a linear system: a few digits fewer than a sum of products
        assert np.abs(total - expected).max() < 1e-8 * np.abs(acting).max()
    assert acted


def test_a_joint_without_a_drive_has_no_effort() -> None:
    motion = mb.simulate(mb.library.three_body_arm(), duration=1)
    for index in range(3):
        assert not find_quantity("effort").values(motion, index).any()


def test_rotators_stand_across_their_carriers_as_the_paper_says() -> None:
    """Cajić-Lazarević (53), (56): ℜ = ω̇ u + ω² [n, u] with u = S/|S|, ℜ_ab = 2 ω_a ω_b [n_a, u]."""
    motion = mb.simulate(mb.library.three_body_arm(), duration=1)
    u, ud = motion.u, motion.ud
    for index in range(3):
        n, S, D = (find_quantity(key).values(motion, index) for key in ("axis", "static", "deviation"))
        for key, carrier in (("rotator", S), ("deviation rotator", D)):
            unit = carrier / np.linalg.norm(carrier, axis=1, keepdims=True)
            expected = ud[:, index, None] * unit + u[:, index, None] ** 2 * np.cross(n, unit)
            # |S|, |D| of some 1e-2 in sums of a few terms
            assert find_quantity(key).values(motion, index) == pytest.approx(expected, rel=1e-9, abs=1e-9)
        arrows = arrows_of(find_quantity("coupled rotators"), motion, index)
        assert [arrow.label for arrow in arrows] == [f"ℜ{'₁₂₃'[a]}{'₁₂₃'[index]}" for a in range(index)]
        unit = S / np.linalg.norm(S, axis=1, keepdims=True)
        for a, arrow in enumerate(arrows):
            before = find_quantity("axis").values(motion, a)
            expected = 2 * u[:, a, None] * u[:, index, None] * np.cross(before, unit)
            assert arrow.value == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_a_theory_adds_its_quantity_as_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mbwidgets.scene.quantities.registry._registry", {})
    item = Quantity(
        "lever", "ρ", "ρ", "lever", "m", "#000000", "O*", lambda motion, index: kinematics_of(motion).lever(index)
    )
    assert register_quantity(item) is find_quantity("lever")
    with pytest.raises(mb.ModelError, match="already registered"):
        register_quantity(item)
    with pytest.raises(mb.UnknownNameError, match="no quantity 'leverage'"):
        find_quantity("leverage")


def test_several_arrows_at_places_of_their_own_are_data_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """As constraint forces will be: one arrow a constraint, at its point."""
    monkeypatch.setattr("mbwidgets.scene.quantities.registry._registry", {})
    motion = mb.simulate(mb.library.pendulum(2), duration=0.1)
    both = np.stack([kinematics_of(motion).mass_centre(0), kinematics_of(motion).mass_centre(1)], axis=1)
    item = register_quantity(
        Quantity("λ", "λ", "λ", "constraint force", "N", "#000000", lambda *_: both, lambda *_: 2 * both,
                 labels=lambda *_: ("λ₁", "λ₂"))
    )  # fmt: skip
    arrows = arrows_of(item, motion, 0)
    assert [arrow.label for arrow in arrows] == ["λ₁", "λ₂"]
    for k, arrow in enumerate(arrows):
        assert (arrow.begin == both[:, k]).all()
        assert (arrow.value == 2 * both[:, k]).all()


def test_colours_and_symbols_are_one_to_a_quantity() -> None:
    items = [find_quantity(key) for key in quantity_names()]
    for field in ("symbol", "label", "name", "colour"):
        assert len({getattr(item, field) for item in items}) == len(items), field


UNIVERSAL = mb.Model(
    [
        mb.Body("arm", mb.Revolute("z"), mass=3, com=(0.2, 0.1, 0), inertia=(0.1, 0.2, 0.15)),
        mb.Body(
            "fork",
            mb.Universal("x", second=(0, 1, 1), at=(0.4, 0, 0)),
            mass=2,
            com=(0.1, 0.2, -0.3),
            inertia=(0.05, 0.06, 0.04),
        ),
    ],
    gravity=(0, 0, -9.81),
    state={"q": [0.3, 0.7, 0.4], "u": [1, -0.5, 0.8]},
)


@pytest.mark.parametrize("name", ["universal", "three_body_arm", "scara", "gyroscope"])
def test_all_readings_of_mass_moments_have_one_axis(name: str) -> None:
    """The picture, the motion, the formulae and the view: of several axes the last, which is fixed in the body."""
    model = UNIVERSAL if name == "universal" else getattr(mb.library, name)()
    motion = mb.simulate(model, duration=0.2, rate=30)
    for index, body in enumerate(model.bodies):
        if body.joint.own_axis is None:
            continue
        numbers = motion.mass_moments(index, body.name)
        scale = max(np.abs(numbers.inertia).max(), np.abs(numbers.static).max())
        exact = mb.mass_moments(model, index, body.name)
        view = mb.MassMomentsView(model, body=index, duration=0.2, rate=30)
        view.axes = "world"
        table = dict(zip([row["key"] for row in view.table.rows], np.moveaxis(view.table.array(), 1, 0), strict=True))
        for key in ("static", "inertia", "deviation"):
            drawn = find_quantity(key).values(motion, index)
            assert np.abs(drawn - getattr(numbers, key)).max() < 1e-13 * scale
            formula = getattr(exact, key).evaluate(q=motion.q)
            assert np.abs(drawn - np.broadcast_to(formula, drawn.shape)).max() < 1e-12 * scale
            # the table holds single precision
            assert np.abs(drawn - table[key][:, :3]).max() < 1e-6 * scale
        np.testing.assert_allclose(find_quantity("axis").values(motion, index), numbers.axis, atol=1e-13)
        view.close()


def carried(joint: mb.Joint, u: list[float]) -> mb.Model:
    """A lopsided body on a joint, carried by an arm that turns."""
    arm = mb.Body("arm", mb.Revolute("z"), mass=3, com=(0.2, 0.1, 0), inertia=(0.1, 0.2, 0.15))
    body = mb.Body("body", joint, mass=2, com=(0.1, 0.2, -0.3), inertia=(0.05, 0.06, 0.04, 0.005, 0, 0.004))
    return mb.Model([arm, body], gravity=(0, 0, -9.81), state={"u": [1.0, *u]})


CARRIED = {
    "revolute": carried(mb.Revolute((1, 2, 2), at=(0.4, 0, 0)), [0.7]),
    "universal": carried(mb.Universal("x", second=(0, 1, 1), at=(0.4, 0, 0)), [-0.5, 0.8]),
    "cylindrical": carried(mb.Cylindrical((1, 0, 1), at=(0.4, 0, 0)), [0.6, 0.2]),
    "spherical": carried(mb.Spherical(at=(0.4, 0, 0)), [0.3, -0.4, 0.5]),
    "free": mb.Model(
        [mb.Body("body", mb.Free(), mass=2, com=(0.1, 0.2, -0.3), inertia=(0.05, 0.06, 0.04, 0.005, 0, 0.004))],
        gravity=(0, 0, -9.81),
        state={"u": [0.1, 0.2, 0.3, 1.0, -2.0, 0.5]},
    ),
}


@pytest.mark.parametrize("name", CARRIED)
def test_mass_moments_are_the_same_wherever_they_are_shown(name: str) -> None:
    """The arrows, the motion, the view's arrows and table, its verdict and its curve; for the same axis and pole."""
    model = CARRIED[name]
    motion = mb.simulate(model, duration=0.2, rate=30)
    index = model.index("body")
    own = motion.mass_moments(index)
    drawn = {key: find_quantity(key).values(motion, index) for key in ("axis", "static", "inertia", "deviation")}
    for key, value in drawn.items():
        assert np.array_equal(value, getattr(own, key)), key
    if model.bodies[index].joint.own_axis is None:
        spin = motion.angular_velocities[:, index]
        # found by two ways, each of which rounds ω and its length
        wanted = spin / np.linalg.norm(spin, axis=1, keepdims=True)
        np.testing.assert_allclose(own.axis, wanted, rtol=0, atol=1e-14)
    else:
        by_name = motion.mass_moments(index, "body")
        for key in drawn:
            # one is turned frame by frame, the other all at once
            np.testing.assert_allclose(getattr(by_name, key), getattr(own, key), rtol=0, atol=1e-14)

    view = mb.MassMomentsView(model, body=index, duration=0.2, rate=30)
    view.motion = motion
    seen = motion.mass_moments(index, view.axis, view.pole)
    arrows = view._vectors(view.motion)
    chosen = view.chosen
    for key in ("static", "inertia", "deviation"):
        assert np.array_equal(arrows[key], getattr(seen, key)), key
        if name not in ("spherical", "free"):
            # the axis goes through the numbers of the view's sliders, and is turned into world axes again
            np.testing.assert_allclose(getattr(seen, key), drawn[key], rtol=0, atol=1e-14)
    turn = motion.rotations[0, index]
    for key in ("static", "deviation"):
        # there and back between body axes and world axes
        np.testing.assert_allclose(turn @ getattr(chosen, key), getattr(seen, key)[0], rtol=0, atol=1e-14)
    ((axial, across),) = chosen.turned(np.zeros(1))
    assert axial == pytest.approx(seen.axial[0], rel=1e-14)
    assert across == pytest.approx(np.linalg.norm(seen.deviation[0]), rel=1e-13)
    view.close()
