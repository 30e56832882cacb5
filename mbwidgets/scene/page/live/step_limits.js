// How far a step may reach so that it sees every input that depends on time: the table of step_limits.py, to the bit, for
// the values that a page has. Its kernels bound and sample the inputs; what is done with that is done in the same order.

import { bentAt, InputProgram, inputsOfModel } from "./input_programs.js";

const ascending = (a, b) => a - b;
const unique = (numbers) => Float64Array.from(new Set(numbers)).sort(ascending);

// The table of a model's numbers: rows (from this time on, largest step, mark). Each `next()` is a piece of work.
export function* stepLimits(kernels, names, model, duration) {
  const { inputs, reach } = names;
  const given = inputsOfModel(model, names);
  if (given.length === 0) return Float64Array.of(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 0);
  const search = { kernels, names, duration };
  const parts = new Map(given.flatMap((lines) => bentAt(lines, names)).map((lines) => [lines.join(";"), lines]));
  const zeros = new Map();
  for (const [key, lines] of parts) zeros.set(key, yield* zerosOf(search, lines));
  const found = [];
  for (const lines of [...given, ...parts.values()]) found.push(yield* resolve(search, lines));
  const kinks = [];
  const jumps = [];
  for (const lines of given) {
    const times = bentAt(lines, names).flatMap((part) => zeros.get(part.join(";")));
    const jumping = isJump(search, lines, times);
    times.forEach((time, k) => {
      (jumping[k] ? jumps : kinks).push(time);
    });
  }
  const beside = jumps.map((time) => inputs.JUMP * Math.max(time, inputs.SOON));
  const before = jumps.map((time, k) => Math.max(time - beside[k], 0));
  const ends = new Set([...kinks, ...before, ...jumps.map((time, k) => time + beside[k])]);
  const starts = unique([0, ...found.flatMap(({ cells }) => cells), ...ends]);
  const limits = Array.from(starts, (time) => Math.min(...found.map((item) => item.limits[rowOf(item.cells, time)])));
  const marks = Array.from(starts, (time) => (ends.has(time) ? reach.ENDS : 0));
  for (const time of jumps) marks[rowOf(starts, time)] = reach.ACROSS;
  return joinedRows(starts, limits, marks);
}

// The last of increasing numbers that is not above a time.
function rowOf(numbers, time) {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

// The table without rows that say what the row before says.
function joinedRows(starts, limits, marks) {
  const rows = [];
  starts.forEach((time, k) => {
    const first = k === 0;
    if (first || limits[k] !== limits[k - 1] || marks[k] > 0)
      rows.push(first ? Number.NEGATIVE_INFINITY : time, limits[k], marks[k]);
  });
  return Float64Array.from(rows);
}

// Halve intervals until samples show what the input does in each of them.
function* resolve({ kernels, names, duration }, lines) {
  const { inputs } = names;
  const program = new InputProgram(kernels, names, lines);
  const count = inputs.SAMPLES.length;
  const done = [];
  let [low, width, largest, total] = [[0], duration, 0, 0];
  for (let depth = 0; depth <= inputs.DEPTH && low.length > 0; depth++) {
    const wide = width;
    const bounds = program.bounds(
      low,
      low.map((time) => time + wide),
      false,
    );
    const values = program.sample(low.flatMap((time) => inputs.SAMPLES.map((part) => time + wide * part)));
    for (const value of values) if (Number.isFinite(value)) largest = Math.max(largest, Math.abs(value));
    total += low.length;
    const last = depth === inputs.DEPTH || total > inputs.MOST;
    const rest = [];
    low.forEach((time, k) => {
      const seen = spread(values.subarray(k * count, (k + 1) * count));
      const [least, most, fall, rise] = bounds.subarray(4 * k, 4 * k + 4);
      const change = Math.max(Math.abs(fall), Math.abs(rise)) * wide;
      const hidden = lesser(most - least, change);
      const small = hidden * wide <= inputs.NEGLIGIBLE * largest * duration;
      if (last || change <= inputs.UNSEEN * seen || small)
        done.push([time, depth > 0 ? 0.5 * wide : Number.POSITIVE_INFINITY]);
      else rest.push(time);
    });
    width /= 2;
    low = [...rest, ...rest.map((time) => time + width)];
    yield 0;
  }
  done.sort((a, b) => a[0] - b[0]);
  return { cells: done.map(([time]) => time), limits: done.map(([, limit]) => limit) };
}

// max − min; 0 where that is not finite.
function spread(values) {
  const found = Math.max(...values) - Math.min(...values);
  return Number.isFinite(found) ? found : 0;
}

// The lesser of two numbers, or the one that is a number.
function lesser(a, b) {
  if (Number.isNaN(a)) return b;
  return Number.isNaN(b) ? a : Math.min(a, b);
}

// The first times at which the sign of a program is no longer what it was.
function* zerosOf({ kernels, names, duration }, lines) {
  const program = new InputProgram(kernels, names, lines);
  const { zeros } = names;
  const kept = [0, duration];
  let [low, width, total] = [[0], duration, 0];
  for (let depth = 0; depth <= zeros.DEPTH && low.length > 0; depth++) {
    const wide = width;
    const bounds = program.bounds(
      low,
      low.map((time) => time + wide),
      true,
    );
    total += low.length;
    const last = depth === zeros.DEPTH || total > zeros.MOST;
    const rest = [];
    low.forEach((time, k) => {
      const [least, most, fall, rise] = bounds.subarray(4 * k, 4 * k + 4);
      if (!(least <= 0 && most >= 0 && (least < 0 || most > 0))) return;
      if (last || fall > 0 || rise < 0) kept.push(time, time + wide);
      else rest.push(time);
    });
    width /= 2;
    low = [...rest, ...rest.map((time) => time + width)];
    yield 0;
  }
  const times = unique(kept);
  const signs = Array.from(program.sample(times), Math.sign);
  const crossed = [...times.keys()].filter((k) => signs[k] * signs[k + 1] < 0);
  const exact = Array.from(times).filter((_, k) => signs[k] === 0);
  const sides = crossed.map((k) => ({ low: times[k], high: times[k + 1], sign: signs[k] }));
  firstAfter(program, sides, zeros.HALVINGS);
  return [...exact, ...sides.map(({ high }) => high)].sort(ascending);
}

// Let `high` be the first float behind `low` at which a program has not the sign that it had.
function firstAfter(program, sides, halvings) {
  for (let turn = 0; turn < halvings; turn++) {
    const open = sides.filter((side) => {
      side.middle = 0.5 * (side.low + side.high);
      return side.low < side.middle && side.middle < side.high;
    });
    if (open.length === 0) return;
    const values = program.sample(open.map(({ middle }) => middle));
    open.forEach((side, k) => {
      if (Math.sign(values[k]) === side.sign) side.low = side.middle;
      else side.high = side.middle;
    });
  }
}

// Whether an input jumps at these times: an angle does not where y changes its sign on the right.
function isJump({ kernels, names, duration }, lines, times) {
  const { inputs, machine } = names;
  const jumping = [machine.SIGN, machine.ATAN2, machine.WHERE];
  if (times.length === 0 || !lines.some(([operation]) => jumping.includes(operation))) return times.map(() => false);
  const program = new InputProgram(kernels, names, lines);
  const beside = times.map((time) => inputs.JUMP * Math.max(time, inputs.SOON));
  const around = program.sample(times.flatMap((time, k) => [time - beside[k], time, time + beside[k]]));
  const usual = program.sample([...times, ...inputs.SAMPLES.map((part) => duration * part)]);
  let largest = 0;
  for (const value of usual) if (Number.isFinite(value)) largest = Math.max(largest, Math.abs(value));
  return times.map((_, k) => {
    const three = around.subarray(3 * k, 3 * k + 3);
    return !(Math.max(...three) - Math.min(...three) <= inputs.SMALLEST_JUMP * largest);
  });
}
