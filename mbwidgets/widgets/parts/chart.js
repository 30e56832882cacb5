// Curves over any axis as SVG, with vertical marks; the pointer reads the numbers. All text is set as text.

import { svg } from "../../scene/page/shared/elements.js";
import { floats } from "../../scene/page/shared/frames.js";
import { niceStep } from "../../scene/page/shared/ticks.js";

const WIDTH = 860;
const HEIGHT = 250;
const LEFT = 62;
const RIGHT = 10;
const TOP = 24;
const BOTTOM = 34;
const DASHES = ["", "7 3", "2 3", "9 3 2 3"];

function ticks(low, high, count) {
  const step = niceStep((high - low) / count);
  const out = [];
  for (let k = Math.ceil(low / step - 1e-9); k <= high / step + 1e-9 && out.length < 50; k++) out.push(k * step);
  return out;
}

const label = (value) => String(Number(value.toPrecision(4))).replace("-", "\u2212");

function render({ model, el }) {
  el.classList.add("mbw-plot");
  const heading = document.createElement("div");
  heading.className = "mbw-plot-title";
  const chart = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img" });
  chart.style.cursor = "crosshair";
  const legend = document.createElement("div");
  legend.className = "mbw-legend";
  el.append(heading, chart, legend);
  let x = [];
  let y = [];
  let count = 0;
  let readings = [];
  let place = null;
  let cursor = null;

  const across = (value) => LEFT + ((WIDTH - LEFT - RIGHT) * (value - x[0])) / (x[x.length - 1] - x[0] || 1);

  const range = () => {
    let low = 0;
    let high = 0;
    for (const value of y) {
      if (!Number.isFinite(value)) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    return high > low ? [low, high + 0.05 * (high - low)] : [0, 1];
  };

  const mark = ({ at, text, colour }) => {
    if (!(at >= x[0] && at <= x[x.length - 1])) return;
    const where = across(at);
    svg("line", { x1: where, x2: where, y1: TOP - 4, y2: HEIGHT - BOTTOM, style: `stroke: ${colour}`, "stroke-width": 1.5, "stroke-dasharray": "4 3" }, chart);
    const anchor = where > WIDTH - 190 ? "end" : where < LEFT + 90 ? "start" : "middle";
    const node = svg("text", { x: where, y: TOP - 9, "text-anchor": anchor, text }, chart);
    node.style.fill = colour;
    node.style.fontWeight = "600";
  };

  const curve = (name, k, high, low) => {
    const colour = model.get("colours")[k];
    let path = "";
    let pen = "M";
    for (let i = 0; i < x.length; i++) {
      const value = y[i * count + k];
      if (!Number.isFinite(value)) {
        pen = "M";
        continue;
      }
      const height = TOP + ((HEIGHT - TOP - BOTTOM) * (high - value)) / (high - low);
      path += `${pen}${across(x[i]).toFixed(1)} ${height.toFixed(1)}`;
      pen = "L";
    }
    svg("path", { d: path, stroke: colour, "stroke-dasharray": DASHES[k % 4], class: "mbw-curve" }, chart);
    const item = document.createElement("span");
    const sample = svg("svg", { width: 26, height: 8 }, item);
    svg("line", { x1: 0, x2: 26, y1: 4, y2: 4, stroke: colour, "stroke-width": 2.5, "stroke-dasharray": DASHES[k % 4] }, sample);
    item.append(` ${name} `);
    const value = document.createElement("b");
    item.append(value);
    legend.append(item);
    return value;
  };

  const build = () => {
    x = floats(model.get("x"));
    y = floats(model.get("y"));
    const names = model.get("names");
    count = names.length;
    heading.textContent = model.get("title");
    chart.setAttribute("aria-label", heading.textContent);
    chart.replaceChildren();
    legend.replaceChildren();
    [cursor, readings] = [null, []];
    if (x.length < 2 || !count) return;
    const [low, high] = range();
    for (const tick of ticks(low, high, 5)) {
      const height = TOP + ((HEIGHT - TOP - BOTTOM) * (high - tick)) / (high - low);
      svg("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: height, y2: height, class: "mbw-grid" }, chart);
      svg("text", { x: LEFT - 6, y: height + 4, "text-anchor": "end", text: label(tick) }, chart);
    }
    for (const tick of ticks(x[0], x[x.length - 1], 10)) {
      svg("line", { x1: across(tick), x2: across(tick), y1: TOP, y2: HEIGHT - BOTTOM, class: "mbw-grid" }, chart);
      svg("text", { x: across(tick), y: HEIGHT - BOTTOM + 15, "text-anchor": "middle", text: label(tick) }, chart);
    }
    svg("text", { x: WIDTH - RIGHT, y: HEIGHT - 4, "text-anchor": "end", text: model.get("along") }, chart);
    readings = names.map((name, k) => curve(name, k, high, low));
    place = document.createElement("span");
    legend.append(place);
    model.get("marks").forEach(mark);
    cursor = svg("line", { y1: TOP, y2: HEIGHT - BOTTOM, class: "mbw-cursor", visibility: "hidden" }, chart);
  };

  const read = (event) => {
    if (!cursor || !x.length) return;
    const box = chart.getBoundingClientRect();
    const share = (((event.clientX - box.left) / box.width) * WIDTH - LEFT) / (WIDTH - LEFT - RIGHT);
    const i = Math.round(Math.min(1, Math.max(0, share)) * (x.length - 1));
    cursor.setAttribute("x1", across(x[i]));
    cursor.setAttribute("x2", across(x[i]));
    cursor.setAttribute("visibility", "visible");
    place.textContent = `at ${label(x[i])} ${model.get("along").split(", ").pop()}`;
    readings.forEach((node, k) => (node.textContent = label(y[i * count + k])));
  };
  chart.addEventListener("pointermove", read);

  model.on("change:version", build);
  build();
  return () => model.off("change:version", build);
}

export default { render };
