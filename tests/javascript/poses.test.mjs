import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { between, blend, layAlong, posesAt, slerp } from "../../mbwidgets/scene/page/poses.js";
import { near, ROUNDING } from "./near.mjs";

const about = (axis, angle) => [...axis.map((part) => part * Math.sin(angle / 2)), Math.cos(angle / 2)];
const Z = [0, 0, 1];

describe("slerp", () => {
  const quarter = [...about(Z, 0), ...about(Z, Math.PI / 2)];

  test("is exact at both ends", () => {
    near(slerp(quarter, 0, 4, 0), about(Z, 0));
    near(slerp(quarter, 0, 4, 1), about(Z, Math.PI / 2));
  });

  test("turns evenly between", () => {
    for (const w of [0.1, 0.25, 0.5, 0.9]) near(slerp(quarter, 0, 4, w), about(Z, (w * Math.PI) / 2));
  });

  test("turns about any axis", () => {
    for (const axis of [
      [1, 0, 0],
      [0, 1, 0],
      [0.36, 0.48, 0.8],
    ]) {
      near(slerp([...about(axis, 1), ...about(axis, 2)], 0, 4, 0.25), about(axis, 1.25));
    }
  });

  test("takes the shorter way, whatever the sign of a quaternion", () => {
    const flipped = [...about(Z, 0), ...about(Z, Math.PI / 2).map((part) => -part)];
    near(slerp(flipped, 0, 4, 0.5), about(Z, Math.PI / 4));
  });

  test("of attitudes that are almost the same is a straight line, of length one", () => {
    const close = [...about(Z, 0), ...about(Z, 1e-5)];
    // the chord of 1e-5 rad is off by its third power
    near(slerp(close, 0, 4, 0.5), about(Z, 5e-6), 1e-15);
    assert.deepEqual(slerp([0, 0, 0, 1, 0, 0, 0, 1], 0, 4, 0.3), [0, 0, 0, 1]);
  });

  test("makes what float32 left of an attitude one again", () => {
    const out = slerp([0, 0, 0, 1.0000001, 0, 0, 0, 1.0000001], 0, 4, 0.5);
    assert.ok(Math.abs(Math.hypot(...out) - 1) <= ROUNDING);
  });

  test("of what is no attitude is null", () => {
    assert.equal(slerp([0, 0, 0, 0, 0, 0, 0, 0], 0, 4, 0.5), null);
    assert.equal(slerp([Number.NaN, 0, 0, 1, 0, 0, 0, 1], 0, 4, 0.5), null);
  });
});

test("numbers are blended from their places", () => {
  assert.deepEqual(blend([9, 0, 10, 9, 4, 20], 1, 4, 0.25, 2), [1, 12.5]);
});

describe("between", () => {
  test("two frames, and at the end the last with itself", () => {
    assert.deepEqual(between([0, 1, 2, 3], 0.5), { frame: 0, next: 1, share: 0.5 });
    assert.deepEqual(between([0, 1, 2], 1.25), { frame: 1, next: 2, share: 0.25 });
    assert.deepEqual(between([0, 1, 2], 5), { frame: 1, next: 2, share: 1 });
    assert.deepEqual(between([0], 5), { frame: 0, next: 0, share: 0 });
  });
});

describe("posesAt", () => {
  // two frames of two bodies: the first moves and turns, the second rests
  const rest = [5, 5, 5, ...about(Z, 0)];
  const poses = [0, 0, 0, ...about(Z, 0), ...rest, 2, 4, 6, ...about(Z, 1), ...rest];

  test("are those of each body, in its place", () => {
    const [[place, turn], [other, still]] = posesAt(poses, 2, { frame: 0, next: 1, share: 0.5 });
    assert.deepEqual(place, [1, 2, 3]);
    near(turn, about(Z, 0.5));
    assert.deepEqual(other, [5, 5, 5]);
    near(still, about(Z, 0));
  });

  test("are those of the frames that are told", () => {
    const later = [...Array(14).fill(Number.NaN), ...poses];
    assert.deepEqual(posesAt(later, 2, { frame: 1, next: 2, share: 0.5 })[0][0], [1, 2, 3]);
  });

  test("are null where one of them is no pose", () => {
    const spoilt = [...poses];
    spoilt[14] = Number.POSITIVE_INFINITY;
    assert.equal(posesAt(spoilt, 2, { frame: 0, next: 1, share: 0.5 }), null);
    assert.notEqual(posesAt(spoilt, 2, { frame: 0, next: 0, share: 0 }), null);
  });
});

describe("layAlong", () => {
  // as much of a group as is asked for
  const group = () => {
    const made = { children: [{}, { scale: { y: 1 } }, { position: { y: 0 } }] };
    made.position = { set: (...values) => Object.assign(made, { place: values }) };
    made.quaternion = {
      set: (...values) => Object.assign(made, { turn: values }) && made.quaternion,
      normalize: () => {
        const length = Math.hypot(...made.turn);
        made.turn = made.turn.map((item) => item / length);
      },
    };
    return made;
  };

  test("begins at the first end, turns y to the second and is as long as the line", () => {
    const made = group();
    layAlong(made, [1, 2, 3, 1, 2, 7]);
    assert.deepEqual(made.place, [1, 2, 3]);
    near(made.turn, about([1, 0, 0], Math.PI / 2));
    assert.equal(made.children[1].scale.y, 4);
    assert.equal(made.children[2].position.y, 4);
  });

  test("has a length that is not zero where the ends meet, and stays where they are no numbers", () => {
    const made = group();
    layAlong(made, [1, 2, 3, 1, 2, 3]);
    assert.ok(made.children[1].scale.y > 0);
    layAlong(made, [Number.NaN, 2, 3, 1, 2, 3]);
    assert.deepEqual(made.place, [1, 2, 3]);
  });
});
