import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { lift, nearestOn, project, stepOn, tilt } from "../../mbwidgets/widgets/parts/conemap.js";
import { near } from "./near.mjs";

const [MIDDLE, RADIUS] = [165, 146]; // of the map, in its own units
const turned = (angle, around) => [
  Math.sin(angle) * Math.cos(around),
  Math.sin(angle) * Math.sin(around),
  Math.cos(angle),
];

describe("the map", () => {
  test("has the centre in the middle and the other pole on the rim", () => {
    assert.deepEqual(project([0, 0, 1]), [MIDDLE, MIDDLE]);
    assert.deepEqual(project([0, 0, -1]), [MIDDLE + RADIUS, MIDDLE]);
  });

  test("has right at the right and up above", () => {
    const half = RADIUS * Math.SQRT1_2;
    assert.deepEqual(project([1, 0, 0]), [MIDDLE + half, MIDDLE]);
    assert.deepEqual(project([0, 1, 0]), [MIDDLE, MIDDLE - half]);
  });

  test("keeps areas: a cap within an angle takes its share of the disc", () => {
    for (const angle of [0.3, 1, 2, 3]) {
      const [x, y] = project(turned(angle, 0.7));
      const share = ((x - MIDDLE) ** 2 + (y - MIDDLE) ** 2) / RADIUS ** 2;
      // of the sphere a cap takes (1 − cos) / 2; pixels of size 300 are rounded at 1e-13
      assert.ok(Math.abs(share - (1 - Math.cos(angle)) / 2) < 1e-14);
    }
  });

  test("leads back to where a direction came from", () => {
    for (const angle of [0, 1e-3, 0.5, 1.5, 3, 3.1]) {
      for (const around of [0, 1, 2.5, 4, 6]) {
        const v = turned(angle, around);
        const back = lift(...project(v));
        // near the rim the map is steep: 1e-13 of a place becomes 1e-13 / cos(angle / 2) of a direction
        near(back, v, 1e-12);
      }
    }
  });

  test("a place off the map is taken for that on the rim", () => {
    const [x, , z] = lift(MIDDLE + 2 * RADIUS, MIDDLE);
    assert.equal(z, -1);
    assert.equal(x, 0);
  });

  test("a place gives a direction of length one", () => {
    for (const place of [
      [MIDDLE, MIDDLE],
      [100, 80],
      [200, 290],
    ]) {
      assert.ok(Math.abs(Math.hypot(...lift(...place)) - 1) < 1e-15);
    }
  });
});

test("the tilt is the angle from the middle, in degrees, also where rounding goes past one", () => {
  assert.equal(tilt([0, 0, 1]), 0);
  assert.equal(tilt([1, 0, 0]), 90);
  assert.equal(tilt([0, 0, -1.0000000001]), 180);
});

describe("on the cone", () => {
  const points = [0, 1].flatMap((curve) => [0, 1, 2, 3].map((k) => ({ v: turned(0.5 + curve, k), curve, k })));
  const at = (curve, k) => points[4 * curve + k];
  const named = ({ curve, k }) => [curve, k];

  test("the nearest point is found", () => {
    assert.equal(nearestOn(points, turned(0.55, 2.1)), at(0, 2));
    assert.equal(nearestOn(points, turned(1.4, 0.1)), at(1, 0));
    assert.equal(nearestOn([], [0, 0, 1]), null);
  });

  test("keys go along a curve and around its end", () => {
    assert.deepEqual(named(stepOn(points, 2, at(0, 1).v, 1, 0)), [0, 2]);
    assert.deepEqual(named(stepOn(points, 2, at(0, 0).v, -1, 0)), [0, 3]);
    assert.deepEqual(named(stepOn(points, 2, at(0, 3).v, 1, 0)), [0, 0]);
  });

  test("a long step stays on a curve that is shorter", () => {
    assert.deepEqual(named(stepOn(points, 2, at(0, 1).v, -6, 0)), [0, 3]);
    assert.deepEqual(named(stepOn(points, 2, at(0, 1).v, 6, 0)), [0, 3]);
  });

  test("keys go across to the nearest point of the next curve, and around", () => {
    assert.deepEqual(named(stepOn(points, 2, at(0, 2).v, 0, 1)), [1, 2]);
    assert.deepEqual(named(stepOn(points, 2, at(0, 2).v, 0, -1)), [1, 2]);
  });
});
