import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { BodyCover, middleOf, surfacePoints } from "../../mbwidgets/scene/page/body_cover.js";
import { candidates, lengthInside, overlap, placeLabels } from "../../mbwidgets/scene/page/label_places.js";
import { howSeen } from "../../mbwidgets/scene/page/label_scene.js";
import { rowsOf, snapped } from "../../mbwidgets/scene/page/labels.js";
import { near } from "./near.mjs";

const CASES = JSON.parse(readFileSync(new URL("./label_places.json", import.meta.url), "utf8"));
const room = { width: 400, height: 300 };
const item = { tip: [200, 150], way: [1, 0], w: 20, h: 20 };

describe("labels are placed", () => {
  test("where those of stills are: the numbers are those of Python", () => {
    for (const { items, lines, spots, body, places } of CASES) {
      const [left, top, right, low] = body;
      const solid = { x: (left + right) / 2, y: (top + low) / 2, w: right - left, h: low - top };
      const covered = (box) => overlap(box, solid) / (box.w * box.h);
      const found = placeLabels(items, { ...room, lines, spots, covered });
      for (const [k, { x, y }] of found.entries()) near([x, y], places[k], 1e-5);
    }
  });

  test("six pixels beyond the tip, where nothing is in the way", () => {
    const [{ x, y }] = placeLabels([item], room);
    near([x, y], [216, 150]);
  });

  test("not on each other, nor on heads and mass centres, while there is room", () => {
    const crowd = Array.from({ length: 5 }, () => item);
    const spots = [{ x: 216, y: 150, w: 14, h: 14 }];
    const found = placeLabels(crowd, { ...room, spots });
    found.forEach((one, k) => {
      assert.equal(overlap(one, spots[0]), 0);
      for (const other of found.slice(0, k)) assert.equal(overlap(one, other), 0);
    });
  });

  test("inside the picture, whatever is at the edge", () => {
    for (const tip of [
      [399, 150],
      [1, 1],
      [200, 299],
    ]) {
      const [{ x, y }] = placeLabels([{ ...item, tip }], room);
      assert.ok(x >= 13 && x <= 387 && y >= 13 && y <= 287, `${x}, ${y}`);
    }
  });

  test("as in the picture before, where another place is hardly better", () => {
    const other = candidates(item).findIndex(([x]) => x < 200);
    assert.equal(placeLabels([{ ...item, kept: other }], room)[0].number, other);
    const spots = [{ x: candidates(item)[other][0], y: candidates(item)[other][1], w: 14, h: 14 }];
    assert.equal(placeLabels([{ ...item, kept: other }], { ...room, spots })[0].number, 0);
  });
});

test("a line is measured inside a box only", () => {
  const box = { x: 5, y: 5, w: 10, h: 10 };
  assert.equal(lengthInside([-5, 5], [15, 5], box), 10);
  assert.equal(lengthInside([5, 2], [5, 4], box), 2);
  assert.equal(lengthInside([-5, 20], [15, 20], box), 0);
  near([lengthInside([0, 0], [20, 20], box)], [10 * Math.SQRT2]);
});

test("an arrow of less than six pixels is a dot, and it is told whether it is short or points at the camera", () => {
  assert.equal(howSeen([0, 0], [10, 0], 10), "seen");
  assert.equal(howSeen([0, 0], [9.9, 0], 9.9), "short");
  assert.equal(howSeen([0, 0], [1, 0], 60), "end-on");
});

test("rows of letters are above, on and below the line", () => {
  assert.deepEqual(rowsOf("F_R₂"), [
    ["F", 0],
    ["R2", -1],
  ]);
  assert.deepEqual(rowsOf("ℜ₂ʳ³"), [
    ["ℜ", 0],
    ["2", -1],
    ["r3", 1],
  ]);
});

test("a label begins where a pixel of the screen does", () => {
  for (const ratio of [1, 1.25, 2]) {
    const begin = (10.3 + snapped(7.77, 10.3, ratio)) * ratio;
    near([begin], [Math.round(begin)], 1e-9);
  }
});

describe("what bodies cover", () => {
  const square = new Float32Array([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]);
  const faces = [0, 1, 2, 0, 2, 3];
  const geometry = {
    attributes: { position: { array: square, version: 0 } },
    index: { array: faces },
  };
  // a camera whose square is that of the world, with a body of half its width in the middle
  const matrix = (elements) => ({
    elements,
    clone: () => matrix([...elements]),
    multiplyMatrices(_, other) {
      this.elements = other.elements;
      return this;
    },
  });
  const half = matrix([0.5, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);

  test("points lie on the surface, spread by area", () => {
    const points = surfacePoints(square, faces, 400);
    const quarter = [0, 0, 0, 0];
    for (let k = 0; k < points.length; k += 3) {
      assert.ok(Math.abs(points[k]) <= 1 && Math.abs(points[k + 1]) <= 1 && points[k + 2] === 0);
      quarter[(points[k] > 0 ? 1 : 0) + (points[k + 1] > 0 ? 2 : 0)]++;
    }
    // a hundred in each quarter, but for a tenth
    for (const count of quarter) assert.ok(Math.abs(count - 100) < 10, String(quarter));
    assert.equal(surfacePoints(new Float32Array(9), null).length, 0);
  });

  test("a box over a body is covered, one beside it is not", () => {
    const cover = new BodyCover(240, 240).add([{ geometry, matrixWorld: half }], matrix(half.elements));
    assert.equal(cover.share({ x: 120, y: 120, w: 40, h: 40 }), 1);
    assert.equal(cover.share({ x: 30, y: 120, w: 40, h: 40 }), 0);
    near([cover.share({ x: 60, y: 120, w: 96, h: 40 })], [0.5], 0.13);
  });

  test("the middle of a mark is that of its box", () => {
    const array = new Float32Array([1, 2, 3, 3, 2, 1]);
    near(middleOf({ attributes: { position: { array, version: 0 } } }), [2, 2, 2]);
  });
});
