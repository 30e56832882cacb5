"""The view of a released joint without a browser: its numbers are the core's, and it stays alive."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.export.pictures.film import Film
from mbwidgets.numeric.motion.release import release_of
from mbwidgets.widgets.views.release_parts import aside


@pytest.fixture
def view() -> Iterator[mb.ReleaseView]:
    made = mb.ReleaseView(duration=0.5)
    yield made
    made.close()


def numbers(view: mb.ReleaseView, key: str) -> np.ndarray:
    table = view.components
    return np.asarray(table.array()[:, [row["key"] for row in table.rows].index(key)])


def test_the_matrices_are_the_papers_in_absolute_angles(view: mb.ReleaseView) -> None:
    motion = view.motion
    exact = mb.release(motion.model, "hammer", coordinates="absolute")
    q, u = np.cumsum(motion.q, axis=1), np.cumsum(motion.u, axis=1)
    A, G, Q = (part.evaluate(q=q, u=u) for part in (exact.A, exact.G, exact.Q))
    np.testing.assert_allclose(view.matrices.array(0), A[:, :4, :4], rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(view.matrices.array(2)[:, :, 0], G[:, :4], rtol=1e-5, atol=1e-4)
    np.testing.assert_allclose(view.matrices.array(3)[:, :, 0], Q[:, :4], rtol=1e-5, atol=1e-4)
    assert [shape["name"] for shape in view.matrices.shapes] == ["A", "q̈", "G", "Q", "R"]
    assert view.matrices.shapes[0]["rows"] == ["φ", "θ", "σ_x", "σ_y"]
    # A q̈ = G + Q + R holds in every frame that the page has
    left = np.einsum("fij,fj->fi", view.matrices.array(0), view.matrices.array(1)[:, :, 0])
    right = sum(view.matrices.array(k)[:, :, 0] for k in (2, 3, 4))
    np.testing.assert_allclose(left, right, atol=2e-4 * np.abs(left).max())


def test_the_joints_own_angles_and_all_six_rows_can_be_shown(view: mb.ReleaseView) -> None:
    view.coordinates, view.rows = "joint", "all six"
    frames = release_of(view.motion, "hammer")
    np.testing.assert_allclose(view.matrices.array(0), frames.A, rtol=1e-5, atol=1e-5)
    assert view.matrices.shapes[0]["rows"][:2] == ["q_1", "q_2"]


def test_components_are_one_vector_in_three_axes(view: mb.ReleaseView) -> None:
    frames = release_of(view.motion, "hammer").reactions
    shown = np.stack([numbers(view, f"R{axis}") for axis in "xyz"], axis=1)
    np.testing.assert_allclose(shown[:, :, 0], frames[:, :3], rtol=1e-5, atol=1e-4)
    for column in range(3):
        np.testing.assert_allclose(np.linalg.norm(shown[:, :, column], axis=1), numbers(view, "force")[:, 0], rtol=1e-4)
    turned = np.einsum("fij,fj->fi", view.motion.rotations[:, 1], shown[:, :, 2])
    np.testing.assert_allclose(turned, shown[:, :, 0], rtol=1e-4, atol=1e-3)


def test_the_gap_opens_the_picture_and_leaves_the_motion(view: mb.ReleaseView) -> None:
    before, poses = view.motion, view.picture.player.poses
    view.gap = 0.4
    assert view.motion is before
    assert view.picture.player.poses != poses
    with pytest.raises(mb.ModelError, match="gap"):
        view.gap = -1
    assert view.gap == 0.4
    view.gap = 0.0
    assert "gap" not in view.picture.player.quantities


@pytest.mark.parametrize("name", mb.library.names())
def test_every_joint_opens_across_its_axis_and_its_arm_so_that_both_sides_stand_clear(name: str) -> None:
    model = getattr(mb.library, name)()
    for index, body in enumerate(model.bodies):
        way = aside(model, index)
        assert np.linalg.norm(way) == pytest.approx(1.0, rel=1e-12)
        arms = [np.array([model.number(part) for part in vector]) for vector in (body.joint.at, body.com)]
        arm = next((vector for vector in arms if np.linalg.norm(vector) > 0), np.zeros(3))
        assert way @ arm == pytest.approx(0.0, abs=1e-12 * max(np.linalg.norm(arm), 1.0))


def test_the_opened_joints_force_is_longer_than_its_gap_when_the_view_opens() -> None:
    view = mb.ReleaseView()
    k = view.motion.index(view.time)
    drawn = {arrow.key: arrow.scale * np.linalg.norm(arrow.value[k]) for arrow in view.picture.composition.arrows}
    assert drawn["force"] == pytest.approx(drawn["minus force"], rel=1e-12)
    assert drawn["force"] > 1.5 * drawn["gap"]  # a glance tells which of them it is about
    view.close()


def test_the_polar_curve_is_there_and_formulae_are_when_they_are_looked_at(view: mb.ReleaseView) -> None:
    force = release_of(view.motion, "hammer").total[:, :2]
    np.testing.assert_allclose(view.polar.array(), force, rtol=1e-5, atol=1e-4)
    assert view.polar.down
    view.tabs.selected_index = 1
    for text in (r"\cos \left(q^{1} - q^{2}\right)", "(3.23)", "(3.26), (3.28)"):
        assert text in view.formulae.value


@pytest.mark.parametrize("name", ["three_body_arm", "four_bar", "spherical_chain", "cart_pendulum", "body_on_circle"])
def test_every_joint_of_other_mechanisms_opens(name: str) -> None:
    model = mb.library.spherical_chain(2) if name == "spherical_chain" else getattr(mb.library, name)()
    view = mb.ReleaseView(model, 0, duration=0.2)
    for body in model.bodies:
        view.selected = body.name
        for tab in range(3):
            view.tabs.selected_index = tab
        assert "the methods agree" in view.agreement.value
        assert "sound" in view.health.value
    view.close()


@pytest.mark.parametrize("model", [mb.library.hammer_crusher(), mb.library.pendulum(3)])
def test_a_ghost_stands_where_all_that_the_joint_carries_was(model: mb.Model) -> None:
    view = mb.ReleaseView(model, joint=1, duration=0.5, rate=30)
    seen, real = view.picture.composition, view.motion.poses[0]
    for frame in (0, len(view.motion) // 2):
        were = dict(seen.were(frame))
        assert sorted(were) == sorted(view.model.subtree(1))
        for body, away in were.items():
            drawn = view.picture.composition.motion.poses[0][frame, body]
            np.testing.assert_allclose(drawn - away, real[frame, body], atol=1e-12)
    assert view.picture.player.aside == {"bodies": sorted(view.model.subtree(1)), "arrow": "gap"}
    film = Film(view, width=300, height=220)
    still = np.asarray(film.frame(view.time), dtype=int)
    film.composition = replace(film.composition, aside=((), ""))
    assert (np.abs(still - np.asarray(film.frame(view.time), dtype=int)).max(axis=2) > 8).sum() > 20, "no ghost is seen"
    view.gap = 0.0
    assert view.picture.composition.were(0) == [], "a closed joint has no ghost"
    view.close()
