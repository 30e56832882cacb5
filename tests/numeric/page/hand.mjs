// Pulls mechanisms by hand as a page does; reads {static, twin, cases: [{document, q, hand}]} and prints poses, springs,
// the values of the start, and the motion that a spring pulls.

import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { posed, pulled } from "../../../mbwidgets/scene/page/live/hand.js";
import { openTwin, openWasm } from "../../../mbwidgets/scene/page/live/kernels.js";
import { solve } from "../../../mbwidgets/scene/page/live/motion.js";
import { followRecipe, readProblem } from "../../../mbwidgets/scene/page/live/recipe.js";
import { Refused } from "../../../mbwidgets/scene/page/live/refused.js";
import { movedNumbers, movedTexts } from "../../../mbwidgets/widgets/parts/live_file.js";

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
const text = (values) => Buffer.from(Float64Array.from(values).buffer).toString("base64");

function answer({ document, q, u, hand, texts, file }) {
  const problem = readProblem(document, names, table.sha256);
  const { values } = problem;
  kernels.heap.release();
  const found = pulled(kernels, problem, names, values, q, hand);
  const spring = pulled(kernels, problem, names, values, q, hand, 0);
  const start = posed(kernels, problem, names, values, found.q);
  const { state } = followRecipe(kernels, problem, names, start.values);
  const begins = text(kernels.heap.view(state));
  const options = { start: [...q, ...u], spring: { ...spring, at: hand.at, place: hand.place } };
  const run = solve(kernels, problem, names, values, options);
  let step = run.next();
  while (!step.done) step = run.next();
  const motion = step.value;
  const written = texts ? movedTexts(texts, file, movedNumbers(document, start.values)) : {};
  return {
    q: text(found.q),
    left: found.left,
    spring: [spring.stiffness, spring.damping],
    refusal: start.refusal,
    values: Array.from(start.values),
    start: begins,
    outcome: motion.outcome,
    states: motion.count ? [text(kernels.heap.view(motion.q)), text(kernels.heap.view(motion.u))] : null,
    ...written,
  };
}

const answers = given.cases.map((item) => {
  try {
    return answer(item);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { refused: error.message };
  }
});
console.log(JSON.stringify({ answers }));
