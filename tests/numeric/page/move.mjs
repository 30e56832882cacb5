// Moves numbers of problems as a page does; reads {static, twin, cases: [{document, moves: [[key, value], …]}]} and prints
// the values, as base64, and the refusal after each move; with `texts` and `file` the model as text, too.

import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { openTwin, openWasm } from "../../../mbwidgets/scene/page/live/kernels.js";
import { move, readPlace } from "../../../mbwidgets/scene/page/live/moves.js";
import { readProblem } from "../../../mbwidgets/scene/page/live/recipe.js";
import { Refused } from "../../../mbwidgets/scene/page/live/refused.js";
import { movedNumbers, movedTexts } from "../../../mbwidgets/widgets/parts/live_file.js";

const given = JSON.parse(readFileSync(0, "utf8"));
const read = (name) => readFileSync(`${given.static}/${name}`);
const table = JSON.parse(read("kernels.json"));
const names = JSON.parse(read("names.json"));
const twin = async () => {
  const text = gunzipSync(read("kernels.js.gz")).toString();
  return openTwin(await import(`data:text/javascript;base64,${Buffer.from(text).toString("base64")}`), table);
};
const kernels = given.twin ? await twin() : await openWasm(read("kernels.wasm"), table);

// JSON has no number that is not finite: such a one comes as Python's text
const number = (value) => (typeof value === "string" ? Number(value.replace("inf", "Infinity")) : value);
const text = (values) => Buffer.from(Float64Array.from(values).buffer).toString("base64");

function answer({ document, moves, texts, file }) {
  const problem = readProblem(document, names, table.sha256);
  const azimuths = new Map();
  let values = Float64Array.from(problem.values);
  return moves.map(([key, value]) => {
    const before = readPlace(kernels, problem, names, values, key, azimuths);
    const found = move(kernels, problem, names, values, key, number(value), azimuths);
    values = found.values;
    const written = texts ? movedTexts(texts, file, movedNumbers(document, values)) : {};
    return { refusal: found.refusal, values: text(values), before, ...written };
  });
}

const answers = given.cases.map((item) => {
  try {
    return { steps: answer(item) };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { refused: error.message };
  }
});
console.log(JSON.stringify({ answers }));
