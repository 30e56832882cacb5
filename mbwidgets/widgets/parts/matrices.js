// Matrices of numbers that follow the player in the page, their blocks coloured and named. All text is set as text.

// Whole numbers, of which matrices are full, without decimals.

import { brighten, element } from "../../scene/page/shared/elements.js";
import { frameAt } from "../../scene/page/shared/frames.js";
import { listen, referred, together } from "../../scene/page/shared/models.js";
import { digitsOf, largestOf, signed } from "../../scene/page/shared/numbers.js";
import { bufferOf, traitOf } from "../../scene/page/shared/overlay.js";
import { writeSymbol } from "../../scene/page/shared/symbols.js";
export const entry = (value, largest) =>
  Number.isInteger(value) && Math.abs(value) < 1e5 ? signed(String(value)) : digitsOf(value, largest);

export const blockOf = ({ blocks }, row, column) =>
  blocks.find(({ rows, columns }) => rows[0] <= row && row < rows[1] && columns[0] <= column && column < columns[1]);

async function render({ model, el }) {
  el.classList.add("mbw-matrices");
  const player = await referred(model, "player");
  let values = new Float32Array(0);
  let cells = [];
  let shape = "";
  let largest = 0;

  const fill = () => {
    const frames = cells.length ? values.length / cells.length : 0;
    if (!frames) for (const cell of cells) cell.textContent = "";
    if (!frames || !Number.isInteger(frames)) return;
    const first = frameAt(bufferOf(player, "times"), player.get("time"), frames) * cells.length;
    cells.forEach((cell, k) => {
      const text = entry(values[first + k], largest);
      if (cell.textContent !== text) cell.textContent = text;
      cell.classList.toggle("mbw-matrix-zero", text === "0");
    });
  };

  const draw = (item, parent) => {
    const figure = element("figure", {}, parent);
    const caption = element("figcaption", {}, figure);
    writeSymbol(element("b", {}, caption), item.name);
    if (item.note) element("span", { text: ` ${item.note}` }, caption);
    const { rowKeys = [], columnKeys = [] } = item;
    const table = element("table", { "aria-label": `matrix ${item.name.replaceAll("_", " ")}` }, figure);
    if (item.columns.some((name) => name)) {
      const head = element("tr", {}, element("thead", {}, table));
      element("th", {}, head);
      item.columns.forEach((name, c) => {
        writeSymbol(element("th", { scope: "col", "data-key": columnKeys[c] ?? "" }, head), name);
      });
    }
    const body = element("tbody", {}, table);
    item.rows.forEach((name, r) => {
      const line = element("tr", {}, body);
      const key = rowKeys[r] ?? "";
      writeSymbol(element("th", { scope: "row", "data-key": key }, line), name);
      item.columns.forEach((_, c) => {
        const cell = element("td", { "data-key": key || columnKeys[c] || "" }, line);
        const block = blockOf(item, r, c);
        if (block) {
          cell.style.setProperty("--mbw-block", block.colour);
          cell.classList.add("mbw-matrix-block");
          if (r === block.rows[0]) cell.classList.add("mbw-matrix-top");
          if (c === block.columns[0]) cell.classList.add("mbw-matrix-left");
        }
        if (c === 0) cell.classList.add("mbw-matrix-first");
        if (c === item.columns.length - 1) cell.classList.add("mbw-matrix-last");
        cells.push(cell);
      });
    });
    if (!item.blocks.length) return;
    const legend = element("div", { class: "mbw-matrix-legend" }, figure);
    for (const block of item.blocks) {
      if (!block.name) continue;
      const span = element("span", {}, legend);
      element("i", {}, span).style.setProperty("--mbw-block", block.colour);
      writeSymbol(span, ` ${block.name}`);
    }
  };

  const build = () => {
    values = bufferOf(model, "values");
    largest = largestOf(values);
    const title = traitOf(model, "note") || model.get("title");
    const wanted = JSON.stringify([title, model.get("shapes")]);
    if (wanted !== shape) {
      shape = wanted;
      cells = [];
      el.replaceChildren();
      if (title) element("div", { class: "mbw-matrices-title", text: title }, el);
      const row = element("div", { class: "mbw-matrices-row" }, el);
      for (const item of model.get("shapes")) draw(item, row);
    }
    fill();
  };

  const light = () => brighten(el, player.get("highlight"));
  const point = ({ target }) => player.set("highlight", target.closest?.("[data-key]")?.dataset.key ?? "");
  el.addEventListener("pointerover", point);
  el.addEventListener("pointerleave", () => player.set("highlight", ""));
  const stop = together(
    listen(model, { "change:version": build }),
    listen(player, { "change:time": fill, "change:version": fill, "change:highlight": light }),
  );
  build();
  return stop;
}

export default { render };
