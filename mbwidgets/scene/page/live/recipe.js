// A recipe: from the values of a model's parameters to the numbers that the kernels read. It is data from outside, and
// is checked by `checkProblem` before any of it reaches a kernel.

import { checkProblem, checkVersion } from "./check.js";

export const numbersIn = (text) => new Float64Array(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);

// The problem of a document, its arrays unpacked and checked; `digest` is that of the kernels in the page.
export function readProblem(document, names, digest) {
  checkVersion(document, digest, names.page.FORMAT);
  const problem = { ...document };
  for (const key of ["template", "steps", "machine", "rules", "groups"]) problem[key] = numbersIn(document[key]);
  checkProblem(problem, names);
  problem.places = new Map(problem.names.map((name, k) => [name, k]));
  problem.moves = readMoves(document.moves);
  return problem;
}

// How its numbers move, by key; what is exact as integers.
function readMoves({ aliases, notes, balls, solids, bounds, rules }) {
  const exact = (item) => (typeof item === "number" ? item : item.map(BigInt));
  return {
    aliases: new Map(Object.entries(aliases)),
    notes: new Map(Object.entries(notes)),
    bounds: new Map(Object.entries(bounds)),
    solids: new Map(Object.entries(solids).map(([body, parts]) => [body, parts.map(exact)])),
    balls,
    rules,
  };
}

// The initial state and the model's array at these values; null for both where a number is not finite.
export function followRecipe(kernels, problem, names, values) {
  const { heap } = kernels;
  const { layout } = names;
  const machine = heap.put(problem.machine);
  const data = heap.take(problem.machine[layout.DATA_SIZE]);
  const numbers = heap.put(problem.template);
  const steps = heap.put(problem.steps, problem.steps.length / 4, 4);
  const failed = kernels.call("follow_recipe", machine, data, steps, heap.put(values), numbers);
  if (failed >= 0) return { slot: problem.steps[4 * failed + 1], state: null, model: null };
  const state = { at: numbers.at, shape: [problem.start], size: problem.start };
  const size = numbers.size - problem.start;
  return { slot: -1, state, model: { at: numbers.at + problem.start, shape: [size], size } };
}
