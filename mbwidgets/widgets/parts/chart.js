// Curves over any axis as SVG, with vertical marks; the pointer reads the numbers. All text is set as text.

import {
  addToLegend,
  DASHES,
  drawLevels,
  drawUprights,
  pathThrough,
  scaleFrom,
} from "../../scene/page/shared/curves.js";
import { element, pointerIn, svg } from "../../scene/page/shared/elements.js";
import { endOf } from "../../scene/page/shared/frames.js";
import { listen, together } from "../../scene/page/shared/models.js";
import { clamp, extent, shortest } from "../../scene/page/shared/numbers.js";
import { bufferOf, traitOf } from "../../scene/page/shared/overlay.js";
import { ticks } from "../../scene/page/shared/ticks.js";
import { boxFor, followWidth, uprightsIn } from "./fitted_box.js";

const MARGINS = [62, 10, 24, 34];

// From zero or below to a little above the greatest number.
export function rangeWithZero(numbers) {
  const [least, most] = extent(numbers);
  const [low, high] = [Math.min(0, least), Math.max(0, most)];
  return high > low ? [low, high + 0.05 * (high - low)] : [0, 1];
}

function drawMark(chart, box, { text, colour }, where) {
  const line = { x1: where, x2: where, y1: box.top - 4, y2: box.bottom, style: `stroke: ${colour}` };
  svg("line", { ...line, "stroke-width": 1.5, "stroke-dasharray": "4 3" }, chart);
  const anchor = where > box.width - 190 ? "end" : where < box.left + 90 ? "start" : "middle";
  const node = svg("text", { x: where, y: box.top - 9, "text-anchor": anchor, text }, chart);
  node.style.fill = colour;
  node.style.fontWeight = "600";
}

function render({ model, el }) {
  el.classList.add("mbw-plot");
  const heading = element("div", { class: "mbw-plot-title" }, el);
  const chart = svg("svg", { role: "img" }, el);
  chart.style.cursor = "crosshair";
  const legend = element("div", { class: "mbw-legend" }, el);
  let box = boxFor(0, ...MARGINS);
  let [x, y, across, count] = [[], [], null, 0];
  let [readings, place, cursor] = [[], null, null];

  const drawCurve = (name, k, height) => {
    const look = { stroke: model.get("colours")[k], "stroke-dasharray": DASHES[k % DASHES.length] };
    const path = pathThrough(x.length, (i) => [across(x[i]), height(y[i * count + k])]);
    svg("path", { d: path, ...look, class: "mbw-curve" }, chart);
    return element("b", {}, addToLegend(legend, name, { ...look, "stroke-width": 2.5 }));
  };

  const build = () => {
    x = bufferOf(model, "x");
    y = bufferOf(model, "y");
    const names = model.get("names");
    count = names.length;
    heading.textContent = traitOf(model, "note") || model.get("title");
    chart.setAttribute("aria-label", heading.textContent);
    chart.replaceChildren();
    legend.replaceChildren();
    [cursor, readings] = [null, []];
    if (x.length < 2 || !count) return;
    const [low, high] = rangeWithZero(y);
    across = scaleFrom(x[0], endOf(x), box.left, box.right);
    const height = scaleFrom(high, low, box.top, box.bottom);
    drawLevels(chart, box, height, ticks(low, high, 5));
    drawUprights(chart, box, across, ticks(x[0], endOf(x), uprightsIn(box)), model.get("along"));
    readings = names.map((name, k) => drawCurve(name, k, height));
    place = element("span", {}, legend);
    for (const mark of traitOf(model, "marks"))
      if (mark.at >= x[0] && mark.at <= endOf(x)) drawMark(chart, box, mark, across(mark.at));
    cursor = svg("line", { y1: box.top, y2: box.bottom, class: "mbw-cursor", visibility: "hidden" }, chart);
  };

  const read = (event) => {
    if (!cursor || !x.length) return;
    const share = scaleFrom(box.left, box.right, 0, 1)(pointerIn(chart, event, box.width, box.height)[0]);
    const i = Math.round(clamp(share, 0, 1) * (x.length - 1));
    cursor.setAttribute("x1", across(x[i]));
    cursor.setAttribute("x2", across(x[i]));
    cursor.setAttribute("visibility", "visible");
    place.textContent = `at ${shortest(x[i])} ${model.get("along").split(", ").pop()}`;
    for (const [k, node] of readings.entries()) node.textContent = shortest(y[i * count + k]);
  };
  chart.addEventListener("pointermove", read);

  const fit = (next) => {
    box = next;
    chart.setAttribute("viewBox", `0 0 ${box.width} ${box.height}`);
    build();
  };
  return together(followWidth(el, MARGINS, fit), listen(model, { "change:version": build }));
}

export default { render };
