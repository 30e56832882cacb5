// What tables, plots and matrices show of a motion, and arrows of a view's own: programs that read its numbers in each
// frame. They come from a file as the motion's problem does, and are checked before they run.

import { checkMachine } from "./check.js";
import { numbersIn } from "./recipe.js";
import { Refused, refuse, whole } from "./refused.js";

const MOST_RESULTS = 20_000;
const MOST_INPUTS = 20_000;
const BLOCK = 64; // frames that are computed at a time: the values of one program need not be kept for all
const CONSTANT = new Set(["numbers", "own", "parameters"]); // tables that have one row for all frames
const MOST_WORK = 2e8; // numbers of a program times frames: a second of work
const KEPT = 4; // programs that are kept ready
const ready = new Map();

// A program, unpacked and checked. The same one comes with every wish: it is known by its name.
export function readTables(document, names) {
  const known = ready.get(document?.name);
  if (known) return known;
  try {
    const program = unpackTables(document, names);
    ready.set(document.name, program);
    if (ready.size > KEPT) ready.delete(ready.keys().next().value);
    return program;
  } catch (error) {
    if (error instanceof Refused) throw error;
    return refuse("the program of a table cannot be read"); // it is no document of ours
  }
}

function unpackTables({ tables, inputs, results, programs, machine: packed }, names) {
  whole(inputs.length, 0, MOST_INPUTS, "the number of a table's inputs");
  whole(results.length, 0, MOST_RESULTS, "the number of a table's cells");
  const machine = numbersIn(packed);
  whole(programs, machine[names.layout.PROGRAMS], machine[names.layout.PROGRAMS], "the number of a table's programs");
  checkMachine(machine, inputs.length + programs, names);
  for (const [table, place] of inputs) {
    whole(table, 0, tables.length - 1, "a table");
    whole(place, 0, Number.MAX_SAFE_INTEGER, "a place in a table");
  }
  for (const place of results) whole(place, 0, programs - 1, "a result");
  return { tables, inputs, results, programs, machine };
}

// How many numbers `runTables` takes from the memory.
export const roomFor = ({ machine, inputs, programs }, names) =>
  machine.length + machine[names.layout.DATA_SIZE] + BLOCK * (inputs.length + programs + 1);

// The results in every frame, or in the first ones, (frames, results); `see` are the motion's numbers by table.
export function runTables(kernels, names, see, program, wanted = see.count) {
  const { heap } = kernels;
  const { tables, inputs, results, programs } = program;
  const { count } = see;
  if (program.machine.length * wanted > MOST_WORK) refuse("the program of a table takes too long");
  const { top } = heap;
  const machine = heap.put(program.machine);
  const data = heap.take(program.machine[names.layout.DATA_SIZE]);
  const width = inputs.length + programs;
  const room = heap.take(BLOCK, width);
  const times = heap.take(BLOCK);
  const read = readers(see, tables, inputs, count);
  const out = new Float64Array(wanted * results.length);
  for (let first = 0; first < wanted; first += BLOCK) {
    const frames = Math.min(BLOCK, wanted - first);
    const [numbers, t] = [heap.view(room), heap.view(times)];
    for (let k = 0; k < frames; k++) {
      t[k] = see.t[first + k];
      for (let j = 0; j < read.length; j++) {
        const { values, stride, place } = read[j];
        numbers[k * width + j] = values[(first + k) * stride + place];
      }
    }
    kernels.call("run_formula", machine, data, heap.rows(times, frames), heap.rows(room, frames), inputs.length);
    for (let k = 0; k < frames; k++) {
      const from = k * width + inputs.length;
      const to = (first + k) * results.length;
      for (let j = 0; j < results.length; j++) out[to + j] = numbers[from + results[j]];
    }
  }
  heap.release(top);
  return out;
}

function readers(see, tables, inputs, count) {
  return inputs.map(([table, place]) => {
    const values = see[tables[table]];
    if (!values) refuse(`there is no table ${tables[table]}`);
    const stride = CONSTANT.has(tables[table]) ? 0 : values.length / count;
    whole(place, 0, (stride || values.length) - 1, "a place in a table");
    return { values, stride, place };
  });
}

// The columns of each part, (frames, columns), of results (frames, width).
export function partsOfTables(values, width, count, fills) {
  return fills.map(({ first, columns, kind }) => {
    // what a handle is put to becomes a number of the model
    const out = kind === "handles" ? new Float64Array(count * columns) : new Float32Array(count * columns);
    for (let k = 0; k < count; k++) {
      for (let j = 0; j < columns; j++) out[k * columns + j] = values[k * width + first + j];
    }
    return out;
  });
}

// The largest size over the frames of each of the numbers that sentences tell; NaN where one is none. From the number
// `begins` on they are those of the first frame, with their signs.
export function largestSizes(values, width, words) {
  return words.map(({ first, columns, begins = columns }) => {
    const sizes = Array.from({ length: columns }, (_, j) => (j < begins ? 0 : values[first + j]));
    for (let at = first; at < values.length; at += width) {
      for (let j = 0; j < begins; j++) sizes[j] = Math.max(sizes[j], Math.abs(values[at + j]));
    }
    return sizes;
  });
}
