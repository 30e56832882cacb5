// Curves as SVG: scales, axes, paths and legends that the charts share.

import { element, svg } from "./elements.js";
import { shortest } from "./numbers.js";

export const DASHES = ["", "7 3", "2 3", "9 3 2 3"]; // curves of one chart are told apart without colours too

// Where numbers from `low` to `high` lie between two places.
export const scaleFrom = (low, high, from, to) => (value) => from + ((to - from) * (value - low)) / (high - low || 1);

// The box of a chart's curves, in its own units.
export const boxOf = (width, height, left, right, top, bottom) => ({
  width,
  height,
  left,
  right: width - right,
  top,
  bottom: height - bottom,
});

// Lines across the chart, with their numbers at the left.
export function drawLevels(chart, box, y, values, text = shortest) {
  for (const value of values) {
    svg("line", { x1: box.left, x2: box.right, y1: y(value), y2: y(value), class: "mbw-grid" }, chart);
    svg("text", { x: box.left - 6, y: y(value) + 4, "text-anchor": "end", text: text(value) }, chart);
  }
}

// Upright lines, with their numbers below, and below them what they are numbers of.
export function drawUprights(chart, box, x, values, title) {
  for (const value of values) {
    svg("line", { x1: x(value), x2: x(value), y1: box.top, y2: box.bottom, class: "mbw-grid" }, chart);
    svg("text", { x: x(value), y: box.bottom + 15, "text-anchor": "middle", text: shortest(value) }, chart);
  }
  svg("text", { x: box.right, y: box.height - 4, "text-anchor": "end", text: title }, chart);
}

// A path through points 0 … count − 1; where one is no number the pen is lifted.
export function pathThrough(count, point) {
  let [path, pen] = ["", "M"];
  for (let k = 0; k < count; k++) {
    const [x, y] = point(k);
    if (Number.isFinite(x) && Number.isFinite(y)) {
      path += `${pen}${x.toFixed(1)} ${y.toFixed(1)}`;
      pen = "L";
    } else pen = "M";
  }
  return path;
}

// A line of a legend: how the curve is drawn, then its name; returns the line.
export function addToLegend(legend, name, line) {
  const item = element("span", {}, legend);
  const sample = svg("svg", { width: 28, height: 10, "aria-hidden": "true" }, item);
  svg("line", { x1: 1, x2: 27, y1: 5, y2: 5, ...line }, sample);
  item.append(` ${name} `);
  return item;
}
