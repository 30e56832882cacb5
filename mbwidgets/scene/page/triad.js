// The directions of the world's axes, over a corner of the picture beside gravity, as the camera sees them.

import { inked } from "./labels.js";
import { element, svg } from "./shared/elements.js";

const AXIS_LENGTH = 26; // pixels of an axis across the line of sight
const AXIS_HEAD = 7;
const AXIS_LETTER = 9; // pixels from a tip to the middle of its letter
const TRIAD_SIZE = 2 * (AXIS_LENGTH + AXIS_LETTER) + 8;
const BESIDE_GRAVITY = 62; // pixels from the left edge, with gravity or without
const TRIAD_TOP = 4; // pixels from the upper edge
const AXIS_RING = 0.25; // part of its length below which an axis is seen end-on
const TRIAD_CONTRAST = 4.5; // contrast of the letters with what is behind them

// The axes in pixels of a square of TRIAD_SIZE, the farthest first; one that is seen end-on is a ring, with a dot where it
// comes towards the eye. `directions` stand in the camera's axes right, up and back.
export function triadOf(directions) {
  const middle = TRIAD_SIZE / 2;
  const made = directions.map(([right, up, back], axis) => {
    const length = Math.hypot(right, up);
    if (length < AXIS_RING)
      return { axis, back, ring: { middle, coming: back > 0 }, letter: besideOf(directions, axis) };
    const [x, y] = [right / length, -up / length];
    const at = (far) => [middle + far * x, middle + far * y];
    const tip = AXIS_LENGTH * length;
    const neck = at(Math.max(tip - AXIS_HEAD, 0));
    const wing = AXIS_HEAD / 2.6;
    const head = [at(tip), [neck[0] - wing * y, neck[1] + wing * x], [neck[0] + wing * y, neck[1] - wing * x]];
    return { axis, back, neck, head, letter: at(tip + AXIS_LETTER) };
  });
  return made.sort((a, b) => a.back - b.back);
}

// Where the letter of an axis seen end-on stands: away from the others.
function besideOf(directions, axis) {
  const others = directions.filter((_, k) => k !== axis);
  const [x, y] = [0, 1].map((k) => -others.reduce((whole, way) => whole + way[k], 0));
  const far = (AXIS_LETTER + 3) / (Math.hypot(x, y) || 1);
  return [TRIAD_SIZE / 2 + far * x, TRIAD_SIZE / 2 - far * y];
}

export class Triad {
  constructor() {
    this.layer = element("div", { class: "mbw-triad", role: "img" });
    this.mark = svg("svg", { width: TRIAD_SIZE, height: TRIAD_SIZE, "aria-hidden": "true" }, this.layer);
  }

  // Lay it over the upper left corner, beside gravity; `axes` have a name, a direction in the picture's axes and a colour.
  // Returns what it covers.
  draw(canvas, camera, axes, paper) {
    this.layer.hidden = !axes?.length;
    if (this.layer.hidden || !canvas.parentElement) return [];
    if (this.layer.parentElement !== canvas.parentElement) canvas.parentElement.append(this.layer);
    this.layer.style.left = `${canvas.offsetLeft + BESIDE_GRAVITY}px`;
    this.layer.style.top = `${canvas.offsetTop + TRIAD_TOP}px`;
    const e = camera.matrixWorld.elements;
    const seen = axes.map(({ direction: [x, y, z] }) => [0, 4, 8].map((o) => x * e[o] + y * e[o + 1] + z * e[o + 2]));
    const look = JSON.stringify([seen.map((way) => way.map((part) => part.toFixed(3))), paper.getHexString()]);
    if (look !== this.look) this.write(triadOf(seen), axes, paper);
    this.look = look;
    return [{ x: BESIDE_GRAVITY + TRIAD_SIZE / 2, y: TRIAD_TOP + TRIAD_SIZE / 2, w: TRIAD_SIZE, h: TRIAD_SIZE }];
  }

  write(made, axes, paper) {
    this.mark.replaceChildren();
    this.layer.setAttribute("aria-label", `directions of the axes ${axes.map(({ name }) => name).join(", ")}`);
    for (const { axis, ring, neck, head, letter } of made) {
      const { name, colour } = axes[axis];
      const ink = inked(colour, paper, TRIAD_CONTRAST);
      if (ring) this.#ring(ring, ink);
      else {
        const [x1, y1] = [TRIAD_SIZE / 2, TRIAD_SIZE / 2];
        svg("line", { x1, y1, x2: neck[0], y2: neck[1], stroke: ink, "stroke-width": 2 }, this.mark);
        svg("polygon", { points: head.map((point) => point.join(",")).join(" "), fill: ink }, this.mark);
      }
      const text = svg("text", { x: letter[0], y: letter[1], fill: ink }, this.mark);
      text.textContent = name;
    }
  }

  #ring({ middle, coming }, ink) {
    const place = { cx: middle, cy: middle };
    svg("circle", { ...place, r: 4.5, fill: "none", stroke: ink, "stroke-width": 1.5 }, this.mark);
    if (coming) svg("circle", { ...place, r: 1.5, fill: ink }, this.mark);
  }

  close() {
    this.layer.remove();
  }
}
