// Scale bars over the stage: how long an arrow of a round value is, at the depth of what is looked at.

import { inked } from "./labels.js";
import { element } from "./shared/elements.js";
import { shortest } from "./shared/numbers.js";
import { rungBelow } from "./shared/ticks.js";
import { slopeOf } from "./shared/vectors.js";

const WIDEST = 110; // pixels
const LEGIBLE = 4.5; // contrast of text with what is behind it
const INSET = 10; // pixels from the edges of the picture

// A bar for each scale: arrows of one unit and one length have one, in the colours of all of them.
export function barsOf(units, colours, lengths, pixels) {
  const found = new Map();
  units.forEach((unit, k) => {
    const scale = lengths[k];
    if (!unit || !(scale > 0)) return; // directions have no unit
    const key = `${unit} ${scale}`;
    if (!found.has(key)) {
      const value = rungBelow(WIDEST / (scale * pixels));
      found.set(key, { unit, scale, value, pixels: value * scale * pixels, colours: [] });
    }
    const bar = found.get(key);
    if (!bar.colours.includes(colours[k])) bar.colours.push(colours[k]);
  });
  return [...found.values()];
}

export class ScaleBars {
  constructor() {
    this.layer = element("div", { class: "mbw-scales", role: "img" });
    this.scales = new Map();
  }

  // The picture is drawn: lay the bars over its lower left corner. `target` is what the camera looks at.
  draw(model, canvas, camera, target, paper) {
    if (!canvas.parentElement || !target) return;
    if (this.canvas !== canvas && !(this.canvas?.isConnected && this.layer.isConnected)) {
      this.canvas = canvas;
      canvas.parentElement.style.position = "relative";
      canvas.parentElement.append(this.layer);
    }
    if (this.canvas !== canvas || !canvas.clientHeight) return;
    const pixels = canvas.clientHeight / (2 * slopeOf(camera) * camera.position.distanceTo(target));
    const [units, colours, lengths] = ["units", "colours", "lengths"].map((name) => model.get(name));
    const bars = barsOf(units, colours, lengths, pixels);
    this.layer.style.left = `${canvas.offsetLeft + INSET}px`;
    this.layer.style.top = `${canvas.offsetTop + canvas.clientHeight - INSET}px`;
    const look = JSON.stringify([bars, paper.getHexString()]);
    if (look === this.look) return;
    this.look = look;
    this.layer.replaceChildren(...bars.map((bar) => this.row(bar, paper)));
    const words = bars.map((bar) => `${shortest(bar.value)} ${bar.unit}`).join(", ");
    this.layer.setAttribute("aria-label", words ? `Scale of the arrows: bars of ${words}` : "");
    this.scales = new Map(bars.map((bar) => [bar.unit, bar.scale]));
  }

  row(bar, paper) {
    const before = this.scales.get(bar.unit);
    const lit = before !== undefined && before !== bar.scale;
    const row = element("div", { class: lit ? "mbw-scale mbw-scale-lit" : "mbw-scale", "data-unit": bar.unit });
    row.style.color = inked(bar.colours[0], paper, LEGIBLE);
    row.style.setProperty("--mbw-paper", paper.getStyle());
    element("span", { class: "mbw-scale-line" }, row).style.width = `${bar.pixels.toFixed(2)}px`;
    element("span", { text: `${shortest(bar.value)}\u00a0${bar.unit}` }, row);
    for (const colour of bar.colours.slice(1)) {
      element("span", { class: "mbw-scale-dot" }, row).style.background = inked(colour, paper, LEGIBLE);
    }
    return row;
  }

  close() {
    this.layer.remove();
    this.canvas = null;
  }
}
