// Curves as SVG, over time, over frequency or in the phase plane, with a cursor that follows the player in the page.

import { Before, samePart } from "../../scene/page/shared/before.js";
import {
  addToLegend,
  DASHES,
  drawLevels,
  drawUprights,
  pathThrough,
  scaleFrom,
} from "../../scene/page/shared/curves.js";
import { element, pointerIn, svg, UNSTEADY } from "../../scene/page/shared/elements.js";
import { endOf, frameAt, timeAtRest } from "../../scene/page/shared/frames.js";
import { listen, referred, tell, together } from "../../scene/page/shared/models.js";
import { clamp, digitsOf, extent, shortest } from "../../scene/page/shared/numbers.js";
import { bufferOf, traitOf } from "../../scene/page/shared/overlay.js";
import { ticks } from "../../scene/page/shared/ticks.js";
import { boxFor, followWidth, uprightsIn } from "./fitted_box.js";

const MARGINS = [66, 12, 10, 34];

// The range of finite numbers, with a margin on either side, a share of it.
export function rangeWithMargin(numbers, share) {
  const [low, high] = extent(numbers);
  if (!(high >= low)) return [-1, 1];
  const margin = high > low ? share * (high - low) : Math.abs(high) || 1;
  return [low - margin, high + margin];
}

// Whether two plots show the same; what is another plot, or of another joint, has nothing to do with the one before.
export const sameCurves = (a, b) => samePart(a.values, b.values) && samePart(a.across, b.across);
export const sameKind = (a, b) => a.kind === b.kind;

async function render({ model, el }) {
  el.classList.add("mbw-plot");
  const player = await referred(model, "player");
  const heading = element("div", { class: "mbw-plot-title" }, el);
  const chart = svg("svg", { role: "img" }, el);
  const legend = element("div", { class: "mbw-legend" }, el);
  let box = boxFor(0, ...MARGINS);
  let [mode, across, values, times, count] = ["time", [], [], [], 0];
  let [x, y, cursor, dots, readings] = [null, null, null, [], []];
  const memory = new Before(sameCurves);
  let [before, forgotten] = [null, player.get("forgotten")];

  const abscissa = (point, k) => (across.length === values.length && count ? across[point * count + k] : across[point]);
  const place = (point, k) => [x(abscissa(point, k)), y(values[point * count + k])];

  const frames = () => {
    times = bufferOf(player, "times");
    follow();
  };

  const drawAxes = () => {
    const [left, right] = rangeWithMargin(across, mode === "phase" ? 0.05 : 0);
    const [low, high] = rangeWithMargin(before ? [...values, ...before.values] : values, 0.05);
    x = scaleFrom(left, right, box.left, box.right);
    y = scaleFrom(high, low, box.top, box.bottom);
    drawLevels(chart, box, y, ticks(low, high, 5));
    drawUprights(chart, box, x, ticks(left, right, uprightsIn(box)), model.get("label"));
  };

  // Beyond the horizon the motion is one of many that are possible.
  const shadeUnknown = () => {
    const horizon = player.get("_horizon") ?? null;
    if (mode !== "time" || horizon === null || !(x(horizon) < box.right)) return;
    const [left, top] = [Math.max(box.left, x(horizon)), box.top];
    const shape = { x: left, y: top, width: box.right - left, height: box.bottom - top, class: "mbw-unknown" };
    const shade = svg("rect", shape, chart);
    svg("title", { text: `Beyond t = ${shortest(horizon)} s it is one possible motion` }, shade);
  };

  // The curves before the last change lie pale behind the present ones.
  const drawBefore = () => {
    const wide = before.across.length === before.values.length && count;
    const point = (n, k) => [
      x(wide ? before.across[n * count + k] : before.across[n]),
      y(before.values[n * count + k]),
    ];
    for (let k = 0; k < count; k++) {
      const path = pathThrough(before.values.length / count, (n) => point(n, k));
      svg("path", { d: path, stroke: model.get("colours")[k], class: "mbw-curve mbw-curve-before" }, chart);
    }
  };

  // What was shown before this, if it is to be seen.
  const recall = () => {
    const kind = JSON.stringify(["title", "unit", "names", "mode", "subject"].map((name) => model.get(name)));
    const fresh = player.get("forgotten") !== forgotten || (memory.now !== null && !sameKind(memory.now, { kind }));
    forgotten = player.get("forgotten");
    const found = memory.show({ kind, across, values }, fresh);
    return player.get("ghost") ? found : null;
  };

  const drawCurve = (name, k) => {
    const look = { stroke: model.get("colours")[k], "stroke-dasharray": DASHES[k % DASHES.length] };
    const path = pathThrough(values.length / count, (point) => place(point, k));
    svg("path", { d: path, ...look, class: "mbw-curve" }, chart);
    return element("b", {}, addToLegend(legend, name, { ...look, "stroke-width": 2.5 }));
  };

  const build = () => {
    mode = model.get("mode");
    across = bufferOf(model, "times");
    values = bufferOf(model, "values");
    const names = model.get("names");
    count = names.length;
    heading.textContent = traitOf(model, "note") || [model.get("title"), model.get("unit")].filter(Boolean).join(", ");
    chart.setAttribute("aria-label", heading.textContent);
    chart.classList.toggle("mbw-seek", mode === "time");
    chart.replaceChildren();
    legend.replaceChildren();
    [cursor, dots] = [null, []];
    chart.style.display = count ? "" : "none";
    before = recall();
    if (!across.length || !count) return;
    drawAxes();
    shadeUnknown();
    if (before) drawBefore();
    readings = names.map(drawCurve);
    if (mode === "time") cursor = svg("line", { y1: box.top, y2: box.bottom, class: "mbw-cursor" }, chart);
    const dot = (k) => svg("circle", { r: 5, fill: model.get("colours")[k], class: "mbw-dot" }, chart);
    if (mode === "phase") dots = names.map((_, k) => dot(k));
    follow();
  };

  const follow = () => {
    if (mode === "frequency" || !x || !count || !times.length) return;
    const time = clamp(player.get("time"), times[0], endOf(times));
    const frame = frameAt(times, time, values.length / count);
    cursor?.setAttribute("x1", x(time));
    cursor?.setAttribute("x2", x(time));
    for (const [k, dot] of dots.entries()) {
      const [a, b] = place(frame, k);
      dot.style.display = Number.isFinite(a) && Number.isFinite(b) ? "" : "none";
      if (dot.style.display === "") {
        dot.setAttribute("cx", a);
        dot.setAttribute("cy", b);
      }
    }
    for (const [k, node] of readings.entries()) node.textContent = digitsOf(values[frame * count + k]);
  };

  const seek = (event, settle) => {
    if (mode !== "time" || !across.length) return;
    const [right] = pointerIn(chart, event, box.width, box.height);
    const ends = [across[0], endOf(across)];
    const wanted = clamp(scaleFrom(box.left, box.right, ...ends)(right), ...ends);
    if (!settle) player.set({ playing: false, time: wanted });
    // not every curve has a point a frame
    else tell(player, { playing: false, time: timeAtRest(times.length ? times : across, wanted) });
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
    if (finger && Math.abs(event.clientX - finger.clientX) < UNSTEADY) return;
    finger = null;
    if (event.buttons) seek(event, false);
  });
  chart.addEventListener("pointerup", (event) => seek(event, true));

  const fit = (next) => {
    box = next;
    chart.setAttribute("viewBox", `0 0 ${box.width} ${box.height}`);
    build();
  };
  const stop = together(
    followWidth(el, MARGINS, fit),
    listen(model, { "change:version": build }),
    listen(player, {
      "change:time": follow,
      "change:version": frames,
      "change:ghost": build,
      "change:forgotten": build,
      "change:_horizon": build,
    }),
  );
  frames();
  return stop;
}

export default { render };
