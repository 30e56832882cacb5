import assert from "node:assert/strict";
import { test } from "node:test";
import { cornersAbout, extentOf } from "../../mbwidgets/scene/page/body_cover.js";
import { shadowBox } from "../../mbwidgets/scene/page/soft_shadow.js";

// Random numbers that are the same in every run.
function numbers(seed) {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
}

test("the part of the ground that shadows cover has the shadow of every point, and no room to spare about a flat one", () => {
  const random = numbers(7);
  for (let round = 0; round < 200; round++) {
    const slant = [2 * random() - 1, 2 * random() - 1];
    const area = [random(), random(), 4, random() - 1.2]; // some bodies go through the ground
    const array = Float32Array.from({ length: 60 }, () => 2 * random() - 1);
    const corners = cornersAbout(extentOf({ attributes: { position: { array, version: 0 } } }));
    const box = shadowBox([corners], slant, area);
    for (let k = 0; k < array.length; k += 3) {
      const high = Math.max(array[k + 2] - area[3], 0);
      for (const i of [0, 1]) {
        const at = 0.5 + (array[k + i] - high * slant[i] - area[i]) / (2 * area[2]);
        assert.ok(at >= box[i] && at <= box[i + 2]);
      }
    }
  }
  const flat = cornersAbout({ low: [-1, -1, 0], high: [1, 1, 0] });
  const wide = 0.25 + 0.022 + 0.008; // half a body of half the picture, as far as it is blurred, and a pixel
  const box = shadowBox([flat], [1, 1], [0, 0, 2, 0]);
  assert.ok(box.every((value, k) => Math.abs(value - (k < 2 ? 0.5 - wide : 0.5 + wide)) < 1e-12));
  assert.deepEqual(shadowBox([flat], [0, 0], [0, 0, 0.5, 0]), [0, 0, 1, 1], "no more than the picture");
});

test("where nothing casts a shadow none is laid", () => {
  const [left, low, right, high] = shadowBox([], [0, 0], [0, 0, 1, 0]);
  assert.ok(left >= right && low >= high);
});
