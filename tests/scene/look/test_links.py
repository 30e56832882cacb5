"""Bodies without a solid: links through their joints and their mass centres, of any size, in any plane."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.scene.look.body_shells import anatomy_of, body_shell
from mbwidgets.scene.look.forms import ball, cylinder, extruded, hull_outline, limb, revolved, rounded_box, tube
from mbwidgets.scene.look.links import cup, plate_axis
from mbwidgets.scene.look.nodes import Node, link_gauge
from mbwidgets.scene.look.shell import Role, Shell
from mbwidgets.scene.look.sweeps import coil, ring
from mbwidgets.scene.stage.composition import compose
from tests.random_models import random_chain, random_tree

# sums and square roots of numbers of order one
ROUNDING = 1e-9


def chain(size: float, count: int = 3) -> mb.Model:
    """Links of a length, each with its mass centre aside."""
    return mb.Model(
        [
            mb.Body(
                f"link {k}",
                mb.Revolute("y", at=(0, 0, 0) if k == 0 else (size, 0, 0)),
                mass=1,
                com=(0.5 * size, 0, 0.1 * size),
                inertia=(0.01 * size**2, 0.1 * size**2, 0.1 * size**2),
            )
            for k in range(count)
        ]
    )


ANGLES = np.linspace(0, 2 * np.pi, 40, endpoint=False)
WAYS = np.array([(np.cos(a) * np.cos(b), np.sin(a) * np.cos(b), np.sin(b)) for a in ANGLES for b in ANGLES])


def all_held_by(shell: Shell, nodes: Sequence[Node]) -> bool:
    """Whether the places of nodes lie within the convex hull of a shell, seen along many directions."""
    reach = (shell.points @ WAYS.T).max(axis=0)
    places = np.array([node.place for node in nodes])
    return bool((places @ WAYS.T <= reach + ROUNDING * np.abs(reach).max()).all())


@pytest.mark.parametrize("size", [1e-6, 1e-3, 1.0, 1e3, 1e6])
def test_a_link_holds_its_joints_and_its_mass_centre_at_any_size(size: float) -> None:
    model = chain(size)
    anatomy = anatomy_of(model)
    for index, nodes in enumerate(anatomy.nodes):
        shell = body_shell(model, index, anatomy)
        assert plate_axis(nodes) is not None
        assert all_held_by(shell, nodes)
        extent = np.ptp(shell.points, axis=0)
        # as thick as a link is, and not much longer than its span
        assert 0.02 * size < extent[1] < 0.2 * size
        assert extent[0] < 1.5 * size


def test_a_spatial_link_holds_its_joints_and_has_bosses_along_their_axes(rng: np.random.Generator) -> None:
    for _ in range(20):
        model = random_chain(rng, 4)
        anatomy = anatomy_of(model)
        for index, nodes in enumerate(anatomy.nodes):
            shell = body_shell(model, index, anatomy)
            assert np.isfinite(shell.points).all()
            assert all_held_by(shell, nodes)


@pytest.mark.parametrize("size", [1e-6, 1e6])
def test_the_picture_of_a_small_and_of_a_large_mechanism_is_that_of_one_of_a_metre(size: float) -> None:
    def seen(scale: float) -> tuple[np.ndarray, np.ndarray]:
        # gravity grows with the size: the motion is the same
        model = chain(scale).replace(gravity=(0, 0, -9.81 * scale))
        made = compose(mb.simulate(model, duration=0.5))
        return made.bodies[1].points / scale, made.supports.points / scale

    for found, expected in zip(seen(size), seen(1.0), strict=True):
        # the motion is computed to eight digits; which of two faces comes first may be a matter of rounding
        assert len(found) == len(expected)
        away = np.linalg.norm(found[:, None] - expected[None], axis=2)
        assert max(away.min(axis=0).max(), away.min(axis=1).max()) < 1e-5


def test_bodies_of_no_size_and_bodies_in_one_point_can_be_drawn() -> None:
    for joint in (mb.Revolute(), mb.Prismatic(), mb.Spherical(), mb.Free(), mb.Universal(), mb.Planar(), mb.Fixed()):
        bodies = [mb.Body("a", joint, mass=1, inertia=(1, 1, 1)), mb.Body("b", mass=1, inertia=(1, 1, 1))]
        seen = compose(mb.simulate(mb.Model(bodies, gravity=(0, 0, 0)), duration=0.1))
        for shell in (*seen.bodies, *seen.joints, seen.supports):
            assert np.isfinite(shell.points).all()
        assert all(len(shell) for shell in seen.bodies)


def test_random_trees_have_finite_shells_with_unit_normals(rng: np.random.Generator) -> None:
    for _ in range(15):
        seen = compose(mb.simulate(random_tree(rng), duration=0.05))
        for shell in (*seen.bodies, *seen.joints, seen.supports, *(part for span in seen.spans for part in span.parts)):
            assert np.isfinite(shell.points).all()
            assert np.allclose(np.linalg.norm(shell.normals, axis=1), 1, rtol=0, atol=1e-6)


def test_two_hundred_bodies_stay_slim() -> None:
    seen = compose(mb.simulate(chain(1.0, 200), duration=0.02))
    for shell in seen.bodies:
        assert np.ptp(shell.points[:, 1]) < 1.5
        assert len(shell) < 3000
    # the radius is at least a share of the whole, which is two hundred links long
    assert seen.mechanism.anatomy.gauge < 1.3


FORMS = {
    "ball": ball(1.0),
    "cylinder": cylinder(1.0, 2.0),
    "tube": tube(1.0, 0.5, 1.0),
    "box": rounded_box((1, 2, 3)),
    "limb": limb((0, 0, 0), (1, 2, 3), 0.3, 0.2),
    "cup": cup(1.0),
    "plate": extruded(*hull_outline([(0, 0), (3, 0), (1, 2)], [1, 0.84, 0.84]), 0.7, 0.15, Role.BODY),
    "post": revolved([(0, 0), (1, 0), (0.5, 2), (0, 2)]),
    "coil": coil(5, 1.0, 0.1),
    "ring": ring(1.0, 0.1),
}


@pytest.mark.parametrize("name", FORMS)
def test_the_faces_of_every_form_look_outwards(name: str) -> None:
    shell = FORMS[name]
    a, b, c = np.moveaxis(shell.corners, 1, 0)
    across = np.cross(b - a, c - a)
    real = np.linalg.norm(across, axis=1) > 1e-12
    facing = (across * shell.normals[shell.faces].mean(axis=1)).sum(axis=1)
    assert (facing[real] > 0).all()


def test_the_hull_of_circles_is_convex_and_touches_each_of_them() -> None:
    centres, radii = np.array([(0.0, 0.0), (3.0, 0.0), (1.0, 2.0)]), np.array([1.0, 0.84, 0.84])
    points, normals = hull_outline(centres, radii)
    depth = normals @ points.T - (normals * points).sum(axis=1)[:, None]
    assert depth.max() < ROUNDING
    reach = np.array([np.linalg.norm(points - centre, axis=1).min() for centre in centres])
    assert np.allclose(reach, radii, rtol=0, atol=ROUNDING)


@pytest.mark.parametrize("name", ["cylinder", "box", "plate"])
def test_a_form_with_rounded_rims_has_dark_edges_that_shade_no_flat_side(name: str) -> None:
    shell = FORMS[name]
    edge = shell.roles == Role.EDGE
    assert edge.any()
    area = np.linalg.norm(np.cross(*np.moveaxis(np.diff(shell.corners, axis=1), 1, 0)), axis=1)
    largest = area > 0.5 * area.max()
    assert not edge[shell.faces[largest]].any()


def test_pins_steel_and_balls_have_no_edges() -> None:
    for shell in (ball(1.0), cylinder(1.0, 2.0, Role.STEEL), cylinder(1.0, 2.0, Role.PIN)):
        assert not np.isin(shell.roles, (Role.EDGE, Role.RIDGE)).any()


def test_short_blocks_make_the_links_of_a_mechanism_no_thinner() -> None:
    assert link_gauge([1.0, 0.1, 0.1], 2.0) == link_gauge([1.0], 2.0)


def test_a_long_box_has_pockets_on_its_broad_faces_and_a_cube_has_none() -> None:
    def shell(*edges: float) -> Shell:
        model = mb.Model([mb.Body("box", inertia=mb.Box(edges, mass=1))])
        return body_shell(model, 0, anatomy_of(model))

    flat, square, cube = shell(3, 1, 0.2), shell(3, 1, 1), shell(1, 1, 1)
    assert not (cube.roles == Role.POCKET).any()
    for found, sides in ((flat, 2), (square, 4)):
        normals = found.normals[found.roles == Role.POCKET]
        assert len(np.unique(np.round(normals, 6), axis=0)) == sides
    # on the faces, and no farther out than a line is thick
    pocket = flat.points[flat.roles == Role.POCKET]
    assert np.abs(pocket[:, 2]).min() > 0.1
    assert np.abs(pocket[:, 2]).max() < 0.12
