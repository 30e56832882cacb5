// The stage of a page turns with gravity, the shortest way.

import assert from "node:assert/strict";
import { test } from "node:test";
import { turnedUpright } from "../../mbwidgets/scene/page/live/framing.js";
import { principalAxes } from "../../mbwidgets/scene/page/shared/vectors.js";

const dot = (a, b) => a.reduce((sum, part, k) => sum + part * b[k], 0);
const near = (a, b, within = 1e-14) => assert.ok(Math.abs(a - b) < within, `${a} is not ${b}`);
const LEVEL = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
const UPS = [
  [0.6, 0, 0.8],
  [0, -1, 0],
  [2 / 3, -1 / 3, -2 / 3],
  [0, 0, -1],
  [0, 1e-9, -1],
];

function assertAxes(rows, up) {
  rows.forEach((row, k) => {
    rows.forEach((other, j) => {
      near(dot(row, other), Number(k === j), 1e-12);
    });
  });
  const [right, away, high] = rows;
  near(
    dot(right, [
      away[1] * high[2] - away[2] * high[1],
      away[2] * high[0] - away[0] * high[2],
      away[0] * high[1] - away[1] * high[0],
    ]),
    1,
    1e-12,
  );
  high.forEach((part, k) => {
    near(part, up[k], 1e-8);
  });
}

test("up is where it is wanted, and the axes stay right-handed and square", () => {
  for (const up of UPS) assertAxes(turnedUpright(LEVEL, up), up);
});

test("what is across the way stays: a plane mechanism is seen from where it was", () => {
  const [, away] = turnedUpright(LEVEL, [0.6, 0, 0.8]);
  assert.deepEqual(away, [0, 1, 0]);
});

test("principal axes make a tensor diagonal, by growing value", () => {
  const tensor = [0.3, 0.5, 0.2, -0.05, 0.08, 0.02];
  const times = ([x, y, z]) => {
    const [xx, yy, zz, xy, xz, yz] = tensor;
    return [xx * x + xy * y + xz * z, xy * x + yy * y + yz * z, xz * x + yz * y + zz * z];
  };
  const axes = principalAxes(tensor);
  const values = axes.map((axis) => dot(axis, times(axis)));
  assert.ok(values[0] < values[1] && values[1] < values[2]);
  near(values[0] + values[1] + values[2], 1, 1e-14);
  axes.forEach((axis, k) => {
    times(axis).forEach((part, j) => {
      near(part, values[k] * axis[j]);
    });
    assert.ok(axis[axis.map(Math.abs).indexOf(Math.max(...axis.map(Math.abs)))] > 0);
  });
});
