// Tilts over speed as SVG: thick where small motions do not grow, thin and dashed where they do; a click chooses.

import { svg } from "../../scene/page/shared/elements.js";
import { listen } from "../../scene/page/shared/models.js";
import { niceStep } from "../../scene/page/shared/ticks.js";

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [560, 300, 46, 12, 10, 36];

function ticks(low, high, count) {
  const step = niceStep((high - low) / count);
  const out = [];
  for (let k = Math.ceil(low / step - 1e-9); k <= high / step + 1e-9 && out.length < 50; k++) out.push(Number((k * step).toPrecision(9)));
  return out;
}

function render({ model, el }) {
  el.classList.add("mbw-diagram");
  const node = (name) => {
    const made = document.createElement("div");
    made.className = name;
    return made;
  };
  const [heading, legend, reading] = [node("mbw-diagram-title"), node("mbw-diagram-legend"), node("mbw-diagram-reading")];
  const chart = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img" });
  el.append(heading, chart, legend, reading);
  let number = 0;
  let x = () => 0;
  let y = () => 0;
  let marks = null;
  let ring = null;

  const build = () => {
    heading.textContent = model.get("title");
    chart.setAttribute("aria-label", model.get("title"));
    chart.replaceChildren();
    legend.replaceChildren();
    const series = model.get("series");
    const points = series.flatMap((item) => item.points);
    if (!points.length) return;
    const right = Math.max(...points.map((point) => point[0])) || 1;
    const tilts = points.map((point) => point[1]);
    let [low, high] = [Math.min(0, ...tilts), Math.max(10, ...tilts)];
    high += 0.04 * (high - low);
    low -= low < 0 ? 0.04 * (high - low) : 0;
    x = (value) => LEFT + ((WIDTH - LEFT - RIGHT) * value) / right;
    y = (value) => TOP + ((HEIGHT - TOP - BOTTOM) * (high - value)) / (high - low);
    const steps = [15, 30, 45, 90].find((step) => (high - low) / step <= 8) ?? 90;
    for (let tick = Math.ceil(low / steps) * steps; tick <= high; tick += steps) {
      svg("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y(tick), y2: y(tick), class: "mbw-grid" }, chart);
      svg("text", { x: LEFT - 5, y: y(tick) + 4, "text-anchor": "end", text: `${tick}°`.replace("-", "\u2212") }, chart);
    }
    for (const tick of ticks(0, right, 8)) {
      svg("line", { x1: x(tick), x2: x(tick), y1: TOP, y2: HEIGHT - BOTTOM, class: "mbw-grid" }, chart);
      svg("text", { x: x(tick), y: HEIGHT - BOTTOM + 15, "text-anchor": "middle", text: tick }, chart);
    }
    svg("text", { x: WIDTH - RIGHT, y: HEIGHT - 5, "text-anchor": "end", text: "ω, rad/s" }, chart);
    for (const speed of model.get("critical")) {
      svg("line", { x1: x(speed), x2: x(speed), y1: TOP, y2: HEIGHT - BOTTOM, class: "mbw-diagram-critical" }, chart);
    }
    for (const item of series) drawSeries(item);
    marks = svg("g", {}, chart);
    ring = svg("circle", { r: 6, class: "mbw-diagram-ring", visibility: "hidden" }, chart);
    names();
    mark();
  };

  const drawSeries = (item) => {
    const pieces = { true: "", false: "" };
    let last = null; // the kind of the piece that ended where the next one begins
    for (let k = 0; k + 1 < item.points.length; k++) {
      const [a, b] = [item.points[k], item.points[k + 1]];
      const kind = item.grows[k] && item.grows[k + 1];
      const start = kind === last ? "" : `M${x(a[0]).toFixed(1)} ${y(a[1]).toFixed(1)}`;
      pieces[kind] += `${start}L${x(b[0]).toFixed(1)} ${y(b[1]).toFixed(1)}`;
      last = kind;
    }
    svg("path", { d: pieces.false, stroke: item.colour, class: "mbw-diagram-stable" }, chart);
    svg("path", { d: pieces.true, stroke: item.colour, class: "mbw-diagram-unstable" }, chart);
  };

  const names = () => {
    const entry = (text, colour, kind) => {
      const span = document.createElement("span");
      const sample = svg("svg", { width: 28, height: 10 }, span);
      svg("line", { x1: 1, x2: 27, y1: 5, y2: 5, stroke: colour, class: kind }, sample);
      span.append(` ${text}`);
      legend.append(span);
    };
    for (const [name, colour] of model.get("names")) entry(name, colour, "mbw-diagram-stable");
    entry("small motions do not grow", "currentColor", "mbw-diagram-stable");
    entry("they grow", "currentColor", "mbw-diagram-unstable");
  };

  const mark = () => {
    marks?.replaceChildren();
    for (const [speed, tilt, colour] of model.get("marks")) {
      if (marks) svg("circle", { cx: x(speed), cy: y(tilt), r: 6, fill: colour, class: "mbw-diagram-mark" }, marks);
    }
  };

  const nearest = (event) => {
    const box = chart.getBoundingClientRect();
    const at = [((event.clientX - box.left) / box.width) * WIDTH, ((event.clientY - box.top) / box.height) * HEIGHT];
    let best = null;
    for (const item of model.get("series")) {
      item.points.forEach((point, index) => {
        const far = Math.hypot(x(point[0]) - at[0], y(point[1]) - at[1]);
        if (!best || far < best.far) best = { far, item, index, point };
      });
    }
    return best && best.far < 40 ? best : null;
  };
  chart.addEventListener("pointermove", (event) => {
    const found = nearest(event);
    ring?.setAttribute("visibility", found ? "visible" : "hidden");
    reading.textContent = "";
    if (!found) return;
    ring.setAttribute("cx", x(found.point[0]));
    ring.setAttribute("cy", y(found.point[1]));
    const rate = found.item.growth[found.index];
    const tail = rate === null ? "" : rate > 0 ? `, grows as e^(${rate} t), t in s` : ", small motions do not grow";
    reading.textContent = `ω = ${Number(found.point[0].toPrecision(4))} rad/s, tilt ${found.point[1].toFixed(1).replace("-", "\u2212")}°${tail}`;
  });
  chart.addEventListener("click", (event) => {
    const found = model.get("still") ? null : nearest(event);
    if (!found) return;
    number += 1;
    model.set("edit", { key: found.item.key, index: found.index, number });
    model.save_changes();
  });

  const listeners = { "change:series": build, "change:title": build, "change:marks": mark };
  const stop = listen(model, listeners);
  build();
  return stop;
}

export default { render };
