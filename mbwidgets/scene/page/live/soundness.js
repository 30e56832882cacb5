// How far the numbers of a motion are from physics: as Motion.energy_error and numeric/motion/energy_exchange.py, and the
// largest error of the constraints. `errors` are those of the energy, frame by frame.

export function soundness(heap, problem, names, motion, found) {
  const see = (array) => heap.view(array);
  const [totals, work] = [see(found.totals), see(motion.work)];
  const { count } = motion;
  let [kinetic, exchanged, potential] = [0, 0, 0];
  for (let k = 0; k < count; k++) {
    const [t, v] = totals.subarray(8 * k, 8 * k + 2);
    kinetic = Math.max(kinetic, t);
    exchanged = Math.max(exchanged, Math.abs(v - totals[1]));
    potential = Math.max(potential, Math.abs(v));
  }
  exchanged += kinetic;
  const possible = exchangeScale(see(motion.model), see(motion.q), problem, names, potential);
  const rounding = roundingError(possible + kinetic + potential, problem.bodies, motion.evaluations, names.energy);
  const start = totals[0] + totals[1] - work[0];
  const errors = new Float32Array(count);
  let drift = 0;
  for (let k = 0; k < count; k++) {
    const off = totals[8 * k] + totals[8 * k + 1] - work[k] - start;
    const scale = exchanged + (Math.abs(off) <= rounding ? possible : Math.min(possible, exchanged));
    if (scale === 0) continue;
    errors[k] = off / scale;
    drift = Math.max(drift, Math.abs(off) / scale);
  }
  const residual = problem.equations > 0 ? see(found.values).reduce((a, b) => Math.max(a, Math.abs(b)), 0) : null;
  return { drift, residual, errors };
}

const roundingError = (energy, bodies, evaluations, { UNIT_ROUNDOFF, STAGES_OF_A_STEP, PLACES }) =>
  UNIT_ROUNDOFF * energy * (evaluations / STAGES_OF_A_STEP + PLACES * bodies);

// What could be exchanged: Σ m |g| ℓ, ℓ the reach of each body; without gravity the energy of the springs.
function exchangeScale(model, q, { bodies, nq }, { layout: at }, potential) {
  const length = (place) => Math.hypot(model[place], model[place + 1], model[place + 2]);
  const gravity = length(at.GRAVITY);
  if (gravity === 0) return potential;
  const rows = Array.from({ length: bodies }, (_, k) => at.HEADER + at.BODY_SIZE * k);
  const longest = Math.max(0, ...rows.flatMap((row) => [length(row + at.AT), length(row + at.COM)]));
  const reach = [];
  let total = 0;
  rows.forEach((row, k) => {
    const parent = model[row + at.PARENT];
    reach[k] = parent >= 0 ? reach[parent] + length(row + at.AT) : 0;
    const slides = slidesOf(model, row, at);
    if (slides.length) {
      const spans = slides.map((column) => spanOf(q, nq, column));
      const out = longest || Math.max(...spans.map(({ far }) => far));
      reach[k] += Math.max(Math.hypot(...spans.map(({ range }) => range)), out);
    }
    total += model[row + at.MASS] * gravity * (reach[k] + length(row + at.COM));
  });
  return total;
}

// The coordinates of a body's joint that are lengths.
function slidesOf(model, row, at) {
  const [first, count] = [model[row + at.FIRST], model[row + at.COUNT]];
  return Array.from({ length: count }, (_, k) => model[at.AT_COLUMNS] + at.COLUMN_SIZE * (first + k))
    .filter((column) => model[column + at.KIND] === at.TRANSLATION)
    .map((column) => model[column + at.QI]);
}

// What a coordinate covers, and how far out it is.
function spanOf(q, width, column) {
  let [low, high, far] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (let at = column; at < q.length; at += width) {
    low = Math.min(low, q[at]);
    high = Math.max(high, q[at]);
    far = Math.max(far, Math.abs(q[at]));
  }
  return { range: high - low, far };
}
