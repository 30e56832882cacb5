"""What is drawn of a mechanism as a whole: layers, stands, springs, marks, and what it costs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.export.pictures.film import Film
from mbwidgets.scene.look.ink import contrast_of
from mbwidgets.scene.look.nodes import body_nodes, plane_bodies
from mbwidgets.scene.look.palette import THEMES
from mbwidgets.scene.look.shapes import model_size
from mbwidgets.scene.look.shell import Role, Shell
from mbwidgets.scene.look.surfaces import GLASS
from mbwidgets.scene.stage.composition import BESIDE, Composition, compose, ghost_parts
from mbwidgets.scene.stage.picture import Picture
from mbwidgets.scene.stage.spans import laid_shell

# float32 has seven digits
SINGLE = 1e-6
TRIANGLES, CALLS = 30_000, 80
"""Of a mechanism of the library on the stage, and of the three-body arm, at most."""


def squeezer() -> Composition:
    return compose(mb.simulate(mb.library.andrews_squeezer(), duration=0.03, rate=2000))


def along(shell: Shell, axis: int) -> tuple[float, float]:
    heights = shell.points[:, axis]
    return float(heights.min()), float(heights.max())


def plates(shell: Shell) -> Shell:
    """Without pins and lines of axes, which go through several plates."""
    kept = np.isin(shell.roles, (Role.BODY, Role.POCKET))[shell.faces].all(axis=1)
    points = np.unique(shell.faces[kept])
    return Shell.of(shell.points[points], shell.normals[points], np.zeros((0, 3)))


@pytest.mark.parametrize("name", ["andrews_squeezer", "four_bar", "n_four_bar", "pendulum"])
def test_plates_that_share_a_pin_lie_side_by_side(name: str) -> None:
    model = getattr(mb.library, name)(*([3] if name in ("n_four_bar", "pendulum") else []))
    seen = compose(mb.simulate(model, duration=0.03 if name == "andrews_squeezer" else 1.0))
    axis = 1 if name == "pendulum" else 2
    assert len(plane_bodies(model, np.eye(3)[axis])) == len(model.bodies)
    pairs = [(k, parent) for k, parent in enumerate(model.parents) if parent >= 0]
    pairs += [(model.index(item.a.body), model.index(item.b.body)) for item in model.constraints]
    for a, b in pairs:
        (low, high), (begin, end) = along(plates(seen.bodies[a]), axis), along(plates(seen.bodies[b]), axis)
        assert high < begin or end < low, (a, b)


def test_laying_aside_changes_no_coordinate_across_the_axis() -> None:
    shifts = squeezer().setting.shifts
    assert shifts[:, 2].any()
    assert not shifts[:, :2].any()


@pytest.mark.parametrize("name", [name for name in mb.library.names() if name not in ("opnchain_manipulator",)])
def test_what_the_ground_carries_stands_on_the_floor_or_hangs(name: str) -> None:
    seen = compose(mb.simulate(getattr(mb.library, name)(), duration=0.03 if name == "andrews_squeezer" else 1.0))
    carried = [k for k, parent in enumerate(seen.model.parents) if parent < 0]
    held = [seen.model.bodies[k].joint.type for k in carried]
    if all(kind in ("free", "planar") for kind in held) and not seen.model.constraints:
        return
    assert seen.setting.floor is not None
    heights = seen.supports.points @ seen.setting.upright[2] - seen.setting.floor
    lowest = heights[np.isin(seen.supports.roles, (Role.GROUND, Role.HATCH))].min()
    # as deep as it is rounded; a bracket from above ends over what it carries
    assert lowest > -1e-9 * seen.setting.size
    hangs = lowest > 0.1 * seen.setting.size
    assert hangs == (name in HANGING), (name, lowest)


HANGING = ("carousel", "spherical_chain")


@pytest.mark.parametrize("name", ["flyball_governor", "walking_figure", "andrews_squeezer"])
def test_a_spring_ends_on_its_points_at_every_frame(name: str) -> None:
    model = getattr(mb.library, name)()
    motion = mb.simulate(model, duration=0.03 if name == "andrews_squeezer" else 0.5)
    seen = compose(motion)
    springs = [item for item in model.forces if item.type in ("spring", "damper")]
    assert len(seen.spans) == len(springs) > 0
    for span, item in zip(seen.spans, springs, strict=True):
        for k, end in enumerate((item.start, item.end)):
            at = [model.number(part) for part in end.at]
            place = np.tile(at, (len(motion), 1)) if end.body is None else motion.point(end.body, at).position
            assert np.allclose(span.ends[:, k], place, rtol=0, atol=1e-12)
        for frame in (0, len(motion) - 1):
            points = laid_shell(span, frame).points
            way = span.ends[frame, 1] - span.ends[frame, 0]
            share = (points - span.ends[frame, 0]) @ way / (way @ way)
            # the eyes at its ends reach a little beyond
            assert -0.2 < share.min() < 0.01
            assert 0.99 < share.max() < 1.2


def test_the_player_has_the_ends_of_springs_of_every_frame() -> None:
    motion = mb.simulate(mb.library.flyball_governor(), duration=0.2)
    picture = Picture()
    picture.show(motion)
    ends = np.frombuffer(picture.player.span_ends, dtype=np.float32).reshape(len(motion), 4, 6)
    for k, span in enumerate(picture.composition.spans):
        assert np.allclose(ends[:, k], span.ends.reshape(-1, 6), rtol=SINGLE, atol=SINGLE)
    assert [group.children for group in picture.player.spans] == [view.group.children for view in picture.spans]
    assert all(len(group.children) == 3 for group in picture.player.spans)
    picture.close()


def test_springs_come_and_go_with_the_model() -> None:
    picture = Picture()
    for model, count in ((mb.library.flyball_governor(), 4), (mb.library.pendulum(1), 0), (squeezer().model, 1)):
        picture.show(mb.simulate(model, duration=0.01))
        assert len(picture.spans) == len(picture.player.spans) == count
    picture.close()


def test_a_rope_a_circle_and_a_curve_are_drawn() -> None:
    bob = mb.Body("bob", mb.Free(), mass=1, inertia=(1, 1, 1))
    start = {"q": [0, 0, -2, 0, 0, 0, 1]}
    rope = compose(
        mb.simulate(mb.Model([bob], constraints=[mb.DistanceConstraint(None, "bob", 2)], state=start), duration=0.1)
    )
    assert len(rope.spans) == 1
    circle = compose(mb.simulate(mb.library.body_on_circle(), duration=0.3))
    far = np.linalg.norm(circle.supports.points[circle.supports.roles == Role.STEEL][:, :2], axis=1)
    assert far.min() > 0.9
    assert far.max() < 1.1
    bead = mb.Model(
        [bob], constraints=[mb.OnCurve("bob", ["s", 0, "s**2"])], state={"q": [0.5, 0, 0.25, 0, 0, 0, 1]}, name="bead"
    )
    curve = compose(mb.simulate(bead, duration=0.5)).supports
    x, y, z = curve.points[curve.roles == Role.STEEL].T
    wire = np.abs(y).max()
    # a wire about the parabola: across it, it is as thick as the wire
    assert np.abs(z - x**2).max() < 4 * wire
    assert np.ptp(x) > 0.5


def test_the_three_body_arm_keeps_to_the_budget_of_the_stage() -> None:
    picture = Picture()
    picture.show(mb.simulate(mb.library.three_body_arm(), duration=0.5), ("force", "weight"), (0, 1, 2), 1)
    assert count_triangles(picture.stage.scene) < TRIANGLES
    assert count_meshes(picture.stage.scene) < CALLS
    picture.close()


@pytest.mark.parametrize("name", ["andrews_squeezer", "walking_figure"])
def test_a_large_mechanism_keeps_to_the_budget_of_triangles(name: str) -> None:
    model = getattr(mb.library, name)()
    motion = mb.simulate(model, duration=model.duration or 0.5)
    picture = Picture()
    picture.show(motion, ("force", "weight", "constraint force"), (len(model.bodies) - 1,), 0)
    assert count_triangles(picture.stage.scene) < TRIANGLES
    picture.close()


def count_meshes(item: object) -> int:
    """Objects of a scene that are drawn, each by one call."""
    own = type(item).__name__ in ("Mesh", "LineSegments", "Line", "Sprite")
    return own + sum(count_meshes(child) for child in getattr(item, "children", ()))


def count_triangles(item: object) -> int:
    """Of all meshes of a scene: bodies, joints, stands, marks, arrows, axes, the ground; what is hidden counts too."""
    below = sum(count_triangles(child) for child in getattr(item, "children", ()))
    if type(item).__name__ != "Mesh":
        return below
    geometry = item.geometry  # type: ignore[attr-defined]
    match type(geometry).__name__:
        case "BufferGeometry":
            return below + len(geometry.attributes["index"].array) // 3
        case "SphereBufferGeometry":
            return below + 2 * geometry.widthSegments * (geometry.heightSegments - 1)
        case "CylinderBufferGeometry":
            # two for each side, and both ends
            return below + 4 * geometry.radialSegments
        case "BoxBufferGeometry":
            return below + 12
    raise AssertionError(type(geometry).__name__)


def test_the_mark_of_a_mass_centre_stands_at_it_and_has_octants() -> None:
    seen = compose(mb.simulate(mb.library.three_body_arm(), duration=0.1))
    for body, mark in zip(seen.model.bodies, seen.centres, strict=True):
        middle = (mark.points.min(axis=0) + mark.points.max(axis=0)) / 2
        assert np.allclose(middle, [seen.model.number(item) for item in body.com], rtol=0, atol=1e-12)
        assert set(mark.roles) == {Role.DARK, Role.BRIGHT}
        way = mark.points[mark.faces].mean(axis=1) - middle
        odd = np.prod(np.sign(way), axis=1) > 0
        bright = mark.roles[mark.faces[:, 0]] == Role.BRIGHT
        assert (odd == bright).all() or (odd == ~bright).all()


def test_what_spins_about_its_own_axis_is_marked() -> None:
    drum = compose(mb.simulate(mb.library.hammer_crusher(), duration=0.1)).bodies[0]
    assert (drum.roles == Role.MARK).any()
    box = compose(mb.simulate(mb.Model([mb.Body("box", inertia=mb.Box((1, 1, 1), mass=1))]), duration=0.1)).bodies[0]
    assert not (box.roles == Role.MARK).any()


def test_the_ellipsoid_of_inertia_reaches_no_farther_than_the_joints() -> None:
    motion = mb.simulate(mb.library.three_body_arm(), duration=0.1)
    for index in range(3):
        (part,) = compose(motion, selected=index).ghost
        nodes = compose(motion).mechanism.anatomy.nodes[index]
        far = max(np.linalg.norm(node.place - part.at) for node in nodes if node.kind != "centre")
        assert max(part.scale) <= far * (1 + 1e-12)


@pytest.mark.parametrize("name", mb.library.names())
def test_the_ellipsoid_of_inertia_passes_no_neighbouring_joint(name: str) -> None:
    model = getattr(mb.library, name)()
    for index, nodes in enumerate(body_nodes(model)):
        for part in ghost_parts(model, index, model_size(model)):
            held = [node.place for node in nodes if node.kind in ("carrier", "joint", "loop")]
            away = [float(np.linalg.norm(place - part.at)) for place in held]
            # a joint at the mass centre is inside of any ellipsoid
            room = [far for far in away if far > BESIDE * max(away)]
            assert max(part.scale) <= min(room, default=np.inf) * (1 + 1e-12)


def test_what_matters_inside_a_body_is_seen_through_glass_in_stills_too() -> None:
    view = mb.MassMomentsView(duration=0.2)
    body = view.picture.bodies[view.index]
    assert (body._surface.opacity, body._surface.depthWrite, body._surface.name) == (GLASS, False, "glass")
    film = Film(view, width=320, height=240)
    pictures = []
    for glass in (True, False):
        film.composition = replace(film.composition, glass=glass)
        pictures.append(np.asarray(film.frame(0.0), dtype=float))
    # as much as the disc takes of the picture, and a little of what is behind it
    changed = np.abs(pictures[0] - pictures[1]).max(axis=2) > 10
    assert 0.02 < changed.mean() < 0.3
    view.selected = view.model.bodies[-1].name
    view.picture.glass = False
    view.picture.mark(view.model, view.index)
    assert (body._surface.opacity, body._surface.depthWrite, body._surface.name) == (1.0, True, "")
    view.close()


def test_a_slider_makes_only_those_bodies_anew_that_it_changes() -> None:
    def shells(**values: float) -> list[Shell]:
        seen = compose(mb.simulate(mb.library.four_bar().with_values(**values), duration=0.1))
        return [*seen.bodies, *seen.joints]

    before, heavier, longer = shells(), shells(m=2.0), shells(l2=1.25)
    assert all(one is other for one, other in zip(before, heavier, strict=True))
    kept = [one is other for one, other in zip(before, longer, strict=True)]
    # the coupler is longer, and the thickness of the short crank follows the lengths of all; the rocker is as it was
    assert kept[:3] == [False, False, True]


def test_a_shell_that_is_shown_is_not_sent_again() -> None:
    picture, model = Picture(), mb.library.three_body_arm()
    picture.show(mb.simulate(model, duration=0.1))
    buffers = [mesh.geometry.attributes["position"].array for body in picture.bodies for mesh in body.meshes]
    picture.show(mb.simulate(model.with_values(m3=4.0), duration=0.1))
    after = [mesh.geometry.attributes["position"].array for body in picture.bodies for mesh in body.meshes]
    assert all(one is other for one, other in zip(buffers, after, strict=True))
    picture.close()


def test_of_a_hand_that_pulls_only_the_spring_is_drawn() -> None:
    model, hand = mb.library.four_bar(), (0.3, 0.9, 0.1)
    ends = (None, hand), ("coupler", (0.5, 0, 0))
    pulled = model.replace(forces=[mb.Spring(*ends, stiffness=20), mb.Damper(*ends, damping=1)])
    motion = mb.simulate(pulled, duration=0.2)
    free = compose(mb.simulate(model, duration=0.2))
    held = replace(compose(motion), setting=free.setting, hand=hand)
    assert len(held.spans) == 1
    assert len(held.supports) == len(free.supports), "a plate in the air"
    # what a model has of its own is fixed to something
    own = replace(held, hand=None)
    assert len(own.spans) == 2
    assert len(own.supports) > len(free.supports)


def test_axis_lines_can_be_seen_on_a_page_that_turns_dark_by_itself() -> None:
    for theme in THEMES.values():
        assert theme.joints == THEMES["light"].joints
        # WCAG 2.1, 1.4.11: what is no text
        assert contrast_of(theme.joints, theme.background) >= 3
