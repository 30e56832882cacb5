"""One composition for the stage and for stills: what three.js objects show is what the picture's data says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from ipywidgets.widgets.widget import _instances

import mbwidgets as mb
from mbwidgets.export.pictures import shadow, triad
from mbwidgets.export.pictures.film import Film
from mbwidgets.scene.look import arrow_shape
from mbwidgets.scene.look.bodies import ShellGroup
from mbwidgets.scene.look.paint import shell_tints
from mbwidgets.scene.look.shell import Shell
from mbwidgets.scene.look.surfaces import ARROW_HIDDEN
from mbwidgets.scene.page import player
from mbwidgets.scene.stage.composition import Composition, compose
from mbwidgets.scene.stage.picture import Picture
from mbwidgets.scene.stage.setting import ground_of
from mbwidgets.scene.stage.viewpoint import VIEWS

# sums and products of a few numbers of order one
TOLERANCE = 1e-9
VECTORS = ("axis", "force", "weight", "angular velocity")


def same(found: object, expected: object) -> None:
    np.testing.assert_allclose(found, expected, rtol=TOLERANCE, atol=TOLERANCE)


def check_shell(group: ShellGroup, shell: Shell) -> None:
    """The triangles of a three.js mesh, in the single precision of the page, with their colours."""
    assert len(group.meshes) == (len(shell) > 0)
    for mesh in group.meshes:
        buffers = {name: item.array for name, item in mesh.geometry.attributes.items()}
        count = len(shell.points)
        assert np.array_equal(buffers["position"][:count], shell.points.astype(np.float32))
        assert np.array_equal(buffers["normal"][:count], shell.normals.astype(np.float32))
        assert np.array_equal(buffers["color"][:count], shell_tints(shell, group.index, group.theme).astype(np.float32))
        faces = buffers["index"].reshape(-1, 3)
        assert np.array_equal(faces[: len(shell)], shell.faces)
        assert not faces[len(shell) :].any()


def check_moving_arrows(picture: Picture, seen: Composition) -> None:
    values = np.frombuffer(picture.player.vectors, dtype=np.float32).reshape(len(seen.motion), -1, 6)
    same(picture.player.lengths, [arrow.scale for arrow in seen.arrows])
    same(picture.player.head, seen.head)
    for k, arrow in enumerate(seen.arrows):
        # the page has single precision, of the same numbers
        assert np.array_equal(values[:, k], np.hstack([arrow.begin, arrow.value]).astype(np.float32))
    assert [item.label for item in picture.shown] == [item.label for item in seen.arrows]


def check_gravity(picture: Picture, seen: Composition) -> None:
    drawn = picture.player.scenery["gravity"]
    assert (drawn is None) == (seen.gravity is None)
    if drawn is not None:
        same(drawn["direction"], seen.gravity)
    same([axis["direction"] for axis in picture.player.scenery["axes"]], seen.axes)


@pytest.mark.parametrize("name", mb.library.names())
def test_the_stage_and_the_still_of_a_motion_are_one_picture(name: str) -> None:
    motion = mb.simulate(getattr(mb.library, name)(), duration=0.3)
    bodies = [body.name for body in motion.model.bodies]
    indices = tuple(range(len(bodies)))
    picture = Picture(600, 400)
    picture.show(motion, VECTORS, indices)
    seen = Film(motion, VECTORS, bodies, width=600, height=400).composition
    stage = picture.stage
    check_moving_arrows(picture, seen)
    check_gravity(picture, seen)
    same(list(picture.player.scenery["ground"].values()), list(ground_of(seen.setting)))
    same(picture.player.scenery["middle"], seen.setting.upright @ seen.setting.target)
    for view in VIEWS:
        stage.look(view)
        point = seen.viewpoint(view, 600 / 400)
        same(stage.camera.position, point.place)
        same(stage.orbit.target, point.target)
    for group, shell in zip([*picture.bodies, *picture.joints], [*seen.bodies, *seen.joints], strict=True):
        check_shell(group, shell)
    check_shell(picture.supports, seen.supports)
    picture.close()


@pytest.mark.parametrize("kind", ["MassMomentsView", "RotatorsView", "ReactionsView", "ReleaseView", "ConstrainedView"])
def test_the_still_of_a_view_has_its_arrows_and_its_stage(kind: str) -> None:
    view = getattr(mb, kind)(duration=0.3, rate=60)
    seen, stage = Film(view).composition, view.picture.stage
    check_moving_arrows(view.picture, seen)
    check_gravity(view.picture, seen)
    same(stage.camera.position, seen.viewpoint(view.view, stage.camera.aspect).place)
    same(view.picture.player.scenery["ground"]["height"], seen.setting.floor)
    assert seen.selected == view.index
    view.close()


def test_a_permanent_rotation_has_its_gravity_where_its_camera_looks() -> None:
    view = mb.PermanentRotationsView(duration=0.3)
    seen = Film(view).composition
    assert seen.gravity is not None
    check_gravity(view.picture, seen)
    same(view.picture.stage.camera.position, seen.viewpoint("iso", view.picture.stage.camera.aspect).place)
    view.close()


def test_the_axes_in_the_corner_are_the_worlds_axes_as_gravity_turns_the_picture() -> None:
    seen = compose(mb.simulate(mb.library.four_bar(), duration=0.1))  # gravity along −y
    same(seen.axes[1], (0, 0, 1))
    assert np.linalg.det(np.array(seen.axes)) == pytest.approx(1)


def test_the_axes_in_the_page_are_those_of_stills() -> None:
    text = (Path(player.__file__).parent / "triad.js").read_text(encoding="utf-8")
    numbers = {name: float(value) for name, value in re.findall(r"^const (\w+) = ([\d.]+);", text, re.MULTILINE)}
    for name in ("AXIS_LENGTH", "AXIS_HEAD", "AXIS_LETTER", "AXIS_RING"):
        assert numbers[name] == getattr(triad, name), name


def test_composing_makes_no_widget() -> None:
    motion = mb.simulate(mb.library.gyroscope(), duration=0.2)
    before = set(_instances)
    seen = compose(motion, VECTORS, (0, 1), selected=1)
    _ = seen.bodies, seen.joints, seen.supports, seen.ghost, seen.axes, seen.gravity, seen.viewpoint("top", 1.5)
    assert set(_instances) == before


def test_pictures_without_a_page_need_no_three_js() -> None:
    program = "import sys, mbwidgets.export.pictures.film; sys.exit('pythreejs' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False, timeout=120).returncode == 0


def test_arrows_in_the_page_have_the_proportions_of_those_in_stills() -> None:
    text = (Path(player.__file__).parent / "arrows.js").read_text(encoding="utf-8")
    found = re.findall(r"^const (\w+) = ([\d.e-]+)(?: / HEAD_PIXELS)?;", text, re.MULTILINE)
    numbers = {name: float(value) for name, value in found}
    head = numbers["HEAD_PIXELS"]
    assert head == arrow_shape.HEAD_PIXELS
    for name in ("SHAFT", "CONE", "FOOT", "SEAT"):
        assert numbers[name] / head == getattr(arrow_shape, name)
    assert (numbers["TWO_HEADS"], numbers["SHORTEST"]) == (arrow_shape.PAIR, arrow_shape.LEAST)
    assert (numbers["LITTLE"], numbers["HIDDEN"]) == (arrow_shape.ROOM, ARROW_HIDDEN)
    assert f"{arrow_shape.STEP} * k * tip" in text


def test_shadows_in_the_page_are_those_of_stills() -> None:
    folder = Path(player.__file__).parent
    text = "".join((folder / f"{name}.js").read_text(encoding="utf-8") for name in ("scenery", "soft_shadow"))
    numbers = {name: float(value) for name, value in re.findall(r"^const (\w+) = ([\d.e-]+);", text, re.MULTILINE)}
    assert (numbers["ROOM"], numbers["BLUR"], numbers["SHARP"]) == (shadow.ROOM, shadow.BLUR, shadow.SHARP)
    assert f"1.0 - max(h, 0.0) / ({shadow.FAR} * area.z)" in text
    assert f"exp(-max(h, 0.0) / ({shadow.TOUCH} * area.z))" in text
    assert f"{shadow.WIDE} * dark.r + {shadow.LINE} * dark.g" in text


def test_a_short_arrow_shrinks_as_a_whole_and_a_long_one_keeps_its_head() -> None:
    long, short = (arrow_shape.arrow_shape(length, 0.1) for length in (1.0, 0.05))
    assert long.head[1] == 0.1
    assert long.middles[0] + long.head[1] / 2 == pytest.approx(1.0)
    assert short.head[1] == 0.05 / 1.25
    assert short.head[1] + short.shaft[1] == pytest.approx(0.05)
    assert short.shaft[0] / short.head[0] == pytest.approx(long.shaft[0] / long.head[0])
    double = arrow_shape.arrow_shape(1.0, 0.1, double=True)
    assert len(double.middles) == 2
    assert arrow_shape.arrow_parts(np.zeros(3), np.full(3, np.nan), 0.1) == []
