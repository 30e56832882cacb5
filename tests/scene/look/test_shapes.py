"""What bodies look like: parts are numbers, and the equivalent ellipsoid has the body's own inertia."""

from __future__ import annotations

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.numeric.base.rotations import rotation_matrices
from mbwidgets.scene.look.body_shells import anatomy_of, body_holes, body_shell
from mbwidgets.scene.look.joints import Fitting, joint_fitting
from mbwidgets.scene.look.shapes import equivalent_ellipsoid, model_size, solid_parts
from mbwidgets.scene.look.shell import NOTHING
from mbwidgets.scene.stage.mechanism import mechanism_of


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


def test_a_body_without_mass_has_no_ellipsoid() -> None:
    model = mb.Model([mb.Body("a"), mb.Body("b", mb.Revolute(at=(0, 0, 1)), mass=1, com=(1, 0, 0), inertia=(1, 1, 1))])
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
    (part,) = solid_parts(one(inertia=solid), solid, 1.0)
    assert part.kind == kind
    assert np.isfinite([*part.at, *part.turn, *part.scale]).all()
    assert min(part.scale) > 0


def test_holes_are_ghosts() -> None:
    solid = mb.Composite([mb.Box((2, 2, 2))], holes=[mb.Sphere(0.5)])
    parts = list(solid_parts(one(inertia=solid), solid, 1.0))
    assert [(part.kind, part.ghost) for part in parts] == [("box", False), ("ball", True)]
    assert body_holes(one(inertia=solid), 0, 1.0) == parts[1:]


def test_a_given_solid_keeps_its_shape() -> None:
    """Its shell has its measures to the last digit, and rounded edges take nothing from them."""
    for solid, half in ((mb.Box((1, 2, 3), mass=1), (0.5, 1, 1.5)), (mb.Sphere(2, mass=1), (2, 2, 2))):
        model = one(joint=mb.Free(), inertia=solid)
        points = body_shell(model, 0, anatomy_of(model)).points
        assert np.allclose(points.max(axis=0), half, rtol=0, atol=1e-12)
        assert np.allclose(points.min(axis=0), np.negative(half), rtol=0, atol=1e-12)


def test_a_shell_follows_a_parameter() -> None:
    arm = mb.library.three_body_arm()
    before, after = (body_shell(model, 1, anatomy_of(model)) for model in (arm, arm.with_values(l2=0.7)))
    # the boss about the pin grows a little with the body
    assert after.points[:, 1].max() - before.points[:, 1].max() == pytest.approx(0.1, abs=1e-3)


@pytest.mark.parametrize("name", mb.library.names())
def test_every_mechanism_of_the_library_has_a_size_and_shells(name: str) -> None:
    motion = mb.simulate(getattr(mb.library, name)(), duration=0.01)
    assert 0 < model_size(motion.model) < 100
    seen = mechanism_of(motion)
    for shell in (*seen.bodies, *seen.joints):
        assert np.isfinite(shell.points).all()
        # square roots of sums of squares of order one
        assert np.allclose(np.linalg.norm(shell.normals, axis=1), 1, rtol=0, atol=1e-9)


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
def test_every_kind_of_joint_has_a_look_of_its_own(joint: mb.Revolute) -> None:
    def fitting(kind: mb.Revolute) -> Fitting:
        model = one(joint=kind, mass=1, com=(0.3, 0.2, 0.1), inertia=(1, 1, 1))
        anatomy = anatomy_of(model)
        return joint_fitting(model, 0, anatomy, body_shell(model, 0, anatomy), NOTHING)

    outer, inner = fitting(joint)
    assert len(outer) + len(inner) > 0
    if joint.type != "revolute":
        plain = fitting(mb.Revolute())
        assert (len(outer), len(inner)) != (len(plain.outer), len(plain.inner))
