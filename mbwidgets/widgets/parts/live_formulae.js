// Numbers beneath the formula that a page shows: its value, and those of what it is made of, at the player's time.

import { frameAt } from "../../scene/page/shared/frames.js";
import { digitsOf } from "../../scene/page/shared/numbers.js";

const DIGITS_SHOWN = 6;

// The place of a line's number, and the left side of the line beside it.
export const valuesHtml = (names) =>
  names.length
    ? `<p class='mbw-foot mbw-values'>Values at t = <b data-time></b> s: ${names
        .map((name, k) => `<span class='mbw-value'>$${name}$ = <b data-value='${k}'></b></span>`)
        .join(" ")}</p>`
    : "";

// A stored formula {machine, parameters, results, sizes} as the worker takes it: its machine as numbers, parameters by place.
export function programOf({ machine, parameters, results, sizes = [] }, names) {
  const bytes = new Uint8Array(machine.buffer, machine.byteOffset, machine.byteLength).slice();
  return {
    machine: new Float64Array(bytes.buffer),
    parameters: parameters.map((name) => names.indexOf(name)),
    results,
    sizes,
  };
}

export class FormulaValues {
  constructor(model, player) {
    Object.assign(this, { model, player, found: null });
    player.on("change:time", () => this.show());
  }

  // Numbers over the times of a motion have come, or there are none.
  take(times, formulae) {
    this.found = formulae && { times, ...formulae };
    this.show();
  }

  async show() {
    const { found, player } = this;
    for (const promise of Object.values(this.model.views ?? {})) {
      const { el } = await promise;
      const frame = found ? frameAt(found.times, player.get("time")) : 0;
      const time = el.querySelector("[data-time]");
      if (time) time.textContent = found ? found.times[frame].toFixed(3) : "…";
      for (const node of el.querySelectorAll("[data-value]")) {
        const place = Number(node.dataset.value);
        const known = found && place < found.count;
        node.textContent = known ? digitsOf(found.lines[frame * found.count + place], 0, DIGITS_SHOWN) : "…";
      }
    }
  }
}
