import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { arrayOf } from "../../mbwidgets/export/page/unpack.js";
import { realWaves } from "../../mbwidgets/scene/page/live/fourier.js";
import { frameOf, lowestHeight, outermost, viewpointOf } from "../../mbwidgets/scene/page/live/framing.js";
import { scientific } from "../../mbwidgets/scene/page/live/python_words.js";
import { rungAbove } from "../../mbwidgets/scene/page/shared/ticks.js";
import { carriersOf } from "../../mbwidgets/scene/page/skin.js";
import { csvText, parsedTexts, writtenTexts } from "../../mbwidgets/widgets/parts/live_file.js";
import { healthOf, healthTrouble, withHorizon } from "../../mbwidgets/widgets/parts/live_health.js";
import { pathOf, tracedArrows } from "../../mbwidgets/widgets/parts/live_looks.js";
import { near } from "./near.mjs";

const LIMITS = { size: 1, gone: 3, left: 1.2, room: 0.2, least: 0.4, origin: 0.05 };
const cube = Float32Array.from(
  [0, 1].flatMap((x) => [0, 1].flatMap((y) => [0, 1].flatMap((z) => [x - 0.5, y - 0.5, z - 0.5]))),
);
const atPlaces = (...places) => ({
  poses: Float32Array.from(places.flatMap((place) => [...place, 0, 0, 0, 1])),
  bodies: 1,
  count: places.length,
});
const box = [{ body: 0, places: cube }];

describe("the frame of a motion", () => {
  test("holds all that is drawn, over all frames", () => {
    const frame = frameOf(atPlaces([0, 0, 0], [1, 0, 0]), box, 0, LIMITS);
    near(frame.middle, [0.5, 0, 0]);
    near([frame.radius], [Math.hypot(1, 0.5, 0.5)]);
    assert.equal(frame.follow, null);
    assert.equal(frame.floor, true);
  });

  test("goes along with what runs away as a whole", () => {
    const frame = frameOf(atPlaces([0, 0, 0], [100, 0, 0]), box, 0, LIMITS);
    assert.equal(frame.floor, false);
    near(frame.follow.home, [0, 0, 0]);
    assert.ok(frame.radius < 3);
  });

  test("tells how low it comes", () => {
    near([lowestHeight(atPlaces([0, 0, 2], [0, 0, -1]), box, [0, 0, 1])], [-1.5]);
  });

  test("is seen whole by the camera", () => {
    const frame = { middle: [0, 0, 0], radius: 1, balls: [[0, 0, 0, 1]] };
    const upright = [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ];
    const { place, target } = viewpointOf(frame, [0, -1, 0], 1, { upright, slope: 1, close: 1 });
    near(target, [0, 0, 0]);
    near(place, [0, -Math.SQRT2, 0]); // the ball touches the sides of a right angle
  });

  test("outermost points are corners", () => assert.equal(new Set(outermost(cube).map(String)).size, 8));
});

test("what carries a mechanism follows its joint and the floor", () => {
  const table = (place) => Float32Array.from([0, 0, 0, ...place]);
  const floor = { up: [0, 0, 1], height: -2, made: -1 };
  const [joint, foot] = carriersOf([-1], table([0, 0, 0]), table([1, 0, 0]), floor);
  assert.deepEqual([joint.from, joint.to], [[0, 0, 0], [1, 0, 0]]); // biome-ignore format: from, to
  assert.deepEqual([foot.from, foot.to], [[0, 0, -1], [1, 0, -2]]); // biome-ignore format: from, to
});

test("waves of any number of values are those of the definition", () => {
  for (const n of [8, 15, 601]) {
    const values = Float64Array.from({ length: n }, (_, k) => Math.sin(0.7 * k) + (k % 3));
    const { re, im } = realWaves(values);
    assert.equal(re.length, Math.floor(n / 2) + 1);
    for (const wave of [0, 1, Math.floor(n / 2)]) {
      let [a, b] = [0, 0];
      values.forEach((value, k) => {
        const angle = (2 * Math.PI * ((k * wave) % n)) / n;
        a += value * Math.cos(angle);
        b -= value * Math.sin(angle);
      });
      assert.ok(Math.abs(re[wave] - a) < 1e-9 && Math.abs(im[wave] - b) < 1e-9);
    }
  }
});

describe("the line of health", () => {
  const words = {
    line: "<div>{}</div>",
    sound: "sound",
    alarm: "look here",
    good_below: 1e-6,
    drift: "energy drift {}",
    residual: "constraint residual {}",
    effort: "{}, {} evaluations",
    horizon: "known until t = {} s",
    page: "solved in this page",
    outcomes: { singular: "It is singular." },
  };
  const motion = {
    outcome: "completed",
    time: 1,
    sound: { drift: 2e-9, residual: null },
    method: "m",
    evaluations: 1234,
  };

  test("says what was found, as Python prints it", () => {
    assert.equal(
      healthOf(words, motion),
      "<div>sound · energy drift 2.0e−09 · m, 1,234 evaluations · solved in this page</div>",
    );
    assert.match(healthOf(words, { ...motion, outcome: "singular" }), /look here.*<b>It is singular. \(t = 1 s\)<\/b>/);
    assert.equal(scientific(1e-123, 1), "1.0e-123");
  });

  test("shows names as text", () => assert.match(healthTrouble(words, "<i>body</i>"), /&lt;i&gt;body/));

  test("tells the horizon once, whoever wrote the line", () => {
    const told = withHorizon(words, "<div>sound</div>", 13.5);
    assert.equal(told, '<div>sound · <span class="mbw-horizon">known until t = 13.5 s</span></div>');
    assert.equal(withHorizon(words, told, 13.5), told);
    assert.equal(withHorizon(words, told, Number.POSITIVE_INFINITY), "<div>sound</div>");
  });
});

test("a file that is read and written is the same", () => {
  const text = '{\n "name": "a \\"b\\" é",\n "list": [\n  1.0,\n  "1/3",\n  []\n ],\n "none": {}\n}';
  assert.equal(writtenTexts(parsedTexts(text)), text);
});

test("a table is written with all digits, and names as CSV has them", () => {
  const text = csvText(["t", 'q "a", b'], Float64Array.from([0, 0.1, 1, 1e-7]));
  assert.equal(text, 't,"q ""a"", b"\r\n0.0,0.1\r\n1.0,1e-07\r\n');
});

test("paths go with poses, and forces that stay the same leave no trace", () => {
  const turned = Float32Array.from([1, 0, 0, 0, 0, Math.SQRT1_2, Math.SQRT1_2]); // a quarter about z
  near([...pathOf(turned, 1, 0, [1, 0, 0])], [1, 1, 0], 1e-6);
  const vectors = Float32Array.from([0, 0, 0, 1, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 5, 0, 0]);
  assert.deepEqual(tracedArrows(vectors, [{ unit: "N" }, { unit: "N" }], 0.01), [0]);
});

test("arrays of shapes come back from their differences", () => {
  const whole = Uint8Array.from([0, 10, 1, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]); // 0, +5, −1, +2
  const found = new Uint32Array(arrayOf(whole, 4, { dtype: "uint32", shape: [4] }).buffer);
  assert.deepEqual([...found], [0, 5, 4, 6]);
  const bytes = Buffer.concat([Buffer.from(Float32Array.from([10, 0.5]).buffer), Buffer.from([0, 4, 0, 0, 0, 0])]);
  const places = new Float32Array(arrayOf(new Uint8Array(bytes), 2, { dtype: "float32", shape: [2, 1] }).buffer);
  assert.deepEqual([...places], [10, 11]);
});

test("rungs above", () => assert.deepEqual([0.07, 0.1, 3, 51].map(rungAbove), [0.1, 0.1, 5, 100]));
