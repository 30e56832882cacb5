"""The dict form and the JSON text lose nothing, and every file satisfies the published schema."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings

from mbwidgets.errors import CompatibilityError, ModelError
from mbwidgets.files import dumps, loads, schema
from mbwidgets.model import constraints as c
from mbwidgets.model import forces as f
from mbwidgets.model import joints as j
from mbwidgets.model.bodies import Body
from mbwidgets.model.dictform import json_schema
from mbwidgets.model.model import Model
from mbwidgets.model.parameters import Parameter
from tests.model.strategies import models

VALIDATOR = jsonschema.Draft202012Validator(schema())
A, B = f.Anchor(None, (1, 0, 0), "x"), f.Anchor("arm", (0, "1/3", 0.5), (1, 1, 0))
FORCES = [
    f.Spring(A, B, 100, length="1/2"),
    f.Damper(A, B, "2*k"),
    f.JointSpring("arm", 3, rest=0.1),
    f.JointDamper("arm", Fraction(1, 7)),
    f.JointFriction("arm", 0.1, 0.2, 0.01),
    f.Effort("arm", "k*sin(2*pi*t) - u[0]"),
    f.Force("arm", (0, "t", -1), at=(1, 0, 0), axes="body"),
    f.Torque("arm", ("q[0]", 0, 0)),
    f.Gravity((0, "k*q[0]", "-9.81*cos(t)")),
    f.Spring(A, B, "3 + t", length="q[arm]"),
    f.ElasticAlignment("arm", "x", (0, 1, 1), 5),
]
CONSTRAINTS = [
    c.PointConstraint(A, B),
    c.WeldConstraint(A, B),
    c.ParallelConstraint(A, B),
    c.DistanceConstraint(A, B, "k"),
    c.OnCurve("arm", ("cos(s)", "sin(s)", "k*s")),
    c.OnPlane("arm", point=(0, 0, 1), normal=(1, 2, 2)),
    c.OnLine("arm", direction="y"),
    c.OnSphere("arm", 2),
    c.OrientationConstraint(A, B),
    c.OnCircle("arm", "3/2", normal="x"),
    c.EquationConstraint("q[0]**2 - k*t"),
    c.Prescribed("arm", "sin(t)"),
]


def arm(**parts: Any) -> Model:
    return Model([Body("arm", j.Revolute("z"), mass=1, inertia=(1, 1, 1))], parameters=[Parameter("k", 2)], **parts)


def test_the_examples_cover_every_type() -> None:
    assert {item.type for item in FORCES} == set(f.FORCES)
    assert {item.type for item in CONSTRAINTS} == set(c.CONSTRAINTS)


@pytest.mark.parametrize("force", FORCES, ids=lambda item: item.type)
def test_every_force_round_trips_and_satisfies_the_schema(force: f.Load) -> None:
    _round_trip(arm(forces=[force]))
    assert Model.from_dict(arm(forces=[force]).to_dict()).forces == arm(forces=[force]).forces


@pytest.mark.parametrize("constraint", CONSTRAINTS, ids=lambda item: item.type)
def test_every_constraint_round_trips_and_satisfies_the_schema(constraint: c.Constraint) -> None:
    _round_trip(arm(constraints=[constraint]))


@pytest.mark.parametrize("kind", list(j.JOINTS.values()), ids=lambda kind: kind.type)
def test_every_joint_round_trips_and_satisfies_the_schema(kind: type[j.Joint]) -> None:
    _round_trip(Model([Body("a", kind(at=(1, "1/3", 0.1)), mass=1)]))


@settings(max_examples=80, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(models())
def test_random_models_round_trip(model: Model) -> None:
    _round_trip(model)


def _round_trip(model: Model) -> None:
    data = json.loads(json.dumps(model.to_dict()))
    VALIDATOR.validate(data)
    again = Model.from_dict(data)
    assert again == model
    assert hash(again) == hash(model)
    assert again.to_dict() == model.to_dict()
    text = dumps(model)
    assert loads(text) == model
    assert dumps(loads(text)) == text
    exact = [type(x) for body in model.bodies for x in body.joint.at]
    assert exact == [type(x) for body in again.bodies for x in body.joint.at]


def test_the_schema_is_itself_a_valid_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(json_schema())


@pytest.mark.parametrize(
    "change",
    [
        {"extra": 1},
        {"version": 3},
        {"format": "other"},
        {"bodies": []},
        {"bodies": [{"name": "a", "joint": {"type": "hinge"}}]},
        {"bodies": [{"name": "a", "mas": 1}]},
        {"bodies": [{"joint": {"type": "fixed"}}]},
        {"gravity": [0, 0]},
        {"forces": [{"type": "spring"}]},
        {"constraints": [{"type": "point", "a": {}}]},
        {"parameters": {"2m": 1}},
        {"state": {"p": []}},
    ],
    ids=str,
)
def test_what_the_schema_refuses_the_reader_refuses_too(change: dict[str, Any]) -> None:
    data = {**arm().to_dict(), **change}
    assert not VALIDATOR.is_valid(data)
    with pytest.raises((ModelError, CompatibilityError)):
        Model.from_dict(data)


def test_a_newer_version_is_a_compatibility_error_that_says_upgrade() -> None:
    with pytest.raises(CompatibilityError, match=r"version 7.*upgrade mbwidgets"):
        Model.from_dict({"version": 7, "bodies": []})


def test_an_unknown_field_names_the_nearest_known_one() -> None:
    with pytest.raises(ModelError, match="did you mean 'mass'"):
        Model.from_dict({"bodies": [{"name": "a", "mas": 1}]})


def test_deep_and_circular_data_is_refused() -> None:
    circle: dict[str, Any] = {"bodies": []}
    circle["bodies"].append(circle)
    with pytest.raises(ModelError, match="nested"):
        Model.from_dict(circle)
    deep: Any = {"type": "sphere", "radius": 1}
    for _ in range(2000):
        deep = {"type": "composite", "parts": [deep]}
    with pytest.raises(ModelError, match="nested"):
        Model.from_dict({"bodies": [{"name": "a", "shape": deep}]})
