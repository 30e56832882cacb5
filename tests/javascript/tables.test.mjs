import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { shapeOf, stepOf } from "../../mbwidgets/widgets/parts/controls.js";
import { cellSize, shade, walk } from "../../mbwidgets/widgets/parts/heatmap.js";
import { blockOf, entry } from "../../mbwidgets/widgets/parts/matrices.js";
import { shortScale } from "../../mbwidgets/widgets/parts/readout.js";

describe("an entry of a matrix", () => {
  test("that is whole has no decimals", () => {
    assert.equal(entry(-3, 10), "−3");
    assert.equal(entry(0, 10), "0");
    assert.equal(entry(-0, 10), "0");
    assert.equal(entry(99999, 1e5), "99999");
  });

  test("that is not, or is large, is written as in the tables", () => {
    assert.equal(entry(-0.5, 10), "−0.5000");
    assert.equal(entry(100000, 1e5), "1.00e5");
    assert.equal(entry(1e-12, 10), "0");
    assert.equal(entry(Number.NaN, 10), "–");
  });
});

test("a cell belongs to the block that has its row and its column", () => {
  const [one, other] = [
    { rows: [0, 2], columns: [0, 3] },
    { rows: [2, 3], columns: [0, 3] },
  ];
  const item = { blocks: [one, other] };
  assert.equal(blockOf(item, 1, 2), one);
  assert.equal(blockOf(item, 2, 0), other);
  assert.equal(blockOf(item, 1, 3), undefined);
  assert.equal(blockOf(item, 3, 0), undefined);
});

describe("a map of a tensor", () => {
  test("is darker where the formula is longer, by its logarithm", () => {
    assert.equal(shade(0, 1, 100), 0);
    assert.equal(shade(1, 1, 100), 16);
    assert.equal(shade(10, 1, 100), 53);
    assert.equal(shade(100, 1, 100), 90);
  });

  test("has one shade where all are as long", () => assert.equal(shade(5, 5, 5), 46));

  test("is walked by keys", () => {
    const from = [1, 2, 3];
    const to = (key) => walk(key, from, 5, 3);
    assert.deepEqual(to("ArrowLeft"), [1, 2, 2]);
    assert.deepEqual(to("ArrowRight"), [1, 2, 4]);
    assert.deepEqual(to("ArrowUp"), [1, 1, 3]);
    assert.deepEqual(to("ArrowDown"), [1, 3, 3]);
    assert.deepEqual(to("Home"), [1, 2, 0]);
    assert.deepEqual(to("End"), [1, 2, 4]);
    assert.deepEqual(to("PageUp"), [0, 2, 3]);
    assert.deepEqual(to("PageDown"), [2, 2, 3]);
    assert.equal(to("a"), null);
  });

  test("goes past the edge of a panel to the next one, and not past the last", () => {
    assert.deepEqual(walk("ArrowLeft", [1, 2, 0], 5, 3), [0, 2, 4]);
    assert.deepEqual(walk("ArrowRight", [1, 2, 4], 5, 3), [2, 2, 0]);
    assert.deepEqual(walk("ArrowLeft", [0, 2, 0], 5, 3), [0, 2, -1]);
    assert.deepEqual(walk("ArrowRight", [2, 2, 4], 5, 3), [2, 2, 5]);
  });

  test("has smaller cells where there are more", () => {
    assert.deepEqual(
      [1, 10, 100].map((columns) => cellSize(1, columns)),
      [46, 33, 17],
    );
    assert.deepEqual(
      [1, 7, 100].map((columns) => cellSize(3, columns)),
      [25, 21, 15],
    );
  });
});

describe("rows of sliders", () => {
  test("have the step that is given, or a nice one of 300", () => {
    assert.equal(stepOf({ step: 0.25, low: 0, high: 10 }), 0.25);
    assert.equal(stepOf({ step: null, low: 0, high: 300 }), 1);
    assert.equal(stepOf({ step: null, low: 5, high: 5 }), 0.002); // as of a range of one
  });

  test("are the same things when only their numbers differ", () => {
    const row = { key: "m", title: "m", low: 0, high: 1, origin: 0.5 };
    assert.equal(shapeOf(row), shapeOf({ ...row, low: -1, high: 2, origin: 0 }));
    assert.notEqual(shapeOf(row), shapeOf({ ...row, title: "M" }));
  });
});

test("a scale is said in few letters, with the true minus", () => {
  assert.equal(shortScale(0.0123), "0.012");
  assert.equal(shortScale(1234567), "1.2e6");
  assert.equal(shortScale(0.00001234), "1.2e−5");
});
