import assert from "node:assert/strict";
import { test } from "node:test";
import {
  barInk,
  barsOf,
  cornerBox,
  forceSum,
  otherCorner,
  ownersOf,
  ScaleBars,
  striped,
} from "../../mbwidgets/scene/page/scale_bars.js";
import { rungBelow } from "../../mbwidgets/scene/page/shared/ticks.js";
import { openPage } from "./page.mjs";

test("a rung is 1, 2 or 5 of a decade, and not above what was asked", () => {
  assert.deepEqual([1, 1.99, 2, 4.9, 5, 9.9, 0.03, 1e-12].map(rungBelow), [1, 1, 2, 2, 5, 5, 0.02, 1e-12]);
});

test("arrows of one unit and one scale have one bar, in the colours of all of them", () => {
  const bars = barsOf(["N", "N", "N m", ""], ["red", "brown", "pink", "grey"], [0.01, 0.01, 0.05, 0.3], 100);
  assert.deepEqual(
    bars.map((bar) => [bar.value, bar.unit, bar.colours]),
    [
      [100, "N", ["red", "brown"]],
      [20, "N m", ["pink"]],
    ],
  );
});

test("a bar has the colour of its arrows, or none of theirs where they have several", () => {
  assert.equal(barInk({ colours: ["red"] }), "red");
  assert.equal(barInk({ colours: ["red", "brown"] }), "#5b6672");
});

test("the bodies that arrows act on are named once each; directions and arrows of no body name none", () => {
  const rod = ["rod", "#dcc9a3"];
  assert.deepEqual(ownersOf(["", "N", "N m", "N"], [["crank", "blue"], rod, rod, ["", ""]]), {
    words: "arrows act on",
    bodies: [{ name: "rod", colour: "#dcc9a3" }],
  });
  assert.equal(ownersOf(["m/s²"], [rod]).words, "arrows of");
  assert.equal(ownersOf(["", "N"], [rod]), null);
});

test("a bar is as long as an arrow of its value", () => {
  const [bar] = barsOf(["N"], ["red"], [0.004], 130);
  assert.equal(bar.pixels, bar.value * 0.004 * 130);
  assert.ok(bar.pixels <= 110 && bar.pixels > 44);
});

test("what has no length has no bar", () => {
  assert.deepEqual(barsOf(["N", "N"], ["red", "red"], [0, undefined], 100), []);
});

test("bars go to another corner where bodies stand in theirs, and stay where it is free or no other is", () => {
  const cover =
    (...shares) =>
    (corner) =>
      shares[corner];
  assert.equal(otherCorner(0, cover(0.3, 0, 0)), 2);
  assert.equal(otherCorner(1, cover(0, 0.3, 0)), 0);
  assert.equal(otherCorner(0, cover(0.3, 0, 0.1)), 1);
  assert.equal(otherCorner(0, cover(0.3, 0.1, 0.1)), 0);
  assert.equal(otherCorner(1, cover(0, 0, 0)), 1);
  const picture = { clientWidth: 640, clientHeight: 470 };
  assert.deepEqual(cornerBox(0, 100, 40, picture), { x: 60, y: 440, w: 100, h: 40 });
  assert.deepEqual(cornerBox(1, 100, 40, picture), { x: 580, y: 440, w: 100, h: 40 });
  assert.deepEqual(cornerBox(2, 100, 40, picture), { x: 60, y: 98, w: 100, h: 40 });
});

test("tails and arrows that are too short are told in words, with their symbols and amounts", () => {
  openPage();
  const bars = new ScaleBars();
  const paper = { getStyle: () => "white", clone: () => paper, set: () => paper, lerp: () => paper, r: 1, g: 1, b: 1 };
  const unseen = [{ how: "short", text: "G", colour: "brown", amount: "20\u00a0N" }];
  const past = [{ words: "trace of", text: "F_R", colour: "red" }];
  bars.write([], null, unseen, past, paper, false);
  const told = bars.layer.children.map((row) => row.textContent);
  assert.deepEqual(told, ["trace ofFR", "too short to see:G20\u00a0N"]);
});

test("a body that arrows act on is written beside a dot of its colour", () => {
  openPage();
  const bars = new ScaleBars();
  const paper = { getStyle: () => "white", clone: () => paper, set: () => paper, lerp: () => paper, r: 1, g: 1, b: 1 };
  const owners = { words: "arrows act on", bodies: [{ name: "rod", colour: "#dcc9a3" }] };
  bars.write([], owners, [], [], paper, false);
  const [row] = bars.layer.children;
  assert.equal(row.textContent, "arrows act onrod");
  assert.equal(row.children[1].style.background, "#dcc9a3");
});

const ARROWS = [
  { key: "force", unit: "N", owner: "rod", text: "F_R", colour: "red" },
  { key: "carried force", unit: "N", owner: "rod", text: "\u2212F_R3", colour: "orange" },
  { key: "weight", unit: "N", owner: "rod", text: "G", colour: "brown" },
  { key: "acceleration", unit: "m/s²", owner: "rod", text: "a_C", colour: "green" },
];
const ON_ROD = [["rod", ["force", "carried force", "weight"]]];
const textOf = (pieces) => pieces?.map(({ text }) => text).join("") ?? null;

test("all forces on a body and its acceleration are written as the sum that they are, as force_sum of Python does", () => {
  assert.equal(textOf(forceSum(ARROWS, ON_ROD)), "F_R \u2212 F_R3 + G = m a_C");
  assert.equal(forceSum(ARROWS, ON_ROD).at(-1).colour, "green");
  assert.equal(forceSum(ARROWS.slice(1), ON_ROD), null, "a force is missing");
  assert.equal(forceSum(ARROWS.slice(0, 3), ON_ROD), null, "no acceleration is drawn");
  assert.equal(forceSum([...ARROWS, { ...ARROWS[0], owner: "crank" }], ON_ROD), null, "two bodies");
  const many = [...ARROWS, ...Array(4).fill(ARROWS[2])];
  assert.equal(textOf(forceSum(many, ON_ROD)), "Σ F = m a_C");
});

test("a bar is striped in the colours of its arrows", () => {
  assert.equal(striped(["red", "blue"]), "linear-gradient(to right, red 0% 50%, blue 50% 100%)");
});
