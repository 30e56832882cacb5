"""What bodies look like: parts are numbers, and the equivalent ellipsoid has the body's own inertia."""

from __future__ import annotations

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.numeric.base.rotations import rotation_matrices
from mbwidgets.scene.look.joints import joint_parts
from mbwidgets.scene.look.shapes import body_parts, equivalent_ellipsoid, model_size


def one(**body: object) -> mb.Model:
    return mb.Model([mb.Body("a", **body)])


def test_the_equivalent_ellipsoid_has_the_inertia_of_the_body() -> None:
    tensor = np.array([[0.2, 0.01, -0.03], [0.01, 0.25, 0.02], [-0.03, 0.02, 0.15]])
    part = equivalent_ellipsoid(one(mass=3, com=(0.1, 0.2, 0.3), inertia=tensor.tolist()), 0, 1.0)
    assert part is not None
    a, b, c = np.square(part.scale)
    axes = rotation_matrices(np.array(part.turn))
    own = axes @ (3 / 5 * np.diag([b + c, a + c, a + b])) @ axes.T
    # square roots and an eigenvalue problem of condition ten
    assert np.allclose(own, tensor, rtol=0, atol=1e-13)
    assert part.at == (0.1, 0.2, 0.3)


def test_a_body_without_a_solid_is_drawn_from_its_inertia_and_follows_it() -> None:
    thin = body_parts(one(mass=1, com=(0, 0, 0.5), inertia=(0.1, 0.1, 0.01)), 0, 1.0)
    round_ = body_parts(one(mass=1, com=(0, 0, 0.5), inertia=(0.1, 0.1, 0.1)), 0, 1.0)
    assert [part.kind for part in thin] == [part.kind for part in round_] == ["cylinder", "ball"]
    assert thin[-1].scale != round_[-1].scale


def test_a_massless_body_without_a_solid_is_bones_alone() -> None:
    model = mb.Model([mb.Body("a"), mb.Body("b", mb.Revolute(at=(0, 0, 1)), mass=1, com=(1, 0, 0), inertia=(1, 1, 1))])
    assert [part.kind for part in body_parts(model, 0, 1.0)] == ["cylinder"]
    assert equivalent_ellipsoid(model, 0, 1.0) is None


@pytest.mark.parametrize(
    ("solid", "kind"),
    [
        (mb.Box((1, 2, 3), mass=1), "box"),
        (mb.Cylinder(1, 2, mass=1), "cylinder"),
        (mb.Sphere(1, mass=1), "ball"),
        (mb.Ellipsoid((1, 2, 3), mass=1), "ball"),
        (mb.Cone(1, 2, mass=1), "cone"),
        (mb.Tube(2, 1, 3, mass=1), "tube"),
        (mb.Rod(1, mass=1), "cylinder"),
        (mb.Disk(1, mass=1), "cylinder"),
        (mb.Point(mass=1), "ball"),
    ],
)
def test_every_solid_has_a_part(solid: mb.Box, kind: str) -> None:
    (part,) = body_parts(one(inertia=solid), 0, 1.0)
    assert part.kind == kind
    assert np.isfinite([*part.at, *part.turn, *part.scale]).all()
    assert min(part.scale) > 0


def test_holes_are_ghosts() -> None:
    parts = body_parts(one(inertia=mb.Composite([mb.Box((2, 2, 2))], holes=[mb.Sphere(0.5)])), 0, 1.0)
    assert [(part.kind, part.ghost) for part in parts] == [("box", False), ("ball", True)]


def test_a_parameter_changes_the_numbers_of_a_part_and_not_its_kind() -> None:
    arm = mb.library.three_body_arm()
    before, after = (body_parts(model, 1, 1.0) for model in (arm, arm.with_values(l2=1.2)))
    assert [part.kind for part in before] == [part.kind for part in after]
    assert after[0].scale[1] == pytest.approx(1.2)


@pytest.mark.parametrize("name", mb.library.names())
def test_every_mechanism_of_the_library_has_a_size_and_parts(name: str) -> None:
    model = getattr(mb.library, name)()
    size = model_size(model)
    assert 0 < size < 100
    for index in range(len(model.bodies)):
        for part in (*body_parts(model, index, size), *joint_parts(model, index, size)):
            assert np.isfinite([*part.at, *part.turn, *part.scale]).all()
            assert np.linalg.norm(part.turn) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize(
    "joint",
    [
        mb.Revolute(),
        mb.Prismatic(),
        mb.Cylindrical(),
        mb.Universal(),
        mb.Planar(),
        mb.Spherical(),
        mb.Fixed(),
    ],
)
def test_every_kind_of_joint_has_a_handle_of_its_own(joint: mb.Revolute) -> None:
    parts = joint_parts(one(joint=joint, mass=1, inertia=(1, 1, 1)), 0, 1.0)
    assert parts
    if joint.type != "revolute":
        plain = joint_parts(one(joint=mb.Revolute(), mass=1, inertia=(1, 1, 1)), 0, 1.0)
        assert parts != plain
