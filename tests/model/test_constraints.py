"""Constraints: how they are written, what they name, what they refuse."""

from __future__ import annotations

from typing import Any

import pytest

from mbwidgets.errors import MbwidgetsError
from mbwidgets.model.bodies import Body
from mbwidgets.model.constraints import (
    DistanceConstraint,
    EquationConstraint,
    OnCircle,
    OnCurve,
    OnPlane,
    OnSphere,
    ParallelConstraint,
    PointConstraint,
    Prescribed,
    read_constraint,
)
from mbwidgets.model.joints import Revolute, Spherical
from mbwidgets.model.model import Model
from mbwidgets.model.parameters import Parameter


def model(constraint: Any, joint: Any = None, **values: Any) -> Model:
    parameters = [Parameter(name, value) for name, value in values.items()]
    return Model([Body("arm", joint or Revolute("z"), mass=1)], constraints=[constraint], parameters=parameters)


def test_a_curves_own_letter_needs_no_parameter() -> None:
    held = model(OnCurve("arm", ("cos(s)", "sin(s)", "h*s")), h=2)
    assert set(held.parameters) == {"h"}
    assert model(OnCurve("arm", ("p", 0, 0), parameter="p"))


def test_bodies_by_index_become_names() -> None:
    assert model(PointConstraint(0, None)) == model(PointConstraint("arm", None))
    assert model(OnPlane(0)).constraints[0].body == "arm"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: DistanceConstraint("arm", None, 0), "length: 0.0 is not positive; give a number > 0"),
        (lambda: OnSphere("arm", -2), "radius: -2.0 is not positive"),
        (lambda: OnCircle("arm", 1, normal=(0, 0, 0)), "normal: the axis is the zero vector"),
        (lambda: ParallelConstraint("arm", None), 'a: no axis; give the anchor an "axis"'),
        (lambda: OnCurve("arm", (1, 2, 3)), "the curve does not depend on 's'"),
        (lambda: OnCurve("arm", ("s", 0, 0), parameter="<b>"), "cannot name a curve's parameter"),
        (lambda: EquationConstraint(3), "3 holds no coordinate"),
        (lambda: EquationConstraint("u[0]"), r"u\[0\] cannot stand here"),
        (lambda: Prescribed("arm", "q[0]"), r"q\[0\] cannot stand here"),
        (lambda: read_constraint({"type": "onplane"}), "did you mean 'on_plane'"),
        (lambda: model(EquationConstraint("q[3]")), r"constraint 0 \(equation\): q\[3\] does not exist"),
        (
            lambda: model(Prescribed("arm", "t", coordinate=1)),
            r"constraint 0 \(prescribed\): joint 'arm' has no coord",
        ),
        (lambda: model(Prescribed("arm", "t"), Spherical()), "a spherical joint has no such coordinate"),
        (lambda: model(PointConstraint("leg", None)), r"constraint 0 \(point\): no body 'leg'"),
        (
            lambda: model(OnSphere("arm", "k"), k=-1),
            r"constraint 0 \(on_sphere\): radius: -1.0 is not positive",
        ),
    ],
    ids=range(15),
)
def test_impossible_constraints_are_refused_with_the_value_and_the_remedy(make: Any, message: str) -> None:
    with pytest.raises(MbwidgetsError, match=message):
        make()
