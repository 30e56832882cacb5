// From the values of a problem to all that is shown of its motion. Solved in slices: each `next()` is one.

import { drawn } from "./drawn.js";
import { formulaValues, kineticDifference } from "./formula_values.js";
import { observe } from "./frames.js";
import { solve } from "./motion.js";
import { soundness } from "./soundness.js";

const OUTCOMES = {
  "not finite": "a number of the mechanism is not finite at these values",
  open: "the loops cannot be closed at these values",
  unknown: "the constraints cannot be evaluated at these values",
  "half turned": "a joint of the loops stands at a half turn, where it cannot be closed",
  "too fast": "no speeds of the joints meet the constraints at these values",
  "singular start": "the mechanism starts in a singular position, where constraints lose their rank",
};

// The answer to a wish: buffers for pictures and plots, how far the numbers are from physics, or why there is none.
export function* answered(kernels, problem, names, wish, slice = 8) {
  const { values, rtol, wanted, start = null, spring = null } = wish;
  const began = performance.now();
  const motion = yield* solve(kernels, problem, names, values, { rtol, slice, start, spring });
  if (motion.count < 2) return { why: OUTCOMES[motion.outcome] ?? `the motion ended at once: ${motion.outcome}` };
  const states = statesOf(kernels.heap, motion);
  const gravity = Array.from(kernels.heap.view(motion.plain).slice(names.layout.GRAVITY, names.layout.GRAVITY + 3));
  const found = observe(kernels, problem, names, motion);
  const buffers = drawn(kernels, problem, names, { ...motion, values }, found, wanted);
  const { formulae = [], check = null } = wanted;
  const told = formulae.length ? formulaValues(kernels, problem, names, motion, found.ud, values, formulae) : null;
  const apart = check ? kineticDifference(kernels, problem, names, motion, found, values, check) : null;
  const sound = soundness(kernels.heap, problem, names, motion, found);
  const { outcome, time, evaluations, method } = motion;
  return {
    ...buffers,
    states,
    gravity,
    inertias: inertiasOf(kernels.heap.view(motion.plain), names.layout),
    sound,
    formulae: told,
    apart,
    outcome,
    time,
    evaluations,
    method,
    took: performance.now() - began,
  };
}

// (bodies, 10): mass, mass centre, inertia about it, in the order of the bodies.
function inertiasOf(numbers, { HEADER, BODY_SIZE, BODIES, INDEX, MASS, COM, INERTIA }) {
  const out = new Float64Array(10 * numbers[BODIES]);
  for (let row = 0; row < numbers[BODIES]; row++) {
    const at = HEADER + row * BODY_SIZE;
    const to = 10 * numbers[at + INDEX];
    out[to] = numbers[at + MASS];
    out.set(numbers.subarray(at + COM, at + COM + 3), to + 1);
    out.set(numbers.subarray(at + INERTIA, at + INERTIA + 6), to + 4);
  }
  return out;
}

// The states of a motion, kept for a hand that takes it.
function statesOf(heap, { t, q, u }) {
  const [times, places, speeds] = [t, q, u].map((array) => heap.view(array).slice());
  return { t: times, q: places, u: speeds };
}
