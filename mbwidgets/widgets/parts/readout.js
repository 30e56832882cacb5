// A table of vectors that follows the player in the page. All text is set as text.

import { brighten, element, keepKeys, say, swatch, unpressed } from "../../scene/page/shared/elements.js";
import { frameAt } from "../../scene/page/shared/frames.js";
import { listen, referred, tell, together, withItem } from "../../scene/page/shared/models.js";
import { digitsOf, largestOf, readNumber, refusal, shortest, signed } from "../../scene/page/shared/numbers.js";
import { bufferOf } from "../../scene/page/shared/overlay.js";
import { writeSymbol } from "../../scene/page/shared/symbols.js";

const HEADS = ["", "vector", "x", "y", "z", "length", "scale"];

function drawSign(row, parent) {
  swatch(row.colour, parent);
  writeSymbol(element("span", { class: "mbw-symbol" }, parent), row.symbol);
}

// A scale in few letters.
export function shortScale(value) {
  const text = shortest(value, 2);
  return text.length > 6 ? signed(value.toExponential(1)) : text;
}

async function render({ model, el }) {
  el.classList.add("mbw-readout");
  const player = await referred(model, "player");
  let cells = [];
  const boxes = new Map(); // of the scales, by quantity
  let times = new Float32Array(0);
  let vectors = new Float32Array(0);
  let largest = 0;
  let open = false;

  const read = () => {
    times = bufferOf(player, "times");
    vectors = bufferOf(player, "vectors");
    largest = largestOf(vectors.filter((_, k) => k % 6 > 2)); // places are not among what is read
    fill();
  };

  const at = (column, count) => {
    if (!times.length || vectors.length !== 6 * count * times.length) return null;
    // numbers are those of a frame, as computed; between two frames of a fast rotation none would be true
    const first = 6 * (frameAt(times, player.get("time")) * count + column) + 3;
    return vectors.subarray(first, first + 3);
  };

  const fill = () => {
    const count = model.get("columns").length;
    cells.forEach(({ column, fields }) => {
      const value = at(column, count);
      const texts = value
        ? [...value, Math.hypot(...value)].map((number) => digitsOf(number, largest))
        : ["", "", "", ""];
      texts.forEach((text, k) => {
        if (fields[k].textContent !== text) fields[k].textContent = text;
      });
    });
  };

  const light = () => brighten(el, player.get("highlight"));

  const pointable = (node, key) => {
    node.dataset.key = key;
    node.tabIndex = 0;
    for (const name of ["pointerenter", "focus"]) node.addEventListener(name, () => player.set("highlight", key));
    for (const name of ["pointerleave", "blur"]) node.addEventListener(name, () => player.set("highlight", ""));
  };

  const choose = (key, drawn) => tell(model, { chosen: withItem(model.get("chosen"), key, drawn) });

  const scaleBox = (row, cell) => {
    const given = model.get("scales")[row.key];
    const unit = row.unit === "1" ? "m" : `m per ${row.unit}`;
    const words = { "aria-label": `Scale of ${row.name}, ${unit}`, title: `${unit}; empty: automatic` };
    const box = element("input", { type: "text", inputmode: "decimal", ...words }, cell);
    boxes.set(row.key, box);
    box.value = given ?? "";
    keepKeys(box);
    box.addEventListener("change", () => {
      const { [row.key]: old, ...rest } = model.get("scales");
      const value = readNumber(box.value);
      const why = !box.value.trim() || value > 0 ? "" : refusal(box.value) || `${box.value.trim()} is not positive`;
      say(cell, why);
      if (why) box.value = old ?? "";
      else tell(model, { scales: value > 0 ? { ...rest, [row.key]: value } : rest });
    });
  };

  // each motion brings other scales: the table stays
  const showScales = () => {
    for (const [key, box] of boxes) {
      const used = model.get("automatic")[key];
      box.placeholder = used ? shortScale(used) : "auto";
    }
  };

  const makeRow = (body, row, { column, owner, symbol, colour }, first) => {
    const line = element("tr", {}, body);
    pointable(line, row.key);
    drawSign(
      { symbol: symbol ?? row.symbol, colour: colour ?? row.colour },
      element("td", { class: "mbw-sign" }, line),
    );
    const name = element("th", { scope: "row" }, line);
    name.append(owner && !first ? owner : owner ? `${row.name}, ${owner}` : row.name);
    if (first && row.unit !== "1") element("span", { class: "mbw-unit", text: row.unit }, name);
    const fields = HEADS.slice(2, 6).map(() => element("td", { class: "mbw-number" }, line));
    const cell = element("td", {}, line);
    if (first) scaleBox(row, cell);
    cells.push({ column, fields });
  };

  const makeNote = (body, row) => {
    const line = element("tr", {}, body);
    drawSign(row, element("td", { class: "mbw-sign" }, line));
    element("th", { scope: "row", text: row.name }, line);
    element("td", { colspan: 5, class: "mbw-note", text: model.get("missing")[row.key] }, line);
  };

  // what is chosen and not there takes one line for all of it
  const makeAbsent = (body, absent) => {
    const line = element("tr", {}, body);
    element("td", { colspan: HEADS.length, class: "mbw-note", text: `none here: ${absent.join(", ")}` }, line);
  };

  const makeTable = () => {
    const region = { class: "mbw-scroll", tabindex: 0, role: "region", "aria-label": "Vectors" };
    const table = element("table", {}, element("div", region, el));
    element("caption", { text: model.get("title") }, table);
    const head = element("tr", {}, element("thead", {}, table));
    for (const text of HEADS) {
      if (text) element("th", { scope: "col", text }, head);
      else element("td", {}, head);
    }
    const body = element("tbody", {}, table);
    const columns = model.get("columns");
    const absent = [];
    for (const key of model.get("chosen")) {
      const row = model.get("rows").find((item) => item.key === key);
      if (!row) continue;
      const own = columns
        .map(([name, owner, symbol, colour], column) => ({ name, owner, symbol, colour, column }))
        .filter(({ name }) => name === key);
      for (const [k, item] of own.entries()) makeRow(body, row, item, k === 0);
      if (!own.length && model.get("missing")[key]) makeNote(body, row);
      else if (!own.length) absent.push(row.name);
    }
    if (absent.length) makeAbsent(body, absent);
  };

  const makeChoice = () => {
    const fold = element("details", { class: "mbw-choice" }, el);
    fold.open = open;
    fold.addEventListener("toggle", () => (open = fold.open));
    element("summary", { text: "Choose vectors" }, fold);
    const groups = new Map();
    for (const row of model.get("rows")) {
      if (!groups.has(row.group)) {
        const group = element("fieldset", {}, fold);
        element("legend", { text: row.group }, group);
        groups.set(row.group, group);
      }
      const label = element("label", {}, groups.get(row.group));
      const tick = element("input", { type: "checkbox", "aria-label": `Draw ${row.name}` }, label);
      tick.checked = model.get("chosen").includes(row.key);
      tick.addEventListener("change", () => choose(row.key, tick.checked));
      drawSign(row, label);
      label.append(` ${row.name}`);
    }
  };

  const build = () => {
    const down = el.querySelector(".mbw-choice")?.scrollTop ?? 0;
    cells = [];
    boxes.clear();
    el.replaceChildren();
    makeTable();
    showScales();
    makeChoice();
    el.querySelector(".mbw-choice").scrollTop = down;
    fill();
    light();
  };

  // several traits come in one message: the table is built once for them
  const rebuild = unpressed(el, build);
  let asked = false;
  const later = () => {
    if (asked) return;
    asked = true;
    queueMicrotask(() => {
      asked = false;
      rebuild();
    });
  };
  const names = ["rows", "chosen", "title", "columns", "scales", "missing"];
  const stop = together(
    listen(model, Object.fromEntries(names.map((name) => [`change:${name}`, later]))),
    listen(model, { "change:automatic": showScales }),
    listen(player, { "change:version": read, "change:time": fill, "change:highlight": light }),
  );
  build();
  read();
  return stop;
}

export default { render };
