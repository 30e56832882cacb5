// Numbers of formulae over a motion, by their programs: as FormulaProgram.evaluate of numeric/packing/formula_programs.py.

import { checkMachine } from "./check.js";
import { refuse } from "./refused.js";

const LEFT_OF_TERMS = 64 * Number.EPSILON; // of the size of terms, as in formula_programs.py

const isPlace = (place, end) => Number.isInteger(place) && place >= 0 && place < end;

// The numbers that stand before a program's own: q, u, u̇ and its parameters.
const given = ({ nq, nv }, { parameters }) => nq + 2 * nv + parameters.length;

// (frames, results) of one formula {machine, parameters, results, sizes}; parameters are places among the values. Where
// it tells the squares of the sizes of its terms, what is only rounding beside them is zero.
function valuesOf(kernels, problem, names, motion, ud, values, formula) {
  const { heap } = kernels;
  const { nq, nv } = problem;
  const { machine, parameters, results, sizes = [] } = formula;
  const first = given(problem, formula);
  const programs = machine[names.layout.PROGRAMS];
  const width = first + programs;
  checkMachine(machine, width, names);
  if (
    ![...results, ...sizes].every((place) => isPlace(place, programs)) ||
    (sizes.length && sizes.length !== results.length)
  )
    refuse("a formula has no such result");
  if (!parameters.every((place) => isPlace(place, values.length))) refuse("a formula has no such parameter");
  const numbers = heap.take(motion.count, width);
  const program = heap.put(machine);
  const data = heap.take(machine[names.layout.DATA_SIZE]);
  const table = heap.view(numbers);
  const [q, u, rates] = [motion.q, motion.u, ud].map((array) => heap.view(array));
  for (let k = 0; k < motion.count; k++) {
    const at = k * width;
    table.set(q.subarray(k * nq, (k + 1) * nq), at);
    table.set(u.subarray(k * nv, (k + 1) * nv), at + nq);
    table.set(rates.subarray(k * nv, (k + 1) * nv), at + nq + nv);
    parameters.forEach((place, j) => {
      table[at + nq + 2 * nv + j] = values[place];
    });
  }
  kernels.call("run_formula", program, data, motion.t, numbers, first);
  const found = heap.view(numbers);
  const out = new Float64Array(motion.count * results.length);
  for (let k = 0; k < motion.count; k++) {
    results.forEach((place, j) => {
      const value = found[k * width + first + place];
      const size = sizes.length ? Math.sqrt(found[k * width + first + sizes[j]]) : 0;
      out[k * results.length + j] = Math.abs(value) <= LEFT_OF_TERMS * size ? 0 : value;
    });
  }
  return out;
}

// All lines of formulae, (frames, lines): `lines` are the numbers, `count` how many there are in a frame.
export function formulaValues(kernels, problem, names, motion, ud, values, formulae) {
  const { heap } = kernels;
  const { top } = heap;
  const tables = formulae.map((formula) => {
    const found = valuesOf(kernels, problem, names, motion, ud, values, formula);
    heap.release(top);
    return found;
  });
  const count = formulae.reduce((sum, { results }) => sum + results.length, 0);
  const lines = new Float32Array(motion.count * count);
  let column = 0;
  tables.forEach((table, n) => {
    const width = formulae[n].results.length;
    table.forEach((value, at) => {
      lines[Math.floor(at / width) * count + column + (at % width)] = value;
    });
    column += width;
  });
  return { lines, count };
}

// How far the kinetic energy by a formula, which comes from the exact metric, is from that of the kernels, relative to it.
export function kineticDifference(kernels, problem, names, motion, { ud, totals }, values, formula) {
  const { heap } = kernels;
  const { top } = heap;
  const found = valuesOf(kernels, problem, names, motion, ud, values, formula);
  heap.release(top);
  const kernel = heap.view(totals);
  let [apart, most] = [0, 0];
  found.forEach((value, k) => {
    apart = Math.max(apart, Math.abs(value - kernel[8 * k]));
    most = Math.max(most, Math.abs(kernel[8 * k]));
  });
  return most > 0 ? apart / most : apart;
}
