import assert from "node:assert/strict";
import { test } from "node:test";
import { largestSizes } from "../../mbwidgets/scene/page/live/tables.js";
import { fanOf, rampColours } from "../../mbwidgets/widgets/parts/live_rotation.js";
import { writtenWords } from "../../mbwidgets/widgets/parts/live_words.js";

const RAMP = ["#000000", "#806040", "#FF0080"];

test("a speed has the colour of its logarithm, beyond the ends theirs", () => {
  const found = rampColours(RAMP, [1, 100], [0, 1, 10, 100, 1e9]);
  assert.deepEqual(found, [
    [0, 0, 0],
    [0, 0, 0],
    [128, 96, 64],
    [255, 0, 128],
    [255, 0, 128],
  ]);
  const [between] = rampColours(RAMP, [1, 100], [10 ** 0.5]);
  between.forEach((part, k) => {
    assert.ok(Math.abs(part - [64, 48, 32][k]) < 1e-9);
  });
});

test("a fan goes from the joint to neighbouring axes, as far as there is room", () => {
  const points = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  const colours = [
    [0, 0, 0],
    [255, 0, 0],
    [255, 255, 255],
  ];
  const { corners, tints } = fanOf([{ points, colours }], 2, 27);
  assert.deepEqual([...corners], [0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 0, 0, 2, 0, 0, 0, 2, ...Array(9).fill(0)]);
  assert.deepEqual([...tints.subarray(0, 9)], [0.5, 0, 0, 0, 0, 0, 1, 0, 0]);
  assert.deepEqual([...fanOf([{ points, colours }], 2, 9).corners], [0, 0, 0, 2, 0, 0, 0, 2, 0]);
});

test("words tell the largest sizes of all frames, and from a place on the numbers of the first", () => {
  const values = [1, -2, -3, 4, -5, 6, 7, 8];
  const [sizes] = largestSizes(values, 4, [{ first: 1, columns: 3, begins: 1 }]);
  assert.deepEqual(sizes, [6, -3, 4]);
  assert.deepEqual(largestSizes(values, 4, [{ first: 0, columns: 2 }]), [[5, 6]]);
  assert.equal(writtenWords("{1:4} and {2:4}", [0, -3.25, 4]), "−3.25 and 4");
});
