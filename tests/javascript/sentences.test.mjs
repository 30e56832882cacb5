import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { overlap } from "../../mbwidgets/scene/page/label_places.js";
import { firstForce, peakOf, thinned } from "../../mbwidgets/scene/page/strip.js";
import { cornersOf, namePlaces, placing, viewRows } from "../../mbwidgets/widgets/parts/chains.js";
import { linesOf, plainText, unbroken } from "../../mbwidgets/widgets/parts/sentences.js";
import { barOf } from "../../mbwidgets/widgets/parts/terms.js";
import { barsOf } from "../../mbwidgets/widgets/parts/waterfall.js";
import { near } from "./near.mjs";

const GIVEN = JSON.parse(readFileSync(new URL("./sentences.json", import.meta.url), "utf8"));

describe("sentences that follow a motion", () => {
  test("are those of Python, of numbers of all sizes", () => {
    for (const { sentences, cases } of GIVEN)
      for (const { numbers, said } of cases) assert.deepEqual(linesOf(sentences, numbers).map(plainText), said);
  });

  test("keep a number and its unit in one line", () => {
    assert.equal(unbroken("with 224 N: the motion"), "with 224\u00a0N: the motion");
    assert.equal(unbroken("6 ways"), "6\u00a0ways");
    assert.equal(unbroken("m 2"), "m 2");
  });

  test("leave names as they stand", () => {
    const [{ sentences }] = GIVEN;
    const [line] = linesOf(sentences, [229.3, -1, 0.5, 1]);
    assert.deepEqual(line[0], ["strong", [["text", "a {0:N} *name* [x]"]]]);
  });
});

describe("bars under terms", () => {
  test("begin in the middle where there are numbers of both signs", () => {
    assert.deepEqual(barOf(-2, 4, true), { left: 25, width: 25 });
    assert.deepEqual(barOf(2, 4, false), { left: 0, width: 50 });
    assert.deepEqual(barOf(Number.NaN, 4, true), { left: 0, width: 0 });
  });
});

describe("polygons of vectors", () => {
  const rows = viewRows(
    [1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0],
    [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ],
  );

  test("have the camera's right and up", () => {
    near(rows.flat(), [1, 0, 0, 0, 0, 1]);
    near(cornersOf([3, 9, 4, -1, 0, 1], rows).flat(), [0, 0, 3, 4, 2, 5]);
  });

  test("have names beside them, off their ends and one another", () => {
    const points = [
      [150, 40],
      [60, 60],
      [60, 45],
      [60, 36],
    ];
    const links = ["m_{2}a_{C2}", "−G_2", "−G_3"].map((symbol) => ({ symbol }));
    const boxes = namePlaces(points, links, [0, 1, 2]);
    const ends = [points[0], points[3]].map(([x, y]) => ({ x, y, w: 8, h: 8 }));
    const all = [...boxes, ...ends];
    for (const [k, box] of boxes.entries())
      for (const other of all.slice(k + 1)) assert.ok(overlap(box, other) < 0.05 * box.w * box.h, `${k}`);
  });

  test("fill their picture, one scale both ways", () => {
    const place = placing(
      [
        [0, 0],
        [2, 1],
      ],
      { width: 200, height: 150, margin: 25 },
    );
    near([...place([0, 0]), ...place([2, 1])], [25, 112.5, 175, 37.5]);
  });
});

describe("the strip above the slider", () => {
  test("keeps the peaks of what it thins", () => {
    const values = Array.from({ length: 5000 }, (_, k) => (k === 1234 ? -9 : Math.sin(k)));
    const points = thinned(values, 100);
    assert.equal(points.length, 100);
    assert.ok(points.some(([k, value]) => k === 1234 && value === -9));
  });

  test("knows its peak, and that there is none", () => {
    assert.equal(peakOf([1, -5, Number.NaN, 2]), 1);
    assert.equal(peakOf([Number.NaN]), -1);
  });
});

describe("a waterfall", () => {
  test("goes up with what adds and comes down with what is taken, to the sum", () => {
    const bars = barsOf([3, -1, 5], 7);
    assert.deepEqual(bars, [
      [2, 0, 5],
      [0, 5, 8],
      [1, 8, 7],
    ]);
  });

  test("tells what has no bar of its own as one", () => {
    const parts = [8, 0.5, 0.25, -4];
    const bars = barsOf(parts, 4.75, 2);
    assert.deepEqual(
      bars.map(([row]) => row),
      [0, -1, 3],
    );
    assert.equal(bars[2][2], 4.75);
  });

  test("has no bar for what rounding leaves", () => {
    assert.equal(barsOf([0.1, 0.2], 0.30000001).length, 2);
  });
});

describe("the strip of a view without a quantity of its own", () => {
  test("is the size of the first force that is drawn", () => {
    const vectors = Float32Array.from([0, 0, 0, 9, 9, 9, 1, 1, 1, 3, 0, 4, 0, 0, 0, 9, 9, 9, 1, 1, 1, 0, 5, 12]);
    assert.deepEqual(firstForce(["kg m", "N"], vectors), { place: 1, values: Float32Array.from([5, 13]) });
    assert.equal(firstForce(["kg m", "rad/s"], vectors), null);
    assert.equal(firstForce(["N"], vectors.subarray(0, 7)), null);
  });
});
