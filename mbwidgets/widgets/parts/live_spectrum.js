// The spectrum of a joint's kinetic pressures in a page, with the mark of its shaft, while its tab is in sight.

import { modelOf } from "../../scene/page/shared/models.js";
import { layOver, overlayOf } from "../../scene/page/shared/overlay.js";
import { isChosen } from "./live_when.js";
import { significant } from "./live_words.js";

const LENGTH = 3; // the last of the four columns of a spectrum
const EMPTY = new Float32Array(0);

// The frequencies of the peaks above a share of the highest, as PressureSpectrum.peaks finds them.
export function peaksOf(x, y, least) {
  const highest = y.reduce((most, value) => Math.max(most, value), 0);
  const isTop = (k) => y[k] >= y[k - 1] && y[k] > y[k + 1] && y[k] > least * highest;
  return Array.from(x.keys())
    .slice(1, -1)
    .filter(isTop)
    .map((k) => x[k]);
}

// Where the shaft's own frequency √(c/m)/2π stands, Hz, and whether a peak covers it: half as wide as two lines.
export function shaftMark(x, y, stiffness, mass, { clear, colours }) {
  const at = Math.sqrt(stiffness / mass) / (2 * Math.PI);
  const met = peaksOf(x, y, clear).some((peak) => Math.abs(at - peak) <= 2 * x[1]);
  return { at, text: `shaft ${significant(at, 3)} Hz${met ? ", at a peak" : ""}`, colour: colours[met ? 1 : 0] };
}

export async function connectSpectrum(model, answers) {
  const told = () => model.get("wanted").tables?.spectrum;
  const { part, tabs: folder, choices } = told();
  const find = (reference) => modelOf(model.widget_manager, reference);
  const [chart, tabs] = await Promise.all([part, folder].map(find));
  const references = [...new Set(choices.flatMap(({ when }) => when.map(([menu]) => menu)))];
  const menus = await Promise.all(references.map(find));
  const chosen = () => {
    const at = new Map(references.map((reference, k) => [reference, menus[k].get("index")]));
    return told()?.choices.find(({ when }) => isChosen(when, at));
  };
  const isSeen = () => tabs.get("selected_index") === told()?.tab;
  const stiffness = () => {
    const { keys, own, spectrum } = model.get("wanted").tables;
    return answers.own.get(spectrum.key) ?? own[keys.indexOf(spectrum.key)];
  };

  answers.curves = () => (isSeen() ? chosen()?.page : null) ?? null;
  answers.looks.push(({ curves, inertias }) => {
    const one = chosen();
    if (!one) return;
    if (!curves?.values.length) {
      layOver(chart, { x: EMPTY, y: EMPTY, marks: [], note: curves?.note ?? "" });
      return;
    }
    const [x, y] = [curves.across, curves.values.filter((_, k) => k % 4 === LENGTH)];
    const mass = one.carried.reduce((sum, body) => sum + inertias[10 * body], 0);
    const marks = mass > 0 ? [shaftMark(x, y, stiffness(), mass, told())] : [];
    layOver(chart, { x, y, marks, note: "" });
  });
  // what was moved while nobody saw the spectrum is told when it comes into sight
  tabs.on("change:selected_index", () => {
    if (isSeen() && overlayOf(chart)) answers.again();
  });
  if (!model.get("wanted").tables.menus) return; // the kernel answers them
  for (const menu of menus)
    menu.on("change:index", () => {
      chart.set(chosen()?.look ?? {});
      answers.again();
    });
}
