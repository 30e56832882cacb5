import assert from "node:assert/strict";
import { describe, mock, test } from "node:test";
import { gridLines, gridShift, nearestFirst, piecesWithin } from "../../mbwidgets/scene/page/backdrop.js";
import { FIRST, LEVELS, nextQuality, restAfter } from "../../mbwidgets/scene/page/quality.js";
import { keepPrograms } from "../../mbwidgets/scene/page/renderers.js";
import { Scenery } from "../../mbwidgets/scene/page/scenery.js";
import { casts, solids } from "../../mbwidgets/scene/page/solids.js";
import { near } from "./near.mjs";
import { Model } from "./page.mjs";

const after = (quality, ...times) => times.reduce((now, took) => nextQuality(now, took), quality);
const ENOUGH = 3 * LEVELS.length + 1; // slow pictures until nothing more can go
const many = (count, took) => Array(count).fill(took);

describe("the quality of pictures", () => {
  test("stays whole on a machine that is quick, and where a picture is slow now and then", () => {
    assert.equal(after(FIRST, ...many(500, 16)).level, 0);
    assert.equal(after(FIRST, 60, 60, 16, 60, 60, 16, 60, 60).level, 0);
  });

  test("loses first the bodies' shadows on each other, then resolution, then smooth edges, and never all", () => {
    const levels = [3, 6, 9, 300].map((count) => after(FIRST, ...many(count, 60)).level);
    assert.deepEqual(levels, [1, 2, 3, LEVELS.length - 1]);
    assert.deepEqual(
      LEVELS.map(({ cast }) => cast),
      [true, false, false, false],
    );
    assert.deepEqual(
      LEVELS.map(({ smooth }) => smooth),
      [true, true, true, false],
    );
    assert.ok(LEVELS.every(({ fine }, k) => fine > 0 && (k === 0 || fine <= LEVELS[k - 1].fine)));
  });

  test("stays as it is between quick and slow", () => {
    const slower = after(FIRST, 60, 60, 60);
    assert.equal(after(slower, ...many(5000, 19)).level, slower.level);
  });

  test("comes back on a quick machine, and takes twice as long each time that it was too much", () => {
    const quickOnes = (quality) => {
      let [count, now] = [0, quality];
      while (now.level === quality.level && count < 10000) [count, now] = [count + 1, nextQuality(now, 12)];
      return [count, now];
    };
    const [first, back] = quickOnes(after(FIRST, 60, 60, 60));
    const [second] = quickOnes(after(back, 60, 60, 60));
    assert.equal(back.level, 0);
    assert.equal(second, 2 * first);
  });

  test("learns nothing from a pause or from what is no time", () => {
    for (const took of [5000, 0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      assert.equal(nextQuality(FIRST, took), FIRST);
    }
  });
});

describe("pictures of a motion that take half a second each, where many motions play", () => {
  test("lose quality as others do", () => {
    const scenery = new Scenery(new Model({ playing: true }), () => {});
    const levels = Array.from({ length: ENOUGH }, (_, k) => scenery.measure(1000 + 500 * k));
    assert.equal(levels.at(-1), LEVELS.length - 1);
    scenery.close();
  });

  test("and none is lost by single pictures as far apart, while nothing plays", () => {
    const scenery = new Scenery(new Model({ playing: false }), () => {});
    for (let k = 0; k < ENOUGH; k++) assert.equal(scenery.measure(1000 + 500 * k), 0);
    assert.equal(scenery.quality.level, 0);
    scenery.close();
  });
});

describe("a picture at rest", () => {
  test("has all, whatever the pictures of a motion had", () => {
    const redrawn = [];
    const scenery = new Scenery(new Model({ playing: true }), () => redrawn.push(1));
    const levels = Array.from({ length: ENOUGH }, (_, k) => scenery.measure(1000 + 70 * k));
    assert.equal(levels.at(-1), LEVELS.length - 1);
    scenery.model.set({ playing: false });
    assert.equal(scenery.measure(5000), 0);
    scenery.close();
  });

  test("is drawn when the motion has stopped, and not between its pictures, however far apart", () => {
    mock.timers.enable({ apis: ["setTimeout"] });
    try {
      const redrawn = [];
      const scenery = new Scenery(new Model({ playing: true }), () => redrawn.push(1));
      for (let k = 0; k < ENOUGH; k++) scenery.measure(1000 + 70 * k);
      mock.timers.tick(1000);
      assert.equal(redrawn.length, 0);
      scenery.model.set({ playing: false });
      mock.timers.tick(400);
      assert.equal(redrawn.length, 1);
      assert.equal(scenery.measure(5000), 0);
      mock.timers.tick(1000);
      assert.equal(redrawn.length, 1);
      scenery.close();
    } finally {
      mock.timers.reset();
    }
  });
});

test("a hand that moves on does not rest between pictures that take long, and a pause is none of them", () => {
  assert.deepEqual([16, 100, 150, 400, 900].map(restAfter), [200, 200, 300, 800, 1000]);
  assert.deepEqual([1000, 5000].map(restAfter), [200, 200]);
  const scenery = new Scenery(new Model({ playing: true }), () => {});
  for (let k = 0; k < ENOUGH; k++) scenery.measure(1000 + 240 * k);
  const last = 1000 + 240 * (ENOUGH - 1);
  scenery.model.set({ playing: false });
  assert.equal(scenery.measure(last + 240), LEVELS.length - 1, "the next picture of a drag");
  assert.equal(scenery.measure(last + 240 + 481), 0, "one after a rest");
  scenery.stir();
  assert.equal(scenery.measure(last + 5000), LEVELS.length - 1, "the first one of something else, as soon as can be");
  assert.equal(scenery.measure(last + 9000), 0, "and the same again with all");
  scenery.close();
});

describe("a renderer that many views share", () => {
  test("keeps each program that it has compiled, once", () => {
    const programs = [{ usedTimes: 1 }, { usedTimes: 3 }];
    for (let k = 0; k < 3; k++) keepPrograms({ info: { programs } });
    assert.deepEqual(
      programs.map(({ usedTimes }) => usedTimes),
      [2, 4],
    );
    keepPrograms({ info: { programs: null } });
  });
});

describe("what casts a shadow", () => {
  const thing = (more = {}) => ({ visible: true, name: "", children: [], ...more });
  const solid = { isMesh: true, material: { isMeshPhongMaterial: true, transparent: false } };

  test("is solid and lit", () => {
    assert.equal(casts(solid), true);
    assert.equal(casts({ isMesh: true, material: { isMeshPhongMaterial: true, transparent: true } }), false);
    assert.equal(casts({ isMesh: true, material: { isMeshBasicMaterial: true } }), false);
    const glass = { isMeshPhongMaterial: true, transparent: true, name: "glass" };
    assert.equal(casts({ isMesh: true, material: glass }), true, "glass throws a shadow, too");
    assert.equal(casts({ isSprite: true }), false);
  });

  test("is seen, and is no arrow", () => {
    const body = thing(solid);
    const hidden = thing({ visible: false, children: [thing(solid)] });
    const arrow = thing({ name: "arrow", children: [thing(solid)] });
    assert.deepEqual(solids(thing({ children: [thing({ children: [body] }), hidden, arrow] })), [body]);
  });
});

describe("the grid of the ground", () => {
  test("has lines of one cell, each fifth of them strong, in pieces that meet", () => {
    const numbers = gridLines(5);
    assert.equal(numbers.length, 11 * 2 * 2 * 2 * 3);
    const along = new Map();
    for (let k = 0; k < numbers.length; k += 12) along.set(numbers[k], numbers[k + 2]);
    assert.deepEqual([...along.keys()], [-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5]);
    assert.deepEqual([along.get(-5), along.get(0), along.get(2)], [1, 1, 0.45]);
  });

  test("is drawn as far as it is seen", () => {
    const { lines, near: far } = nearestFirst(gridLines());
    assert.equal(lines.length, gridLines().length);
    assert.equal(piecesWithin(far, 100), far.length);
    const count = piecesWithin(far, 10.4);
    assert.ok(count < 0.35 * far.length, `${count} of ${far.length} pieces`);
    for (let k = 6 * count; k < lines.length; k += 6) {
      for (let share = 0; share <= 1; share += 0.1) {
        const at = [0, 1].map((axis) => lines[k + axis] + share * (lines[k + 3 + axis] - lines[k + axis]));
        assert.ok(Math.hypot(...at) > 10.4);
      }
    }
  });

  test("stands still while the ground goes along with what moves", () => {
    for (const middle of [0, 0.3, 1.7, -12.2]) {
      const [shift] = gridShift([middle], 0.2);
      near([(middle + shift) / 1 - Math.round((middle + shift) / 1)], [0]);
      assert.ok(Math.abs(shift) <= 0.5);
    }
  });
});
