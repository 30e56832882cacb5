// Runs programs of tables on the kernels as a page does; reads {static, twin, cases} of {program, frames, see} and
// prints what became of each: its results, or why it was refused.

import { readFileSync } from "node:fs";
import { openWasm } from "../../../mbwidgets/scene/page/live/kernels.js";
import { Refused } from "../../../mbwidgets/scene/page/live/refused.js";
import { readTables, runTables } from "../../../mbwidgets/scene/page/live/tables.js";

const given = JSON.parse(readFileSync(0, "utf8"));
const read = (name) => readFileSync(`${given.static}/${name}`);
const table = JSON.parse(read("kernels.json"));
const names = JSON.parse(read("names.json"));
const kernels = await openWasm(read("kernels.wasm"), table);

let seen = {};

function answer({ program, frames, see }) {
  // tables stay until others are given
  if (see) seen = Object.fromEntries(Object.entries(see).map(([name, values]) => [name, Float64Array.from(values)]));
  kernels.heap.release();
  const found = readTables(program, names);
  return { results: [...runTables(kernels, names, { ...seen, count: frames }, found)] };
}

const answers = given.cases.map((item) => {
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1000;
  try {
    return { ...answer(item), seconds: seconds() };
  } catch (error) {
    if (!(error instanceof Refused) && !(error instanceof RangeError)) throw error;
    return { why: error.message, seconds: seconds() };
  }
});
console.log(JSON.stringify({ answers, memory: kernels.heap.numbers.buffer.byteLength }));
