import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isDark, sceneryOf } from "../../mbwidgets/scene/page/paper.js";

const LIGHT = { sky: ["#fff", "#eee"], background: "#fafafa", radius: 2, dark: { sky: ["#000"], background: "#111" } };
const player = (follows, scenery = LIGHT) => ({ get: (name) => ({ follows, scenery })[name] });

describe("a page", () => {
  test("is dark where it says so, and nowhere else", () => {
    assert.equal(isDark({ dataset: { jpThemeLight: "false" } }), true);
    assert.equal(isDark({ dataset: { jpThemeLight: "true" } }), false);
    assert.equal(isDark({ dataset: {} }), false);
  });
});

describe("what is behind the mechanism", () => {
  test("follows a dark page, and keeps what is no colour", () => {
    const seen = sceneryOf(player(true), true);
    assert.equal(seen.background, "#111");
    assert.equal(seen.radius, 2);
  });

  test("is as it was told on a light page, or where a theme was chosen", () => {
    assert.equal(sceneryOf(player(true), false).background, "#fafafa");
    assert.equal(sceneryOf(player(false), true).background, "#fafafa");
  });

  test("of a page that was made before there was a dark is as it was", () => {
    assert.equal(sceneryOf(player(true, { background: "#fafafa" }), true).background, "#fafafa");
  });
});
