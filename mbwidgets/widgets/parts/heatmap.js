// A tensor as cells: darker where the formula is longer. Names are text; the arrow keys walk.

import { element } from "../../scene/page/shared/elements.js";
import { listen, PATIENCE, tell } from "../../scene/page/shared/models.js";
import { clamp } from "../../scene/page/shared/numbers.js";
import { plainSymbol, writeSymbol } from "../../scene/page/shared/symbols.js";

const same = (a, b) => a[0] === b[0] && a[1] === b[1] && a[2] === b[2];

// How dark a cell is, in per cent: by the logarithm, so that one term and forty can both be told.
export function shade(count, least, most) {
  return count ? Math.round(16 + 74 * (most > least ? Math.log(count / least) / Math.log(most / least) : 0.4)) : 0;
}

// Where a key leads from a cell of panels that have so many columns; null where it leads nowhere.
export function walk(key, [panel, row, column], columns, panels) {
  const moves = {
    ArrowLeft: [panel, row, column - 1],
    ArrowRight: [panel, row, column + 1],
    ArrowUp: [panel, row - 1, column],
    ArrowDown: [panel, row + 1, column],
    Home: [panel, row, 0],
    End: [panel, row, columns - 1],
    PageUp: [panel - 1, row, column],
    PageDown: [panel + 1, row, column],
  };
  const place = moves[key] ?? null;
  // past the edge of a panel lies the next one
  if (place?.[2] < 0 && panel > 0) return [panel - 1, row, columns - 1];
  if (place?.[2] >= columns && panel < panels - 1) return [panel + 1, row, 0];
  return place;
}

// The size of a cell, in pixels: of several panels small enough to stand beside each other.
export function cellSize(panels, columns) {
  return panels > 1 ? clamp(Math.floor(150 / columns), 15, 25) : clamp(Math.floor(330 / columns), 17, 46);
}

function render({ model, el }) {
  el.classList.add("mbw-heat");
  const maps = element("div", { class: "mbw-heat-maps" }, el);
  const note = element("div", { class: "mbw-heat-note", role: "status" }, el);
  let cells = [];
  let waiting = 0;

  const at = (place) => cells.find((cell) => same(cell.place, place));

  const still = model.get("still");
  el.classList.toggle("mbw-still", still);

  const choose = (place, focus) => {
    const cell = at(place);
    if (!cell || still) return;
    tell(model, { chosen: place });
    if (focus) cell.node.focus();
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      if (model.get("busy") || same(model.get("answered"), model.get("chosen"))) return;
      model.set("chosen", model.get("answered"));
      note.textContent = "Nobody answers: the kernel does not run. The entry that was shown before is shown.";
    }, PATIENCE);
  };

  const step = (event, from) => {
    const panels = model.get("panels");
    const place = walk(event.key, from, panels[from[0]].counts[0].length, panels.length);
    if (!place) return;
    event.preventDefault();
    event.stopPropagation();
    choose(place, true);
  };

  const makeCell = (parent, place, name, count, least, most) => {
    const words = count === 0 ? "zero" : count === 1 ? "1 term" : `${count} terms`;
    const node = element(
      "td",
      { role: "gridcell", tabindex: "-1", title: `${name}: ${words}`, "aria-label": `${name}: ${words}` },
      parent,
    );
    const dark = shade(count, least, most);
    node.style.setProperty("--mbw-dark", `${dark}%`);
    if (dark > 55) node.classList.add("mbw-heat-dark");
    if (!count) node.classList.add("mbw-heat-zero");
    node.textContent = count ? String(count) : "·";
    node.addEventListener("click", () => choose(place, true));
    node.addEventListener("keydown", (event) => step(event, place));
    cells.push({ place, node });
  };

  const build = () => {
    const panels = model.get("panels");
    const inside = el.contains(document.activeElement);
    maps.replaceChildren();
    cells = [];
    const sizes = panels.flatMap((panel) => panel.counts.flat()).filter((count) => count > 0);
    const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
    const widest = Math.max(1, ...panels.map((panel) => panel.columns.length));
    const size = cellSize(panels.length, widest);
    maps.style.setProperty("--mbw-cell", `${size}px`);
    maps.style.setProperty("--mbw-colour", model.get("colour"));
    maps.classList.toggle("mbw-heat-small", size < 22);
    panels.forEach((panel, p) => {
      const table = element("table", { role: "grid", "aria-label": plainSymbol(panel.title) }, maps);
      writeSymbol(element("caption", {}, table), panel.title);
      const head = element("tr", {}, element("thead", {}, table));
      element("th", { text: panel.corner ?? "" }, head);
      for (const label of panel.columns) element("th", { scope: "col", text: label }, head);
      const body = element("tbody", {}, table);
      panel.counts.forEach((row, r) => {
        const line = element("tr", { role: "row" }, body);
        element("th", { scope: "row", text: panel.rows[r] }, line);
        for (const [c, count] of row.entries()) makeCell(line, [p, r, c], panel.names[r][c], count, least, most);
      });
    });
    mark();
    if (inside) at(model.get("chosen"))?.node.focus();
  };

  const mark = () => {
    const chosen = model.get("chosen");
    const partner = [chosen[0], chosen[2], chosen[1]];
    for (const { place, node } of cells) {
      const own = same(place, chosen);
      node.classList.toggle("mbw-heat-chosen", own);
      node.classList.toggle("mbw-heat-partner", !own && model.get("symmetric") && same(place, partner));
      node.setAttribute("aria-selected", own);
      node.tabIndex = own && !still ? 0 : -1;
    }
  };

  const showNote = () => {
    const busy = model.get("busy");
    note.textContent = busy || model.get("note") + (still ? " In a notebook any entry can be clicked." : "");
    el.setAttribute("aria-busy", busy !== "");
    el.classList.toggle("mbw-heat-busy", busy !== "");
  };

  const listeners = {
    "change:panels": build,
    "change:colour": build,
    "change:chosen": mark,
    "change:note": showNote,
    "change:busy": showNote,
  };
  const stop = listen(model, listeners);
  build();
  showNote();
  return stop;
}

export default { render };
