// Labels of the picture: text of the page over the canvas, and so as sharp as the screen is. Written as the tables write
// symbols, as large wherever they stand, kept apart from each other, from heads of arrows, mass centres and the edge.

import { placeLabels } from "./label_places.js";
import { element } from "./shared/elements.js";
import { symbolPieces } from "./shared/symbols.js";

const CONTRAST = 4.5; // of the letters with what is behind the mechanism
const HIGH = 20; // pixels of a label, of which its letters take 17
const IN_HALL = 1.6; // times as large are letters in a lecture
const LETTER_WIDTH = 10; // pixels of a letter, where the page cannot tell yet
const PLATE = 0.12; // share of a label over bodies from which on it has a plate behind it
const INDEX = /[\u2080-\u209c\u1d62-\u1d6a\u2c7c]/; // ₀ … ₜ, ᵢ … ᵪ, ⱼ
const POWER = /[\u00b2\u00b3\u00b9\u02b0-\u02b8\u02e1-\u02e3\u2070-\u207f\u1d2c-\u1d61\u1d9c-\u1dbf]/; // ⁰ … ⁿ, ʰ … ˣ, ᴬ … ᵡ, ᶜ …
export const NO_CAMERA = 31; // the layer of sprites: no camera sees it

// The letters of a symbol, each with its level; those that are small in Unicode are written as the others are.
export function lettersOf(text) {
  const levelOf = (letter) => (INDEX.test(letter) ? -1 : POWER.test(letter) ? 1 : 0);
  return symbolPieces(text).flatMap(([piece, level]) =>
    [...piece].map((letter) => {
      const own = level || levelOf(letter);
      return [letter.normalize(own ? "NFKC" : "NFC"), own];
    }),
  );
}

// The relative luminance of WCAG, of parts from 0 to 1.
export function luminance({ r, g, b }) {
  const linear = (v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}

export function contrastOf(one, other) {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

// The colour, nearer to black or to white where it would be faint on the paper.
export function inked(colour, paper, contrast = CONTRAST) {
  const ink = paper.clone().set(colour);
  const away = paper.clone().set(luminance(paper) > 0.3 ? "#000000" : "#ffffff");
  for (let k = 0; k < 8 && contrastOf(paper, ink) < contrast; k++) ink.lerp(away, 0.15);
  return ink.getStyle();
}

// Rows of letters of one level, which are elements of their own above and below the line.
export function rowsOf(text) {
  const rows = [];
  for (const [letter, level] of lettersOf(text)) {
    const last = rows[rows.length - 1];
    if (last?.[1] === level) last[0] += letter;
    else rows.push([letter, level]);
  }
  return rows;
}

export function writeLabel(node, text) {
  node.replaceChildren();
  for (const [row, level] of rowsOf(text)) element(["sub", "i", "sup"][level + 1], { text: row }, node);
}

// A number of pixels of the page, moved to where a pixel of the screen begins; `from` is where counting begins.
export const snapped = (value, from, ratio) => Math.round((from + value) * ratio) / ratio - from;

// What a sprite stands for: the text and the colour that the kernel gave it.
export function wordOf({ material }) {
  const source = material.map?.ipymodel;
  return source && { text: source.get("string"), colour: source.get("color") };
}

// The labels over one canvas; a picture that is shown twice has two.
class LabelLayer {
  constructor(parent) {
    this.parent = parent;
    this.layer = element("div", { class: "mbw-labels", "aria-hidden": "true" }, parent);
    this.shown = new Map();
    parent.style.position = "relative";
  }

  // The element of a sprite, written if it is not yet written so.
  dress(sprite, paper) {
    const word = wordOf(sprite);
    if (!word) return null;
    if (!this.shown.has(sprite)) this.shown.set(sprite, { node: element("span", { class: "mbw-label" }, this.layer) });
    const known = this.shown.get(sprite);
    const look = `${word.text} ${word.colour} ${paper.getHexString()}`;
    if (known.look !== look) {
      known.look = look;
      known.w = 0;
      writeLabel(known.node, word.text);
      known.node.style.color = inked(word.colour, paper);
    }
    known.w ||= known.node.getBoundingClientRect().width;
    return known;
  }

  // Put labels to their places. `items` have a sprite, a tip and a way; `about` is what they are not to cover.
  draw(items, about, canvas, paper) {
    this.layer.style.setProperty("--mbw-paper", paper.getStyle());
    const size = this.parent.closest(".mbw-lecturing") ? IN_HALL : 1;
    if (size !== this.size) for (const known of this.shown.values()) known.w = 0;
    this.size = size;
    const written = items.flatMap((item) => {
      const known = this.dress(item.sprite, paper);
      return known ? [{ ...item, known, kept: known.kept, w: known.w || LETTER_WIDTH, h: size * HIGH }] : [];
    });
    const [own, whole] = [canvas, this.parent].map((node) => node.getBoundingClientRect());
    const ratio = globalThis.devicePixelRatio || 1;
    for (const { known, letter } of written) known.node.classList.toggle("mbw-letter", Boolean(letter));
    const places = placeLabels(written, about);
    const seen = new Set();
    written.forEach(({ known, w, h, sprite }, k) => {
      const place = places[k];
      const x = snapped(own.left - whole.left + place.x - w / 2, whole.left, ratio);
      const y = snapped(own.top - whole.top + place.y - h / 2, whole.top, ratio);
      const { style, classList } = known.node;
      style.transform = `translate(${x}px, ${y}px)`;
      style.opacity = sprite.material.opacity;
      style.display = "";
      classList.toggle("mbw-label-plate", about.covered(place) > PLATE);
      known.kept = place.number;
      seen.add(sprite);
    });
    for (const [sprite, { node }] of this.shown) if (!seen.has(sprite)) node.style.display = "none";
    return written.map((item, k) => ({ ...places[k], sprite: item.sprite }));
  }

  // Forget labels of sprites that are no longer on the stage.
  keep(sprites) {
    for (const [sprite, { node }] of this.shown) {
      if (sprites.has(sprite)) continue;
      node.remove();
      this.shown.delete(sprite);
    }
  }
}

export class Labels {
  constructor() {
    this.layers = new Map();
  }

  // The layer over a canvas; those over canvases that have left the page are forgotten.
  over(canvas) {
    const parent = canvas.parentElement;
    if (!parent) return null;
    if (!this.layers.has(parent)) {
      for (const [old, { layer }] of this.layers) {
        if (old.isConnected) continue;
        layer.remove();
        this.layers.delete(old);
      }
      this.layers.set(parent, new LabelLayer(parent));
    }
    return this.layers.get(parent);
  }

  close() {
    for (const { layer } of this.layers.values()) layer.remove();
    this.layers.clear();
  }
}
