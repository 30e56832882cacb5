import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { triadOf } from "../../mbwidgets/scene/page/triad.js";
import { near } from "./near.mjs";

const FRONT = [
  [1, 0, 0],
  [0, 0, -1],
  [0, 1, 0],
];

describe("the world's axes in the corner", () => {
  test("lie as the camera sees them: right is right, up is up", () => {
    const [x, z] = [0, 2].map((axis) => triadOf(FRONT).find((item) => item.axis === axis));
    assert.ok(x.head[0][0] > x.neck[0]);
    near([x.head[0][1]], [x.neck[1]]);
    assert.ok(z.head[0][1] < z.neck[1]);
  });
  test("are rings where they are seen end-on, with a letter away from the others", () => {
    const y = triadOf(FRONT).find((item) => item.axis === 1);
    assert.equal(y.ring.coming, false);
    assert.ok(y.letter[0] < y.ring.middle && y.letter[1] > y.ring.middle);
  });
  test("are drawn from the farthest to the nearest", () => {
    const ways = [
      [0.7, 0, 0.7],
      [0, 1, 0],
      [-0.7, 0, -0.7],
    ];
    assert.deepEqual(
      triadOf(ways).map(({ axis }) => axis),
      [2, 1, 0],
    );
  });
});
