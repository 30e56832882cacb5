"""The model as a tree: names, parents, order, coordinates, equality, validity."""

from __future__ import annotations

import copy
import math
import pickle
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from mbwidgets.errors import MbwidgetsError, ModelError, UnknownNameError
from mbwidgets.model.bodies import Body, ground
from mbwidgets.model.forces import Force, Spring
from mbwidgets.model.joints import Cylindrical, Fixed, Free, Planar, Prismatic, Revolute, Spherical, Universal
from mbwidgets.model.model import Model, State
from mbwidgets.model.parameters import Parameter


def tree() -> Model:
    return Model(
        [
            Body("hand", Revolute("z"), parent="arm"),
            Body("foot", Prismatic("x"), parent="leg"),
            Body("arm", Spherical(), parent="trunk"),
            Body("leg", Universal(), parent="trunk"),
            Body("trunk", Free(), parent=ground, mass=3),
        ]
    )


def test_the_parent_is_the_body_before_and_the_ground_for_the_first() -> None:
    model = Model([Body("a"), Body("b"), Body("c", parent=ground), Body("d", parent="a")])
    assert model.parents == (-1, 0, -1, 0)
    assert [body.parent for body in model.bodies] == [None, "a", None, "a"]


def test_parents_may_stand_after_their_children() -> None:
    model = tree()
    assert model.parents == (2, 3, 4, 4, -1)
    assert model.order == (4, 2, 3, 0, 1)
    assert model.path("hand") == (4, 2, 0)
    assert model.subtree("arm") == (0, 2)
    assert model.subtree("trunk") == (0, 1, 2, 3, 4)


def test_coordinates_follow_the_bodies_order() -> None:
    model = tree()
    assert model.q_offsets == (0, 1, 2, 6, 8, 15)
    assert model.u_offsets == (0, 1, 2, 5, 7, 13)
    assert model.nq == 15
    assert model.nv == 13
    assert model.coordinate_names[0] == "hand"
    assert model.coordinate_names[2:6] == ("arm.qx", "arm.qy", "arm.qz", "arm.qw")
    assert model.velocity_names[10:] == ("trunk.ωx", "trunk.ωy", "trunk.ωz")
    assert model.q0.tolist() == [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1]
    assert model.u0.tolist() == [0.0] * 13


def test_the_state_takes_expressions() -> None:
    model = Model([Body("a"), Body("b")], parameters=[Parameter("w", 3)], state={"q": ["pi/2", 1], "u": ["2*w", "1/3"]})
    assert model.q0 == pytest.approx([math.pi / 2, 1])
    assert model.u0 == pytest.approx([6, 1 / 3])
    assert model.with_values(w=1).u0[0] == 2
    assert Model([Body("a")], state=State(q=[1])).q0 == [1]


def test_a_body_is_found_by_name_and_by_index() -> None:
    model = tree()
    assert model.index("leg") == model.index(3) == model.index(np.int64(3)) == 3
    assert model.body("leg") is model.bodies[3]
    with pytest.raises(UnknownNameError, match="no body 'legg'; did you mean 'leg'"):
        model.index("legg")
    with pytest.raises(UnknownNameError, match="no body 7; count from 0 to 4"):
        model.index(7)
    for other in (True, None, 1.0, []):
        with pytest.raises(UnknownNameError):
            model.index(other)  # type: ignore[arg-type]


def test_forces_may_name_bodies_by_index() -> None:
    by_index = Model([Body("a", mass=1)], forces=[Force(0, (1, 0, 0)), Spring(None, 0, 5)])
    by_name = Model([Body("a", mass=1)], forces=[Force("a", (1, 0, 0)), Spring(None, "a", 5)])
    assert by_index == by_name
    with pytest.raises(UnknownNameError, match=r"force 0 \(force\): no body 'b'"):
        Model([Body("a")], forces=[Force("b", (1, 0, 0))])


def test_compound_joints_become_one_axis_joints_and_massless_links() -> None:
    model = Model(
        [
            Body("a", Cylindrical("x", at=(1, 0, 0)), mass=2),
            Body("b", Planar(), mass=1),
            Body("c", Fixed((0, 1, 0))),
        ]
    )
    links = model.elementary()
    assert [(link.name, link.kind, link.parent, link.mass) for link in links] == [
        ("a.s", "prismatic", -1, 0),
        ("a", "revolute", 0, 2),
        ("b.x", "prismatic", 1, 0),
        ("b.y", "prismatic", 2, 0),
        ("b", "revolute", 3, 1),
        ("c", "fixed", 4, 0),
    ]
    assert [link.at for link in links][:2] == [(1, 0, 0), (0, 0, 0)]
    assert [link.coordinate for link in links] == [0, 1, 2, 3, 4, None]
    with pytest.raises(ModelError, match="joint 'arm': a spherical joint has no one-axis form"):
        Model([Body("arm", Spherical())]).elementary()


def test_equality_and_hash_follow_the_content() -> None:
    m = Parameter("m", 1)
    first = Model([Body("a", mass=m), Body("b", Revolute("y"), mass=2)], name="x")
    second = Model([{"name": "a", "mass": "m"}, Body("b", Revolute((0, 1, 0)), mass=2)], parameters=[m], name="x")
    assert first == second
    assert hash(first) == hash(second)
    assert len({first, second}) == 1
    assert first != second.replace(name="y")
    assert first != second.with_body("b", mass=3)
    assert first != second.with_joint("b", axis="x")
    assert first != "x"


def test_a_model_is_copied_and_pickled_whole() -> None:
    model = Model([Body("a", mass=Parameter("m", 1))], forces=[Force("a", ("t", 0, 0))], state={"q": [1]}, name="x")
    assert pickle.loads(pickle.dumps(model)) == model  # noqa: S301
    assert copy.deepcopy(model) == copy.copy(model) == model
    assert copy.deepcopy(ground) is ground


def test_changes_give_new_models() -> None:
    model = Model([Body("a", mass=1)])
    changed = model.with_body("a", mass=5).with_joint("a", axis=(0, 1, 1))
    assert model.bodies[0].mass == 1
    assert changed.bodies[0].mass == 5
    with pytest.raises(ModelError, match="no field 'masses'"):
        model.with_body("a", masses=1)
    with pytest.raises(ModelError, match=r"a model has no field 'body'.*did you mean 'bodies'"):
        model.replace(body=[])
    with pytest.raises(AttributeError):
        model.name = "other"  # type: ignore[misc]
    with pytest.raises(TypeError):
        model.parameters["x"] = 1


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Model([]), "bodies: 0 bodies; give 1 to 2000"),
        (lambda: Model([Body("a"), Body("a")]), "two bodies are named 'a'; give every body its own name"),
        (lambda: Model([Body("a", parent="b"), Body("b", parent="a")]), "parents of 'a', 'b' form a cycle"),
        (lambda: Model([Body("a", parent="a")]), "cycle; hang one of them on the ground"),
        (lambda: Model([Body("a", parent="x")]), "body 'a': parent: no body 'x'"),
        (lambda: Body("2a"), "'2a' cannot name a body; start with a letter"),
        (lambda: Body("<b>"), "cannot name a body"),
        (lambda: Body("a" * 65), "cannot name a body"),
        (lambda: Body("a", mass=-1), "body 'a': mass: -1 is negative; give a number ≥ 0"),
        (lambda: Body("a", mass=math.inf), "body 'a': mass: .*inf is not finite"),
        (lambda: Body("a", mass="m+"), "body 'a': mass: .*missing at position 2"),
        (lambda: Body("a", com=(1, 2)), "body 'a': com: 2 numbers; give 3"),
        (lambda: Body("a", inertia=(1, 2)), "body 'a': inertia: 2 numbers; give 3 moments, 6 components"),
        (
            lambda: Body("a", inertia=[[1, 0, 0], [0.1, 1, 0], [0, 0, 1]]),
            "component xy differs from its mirror",
        ),
        (
            lambda: Body("a", inertia=[[1, 0, 0], [0, 1, 1e-11], [0, 0, 1]]),
            "component yz differs from its mirror",
        ),
        (
            lambda: Model([Body("a", inertia=(1, 1, 3))]),
            "body 'a': principal moments 1, 1, 3 break the triangle",
        ),
        (
            lambda: Model([Body("a", inertia=(1, 1, 1, 2, 0, 0))]),
            "body 'a': a principal moment is negative: -1, 1, 3",
        ),
        (lambda: Model([Body("a", inertia=(-1, 1, 1))]), "a principal moment is negative"),
        (
            lambda: Model([Body("a", mass="1/(m-1)")], parameters=[Parameter("m", 1)]),
            "body 'a': mass: .*no finite value",
        ),
        (lambda: Model([Body("a", com=("log(0)", 0, 0))]), "body 'a': com: .*no finite value"),
        (
            lambda: Model([Body("a", Revolute(("k", 0, 0)))], parameters=[Parameter("k", 0)]),
            "body 'a': .*zero vector",
        ),
        (lambda: Model([Body("a")], gravity=(0, 0)), "gravity: 2 numbers; give 3"),
        (lambda: Model([Body("a")], state={"q": [1, 2]}), "state: 2 numbers for q; give 1: a"),
        (lambda: Model([Body("a")], state={"q": [math.nan]}), "state: q: .*nan is not finite"),
        (lambda: Model([Body("a", Spherical())], state={"q": [0, 0, 0, 0]}), "quaternion of 'a'"),
        (lambda: Model([Body("a")], state=5), "state: 5 is not an object"),
        (lambda: Model([Body("a")], parameters=5), "parameters: 5 is not a list"),
        (lambda: Model([Body("a")], forces=5), "forces: 5 is not a list"),
        (lambda: Model([Body("a")], name="x\ny"), "not a short text"),
        (lambda: Model("ab"), "'ab' is not a list of bodies"),
        (lambda: Model([5]), "5 is not an object"),
    ],
    ids=range(31),
)
def test_impossible_models_are_refused_with_name_value_and_remedy(make: Any, message: str) -> None:
    with pytest.raises(MbwidgetsError, match=message):
        make()


def test_moments_typed_with_nine_digits_pass() -> None:
    third = 0.333333333
    Model([Body("rod", mass=1, inertia=(third, 0, third + 1e-10))])


def test_a_rotated_tensor_is_symmetric_but_for_rounding(rng: np.random.Generator) -> None:
    """R D Rᵀ in floats, of bodies of every size, flat ones and rods too."""
    for number in range(500):
        turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        a, b, c = rng.uniform(0, 1, size=3) * 10.0 ** rng.uniform(-20, 20)
        moments = [(a + b, b + c, c + a), (a, a, 0), (a, b, a + b)][number % 3]
        tensor = turn @ np.diag(moments) @ turn.T
        body = Model([Body("a", mass=1, inertia=tensor)]).body(0)
        assert np.array_equal(body.inertia, np.transpose(body.inertia))
        np.testing.assert_allclose(np.array(body.inertia, dtype=float), tensor, atol=1e-14 * max(moments))


def test_inertia_takes_three_six_or_nine_numbers() -> None:
    nine = [[1, 0.1, 0.2], [0.1, 1, 0.3], [0.2, 0.3, 1]]
    assert Body("a", inertia=(1, 1, 1, 0.1, 0.2, 0.3)).inertia == Body("a", inertia=np.array(nine)).inertia
    assert Body("a", inertia=(1, 2, Fraction(5, 2))).inertia == ((1, 0, 0), (0, 2, 0), (0, 0, Fraction(5, 2)))


def test_a_chain_of_two_thousand_bodies_in_the_worst_order_is_built_quickly() -> None:
    names = [f"b{i}" for i in range(2000)]
    bodies = [Body(names[i], mass=1, parent=names[i - 1] if i else ground) for i in reversed(range(2000))]
    model = Model(bodies, forces=[Force(names[i % 2000], (1, 0, 0)) for i in range(4000)])
    assert model.order[0] == 1999
