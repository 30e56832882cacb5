"""Hypothesis strategies for models: every joint, solid, force, constraint; plain and symbolic numbers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from mbwidgets.model import constraints as c
from mbwidgets.model import forces as f
from mbwidgets.model import joints as j
from mbwidgets.model import solids as s
from mbwidgets.model.bodies import Body
from mbwidgets.model.model import Model
from mbwidgets.model.parameters import Parameter

A = Parameter("a", 1.5, min=0.5, max=3, unit="kg")
B = Parameter("b_1", Fraction(2, 3))
FLOATS = st.floats(-1e3, 1e3, allow_nan=False)
SIZES = st.one_of(
    st.integers(1, 9),
    st.fractions(Fraction(1, 20), 9, max_denominator=40),
    st.floats(0.01, 9),
    st.sampled_from([A, B, 2 * A + B, A**2, 3 / (A + 1), "1/20", "a*b_1"]),
)
NUMBERS = st.one_of(
    st.integers(-9, 9),
    st.fractions(-9, 9, max_denominator=40),
    FLOATS,
    st.sampled_from([A, -B, A - B, "sqrt(2)/2", "pi/4", "sin(a)", 1e-300, -0.0]),
)
VECTORS = st.tuples(NUMBERS, NUMBERS, NUMBERS)
AXES = st.one_of(
    st.sampled_from(["x", "y", "z", "-x", "-y", "-z"]),
    st.tuples(*[st.integers(-5, 5)] * 3).filter(any),
    st.tuples(*[st.floats(-2, 2)] * 3).filter(lambda v: max(map(abs, v)) > 1e-3),
)
QUATERNIONS = st.tuples(*[st.integers(-3, 3)] * 4).filter(any)
MASSES = st.one_of(st.none(), SIZES)


@st.composite
def joints(draw: st.DrawFn) -> j.Joint:
    kind = draw(st.sampled_from(list(j.JOINTS.values())))
    at = draw(VECTORS)
    if kind in (j.Spherical, j.Free, j.Fixed):
        return kind(at)
    axis = draw(AXES)
    if kind is j.Universal:
        return draw(st.sampled_from([j.Universal("x", "y", at), j.Universal((1, 1, 0), "z", at)]))
    if kind in (j.Revolute, j.Prismatic) and draw(st.booleans()):
        return kind(axis, at, limits=(-draw(SIZES.filter(lambda x: not isinstance(x, str))), draw(SIZES)))
    return kind(axis, at)


@st.composite
def simple_solids(draw: st.DrawFn) -> s.Solid:
    size, other, at, axis, mass = draw(SIZES), draw(SIZES), draw(VECTORS), draw(AXES), draw(SIZES)
    return draw(
        st.sampled_from(
            [
                lambda: s.Box((size, other, 1), at, draw(QUATERNIONS), mass=mass),
                lambda: s.Ellipsoid((size, other, 1), at, draw(QUATERNIONS), density=mass),
                lambda: s.Sphere(size, at, mass=mass),
                lambda: s.Cylinder(size, other, axis, at, density=mass),
                lambda: s.Tube(Parameter("b_2", 10), size, other, axis, at, mass),
                lambda: s.Cone(size, other, axis, at, mass=mass),
                lambda: s.Rod(size, axis, at, mass=mass),
                lambda: s.Disk(size, axis, at, density=mass),
                lambda: s.Point(at, mass),
            ]
        )
    )()


def solids() -> st.SearchStrategy[s.Solid]:
    return st.one_of(simple_solids(), st.lists(simple_solids(), min_size=1, max_size=3).map(s.Composite))


@st.composite
def bodies(draw: st.DrawFn, number: int) -> Body:
    name = f"body {number}"
    parent: dict[str, Any] = draw(
        st.sampled_from([{}, {"parent": None}] + [{"parent": f"body {i}"} for i in range(number)])
    )
    joint = draw(joints())
    if draw(st.booleans()):
        return Body(name, joint, inertia=draw(solids()), **parent)
    mass = draw(MASSES)
    moments = draw(st.sampled_from([None, (1, 1, 1), (A, A, A), (0.5, "1/2", 0.75), (2, 2, 2, 0.1, -0.1, "b_1/9")]))
    return Body(name, joint, mass=mass, com=draw(st.none() | VECTORS), inertia=moments, **parent)


@st.composite
def loads(draw: st.DrawFn, names: list[str], joint_names: list[str]) -> f.Load:
    place, other, joint = draw(st.sampled_from([None, *names])), draw(st.sampled_from(names)), None
    anchors = f.Anchor(place, draw(VECTORS)), f.Anchor(other, draw(VECTORS))
    size, value = draw(SIZES), draw(st.sampled_from(["a*sin(2*t)", "cos(t)", 3, "-1/2", A]))
    choices = [
        lambda: f.Spring(*anchors, size, length=draw(SIZES)),
        lambda: f.Damper(*anchors, size),
        lambda: f.Force(other, (value, 0, 1), draw(VECTORS), draw(st.sampled_from(["world", "body"]))),
        lambda: f.Torque(other, (0, value, 1), draw(st.sampled_from(["world", "body"]))),
    ]
    if joint_names:
        joint = draw(st.sampled_from(joint_names))
        choices += [
            lambda: f.JointSpring(joint, size, draw(NUMBERS)),
            lambda: f.JointDamper(joint, size),
            lambda: f.JointFriction(joint, size, 1, 0.01),
            lambda: f.Effort(joint, value),
            lambda: f.ElasticAlignment(joint, draw(AXES), draw(AXES), size),
        ]
    return draw(st.sampled_from(choices))()


@st.composite
def constraints(draw: st.DrawFn, names: list[str], joint_names: list[str]) -> c.Constraint:
    place, other, axis = draw(st.sampled_from([None, *names])), draw(st.sampled_from(names)), draw(AXES)
    a, b = f.Anchor(place, draw(VECTORS), axis), f.Anchor(other, draw(VECTORS), draw(AXES))
    at, size = draw(VECTORS), draw(SIZES)
    choices = [
        lambda: c.PointConstraint(a, b),
        lambda: c.WeldConstraint(a, b),
        lambda: c.OrientationConstraint(a, b),
        lambda: c.ParallelConstraint(a, b),
        lambda: c.DistanceConstraint(a, b, size),
        lambda: c.OnCurve(other, ("s", "s**2", "a*sin(s)"), at),
        lambda: c.OnPlane(other, at, draw(VECTORS), axis),
        lambda: c.OnLine(other, at, draw(VECTORS), axis),
        lambda: c.OnSphere(other, size, at, draw(VECTORS)),
        lambda: c.OnCircle(other, size, at, draw(VECTORS), axis),
    ]
    if joint_names:
        choices += [
            lambda: c.EquationConstraint("q[0] - a*sin(t)"),
            lambda: c.Prescribed(draw(st.sampled_from(joint_names)), "a*t**2"),
        ]
    return draw(st.sampled_from(choices))()


@st.composite
def models(draw: st.DrawFn) -> Model:
    """A random valid model of one to four bodies."""
    items = [draw(bodies(number)) for number in range(draw(st.integers(1, 4)))]
    names = [body.name for body in items]
    single = [body.name for body in items if body.joint.type in ("revolute", "prismatic", "cylindrical", "planar")]
    draft = Model(items, parameters=[A, B])
    if draw(st.booleans()):
        return draft.replace(state={"q": draw(coordinates(draft))})
    return Model(
        draw(st.permutations(draft.bodies)) if draw(st.booleans()) else draft.bodies,
        gravity=draw(st.sampled_from([(0, 0, -9.81), (0, "-a", 0), (0, 0, 0)])),
        parameters=[*draft.parameters.values(), Parameter("free"), Parameter("unit", 1, unit="N·m/rad <b>")],
        forces=draw(st.lists(loads(names, single), max_size=4)),
        constraints=draw(st.lists(constraints(names, single), max_size=3)),
        state={"u": [draw(NUMBERS) for _ in range(draft.nv)]} if draw(st.booleans()) else {},
        name=draw(st.sampled_from(["model", "Маятник", 'a <b> & "c"', ""])),
    )


@st.composite
def coordinates(draw: st.DrawFn, model: Model) -> list[Any]:
    """Coordinates for a model, quaternions not zero."""
    q: list[Any] = []
    for body in model.bodies:
        for column in body.joint.columns():
            q += draw(QUATERNIONS) if column.kind == "ball" else [draw(NUMBERS)]
    return q
