"""Joints: their columns, counts, labels, and what they refuse."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mbwidgets.errors import MbwidgetsError, ModelError
from mbwidgets.expressions import evaluate
from mbwidgets.model.joints import (
    JOINTS,
    Cylindrical,
    Fixed,
    Free,
    Joint,
    Planar,
    Prismatic,
    Revolute,
    Spherical,
    Universal,
    perpendicular_axes,
)
from mbwidgets.model.parameters import Parameter

COLUMNS = {
    Revolute("y"): ["rotation y"],
    Prismatic("x"): ["translation x"],
    Cylindrical("z"): ["translation z", "rotation z"],
    Universal("x", "y"): ["rotation x", "rotation y"],
    Planar("z"): ["translation x", "translation y", "rotation z"],
    Spherical(): ["ball z"],
    Free(): ["translation x", "translation y", "translation z", "ball z"],
    Fixed(): [],
}
UNIT = {(1, 0, 0): "x", (0, 1, 0): "y", (0, 0, 1): "z"}


@pytest.mark.parametrize("joint", COLUMNS, ids=lambda joint: joint.type)
def test_columns_are_the_free_directions_in_the_order_of_q(joint: Joint) -> None:
    assert [f"{column.kind} {UNIT[column.axis]}" for column in joint.columns()] == COLUMNS[joint]
    balls = sum(column.kind == "ball" for column in joint.columns())
    assert joint.nq == len(joint.columns()) + 3 * balls == len(joint.coordinate_labels()) == len(joint.rest())
    assert joint.nv == len(joint.columns()) + 2 * balls == len(joint.velocity_labels())


def test_every_joint_is_covered() -> None:
    assert {joint.type for joint in COLUMNS} == set(JOINTS)


def test_numbers_are_normalised_exactly_where_they_are_exact() -> None:
    assert Revolute((0, 3, 4)).axis == (0, Revolute((0, "3/5", "4/5")).axis[1], Revolute((0, 3, 4)).axis[2])
    assert [str(x) for x in Revolute((1, 1, 0)).axis] == ["1/2*sqrt(2)", "1/2*sqrt(2)", "0"]
    assert Revolute("-x").axis == (-1, 0, 0)
    assert Revolute((0, 0, 2.5)).axis == (0.0, 0.0, 1.0)


COMPONENTS = st.one_of(
    st.integers(-(10**6), 10**6),
    st.floats(-1e300, 1e300, allow_nan=False),
    st.floats(-1e-300, 1e-300, allow_nan=False),
    st.fractions(-9, 9, max_denominator=99),
)


@given(st.tuples(COMPONENTS, COMPONENTS, COMPONENTS))
def test_an_axis_has_length_one_and_is_read_again_unchanged(axis: Any) -> None:
    try:
        once = Revolute(axis).axis
    except MbwidgetsError:
        assert not any(axis)
        return
    assert abs(math.hypot(*map(evaluate, once)) - 1) <= 1e-15
    assert Revolute(once).axis == once


@example((0.0, 1.192092896e-07, -1.0))
@example((1e-9, -1e-11, -1.0))
@given(st.tuples(*[st.floats(-1, 1)] * 3).filter(lambda v: max(map(abs, v)) > 1e-3))
def test_the_plane_across_a_normal_is_a_right_handed_frame(normal: Any) -> None:
    n = np.array([evaluate(x) for x in Revolute(normal).axis])
    first, second = (np.array([float(x) for x in v]) for v in perpendicular_axes(normal))
    frame = np.stack([first, second, n], 1)
    assert frame.T @ frame == pytest.approx(np.eye(3), abs=1e-12)
    assert np.linalg.det(frame) > 0


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Revolute((0, 0, 0)), "axis: the axis is the zero vector; give a direction"),
        (lambda: Revolute("w"), "'w' is not an axis"),
        (lambda: Revolute("--x"), "is not an axis"),
        (lambda: Revolute((1, 2)), "2 numbers; give 3"),
        (lambda: Revolute((1, math.nan, 0)), "y: .*not finite"),
        (lambda: Revolute((1, "t", 0)), "t cannot stand here"),
        (lambda: Revolute("z", at=(0, 0, math.inf)), "at: z: .*inf is not finite"),
        (lambda: Revolute("z", at=5), "at: 5 is not a vector; give 3 numbers"),
        (lambda: Revolute("z", limits=(1, -1)), "limits: 1 is above -1; exchange them"),
        (lambda: Universal("x", "x"), "second: the two axes are parallel"),
        (lambda: Universal("x", "-x"), "parallel"),
        (lambda: Planar((Parameter("a", 1), 0, 0)), "the normal holds a parameter"),
        (lambda: Revolute().replace(axes="x"), "no field 'axes'.*did you mean 'axis'"),
        (lambda: Joint.from_dict([]), "not an object"),
    ],
)
def test_impossible_joints_are_refused_with_the_value_and_the_remedy(make: Any, message: str) -> None:
    with pytest.raises(MbwidgetsError, match=message):
        make()


def test_a_joint_never_changes() -> None:
    joint = Revolute("z")
    with pytest.raises(AttributeError):
        joint.axis = (1, 0, 0)
    assert joint.replace(axis="x") == Revolute("x")
    assert joint == Revolute("z")
    assert hash(Revolute((0, 0, 1))) == hash(joint)
    assert Revolute("z") != Prismatic("z")
    assert issubclass(ModelError, ValueError)
