import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { clockText, endOf, floats, frameAt, locate, timeAtRest } from "../../mbwidgets/scene/page/shared/frames.js";

const EVEN = Float32Array.from([0, 0.25, 0.5, 0.75, 1]);
const THINNED = Float32Array.from([0, 0.25, 0.75, 1]); // a page without a kernel leaves frames out

describe("floats", () => {
  const numbers = Float32Array.from([1, -2, 3]);

  test("come from a view within a larger buffer, and are a copy", () => {
    const larger = new Uint8Array(20);
    larger.set(new Uint8Array(numbers.buffer), 8);
    const found = floats(new DataView(larger.buffer, 8, 12));
    assert.deepEqual(found, numbers);
    larger.fill(0);
    assert.deepEqual(found, numbers);
  });

  test("of one number are one", () => assert.equal(floats(new DataView(new ArrayBuffer(4))).length, 1));

  test("come from a bare buffer too", () => assert.deepEqual(floats(numbers.buffer), numbers));

  test("of nothing are none", () => {
    for (const nothing of [null, undefined, new DataView(new ArrayBuffer(0))]) assert.equal(floats(nothing).length, 0);
  });
});

describe("the clock", () => {
  test("has two digits after the point", () => assert.equal(clockText(1.234, 10), "1.23 / 10.00 s"));

  test("has more where a motion lasts milliseconds", () => {
    assert.equal(clockText(0.0123, 0.03), "0.0123 / 0.0300 s");
    assert.equal(clockText(0, 0), "0.00 / 0.00 s");
  });
});

describe("locate", () => {
  test("at both ends and beyond them", () => {
    assert.deepEqual(locate(EVEN, -1), [0, 0]);
    assert.deepEqual(locate(EVEN, 0), [0, 0]);
    assert.deepEqual(locate(EVEN, 1), [3, 1]);
    assert.deepEqual(locate(EVEN, 9), [3, 1]);
  });

  test("at a frame and between two", () => {
    assert.deepEqual(locate(EVEN, 0.5), [2, 0]);
    assert.deepEqual(locate(EVEN, 0.3125), [1, 0.25]);
    assert.deepEqual(locate(THINNED, 0.5), [1, 0.5]);
    assert.deepEqual(locate([0, 2], 0.5), [0, 0.25]);
  });

  test("of one frame, or none, it is the first", () => {
    assert.deepEqual(locate([0], 3), [0, 0]);
    assert.deepEqual(locate([], 3), [0, 0]);
  });
});

describe("frameAt", () => {
  test("is the first and the last at the ends and beyond", () => {
    assert.deepEqual(
      [-1, 0, 1, 9].map((time) => frameAt(EVEN, time)),
      [0, 0, 4, 4],
    );
  });

  test("is the nearest between, and the later one in the middle", () => {
    assert.deepEqual(
      [0.1, 0.125, 0.13, 0.6, 0.7].map((time) => frameAt(EVEN, time)),
      [0, 1, 1, 2, 3],
    );
  });

  test("goes by the times, not by their share, where frames were left out", () => {
    assert.equal(frameAt(THINNED, 0.4), 1);
    assert.equal(frameAt(THINNED, 0.6), 2);
    assert.equal(frameAt(Float32Array.from([0, 0.1, 1]), 0.2), 1); // by the share it would be 0
  });

  test("spreads another number of frames evenly", () => {
    assert.deepEqual(
      [-1, 0, 0.24, 0.26, 1, 2].map((time) => frameAt(EVEN, time, 3)),
      [0, 0, 0, 1, 2, 2],
    );
    assert.equal(frameAt([2, 3, 4], 3.5, 5), 3);
  });

  test("is the first of a motion that takes no time, and of none", () => {
    assert.equal(frameAt([0], 5), 0);
    assert.equal(frameAt([0], 5, 4), 0);
    assert.equal(frameAt([], 5), 0);
    assert.equal(frameAt([], 5, 4), 0);
  });

  test("is the first where the time is no number", () => assert.equal(frameAt(EVEN, Number.NaN), 0));
});

describe("timeAtRest", () => {
  test("is that of a frame, to the last bit", () => {
    const times = Float32Array.from({ length: 601 }, (_, k) => k / 60);
    for (const time of [0, 1 / 60, 2.5, 3.337, 10]) assert.ok(times.includes(timeAtRest(times, time)));
    assert.equal(timeAtRest(times, 2.5), 2.5);
  });

  test("goes by frames, to both ends and no further", () => {
    assert.equal(timeAtRest(EVEN, 0.5, 1), 0.75);
    assert.equal(timeAtRest(EVEN, 0.5, -1), 0.25);
    assert.equal(timeAtRest(THINNED, 0.25, 1), 0.75);
    assert.equal(timeAtRest(EVEN, 0.5, 30), 1);
    assert.equal(timeAtRest(EVEN, 0.5, -30), 0);
  });

  test("is zero without a motion", () => assert.equal(timeAtRest([], 3), 0));
});

test("a motion ends with its last frame, or at zero", () => {
  assert.equal(endOf(EVEN), 1);
  assert.equal(endOf([]), 0);
});
