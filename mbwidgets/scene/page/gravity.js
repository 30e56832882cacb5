// The direction of gravity, over a corner of the picture, as the camera sees it.

import { inked, writeLabel } from "./labels.js";
import { element, svg } from "./shared/elements.js";

const DOWN_LENGTH = 34; // pixels of the arrow across the line of sight
const DOWN_HEAD = 10;
const DOWN_SIZE = DOWN_LENGTH + 2 * DOWN_HEAD;
const DOWN_RING = 0.25; // part of its length below which a direction is seen end-on
const DOWN_CONTRAST = 4.5; // contrast of the symbol with what is behind it
const DOWN_SYMBOL = 16; // pixels of room for it

// The arrow in pixels of a square of DOWN_SIZE, or a ring where it is seen end-on: with a dot where it comes towards the eye,
// with a cross where it goes away. `direction` stands in the camera's axes right, up and back.
export function arrowOf([right, up, back]) {
  const middle = DOWN_SIZE / 2;
  const length = Math.hypot(right, up);
  if (length < DOWN_RING) return { ring: { middle, radius: 0.7 * DOWN_HEAD, coming: back > 0 } };
  const [x, y] = [right / length, -up / length];
  const half = (DOWN_LENGTH / 2) * length;
  const tip = [middle + half * x, middle + half * y];
  const neck = [tip[0] - DOWN_HEAD * x, tip[1] - DOWN_HEAD * y];
  const wing = DOWN_HEAD / 2.6;
  const head = [tip, [neck[0] - wing * y, neck[1] + wing * x], [neck[0] + wing * y, neck[1] - wing * x]];
  return { begin: [middle - half * x, middle - half * y], neck, head };
}

export class Gravity {
  constructor() {
    this.layer = element("div", { class: "mbw-gravity", role: "img", "aria-label": "direction of gravity" });
    this.mark = svg("svg", { width: DOWN_SIZE, height: DOWN_SIZE, "aria-hidden": "true" }, this.layer);
    this.symbol = element("span", { class: "mbw-gravity-symbol" }, this.layer);
    writeLabel(this.symbol, "g");
  }

  // Lay it over the upper left corner; `given` has its direction in the picture's axes and its colour, and is null
  // without gravity. Returns what it covers.
  draw(canvas, camera, given, paper) {
    this.layer.hidden = !given;
    if (!given || !canvas.parentElement) return [];
    const { direction, colour } = given;
    if (this.layer.parentElement !== canvas.parentElement) canvas.parentElement.append(this.layer);
    this.layer.style.left = `${canvas.offsetLeft}px`;
    this.layer.style.top = `${canvas.offsetTop}px`;
    const e = camera.matrixWorld.elements;
    const seen = [0, 4, 8].map((o) => direction[0] * e[o] + direction[1] * e[o + 1] + direction[2] * e[o + 2]);
    const look = JSON.stringify([seen.map((part) => part.toFixed(3)), paper.getHexString()]);
    if (look !== this.look) this.write(arrowOf(seen), inked(colour, paper, DOWN_CONTRAST));
    this.look = look;
    return [{ x: (DOWN_SIZE + DOWN_SYMBOL) / 2, y: DOWN_SIZE / 2, w: DOWN_SIZE + DOWN_SYMBOL, h: DOWN_SIZE }];
  }

  write({ ring, begin, neck, head }, ink) {
    this.mark.replaceChildren();
    this.layer.style.color = ink;
    if (ring) {
      const { middle, radius, coming } = ring;
      svg("circle", { cx: middle, cy: middle, r: radius, fill: "none", stroke: ink, "stroke-width": 2 }, this.mark);
      if (coming) svg("circle", { cx: middle, cy: middle, r: 2, fill: ink }, this.mark);
      else for (const s of [-1, 1]) this.#line([middle - 5, middle - 5 * s], [middle + 5, middle + 5 * s], ink);
      return;
    }
    this.#line(begin, neck, ink);
    svg("polygon", { points: head.map((point) => point.join(",")).join(" "), fill: ink }, this.mark);
  }

  #line([x1, y1], [x2, y2], ink) {
    svg("line", { x1, y1, x2, y2, stroke: ink, "stroke-width": 2 }, this.mark);
  }

  close() {
    this.layer.remove();
  }
}
