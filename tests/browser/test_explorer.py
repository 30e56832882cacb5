"""The Explorer in a real JupyterLab: objects in the page, not promises of the kernel."""

from __future__ import annotations

import itertools
import json
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Locator, WebSocket

from tests.browser.lab import Lab

IMPORT = "import mbwidgets as mb"
SHOW = "view = mb.Explorer(mb.library.three_body_arm(), vectors=('axis', 'force', 'moment'), selected='fore'); view"

# What the page draws: places and turns of bodies, and of each arrow its place, turn and shaft length.
OBJECTS = """async (manager, id) => {
    const player = await manager.get_model(id);
    const one = (item) => manager.get_model(item.replace("IPY_MODEL_", ""));
    const found = (name) => Promise.all(player.get(name).map(one));
    const round = (x) => Math.round(1e5 * x) / 1e5;
    const [bodies, arrows] = [await found("bodies"), await found("arrows")];
    return {
        bodies: bodies.map(({ obj }) => [...obj.position.toArray(), ...obj.quaternion.toArray()].map(round)),
        arrows: arrows.map(({ obj }) => [obj.visible, ...obj.position.toArray(), ...obj.quaternion.toArray(),
            obj.children[0].scale.y].map((x) => (typeof x === "number" ? round(x) : x))),
        time: player.get("time"),
        fault: player.get("_fault") ?? "",
    };
}"""


def show(lab: Lab, *cells: str) -> dict[str, str]:
    """Run cells that end with `view` on the screen; returns the ids of its widgets."""
    lab.open_cells(IMPORT, *(cells or (SHOW,)))
    errors = [cell.error for cell in lab.run_all()]
    assert errors == [None] * len(errors)
    lab.page.locator("canvas").first.wait_for()
    lab.page.get_by_role("slider", name="Time").first.wait_for()
    lab.page.wait_for_timeout(500)
    return ids(lab)


def ids(lab: Lab, name: str = "view") -> dict[str, str]:
    parts = "player=v.picture.player, renderer=v.picture.stage.renderer, controls=v.controls, text=v.formulae._text"
    return json.loads(
        lab.python(f"import json\nv = {name}\nprint(json.dumps({{k: w.model_id for k, w in dict({parts}).items()}}))")
    )


def objects(lab: Lab, player: str) -> dict[str, Any]:
    return lab.widgets(OBJECTS, player)


def latex(lab: Lab) -> str:
    return lab.python("print(view.formulae.text)")


def drag(lab: Lab, slider: Locator, share: float) -> None:
    """Drag a slider's thumb with the mouse to a share of its range."""
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    low, high, value = (float(slider.evaluate(f"node => node.{name}")) for name in ("min", "max", "value"))
    at = lambda part: box["x"] + 8 + (box["width"] - 16) * part  # noqa: E731
    height = box["y"] + box["height"] / 2
    lab.page.mouse.move(at((value - low) / (high - low)), height)
    lab.page.mouse.down()
    for k in range(1, 9):
        lab.page.mouse.move(at((value - low) / (high - low) * (1 - k / 8) + share * k / 8), height)
    lab.page.mouse.up()
    lab.page.wait_for_timeout(600)


def test_dragged_sliders_move_bodies_arrows_and_formulae_in_place(lab: Lab) -> None:
    lab.page.set_viewport_size({"width": 1400, "height": 1200})
    own = show(lab)
    lab.python("view.time = 1.0")
    lab.page.wait_for_timeout(300)
    lab.screenshot("start", lab.cell(1))
    for group in ("Mass and inertia", "Joint"):
        lab.cell(1).get_by_text(group, exact=True).click()
    before, formula = objects(lab, own["player"]), latex(lab)
    for name, share in (("m3", 0.7), ("azimuth of e", 0.3), ("J_x", 0.2)):
        drag(lab, lab.cell(1).get_by_role("slider", name=name, exact=True), share)
        for _ in range(100):  # on a busy machine a formula may take its time; it must come
            after, derived = objects(lab, own["player"]), latex(lab)
            if after["bodies"] != before["bodies"] and (name == "m3" or derived != formula):
                break
            lab.page.wait_for_timeout(100)
        assert after["bodies"] != before["bodies"], name
        assert after["arrows"] != before["arrows"], name
        if name != "m3":  # a parameter is a letter of the formula: it stays exact whatever its value
            assert derived != formula, name
        before, formula = after, derived
    assert float(lab.python("print(view.model.values['m3'])")) == pytest.approx(0.7 * 19.9 + 0.1, rel=0.05)
    shown = "async (m, id) => (await m.get_model(id)).get('value')"
    for _ in range(100):  # formulae are derived after the motion: the last one may still be on its way
        if lab.widgets(shown, own["text"]) == (formula := latex(lab)):
            break
        lab.page.wait_for_timeout(100)
    assert lab.widgets(shown, own["text"]) == formula
    assert lab.cell(1).locator("mjx-container").count() > 0, "the formula is not typeset"
    lab.screenshot("moved", lab.cell(1))
    lab.python("view.fit()")  # until then the arrows keep the scale that they had
    lab.page.wait_for_timeout(800)
    before = objects(lab, own["player"])

    lab.python(
        "fresh = mb.Explorer(view.model, vectors=view.vectors, selected=view.selected); fresh.time = view.time\n"
        "from IPython.display import display; display(fresh.picture.player)"
    )
    other = ids(lab, "fresh")
    lab.page.wait_for_timeout(800)
    fresh = objects(lab, other["player"])
    assert fresh["bodies"] == before["bodies"]
    # heads are as many pixels long in both pictures, and shafts what is left: the two are not equally large; arrows of
    # one point begin some pixels apart
    assert [(item[0], item[4:-1]) for item in fresh["arrows"]] == [(item[0], item[4:-1]) for item in before["arrows"]]
    begins = [np.array([item[1:4] for item in found["arrows"]]) for found in (fresh, before)]
    np.testing.assert_allclose(begins[0], begins[1], rtol=0, atol=0.03)
    assert lab.errors == []


@pytest.mark.thorough
def test_a_slider_in_the_hand_is_not_taken_away_by_new_rows(lab: Lab) -> None:
    show(lab)
    slider = lab.cell(1).get_by_role("slider", name="m2", exact=True)
    box = slider.bounding_box()
    height = box["y"] + box["height"] / 2
    lab.page.mouse.move(box["x"] + 0.25 * box["width"], height)
    lab.page.mouse.down()
    slider.evaluate("node => { window.held = node; }")
    lab.python("view.controls.rows = [{**row, 'high': 2 * row['high']} for row in view.controls.rows]")
    lab.page.wait_for_timeout(300)
    assert lab.page.evaluate("() => [window.held.isConnected, window.held.max]") == [True, "20"]
    lab.page.mouse.move(box["x"] + 0.75 * box["width"], height)
    lab.page.mouse.up()
    lab.page.wait_for_timeout(600)
    assert float(lab.page.evaluate("() => window.held.max")) == 40, "the new range never came"
    assert float(lab.python("print(view.model.values['m2'])")) > 12
    assert lab.errors == []


def test_playing_and_scrubbing_need_no_kernel(lab: Lab) -> None:
    frames: list[Any] = []

    def listen(socket: WebSocket) -> None:
        if "/api/kernels/" in socket.url:
            socket.on("framereceived", lambda frame: frames.append(frame))
            socket.on("framesent", lambda frame: frames.append(frame))

    lab.page.on("websocket", listen)
    own = show(lab)
    assert frames, "the test does not see the websocket"
    lab.cell(1).get_by_role("tab", name="Plots").click()
    lab.cell(1).get_by_role("button", name="Play").click()
    lab.page.wait_for_timeout(1500)
    frames.clear()
    seen = [objects(lab, own["player"])["bodies"]]
    for _ in range(5):
        lab.page.wait_for_timeout(1000)
        seen.append(objects(lab, own["player"])["bodies"])
    assert frames == [], "messages while playing"
    assert all(a != b for a, b in itertools.pairwise(seen)), "nothing moved"
    number = lab.cell(1).locator(".mbw-readout .mbw-number").nth(4)
    assert number.inner_text() != ""

    lab.cell(1).get_by_role("button", name="Pause").click()
    lab.page.wait_for_timeout(500)
    frames.clear()
    scrub = lab.cell(1).get_by_role("slider", name="Time")
    scrub.evaluate("node => { node.value = 2.5; node.dispatchEvent(new Event('input')); }")
    lab.page.wait_for_timeout(200)
    state = objects(lab, own["player"])
    assert frames == [], "messages while scrubbing"
    assert state["time"] == 2.5
    lab.python("view.time = 2.5")
    assert state["bodies"] == objects(lab, own["player"])["bodies"]
    assert lab.cell(1).locator(".mbw-cursor").get_attribute("x1") is not None
    lab.screenshot("plots", lab.cell(1))

    scrub.press("ArrowRight")
    lab.page.wait_for_timeout(300)
    assert float(lab.python("print(view.time)")) == pytest.approx(2.5 + 1 / 60, abs=1e-6)
    assert lab.errors == []


@pytest.mark.thorough
def test_states_that_are_not_finite_keep_the_last_good_frame_and_say_so(lab: Lab) -> None:
    own = show(lab)
    lab.python("view.time = 0.5")
    lab.page.wait_for_timeout(300)
    good = objects(lab, own["player"])
    lab.python(
        "import numpy as np\n"
        "from mbwidgets.scene.page.player import packed_poses\n"
        "player, motion = view.picture.player, view.motion\n"
        "poses = packed_poses(*motion.poses)\n"
        "bad = [np.nan, np.inf, -np.inf, 1e300]\n"
        "for k in range(100):\n"
        "    broken = poses.copy(); broken[20:, k % 3, k % 7] = bad[k % 4]\n"
        "    if k % 5 == 0: broken[20:, k % 3, 3:] = 0\n"
        "    player.load(motion.t, broken, bodies=player.bodies, arrows=[], labels=[])"
    )
    lab.page.wait_for_timeout(1000)
    kept = objects(lab, own["player"])
    assert kept["bodies"] == good["bodies"]
    assert "not finite: the last good frame is shown" in lab.cell(1).locator(".mbw-fault").inner_text()
    lab.python("player.time = 0.1")
    lab.page.wait_for_timeout(300)
    assert objects(lab, own["player"])["fault"] == ""
    assert lab.cell(1).locator(".mbw-fault").inner_text() == ""
    assert lab.errors == []


HOSTILE = [
    "<img src=x onerror='window.pwned=1'>",
    "<script>window.pwned=1</script>",
    "<svg onload=window.pwned=1>",
    '"><img src=x onerror=window.pwned=1>',
    "$\\href{javascript:window.pwned=1}{x}$",
    "\\(\\class{x}{y}\\)",
    "<iframe srcdoc='<script>parent.pwned=1</script>'>",
    "{{constructor.constructor('window.pwned=1')()}}",
    "<math><mtext><img src=x onerror=window.pwned=1>",
    "</textarea><script>window.pwned=1</script>",
]


def test_hostile_names_do_not_execute_in_the_page(lab: Lab) -> None:
    names = [f"{text}{k}" for k in range(5) for text in HOSTILE]
    cell = (
        f"names = {names!r}\n"
        "masses = [mb.Parameter(f'm{k}', 1.0, unit=name) for k, name in enumerate(names)]\n"
        "model = mb.Model([mb.Body('a', mb.Revolute('x'), mass=sum(masses), com=(0, 1, 0), inertia=(1, 1, 1))],"
        " name=names[0])\n"
        "view = mb.Explorer(model, duration=1, presets=dict.fromkeys(names, model)); view"
    )
    show(lab, cell)
    lab.python("for name in names: view.health.show(view.motion, name)\nview.formulae._text.value = ''.join(names[:0])")
    lab.python(
        "from mbwidgets.widgets.base.lifetime import escape\nview.formulae._text.value = ' '.join(map(escape, names))"
    )
    lab.cell(1).get_by_role("tab", name="Model").click()
    lab.cell(1).get_by_role("button", name="Python").click()
    lab.python("for name in names: view.text.save('/nowhere/' + name)")
    lab.python("for name in names: view.plot.title = view.plot.unit = view.plot.note = name; view.plot.version += 1")
    lab.python("for name in names: view.readout.title = name; view.readout.missing = dict.fromkeys(view.vectors, name)")
    lab.cell(1).get_by_role("tab", name="Plots").click()
    lab.python("for name in names: view.plot.names = [name] * len(view.plot.names); view.plot.version += 1")
    lab.page.wait_for_timeout(800)
    assert lab.page.evaluate("() => window.pwned") is None
    assert names[0] in lab.cell(1).locator(".mbw-unit").first.inner_text()
    assert lab.cell(1).locator("iframe, .mbw-controls img, .mbw-controls svg").count() == 0
    assert lab.errors == []


@pytest.mark.thorough
def test_every_control_has_a_name_and_takes_the_keyboard(lab: Lab) -> None:
    show(lab)
    unnamed = lab.cell(1).evaluate(
        """cell => [...cell.querySelectorAll(".mbw-controls, .mbw-timeline, .mbw-readout")]
            .flatMap((part) => [...part.querySelectorAll("input, button, select")])
            .filter((node) => !node.getAttribute("aria-label")).map((node) => node.outerHTML)"""
    )
    assert unnamed == []
    slider = lab.cell(1).get_by_role("slider", name="m2", exact=True)
    slider.press("ArrowRight")
    lab.page.wait_for_timeout(300)
    stepped = float(lab.python("print(view.model.values['m2'])"))
    assert stepped > 5
    box = lab.cell(1).get_by_label("m2, number")
    box.fill("12.345")
    box.press("Enter")
    lab.page.wait_for_timeout(300)
    assert float(lab.python("print(view.model.values['m2'])")) == 12.345
    lab.cell(1).get_by_role("button", name="Reset m2", exact=True).click()
    lab.page.wait_for_timeout(300)
    assert lab.python("print(view.model.values['m2'])") == "5.0"
    lab.cell(1).get_by_text("Choose vectors").click()
    lab.cell(1).get_by_role("checkbox", name="Draw momentum").check()
    lab.page.wait_for_timeout(400)
    assert "momentum" in lab.python("print(view.vectors)")
    assert lab.errors == []


BOLD = """async (manager, id) => {
    const player = await manager.get_model(id);
    const one = (item) => manager.get_model(item.replace("IPY_MODEL_", ""));
    const arrows = await Promise.all(player.get("arrows").map(one));
    return arrows.map(({ obj }, k) => [player.get("quantities")[k], obj.children[0].scale.x / player.get("head")]);
}"""


@pytest.mark.thorough
def test_a_line_of_a_formula_lights_its_arrow_and_the_reverse(lab: Lab) -> None:
    own = show(lab, SHOW.replace("'moment')", "'static force', 'kinetic force')"))
    lab.python(
        "view.formulae.kind = 'reaction force'; view.formulae.form = 'both'; view.time = 1.0; view._sizes.value = 2.0"
    )
    line = lab.cell(1).locator(".mbw-formulae [data-key='kinetic force']")
    line.wait_for(timeout=20_000)
    lab.page.wait_for_timeout(1000)
    usual = dict(lab.widgets(BOLD, own["player"]))
    assert bright_lines(lab) == []
    for point, leave in ((line.hover, lambda: lab.page.mouse.move(5, 5)), (line.focus, line.blur)):
        point()
        lab.page.wait_for_timeout(300)
        lit = dict(lab.widgets(BOLD, own["player"]))
        assert lit["kinetic force"] > 1.3 * usual["kinetic force"]
        assert [lit[key] for key in lit if key != "kinetic force"] == pytest.approx(
            [usual[key] for key in lit if key != "kinetic force"]
        )
        assert bright_lines(lab) == ["kinetic force"]
        lab.screenshot("lit", lab.cell(1))
        leave()
        lab.page.wait_for_timeout(300)
        assert dict(lab.widgets(BOLD, own["player"])) == pytest.approx(usual)
        assert bright_lines(lab) == []

    row = lab.cell(1).locator(".mbw-readout tr[data-key='static force']")
    row.hover()
    lab.page.wait_for_timeout(300)
    assert "mbw-bright" in lab.cell(1).locator(".mbw-formulae [data-key='static force']").get_attribute("class")
    lab.page.mouse.move(5, 5)
    lab.page.wait_for_timeout(300)

    canvas = lab.page.locator("canvas").first
    for key in ("kinetic force", "static force"):
        canvas.scroll_into_view_if_needed()
        lab.page.mouse.move(*alone(lab, key))
        lab.page.wait_for_timeout(400)
        assert highlight(lab, own) == key
        assert bright_lines(lab) == [key]
        thick = dict(lab.widgets(BOLD, own["player"]))
        assert [name for name in thick if thick[name] > 1.3 * usual[name]] == [key]
    box = canvas.bounding_box()
    lab.page.mouse.move(box["x"] + 3, box["y"] + 3)
    lab.page.wait_for_timeout(400)
    assert highlight(lab, own) == ""
    assert bright_lines(lab) == []
    assert dict(lab.widgets(BOLD, own["player"])) == pytest.approx(usual)
    assert lab.errors == []


def highlight(lab: Lab, own: dict[str, str]) -> str:
    return lab.widgets("async (m, id) => (await m.get_model(id)).get('highlight')", own["player"])


def bright_lines(lab: Lab) -> list[str]:
    """The lines of the formula that are lit, by their quantities."""
    lines = lab.cell(1).locator(".mbw-formulae .mbw-bright")
    return [lines.nth(k).get_attribute("data-key") for k in range(lines.count())]


ENDS = """
import json, numpy as np
player, frame = view.picture.player, view.motion.index(view.time)
rows = np.frombuffer(player.vectors, dtype='f4').reshape(len(view.motion), -1, 6)[frame].astype(float)
ends = [[list(row[:3]), list(row[:3] + length * row[3:])] for row, length in zip(rows, player.lengths)]
print(json.dumps([list(player.quantities), ends, view.picture.stage.camera.model_id]))
"""


def alone(lab: Lab, key: str) -> tuple[float, float]:
    """Where in the page an arrow is farthest from the others."""
    keys, ends, camera = json.loads(lab.python(ENDS))
    box = lab.page.locator("canvas").first.bounding_box()
    spots = np.array([np.linspace(*pair, 21) for pair in np.array(ends)])
    seen = np.array([[lab.widgets(PIXEL, [camera, list(spot)]) for spot in line] for line in spots])
    seen = np.array([box["x"], box["y"]]) + seen * np.array([box["width"], box["height"]])
    mine = seen[keys.index(key)]
    others = np.concatenate([line for name, line in zip(keys, seen, strict=True) if name != key])
    far = np.linalg.norm(mine[:, None] - others, axis=2).min(axis=1)
    best = int(far.argmax())
    assert far[best] > 8, f"{key} lies on another arrow: {far[best]:.1f} pixels"
    return float(mine[best][0]), float(mine[best][1])


PIXEL = """async (manager, [id, point]) => {
    const camera = (await manager.get_model(id)).obj;
    const seen = camera.position.clone().set(...point).project(camera);
    return [(1 + seen.x) / 2, (1 - seen.y) / 2];
}"""


def double_click(lab: Lab, point: list[float]) -> None:
    """Click twice where a point of space is seen."""
    x, y = lab.widgets(PIXEL, [lab.python("print(view.picture.stage.camera.model_id)"), point])
    canvas = lab.page.locator("canvas").first
    box = canvas.bounding_box()
    canvas.dblclick(position={"x": x * box["width"], "y": y * box["height"]})
    lab.page.wait_for_timeout(700)


# A point near the end of a joint's pin, at the time that is shown; the end that looks at the camera.
PIN = """
import numpy as np
from mbwidgets.numeric.base.rotations import rotation_matrices
from mbwidgets.scene.look.shell import Role
from mbwidgets.scene.quantities.motion_quantities import axis
index, frame = view.model.index({name!r}), view.motion.index(view.time)
parent, shell = view.model.parents[index], view.picture.composition.joints[index]
points = shell.points[shell.roles == Role.PIN]
if parent >= 0:
    points = points @ rotation_matrices(view.motion.poses[1][frame, parent]).T + view.motion.poses[0][frame, parent]
along = axis(view.motion, index)[frame]
heights = np.sign(along @ (view.picture.stage.camera.position - points.mean(axis=0))) * points @ along
end = points[heights > heights.max() - 0.02 * np.ptp(heights)].mean(axis=0)
print(list(map(float, end)))
"""
IN_SIGHT = """(node) => {
    const [own, list] = [node.getBoundingClientRect(), node.closest(".mbw-controls").getBoundingClientRect()];
    return own.height > 0 && own.top >= list.top - 1 && own.bottom <= list.bottom + 1;
}"""


@pytest.mark.thorough
def test_a_double_click_selects_a_body_or_a_joint(lab: Lab) -> None:
    show(lab)
    fold = lab.cell(1).locator(".mbw-controls details", has=lab.page.get_by_text("Joint", exact=True))
    double_click(lab, [0, 0, 0.15])
    assert lab.python("print(view.selected)") == "base"
    assert lab.cell(1).get_by_text("Vectors of base").is_visible()
    assert fold.get_attribute("open") is None, "a body was picked, not its joint"

    # the group before it fills the list: the joint's sliders would be out of sight
    lab.cell(1).get_by_text("Mass and inertia", exact=True).click()
    for name in ("upper", "base"):
        double_click(lab, json.loads(lab.python(PIN.format(name=name))))
        assert lab.python("print(view.selected)") == name
        assert lab.cell(1).get_by_text(f"Vectors of {name}").is_visible()
        assert fold.get_attribute("open") is not None
        assert fold.locator("summary").evaluate(IN_SIGHT), "its group is out of sight"
        azimuth = lab.cell(1).get_by_role("slider", name="azimuth of e", exact=True)
        assert azimuth.evaluate(IN_SIGHT), "its sliders are out of sight"
    lab.screenshot("joint", lab.cell(1))

    # what was picked last can be picked again after another choice, and after its group was left
    lab.python("view.selected = 'fore'")
    lab.cell(1).get_by_text("Vectors of fore").wait_for()
    lab.page.wait_for_timeout(700)  # the camera may step back for its arrows
    lab.cell(1).locator(".mbw-controls").evaluate("node => { node.scrollTop = 0; }")
    x, y, z = json.loads(lab.python(PIN.format(name="base")))
    double_click(lab, [x, y, z - 2e-3])
    assert lab.python("print(view.selected)") == "base"
    assert fold.locator("summary").evaluate(IN_SIGHT)

    # a script unfolds groups, too
    lab.python("view.controls.opened = ['Gravity']")
    lab.page.wait_for_timeout(500)
    assert lab.cell(1).locator(".mbw-controls details[open] summary").all_inner_texts() == ["Gravity"]
    assert lab.errors == []


@pytest.mark.thorough
def test_a_reloaded_page_comes_back_right(lab: Lab) -> None:
    own = show(lab)
    lab.python("view.time = 2.0")
    lab.page.wait_for_timeout(300)
    canvas = lab.page.locator("canvas").first
    box = canvas.bounding_box()
    lab.page.mouse.move(box["x"] + 30, box["y"] + 200)  # beside the bodies, which a hand would take
    lab.page.mouse.down()
    lab.page.mouse.move(box["x"] + 150, box["y"] + 240, steps=4)
    lab.page.mouse.up()
    lab.page.mouse.move(5, 5)
    lab.page.wait_for_timeout(1000)
    before, seen = objects(lab, own["player"]), lab.pixels(canvas)
    lab.page.evaluate("() => window.jupyterapp.commands.execute('docmanager:save')")
    lab.page.wait_for_timeout(500)
    lab.page.reload()
    lab.page.locator(".jp-NotebookPanel").wait_for(timeout=30_000)
    lab.page.locator(".mbw-scale").first.wait_for(timeout=30_000)  # they come with the first picture
    lab.page.wait_for_timeout(1000)
    lab.python("from IPython.display import display")
    after = objects(lab, own["player"])
    assert after["bodies"] == before["bodies"]
    assert after["arrows"] == before["arrows"]
    again = lab.pixels(lab.page.locator("canvas").first)
    lab.screenshot("reloaded")
    assert again.shape == seen.shape
    # the camera, the arrows and the time are as they were: no more changes than the edges of letters
    assert (np.abs(again - seen).max(axis=2) > 0.1).mean() < 0.01
    assert lab.errors == []
