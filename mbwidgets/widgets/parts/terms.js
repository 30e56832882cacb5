// Formulae with a number and a bar under each term, which follow the player. All text is set as text.

import { element } from "../../scene/page/shared/elements.js";
import { frameAt } from "../../scene/page/shared/frames.js";
import { listen, referred, together } from "../../scene/page/shared/models.js";
import { digitsOf, largestOf } from "../../scene/page/shared/numbers.js";
import { bufferOf, traitOf } from "../../scene/page/shared/overlay.js";
import { writeSymbol } from "../../scene/page/shared/symbols.js";

// Where a bar lies in its box, in per cent: from its middle where there are numbers of both signs, else from the left.
export function barOf(value, largest, both) {
  if (!Number.isFinite(value) || !(largest > 0)) return { left: 0, width: 0 };
  const share = (Math.abs(value) / largest) * (both ? 50 : 100);
  if (!both) return { left: 0, width: share };
  return { left: value < 0 ? 50 - share : 50, width: share };
}

async function render({ model, el }) {
  el.classList.add("mbw-terms");
  const player = await referred(model, "player");
  const head = element("div", { class: "mbw-terms-head" }, el);
  const body = element("div", { class: "mbw-terms-rows" }, el);
  let values = new Float32Array(0);
  let lines = []; // of each row its terms: number, bar, trough
  let shape = "";

  const drawTerm = (term, unit, line) => {
    if (term.before) element("span", { class: "mbw-term-before", text: term.before }, line);
    const box = element("span", { class: "mbw-term", "data-key": term.key }, line);
    if (term.colour) box.style.setProperty("--mbw-own", term.colour);
    const symbol = element("span", { class: "mbw-sign" }, box);
    writeSymbol(symbol, term.symbol);
    const number = element("span", { class: "mbw-term-number" }, box);
    const trough = term.barred ? element("span", { class: "mbw-term-trough" }, box) : null;
    const bar = trough && element("span", { class: term.striped ? "mbw-striped" : "" }, trough);
    if (term.key) {
      const point = (key) => () => player.set("highlight", key);
      box.addEventListener("pointerenter", point(term.key));
      box.addEventListener("pointerleave", point(""));
    }
    return { number, bar, trough, unit };
  };

  const follow = () => {
    const count = lines.reduce((sum, line) => sum + line.length, 0);
    const frames = count ? values.length / count : 0;
    if (!frames || !Number.isInteger(frames)) {
      for (const { number } of lines.flat()) number.textContent = "";
      return;
    }
    let at = frameAt(bufferOf(player, "times"), player.get("time"), frames) * count;
    for (const line of lines) {
      const own = values.subarray(at, at + line.length);
      const barred = own.filter((_, k) => line[k].bar);
      const largest = largestOf(barred);
      const both = barred.some((value) => value < -1e-9 * largest);
      line.forEach(({ number, bar, trough, unit }, k) => {
        const text = digitsOf(own[k], largest);
        number.textContent = k === 0 ? `${text} ${unit}` : own[k] > 0 && text !== "0" ? `+${text}` : text;
        if (!bar) return;
        const { left, width } = barOf(own[k], largest, both);
        trough.classList.toggle("mbw-both", both);
        bar.style.left = `${left}%`;
        bar.style.width = `${width}%`;
      });
      at += line.length;
    }
  };

  const build = () => {
    values = bufferOf(model, "values");
    const [title, hint, note, rows] = ["title", "hint", "note", "rows"].map((name) => traitOf(model, name));
    const wanted = JSON.stringify([title, hint, note, rows]);
    if (wanted === shape) return follow();
    shape = wanted;
    head.replaceChildren();
    element("b", { text: title }, head);
    writeSymbol(element("span", {}, head), hint);
    body.replaceChildren();
    lines = rows.map((row) => {
      const line = element("div", { class: "mbw-terms-row" }, body);
      const name = element("span", { class: "mbw-terms-name" }, line);
      if (row.name) element("b", { text: row.name }, name);
      if (row.number) element("span", { text: ` ${row.number}` }, name);
      return row.terms.map((term) => drawTerm(term, row.unit, line));
    });
    if (note) element("p", { text: note }, body);
    follow();
  };

  const light = () => {
    const key = player.get("highlight");
    for (const node of body.querySelectorAll("[data-key]"))
      node.classList.toggle("mbw-bright", key !== "" && node.dataset.key === key);
  };

  const stop = together(
    listen(model, { "change:version": build }),
    listen(player, { "change:time": follow, "change:version": follow, "change:highlight": light }),
  );
  build();
  return stop;
}

export default { render };
