// A table of vectors that follows the player in the page. All text is set as text.

import { element, say } from "../../scene/page/shared/elements.js";
import { floats } from "../../scene/page/shared/frames.js";
import { listen, referred } from "../../scene/page/shared/models.js";
import { digitsOf, largestOf, readNumber, refusal } from "../../scene/page/shared/numbers.js";

const HEADS = ["", "vector", "x", "y", "z", "length", "scale"];

function symbolOf(row, parent) {
  const node = element("span", { class: "mbw-symbol" }, parent);
  const [letter, index] = row.symbol.split("_");
  node.append(letter);
  if (index) element("sub", { text: index }, node);
}

function swatchOf(row, parent) {
  element("span", { class: "mbw-swatch", "aria-hidden": "true" }, parent).style.background = row.colour;
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
    times = floats(player.get("times"));
    vectors = floats(player.get("vectors"));
    largest = largestOf(vectors.filter((_, k) => k % 6 > 2)); // places are not among what is read
    fill();
  };

  const at = (column, count) => {
    if (!times.length || vectors.length !== 6 * count * times.length) return null;
    // numbers are those of a frame, as computed; between two frames of a fast rotation none would be true
    const end = times[times.length - 1];
    const share = end > 0 ? Math.min(1, Math.max(0, player.get("time") / end)) : 0;
    const first = 6 * (Math.round(share * (times.length - 1)) * count + column) + 3;
    return vectors.subarray(first, first + 3);
  };

  const fill = () => {
    const count = model.get("columns").length;
    cells.forEach(({ column, boxes }) => {
      const value = at(column, count);
      const texts = value ? [...value, Math.hypot(...value)].map((number) => digitsOf(number, largest)) : ["", "", "", ""];
      texts.forEach((text, k) => {
        if (boxes[k].textContent !== text) boxes[k].textContent = text;
      });
    });
  };

  const light = () => {
    const bright = player.get("highlight");
    for (const node of el.querySelectorAll("[data-key]")) node.classList.toggle("mbw-bright", node.dataset.key === bright);
  };

  const pointable = (node, key) => {
    node.dataset.key = key;
    node.tabIndex = 0;
    for (const name of ["pointerenter", "focus"]) node.addEventListener(name, () => player.set("highlight", key));
    for (const name of ["pointerleave", "blur"]) node.addEventListener(name, () => player.set("highlight", ""));
  };

  const choose = (key, drawn) => {
    const rest = model.get("chosen").filter((item) => item !== key);
    model.set("chosen", drawn ? [...rest, key] : rest);
    model.save_changes();
  };

  const scaleBox = (row, cell) => {
    const given = model.get("scales")[row.key];
    const unit = row.unit === "1" ? "m" : `m per ${row.unit}`;
    const attributes = { type: "text", inputmode: "decimal", "aria-label": `Scale of ${row.name}, ${unit}`, title: `${unit}; empty: automatic` };
    const box = element("input", attributes, cell);
    boxes.set(row.key, box);
    box.value = given ?? "";
    box.addEventListener("keydown", (event) => event.stopPropagation());
    box.addEventListener("change", () => {
      const { [row.key]: old, ...rest } = model.get("scales");
      const value = readNumber(box.value);
      const why = !box.value.trim() || value > 0 ? "" : refusal(box.value) || `${box.value.trim()} is not positive`;
      say(cell, why);
      if (why) box.value = old ?? "";
      else {
        model.set("scales", value > 0 ? { ...rest, [row.key]: value } : rest);
        model.save_changes();
      }
    });
  };

  // each motion brings other scales: the table stays
  const showScales = () => {
    for (const [key, box] of boxes) {
      const used = model.get("automatic")[key];
      const text = used ? String(Number(used.toPrecision(2))) : "auto";
      box.placeholder = text.length > 6 ? used.toExponential(1) : text;
    }
  };

  const makeRow = (body, row, column, owner, first) => {
    const line = element("tr", {}, body);
    pointable(line, row.key);
    const symbol = element("td", { class: "mbw-sign" }, line);
    swatchOf(row, symbol);
    symbolOf(row, symbol);
    const name = element("th", { scope: "row" }, line);
    name.append(owner && !first ? owner : owner ? `${row.name}, ${owner}` : row.name);
    if (first && row.unit !== "1") element("span", { class: "mbw-unit", text: row.unit }, name);
    const boxes = HEADS.slice(2, 6).map(() => element("td", { class: "mbw-number" }, line));
    const cell = element("td", {}, line);
    if (first) scaleBox(row, cell);
    cells.push({ column, boxes });
  };

  const makeNote = (body, row) => {
    const line = element("tr", {}, body);
    const symbol = element("td", { class: "mbw-sign" }, line);
    swatchOf(row, symbol);
    symbolOf(row, symbol);
    const name = element("th", { scope: "row" }, line);
    name.append(row.name);
    element("td", { colspan: 5, class: "mbw-note", text: model.get("missing")[row.key] ?? "none here" }, line);
  };

  const makeTable = () => {
    const table = element("table", {}, element("div", { class: "mbw-scroll", tabindex: 0, role: "region", "aria-label": "Vectors" }, el));
    element("caption", { text: model.get("title") }, table);
    const head = element("tr", {}, element("thead", {}, table));
    for (const text of HEADS) {
      if (text) element("th", { scope: "col", text }, head);
      else element("td", {}, head);
    }
    const body = element("tbody", {}, table);
    const columns = model.get("columns");
    for (const key of model.get("chosen")) {
      const row = model.get("rows").find((item) => item.key === key);
      if (!row) continue;
      const own = columns.map(([name, owner], column) => ({ name, owner, column })).filter(({ name }) => name === key);
      own.forEach(({ owner, column }, k) => makeRow(body, row, column, owner, k === 0));
      if (!own.length) makeNote(body, row);
    }
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
      swatchOf(row, label);
      symbolOf(row, label);
      label.append(` ${row.name}`);
    }
  };

  const build = () => {
    const active = el.contains(document.activeElement) ? document.activeElement.getAttribute("aria-label") : null;
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
    if (active) [...el.querySelectorAll("[aria-label]")].find((node) => node.getAttribute("aria-label") === active)?.focus();
  };

  // several traits come in one message: the table is built once for them
  let asked = false;
  const later = () => {
    if (asked) return;
    asked = true;
    queueMicrotask(() => {
      asked = false;
      build();
    });
  };
  const names = ["rows", "chosen", "title", "columns", "scales", "missing"];
  const stops = [
    listen(model, Object.fromEntries(names.map((name) => [`change:${name}`, later]))),
    listen(model, { "change:automatic": showScales }),
    listen(player, { "change:version": read, "change:time": fill, "change:highlight": light }),
  ];
  build();
  read();
  return () => stops.forEach((stop) => stop());
}

export default { render };
