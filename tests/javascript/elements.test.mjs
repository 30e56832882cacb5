import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import {
  brighten,
  element,
  keepFocus,
  pointerIn,
  say,
  steady,
  unpressed,
} from "../../mbwidgets/scene/page/shared/elements.js";
import { Node, openPage } from "./page.mjs";

beforeEach(openPage);

test("an element has attributes, and its text is set as text", () => {
  const parent = new Node("div");
  const node = element("p", { class: "mbw-note", text: "<b>" }, parent);
  assert.deepEqual(parent.children, [node]);
  assert.equal(node.getAttribute("class"), "mbw-note");
  assert.equal(node.getAttribute("text"), null);
  assert.deepEqual(node.children, ["<b>"]);
});

test("the pointer is told in the units of a chart, wherever that stands and however large it is", () => {
  const chart = { getBoundingClientRect: () => ({ left: 100, top: 50, width: 200, height: 400 }) };
  assert.deepEqual(pointerIn(chart, { clientX: 150, clientY: 350 }, 860, 100), [215, 75]);
});

test("what is pointed at is bright, and nothing is where nothing is pointed at", () => {
  const parent = new Node("div");
  const rows = ["a", "b", ""].map((key) => {
    const node = element("tr", { "data-key": key }, parent);
    node.dataset.key = key;
    return node;
  });
  const bright = () => rows.map((row) => row.classList.has("mbw-bright"));
  brighten(parent, "b");
  assert.deepEqual(bright(), [false, true, false]);
  brighten(parent, "");
  assert.deepEqual(bright(), [false, false, false]);
  brighten(null, "a");
});

test("words beside what was typed replace each other and go", () => {
  const parent = new Node("div");
  say(parent, "one");
  say(parent, "two");
  assert.equal(parent.textContent, "two");
  assert.equal(parent.children[0].getAttribute("role"), "alert");
  say(parent, "");
  assert.deepEqual(parent.children, []);
});

describe("keepFocus", () => {
  const build = (parent, ...labels) => {
    parent.children = [];
    for (const label of labels) element("input", { "aria-label": label }, parent);
  };

  test("gives the focus to what has the label of what had it", () => {
    const parent = new Node("div");
    build(parent, "m", "m, number");
    parent.children[1].focus();
    keepFocus(parent, () => build(parent, "m", "m, number"));
    assert.equal(document.activeElement, parent.children[1]);
  });

  test("takes it from nobody else", () => {
    const [parent, elsewhere] = [new Node("div"), new Node("input")];
    elsewhere.setAttribute("aria-label", "m");
    elsewhere.focus();
    keepFocus(parent, () => build(parent, "m"));
    assert.equal(document.activeElement, elsewhere);
  });
});

describe("a table under a hand", () => {
  const pressed = () => {
    globalThis.window = new Node("window");
    const made = [];
    const el = new Node("div");
    const make = unpressed(el, () => made.push("made"));
    return { el, made, make, later: () => new Promise((done) => setTimeout(done)) };
  };

  test("is made anew at once where nobody presses it", () => {
    const { made, make } = pressed();
    make();
    assert.deepEqual(made, ["made"]);
  });

  test("waits for the click, and is made once", async () => {
    for (const end of ["pointerup", "pointercancel"]) {
      const { el, made, make, later } = pressed();
      el.dispatch("pointerdown");
      make();
      make();
      window.dispatch(end);
      el.dispatch("click"); // the browser's order: down, up, click
      assert.deepEqual(made, []);
      await later();
      assert.deepEqual(made, ["made"]);
      make();
      assert.deepEqual(made, ["made", "made"]);
    }
  });

  test("is left alone by a click that brings nothing", async () => {
    const { el, made, later } = pressed();
    el.dispatch("pointerdown");
    window.dispatch("pointerup");
    await later();
    assert.deepEqual(made, []);
  });
});

describe("a slider under a hand", () => {
  const slider = () => {
    const said = [];
    const range = new Node("input");
    steady(
      range,
      () => said.push("moved"),
      () => said.push("back"),
    );
    const at = (x, y) => ({ pointerType: "touch", clientX: x, clientY: y });
    return { range, said, at };
  };

  test("moves by a mouse at once", () => {
    const { range, said } = slider();
    range.dispatch("pointerdown", { pointerType: "mouse" });
    range.dispatch("input");
    assert.deepEqual(said, ["moved"]);
  });

  test("waits for a finger to go sideways", () => {
    const { range, said, at } = slider();
    range.dispatch("pointerdown", at(0, 0));
    range.dispatch("input");
    range.dispatch("pointermove", at(7, 0));
    assert.deepEqual(said, []);
    range.dispatch("pointermove", at(8, 0));
    range.dispatch("input");
    range.dispatch("pointerup", at(8, 0));
    assert.deepEqual(said, ["moved", "moved"]);
  });

  test("moves by a finger that is lifted on the spot", () => {
    const { range, said, at } = slider();
    range.dispatch("pointerdown", at(0, 0));
    range.dispatch("pointerup", at(0, 0));
    assert.deepEqual(said, ["moved"]);
  });

  test("goes back under a finger that scrolls the page", () => {
    for (const end of ["pointercancel", "pointerup"]) {
      const { range, said, at } = slider();
      range.dispatch("pointerdown", at(0, 0));
      range.dispatch("input");
      range.dispatch("pointermove", at(3, 20));
      range.dispatch(end, at(3, 20));
      assert.deepEqual(said, ["back"]);
    }
  });
});
