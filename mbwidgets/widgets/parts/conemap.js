// A map of the sphere with the Staude cone on it. The handle is dragged, and snaps, in the page.

import { svg } from "../../scene/page/shared/elements.js";
import { listen } from "../../scene/page/shared/models.js";

const SIZE = 330;
const R = 146;
const C = SIZE / 2;

const div = (name, parent) => {
  const node = document.createElement("div");
  node.className = name;
  parent.append(node);
  return node;
};

// Lambert: from [right, up, centre] of a unit vector to the map, and back.
function project([x, y, z]) {
  const across = Math.hypot(x, y);
  const r = Math.sqrt(Math.max(0, (1 - z) / 2));
  return across < 1e-12 ? [C + (z > 0 ? 0 : R), C] : [C + (R * r * x) / across, C - (R * r * y) / across];
}
function lift(px, py) {
  const [x, y] = [(px - C) / R, (C - py) / R];
  const r = Math.min(1, Math.hypot(x, y));
  const z = 1 - 2 * r * r;
  const across = Math.sqrt(Math.max(0, 1 - z * z));
  const length = Math.hypot(x, y) || 1;
  return [(across * x) / length, (across * y) / length, z];
}
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const tilt = (v) => (Math.acos(Math.max(-1, Math.min(1, v[2]))) * 180) / Math.PI;

function render({ model, el }) {
  el.classList.add("mbw-cone");
  const heading = div("mbw-cone-title", el);
  const chart = svg("svg", { viewBox: `0 0 ${SIZE} ${SIZE}`, role: "slider", tabindex: "0", "aria-label": "Axis on the cone" }, el);
  const scale = svg("svg", { viewBox: `0 0 ${SIZE} 34`, class: "mbw-cone-scale", role: "img", "aria-label": "Colours of the speed" }, el);
  const reading = div("mbw-cone-reading", el);
  const note = div("mbw-cone-note", el);
  const back = svg("g", {}, chart);
  const lines = svg("g", {}, chart);
  const handle = svg("g", { class: "mbw-cone-handle" }, chart);
  svg("circle", { r: 10, class: "mbw-cone-halo" }, handle);
  svg("circle", { r: 6.5, class: "mbw-cone-dot" }, handle);
  let number = 0;
  let dragged = null;
  let flat = [];

  for (const angle of [180, 150, 120, 90, 60, 30]) {
    const r = R * Math.sin((angle * Math.PI) / 360);
    svg("circle", { cx: C, cy: C, r, class: angle === 180 ? "mbw-cone-rim" : "mbw-cone-ring" }, back);
    if (angle === 150) continue; // too near to the rim for a number
    const text = angle === 180 ? "180°, it stands" : `${angle}°`;
    svg("text", { x: C, y: C - r + (angle === 180 ? -5 : 4), "text-anchor": "middle", class: "mbw-cone-number", text }, back);
  }
  svg("circle", { cx: C, cy: C, r: 2, class: "mbw-cone-centre" }, back);
  svg("text", { x: C + 5, y: C - 5, class: "mbw-cone-number", text: "it hangs" }, back);

  const place = (v) => {
    const [x, y] = project(v);
    handle.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
  };
  const say = (v, speed) => {
    const words = speed === null || speed === undefined ? "any speed" : `ω = ${Number(Math.abs(speed).toPrecision(4))} rad/s`;
    reading.textContent = `tilt ${tilt(v).toFixed(1)}°, ${words}`;
    if (model.get("still")) return;
    chart.setAttribute("aria-valuenow", tilt(v).toFixed(1));
    chart.setAttribute("aria-valuetext", reading.textContent);
  };
  const follow = () => {
    if (dragged) return;
    place(model.get("spot"));
    say(model.get("spot"), model.get("speed"));
  };

  const nearest = (v, among = flat) => {
    let best = null;
    for (const point of among) if (!best || dot(point.v, v) > dot(best.v, v)) best = point;
    return best;
  };
  const move = (v) => {
    const found = model.get("snap") ? nearest(v) : null;
    const axis = found ? found.v : v;
    place(axis);
    say(axis, found ? found.speed : model.get("speed"));
    number += 1;
    // the kernel finds the exact nearest axis itself
    model.set("edit", { axis: v, number });
    model.save_changes();
  };
  const from = (event) => {
    const box = chart.getBoundingClientRect();
    return lift(((event.clientX - box.left) / box.width) * SIZE, ((event.clientY - box.top) / box.height) * SIZE);
  };
  const still = model.get("still");
  if (still) {
    el.classList.add("mbw-still");
    chart.setAttribute("role", "img");
    chart.removeAttribute("tabindex");
  }
  chart.addEventListener("pointerdown", (event) => {
    // a finger beside the handle scrolls the page
    if (still || (event.pointerType === "touch" && !handle.contains(event.target))) return;
    chart.setPointerCapture(event.pointerId);
    dragged = true;
    move(from(event));
  });
  chart.addEventListener("pointermove", (event) => dragged && move(from(event)));
  const release = () => {
    dragged = null;
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
    const spot = model.get("spot");
    if (model.get("snap") && flat.length) {
      const here = nearest(spot);
      const count = model.get("curves").length;
      const other = (here.curve + across + count) % count;
      const same = flat.filter((point) => point.curve === other);
      const index = across ? same.indexOf(nearest(spot, same)) : same.indexOf(here) + along;
      move(same[(index + same.length) % same.length].v);
    } else {
      const [x, y] = project(spot);
      move(lift(x + 4 * along, y - 4 * across));
    }
  });

  const build = () => {
    heading.textContent = model.get("title");
    note.textContent = [model.get("note"), still ? "In a notebook the axis can be dragged along the cone." : ""].join(" ").trim();
    lines.replaceChildren();
    flat = [];
    const thick = model.get("curves").length > 10 ? 3.5 : 5.5;
    model.get("curves").forEach((curve, index) => {
      curve.points.forEach((v, k) => flat.push({ v, speed: curve.speeds[k], curve: index }));
      if (curve.points.length === 1) {
        const [x, y] = project(curve.points[0]);
        svg("circle", { cx: x, cy: y, r: 5, fill: curve.colours[0] }, lines);
      }
      for (let k = 0; k + 1 < curve.points.length; k++) {
        const [a, b] = [project(curve.points[k]), project(curve.points[k + 1])];
        if (Math.hypot(a[0] - b[0], a[1] - b[1]) > R / 2) continue; // across the rim
        const grows = curve.grows[k] && curve.grows[k + 1];
        svg("line", { x1: a[0], y1: a[1], x2: b[0], y2: b[1], stroke: curve.colours[k], "stroke-width": grows ? 2 : thick, "stroke-linecap": "round" }, lines);
      }
    });
    model.get("principal").forEach((axis, k) => {
      for (const sign of [1, -1]) {
        const [x, y] = project(axis.map((part) => sign * part));
        svg("path", { d: `M${x - 4} ${y}h8M${x} ${y - 4}v8`, class: "mbw-cone-cross" }, lines);
        svg("text", { x: x + 6, y: y + 12, text: `${sign > 0 ? "" : "−"}A${"₁₂₃"[k]}` }, lines);
      }
    });
    legend();
    follow();
  };

  const legend = () => {
    scale.replaceChildren();
    const ramp = model.get("ramp");
    const [left, width] = [44, SIZE - 88];
    ramp.forEach((colour, k) => svg("rect", { x: left + (width * k) / ramp.length, y: 3, width: width / ramp.length + 0.6, height: 9, fill: colour }, scale));
    for (const [share, speed] of model.get("ticks")) {
      svg("text", { x: left + width * share, y: 25, "text-anchor": "middle", text: speed }, scale);
    }
    svg("text", { x: left - 6, y: 12, "text-anchor": "end", text: "ω" }, scale);
    svg("text", { x: SIZE - 38, y: 12, text: "rad/s" }, scale);
  };

  const listeners = { "change:curves": build, "change:title": build, "change:note": build, "change:spot": follow, "change:speed": follow };
  const stop = listen(model, listeners);
  build();
  return stop;
}

export default { render };
