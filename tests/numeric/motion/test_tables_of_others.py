"""Motions as tables of pandas and of xarray: their numbers under their names."""

from __future__ import annotations

import numpy as np
import pytest

import mbwidgets as mb


@pytest.fixture(params=["three_body_arm", "four_bar", "spinning_top", "joined"])
def motion(request: pytest.FixtureRequest) -> mb.Motion:
    if request.param != "joined":
        return mb.simulate(getattr(mb.library, request.param)(), duration=0.2)
    first = mb.simulate(mb.library.pendulum(2), q=[1, 2], duration=0.2)
    return mb.join(first, first.then(first.model.with_values(m=3.0), duration=0.2))


def test_a_data_frame_holds_the_motion(motion: mb.Motion) -> None:
    pandas = pytest.importorskip("pandas")
    found = motion.to_dataframe()
    assert isinstance(found, pandas.DataFrame)
    assert found.index.name == "t"
    assert found.index.is_monotonic_increasing
    assert found.columns.tolist() == [*motion.table().names[1:]]
    model = motion.model
    assert np.array_equal(found.index, motion.t)
    assert np.array_equal(found[[f"q {name}" for name in model.coordinate_names]], motion.q)
    assert np.array_equal(found[[f"u {name}" for name in model.velocity_names]], motion.u)
    assert np.array_equal(found["kinetic"] + found["potential"], motion.energy.total)


def test_a_data_set_holds_the_motion(motion: mb.Motion) -> None:
    xarray = pytest.importorskip("xarray")
    found = motion.to_xarray()
    assert isinstance(found, xarray.Dataset)
    for name in ("t", "q", "u", "ud"):
        assert np.array_equal(found[name], getattr(motion, name)), name
    assert np.array_equal(found["kinetic"], motion.energy.kinetic)
    assert np.array_equal(found["potential"], motion.energy.potential)
    for k, name in enumerate(motion.model.velocity_names):
        assert np.array_equal(found["ud"].sel(velocity=name), motion.ud[:, k])
    assert found.t.attrs["units"] == "s"
    assert (found.kinetic.attrs["units"], found.potential.attrs["units"]) == ("J", "J")
    assert found.attrs == {"model": motion.model.name, "outcome": motion.outcome.message}
