// Rows of sliders with number boxes. Names are text; the newest value wins.

const shown = (value) => (value === null || value === undefined ? "" : String(Number(value.toPrecision(6))));

function titled(node, title) {
  const [head, ...rest] = title.split("_");
  const own = /^(?:[ρJrgeQ]|e₂)_[xyzsφθ]{1,2}/.test(title);
  if (!own) node.textContent = title;
  else {
    const [, letters, tail] = rest.join("_").match(/^([xyzsφθ]{1,2})(.*)$/s);
    node.append(head, element("sub", { text: letters }), tail);
  }
}

function render({ model, el }) {
  el.classList.add("mbw-controls");
  let rows = [];
  let number = 0;
  let held = null;
  let stale = false;

  const send = (key, value) => {
    if (!Number.isFinite(value)) return;
    number += 1;
    model.set("edit", { key, value, number });
    model.save_changes();
  };

  const release = () => {
    held = null;
    if (stale) renew();
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
    titled(name, row.title);
    if (row.options.length) return makeChoice(row, line);
    const step = row.step ?? niceStep((row.high - row.low || 1) / 300);
    const range = element("input", { type: "range", min: row.low, max: row.high, step, "aria-label": row.title }, line);
    const box = element("input", { type: "number", min: row.low, max: row.high, step, "aria-label": `${row.title}, number` }, line);
    element("span", { class: "mbw-unit", text: row.unit === "1" ? "" : row.unit }, line);
    const back = element("button", { type: "button", text: "↺", title: `Back to ${shown(row.origin)}`, "aria-label": `Reset ${row.title}` }, line);
    if (row.note) for (const node of [range, box, back]) node.disabled = true;
    range.addEventListener("pointerdown", () => (held = index));
    range.addEventListener("input", () => {
      box.value = shown(Number(range.value));
      send(row.key, Number(range.value));
    });
    for (const name of ["change", "pointerup", "blur"]) range.addEventListener(name, release);
    // an end of the range may not be a whole step away: the box takes any number
    box.addEventListener("change", () => {
      if (box.value !== "") send(row.key, Math.min(row.high, Math.max(row.low, Number(box.value))));
    });
    back.addEventListener("click", () => row.origin !== null && send(row.key, row.origin));
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
    for (const node of [range, box]) {
      for (const [name, value] of Object.entries({ min: low, max: high, step })) node[name] = value;
    }
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
      if (document.activeElement !== box || Number(box.value) !== value) box.value = shown(value);
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
  return stop;
}

export default { render };
