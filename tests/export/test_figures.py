"""The papers' figures: the curves are the reference's, and every figure says what it shows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.export.figures import pin_force_of, tataru_values
from tests.symbolic.mechanisms import data

SAMPLES = data("body_on_circle.json")["trajectory"]["samples"]


@pytest.fixture(scope="module")
def figures() -> mb.figures.Figures:
    return mb.figures.tataru()


def test_the_curves_are_those_of_the_reference() -> None:
    motion = mb.simulate(mb.library.body_on_circle(), duration=10, rate=20, rtol=1e-13)
    found = tataru_values(motion)
    for sample in SAMPLES:
        k = round(sample["t"] * 20)
        numbers = [found[n][k] for n in (2, 3, 4, 5, 6, 7, 9, 10)]
        keys = ("phi", "omega", "xO", "yO", "xC", "yC", "vOx1", "vOy1")
        assert np.allclose(numbers, [sample[key] for key in keys], rtol=0, atol=1e-10)
        assert np.allclose(found[8][k], [sample["xC"], sample["yC"]], rtol=0, atol=1e-10)
    assert found[2][0] == pytest.approx(np.pi / 2)


def test_nine_figures_come_from_one_call(figures: mb.figures.Figures, tmp_path: Path) -> None:
    assert list(figures) == list(range(2, 11))
    for number, figure in figures.items():
        (axes,) = figure.axes
        assert axes.get_title(loc="left").startswith(f"Figure {number}: ")
        assert ", " in axes.get_ylabel()
        assert axes.get_xlabel() == ("$x_C$, m" if number == 8 else "time t, s")
    paths = figures.save(tmp_path, dpi=60)
    assert len(paths) == 9
    assert all(path.stat().st_size > 3000 for path in paths)
    assert figures._repr_html_().count("<img") == 9
    with pytest.raises(KeyError, match="no figure 11"):
        _ = figures[11]


def test_what_is_drawn_is_the_reference(figures: mb.figures.Figures) -> None:
    keys = {2: "phi", 3: "omega", 4: "xO", 5: "yO", 6: "xC", 7: "yC", 9: "vOx1", 10: "vOy1"}
    for number, key in keys.items():
        t, drawn = (np.asarray(part) for part in figures[number].axes[0].lines[0].get_data())
        for sample in SAMPLES:
            k = int(np.argmin(np.abs(t - sample["t"])))
            assert drawn[k] == pytest.approx(sample[key], rel=0, abs=1e-10), (number, sample["t"])
    (path,) = (line for line in figures[8].axes[0].lines if line.get_label() == "path of C")
    x, y = (np.asarray(part) for part in path.get_data())
    for sample in SAMPLES:
        k = int(np.argmin(np.abs(t - sample["t"])))
        assert [x[k], y[k]] == pytest.approx([sample["xC"], sample["yC"]], rel=0, abs=1e-10)


def test_the_pins_polar_curve_is_that_of_the_release() -> None:
    model = mb.library.hammer_crusher()
    motion = mb.simulate(model, duration=1, rate=50)
    world = pin_force_of(motion, "hammer")
    freed = mb.release(model, "hammer")
    exact = freed.explicit.evaluate(q=motion.q, u=motion.u)[:, :2]
    assert np.abs(world - exact).max() < 1e-9 * np.abs(exact).max()
    for axes in ("parent", "body"):
        turned = pin_force_of(motion, "hammer", axes)
        assert np.allclose(np.linalg.norm(turned, axis=1), np.linalg.norm(world, axis=1))
        assert not np.allclose(turned, world)
    figure = mb.figures.pin_force(motion=motion)
    polar = figure.axes[0]
    assert polar.name == "polar"
    assert "hammer" in polar.get_title()
    drawn = np.array([segment[0] for segment in polar.collections[0].get_segments()])
    assert np.allclose(drawn[:, 1], np.linalg.norm(world, axis=1)[:-1])


def test_a_polar_curve_needs_one_axis_and_known_axes() -> None:
    motion = mb.simulate(mb.library.spherical_chain(2), duration=0.1)
    with pytest.raises(mb.ModelError, match="one axis"):
        mb.figures.pin_force(motion=motion, joint=0)
    motion = mb.simulate(mb.library.pendulum(2), duration=0.1)
    with pytest.raises(mb.ModelError, match="no axes"):
        mb.figures.pin_force(motion=motion, axes="moon")
    with pytest.raises(mb.ModelError, match="one free body"):
        tataru_values(motion)
