import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  addToLegend,
  boxOf,
  drawLevels,
  drawUprights,
  pathThrough,
  scaleFrom,
} from "../../mbwidgets/scene/page/shared/curves.js";
import { rangeWithZero } from "../../mbwidgets/widgets/parts/chart.js";
import { branchPaths, tiltRange, tiltTicks } from "../../mbwidgets/widgets/parts/diagram.js";
import { boxFor, uprightsIn } from "../../mbwidgets/widgets/parts/fitted_box.js";
import { rangeWithMargin } from "../../mbwidgets/widgets/parts/plots.js";
import { longest } from "../../mbwidgets/widgets/parts/polar.js";
import { Node, openPage } from "./page.mjs";

const { NaN: NONE } = Number;

describe("boxFor", () => {
  test("gives a chart the width of its place, so that its text keeps its size, and never more or less than can be read", () => {
    const widths = [0, 100, 330, 599, 860, 2000].map((width) => boxFor(width, 60, 10, 10, 30).width);
    assert.deepEqual(widths, [860, 280, 320, 580, 860, 860]);
    for (const width of [300, 500, 860]) {
      const box = boxFor(width, 60, 10, 10, 30);
      assert.ok(width / box.width < 1.08, "no text is drawn smaller, nor much larger, than it is written");
      assert.ok(box.width / uprightsIn(box) >= 70, "numbers have room beside each other");
    }
  });
});

describe("scaleFrom", () => {
  test("takes one range to another, forwards and backwards", () => {
    assert.deepEqual([2, 3, 4, 6].map(scaleFrom(2, 4, 10, 30)), [10, 20, 30, 50]);
    assert.deepEqual([0, 5, 10].map(scaleFrom(10, 0, 8, 208)), [208, 108, 8]);
  });

  test("of an empty range is a number", () => assert.equal(scaleFrom(2, 2, 10, 30)(2), 10));
});

test("the box of a chart leaves room on all sides", () => {
  assert.deepEqual(boxOf(860, 250, 62, 10, 24, 34), {
    width: 860,
    height: 250,
    left: 62,
    right: 850,
    top: 24,
    bottom: 216,
  });
});

describe("axes", () => {
  const box = boxOf(100, 100, 20, 10, 5, 15);
  const drawn = (draw) => {
    openPage();
    const chart = new Node("svg");
    draw(chart);
    const parts = (tag) => chart.children.filter((node) => node.tag === tag);
    return { lines: parts("line").map((node) => node.attributes), texts: parts("text") };
  };

  test("have lines across the box, with numbers at their left", () => {
    const { lines, texts } = drawn((chart) => drawLevels(chart, box, (value) => 50 - value, [-10, 10]));
    assert.deepEqual(lines[0], { x1: "20", x2: "90", y1: "60", y2: "60", class: "mbw-grid" });
    assert.deepEqual(
      texts.map((node) => [node.textContent, node.attributes.x, node.attributes.y]),
      [
        ["−10", "14", "64"],
        ["10", "14", "44"],
      ],
    );
  });

  test("have upright lines, with numbers below, and what they are", () => {
    const { lines, texts } = drawn((chart) => drawUprights(chart, box, (value) => 20 + value, [5], "t, s"));
    assert.deepEqual(lines, [{ x1: "25", x2: "25", y1: "5", y2: "85", class: "mbw-grid" }]);
    assert.deepEqual(
      texts.map((node) => [node.textContent, node.attributes.x, node.attributes.y]),
      [
        ["5", "25", "100"],
        ["t, s", "90", "96"],
      ],
    );
  });

  test("a legend shows a line and its name, and hides the line from readers of the screen", () => {
    openPage();
    const legend = new Node("div");
    const item = addToLegend(legend, "q<1>", { stroke: "red" });
    assert.deepEqual(legend.children, [item]);
    assert.equal(item.textContent, " q<1> ");
    assert.equal(item.children[0].attributes["aria-hidden"], "true");
    assert.equal(item.children[0].children[0].attributes.stroke, "red");
  });
});

describe("pathThrough", () => {
  const path = (...points) => pathThrough(points.length, (k) => points[k]);

  test("moves to the first point and draws to the others", () => {
    assert.equal(path([0, 0], [1.25, 2], [3, -4.06]), "M0.0 0.0L1.3 2.0L3.0 -4.1");
  });

  test("lifts the pen where there is no number", () => {
    assert.equal(path([NONE, 0], [1, 1], [2, NONE], [3, 3], [4, 4]), "M1.0 1.0M3.0 3.0L4.0 4.0");
    assert.equal(path([0, 0], [1, Number.POSITIVE_INFINITY]), "M0.0 0.0");
  });

  test("through nothing is empty", () => assert.equal(path(), ""));
});

describe("ranges", () => {
  test("of a chart begin at zero or below, with room above", () => {
    assert.deepEqual(rangeWithZero([2, 4, NONE]), [0, 4.2]);
    assert.deepEqual(rangeWithZero([-1, 1]), [-1, 1.1]);
    assert.deepEqual(rangeWithZero([0, 0]), [0, 1]);
    assert.deepEqual(rangeWithZero([]), [0, 1]);
  });

  test("of a plot have a margin on either side, and are never empty", () => {
    assert.deepEqual(rangeWithMargin([10, 20, NONE], 0.1), [9, 21]);
    assert.deepEqual(rangeWithMargin([10, 20], 0), [10, 20]);
    assert.deepEqual(rangeWithMargin([-5, -5], 0.1), [-10, 0]);
    assert.deepEqual(rangeWithMargin([0], 0.1), [-1, 1]);
    assert.deepEqual(rangeWithMargin([NONE], 0.1), [-1, 1]);
  });

  test("of tilts go from zero or below to ten degrees or above", () => {
    assert.deepEqual(tiltRange([1, 2]), [0, 10.4]);
    const [low, high] = tiltRange([-50, 50]);
    assert.equal(high, 54);
    // 4 % of 104 below −50
    assert.ok(Math.abs(low + 54.16) < 1e-12);
  });
});

test("lines of tilts are round angles, and few", () => {
  assert.deepEqual(tiltTicks(0, 50), [0, 15, 30, 45]);
  assert.deepEqual(tiltTicks(-95, 95), [-90, -60, -30, 0, 30, 60, 90]);
  assert.deepEqual(tiltTicks(0, 187), [0, 30, 60, 90, 120, 150, 180]);
  assert.deepEqual(tiltTicks(-187, 187), [-180, -90, 0, 90, 180]);
});

describe("a branch", () => {
  const points = [0, 1, 2, 3, 4].map((k) => [k, 10 * k]);
  const place = ([x, y]) => [x, y];

  test("is cut where small motions begin to grow", () => {
    const { stable, unstable } = branchPaths({ points, grows: [false, false, true, true, true] }, place);
    assert.equal(stable, "M0.0 0.0L1.0 10.0L2.0 20.0");
    assert.equal(unstable, "M2.0 20.0L3.0 30.0L4.0 40.0");
  });

  test("goes on after a piece of the other kind with a new beginning", () => {
    const { stable, unstable } = branchPaths({ points, grows: [false, true, true, false, false] }, place);
    assert.equal(stable, "M0.0 0.0L1.0 10.0M2.0 20.0L3.0 30.0L4.0 40.0");
    assert.equal(unstable, "M1.0 10.0L2.0 20.0");
  });

  test("of one point is nothing", () => {
    assert.deepEqual(branchPaths({ points: [[0, 0]], grows: [true] }, place), { stable: "", unstable: "" });
  });
});

test("the longest of vectors is found, past those that are no numbers", () => {
  assert.deepEqual(longest([1, 0, NONE, 9, -3, 4, 0, 2]), [5, 2]);
  assert.deepEqual(longest([]), [0, 0]);
  assert.deepEqual(longest([0, 0]), [0, 0]);
});
