// Rows of sliders with number boxes. Names are text; the newest value wins.

import { element, say, steady } from "../../scene/page/shared/elements.js";
import { listen } from "../../scene/page/shared/models.js";
import { readNumber, refusal } from "../../scene/page/shared/numbers.js";
import { niceStep } from "../../scene/page/shared/ticks.js";

const shown = (value) => (value === null || value === undefined ? "" : String(Number(value.toPrecision(6))));

// A component is written with its index below; a parameter is called what its author calls it.
function titled(node, { title, group }) {
  const [head, ...rest] = title.split("_");
  const own = group !== "Parameters" && /^(?:[ρJrgeQ]|e₂)_[xyzsφθ]{1,2}/.test(title);
  if (!own) node.textContent = title;
  else {
    const [, letters, tail] = rest.join("_").match(/^([xyzsφθ]{1,2})(.*)$/s);
    node.append(head, element("sub", { text: letters }), tail);
  }
}

const SETTLES = 400; // ms in which a kernel answers the last move of a hand

function render({ model, el }) {
  el.classList.add("mbw-controls");
  let rows = [];
  let number = 0;
  let held = null;
  let stale = false;
  let settling = 0;

  const send = (key, value) => {
    if (!Number.isFinite(value)) return;
    number += 1;
    model.set("edit", { key, value, number });
    model.save_changes();
  };

  const release = () => {
    held = null;
    if (stale) renew();
    // what was answered while it was held, such as the nearest value of a page without a kernel
    clearTimeout(settling);
    settling = setTimeout(() => held === null && update(), SETTLES);
  };

  const makeChoice = (row, line) => {
    const select = element("select", { "aria-label": row.title }, line);
    row.options.forEach((text, value) => element("option", { value, text }, select));
    select.disabled = row.note !== "";
    select.addEventListener("change", () => send(row.key, Number(select.value)));
    return { row, show: (value) => (select.value = String(value)) };
  };

  const makeRow = (row, index, parent) => {
    const line = element("div", { class: "mbw-row" }, parent);
    const name = element("span", { class: "mbw-name", title: row.note || row.title }, line);
    titled(name, row);
    if (row.options.length) return makeChoice(row, line);
    const step = row.step ?? niceStep((row.high - row.low || 1) / 300);
    const range = element("input", { type: "range", min: row.low, max: row.high, step, "aria-label": row.title }, line);
    const box = element("input", { type: "text", role: "spinbutton", inputmode: "decimal", autocomplete: "off", "aria-label": `${row.title}, number` }, line);
    element("span", { class: "mbw-unit", text: row.unit === "1" ? "" : row.unit }, line);
    const back = element("button", { type: "button", text: "↺", title: `Back to ${shown(row.origin)}`, "aria-label": `Reset ${row.title}` }, line);
    if (row.note) for (const node of [range, box, back]) node.disabled = true;
    range.addEventListener("pointerdown", () => (held = index));
    const moved = () => {
      say(line, "");
      box.value = shown(Number(range.value));
      send(row.key, Number(range.value));
    };
    const back_to = () => {
      const value = model.get("values")[index];
      range.value = value;
      box.value = shown(value);
    };
    steady(range, moved, back_to);
    for (const name of ["change", "pointerup", "pointercancel", "blur"]) range.addEventListener(name, release);
    const typed = (value) => {
      const why = refusal(box.value);
      if (why) {
        say(line, `${why}; ${shown(model.get("values")[index])} stays`);
        back_to();
        return;
      }
      const taken = Math.min(row.high, Math.max(row.low, value));
      const unit = row.unit && row.unit !== "1" ? ` ${row.unit}` : "";
      say(line, taken === value ? "" : `only ${shown(row.low)} to ${shown(row.high)}${unit}: ${shown(taken)} is taken`);
      box.value = shown(taken);
      send(row.key, taken);
    };
    box.addEventListener("change", () => typed(readNumber(box.value)));
    // the arrow keys go by the slider's steps, as in a box of numbers
    box.addEventListener("keydown", (event) => {
      const steps = { ArrowUp: 1, ArrowDown: -1 }[event.key];
      if (!steps || refusal(box.value)) return;
      event.preventDefault();
      typed(Number((readNumber(box.value) + steps * step).toPrecision(12)));
    });
    back.addEventListener("click", () => {
      say(line, "");
      if (row.origin !== null) send(row.key, row.origin);
    });
    for (const node of [range, box]) node.addEventListener("keydown", (event) => event.stopPropagation());
    return { row, range, box, back };
  };

  let folding = false;

  // what a row is made of, apart from its numbers
  const shape = ({ low, high, origin, ...rest }) => JSON.stringify(rest);

  const setRange = ({ row, range, box, back }, { low, high, origin }) => {
    Object.assign(row, { low, high, origin });
    if (!range) return;
    const step = row.step ?? niceStep((high - low || 1) / 300);
    for (const [name, value] of Object.entries({ min: low, max: high, step })) range[name] = value;
    back.title = `Back to ${shown(origin)}`;
  };

  // Ranges follow the numbers of the model: rows of the same things are kept.
  const renew = () => {
    const next = model.get("rows");
    const same = next.length === rows.length && rows.every(({ row }, k) => shape(row) === shape(next[k]));
    if (!same) return build();
    stale = held !== null;
    if (stale) return;
    rows.forEach((entry, k) => setRange(entry, next[k]));
    update();
  };

  const build = () => {
    // a slider in the hand is not taken away: new rows wait until it is let go
    stale = held !== null;
    if (stale) return;
    const place = el.scrollTop;
    const active = document.activeElement?.getAttribute?.("aria-label");
    const inside = el.contains(document.activeElement);
    el.replaceChildren();
    if (model.get("note")) element("p", { class: "mbw-note", text: model.get("note") }, el);
    const groups = new Map();
    rows = model.get("rows").map((row, index) => {
      if (!groups.has(row.group)) {
        const fold = element("details", {}, el);
        fold.open = model.get("opened").includes(row.group);
        const head = element("summary", { text: row.group }, fold);
        head.addEventListener("click", () => setTimeout(() => fold.open && reveal(fold)));
        fold.addEventListener("toggle", () => {
          const rest = model.get("opened").filter((name) => name !== row.group);
          folding = true;
          model.set("opened", fold.open ? [...rest, row.group] : rest);
          folding = false;
        });
        groups.set(row.group, fold);
      }
      return makeRow({ ...row }, index, groups.get(row.group));
    });
    update();
    el.scrollTop = place;
    if (inside && active) [...el.querySelectorAll("input")].find((node) => node.getAttribute("aria-label") === active)?.focus();
  };

  // A group that was unfolded is brought into sight, its head first.
  const reveal = (fold) => {
    const hidden = fold.offsetTop + fold.offsetHeight - el.scrollTop - el.clientHeight;
    if (hidden > 0) el.scrollTop += Math.min(hidden, fold.offsetTop - el.scrollTop);
  };

  const update = () => {
    const values = model.get("values");
    rows.forEach(({ row, show, range, box, back }, index) => {
      const value = values[index];
      if (index === held || value === undefined) return;
      if (show) return show(value);
      if (Number(range.value) !== value) range.value = value;
      // a step that the value is not on would round it
      if (Number(range.value) !== value) {
        range.step = "any";
        range.value = value;
      }
      if (document.activeElement !== box || readNumber(box.value) !== value) box.value = shown(value);
      for (const [name, number] of Object.entries({ now: value, min: row.low, max: row.high })) box.setAttribute(`aria-value${name}`, number);
      back.classList.toggle("mbw-still", value === row.origin || row.note !== "");
    });
  };

  const unfold = () => {
    if (folding) return; // by hand
    const opened = model.get("opened");
    for (const fold of el.children) fold.open = opened.includes(fold.firstChild.textContent);
  };

  const hear = ({ reveal: group }) => {
    const fold = [...el.children].find((node) => node.firstChild.textContent === group);
    if (!fold) return;
    fold.open = true;
    setTimeout(() => reveal(fold));
  };

  const stop = listen(model, { "change:rows": renew, "change:note": build, "change:values": update, "change:opened": unfold, "msg:custom": hear });
  build();
  return () => {
    clearTimeout(settling);
    stop();
  };
}

export default { render };
