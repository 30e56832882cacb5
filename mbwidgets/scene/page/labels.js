// Labels of the picture: written as the tables write symbols, with a halo, as large on the screen wherever they stand, and
// kept apart from each other, from the arrows and from the edge.

import { clamp } from "./shared/numbers.js";
import { symbolPieces } from "./shared/symbols.js";
import { slopeOf } from "./shared/vectors.js";

const LETTER = 19; // height of a label, pixels
const FINE = 3; // pixels of the texture for one of the screen
const CONTRAST = 4; // of the letters with what is behind the mechanism
const FACES = '"STIX Two Text", "Times New Roman", "DejaVu Serif", serif';
const INDEX = /[\u2080-\u209c\u1d62-\u1d6a\u2c7c]/; // ₀ … ₜ, ᵢ … ᵪ, ⱼ
const POWER = /[\u00b2\u00b3\u00b9\u2070-\u207f\u1d2c-\u1d61\u1d9c-\u1dbf]/; // ⁰ … ⁿ, ᴬ … ᵡ, ᶜ …
const EDGE = 0.02; // half heights of the picture
// Places about the first choice, in units of half a label's height, the nearest first.
const TURNS = [0, 2, 1, 3, 0.5, 1.5, 2.5, 3.5].map((quarters) => (quarters * Math.PI) / 2);
const FAR = [0, 0.7, 1.4, 2.1, 2.8, 3.5];
const AROUND = FAR.flatMap((far) => TURNS.map((turn) => [far * Math.sin(turn), far * Math.cos(turn)]));
const PIECES = 8;
const TINY = 1e-9; // of a half height: a label on the edge is inside
const SLIM = 0.012; // half the thickness of an arrow, in units of half the picture's height

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

function written(text, ink, halo) {
  const canvas = document.createElement("canvas");
  const pen = canvas.getContext("2d");
  const em = 0.8 * LETTER * FINE;
  const rim = 0.1 * LETTER * FINE;
  const face = (level) => `${level ? "" : "italic "}600 ${level ? 0.68 * em : em}px ${FACES}`;
  let width = 2 * rim;
  const row = lettersOf(text).map(([letter, level]) => {
    pen.font = face(level);
    const at = width;
    width += pen.measureText(letter).width;
    return [letter, level, at];
  });
  [canvas.width, canvas.height] = [Math.ceil(width + 2 * rim), LETTER * FINE];
  Object.assign(pen, { fillStyle: ink, strokeStyle: halo });
  Object.assign(pen, { lineWidth: 2 * rim, lineJoin: "round", textBaseline: "alphabetic" });
  for (const draw of ["strokeText", "fillText"]) {
    for (const [letter, level, at] of row) {
      pen.font = face(level);
      pen[draw](letter, at, canvas.height * 0.7 - level * (level > 0 ? 0.36 : 0.2) * em);
    }
  }
  return canvas;
}

// Write a sprite's text, if it is not yet written for this paper, and give it its size: `unit` is that of a pixel.
export function dress(sprite, paper, unit) {
  const { map } = sprite.material;
  const source = map?.ipymodel;
  const text = source?.get("string");
  if (text === undefined) return;
  const look = `${text} ${paper.getHexString()}`;
  if (map.look !== look || map.image !== map.own) {
    map.own = map.image = written(text, inked(source.get("color"), paper), paper.getStyle());
    map.look = look;
    map.needsUpdate = true;
  }
  sprite.scale.set((unit * map.own.width) / FINE, (unit * map.own.height) / FINE, 1);
}

// A point on the screen, in units of half the picture's height, and how far away it is; `view` leads to the camera's axes.
function onScreen(point, view, slope) {
  const seen = view.vector.set(...point).applyMatrix4(view.matrix);
  return { x: seen.x / -seen.z / slope, y: seen.y / -seen.z / slope, depth: -seen.z };
}

// Put each label at the tip of its arrow, or near it, where it covers nothing, and into the picture.
// `ends` are the arrows' on the stage, `others` the sprites that have a place of their own, and leave it for an arrow.
export function placeLabels(labels, ends, others, scene, camera) {
  camera.updateMatrixWorld();
  scene.updateMatrixWorld();
  const matrix = camera.matrixWorld.clone().getInverse(camera.matrixWorld).multiply(scene.matrixWorld);
  const view = { matrix, vector: camera.position.clone() };
  const back = matrix.clone().getInverse(matrix);
  const slope = slopeOf(camera);
  const seen = (point) => onScreen(point, view, slope);
  const along = ([begin, end], k) => begin.map((value, i) => value + (k / PIECES) * (end[i] - value));
  const lines = ends.map((pair) => pair && Array.from({ length: PIECES + 1 }, (_, k) => seen(along(pair, k))));
  const taken = lines.flatMap((line) => line ?? []).map((spot) => ({ ...spot, w: SLIM, h: SLIM }));

  const put = (sprite, from, at, shift) => {
    if (!(at.depth > 0)) return;
    const [w, h] = [sprite.scale.x / 2 / slope, sprite.scale.y / 2 / slope];
    let [x, y] = [at.x + shift[0] * (0.9 * w + EDGE), at.y + shift[1] * (0.7 * h + EDGE)];
    const [right, top] = [camera.aspect - w - EDGE, 1 - h - EDGE];
    const inside = Math.abs(from.x) < camera.aspect && Math.abs(from.y) < 1;
    if (inside) [x, y] = [clamp(x, -right, right), clamp(y, -top, top)];
    const free = ([a, b]) =>
      taken.every((box) => Math.abs(box.x - a) > 0.8 * (box.w + w) || Math.abs(box.y - b) > 0.8 * (box.h + h)) &&
      !(inside && (Math.abs(a) > right + TINY || Math.abs(b) > top + TINY));
    const place = AROUND.map(([a, b]) => [x + a * h, y + b * h]).find(free) ?? [x, y];
    taken.push({ x: place[0], y: place[1], w, h });
    const unit = at.depth * slope;
    sprite.position.set(place[0] * unit, place[1] * unit, -at.depth).applyMatrix4(back);
  };

  for (const sprite of others) {
    const at = seen(sprite.ipymodel.get("position"));
    put(sprite, at, at, [0, 0]);
  }
  labels.forEach((label, k) => {
    if (!lines[k]) return;
    const [from, tip] = [lines[k][0], lines[k][PIECES]];
    const [dx, dy] = [tip.x - from.x, tip.y - from.y];
    const length = Math.hypot(dx, dy);
    put(label, from, tip, length > 1e-3 ? [dx / length, dy / length] : [0, 1]);
  });
}
