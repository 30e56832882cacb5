// The curve above the player's slider: a view's own quantity over the whole motion, with its peak to go to.

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

// Draw the strip that the player refers to, above its slider; returns how to stop.
export function stripAbove(model, before, track, scrub) {
  const symbol = element("span", { class: "mbw-strip-symbol mbw-sign", hidden: "" });
  before.before(symbol);
  const box = element("span", { class: "mbw-strip", hidden: "" });
  scrub.before(box);
  let stop = () => {};
  let ended = false;

  const draw = (strip) => {
    const values = bufferOf(strip, "values");
    const peak = peakOf(values);
    const shown = peak >= 0 && values.length > 1 && values[peak] !== 0;
    box.hidden = symbol.hidden = !shown;
    track.classList.toggle("mbw-has-strip", shown);
    box.replaceChildren();
    symbol.replaceChildren();
    if (!shown) return;
    const [name, unit, colour] = ["name", "unit", "colour"].map((trait) => traitOf(strip, trait));
    symbol.style.setProperty("--mbw-own", colour);
    box.style.setProperty("--mbw-own", colour);
    symbol.title = name;
    writeSymbol(symbol, traitOf(strip, "symbol"));
    const [low, high] = extent(values);
    const [least, most] = [Math.min(0, low), Math.max(0, high)];
    const along = (k) => (k / (values.length - 1)) * STRIP_WIDE;
    const up = (value) => STRIP_HIGH * (1 - (value - least) / (most - least));
    const points = thinned(values);
    const line = pathThrough(points.length, (k) => [along(points[k][0]), up(points[k][1])]);
    const chart = svg(
      "svg",
      { viewBox: `0 0 ${STRIP_WIDE} ${STRIP_HIGH}`, preserveAspectRatio: "none", "aria-hidden": "true" },
      box,
    );
    const [first, last] = [points[0][0], points[points.length - 1][0]].map(along);
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

  if (model.get("strip")) {
    referred(model, "strip").then((strip) => {
      if (ended) return;
      stop = listen(strip, { "change:version": () => draw(strip) });
      draw(strip);
    });
  }
  return () => {
    ended = true;
    stop();
  };
}
