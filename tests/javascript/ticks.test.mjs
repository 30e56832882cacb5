import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { multiples, niceStep, ticks } from "../../mbwidgets/scene/page/shared/ticks.js";

describe("niceStep", () => {
  const cases = [
    [1, 1],
    [1.49, 1],
    [1.5, 2],
    [3.49, 2],
    [3.5, 5],
    [7.49, 5],
    [7.5, 10],
    [0.023, 0.02],
    [4700, 5000],
  ];
  for (const [raw, step] of cases) {
    // 10 ** −2 is not 0.01 to the last bit on every machine
    test(`${raw} gives ${step}`, () => assert.ok(Math.abs(niceStep(raw) / step - 1) < 1e-15));
  }
});

describe("ticks", () => {
  test("are round, also where their step is no binary fraction", () => {
    assert.deepEqual(ticks(0, 1, 10), [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]);
  });

  test("both ends are among them, whatever rounding says", () => {
    assert.deepEqual(ticks(0.1 + 0.2, 0.7, 4), [0.3, 0.4, 0.5, 0.6, 0.7]);
  });

  test("go through zero without a sign", () => {
    const found = ticks(-1.2, 1.1, 5);
    assert.deepEqual(found, [-1, -0.5, 0, 0.5, 1]);
    assert.ok(Object.is(found[2], 0));
  });

  test("lie inside, of tiny and of huge ranges too", () => {
    for (const size of [1e-12, 1e-3, 1, 1e9, 1e200]) {
      const found = ticks(-0.3 * size, 0.9 * size, 5);
      assert.ok(found.length >= 3 && found.length <= 8, `${found}`);
      assert.ok(found.every((tick) => tick >= -0.3 * size && tick <= 0.9 * size));
    }
  });

  test("of an empty or unknown range there are none", () => {
    assert.deepEqual(ticks(1, 1, 5), []);
    assert.deepEqual(ticks(Number.NaN, 1, 5), []);
  });
});

test("multiples of a step are at most fifty", () => {
  assert.deepEqual(multiples(-40, 40, 15), [-30, -15, 0, 15, 30]);
  assert.equal(multiples(0, 1e6, 1).length, 50);
});
