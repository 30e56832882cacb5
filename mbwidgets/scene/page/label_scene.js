// What labels belong to and what they are not to cover, of the scene as a camera sees it, in pixels.

import { BodyCover, middleOf } from "./body_cover.js";
import { NO_CAMERA, wordOf } from "./labels.js";
import { slopeOf, toPixels } from "./shared/vectors.js";
import { solids } from "./solids.js";

export const CENTRE = "centre"; // the name of marks of mass centres
const LETTER = "letter"; // the name of sprites that are letters of points
const BESIDE = [Math.SQRT1_2, Math.SQRT1_2]; // where a letter stands of its point first: to the right and below
const PIN_BOX = 14; // pixels of a pin's head
const DOT = 10; // pixels of a head that is small: a shorter arrow is a dot, its label a letter by itself
const END_ON = 1.5; // times that it would be if seen from the side, where it only points at the camera
const HEAD_BOX = 12; // pixels of a head, with a little room
const MARK_BOX = 14; // pixels of the mark of a mass centre

// Some arrows have no symbol of their own.
const isWord = (sprite) => Boolean(wordOf(sprite)?.text.trim());

// Whether an arrow can be told from a dot, or why not: it is short, or it points at the camera.
export function howSeen(begin, tip, length) {
  const seen = Math.hypot(tip[0] - begin[0], tip[1] - begin[1]);
  if (seen >= DOT) return "seen";
  return length > END_ON * DOT ? "end-on" : "short";
}

// `own` are pairs of a sprite and the ends of its arrow, or null.
export function labelScene(scene, camera, width, height, own) {
  const world = camera.projectionMatrix.clone().multiply(camera.matrixWorldInverse);
  const stage = world.clone().multiply(scene.matrixWorld);
  const vector = camera.position.clone();
  const pixel = (point, matrix = stage) => {
    const { x, y, z } = vector.set(...point).applyMatrix4(matrix);
    return { at: toPixels({ x, y }, width, height), ahead: z < 1 };
  };
  const metre = (point) => {
    const { z } = vector
      .set(...point)
      .applyMatrix4(scene.matrixWorld)
      .applyMatrix4(camera.matrixWorldInverse);
    return height / (2 * slopeOf(camera) * Math.max(-z, camera.near));
  };
  const out = { items: [], unseen: [], lines: [], spots: [] };
  const known = new Set();
  const ends = new Map(own);
  for (const [sprite, pair] of own) {
    known.add(sprite);
    if (!pair) continue;
    const [from, tip] = pair.map((point) => pixel(point));
    if (!from.ahead || !tip.ahead) continue;
    const [dx, dy] = [tip.at[0] - from.at[0], tip.at[1] - from.at[1]];
    const length = Math.hypot(dx, dy);
    const how = howSeen(from.at, tip.at, Math.hypot(...pair[1].map((v, k) => v - pair[0][k])) * metre(pair[1]));
    if (how !== "seen") {
      sprite.visible = false;
      if (isWord(sprite)) out.unseen.push({ sprite, how });
      continue;
    }
    const way = [dx / length, dy / length];
    const loose = from.at[0] < 0 || from.at[0] > width || from.at[1] < 0 || from.at[1] > height;
    if (isWord(sprite)) out.items.push({ sprite, tip: tip.at, way, loose });
    out.lines.push([from.at, tip.at]);
    const [x, y] = [0, 1].map((k) => tip.at[k] - (HEAD_BOX / 2) * way[k]);
    out.spots.push({ x, y, w: HEAD_BOX, h: HEAD_BOX });
  }
  const sprites = new Set();
  scene.traverse((item) => {
    if (!item.isSprite) return;
    item.layers.set(NO_CAMERA);
    sprites.add(item);
  });
  scene.traverseVisible((item) => {
    if (item.name === CENTRE) {
      const { at, ahead } = pixel(middleOf(item.geometry), world.clone().multiply(item.matrixWorld));
      if (ahead) out.spots.push({ x: at[0], y: at[1], w: MARK_BOX, h: MARK_BOX });
    }
    if (!item.isSprite || known.has(item)) return;
    const { at, ahead } = pixel(item.getWorldPosition(vector).toArray(), world);
    if (!ahead) return;
    const letter = item.name === LETTER;
    if (letter) out.spots.push({ x: at[0], y: at[1], w: PIN_BOX, h: PIN_BOX });
    out.items.push({ sprite: item, tip: at, way: letter ? BESIDE : null, loose: false, letter });
  });
  const cover = new BodyCover(width, height).add(solids(scene), world);
  // where a label stands is where its sprite is, as far away as the tip
  const back = scene.matrixWorld.clone().getInverse(scene.matrixWorld);
  const settle = ({ sprite, x, y }) => {
    if (!ends.get(sprite)) return;
    const { z } = vector.set(...ends.get(sprite)[1]).applyMatrix4(stage);
    sprite.position
      .set((2 * x) / width - 1, 1 - (2 * y) / height, z)
      .unproject(camera)
      .applyMatrix4(back);
  };
  return { ...out, sprites, settle, covered: (box) => cover.share(box) };
}
