"""Pictures without a browser: bodies are where the motion says, in front of what is behind them."""

from __future__ import annotations

import base64
import io
import sys
from pathlib import Path

import numpy as np
import pytest
from ipywidgets.widgets.widget import _instances

import mbwidgets as mb
from mbwidgets.export.pictures.film import FINER, Film
from mbwidgets.export.pictures.raster import Camera, Canvas, rgb
from mbwidgets.export.pictures.shadow import cast_shadow
from mbwidgets.export.pictures.triangles import mesh_of
from mbwidgets.scene.look.palette import BLUE, body_colour
from mbwidgets.scene.look.shapes import STRAIGHT, Part
from mbwidgets.scene.look.surfaces import KEY
from mbwidgets.scene.quantities.motion_quantities import arrows_of, find_quantity, quantity_names
from mbwidgets.scene.stage.setting import AXES, GRAVITY, ground_of
from mbwidgets.scene.stage.viewpoint import VIEWS, view_axes


@pytest.fixture(scope="module")
def motion() -> mb.Motion:
    return mb.simulate(mb.library.three_body_arm(), duration=1)


@pytest.mark.parametrize("kind", ["box", "ball", "cone", "cylinder", "tube"])
def test_solids_are_closed_and_their_normals_point_outwards(kind: str) -> None:
    mesh = mesh_of([Part(kind, (0, 0, 0), STRAIGHT, (1, 1, 1), hollow=0.5 if kind == "tube" else 0.0)])
    edges = np.cross(mesh.corners[:, 1] - mesh.corners[:, 0], mesh.corners[:, 2] - mesh.corners[:, 0]) / 2
    # the vector areas of a closed surface sum to nothing
    facing = np.sign((edges * mesh.normals.mean(axis=1)).sum(axis=1))
    assert (facing != 0).all()
    assert np.allclose((edges * facing[:, None]).sum(axis=0), 0, atol=1e-12)
    volume = (mesh.corners.mean(axis=1) * edges * facing[:, None]).sum() / 3
    exact = {"box": 1.0, "ball": 4 / 3 * np.pi, "cone": np.pi / 3, "cylinder": np.pi, "tube": 0.75 * np.pi}[kind]
    # chords lie inside the circle
    assert 0.97 * exact < volume <= exact * (1 + 1e-12)


def test_the_nearer_of_two_bodies_hides_the_other() -> None:
    camera = Camera((0, 0, 0), (0, -1, 0), 10.0, 80, 80)
    near, far = (mesh_of([Part("ball", (0, y, 0), STRAIGHT, (1, 1, 1))]) for y in (-2, 2))
    pictures = []
    for order in ((near, far), (far, near)):
        canvas = Canvas(np.ones((80, 80, 3)), camera)
        for mesh in order:
            canvas.draw(mesh, rgb("#FF0000") if mesh is near else rgb("#0000FF"))
        pictures.append(canvas.colours)
    assert np.array_equal(*pictures)
    red, _, blue = pictures[0][40, 40]
    assert red > 0.3
    assert blue == 0


def test_an_arrow_shines_through_a_body_and_stands_out_before_it() -> None:
    camera = Camera((0, 0, 0), (0, -1, 0), 10.0, 80, 80)
    ball = mesh_of([Part("ball", (0, 0, 0), STRAIGHT, (1, 1, 1))])
    green = []
    for y in (-3, 3):
        canvas = Canvas(np.ones((80, 80, 3)), camera)
        canvas.draw(ball, rgb("#FF0000"))
        canvas.draw(mesh_of([Part("box", (0, y, 0), STRAIGHT, (0.2, 0.2, 0.2))]), rgb("#00FF00"), through=0.35)
        green.append(canvas.colours[40, 40, 1])
    before, behind = green
    assert before > 0.5
    assert behind == pytest.approx(0.35 * before, rel=0.1)


def test_the_foot_of_an_arrow_is_seen_through_the_body_in_which_it_acts(motion: mb.Motion) -> None:
    film = Film(motion, vectors=("force",), bodies=("base",))
    frame, arrow = 30, film.composition.arrows[0]
    picture = np.asarray(film.frame(float(motion.t[frame])), dtype=float) / 255
    x, y, _ = film.camera(frame).project((film._upright @ arrow.begin[frame])[None])[0] / 2
    window = picture[int(y) - 5 : int(y) + 6, int(x) - 5 : int(x) + 6]
    # a ring in the arrow's colour about a dot in the body's
    assert pixels(window, arrow.colour, 0.1) > 5
    assert pixels(window[3:-3, 3:-3], body_colour(0), 0.02) > 5


def about_gravity(film: Film, time: float) -> np.ndarray:
    """The corner of the picture in which the arrow of gravity stands, or would stand."""
    return (np.asarray(film.frame(time), dtype=float) / 255)[:70, :58]


def test_the_axes_and_gravity_stand_in_a_corner_of_the_picture_and_nowhere_else(motion: mb.Motion) -> None:
    picture = np.asarray(Film(mb.simulate(mb.library.four_bar(), duration=1)).frame(0.5), dtype=float) / 255
    for _, colour in AXES:
        # an axis is 26 pixels long and 2 wide, seen from the side
        assert pixels(picture[:85, 50:140], colour, 0.2) > 20
        assert pixels(picture, colour, 0.1) == pixels(picture[:85, 50:140], colour, 0.1)
    weightless = mb.simulate(motion.model.replace(gravity=(0, 0, 0)), duration=0.1)
    assert pixels(about_gravity(Film(motion), 0.5), GRAVITY, 0.2) > 40
    assert pixels(about_gravity(Film(weightless), 0.1), GRAVITY, 0.2) == 0


@pytest.mark.parametrize("name", [name for name in mb.library.names() if name != "andrews_squeezer"])  # lies flat
def test_the_arrow_of_gravity_is_upright_in_the_first_picture(name: str) -> None:
    seen = Film(mb.simulate(getattr(mb.library, name)(), duration=0.1)).composition
    assert seen.gravity is not None
    right, up, _ = view_axes(VIEWS["iso"]) @ np.array(seen.gravity)
    assert abs(right) < 1e-12
    assert up < -0.9


def test_a_body_is_drawn_where_the_motion_has_it(motion: mb.Motion) -> None:
    film = Film(motion, width=400, height=300)
    bare = film._still_backdrop.colours[::2, ::2]
    for index in (0, 30, 60):
        x, y, _ = film.camera(index).project(motion.poses[0][index, 2:3])[0] / 2
        window = np.s_[int(y) - 3 : int(y) + 4, int(x) - 3 : int(x) + 4]
        picture = np.asarray(film.frame(index / 60), dtype=float) / 255
        assert np.abs(picture[window] - bare[window]).max() > 0.1, index


def test_arrows_are_in_the_colour_of_their_quantity(motion: mb.Motion) -> None:
    picture = np.asarray(Film(motion, vectors=("force",), bodies=("base",)).frame(0.5), dtype=float)
    wanted = rgb("#D55E00") * 255
    near = (np.abs(picture - wanted).sum(axis=2) < 60).sum()
    without = np.asarray(Film(motion, vectors=()).frame(0.5), dtype=float)
    assert near > 30
    assert (np.abs(without - wanted).sum(axis=2) < 60).sum() == 0


def test_films_have_the_pictures_that_their_rate_asks_for(motion: mb.Motion, tmp_path: Path) -> None:
    from PIL import Image

    shares: list[float] = []
    path = mb.export.gif(motion, tmp_path / "arm.gif", rate=5, width=120, height=90, progress=shares.append)
    with Image.open(path) as film:
        assert film.n_frames == 6
        assert film.info["duration"] == 200
        assert film.size == (120, 90)
    assert shares[-1] == 1
    path = mb.export.gif(motion, tmp_path / "slow.gif", rate=5, speed=0.5, width=60, height=40)
    with Image.open(path) as film:
        assert film.n_frames == 11


def test_an_mp4_is_written_or_its_tool_is_named(motion: mb.Motion, tmp_path: Path, monkeypatch) -> None:
    pytest.importorskip("imageio_ffmpeg")
    path = mb.export.mp4(motion, tmp_path / "arm.mp4", rate=5, width=121, height=90)
    assert path.read_bytes()[4:8] == b"ftyp"
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with pytest.raises(mb.MissingError, match=r"mbwidgets\[film\]"):
        mb.export.mp4(motion, tmp_path / "no.mp4")


def test_slips_are_refused(motion: mb.Motion, tmp_path: Path) -> None:
    with pytest.raises(mb.ModelError, match="does not end with"):
        mb.export.png(motion, tmp_path / "arm.jpg")
    with pytest.raises(mb.ModelError, match="no view 'below'"):
        Film(motion, view="below")
    with pytest.raises(mb.UnknownNameError, match="no quantity 'farce'"):
        Film(motion, vectors=("farce",))
    with pytest.raises(mb.ModelError, match="at most 50"):
        mb.export.gif(motion, tmp_path / "arm.gif", rate=100)
    with pytest.raises(mb.ModelError, match="has no motion"):
        mb.export.png(3, tmp_path / "arm.png")
    with pytest.raises(mb.StateError, match="not a number"):
        mb.export.png(motion, tmp_path / "arm.png", time=float("nan"))


def test_formulae_are_a_document_and_headings_are_only_text(tmp_path: Path) -> None:
    metric = mb.covariant(mb.library.pendulum(2)).metric
    text = mb.export.tex({r"a_1 & \input{x}": metric}, tmp_path / "a.tex", title="50 %").read_text()
    assert r"a\_1 \& \textbackslash{}input\{x\}" in text
    assert r"50 \%" in text
    assert metric.latex() in text
    assert text.rstrip().endswith(r"\end{document}")


def test_a_view_brings_a_still_picture_for_readers_without_widgets() -> None:
    from PIL import Image

    view = mb.Explorer(mb.library.three_body_arm(), duration=1)
    bundle = view._repr_mimebundle_()
    assert bundle["text/plain"] == repr(view)
    view.close()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    content = base64.b64decode(bundle["image/png"])
    with Image.open(io.BytesIO(content)) as picture:
        wide, high = picture.size
        assert wide == 560
        assert 410 < high < 430, "a line below tells how to make it live"
        assert len(picture.convert("RGB").getcolors(1 << 20)) > 20
    assert len(content) < 40_000


@pytest.mark.parametrize("key", quantity_names())
def test_every_quantity_can_be_drawn_in_a_picture(key: str, tmp_path: Path) -> None:
    """Those of which a body has several are as many arrows; those that it has not are none."""
    motion = mb.simulate(mb.library.four_bar(), duration=0.1, rate=20)
    try:
        found = [(index, arrow) for index in range(3) for arrow in arrows_of(find_quantity(key), motion, index)]
        labels = [arrow.label + "₁₂₃"[index] for index, arrow in found]
        # forces at pins go by the letters of these
        known = {"force": ["F_O", "F_A", "F_B"], "carried force": ["−F_A"], "constraint force": ["−F_D", "F_D"]}
        expected = known.get(key, labels)
    except mb.errors.MbwidgetsError as error:
        with pytest.raises(type(error)):
            mb.export.png(motion, tmp_path / "a.png", vectors=(key,), width=160, height=120)
        return
    film = Film(motion, (key,), [body.name for body in motion.model.bodies], width=160, height=120)
    assert [item.label for item in film.composition.arrows] == expected
    assert mb.export.png(motion, tmp_path / "a.png", vectors=(key,), width=160, height=120).stat().st_size > 0


def test_a_film_of_a_motion_makes_no_widget(motion: mb.Motion) -> None:
    before = set(_instances)
    Film(motion, vectors=("force", "moment"), width=80, height=60).frame(0.5)
    assert set(_instances) == before


def test_a_mechanism_that_runs_away_is_followed_as_on_the_stage() -> None:
    fall = mb.simulate(mb.Model([mb.Body("stone", mb.Free(), inertia=mb.Sphere(0.1, mass=1))]), duration=3)
    film = Film(fall, width=80, height=60)
    first, last = film.camera(0), film.camera(len(fall) - 1)
    drift = film.composition.drift
    assert drift is not None
    np.testing.assert_allclose(last.place - first.place, drift[-1] - drift[0], atol=1e-12)
    assert (np.abs(last.project(fall.poses[0][-1]) - [80, 60, 0])[:, :2] < [80, 60]).all()


def test_the_ground_fades_away_from_what_stands_on_it(motion: mb.Motion) -> None:
    film = Film(motion, width=160, height=120)
    setting, seen = film.composition.setting, film._still_backdrop
    far = np.linalg.norm(seen.places - (setting.upright @ setting.target)[:2], axis=2)
    reach = ground_of(setting).reach
    drawn = np.abs(seen.colours - seen.colours[:, :1]).max(axis=2) > 1e-6
    assert (seen.fade[far > reach] == 0).all()
    assert seen.fade[far < 0.2 * reach].min() == 1
    assert drawn[far < 0.5 * reach].mean() > 0.05, "no lines"
    assert not Film(
        mb.simulate(mb.library.opnchain_manipulator(), duration=1), width=80, height=60
    )._still_backdrop.fade.any()


def test_a_body_throws_its_shadow_along_the_light_and_darker_where_it_touches(motion: mb.Motion) -> None:
    ground = ground_of(Film(motion).composition.setting)
    high = 0.5 * ground.radius
    x, y, z = KEY.towards
    falls = np.array([-x, -y]) / z * high
    low, lifted = (
        cast_shadow(
            [mesh_of([Part("ball", (0, 0, ground.height + up), STRAIGHT, (0.1 * ground.radius,) * 3)])],
            ground,
            np.array([0, 0, ground.height]),
        )
        for up in (0.1 * ground.radius, high)
    )
    assert low.at(np.zeros((1, 2)))[0] > lifted.at(falls[None])[0] > 0.3
    assert low.at(falls[None])[0] == lifted.at(np.zeros((1, 2)))[0] == 0
    # the middle of all that is dark is where the middle of the ball is thrown, to a pixel of the shadow's picture
    rows, columns = np.mgrid[: len(lifted.dark), : len(lifted.dark)]
    at = np.array([(lifted.dark * grid).sum() / lifted.dark.sum() for grid in (columns, rows)])
    place = lifted.middle + ((at + 0.5) / len(lifted.dark) - 0.5) * 2 * lifted.half
    assert np.abs(place - falls).max() < 2 * lifted.half / len(lifted.dark)


def still(view: object) -> np.ndarray:
    return np.asarray(Film(view, width=280, height=200).frame(0.0), dtype=float) / 255


def pixels(picture: np.ndarray, colour: str, within: float = 0.15) -> int:
    return int((np.abs(picture - rgb(colour)).sum(axis=2) < within).sum())


def test_a_still_shows_what_a_view_adds_to_its_stage() -> None:
    """The path of a constrained body, the cone and the barycentres, the marks of pole and axis."""
    constrained = mb.ConstrainedView(duration=0.5, view="front", ways="neither")  # arrows would hide the path
    film = Film(constrained, width=280, height=200)
    ((path, colour),) = film.composition.trails
    assert colour == BLUE
    column, row = (film.camera(0).project(path @ film._upright.T)[:, :2] / FINER).astype(int).T
    shown = still(constrained)
    constrained.picture.trails([])
    bare = still(constrained)
    darker = bare.sum(axis=2) - shown.sum(axis=2) > 0.1  # of three
    # a pixel wide: seen along its whole length, but where the body hides it
    assert darker[row, column].mean() > 0.8
    assert darker.mean() < 0.05
    constrained.close()
    permanent = mb.PermanentRotationsView(duration=0.5)
    permanent.finish()
    extras = Film(permanent).composition.extras
    assert [len(extra.fan.corners) > 50 for extra in extras if extra.fan is not None] == [True]
    assert [word.text for extra in extras for word in extra.words] == ["ν"]
    shown = still(permanent)
    permanent.picture.adornments.clear()
    assert np.abs(still(permanent) - shown).max(axis=2).mean() > 0.02
    permanent.close()
    moments = mb.MassMomentsView(duration=0.5)
    assert {extra.body for extra in Film(moments).composition.extras} == {0}
    moments.close()


def test_a_still_of_an_opened_joint_is_open() -> None:
    view = mb.ReleaseView(duration=0.2, rate=60)
    drawn, whole = Film(view).composition.motion, view.motion
    gap = drawn.poses[0][0, -1] - whole.poses[0][0, -1]
    assert np.linalg.norm(gap) == pytest.approx(view.gap, rel=1e-12)
    view.close()
