import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { fieldFor, wishOf } from "../../mbwidgets/widgets/parts/lecture.js";
import { near } from "./near.mjs";

describe("a lecture", () => {
  test("shows as much in the free part of a screen as the picture did, of any shape", () => {
    const half = (field) => Math.tan((field * Math.PI) / 360);
    // pixels of the free part's height and width, over those of the picture's own
    const shown = (free, whole) => {
      const upright = (half(fieldFor(26, 1.65, free, whole)) * free[1]) / whole[1];
      return [upright / half(26), (upright * free[0]) / free[1] / (1.65 * half(26))];
    };
    near(shown([1200, 1000], [1200, 1000]), [1.65 / 1.2, 1], 1e-12);
    near(shown([1900, 1000], [1900, 1000]), [1, 1.9 / 1.65], 1e-12);
    near(shown([700, 600], [1024, 700]), [(1.65 * 600) / 700, 1], 1e-12);
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
