import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isForPage, keepKeysInViews, turnedAbout } from "../../mbwidgets/scene/page/manners.js";
import { near } from "./near.mjs";

describe("keys in a view", () => {
  const attributes = {};
  const inView = {
    closest: () => ({}),
    setAttribute: (name, value) => {
      attributes[name] = value;
    },
    removeAttribute: (name) => delete attributes[name],
  };
  let hear = null;
  const page = {
    addEventListener: (name, listener, { capture }) => {
      assert.ok(name === "keydown" && capture && !hear, "once, and before JupyterLab");
      hear = listener;
    },
  };

  test("are its own, but those with Ctrl are the notebook's", () => {
    keepKeysInViews(page);
    keepKeysInViews(page);
    hear({ target: inView, key: "d" });
    assert.equal(attributes["data-lm-suppress-shortcuts"], "true");
    hear({ target: inView, key: "s", ctrlKey: true });
    assert.equal("data-lm-suppress-shortcuts" in attributes, false);
    hear({ target: { closest: () => null }, key: "d" });
    assert.equal("data-lm-suppress-shortcuts" in attributes, false);
  });
});

describe("wheel and finger", () => {
  const canvas = {};

  test("are the page's until the stage has the focus, Ctrl is held, or two fingers are there", () => {
    assert.ok(isForPage({ ctrlKey: false }, canvas, null));
    assert.ok(isForPage({ touches: [1] }, canvas, {}));
    assert.ok(!isForPage({ ctrlKey: true }, canvas, null));
    assert.ok(!isForPage({}, canvas, canvas));
    assert.ok(!isForPage({ touches: [1, 2] }, canvas, null));
  });
});

describe("arrow keys on the stage", () => {
  test("turn the camera about the upright, at the same distance", () => {
    near(turnedAbout([3, 0, 0], [1, 0, 0], Math.PI / 2, 0), [1, 2, 0], 1e-12);
    const [x, y, z] = turnedAbout([2, 0, 1], [0, 0, 0], 0, -9);
    near([Math.hypot(x, y, z)], [Math.sqrt(5)], 1e-12);
    assert.ok(z > 0 && Math.hypot(x, y) > 0, "never straight above");
  });
});
