"""Light, ground and shadows of an exported page, which are those of every page; the renderer is left as it was."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser

import mbwidgets as mb
from mbwidgets.export.pictures.film import FINER, Film
from mbwidgets.export.pictures.raster import Canvas
from tests.browser.test_export import Opened

STEP = 1.5 / 255
"""A step of eight bits in each of two pictures, in the mean of three colours."""
RENDERER = """async ([id, close]) => {
    const player = await window.mbwidgets.get_model(id);
    const one = (name) => window.mbwidgets.get_model(player.get(name).replace("IPY_MODEL_", ""));
    const [model, scene] = await Promise.all([one("renderer"), one("scene")]);
    const { renderer } = await Object.values(model.views)[0];
    let during = null;
    scene.obj.onBeforeRender = () => { during = renderer.shadowMap.enabled; };
    scene.trigger("rerender", scene, {});
    await new Promise((done) => setTimeout(done, 1000));
    if (close) await player.close(true);
    await new Promise((done) => setTimeout(done, 300));
    return { during, after: renderer.shadowMap.enabled, sorts: Boolean(renderer.sortObjects),
        target: renderer.getRenderTarget() ?? null, ...renderer.info.memory };
}"""
SHADE = """async ([id, shade]) => {
    const player = await window.mbwidgets.get_model(id);
    player.set("scenery", { ...player.get("scenery"), shade });
    await new Promise((done) => setTimeout(done, 1000));
}"""

WIDTHS = """async ([id, farther]) => {
    const player = await window.mbwidgets.get_model(id);
    const one = (item) => window.mbwidgets.get_model(item.replace("IPY_MODEL_", ""));
    const [scene, camera, orbit] = await Promise.all(["scene", "camera", "orbit"].map((name) => one(player.get(name))));
    camera.obj.position.sub(orbit.obj.target).multiplyScalar(farther).add(orbit.obj.target);
    scene.trigger("rerender", scene, {});
    await new Promise((done) => setTimeout(done, 600));
    const height = document.querySelector("canvas").clientHeight;
    const slope = Math.tan((camera.obj.fov * Math.PI) / 360);
    const found = [];
    scene.obj.traverse((group) => {
        if (group.name !== "arrow" || !group.visible) return;
        const [shaft, head] = group.children;
        const tip = head.position.clone().setY(head.position.y + head.scale.y / 2).applyMatrix4(group.matrixWorld);
        const metre = height / (-2 * slope * tip.applyMatrix4(camera.obj.matrixWorldInverse).z);
        found.push([shaft.scale.x, head.scale.x, head.scale.y].map((size) => size * metre));
    });
    return found;
}"""


# on a dark page the same code draws; its shadow is another's strength, and is looked at in every run
LIGHT_FIRST = pytest.mark.parametrize(
    "exported", ["light", pytest.param("dark", marks=pytest.mark.thorough)], indirect=True
)


@pytest.fixture(scope="module", params=["light", "dark"])
def exported(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, Path]]:
    view = mb.Explorer(
        mb.library.three_body_arm(), selected="base", duration=1, vectors=("force", "weight"), theme=request.param
    )
    yield view, view.to_html(tmp_path_factory.mktemp("scenery") / "arm.html")
    view.close()


@pytest.fixture
def opened(browser: Browser, exported: tuple[Any, Path]) -> Iterator[Opened]:
    page = Opened(browser, exported[1])
    page.page.wait_for_timeout(800)
    yield page
    page.context.close()


def test_bodies_throw_a_soft_shadow_on_the_ground(opened: Opened, exported: tuple[Any, Path]) -> None:
    player = exported[0].picture.player
    shaded = opened.pixels()
    opened.page.evaluate(SHADE, [player.model_id, 0.0])
    darker = (opened.pixels() - shaded).mean(axis=2)
    # all that changes is darker, but for a step of eight bits
    assert darker.min() >= -STEP
    # what lies under the shadow loses its share and no more: the ground shows the sky, and its lines
    colours = [*player.scenery["sky"], player.scenery["lines"]]
    shade = player.scenery["shade"] * np.array([[int(c[k : k + 2], 16) for k in (1, 3, 5)] for c in colours])
    assert darker.max() <= shade.mean(axis=1).max() / 255 + STEP
    # it lies where that of the still does, and is as dark: of the ground's pixels 99 in 100 differ by at most 1.4 steps
    # of 255 on a light page and 0.5 on a dark one; with no shadow at all they would by 55 and 14
    still, ground = still_shadow(exported[0], darker.shape)
    assert np.quantile(np.abs(darker - still)[ground], 0.99) < 3 / 255
    # soft: 82 shades on a light page, 33 on a dark one; a hard edge has two, and three between them by four samples
    assert len(np.unique(np.round(255 * darker[(darker > 0)]))) > 8
    assert opened.errors == []


def still_shadow(view: Any, size: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """How much darker the shadow makes a still of a size, (rows, columns), and where the ground is seen in it."""
    rows, columns = size
    film = Film(view, width=columns, height=rows, theme=view.theme)
    frame = film._index(view.time)
    poses, plain = film._poses(frame), film._backdrop(frame)
    shaded = film._shaded(plain, poses, frame)
    canvas = Canvas(shaded.colours.copy(), film.camera(frame))
    film._draw_bodies(canvas, poses)
    film._draw_centres(canvas, poses)
    fine = (rows, FINER, columns, FINER)
    darker = (plain.colours - shaded.colours).mean(axis=2).reshape(fine).mean(axis=(1, 3))
    return darker, ~np.isfinite(canvas.depth).reshape(fine).any(axis=(1, 3))


@LIGHT_FIRST
def test_the_renderer_is_as_it_was_after_each_picture_and_after_the_view(
    opened: Opened, exported: tuple[Any, Path]
) -> None:
    player = exported[0].picture.player.model_id
    living = opened.page.evaluate(RENDERER, [player, False])
    assert living["during"] is True, "a picture at rest has all shadows"
    assert (living["after"], living["sorts"], living["target"]) == (False, False, None)
    closed = opened.page.evaluate(RENDERER, [player, True])
    assert (closed["after"], closed["sorts"], closed["target"]) == (False, False, None)
    # sky, grid, shadow and the square that blurs it; two pictures of the shadow, one that the light sees
    assert living["geometries"] - closed["geometries"] >= 4
    assert living["textures"] - closed["textures"] >= 3
    assert opened.errors == []


@LIGHT_FIRST
def test_arrows_are_as_thick_on_the_screen_however_far_the_camera_is(
    opened: Opened, exported: tuple[Any, Path]
) -> None:
    player = exported[0].picture.player
    whole = np.array([1.55, 5.0, 15.0])
    sizes = [np.array(opened.page.evaluate(WIDTHS, [player.model_id, farther])) for farther in (1.0, 1.5, 0.5)]
    for found in sizes:
        # single precision of the matrices, and of what is read of a long way to the camera
        assert found[0] == pytest.approx(whole, rel=1e-4), "the reaction"
    assert opened.errors == []
