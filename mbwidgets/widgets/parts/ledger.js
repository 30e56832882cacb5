// A table of numbers that follows the player in the page. All text is set as text.

import { button, element, swatch, unpressed } from "../../scene/page/shared/elements.js";
import { frameAt } from "../../scene/page/shared/frames.js";
import { listen, referred, tell, together, withItem } from "../../scene/page/shared/models.js";
import { digitsOf, largestOf } from "../../scene/page/shared/numbers.js";
import { bufferOf, traitOf } from "../../scene/page/shared/overlay.js";
import { writeSymbol } from "../../scene/page/shared/symbols.js";

async function render({ model, el }) {
  el.classList.add("mbw-ledger");
  const player = await referred(model, "player");
  let values = new Float32Array(0);
  let boxes = [];
  let lines = [];
  let kinds = [];
  let shape = "";
  let largest = 0; // of what is no difference: beside it rounding is nothing
  const opened = new Map(); // groups that a hand has opened or closed

  const fill = () => {
    const count = boxes.length;
    const frames = count && kinds.length ? values.length / (count * kinds.length) : 0;
    if (!frames) for (const cell of boxes.flat()) cell.textContent = "";
    if (!frames || !Number.isInteger(frames)) return;
    const first = frameAt(bufferOf(player, "times"), player.get("time"), frames) * count * kinds.length;
    boxes.forEach((cells, row) => {
      cells.forEach((cell, k) => {
        const text = digitsOf(values[first + row * kinds.length + k], kinds[k] === "small" ? 0 : largest);
        if (cell.textContent !== text) cell.textContent = text;
      });
    });
  };

  const isOpen = (group) => opened.get(group) ?? !model.get("folded").includes(group);

  const heading = (row, columns, body) => {
    const node = element("tr", { class: "mbw-group" }, body);
    const cell = element("th", { scope: "rowgroup", colspan: columns.length + 4 }, node);
    if (!model.get("folded").length) {
      cell.textContent = row.group;
      return;
    }
    const fold = button(`${isOpen(row.group) ? "▾" : "▸"} ${row.group}`, "", cell, () => {
      opened.set(row.group, !isOpen(row.group));
      for (const [other, line] of lines) if (other.group === row.group) line.hidden = !isOpen(row.group);
      fold.textContent = `${isOpen(row.group) ? "▾" : "▸"} ${row.group}`;
      fold.setAttribute("aria-expanded", isOpen(row.group));
    });
    fold.setAttribute("aria-expanded", isOpen(row.group));
  };

  const line = (row, columns, body) => {
    const node = element("tr", { "data-key": row.key }, body);
    if (row.strong) node.classList.add("mbw-strong");
    node.hidden = row.group !== "" && !isOpen(row.group);
    const first = element("td", {}, node);
    if (row.tick) {
      const tick = element("input", { type: "checkbox", "aria-label": `Draw ${row.name || row.symbol}` }, first);
      tick.checked = model.get("chosen").includes(row.key);
      const choose = () => tell(model, { chosen: withItem(model.get("chosen"), row.key, tick.checked) });
      tick.addEventListener("change", choose);
    }
    const symbol = element("td", { class: "mbw-symbol" }, node);
    if (row.colour) symbol.style.setProperty("--mbw-own", row.colour);
    writeSymbol(symbol, row.symbol);
    const name = element("th", { scope: "row" }, node);
    if (row.colour && row.name) swatch(row.colour, name);
    name.append(row.name);
    let word = 0;
    const cells = [];
    for (const column of columns) {
      if (column.kind === "text") element("td", { class: "mbw-text", text: row.texts[word++] ?? "" }, node);
      else cells.push(element("td", { class: "mbw-number" }, node));
    }
    element("td", { class: "mbw-unit", text: row.unit === "1" ? "" : row.unit }, node);
    if (model.get("pickable")) {
      const pick = () => tell(model, { picked: model.get("picked") === row.key ? "" : row.key });
      node.tabIndex = 0;
      node.addEventListener("click", (event) => event.target.tagName !== "INPUT" && pick());
      node.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        event.stopPropagation();
        pick();
      });
    }
    boxes.push(cells);
    lines.push([row, node]);
  };

  const build = () => {
    const columns = model.get("columns");
    const rows = model.get("rows");
    const wanted = JSON.stringify([
      columns,
      rows,
      model.get("title"),
      traitOf(model, "note"),
      model.get("tall"),
      model.get("folded"),
    ]);
    values = bufferOf(model, "values");
    const own = columns.filter((column) => column.kind !== "text").map((column) => column.kind !== "small");
    largest = largestOf(values.filter((_, k) => own[k % own.length]));
    if (wanted === shape) return fill();
    shape = wanted;
    const place = el.scrollTop;
    const tall = model.get("tall");
    el.style.maxHeight = tall ? `${tall}px` : "";
    el.replaceChildren();
    boxes = [];
    lines = [];
    if (!rows.length && !model.get("title")) return;
    kinds = columns.filter((column) => column.kind !== "text").map((column) => column.kind);
    const table = element("table", {}, el);
    if (model.get("title")) element("caption", { text: model.get("title") }, table);
    const head = element("tr", {}, element("thead", {}, table));
    for (let k = 0; k < 3; k++) element("th", {}, head);
    for (const column of columns) {
      const cell = element("th", { scope: "col", class: column.kind === "text" ? "" : "mbw-right" }, head);
      writeSymbol(cell, column.title);
      if (column.unit) element("span", { class: "mbw-unit", text: ` ${column.unit}` }, cell);
    }
    element("th", { scope: "col", text: rows.some((row) => row.unit && row.unit !== "1") ? "unit" : "" }, head);
    const body = element("tbody", {}, table);
    let group = "";
    for (const row of rows) {
      if (row.group && row.group !== group) heading(row, columns, body);
      group = row.group;
      line(row, columns, body);
    }
    if (traitOf(model, "note")) element("p", { class: "mbw-note", text: traitOf(model, "note") }, el);
    mark();
    el.scrollTop = place;
    fill();
  };

  const mark = () => {
    const chosen = model.get("chosen");
    for (const [row, node] of lines) {
      node.classList.toggle("mbw-off", row.tick && !chosen.includes(row.key));
      node.classList.toggle("mbw-picked", row.key === model.get("picked"));
      const tick = node.querySelector("input");
      if (tick) tick.checked = chosen.includes(row.key);
    }
  };

  const stop = together(
    listen(model, { "change:version": unpressed(el, build), "change:chosen": mark, "change:picked": mark }),
    listen(player, { "change:time": fill, "change:version": fill }),
  );
  build();
  return stop;
}

export default { render };
