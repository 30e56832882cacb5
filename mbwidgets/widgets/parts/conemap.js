// A map of the sphere with the Staude cone on it. The handle is dragged, and snaps, in the page.

import { element, pointerIn, svg } from "../../scene/page/shared/elements.js";
import { listen, teller } from "../../scene/page/shared/models.js";
import { clamp, MINUS, shortest } from "../../scene/page/shared/numbers.js";
import { inner } from "../../scene/page/shared/vectors.js";

const SIZE = 330;
const R = 146;
const C = SIZE / 2;
const RESTS = 500; // ms without a move, after which the handle rests, in the hand too

// Lambert: from [right, up, centre] of a unit vector to the map, and back.
export function project([x, y, z]) {
  const across = Math.hypot(x, y);
  const r = Math.sqrt(Math.max(0, (1 - z) / 2));
  return across < 1e-12 ? [C + (z > 0 ? 0 : R), C] : [C + (R * r * x) / across, C - (R * r * y) / across];
}

export function lift(px, py) {
  const [x, y] = [(px - C) / R, (C - py) / R];
  const r = Math.min(1, Math.hypot(x, y));
  const z = 1 - 2 * r * r;
  const across = Math.sqrt(Math.max(0, 1 - z * z));
  const length = Math.hypot(x, y) || 1;
  return [(across * x) / length, (across * y) / length, z];
}

// From the middle of the map, in degrees.
export const tilt = (v) => (Math.acos(clamp(v[2], -1, 1)) * 180) / Math.PI;

// The point of the cone that is nearest to a direction; null where there is none.
export function nearestOn(points, v) {
  let best = null;
  for (const point of points) if (!best || inner(point.v, v) > inner(best.v, v)) best = point;
  return best;
}

// The point where the arrow keys lead: `along` a curve, or `across` to the next one, at the point nearest to `spot`.
export function stepOn(points, curves, spot, along, across) {
  const here = nearestOn(points, spot);
  const other = (here.curve + across + curves) % curves;
  const same = points.filter((point) => point.curve === other);
  const index = across ? same.indexOf(nearestOn(same, spot)) : same.indexOf(here) + along;
  return same[((index % same.length) + same.length) % same.length];
}

function drawRings(parent) {
  for (const angle of [180, 150, 120, 90, 60, 30]) {
    const r = R * Math.sin((angle * Math.PI) / 360);
    svg("circle", { cx: C, cy: C, r, class: angle === 180 ? "mbw-cone-rim" : "mbw-cone-ring" }, parent);
    if (angle === 150) continue; // too near to the rim for a number
    const at = { x: C, y: C - r + (angle === 180 ? -5 : 4), "text-anchor": "middle" };
    const text = angle === 180 ? "180°, it stands" : `${angle}°`;
    svg("text", { ...at, class: "mbw-cone-number", text }, parent);
  }
  svg("circle", { cx: C, cy: C, r: 2, class: "mbw-cone-centre" }, parent);
  svg("text", { x: C + 5, y: C - 5, class: "mbw-cone-number", text: "it hangs" }, parent);
}

function drawCurve({ points, colours, grows }, thick, parent) {
  const places = points.map(project);
  if (points.length === 1) svg("circle", { cx: places[0][0], cy: places[0][1], r: 5, fill: colours[0] }, parent);
  for (let k = 0; k + 1 < places.length; k++) {
    const [[x1, y1], [x2, y2]] = [places[k], places[k + 1]];
    if (Math.hypot(x1 - x2, y1 - y2) > R / 2) continue; // across the rim
    const width = grows[k] && grows[k + 1] ? 2 : thick;
    const look = { stroke: colours[k], "stroke-width": width, "stroke-linecap": "round" };
    svg("line", { x1, y1, x2, y2, ...look }, parent);
  }
}

function drawPrincipal(axis, name, parent) {
  for (const sign of [1, -1]) {
    const [x, y] = project(axis.map((part) => sign * part));
    svg("path", { d: `M${x - 4} ${y}h8M${x} ${y - 4}v8`, class: "mbw-cone-cross" }, parent);
    svg("text", { x: x + 6, y: y + 12, text: `${sign > 0 ? "" : MINUS}${name}` }, parent);
  }
}

function drawSpeeds(ramp, ticks, parent) {
  const [left, width] = [44, SIZE - 88];
  const step = width / ramp.length;
  for (const [k, fill] of ramp.entries()) {
    svg("rect", { x: left + step * k, y: 3, width: step + 0.6, height: 9, fill }, parent);
  }
  for (const [share, text] of ticks) {
    svg("text", { x: left + width * share, y: 25, "text-anchor": "middle", text }, parent);
  }
  svg("text", { x: left - 6, y: 12, "text-anchor": "end", text: "ω" }, parent);
  svg("text", { x: SIZE - 38, y: 12, text: "rad/s" }, parent);
}

function render({ model, el }) {
  el.classList.add("mbw-cone");
  const still = model.get("still");
  el.classList.toggle("mbw-still", still);
  const role = still ? { role: "img" } : { role: "slider", tabindex: "0" };
  const heading = element("div", { class: "mbw-cone-title" }, el);
  const chart = svg("svg", { viewBox: `0 0 ${SIZE} ${SIZE}`, ...role, "aria-label": "Axis on the cone" }, el);
  const ruler = { viewBox: `0 0 ${SIZE} 34`, class: "mbw-cone-scale", role: "img" };
  const scale = svg("svg", { ...ruler, "aria-label": "Colours of the speed" }, el);
  const reading = element("div", { class: "mbw-cone-reading" }, el);
  const note = element("div", { class: "mbw-cone-note" }, el);
  drawRings(svg("g", {}, chart));
  const lines = svg("g", {}, chart);
  const handle = svg("g", { class: "mbw-cone-handle" }, chart);
  svg("circle", { r: 10, class: "mbw-cone-halo" }, handle);
  svg("circle", { r: 6.5, class: "mbw-cone-dot" }, handle);
  const edit = teller(model, "edit");
  let [dragged, points] = [false, []];
  let [moved, resting] = [null, 0];

  const place = (v) => {
    const [x, y] = project(v);
    handle.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
  };
  const tellPlace = (v, speed) => {
    const words = (speed ?? null) === null ? "any speed" : `ω = ${shortest(Math.abs(speed))} rad/s`;
    reading.textContent = `tilt ${tilt(v).toFixed(1)}°, ${words}`;
    if (still) return;
    chart.setAttribute("aria-valuenow", tilt(v).toFixed(1));
    chart.setAttribute("aria-valuetext", reading.textContent);
  };
  const follow = () => {
    if (dragged) return;
    const { spot, speed } = model.get("handle");
    place(spot);
    tellPlace(spot, speed);
  };

  const move = (v) => {
    const found = model.get("snap") ? nearestOn(points, v) : null;
    const axis = found ? found.v : v;
    place(axis);
    tellPlace(axis, found ? found.speed : model.get("handle").speed);
    // the exact nearest axis is found by the page, or by the kernel where that must answer
    const page = model.get("_live");
    if (!page?.takes("axis")) {
      edit({ axis: v });
      return;
    }
    page.move("axis", page.axisOf(v));
    moved = v;
    clearTimeout(resting);
    resting = setTimeout(rest, RESTS);
  };
  // The kernel hears of a place that the page has answered when the handle rests, once.
  const rest = () => {
    clearTimeout(resting);
    if (!moved) return;
    model.get("_live")?.rest();
    edit({ axis: moved });
    moved = null;
  };
  const drag = (event) => move(lift(...pointerIn(chart, event, SIZE, SIZE)));
  chart.addEventListener("pointerdown", (event) => {
    // a finger beside the handle scrolls the page
    if (still || (event.pointerType === "touch" && !handle.contains(event.target))) return;
    chart.setPointerCapture(event.pointerId);
    dragged = true;
    drag(event);
  });
  chart.addEventListener("pointermove", (event) => dragged && drag(event));
  const release = () => {
    dragged = false;
    rest();
    setTimeout(follow, 400);
  };
  chart.addEventListener("pointerup", release);
  chart.addEventListener("pointercancel", release);
  // by the arrow keys along a curve of the cone and from one to the next; freely where nothing snaps
  chart.addEventListener("keydown", (event) => {
    const along = { ArrowRight: 1, ArrowLeft: -1, PageUp: 6, PageDown: -6 }[event.key] ?? 0;
    const across = { ArrowUp: 1, ArrowDown: -1 }[event.key] ?? 0;
    if (still || (!along && !across)) return;
    event.preventDefault();
    event.stopPropagation();
    const { spot } = model.get("handle");
    if (model.get("snap") && points.length) {
      move(stepOn(points, model.get("curves").length, spot, along, across).v);
    } else {
      const [x, y] = project(spot);
      move(lift(x + 4 * along, y - 4 * across));
    }
  });

  const build = () => {
    const curves = model.get("curves");
    const hint = still ? "In a notebook the axis can be dragged along the cone." : "";
    heading.textContent = model.get("title");
    note.textContent = [model.get("note"), hint].join(" ").trim();
    lines.replaceChildren();
    points = curves.flatMap((curve, index) =>
      curve.points.map((v, k) => ({ v, speed: curve.speeds[k], curve: index })),
    );
    for (const curve of curves) drawCurve(curve, curves.length > 10 ? 3.5 : 5.5, lines);
    for (const [k, axis] of model.get("principal").entries()) drawPrincipal(axis, `A${"₁₂₃"[k]}`, lines);
    scale.replaceChildren();
    drawSpeeds(model.get("ramp"), model.get("ticks"), scale);
    follow();
  };

  const stop = listen(model, {
    "change:curves": build,
    "change:title": build,
    "change:note": build,
    "change:handle": follow,
  });
  build();
  return () => {
    clearTimeout(resting);
    stop();
  };
}

export default { render };
