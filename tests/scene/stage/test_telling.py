"""Views open where there is something to be seen, and arrows begin where bodies are drawn."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.export.pictures.films import png_bytes
from mbwidgets.numeric.base.outcome import Result
from mbwidgets.scene.stage.composition import compose
from mbwidgets.scene.stage.peaks import first_peak, frames_before_closing, telling_forces
from mbwidgets.scene.stage.picture import Picture
from mbwidgets.scene.stage.sight import sight_of
from mbwidgets.scene.stage.telling import telling_instant
from mbwidgets.scene.stage.unfolded import MANY, cover_of, how_good, large_force, surface_points
from mbwidgets.scene.stage.viewpoint import VIEWS, view_axes
from mbwidgets.widgets.base import solver

FORCE_VIEWS = (mb.ReactionsView, mb.ReleaseView, mb.RotatorsView, mb.ConstrainedView)


@pytest.mark.parametrize("name", mb.library.names())
def test_the_most_telling_instant_has_a_large_force_leaves_some_motion_and_of_many_bodies_is_the_peak(
    name: str,
) -> None:
    motion = mb.simulate(getattr(mb.library, name)(), duration=None if name == "andrews_squeezer" else 2)
    for index in range(len(motion.model.bodies)):
        forces = np.linalg.norm(motion.reactions(index)[:, :3], axis=1)
        if np.ptp(forces) <= 1e-3 * forces.max():  # as `VARIES` says: such a force does not decide
            continue
        k = motion.index(telling_instant(motion, index))
        left = motion.t <= motion.t[-1] - 0.1 * np.ptp(motion.t)
        assert left[k]
        peak = first_peak(forces, frames_before_closing(motion.t))
        assert forces[peak] >= 0.95 * forces[left].max()
        assert forces[k] >= large_force(forces[: frames_before_closing(motion.t)])
        assert len(motion.model.bodies) <= MANY or k == peak


def test_points_on_a_surface_are_spread_by_area_and_cover_as_many_cells_as_it_does() -> None:
    seen = sight_of(mb.simulate(mb.library.four_bar(), duration=0.1)).seen
    corners = seen.bodies[1].corners
    areas = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1) / 2
    middle = (areas[:, None] * corners.mean(axis=1)).sum(axis=0) / areas.sum()
    points = surface_points(seen.bodies[1], 2000)
    size = np.ptp(corners.reshape(-1, 3), axis=0).max()
    assert points.mean(axis=0) == pytest.approx(middle, abs=0.01 * size)


def test_bodies_before_one_another_cover_less() -> None:
    # two bars of one length that turn in parallel planes, seen from the front: folded one lies before the other
    bars = [
        mb.Body(name, mb.Revolute("y", at=at), mass=1, com=(0.5, 0, 0), inertia=(0.01, 0.1, 0.1))
        for name, at in (("a", (0, 0, 0)), ("b", (1, 0, 0)))
    ]
    motion = mb.simulate(mb.Model(bars, state={"q": [0.0, 3.1], "u": [0.0, -2.0]}), duration=2)
    sight = sight_of(motion)
    front = view_axes(VIEWS["front"]) @ sight.upright
    covered = cover_of(motion, sight.seen, np.arange(len(motion)), front).cells
    opened = np.abs(np.cos(motion.q[:, 1] / 2))  # one where the second bar goes on along the first
    assert covered[opened.argmax()] > 1.2 * covered[opened.argmin()]


@pytest.mark.parametrize("name", ["three_body_arm", "slider_crank", "body_on_circle", "pendulum"])
def test_a_view_opens_where_more_is_seen_than_in_the_mean(name: str) -> None:
    motion = mb.simulate(getattr(mb.library, name)(), duration=10)
    last = len(motion.model.bodies) - 1
    forces, sight = telling_forces(motion, last), sight_of(motion)
    k = motion.index(telling_instant(motion, last))
    frames = np.arange(len(motion))[:: len(motion) // 100]
    frames = np.append(frames, k)
    cover = cover_of(motion, sight.seen, frames, sight.view, sight.around)
    good = how_good(motion, last, frames, forces[frames], sight.view, cover)
    assert good[-1] > np.quantile(good, 0.8)


@pytest.mark.parametrize(
    ("sizes", "peak"),
    [
        ([0, 3, 1, 3.1, 0, 3.05, 0, 0, 0, 0, 0], 1),  # alike: the first
        ([0, 2, 1, 3, 0, 3.05, 0, 0, 0, 0, 0], 3),  # the first is lower
        ([5, 4, 3, 2, 3, 4, 3, 2, 2, 2, 2], 0),  # it falls from the start
        ([0, 1, 2, 3, 2, 1, 0, 1, 2, 6, 9], 3),  # largest in the last frames
        ([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 8),  # only grows: as large as it gets before the end
        ([0, 1, 2, 2, 2, 1, 0, 0, 0, 0, 0], 4),  # a plateau ends
    ],
)
def test_the_first_of_peaks_that_look_alike_opens_and_never_the_end(sizes: list[float], peak: int) -> None:
    assert first_peak(np.array(sizes, dtype=float), frames_before_closing(np.arange(len(sizes)) / 10)) == peak


def test_the_hammer_crusher_opens_with_time_left_and_a_force_many_times_the_weight() -> None:
    view = mb.ReleaseView()
    k = view.motion.index(view.time)
    assert view.time < 0.9 * view.motion.t[-1]
    assert np.linalg.norm(view.motion.reactions(1)[k, :3]) > 5 * 3 * 9.81
    view.close()


def test_a_body_without_a_joint_opens_where_its_constraint_holds_it_most() -> None:
    motion = mb.simulate(mb.library.body_on_circle(), duration=2)
    forces = np.max([np.linalg.norm(item.force, axis=1) for item in motion.constraint_forces], axis=0)
    k = motion.index(telling_instant(motion, 0))
    assert k > 0
    assert forces[k] >= large_force(forces[motion.t <= 1.8])
    # and apart from the weight, which hangs below it where it is largest
    down = np.array([motion.model.number(part) for part in motion.model.gravity])
    assert np.linalg.norm(np.cross(motion.constraint_forces[0].force[k], down)) > 0.2 * forces[k] * np.linalg.norm(down)


def test_what_stands_still_opens_at_the_start() -> None:
    still = mb.simulate(mb.library.pendulum(1).with_values(g=0.0), q=[0.3], duration=1)
    assert telling_instant(still, 0) == 0.0


def test_an_explorer_opens_at_the_largest_force_unless_it_is_told_a_time() -> None:
    view, told = (mb.Explorer(mb.library.three_body_arm(), duration=2, **more) for more in ({}, {"time": 0.0}))
    assert view.time == view.picture.player.time == telling_instant(view.motion, view.index) > 0
    assert told.time == 0.0
    # the time is the user's from then on
    view.time = 0.5
    view.model = view.model.with_values(m3=1)
    assert view.time == 0.5
    # the still in a reader without widgets is of this instant
    assert png_bytes(view, width=120, height=90) == png_bytes(view, width=120, height=90, time=0.5)
    for item in (view, told):
        item.close()


@pytest.mark.parametrize("moved", [False, True])
def test_a_view_that_opens_with_a_part_of_its_motion_goes_to_the_peak_of_the_whole_unless_its_time_was_moved(
    monkeypatch: pytest.MonkeyPatch, moved: bool
) -> None:
    monkeypatch.setattr(solver, "QUICK", 1e-9)

    async def open_and_wait() -> None:
        view = mb.Explorer(mb.library.three_body_arm(), duration=30)
        assert view.motion.outcome.result is Result.BUDGET
        if moved:
            view.time = float(view.motion.t[-1]) / 2
        before = view.time
        while view.motion.outcome.result is Result.BUDGET:
            await asyncio.sleep(0.01)
        peak = telling_instant(view.motion, view.index)
        assert view.time == (before if moved else peak)
        assert before != peak
        view.close()

    asyncio.run(asyncio.wait_for(open_and_wait(), 60))


@pytest.mark.parametrize("kind", FORCE_VIEWS)
def test_views_of_forces_open_at_their_peak(kind: type) -> None:
    view = kind(duration=1)
    assert view.time == telling_instant(view.motion, view.index)
    view.close()


@pytest.mark.parametrize("name", ["four_bar", "hammer_crusher", "slider_crank", "n_four_bar"])
def test_arrows_of_a_plate_that_is_laid_aside_begin_on_the_plate(name: str) -> None:
    motion = mb.simulate(getattr(mb.library, name)(), duration=0.5)
    indices = range(len(motion.model.bodies))
    seen = compose(motion, ("force", "weight"), list(indices))
    shifts = seen.setting.shifts_of(motion.model)
    assert shifts.any()
    for arrow in seen.arrows:
        if arrow.key != "weight":
            continue
        # the weight begins in the middle of the mark of the mass centre, as it is drawn
        mark = seen.centres[arrow.body].points
        middle = (mark.min(axis=0) + mark.max(axis=0)) / 2
        drawn = motion.poses[0][:, arrow.body] + motion.rotations[:, arrow.body] @ middle
        assert arrow.begin == pytest.approx(drawn, abs=1e-9)
    picture = Picture()
    picture.show(motion, ("force", "weight"), tuple(indices))
    for mine, other in zip(picture.composition.arrows, seen.arrows, strict=True):
        assert np.array_equal(mine.begin, other.begin)
    picture.close()
