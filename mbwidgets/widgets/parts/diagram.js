// Tilts over speed as SVG: thick where small motions do not grow, thin and dashed where they do; a click chooses.

import { addToLegend, boxOf, drawLevels, drawUprights, scaleFrom } from "../../scene/page/shared/curves.js";
import { element, pointerIn, svg } from "../../scene/page/shared/elements.js";
import { listen, teller } from "../../scene/page/shared/models.js";
import { extent, fixed, shortest } from "../../scene/page/shared/numbers.js";
import { multiples, ticks } from "../../scene/page/shared/ticks.js";

const BOX = boxOf(560, 300, 46, 12, 10, 36);
const NEAR = 40; // units of the chart in which the pointer means a point of a curve
const TILTS = [15, 30, 45, 90]; // degrees between two lines

// From zero or below to ten degrees or above, with a little room.
export function tiltRange(tilts) {
  const [least, most] = extent(tilts);
  const [low, top] = [Math.min(0, least), Math.max(10, most)];
  const high = top + 0.04 * (top - low);
  return [low - (low < 0 ? 0.04 * (high - low) : 0), high];
}

// Degrees at which lines are drawn: at most eight of them, where that can be.
export function tiltTicks(low, high) {
  return multiples(low, high, TILTS.find((step) => (high - low) / step <= 8) ?? 90);
}

// The paths of a branch: where small motions do not grow, and where they grow, at both ends of a piece.
export function branchPaths({ points, grows }, place) {
  const paths = { true: "", false: "" };
  const text = (point) =>
    place(point)
      .map((value) => value.toFixed(1))
      .join(" ");
  let last = null; // the kind of the piece that ended where the next one begins
  for (let k = 0; k + 1 < points.length; k++) {
    const kind = Boolean(grows[k] && grows[k + 1]);
    paths[kind] += `${kind === last ? "" : `M${text(points[k])}`}L${text(points[k + 1])}`;
    last = kind;
  }
  return { stable: paths.false, unstable: paths.true };
}

function render({ model, el }) {
  el.classList.add("mbw-diagram");
  const heading = element("div", { class: "mbw-diagram-title" }, el);
  const chart = svg("svg", { viewBox: `0 0 ${BOX.width} ${BOX.height}`, role: "img" }, el);
  const legend = element("div", { class: "mbw-diagram-legend" }, el);
  const reading = element("div", { class: "mbw-diagram-reading" }, el);
  const edit = teller(model, "edit");
  let [x, y] = [() => 0, () => 0];
  let [marks, ring] = [null, null];

  const place = (point) => [x(point[0]), y(point[1])];

  const build = () => {
    heading.textContent = model.get("title");
    chart.setAttribute("aria-label", model.get("title"));
    chart.replaceChildren();
    legend.replaceChildren();
    const series = model.get("series");
    const points = series.flatMap((item) => item.points);
    if (!points.length) return;
    const right = extent(points.map((point) => point[0]))[1] || 1;
    const [low, high] = tiltRange(points.map((point) => point[1]));
    x = scaleFrom(0, right, BOX.left, BOX.right);
    y = scaleFrom(high, low, BOX.top, BOX.bottom);
    drawLevels(chart, BOX, y, tiltTicks(low, high), (tick) => `${shortest(tick)}°`);
    drawUprights(chart, BOX, x, ticks(0, right, 8), "ω, rad/s");
    for (const speed of model.get("critical")) {
      svg("line", { x1: x(speed), x2: x(speed), y1: BOX.top, y2: BOX.bottom, class: "mbw-diagram-critical" }, chart);
    }
    for (const item of series) drawSeries(item);
    marks = svg("g", {}, chart);
    ring = svg("circle", { r: 6, class: "mbw-diagram-ring", visibility: "hidden" }, chart);
    drawLegend();
    mark();
  };

  const drawSeries = (item) => {
    for (const [kind, d] of Object.entries(branchPaths(item, place))) {
      svg("path", { d, stroke: item.colour, class: `mbw-diagram-${kind}` }, chart);
    }
  };

  const drawLegend = () => {
    const add = (name, stroke, kind) => addToLegend(legend, name, { stroke, class: `mbw-diagram-${kind}` });
    for (const [name, colour] of model.get("names")) add(name, colour, "stable");
    add("small motions do not grow", "currentColor", "stable");
    add("they grow", "currentColor", "unstable");
  };

  const mark = () => {
    marks?.replaceChildren();
    for (const [speed, tilt, colour] of model.get("marks")) {
      if (marks) svg("circle", { cx: x(speed), cy: y(tilt), r: 6, fill: colour, class: "mbw-diagram-mark" }, marks);
    }
  };

  const nearest = (event) => {
    const at = pointerIn(chart, event, BOX.width, BOX.height);
    let best = { far: NEAR };
    for (const item of model.get("series")) {
      for (const [index, point] of item.points.entries()) {
        const far = Math.hypot(x(point[0]) - at[0], y(point[1]) - at[1]);
        if (far < best.far) best = { far, item, index, point };
      }
    }
    return best.item ? best : null;
  };
  chart.addEventListener("pointermove", (event) => {
    const found = nearest(event);
    ring?.setAttribute("visibility", found ? "visible" : "hidden");
    reading.textContent = "";
    if (!found) return;
    ring.setAttribute("cx", x(found.point[0]));
    ring.setAttribute("cy", y(found.point[1]));
    const rate = found.item.growth[found.index];
    const grows = rate > 0 ? `, grows as e^(${shortest(rate)} t), t in s` : ", small motions do not grow";
    const [speed, tilt] = [shortest(found.point[0]), fixed(found.point[1], 1)];
    reading.textContent = `ω = ${speed} rad/s, tilt ${tilt}°${rate === null ? "" : grows}`;
  });
  chart.addEventListener("click", (event) => {
    const found = model.get("still") ? null : nearest(event);
    if (found) edit({ key: found.item.key, index: found.index });
  });

  const stop = listen(model, { "change:series": build, "change:title": build, "change:marks": mark });
  build();
  return stop;
}

export default { render };
