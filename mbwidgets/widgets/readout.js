// A table of vectors that follows the player in the page. All text is set as text.

function element(tag, attributes, parent) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") node.textContent = value;
    else node.setAttribute(name, value);
  }
  parent?.append(node);
  return node;
}

function floats(view) {
  if (!view || view.byteLength < 4) return new Float32Array(0);
  return new Float32Array(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength));
}

function digits(value) {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (size < 5e-7) return "0";
  return size >= 1e5 || size < 1e-3 ? value.toExponential(2) : value.toPrecision(4);
}

async function render({ model, el }) {
  el.classList.add("mbw-readout");
  const player = await model.widget_manager.get_model(model.get("player").replace("IPY_MODEL_", ""));
  let cells = [];
  let times = new Float32Array(0);
  let vectors = new Float32Array(0);

  const read = () => {
    times = floats(player.get("times"));
    vectors = floats(player.get("vectors"));
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
    const columns = model.get("columns");
    cells.forEach(({ key, boxes }) => {
      const column = columns.findIndex(([quantity]) => quantity === key);
      const value = column < 0 ? null : at(column, columns.length);
      const texts = value ? [...Array.from(value, digits), digits(Math.hypot(...value))] : ["", "", "", ""];
      texts.forEach((text, k) => {
        if (boxes[k].textContent !== text) boxes[k].textContent = text;
      });
    });
  };

  const build = () => {
    el.replaceChildren();
    const table = element("table", {}, el);
    element("caption", { text: model.get("title") }, table);
    const head = element("tr", {}, element("thead", {}, table));
    for (const text of ["", "", "vector", "x", "y", "z", "length", "unit"]) element("th", { scope: "col", text }, head);
    const body = element("tbody", {}, table);
    cells = model.get("rows").map((row) => {
      const line = element("tr", {}, body);
      const tick = element("input", { type: "checkbox", "aria-label": `Draw ${row.name}` }, element("td", {}, line));
      tick.checked = model.get("chosen").includes(row.key);
      tick.addEventListener("change", () => {
        const rest = model.get("chosen").filter((key) => key !== row.key);
        model.set("chosen", tick.checked ? [...rest, row.key] : rest);
        model.save_changes();
      });
      line.classList.toggle("mbw-off", !tick.checked);
      const symbol = element("td", { class: "mbw-symbol" }, line);
      symbol.style.color = row.colour;
      const [letter, index] = row.symbol.split("_");
      symbol.append(letter);
      if (index) element("sub", { text: index }, symbol);
      const name = element("th", { scope: "row" }, line);
      const swatch = element("span", { class: "mbw-swatch" }, name);
      swatch.style.background = row.colour;
      name.append(row.name);
      const boxes = [0, 1, 2, 3].map(() => element("td", { class: "mbw-number" }, line));
      element("td", { class: "mbw-unit", text: row.unit === "1" ? "" : row.unit }, line);
      return { key: row.key, boxes };
    });
    fill();
  };

  const own = { "change:rows": build, "change:chosen": build, "change:title": build, "change:columns": fill };
  const other = { "change:version": read, "change:time": fill };
  for (const [name, listener] of Object.entries(own)) model.on(name, listener);
  for (const [name, listener] of Object.entries(other)) player.on(name, listener);
  build();
  read();
  return () => {
    for (const [name, listener] of Object.entries(own)) model.off(name, listener);
    for (const [name, listener] of Object.entries(other)) player.off(name, listener);
  };
}

export default { render };
