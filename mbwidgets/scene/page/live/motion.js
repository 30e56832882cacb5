// A motion, solved in the page: the same kernels, in the same order, as mbwidgets.simulate, to the same bits.

import { findFeet, withSpring } from "./hand.js";
import { followRecipe } from "./recipe.js";
import { stepLimits } from "./step_limits.js";

// Solve a problem at these values of its parameters, in slices of about `slice` ms: each `next()` is one. The value in
// the end is the motion: frames q, u, work as arrays of the heap, and how it ended. `start`: q and u, if they are others;
// `spring`: that of a hand which pulls.
export function* solve(kernels, problem, names, values, options = {}) {
  const { rtol = problem.rtol, slice = 8, start = null, spring = null } = options;
  const { heap } = kernels;
  heap.release();
  const { state, model: plain, slot } = followRecipe(kernels, problem, names, values);
  if (state === null) return { outcome: "not finite", slot, count: 0 };
  if (start) heap.view(state).set(start);
  leaveOutIdleEfforts(heap.view(plain), names);
  const model = spring ? withSpring(heap, names, plain, spring) : plain;
  const limits = yield* stepLimits(kernels, names, heap.view(model).slice(), problem.duration);
  const run = new Run(kernels, problem, names, state, model);
  const held = problem.equations > 0;
  let tolerance = rtol;
  if (held) {
    const fault = run.assemble();
    if (fault) return { ...fault, count: 0 };
    tolerance = names.motion.HALF * rtol;
  }
  run.begin(tolerance, limits);
  while (!run.outcome) {
    const before = performance.now();
    run.advance();
    run.pause *= Math.min(4, Math.max(0.25, slice / Math.max(performance.now() - before, 0.05)));
    yield run.time / problem.duration;
  }
  return { ...run.motion(held), plain };
}

// Efforts of 0, which wait for a slider, change no sum: left out of the forces they cost nothing.
function leaveOutIdleEfforts(model, { layout: at, machine }) {
  const place = (f) => model[at.AT_FORCES] + at.FORCE_SIZE * f;
  const isIdle = (row) => {
    if (model[row + at.F_KIND] !== at.ACTUATOR) return false;
    const start = model[at.AT_STARTS] + model[row + at.F_PROGRAM];
    const [operation, operand] = model.subarray(model[at.AT_LINES] + 2 * model[start]);
    const constant = model[start + 1] - model[start] === 1 && operation === machine.CONSTANT;
    return constant && model[model[at.AT_CONSTANTS] + operand] === 0;
  };
  let kept = 0;
  for (let f = 0; f < model[at.FORCES]; f++) {
    if (isIdle(place(f))) continue;
    model.copyWithin(place(kept), place(f), place(f + 1));
    kept += 1;
  }
  model[at.FORCES] = kept;
}

class Run {
  constructor(kernels, problem, names, state, model) {
    Object.assign(this, { kernels, problem, names, model, outcome: "", time: 0 });
    const { heap } = kernels;
    const { layout } = names;
    this.heap = heap;
    this.derivative = problem.equations > 0 ? "constrained_derivative" : "tree_derivative";
    this.size = problem.nq + problem.nv + 1;
    this.y = heap.put([...heap.view(state), 0]);
    this.zero = heap.take(problem.nv);
    if (problem.curves) this.#findFeet();
    this.data = heap.take(heap.view(model)[layout.DATA_SIZE]);
    kernels.call("reset_data", model, this.data);
  }

  // Where on its curve each guided point is at the start.
  #findFeet() {
    const { heap, kernels, model, names, problem } = this;
    const data = heap.take(heap.view(model)[names.layout.DATA_SIZE]);
    findFeet(kernels, problem, names, model, data, { ...this.y, shape: [problem.nq], size: problem.nq });
  }

  // Bring the start to the constraints; returns what prevents it, if anything does.
  assemble() {
    const { heap, kernels, problem, names } = this;
    const { nq, nv } = problem;
    const q = heap.put(heap.view(this.y).slice(0, nq));
    const u = heap.put(heap.view(this.y).slice(nq, nq + nv));
    const spare = heap.take(names.assembly.SPARE_ROWS, Math.max(this.size, nv + problem.equations));
    const found = heap.take(4);
    const data = heap.take(heap.view(this.model)[names.layout.DATA_SIZE]);
    kernels.call("reset_data", this.model, data);
    const status = kernels.call("assemble", this.model, data, q, u, spare, found);
    const [which, off, here, rank] = heap.view(found);
    if (status !== names.assembly.ASSEMBLED) {
      const outcome = ["", "unknown", "open", "half turned", "too fast"][status];
      return { outcome, which, off };
    }
    if (here < rank) return { outcome: "singular start", which: here, off: rank };
    heap.view(this.y).set(heap.view(q), 0);
    heap.view(this.y).set(heap.view(u), nq);
    heap.view(this.model)[names.layout.RANK] = rank;
    this.rank = rank;
    return null;
  }

  // Lay out the stepper's arrays.
  begin(rtol, limits) {
    const { heap, problem, size } = this;
    const { stepper, chebyshev, sizes, layout, motion } = this.names;
    const control = heap.take(stepper.CONTROL_SIZE);
    const counters = heap.take(stepper.COUNTER_SIZE);
    const c = heap.view(control);
    const n = heap.view(counters);
    c[stepper.END] = problem.duration;
    c[stepper.SPACING] = problem.duration / problem.frames;
    c[stepper.SLACK] = 1;
    c[stepper.BLUR] = 1;
    c[stepper.RTOL] = rtol;
    n[stepper.FRAME] = 1;
    n[stepper.LAST_FRAME] = problem.frames;
    n[stepper.FAULT] = -1;
    n[stepper.WATCH] = 1;
    this.control = control;
    this.counters = counters;
    this.rows = heap.take(problem.frames + 1, size);
    heap.view(this.rows).set(heap.view(this.y), 0);
    const width = Math.max(size, sizes.KINDS);
    const table = heap.take(5, width);
    const t = heap.view(table);
    t[sizes.RADIUS * width] = heap.view(this.model)[layout.LENGTH] || 1;
    t.set(problem.groups, sizes.GROUP * width);
    for (let k = 0; k < sizes.KINDS; k++) t[sizes.SEEN * width + k] = motion.LEAST;
    t[sizes.SEEN * width + sizes.WORK] = motion.LEAST ** 2;
    const none = (...shape) => heap.take(...shape);
    this.before = [none(size), none(size), none(2, size), none(16, size), none(7, size)];
    this.after = [
      heap.put(limits, limits.length / 3, 3),
      table,
      none(0, 2),
      heap.put([-Infinity, Infinity, 0], 1, 3),
      none(0),
      none(chebyshev.SAMPLES),
      none(2, chebyshev.SAMPLES),
      none(chebyshev.MOST_PLACES),
      none(0, 2),
      none(0, size),
    ];
    this.implicit = [none(this.names.radau.MATRICES, 0, 0), none(this.names.radau.ROWS, 0)];
    const whole = size + problem.equations;
    this.pace = Math.max(100, Math.floor(100000 / (problem.equations > 0 ? whole * whole : whole)));
    this.pause = this.pace;
    this.mark = [0, 0, 1];
    this.switched = false;
  }

  // Step on until the pause, an end or a fault.
  advance() {
    const { heap, names } = this;
    const { stepper } = names;
    const n = () => heap.view(this.counters);
    const done = n()[stepper.EVALUATIONS];
    n()[stepper.PAUSE] = done + Math.max(100, Math.floor(Math.min(this.pause, 1e7)));
    const written = n()[stepper.FRAME];
    const { at } = this.rows;
    const left = this.problem.frames + 1 - written;
    const frames = { at: at + written * this.size, shape: [left, this.size], size: left * this.size };
    const arrays = [this.model, this.data, this.zero, this.control, this.counters, this.y];
    const code = this.kernels.call(
      `advance_steps:${this.derivative}`,
      ...arrays,
      ...this.before,
      frames,
      ...this.after,
      ...this.implicit,
    );
    n()[stepper.WRITTEN] = 0;
    this.time = heap.view(this.control)[stepper.TIME];
    this.#judge(code);
  }

  #judge(code) {
    const { stepper } = this.names;
    if (code === stepper.DONE) this.outcome = "completed";
    else if (code === stepper.TOO_SMALL) this.outcome = "step too small";
    else if (code === stepper.NOT_FINITE) this.outcome = "not finite";
    else if (code === stepper.SINGULAR) this.outcome = "singular";
    else if (code === stepper.STIFF) this.#goOnImplicitly();
    else if (this.#stalled()) this.outcome = "stalled";
  }

  // Let the implicit method take the next steps where the explicit one would need very many.
  #goOnImplicitly() {
    const { stepper, radau, motion } = this.names;
    const c = this.heap.view(this.control);
    const n = this.heap.view(this.counters);
    const remaining = (12 * (c[stepper.END] - c[stepper.TIME])) / Math.max(c[stepper.STEP], 1e-300);
    if (remaining > motion.PATIENCE * this.pace) {
      n[stepper.METHOD] = stepper.RADAU;
      this.implicit = [this.heap.take(radau.MATRICES, this.size, this.size), this.heap.take(radau.ROWS, this.size)];
      this.switched = true;
    }
    this.heap.view(this.counters)[stepper.WATCH] = 0;
  }

  // Whether a constrained motion nears a singular position in steps that shrink without end, or stays in one.
  #stalled() {
    const { stepper, layout, motion } = this.names;
    const evaluations = this.heap.view(this.counters)[stepper.EVALUATIONS];
    if (this.problem.equations === 0 || evaluations - this.mark[1] < motion.MANY) return false;
    const [before, , clear] = this.mark;
    this.mark = [this.time, evaluations, this.heap.view(this.data)[layout.CLEAR]];
    const slow = this.time - before < motion.STALLED * this.problem.duration;
    return slow || Math.max(clear, this.mark[2]) < motion.NEAR_SINGULARITY;
  }

  // The frames, brought to the constraints, with how it ended.
  motion(held) {
    const { heap, kernels, problem, size } = this;
    const { stepper } = this.names;
    const { nq, nv } = problem;
    const count = heap.view(this.counters)[stepper.FRAME];
    const spacing = problem.duration / problem.frames;
    const t = heap.take(count);
    const q = heap.take(count, nq);
    const u = heap.take(count, nv);
    const work = heap.take(count);
    const rows = heap.view(this.rows);
    heap.view(t).forEach((_, k, times) => {
      times[k] = k * spacing;
    });
    if (this.outcome === "completed") heap.view(t)[count - 1] = problem.duration;
    for (let k = 0; k < count; k++) {
      heap.view(q).set(rows.subarray(k * size, k * size + nq), k * nq);
      heap.view(u).set(rows.subarray(k * size + nq, k * size + nq + nv), k * nv);
      heap.view(work)[k] = rows[k * size + size - 1];
    }
    kernels.call("normalise_quaternions", this.model, q);
    const off = held ? this.#settle(t, q, u) : null;
    const evaluations = heap.view(this.counters)[stepper.EVALUATIONS];
    const method = this.switched ? "dop853, then radau" : "dop853";
    const { model, data, outcome, time, rank = 0 } = this;
    return { outcome, time, count, t, q, u, work, model, data, rank, off, evaluations, method };
  }

  // Bring the frames to the constraints; returns for each that is not how far it is off.
  #settle(t, q, u) {
    const { heap, kernels, problem, size } = this;
    const { layout, sizes } = this.names;
    const { nq, nv } = problem;
    const count = t.size;
    const data = heap.take(heap.view(this.model)[layout.DATA_SIZE]);
    kernels.call("reset_data", this.model, data);
    heap.view(data)[layout.TASK] = layout.SETTLE;
    const rows = heap.take(count, size);
    const off = heap.take(count);
    const slides = Array.from(problem.groups, (kind) => kind === sizes.LENGTH || kind === sizes.SPEED);
    const scale = heap.put(scaleOf(heap.view(q), heap.view(u), slides, heap.view(this.model)[layout.LENGTH], nq, nv));
    const y = heap.view(rows);
    for (let k = 0; k < count; k++) {
      y.set(heap.view(q).subarray(k * nq, (k + 1) * nq), k * size);
      y.set(heap.view(u).subarray(k * nv, (k + 1) * nv), k * size + nq);
    }
    const spare = [heap.take(size), heap.take(size)];
    kernels.call("settle_frames:constrained_derivative", this.model, data, this.zero, t, rows, scale, ...spare, off);
    const settled = heap.view(rows);
    for (let k = 0; k < count; k++) {
      heap.view(q).set(settled.subarray(k * size, k * size + nq), k * nq);
      heap.view(u).set(settled.subarray(k * size + nq, k * size + nq + nv), k * nv);
    }
    this.data = data;
    return off;
  }
}

// What corrections of a state are measured by: lengths, angles, speeds, each by their largest.
function scaleOf(q, u, slides, length, nq, nv) {
  const most = (values, width, wanted) => {
    let largest = 0;
    values.forEach((value, k) => {
      if (wanted(k % width)) largest = Math.max(largest, Math.abs(value));
    });
    return largest;
  };
  const along = most(q, nq, (i) => slides[i]);
  const reach = Math.max(length, along) || 1;
  const about = most(q, nq, (i) => !slides[i]) || 1;
  const sliding = most(u, nv, (i) => slides[nq + i]) || 1;
  const turning = most(u, nv, (i) => !slides[nq + i]) || 1;
  const place = slides.slice(0, nq).map((slide) => (slide ? Math.max(reach, along || 1) : Math.max(1, about)));
  const speed = slides.slice(nq, nq + nv).map((slide) => (slide ? sliding : turning));
  return [...place, ...speed, 1];
}
