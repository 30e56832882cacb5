// A waterfall of signed parts that follows the player: the largest first, each bar from where the one before ends.

import { element } from "../../scene/page/shared/elements.js";
import { frameAt } from "../../scene/page/shared/frames.js";
import { listen, referred, tell, together } from "../../scene/page/shared/models.js";
import { digitsOf, extent, largestOf } from "../../scene/page/shared/numbers.js";
import { bufferOf, traitOf } from "../../scene/page/shared/overlay.js";
import { plainSymbol, writeSymbol } from "../../scene/page/shared/symbols.js";

const SEEN = 15; // bars that stand by themselves, the others are one

// Bars of parts, sorted by their signed size: [row, from, to]; row −1 is all that have no bar of their own.
export function barsOf(parts, total, seen = SEEN) {
  const order = Array.from(parts, (value, row) => [value, row]).sort((a, b) => b[0] - a[0]);
  const bySize = order.map(([value, row]) => [Math.abs(value), row]).sort((a, b) => b[0] - a[0]);
  const own = new Set(bySize.slice(0, seen).map(([, row]) => row));
  const bars = [];
  let at = 0;
  const add = (row, value) => {
    bars.push([row, at, at + value]);
    at += value;
  };
  const shown = order.filter(([, row]) => own.has(row));
  const rest = total - shown.reduce((sum, [value]) => sum + value, 0);
  const up = shown.filter(([value]) => value >= 0);
  for (const [value, row] of up) add(row, value);
  const many = parts.length > own.size;
  if (many && rest >= 0) add(-1, rest);
  for (const [value, row] of shown.slice(up.length)) add(row, value);
  if (many && rest < 0) add(-1, rest);
  return bars;
}

async function render({ model, el }) {
  el.classList.add("mbw-waterfall");
  const player = await referred(model, "player");
  const head = element("div", { class: "mbw-finding-head" }, el);
  const table = element("div", { role: "list" }, el);
  const legend = element("div", { class: "mbw-waterfall-legend" }, el);
  let values = new Float32Array(0);
  const lines = []; // each: node, symbol, bar, number
  let shown = "";

  const pick = (key) => tell(model, { picked: model.get("picked") === key ? "" : key });

  const lineAt = (k) => {
    if (lines[k]) return lines[k];
    const node = element("div", { class: "mbw-fall", role: "listitem" }, table);
    const badge = element("span", { class: "mbw-badge" }, node);
    const symbol = element("button", { type: "button", class: "mbw-sign" }, node);
    const trough = element("span", { class: "mbw-fall-trough" }, node);
    const bar = element("span", {}, trough);
    const line = { node, badge, symbol, trough, bar, number: element("span", { class: "mbw-fall-number" }, node) };
    node.addEventListener("click", () => line.key && pick(line.key));
    lines[k] = line;
    return line;
  };

  const fill = (
    line,
    { key, symbol, colour, badge, badgeColour, striped, from, to, value, strong },
    [low, high],
    largest,
  ) => {
    line.key = key;
    line.node.className = `mbw-fall${key && key === model.get("picked") ? " mbw-picked" : ""}${strong ? " mbw-strong" : ""}`;
    line.badge.textContent = badge;
    line.badge.style.background = badgeColour || "none";
    line.symbol.disabled = !key;
    if (line.written !== symbol) {
      line.symbol.replaceChildren();
      writeSymbol(line.symbol, symbol);
      line.symbol.setAttribute("aria-label", `${plainSymbol(symbol)} ${badge}`);
      line.written = symbol;
    }
    line.symbol.style.setProperty("--mbw-own", strong ? colour : model.get("colour"));
    const share = (at) => (100 * (at - low)) / (high - low || 1);
    const [left, right] = [share(Math.min(from, to)), share(Math.max(from, to))];
    line.bar.style.left = `${left}%`;
    line.bar.style.width = `max(1.5px, ${right - left}%)`;
    line.bar.style.setProperty("--mbw-own", colour);
    line.bar.className = striped ? "mbw-striped" : "";
    line.trough.style.setProperty("--zero", `${share(0)}%`);
    const text = digitsOf(value, largest);
    line.number.textContent = strong ? `${text} ${model.get("unit")}` : value > 0 && text !== "0" ? `+${text}` : text;
  };

  const follow = () => {
    const rows = traitOf(model, "rows");
    const count = rows.length + 1;
    const frames = values.length / count;
    if (!rows.length || frames < 1 || !Number.isInteger(frames)) {
      for (const { node } of lines) node.hidden = true;
      return;
    }
    const first = frameAt(bufferOf(player, "times"), player.get("time"), frames) * count;
    const parts = values.subarray(first, first + rows.length);
    const total = values[first + rows.length];
    const { symbol, colour, bar } = traitOf(model, "total");
    const bars = parts.every(Number.isFinite) ? barsOf(parts, total) : [];
    const span = extent([0, total, ...bars.flatMap(([, from, to]) => [from, to])]);
    const largest = largestOf([total, ...parts]);
    bars.forEach(([row, from, to], k) => {
      const {
        key,
        symbol: name,
        badge,
        badge_colour: badgeColour,
        striped,
      } = rows[row] ?? { key: "", symbol: "others", badge: "" };
      const line = { colour: bar, key, symbol: name, badge, badgeColour, striped, from, to, value: to - from };
      fill(lineAt(k), line, span, largest);
    });
    const sum = { key: "", symbol, colour, badge: "", from: 0, to: total, value: total, strong: true };
    fill(lineAt(bars.length), sum, span, largest);
    for (const [k, { node }] of lines.entries()) node.hidden = k > bars.length;
  };

  const build = () => {
    values = bufferOf(model, "values");
    const wanted = JSON.stringify([
      traitOf(model, "title"),
      traitOf(model, "hint"),
      traitOf(model, "note"),
      traitOf(model, "legend"),
    ]);
    if (wanted !== shown) {
      shown = wanted;
      head.replaceChildren();
      element("b", { text: traitOf(model, "note") || traitOf(model, "title") }, head);
      writeSymbol(element("span", {}, head), traitOf(model, "hint"));
      legend.replaceChildren();
      for (const [badge, colour, name] of traitOf(model, "legend")) {
        const item = element("span", {}, legend);
        element("span", { class: "mbw-badge", text: badge }, item).style.background = colour;
        item.append(` ${name}`);
      }
      for (const [kind, name] of traitOf(model, "legend").length
        ? [
            ["", "own"],
            ["mbw-striped", "coupled"],
          ]
        : []) {
        const item = element("span", {}, legend);
        element("span", { class: `mbw-fall-sample ${kind}` }, item).style.setProperty(
          "--mbw-own",
          traitOf(model, "total").bar,
        );
        item.append(` ${name}`);
      }
    }
    follow();
  };

  const stop = together(
    listen(model, { "change:version": build, "change:picked": follow }),
    listen(player, { "change:time": follow, "change:version": follow }),
  );
  build();
  return stop;
}

export default { render };
