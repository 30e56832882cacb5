// Curves as SVG, over time, over frequency or in the phase plane, with a cursor that follows the player in the page.

import { element, svg } from "../../scene/page/shared/elements.js";
import { floats } from "../../scene/page/shared/frames.js";
import { listen, referred } from "../../scene/page/shared/models.js";
import { niceStep } from "../../scene/page/shared/ticks.js";

const WIDTH = 860;
const HEIGHT = 250;
const LEFT = 66;
const RIGHT = 12;
const TOP = 10;
const BOTTOM = 34;
const DASHES = ["", "7 3", "2 3", "9 3 2 3", "", "7 3", "2 3", "9 3 2 3"];

function ticks(low, high, count) {
  const step = niceStep((high - low) / count);
  const out = [];
  for (let k = Math.ceil(low / step - 1e-9); k <= high / step + 1e-9 && out.length < 50; k++) out.push(k * step);
  return out;
}

const signed = (text) => text.replaceAll("-", "\u2212");
const label = (value) => signed(String(Number(value.toPrecision(4))));
const reading = (value) => (Number.isFinite(value) ? signed(Math.abs(value) >= 1e5 ? value.toExponential(2) : value.toPrecision(4)) : "–");

// The range of finite numbers, with a margin.
function rangeOf(numbers, share) {
  let [low, high] = [Infinity, -Infinity];
  for (const value of numbers) {
    if (!Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (!(high >= low)) return [-1, 1];
  const margin = high > low ? share * (high - low) : Math.abs(high) || 1;
  return [low - margin, high + margin];
}

async function render({ model, el }) {
  el.classList.add("mbw-plot");
  const player = await referred(model, "player");
  const heading = element("div", { class: "mbw-plot-title" }, el);
  const chart = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img" }, el);
  const legend = element("div", { class: "mbw-legend" }, el);
  let [mode, across, values, times, count] = ["time", [], [], [], 0];
  let [x, y, cursor, dots, readings] = [null, null, null, [], []];

  const abscissa = (point, k) => (across.length === values.length && count ? across[point * count + k] : across[point]);

  const frames = () => {
    times = floats(player.get("times"));
    follow();
  };

  const axes = () => {
    const [left, right] = rangeOf(across, mode === "phase" ? 0.05 : 0);
    const [low, high] = rangeOf(values, 0.05);
    x = (value) => LEFT + ((WIDTH - LEFT - RIGHT) * (value - left)) / (right - left || 1);
    y = (value) => TOP + ((HEIGHT - TOP - BOTTOM) * (high - value)) / (high - low);
    for (const tick of ticks(low, high, 5)) {
      svg("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y(tick), y2: y(tick), class: "mbw-grid" }, chart);
      svg("text", { x: LEFT - 6, y: y(tick) + 4, "text-anchor": "end", text: label(tick) }, chart);
    }
    for (const tick of ticks(left, right, 10)) {
      svg("line", { x1: x(tick), x2: x(tick), y1: TOP, y2: HEIGHT - BOTTOM, class: "mbw-grid" }, chart);
      svg("text", { x: x(tick), y: HEIGHT - BOTTOM + 15, "text-anchor": "middle", text: label(tick) }, chart);
    }
    svg("text", { x: WIDTH - RIGHT, y: HEIGHT - 4, "text-anchor": "end", text: model.get("label") }, chart);
  };

  const curve = (name, k) => {
    const colour = model.get("colours")[k];
    let [path, pen] = ["", "M"];
    for (let point = 0; point < values.length / count; point++) {
      const [a, b] = [abscissa(point, k), values[point * count + k]];
      if (!Number.isFinite(a) || !Number.isFinite(b)) {
        pen = "M";
        continue;
      }
      path += `${pen}${x(a).toFixed(1)} ${y(b).toFixed(1)}`;
      pen = "L";
    }
    svg("path", { d: path, stroke: colour, "stroke-dasharray": DASHES[k], class: "mbw-curve" }, chart);
    const item = element("span", {}, legend);
    const sample = svg("svg", { width: 26, height: 8, "aria-hidden": "true" }, item);
    svg("line", { x1: 0, x2: 26, y1: 4, y2: 4, stroke: colour, "stroke-width": 2.5, "stroke-dasharray": DASHES[k] }, sample);
    item.append(` ${name} `);
    return element("b", {}, item);
  };

  const build = () => {
    mode = model.get("mode");
    across = floats(model.get("times"));
    values = floats(model.get("values"));
    const names = model.get("names");
    count = names.length;
    heading.textContent = model.get("note") || [model.get("title"), model.get("unit")].filter(Boolean).join(", ");
    chart.setAttribute("aria-label", heading.textContent);
    chart.classList.toggle("mbw-seek", mode === "time");
    chart.replaceChildren();
    legend.replaceChildren();
    [cursor, dots] = [null, []];
    chart.style.display = count ? "" : "none";
    if (!across.length || !count) return;
    axes();
    readings = names.map(curve);
    if (mode === "time") cursor = svg("line", { y1: TOP, y2: HEIGHT - BOTTOM, class: "mbw-cursor" }, chart);
    if (mode === "phase") dots = names.map((_, k) => svg("circle", { r: 5, fill: model.get("colours")[k], class: "mbw-dot" }, chart));
    follow();
  };

  const follow = () => {
    if (mode === "frequency" || !x || !count || !times.length) return;
    const end = times[times.length - 1];
    const time = Math.min(end, Math.max(times[0], player.get("time")));
    const points = values.length / count;
    const frame = Math.min(points - 1, Math.round(((points - 1) * (time - times[0])) / (end - times[0] || 1)));
    cursor?.setAttribute("x1", x(time));
    cursor?.setAttribute("x2", x(time));
    dots.forEach((dot, k) => {
      const [a, b] = [abscissa(frame, k), values[frame * count + k]];
      dot.style.display = Number.isFinite(a) && Number.isFinite(b) ? "" : "none";
      if (dot.style.display === "") {
        dot.setAttribute("cx", x(a));
        dot.setAttribute("cy", y(b));
      }
    });
    readings.forEach((node, k) => (node.textContent = reading(values[frame * count + k])));
  };

  const seek = (event, settle) => {
    if (mode !== "time" || !across.length) return;
    const box = chart.getBoundingClientRect();
    const share = (((event.clientX - box.left) / box.width) * WIDTH - LEFT) / (WIDTH - LEFT - RIGHT);
    const wanted = across[0] + Math.min(1, Math.max(0, share)) * (across[across.length - 1] - across[0]);
    // at rest the time is that of a frame, whose numbers are exact; not every curve has a point a frame
    const grid = times.length ? times : across;
    const time = settle ? grid.reduce((best, one) => (Math.abs(one - wanted) < Math.abs(best - wanted) ? one : best)) : wanted;
    player.set({ playing: false, time });
    if (settle) player.save_changes();
  };
  // a finger may be on its way down the page: it seeks when it goes sideways, or is lifted on the spot
  let finger = null;
  chart.addEventListener("pointerdown", (event) => {
    finger = event.pointerType === "touch" ? event : null;
    if (finger) return;
    chart.setPointerCapture(event.pointerId);
    seek(event, false);
  });
  chart.addEventListener("pointermove", (event) => {
    if (finger && Math.abs(event.clientX - finger.clientX) < 8) return;
    finger = null;
    if (event.buttons) seek(event, false);
  });
  chart.addEventListener("pointerup", (event) => seek(event, true));

  const stops = [listen(model, { "change:version": build }), listen(player, { "change:time": follow, "change:version": frames })];
  build();
  frames();
  return () => stops.forEach((stop) => stop());
}

export default { render };
