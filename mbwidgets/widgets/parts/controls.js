// Rows of sliders with number boxes. Names are text; the newest value wins.

import { Before, samePart } from "../../scene/page/shared/before.js";
import {
  button,
  element,
  keepFocus,
  keepKeys,
  paintRail,
  say,
  shareOf,
  steady,
} from "../../scene/page/shared/elements.js";
import { listen, teller, withItem } from "../../scene/page/shared/models.js";
import { clamp, readNumber, refusal, shortest } from "../../scene/page/shared/numbers.js";
import { readingsOf } from "../../scene/page/shared/overlay.js";
import { writeSymbol } from "../../scene/page/shared/symbols.js";
import { niceStep } from "../../scene/page/shared/ticks.js";

const SETTLES = 400; // ms in which a kernel answers the last move of a hand
const ANSWERS = 1200; // ms after which a typed number that has changed nothing has been answered
const SAME = 1e-6; // of a number: a smaller difference is that of its way to the kernel and back
const RESTS = 500; // ms without a move, after which a slider rests, in the hand too
const COMPONENT = /^([ρJrgeQ]|e₂)_([xyzsφθ]{1,2})/;

const shown = (value) => ((value ?? null) === null ? "" : shortest(value, 6));

// A component as a symbol with its index; a parameter is the symbol that formulae write; null for what is a word.
export const symbolOf = ({ title, group, symbol }) => {
  if (group === "Parameters") return symbol || null;
  return COMPONENT.test(title) ? title.replace(COMPONENT, "$1_{$2}") : null;
};

export const stepOf = ({ step, low, high }) => step ?? niceStep((high - low || 1) / 300);

// What a row is made of, apart from its numbers.
export const shapeOf = ({ low: _low, high: _high, origin: _origin, ...rest }) => JSON.stringify(rest);

function slideTo(range, value) {
  if (Number(range.value) !== value) range.value = value;
  // a step that the value is not on would round it
  if (Number(range.value) !== value) {
    range.step = "any";
    range.value = value;
  }
  paintRail(range);
}

// Where a slider stood before the last change, pale; nowhere where that did not move it.
function showBefore(mark, row, value, before) {
  const moved = Number.isFinite(before) && before !== value;
  mark.hidden = !moved;
  if (!moved) return;
  mark.style.setProperty("--mbw-share", String(shareOf(before, row.low, row.high)));
  mark.textContent = shown(before);
}

function render({ model, el }) {
  el.classList.add("mbw-controls");
  let rows = [];
  let held = null;
  let stale = false;
  let settling = 0;
  let past = new Before(samePart);
  let asked = null; // the number that was typed last: its row, and what it was before

  const edit = teller(model, "edit");
  const send = (key, value) => {
    if (Number.isFinite(value)) edit({ key, value });
  };

  // A move that the page can answer itself reaches the kernel when the slider rests, once.
  let [moved, resting] = [null, 0];
  const move = (row, value) => {
    const page = model.get("_live");
    if (!page?.takes(row.key)) {
      send(row.key, value);
      return;
    }
    page.move(row.key, value);
    moved = { key: row.key, value };
    clearTimeout(resting);
    resting = setTimeout(settle, RESTS);
  };
  const settle = () => {
    clearTimeout(resting);
    if (!moved) return;
    model.get("_live")?.rest();
    send(moved.key, moved.value);
    moved = null;
  };

  const forget = () => {
    clearTimeout(asked?.late);
    asked = null;
  };

  // A typed number that the model takes otherwise, as a moment of inertia that no body has, is told of where it was typed.
  const answer = (index, value, isLate = false) => {
    if (asked?.index !== index || value === undefined || !asked.line.isConnected) return;
    const isTaken = Math.abs(value - asked.value) <= SAME * Math.max(Math.abs(value), Math.abs(asked.value));
    if (isTaken) {
      if (asked.said) say(asked.line, "");
      asked.said = false;
    } else if (isLate || value !== asked.was) {
      say(asked.line, `${shown(asked.typed)} is not possible here: ${shown(value)} is taken`);
      asked.said = true;
    }
  };

  const release = () => {
    held = null;
    settle();
    if (stale) renew();
    // what was answered while it was held, such as the nearest value of a page without a kernel
    clearTimeout(settling);
    settling = setTimeout(() => held === null && update(), SETTLES);
  };

  const makeChoice = (row, line) => {
    const select = element("select", { "aria-label": row.title }, line);
    for (const [value, text] of row.options.entries()) element("option", { value, text }, select);
    select.disabled = row.note !== "";
    select.addEventListener("change", () => send(row.key, Number(select.value)));
    const show = (value) => {
      select.value = String(value);
    };
    return { row, show };
  };

  const makeRow = (row, index, parent) => {
    const line = element("div", { class: "mbw-row" }, parent);
    const name = element("span", { class: "mbw-name", title: row.note || row.title }, line);
    const symbol = symbolOf(row);
    if (symbol) writeSymbol(row.symbol ? element("span", { class: "mbw-sign" }, name) : name, symbol);
    else name.textContent = row.title;
    if (row.options.length) return makeChoice(row, line);
    const scale = { min: row.low, max: row.high, step: stepOf(row) };
    const rail = element("span", { class: "mbw-rail" }, line);
    const mark = element("span", { class: "mbw-before", title: "Before the last change", hidden: "" }, rail);
    const range = element("input", { type: "range", ...scale, "aria-label": row.title }, rail);
    const spin = { type: "text", role: "spinbutton", inputmode: "decimal", autocomplete: "off" };
    const box = element("input", { ...spin, "aria-label": `${row.title}, number` }, line);
    element("span", { class: "mbw-unit", text: row.unit === "1" ? "" : row.unit }, line);
    const back = button("↺", `Back to ${shown(row.origin)}`, line, () => {
      forget();
      say(line, "");
      if (row.origin === null) return;
      move(row, row.origin);
      settle();
    });
    back.setAttribute("aria-label", `Reset ${row.title}`);
    if (row.note) for (const node of [range, box, back]) node.disabled = true;
    range.addEventListener("pointerdown", () => {
      held = index;
    });
    const slid = () => {
      forget();
      say(line, "");
      paintRail(range);
      box.value = shown(Number(range.value));
      move(row, Number(range.value));
    };
    const restore = () => {
      const value = readingsOf(model)[index];
      slideTo(range, value);
      box.value = shown(value);
    };
    steady(range, slid, restore);
    for (const end of ["change", "pointerup", "pointercancel", "blur"]) range.addEventListener(end, release);
    const typed = (value) => {
      const why = refusal(box.value);
      forget();
      if (why) {
        say(line, `${why}; ${shown(readingsOf(model)[index])} stays`);
        restore();
        return;
      }
      const taken = clamp(value, row.low, row.high);
      const unit = row.unit && row.unit !== "1" ? ` ${row.unit}` : "";
      say(line, taken === value ? "" : `only ${shown(row.low)} to ${shown(row.high)}${unit}: ${shown(taken)} is taken`);
      slideTo(range, taken);
      box.value = shown(taken);
      // what stays as it was brings no new value
      const late = setTimeout(() => answer(index, readingsOf(model)[index], true), ANSWERS);
      asked = { index, line, typed: value, value: taken, was: readingsOf(model)[index], late };
      move(row, taken);
      settle();
    };
    box.addEventListener("change", () => typed(readNumber(box.value)));
    // the arrow keys go by the slider's steps, as in a box of numbers
    box.addEventListener("keydown", (event) => {
      const steps = { ArrowUp: 1, ArrowDown: -1 }[event.key];
      if (!steps || refusal(box.value)) return;
      event.preventDefault();
      typed(Number((readNumber(box.value) + steps * stepOf(row)).toPrecision(12)));
    });
    keepKeys(range);
    keepKeys(box);
    return { row, range, box, back, mark };
  };

  let folding = false;

  const setRange = ({ row, range, back }, { low, high, origin }) => {
    Object.assign(row, { low, high, origin });
    if (!range) return;
    Object.assign(range, { min: low, max: high, step: stepOf(row) });
    back.title = `Back to ${shown(origin)}`;
  };

  // Ranges follow the numbers of the model: rows of the same things are kept.
  const renew = () => {
    const next = model.get("rows");
    const same = next.length === rows.length && rows.every(({ row }, k) => shapeOf(row) === shapeOf(next[k]));
    if (!same) {
      build();
      return;
    }
    stale = held !== null;
    if (stale) return;
    for (const [k, entry] of rows.entries()) setRange(entry, next[k]);
    update();
  };

  const build = () => {
    // a slider in the hand is not taken away: new rows wait until it is let go
    stale = held !== null;
    if (!stale) keepFocus(el, makeRows);
  };

  const makeRows = () => {
    const place = el.scrollTop;
    past = new Before(samePart);
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
          folding = true;
          model.set("opened", withItem(model.get("opened"), row.group, fold.open));
          folding = false;
        });
        groups.set(row.group, fold);
      }
      return makeRow({ ...row }, index, groups.get(row.group));
    });
    update();
    el.scrollTop = place;
  };

  // A group that was unfolded is brought into sight, its head first.
  const reveal = (fold) => {
    const hidden = fold.offsetTop + fold.offsetHeight - el.scrollTop - el.clientHeight;
    if (hidden > 0) el.scrollTop += Math.min(hidden, fold.offsetTop - el.scrollTop);
  };

  const update = () => {
    const values = [...readingsOf(model)];
    const isGiven = rows.every(({ row }, k) => row.origin === values[k]);
    const before = past.show(values, isGiven || past.now?.length !== values.length);
    for (const [index, { row, show, range, box, back, mark }] of rows.entries()) {
      const value = values[index];
      answer(index, value);
      if (mark) showBefore(mark, row, value, before?.[index]);
      if (index === held || value === undefined) continue;
      if (show) {
        show(value);
        continue;
      }
      slideTo(range, value);
      if (document.activeElement !== box || readNumber(box.value) !== value) box.value = shown(value);
      const told = { now: value, min: row.low, max: row.high };
      for (const [name, number] of Object.entries(told)) box.setAttribute(`aria-value${name}`, number);
      back.classList.toggle("mbw-still", value === row.origin || row.note !== "");
    }
  };

  const unfold = () => {
    if (folding) return; // by hand
    const opened = model.get("opened");
    for (const fold of el.children) fold.open = opened.includes(fold.firstChild.textContent);
  };

  const hear = ({ reveal: group, refused }) => {
    if (refused) model.get("_live")?.settle();
    const fold = [...el.children].find((node) => node.firstChild.textContent === group);
    if (!fold) return;
    fold.open = true;
    setTimeout(() => reveal(fold));
  };

  const stop = listen(model, {
    "change:rows": renew,
    "change:note": build,
    "change:values": update,
    "change:opened": unfold,
    "msg:custom": hear,
  });
  build();
  return () => {
    clearTimeout(settling);
    clearTimeout(resting);
    clearTimeout(asked?.late);
    stop();
  };
}

export default { render };
