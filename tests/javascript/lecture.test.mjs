import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { fieldFor, wishOf } from "../../mbwidgets/widgets/parts/lecture.js";
import { near } from "./near.mjs";

describe("a lecture", () => {
  test("shows as much sideways on a narrower screen, and no less on a wider one", () => {
    const half = (field, aspect) => Math.tan((field * Math.PI) / 360) * aspect;
    near([half(fieldFor(26, 1.65, 1.2), 1.2)], [half(26, 1.65)], 1e-12);
    assert.equal(fieldFor(26, 1.65, 1.9), 26);
  });

  test("answers keys, but where somebody writes and keys of other programs", () => {
    assert.deepEqual(wishOf({ key: " " }, false), ["play"]);
    assert.deepEqual(wishOf({ key: "ArrowLeft" }, false), ["step", -1]);
    assert.deepEqual(wishOf({ key: "3" }, false), ["view", 2]);
    assert.deepEqual(wishOf({ key: "V" }, false), ["vectors"]);
    assert.equal(wishOf({ key: "3" }, true), null);
    assert.deepEqual(wishOf({ key: "Escape" }, true), ["leave"]);
    assert.equal(wishOf({ key: "f", ctrlKey: true }, false), null);
    assert.equal(wishOf({ key: "q" }, false), null);
  });
});
