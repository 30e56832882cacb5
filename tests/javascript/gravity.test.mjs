import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { arrowOf } from "../../mbwidgets/scene/page/gravity.js";
import { near } from "./near.mjs";

describe("the arrow of gravity", () => {
  test("points down where the camera stands upright, and is shorter where it looks from above", () => {
    const { begin, neck, head } = arrowOf([0, -0.95, -0.3]);
    near([begin[0]], [neck[0]]);
    assert.ok(head[0][1] > neck[1] && neck[1] > begin[1]);
    const lower = arrowOf([0, -0.6, -0.8]);
    assert.ok(lower.head[0][1] - lower.begin[1] < head[0][1] - begin[1]);
  });
  test("leans as the camera does", () => {
    const { begin, head } = arrowOf([0.5, -0.5, 0]);
    near([head[0][0] - begin[0]], [head[0][1] - begin[1]], 1e-13);
  });
  test("is a ring where it is seen end-on, which tells whether it comes or goes", () => {
    assert.equal(arrowOf([0, -0.1, -0.99]).ring.coming, false);
    assert.equal(arrowOf([0.05, 0, 0.99]).ring.coming, true);
  });
});
