// Solves problems on the kernels as a page does; reads {static, twin, seconds, cases} and prints what it found.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { answered } from "../../../mbwidgets/scene/page/live/answer.js";
import { observe } from "../../../mbwidgets/scene/page/live/frames.js";
import { horizon } from "../../../mbwidgets/scene/page/live/horizon.js";
import { openTwin, openWasm } from "../../../mbwidgets/scene/page/live/kernels.js";
import { solve } from "../../../mbwidgets/scene/page/live/motion.js";
import { followRecipe, readProblem } from "../../../mbwidgets/scene/page/live/recipe.js";
import { Refused } from "../../../mbwidgets/scene/page/live/refused.js";

const given = JSON.parse(readFileSync(0, "utf8"));
const read = (name) => readFileSync(`${given.static}/${name}`);
const table = JSON.parse(read("kernels.json"));
const names = JSON.parse(read("names.json"));
const opened = async () => {
  if (!given.twin) return await openWasm(read("kernels.wasm"), table);
  const text = gunzipSync(read("kernels.js.gz")).toString();
  return openTwin(await import(`data:text/javascript;base64,${Buffer.from(text).toString("base64")}`), table);
};
const kernels = await opened();

const digest = (...arrays) => {
  const hash = createHash("sha256");
  for (const array of arrays) hash.update(new Uint8Array(kernels.heap.view(array).slice().buffer));
  return hash.digest("hex");
};

function finished(work) {
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
}

// What a page says of a motion, and one of its plots.
function told(problem, values, curves, programs) {
  const formulae = programs.map(({ machine, ...rest }) => ({ machine: Float64Array.from(machine), ...rest }));
  const wanted = { curves, formulae, check: formulae[0] ?? null };
  const all = finished(answered(kernels, problem, names, { values, wanted }));
  const { sound, curves: found, why, apart } = all;
  const numbers = found && { across: [...found.across], values: [...found.values], note: found.note ?? "" };
  const lines = all.formulae && [...all.formulae.lines];
  const plain = sound && { ...sound, errors: [...sound.errors] };
  return { outcome: why ?? "", sound: plain, curves: numbers, apart, lines };
}

function answer({ document, values, wanted, curves, formulae }) {
  const problem = readProblem(document, names, table.sha256);
  if (wanted === "horizon") return { outcome: String(finished(horizon(kernels, problem, names, values))) };
  if (wanted === "told") return told(problem, values, curves ?? null, formulae ?? []);
  kernels.heap.release();
  const { model } = followRecipe(kernels, problem, names, values);
  const packed = model && digest(model);
  const began = performance.now();
  const run = solve(kernels, problem, names, values);
  let step = run.next();
  while (!step.done && performance.now() - began < 1000 * given.seconds) step = run.next();
  if (!step.done) return { outcome: "budget", packed };
  const motion = step.value;
  if (motion.count === 0) return { outcome: motion.outcome, packed };
  const found = observe(kernels, problem, names, motion);
  const { q, u, evaluations, count, outcome } = motion;
  return { outcome, packed, count, evaluations, frames: digest(q, u, found.ud, found.reactions, found.vectors) };
}

const answers = given.cases.map((item) => {
  const began = performance.now();
  try {
    return { ...answer(item), seconds: (performance.now() - began) / 1000 };
  } catch (error) {
    if (!(error instanceof Refused) && !(error instanceof RangeError)) throw error;
    return { outcome: "refused", why: error.message, seconds: (performance.now() - began) / 1000 };
  }
});
console.log(JSON.stringify({ answers, memory: kernels.heap.numbers.buffer.byteLength }));
