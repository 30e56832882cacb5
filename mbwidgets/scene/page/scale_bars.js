// Scale bars over the stage: how long an arrow of a round value is, at the depth of what is looked at.

import { inked, writeLabel } from "./labels.js";
import { element } from "./shared/elements.js";
import { MINUS, shortest } from "./shared/numbers.js";
import { traitOf } from "./shared/overlay.js";
import { rungBelow } from "./shared/ticks.js";
import { slopeOf } from "./shared/vectors.js";

const WIDEST = 110; // pixels
const LEGIBLE = 4.5; // contrast of text with what is behind it
const INSET = 10; // pixels from the edges of the picture
const NARROW = 480; // pixels: in a narrower picture the bars stand below it, where they cover nothing
const CROWDED = 0.005; // share of the bars' box over bodies from which on it is in the way
const CORNERS = [0, 2, 1]; // the best first
const [LOWER_RIGHT, UPPER_LEFT] = [1, 2];
const BENEATH_AXES = 78; // pixels from the top of the picture
const MUTED = "#5b6672";
const FORCES = ["N", "N m"]; // units of what acts on a body
const MOST_NAMED = 4; // bodies that are named; of more the feet of arrows tell by their colours alone
const ACCELERATION = "acceleration";
const TERMS = 5; // forces whose sum is written out; of more it is Σ F
const WHY_UNSEEN = { short: "too short to see:", "end-on": "seen end-on:" };

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

// The colour of a bar: that of its arrows, or none of theirs where they have several.
export const barInk = ({ colours }) => (colours.length === 1 ? colours[0] : MUTED);

// A line in the colours of its arrows, one after the other.
export const striped = (colours) => {
  const share = 100 / colours.length;
  const stops = colours.map((colour, k) => `${colour} ${k * share}% ${(k + 1) * share}%`);
  return `linear-gradient(to right, ${stops.join(", ")})`;
};

// What bodies arrows act on, or belong to where none is a force; null where there is nothing to say.
export function ownersOf(units, owners) {
  const drawn = units.flatMap((unit, k) => (unit && owners[k]?.[0] ? [[unit, owners[k]]] : []));
  const bodies = [...new Map(drawn.map(([, [name, colour]]) => [name, { name, colour }])).values()];
  if (!bodies.length || bodies.length > MOST_NAMED) return null;
  return { words: drawn.some(([unit]) => FORCES.includes(unit)) ? "arrows act on" : "arrows of", bodies };
}

// F_R + G = m a_C, as symbols with their colours, where all forces on a body are drawn and the acceleration of its mass
// centre, and no other's; else null. `forces` are pairs of a body's name and the quantities of all forces on it.
export function forceSum(arrows, forces) {
  const owners = new Set(
    arrows.filter(({ key, unit }) => unit === "N" || key === ACCELERATION).map(({ owner }) => owner),
  );
  const [body] = owners;
  const wanted = owners.size === 1 && (forces.find(([name]) => name === body)?.[1] ?? []);
  if (!wanted?.length) return null;
  const drawn = arrows.filter((arrow) => arrow.owner === body);
  const moved = drawn.find(({ key }) => key === ACCELERATION);
  const terms = drawn.filter(({ key }) => wanted.includes(key));
  if (!moved || !wanted.every((key) => terms.some((term) => term.key === key))) return null;
  const parts = terms.flatMap(({ text, colour }, k) => {
    const [minus, bare] = text.startsWith(MINUS) ? [true, text.slice(MINUS.length)] : [false, text];
    return [{ text: k ? (minus ? ` ${MINUS} ` : " + ") : minus ? MINUS : "" }, { text: bare, colour }];
  });
  const total = terms.length > TERMS ? [{ text: "Σ " }, { text: "F", colour: terms[0].colour }] : parts;
  const end = { text: moved.text, colour: moved.colour };
  return [...total, { text: " = " }, { text: "m " }, end].filter(({ text }) => text);
}

// The box w × h in a corner of a picture: the lower left one, the lower right one, or the upper left one, beneath the axes.
export const cornerBox = (corner, w, h, { clientWidth, clientHeight }) => ({
  x: corner === LOWER_RIGHT ? clientWidth - INSET - w / 2 : INSET + w / 2,
  y: corner === UPPER_LEFT ? BENEATH_AXES + h / 2 : clientHeight - INSET - h / 2,
  w,
  h,
});

// Which corner to take: the one there is, unless bodies are in it and none in another.
export const otherCorner = (corner, covered) => {
  if (covered(corner) <= CROWDED) return corner;
  return CORNERS.find((other) => other !== corner && covered(other) === 0) ?? corner;
};

export class ScaleBars {
  constructor() {
    this.layer = element("div", { class: "mbw-scales", role: "img" });
    this.scales = new Map();
    this.box = {};
    this.corner = 0;
  }

  // The picture is drawn: lay the bars over its lower left corner, or below it where it is narrow. `target` is what the
  // camera looks at, `unseen` are the arrows that cannot be told from a dot, `past` the tails that are drawn; where bodies stand in the corner, by what
  // `covered` tells of a box, and not in the other one, the bars go there. Returns the box that they cover, if any.
  draw(model, canvas, camera, target, paper, unseen = [], covered = () => 0, past = [], sum = null) {
    if (!canvas.parentElement || !target) return [];
    if (this.canvas !== canvas && !(this.canvas?.isConnected && this.layer.isConnected)) {
      this.canvas = canvas;
      canvas.parentElement.style.position = "relative";
      canvas.parentElement.append(this.layer);
    }
    if (this.canvas !== canvas || !canvas.clientHeight) return [];
    const pixels = canvas.clientHeight / (2 * slopeOf(camera) * camera.position.distanceTo(target));
    const [units, colours, lengths, acts] = ["units", "colours", "lengths", "acts_on"].map((name) =>
      traitOf(model, name),
    );
    const bars = barsOf(units, colours, lengths, pixels);
    const owners = ownersOf(units, acts);
    const narrow = canvas.clientWidth < NARROW;
    this.layer.classList.toggle("mbw-scales-below", narrow);
    // first: where they stand depends on how large they are
    const look = JSON.stringify([bars, owners, unseen, past, sum, narrow, paper.getHexString()]);
    if (look !== this.look) this.write(bars, owners, unseen, past, paper, narrow, sum);
    this.look = look;
    const { width: w = 0, height: h = 0 } = this.box;
    const boxAt = (corner) => cornerBox(corner, w, h, canvas);
    this.corner = otherCorner(this.corner, (corner) => covered(boxAt(corner)));
    const box = boxAt(this.corner);
    this.layer.style.left = narrow ? "" : `${canvas.offsetLeft + box.x - w / 2}px`;
    this.layer.style.top = narrow ? "" : `${canvas.offsetTop + box.y + h / 2}px`;
    return narrow || !w ? [] : [box];
  }

  write(bars, owners, unseen, past, paper, narrow, sum = null) {
    this.layer.style.setProperty("--mbw-paper", paper.getStyle());
    const told = Object.entries(WHY_UNSEEN).flatMap(([how, why]) => {
      const some = unseen.filter((item) => item.how === how);
      return some.length ? [this.unseenRow(why, some, paper)] : [];
    });
    const scales = element("div", { class: "mbw-bars" });
    scales.append(...bars.map((bar) => this.row(bar, paper)));
    this.layer.replaceChildren(
      ...(bars.length ? [scales] : []),
      ...(owners ? [this.ownersRow(owners, paper, sum ?? [])] : []),
      ...(past.length ? [this.pastRow(past, paper)] : []),
      ...told,
    );
    const words = bars.map((bar) => `${shortest(bar.value)} ${bar.unit}`).join(", ");
    const whose = owners ? `; ${owners.words} ${owners.bodies.map(({ name }) => name).join(", ")}` : "";
    this.layer.setAttribute("aria-label", words ? `Scale of the arrows: bars of ${words}${whose}` : "");
    this.scales = new Map(bars.map((bar) => [bar.unit, bar.scale]));
    this.box = this.layer.getBoundingClientRect();
    // below the picture it keeps its room: what is beneath it stays where it is while a motion plays
    this.layer.style.minHeight = narrow ? `${this.box.height}px` : "";
  }

  unseenRow(why, arrows, paper) {
    const row = element("div", { class: "mbw-unseen" });
    element("span", { text: why }, row).style.color = inked(MUTED, paper, LEGIBLE);
    for (const { text, colour, amount } of arrows) {
      this.symbol(row, text, colour, paper);
      if (amount) element("span", { text: amount }, row).style.color = inked(colour, paper, LEGIBLE);
    }
    return row;
  }

  // Whose arrows they are: each body beside the dot at which its arrows begin, and what the forces on it add up to.
  ownersRow({ words, bodies }, paper, sum = []) {
    const row = element("div", { class: "mbw-owners" });
    row.style.color = inked(MUTED, paper, LEGIBLE);
    element("span", { text: words }, row);
    for (const { name, colour } of bodies) {
      element("span", { class: "mbw-owner-dot" }, row).style.background = colour;
      element("span", { text: sum.length ? `${name}:` : name }, row);
    }
    const total = sum.length ? element("span", { class: "mbw-sum" }, row) : null;
    for (const { text, colour } of sum) {
      if (colour) this.symbol(total, text, colour, paper);
      else element("span", { text }, total);
    }
    return row;
  }

  symbol(row, text, colour, paper) {
    const symbol = element("span", { class: "mbw-unseen-symbol" }, row);
    writeLabel(symbol, text);
    symbol.style.color = inked(colour, paper, LEGIBLE);
  }

  // What tails are, each beside a piece of it.
  pastRow(past, paper) {
    const row = element("div", { class: "mbw-unseen mbw-past" });
    for (const { words, text, colour } of past) {
      element("span", { class: "mbw-past-line" }, row).style.color = colour;
      element("span", { text: words }, row).style.color = inked(MUTED, paper, LEGIBLE);
      if (text) this.symbol(row, text, colour, paper);
    }
    return row;
  }

  row(bar, paper) {
    const before = this.scales.get(bar.unit);
    const lit = before !== undefined && before !== bar.scale;
    const row = element("div", { class: lit ? "mbw-scale mbw-scale-lit" : "mbw-scale", "data-unit": bar.unit });
    row.style.color = inked(barInk(bar), paper, LEGIBLE);
    const line = element("span", { class: "mbw-scale-line" }, row);
    line.style.width = `${bar.pixels.toFixed(2)}px`;
    line.style.setProperty("--mbw-inks", striped(bar.colours));
    element("span", { text: `${shortest(bar.value)}\u00a0${bar.unit}` }, row);
    return row;
  }

  close() {
    this.layer.remove();
    this.canvas = null;
  }
}
