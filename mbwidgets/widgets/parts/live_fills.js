// What a page fills of a view: tables, plots, matrices, marks, paths and words, from the results of the view's programs.

import { modelOf } from "../../scene/page/shared/models.js";
import { layOver } from "../../scene/page/shared/overlay.js";
import { placeMark } from "./live_marks.js";
import { isChosen } from "./live_when.js";
import { wordsFor } from "./live_words.js";

const UNTOLD = "Computed in the notebook: this page cannot tell it of other values.";

export class Fills {
  constructor(model) {
    this.model = model;
    this.touched = new Set(); // keys of the sliders that were moved since the kernel spoke
    this.replaced = new Map(); // words that are not true of what is shown: a part, and what it said
  }

  touch(key) {
    this.touched.add(key);
  }

  // The parts of a motion; those that only Python can fill say so. `isPlainMoved`: whether a number has been moved that
  // stands in formulae as a number; `chosen`: where the menus stand that a page answers; `quiet`: what was told of this
  // motion stays, numbers over time alone are filled; `pulled`: a hand acts on it.
  async fill({ times, filled, sizes, once }, { isPlainMoved, chosen, quiet = false, pulled = false }) {
    const { tables } = this.model.get("wanted");
    if (!tables || filled.length !== tables.fills.length) return;
    const nothing = new Float32Array(0);
    const find = ({ part }) => modelOf(this.model.widget_manager, part);
    const shown = ({ when }) => !chosen || isChosen(when, chosen);
    const lists = [tables.fills, tables.untold, tables.stale ?? [], tables.once?.fills ?? []];
    const [parts, empty, stale, constant] = await Promise.all(lists.map((list) => Promise.all(list.map(find))));
    parts.forEach((part, k) => {
      const { kind, exact, freely } = tables.fills[k];
      const isUntrue = (exact && isPlainMoved) || (freely && pulled);
      if (!shown(tables.fills[k]) || kind === "shift" || kind === "look") return;
      if (kind === "path") drawPath(part.obj, filled[k]);
      else layOver(part, { values: isUntrue ? nothing : filled[k], times });
    });
    if (quiet) return;
    constant.forEach((part, k) => {
      const { kind } = tables.once.fills[k];
      if (kind === "chart") layOver(part, { y: once[k] });
      else if (kind === "handles") layOver(part, { numbers: once[k] });
      else placeMark(part.obj, once[k]);
    });
    for (const [k, item] of tables.words.entries()) {
      if (shown(item)) (await find(item)).set("value", wordsFor(item, sizes[k]));
    }
    empty.forEach((part, k) => {
      if (!shown(tables.untold[k])) return;
      if (part.obj) part.obj.visible = false;
      else layOver(part, { values: nothing, times: nothing, x: nothing, y: nothing, note: UNTOLD });
    });
    stale.forEach((part, k) => {
      this.#replace(part, tables.stale[k]);
    });
  }

  // Words that were true of the kernel's motion give way to others, unless the sliders that were moved leave them true.
  #replace(part, { instead, spared }) {
    if (this.replaced.has(part) || [...this.touched].every((key) => spared.includes(key))) return;
    this.replaced.set(part, { before: part.get("value"), instead });
    part.set("value", instead);
  }

  // They are true again; where the kernel has told others, these stay.
  restore() {
    for (const [part, { before, instead }] of this.replaced)
      if (part.get("value") === instead) part.set("value", before);
    this.replaced.clear();
    this.touched.clear();
  }
}

// Let a line of the stage go through these points; what room is left stays at the last one.
function drawPath({ geometry }, points) {
  const { position } = geometry.attributes;
  const room = Math.min(points.length, position.array.length);
  position.array.set(points.subarray(0, room));
  for (let at = room; at < position.array.length; at++) position.array[at] = points[room - 3 + (at % 3)];
  position.needsUpdate = true;
}
