// The curve above the player's slider: a view's own quantity over the whole motion, with its peak to go to; beneath the
// slider how far the motion's energy strays.

import { pathThrough } from "./shared/curves.js";
import { button, element, svg } from "./shared/elements.js";
import { endOf } from "./shared/frames.js";
import { listen, referred, tell } from "./shared/models.js";
import { extent, shortest } from "./shared/numbers.js";
import { bufferOf, traitOf } from "./shared/overlay.js";
import { writeSymbol } from "./shared/symbols.js";

const STRIP_WIDE = 1000;
const STRIP_HIGH = 100;
const STRIP_POINTS = 500; // points of the curve: more than a strip has pixels, and the peaks stay

// At most `most` numbers of a curve, of each stretch the one that is farthest from zero.
export function thinned(values, most = STRIP_POINTS) {
  if (values.length <= most) return Array.from(values, (value, k) => [k, value]);
  const points = [];
  for (let k = 0; k < most; k++) {
    const from = Math.floor((k * values.length) / most);
    const to = Math.floor(((k + 1) * values.length) / most);
    let best = from;
    for (let at = from; at < to; at++) if (!(Math.abs(values[at]) <= Math.abs(values[best]))) best = at;
    points.push([best, values[best]]);
  }
  return points;
}

// The place of the number that is farthest from zero, −1 where there is none.
export function peakOf(values) {
  let best = -1;
  values.forEach((value, k) => {
    if (Number.isFinite(value) && (best < 0 || Math.abs(value) > Math.abs(values[best]))) best = k;
  });
  return best;
}

// The size of the first force that the player draws, over its frames: what is told where a view has no quantity of its own.
export function firstForce(units, vectors) {
  const place = units.indexOf("N");
  const count = units.length;
  if (place < 0 || !Number.isInteger(vectors.length / (6 * count))) return null;
  const values = new Float32Array(vectors.length / (6 * count));
  for (let k = 0; k < values.length; k++) {
    const at = 6 * (k * count + place) + 3;
    values[k] = Math.hypot(vectors[at], vectors[at + 1], vectors[at + 2]);
  }
  return { place, values };
}

// The curve of numbers in a picture of the strip's size, a few points for each pixel; `up` is the height of a number.
function curveThrough(values, up) {
  const along = (k) => (k / (values.length - 1)) * STRIP_WIDE;
  const points = thinned(values);
  const line = pathThrough(points.length, (k) => [along(points[k][0]), up(points[k][1])]);
  return { line, along, first: along(points[0][0]), last: along(points[points.length - 1][0]) };
}

const chartIn = (box) =>
  svg("svg", { viewBox: `0 0 ${STRIP_WIDE} ${STRIP_HIGH}`, preserveAspectRatio: "none", "aria-hidden": "true" }, box);

// Draw the energy's error beneath the slider of a track; returns how to stop.
export function driftBelow(model, track) {
  const box = element("span", { class: "mbw-drift", hidden: "" }, track);
  const draw = () => {
    const values = bufferOf(model, "errors");
    const peak = peakOf(values);
    const most = peak < 0 ? 0 : Math.abs(values[peak]);
    box.hidden = !(most > 0) || values.length < 2;
    box.replaceChildren();
    if (box.hidden) return;
    const words = `Error of the energy, at most ${shortest(most, 2)} of what is exchanged`;
    box.title = words;
    element("span", { class: "mbw-drift-name", text: "drift" }, box);
    const { line } = curveThrough(values, (value) => STRIP_HIGH * (0.5 - value / most / 2));
    svg("path", { class: "mbw-strip-line", d: line }, chartIn(box));
  };
  draw();
  return listen(model, { "change:version": draw });
}

// Draw the strip that the player refers to, above its slider; returns how to stop.
export function stripAbove(model, before, track, scrub) {
  const symbol = element("span", { class: "mbw-strip-symbol mbw-sign", hidden: "" });
  before.before(symbol);
  const box = element("span", { class: "mbw-strip", hidden: "" });
  scrub.before(box);
  let stop = () => {};
  let ended = false;

  const draw = ({ values, name, unit, colour, sign }) => {
    const peak = peakOf(values);
    const shown = peak >= 0 && values.length > 1 && values[peak] !== 0;
    box.hidden = symbol.hidden = !shown;
    track.classList.toggle("mbw-has-strip", shown);
    box.replaceChildren();
    symbol.replaceChildren();
    if (!shown) return;
    symbol.style.setProperty("--mbw-own", colour);
    box.style.setProperty("--mbw-own", colour);
    symbol.title = name;
    writeSymbol(symbol, sign);
    const [low, high] = extent(values);
    const [least, most] = [Math.min(0, low), Math.max(0, high)];
    const up = (value) => STRIP_HIGH * (1 - (value - least) / (most - least));
    const { line, along, first, last } = curveThrough(values, up);
    const chart = chartIn(box);
    svg("path", { class: "mbw-strip-area", d: `${line}L${last} ${up(0)}L${first} ${up(0)}Z` }, chart);
    svg("path", { class: "mbw-strip-line", d: line }, chart);
    const words = `Largest ${name}: ${shortest(values[peak], 4)} ${unit}`;
    const go = button("▾", words, box, () => {
      const times = bufferOf(model, "times");
      const time = times.length === values.length ? times[peak] : (peak / (values.length - 1)) * endOf(times);
      tell(model, { playing: false, time });
    });
    go.className = "mbw-strip-peak";
    go.setAttribute("aria-label", words);
    go.style.left = `${(along(peak) / STRIP_WIDE) * 100}%`;
  };

  const drawOwn = (strip) => {
    const [name, unit, colour, sign] = ["name", "unit", "colour", "symbol"].map((trait) => traitOf(strip, trait));
    draw({ values: bufferOf(strip, "values"), name, unit, colour, sign });
  };
  const drawForce = () => {
    const [units, symbols, colours] = ["units", "symbols", "colours"].map((trait) => traitOf(model, trait));
    const found = firstForce(units, bufferOf(model, "vectors"));
    const nothing = { values: new Float32Array(0), name: "", colour: "", sign: "" };
    const told = found && { ...found, name: "force", colour: colours[found.place], sign: symbols[found.place] };
    draw({ unit: "N", ...(told ?? nothing) });
  };
  const hear = (source, action) => {
    stop = listen(source, { "change:version": action });
    action();
  };
  if (model.get("strip")) {
    referred(model, "strip").then((strip) => ended || hear(strip, () => drawOwn(strip)));
  } else hear(model, drawForce);
  return () => {
    ended = true;
    stop();
  };
}
