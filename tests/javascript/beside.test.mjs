import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Beside } from "../../mbwidgets/widgets/parts/live_beside.js";

// Pictures so many ms after one another, each under a hand that is ahead of it or not: those beside which was written.
function told(beside, clock, steps) {
  const written = [];
  for (const [k, [passed, more]] of steps.entries()) {
    clock.now += passed;
    beside.tell(() => written.push(k), more);
  }
  return written;
}

function begin() {
  const clock = { now: 1000 };
  return [new Beside(() => clock.now), clock];
}

test("what stands beside a picture is written with each that is quick, that is the first, or that no other follows", () => {
  for (const steps of [Array(9).fill([16, true]), Array(9).fill([70, false]), Array(9).fill([400, true])]) {
    const [beside, clock] = begin();
    assert.equal(told(beside, clock, steps).length, 9);
    assert.ok(beside.isDone);
  }
});

test("under a hand that is ahead of slow pictures it is written with each third, and when the hand rests", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const [beside, clock] = begin();
    assert.deepEqual(told(beside, clock, Array(8).fill([70, true])), [0, 3, 6]);
    assert.ok(!beside.isDone);
    assert.deepEqual(told(beside, clock, [[70, false]]), [0]);
    assert.ok(beside.isDone);
    mock.timers.tick(1000);
  } finally {
    mock.timers.reset();
  }
});

test("it is written soon where no other picture comes, and not where something else is true by then", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    for (const other of [false, true]) {
      const [beside, clock] = begin();
      const written = told(beside, clock, Array(2).fill([70, true]));
      assert.deepEqual(written, [0]);
      if (other) beside.forget();
      mock.timers.tick(200);
      assert.deepEqual(written, other ? [0] : [0, 1]);
      assert.ok(beside.isDone);
    }
  } finally {
    mock.timers.reset();
  }
});

test("what was put off is written at once where other words follow, once", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const [beside, clock] = begin();
    const written = told(beside, clock, Array(2).fill([70, true]));
    beside.finish();
    assert.deepEqual(written, [0, 1]);
    beside.finish();
    mock.timers.tick(1000);
    assert.deepEqual(written, [0, 1]);
  } finally {
    mock.timers.reset();
  }
});
