// A polar curve as SVG, with a pointer that follows the player in the page.

import { pathThrough } from "../../scene/page/shared/curves.js";
import { element, pointerIn, svg } from "../../scene/page/shared/elements.js";
import { endOf, frameAt } from "../../scene/page/shared/frames.js";
import { listen, referred, tell, together } from "../../scene/page/shared/models.js";
import { fixed, shortest } from "../../scene/page/shared/numbers.js";
import { bufferOf, traitOf } from "../../scene/page/shared/overlay.js";
import { multiples, niceStep } from "../../scene/page/shared/ticks.js";

const SIZE = 380;
const MIDDLE = SIZE / 2;
const RADIUS = 158;
const ROOM = 1.06; // times the largest, to the rim
const NEAR = 30; // units of the chart in which a click means a point of the curve

// The longest of vectors (a, b) one after another, and its index.
export function longest(values) {
  let [largest, peak] = [0, 0];
  for (let k = 0; k < values.length / 2; k++) {
    const size = Math.hypot(values[2 * k], values[2 * k + 1]);
    if (size > largest) [largest, peak] = [size, k];
  }
  return [largest, peak];
}

async function render({ model, el }) {
  el.classList.add("mbw-polar");
  const player = await referred(model, "player");
  const heading = element("div", { class: "mbw-polar-title" }, el);
  const chart = svg("svg", { viewBox: `0 0 ${SIZE} ${SIZE}`, role: "img" }, el);
  const reading = element("div", { class: "mbw-polar-reading", role: "status" }, el);
  let values = new Float32Array(0);
  let [scale, largest] = [1, 0];
  let [pointer, dot] = [null, null];

  // the first direction to the right, or downwards
  const place = (a, b) =>
    model.get("down") ? [MIDDLE + scale * b, MIDDLE + scale * a] : [MIDDLE + scale * a, MIDDLE - scale * b];
  const point = (k) => place(values[2 * k], values[2 * k + 1]);
  const frames = () => values.length / 2;

  const drawRings = () => {
    const step = niceStep(largest / 4);
    for (const ring of multiples(step, ROOM * largest, step)) {
      const away = 0.72 * scale * ring + 2;
      svg("circle", { cx: MIDDLE, cy: MIDDLE, r: scale * ring, class: "mbw-polar-ring" }, chart);
      svg("text", { x: MIDDLE + away, y: MIDDLE - away, text: shortest(ring) }, chart);
    }
  };

  const drawAxis = (name, k) => {
    const along = (far) => place(k ? 0 : (far * RADIUS) / scale, k ? (far * RADIUS) / scale : 0);
    const [[u, v], [x, y], [p, q]] = [-1, 1, 1.07].map(along);
    svg("line", { x1: u, y1: v, x2: x, y2: y, class: "mbw-polar-axis" }, chart);
    svg("text", { x: p, y: q + 4, "text-anchor": "middle", class: "mbw-polar-name", text: name }, chart);
  };

  const build = () => {
    values = bufferOf(model, "values");
    heading.textContent = traitOf(model, "note") || model.get("title");
    chart.setAttribute("aria-label", heading.textContent);
    chart.replaceChildren();
    [pointer, dot] = [null, null];
    let peak = 0;
    [largest, peak] = longest(values);
    if (!largest) {
      reading.textContent = values.length ? "zero all along" : "";
      return;
    }
    scale = RADIUS / (ROOM * largest);
    drawRings();
    for (const [k, name] of model.get("names").entries()) drawAxis(name, k);
    const colour = model.get("colour");
    svg("path", { d: pathThrough(frames(), point), stroke: colour, class: "mbw-polar-curve" }, chart);
    const [x, y] = point(peak);
    svg("circle", { cx: x, cy: y, r: 5, stroke: colour, class: "mbw-polar-peak" }, chart);
    pointer = svg("line", { x1: MIDDLE, y1: MIDDLE, class: "mbw-polar-pointer" }, chart);
    dot = svg("circle", { r: 4.5, fill: colour }, chart);
    chart.dataset.peak = `${largest}`;
    follow();
  };

  const follow = () => {
    if (!pointer || !frames()) return;
    const k = frameAt(bufferOf(player, "times"), player.get("time"), frames());
    const [a, b] = [values[2 * k], values[2 * k + 1]];
    const [x, y] = place(a, b);
    if (!Number.isFinite(x + y)) return;
    pointer.setAttribute("x2", x);
    pointer.setAttribute("y2", y);
    dot.setAttribute("cx", x);
    dot.setAttribute("cy", y);
    const [first, second] = model.get("names");
    const unit = model.get("unit");
    const angle = (Math.atan2(b, a) * 180) / Math.PI;
    reading.textContent =
      `${shortest(Math.hypot(a, b))} ${unit} at ${fixed(angle, 1)}° from ${first} to ${second}` +
      ` · ring: largest, ${shortest(largest)} ${unit}`;
  };

  chart.addEventListener("click", (event) => {
    const at = pointerIn(chart, event, SIZE, SIZE);
    let best = [NEAR, -1];
    for (let k = 0; k < frames(); k++) {
      const [x, y] = point(k);
      const gap = Math.hypot(x - at[0], y - at[1]);
      if (gap < best[0]) best = [gap, k];
    }
    const times = bufferOf(player, "times");
    if (best[1] < 0 || !times.length) return;
    const evenly = (best[1] / Math.max(1, frames() - 1)) * endOf(times);
    tell(player, { playing: false, time: frames() === times.length ? times[best[1]] : evenly });
  });

  const stop = together(
    listen(model, { "change:version": build }),
    listen(player, { "change:time": follow, "change:version": follow }),
  );
  build();
  return stop;
}

export default { render };
