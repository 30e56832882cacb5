import assert from "node:assert/strict";

export const ROUNDING = 1e-15; // a few operations on numbers of size one

// Lists of numbers are the same, but for a tolerance.
export function near(found, wanted, tolerance = ROUNDING) {
  assert.equal(found.length, wanted.length);
  for (const [k, value] of found.entries()) {
    assert.ok(Math.abs(value - wanted[k]) <= tolerance, `${found} is not ${wanted}`);
  }
}
