// A polar curve as SVG, with a pointer that follows the player in the page.

import { element, svg } from "../../scene/page/shared/elements.js";
import { floats } from "../../scene/page/shared/frames.js";
import { listen, referred } from "../../scene/page/shared/models.js";
import { niceStep } from "../../scene/page/shared/ticks.js";

const SIZE = 380;
const MIDDLE = SIZE / 2;
const RADIUS = 158;

const number = (value) => (Number.isFinite(value) ? String(Number(value.toPrecision(4))).replaceAll("-", "\u2212") : "–");

async function render({ model, el }) {
  el.classList.add("mbw-polar");
  const player = await referred(model, "player");
  const heading = element("div", { class: "mbw-polar-title" }, el);
  const chart = svg("svg", { viewBox: `0 0 ${SIZE} ${SIZE}`, role: "img" }, el);
  const reading = element("div", { class: "mbw-polar-reading", role: "status" }, el);
  let values = new Float32Array(0);
  let scale = 1;
  let pointer = null;
  let dot = null;

  // the first direction to the right, or downwards
  const place = (a, b) => (model.get("down") ? [MIDDLE + scale * b, MIDDLE + scale * a] : [MIDDLE + scale * a, MIDDLE - scale * b]);
  const frames = () => values.length / 2;

  const build = () => {
    values = floats(model.get("values"));
    heading.textContent = model.get("title");
    chart.setAttribute("aria-label", model.get("title"));
    chart.replaceChildren();
    [pointer, dot] = [null, null];
    let largest = 0;
    let peak = 0;
    for (let k = 0; k < frames(); k++) {
      const size = Math.hypot(values[2 * k], values[2 * k + 1]);
      if (size > largest) [largest, peak] = [size, k];
    }
    if (!largest) {
      reading.textContent = values.length ? "zero all along" : "";
      return;
    }
    scale = RADIUS / (1.06 * largest);
    const step = niceStep(largest / 4);
    for (let ring = step; ring <= 1.06 * largest + 1e-12; ring += step) {
      svg("circle", { cx: MIDDLE, cy: MIDDLE, r: scale * ring, class: "mbw-polar-ring" }, chart);
      svg("text", { x: MIDDLE + 0.72 * scale * ring + 2, y: MIDDLE - 0.72 * scale * ring - 2, text: number(ring) }, chart);
    }
    const colour = model.get("colour");
    model.get("names").forEach((name, k) => {
      const reach = RADIUS / scale;
      const [x, y] = place(k ? 0 : reach, k ? reach : 0);
      const [u, v] = place(k ? 0 : -reach, k ? -reach : 0);
      svg("line", { x1: u, y1: v, x2: x, y2: y, class: "mbw-polar-axis" }, chart);
      const [p, q] = place(k ? 0 : 1.07 * reach, k ? 1.07 * reach : 0);
      svg("text", { x: p, y: q + 4, "text-anchor": "middle", class: "mbw-polar-name", text: name }, chart);
    });
    let path = "";
    for (let k = 0; k < frames(); k++) {
      const [x, y] = place(values[2 * k], values[2 * k + 1]);
      if (Number.isFinite(x + y)) path += `${path ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`;
    }
    svg("path", { d: path, stroke: colour, class: "mbw-polar-curve" }, chart);
    const [x, y] = place(values[2 * peak], values[2 * peak + 1]);
    svg("circle", { cx: x, cy: y, r: 5, stroke: colour, class: "mbw-polar-peak" }, chart);
    pointer = svg("line", { x1: MIDDLE, y1: MIDDLE, class: "mbw-polar-pointer" }, chart);
    dot = svg("circle", { r: 4.5, fill: colour }, chart);
    chart.dataset.peak = `${largest}`;
    follow();
  };

  const follow = () => {
    if (!pointer || !frames()) return;
    const times = floats(player.get("times"));
    const end = times.length ? times[times.length - 1] : 0;
    const share = end > 0 ? Math.min(1, Math.max(0, player.get("time") / end)) : 0;
    const k = Math.round(share * (frames() - 1));
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
      `${number(Math.hypot(a, b))} ${unit} at ${angle.toFixed(1).replace("-", "\u2212")}° from ${first} to ${second}` +
      ` · ring: largest, ${number(Number(chart.dataset.peak))} ${unit}`;
  };

  chart.addEventListener("click", (event) => {
    const box = chart.getBoundingClientRect();
    const at = [((event.clientX - box.left) / box.width) * SIZE, ((event.clientY - box.top) / box.height) * SIZE];
    let best = [Infinity, 0];
    for (let k = 0; k < frames(); k++) {
      const [x, y] = place(values[2 * k], values[2 * k + 1]);
      const gap = Math.hypot(x - at[0], y - at[1]);
      if (gap < best[0]) best = [gap, k];
    }
    const times = floats(player.get("times"));
    if (best[0] > 30 || !times.length) return;
    player.set({ playing: false, time: (best[1] / Math.max(1, frames() - 1)) * times[times.length - 1] });
    player.save_changes();
  });

  player.on("change:time change:version", follow);
  const stop = listen(model, { "change:version": build });
  build();
  return () => {
    stop();
    player.off("change:time change:version", follow);
  };
}

export default { render };
