// Until when a motion is known: as motion.horizon in Python, to the bit.

import { solve } from "./motion.js";

// The first time at which solutions with two tolerances have parted; Infinity where they do not, NaN where there is no
// motion. Each `next()` is a slice of work; arrays of motions solved before are given back.
export function* horizon(kernels, problem, names, values, { slice = 8, start = null } = {}) {
  const { USUAL, FINE } = names.horizon;
  const one = yield* coordinates(kernels, problem, names, values, { rtol: USUAL, slice, start });
  const other = yield* coordinates(kernels, problem, names, values, { rtol: FINE, slice, start });
  const count = Math.min(one.t.length, other.t.length);
  if (count < 2) return Number.NaN;
  return firstParting(one, other, count, problem, names);
}

function* coordinates(kernels, problem, names, values, options) {
  const { heap } = kernels;
  const found = yield* solve(kernels, problem, names, values, options);
  if (found.count === 0) return { t: [], q: [], length: 1 };
  const length = heap.view(found.model)[names.layout.LENGTH] || 1;
  return { t: heap.view(found.t).slice(), q: heap.view(found.q).slice(), length };
}

function firstParting(one, other, count, { nq, groups }, { horizon: limits, sizes }) {
  const span = Array.from({ length: nq }, (_, i) => {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let k = 0; k < count; k++) {
      low = Math.min(low, other.q[k * nq + i]);
      high = Math.max(high, other.q[k * nq + i]);
    }
    return high - low;
  });
  const slides = (i) => groups[i] === sizes.LENGTH;
  const least = (wanted, size) => {
    const largest = Math.max(0, ...span.filter((_, i) => slides(i) === wanted));
    return Math.max(limits.NO_RANGE * largest, limits.STILL * size);
  };
  const [sliding, turning] = [least(true, one.length), least(false, 1)];
  const moves = span.map((range, i) => range > (slides(i) ? sliding : turning));
  for (let k = 0; k < count; k++) {
    for (let i = 0; i < nq; i++) {
      const apart = Math.abs(one.q[k * nq + i] - other.q[k * nq + i]);
      if (moves[i] && apart > limits.PARTED * span[i]) return one.t[k];
    }
  }
  return Number.POSITIVE_INFINITY;
}
