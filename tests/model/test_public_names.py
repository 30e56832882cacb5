"""The example that the documentation opens with, written with the public names."""

from __future__ import annotations

from pathlib import Path

import pytest

import mbwidgets as mb


def three_body_arm() -> mb.Model:
    m2 = mb.Parameter("m2", 5.0, min=0.1, max=20, unit="kg")
    return mb.Model(
        name="three-body arm",
        bodies=[
            mb.Body("base", joint=mb.Revolute("z"), mass=8, com=(0.02, 0.04, 0.25), inertia=(0.19, 0.19, 0.05)),
            mb.Body(
                "upper",
                joint=mb.Revolute((1, 0, 0), at=(0.15, 0, 0.5)),
                mass=m2,
                com=(0.03, 0.25, 0.04),
                inertia=(0.2, 0.05, 0.2, 0, 0, 0),
            ),
            mb.Body(
                "fore",
                joint=mb.Revolute("y", at=(0, 0.6, 0.1)),
                parent="upper",
                mass=3,
                inertia=mb.Cylinder(0.05, 0.4),
            ),
        ],
        gravity=(0, 0, -9.81),
    )


def test_the_opening_example_builds_saves_and_loads(tmp_path: Path) -> None:
    arm = three_body_arm()
    mb.save(arm, tmp_path / "arm.json")
    assert mb.load(tmp_path / "arm.json") == arm
    assert mb.Model.from_dict(arm.to_dict()) == arm
    assert arm.with_values(m2=7).parameters["m2"].value == 7
    assert arm.parameters["m2"].value == 5.0


def test_every_library_mechanism_round_trips_through_a_file(tmp_path: Path) -> None:
    for name in mb.library.names():
        model = getattr(mb.library, name)()
        mb.save(model, tmp_path / "model.json")
        assert mb.load(tmp_path / "model.json") == model, name


def test_a_typed_error_is_both_ours_and_a_value_error() -> None:
    with pytest.raises(mb.MbwidgetsError) as caught:
        mb.Body("a", mass=-1)
    assert isinstance(caught.value, ValueError)
