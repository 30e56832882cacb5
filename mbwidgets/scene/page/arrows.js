// Arrows of the player: placed, and thickened when pointed at.

import { pointerIn } from "./shared/elements.js";
import { clamp } from "./shared/numbers.js";
import { toPixels } from "./shared/vectors.js";

const SHAFT = 0.13;
const CONE = 0.34;
const THICK = 1.7;
const NEAR = 12; // pixels
const SHORTEST = 1e-3; // heads: a shorter arrow is not seen
const TWO_HEADS = 1.7; // lengths of a head that two of them take

// Lengths of an arrow: its tip, its shaft and how thick it is. A short arrow is all head, shrunk; a longer one keeps its
// head. Null where there is nothing to be seen.
export function arrowLengths(length, head, heads, bold) {
  if (!(Number.isFinite(length) && length > SHORTEST * head)) return null;
  const thick = bold ? THICK * head : head;
  const tip = Math.min(thick, length / (heads > 1 ? TWO_HEADS : 1));
  return { thick, tip, shaft: Math.max(length - tip, 1e-6 * head) };
}

// The smallest rotation that takes y to a direction, as a quaternion (x, y, z, w), not normalised.
export const turnFromY = ([x, y, z]) => (y < -1 + 1e-9 ? [1, 0, 0, 0] : [z, 0, -x, 1 + y]);

// Place one arrow group along its value; returns where it begins and ends, or null if there is none.
export function placeArrow(group, label, v, scale, head, bold, faint) {
  const size = Math.hypot(v[3], v[4], v[5]);
  const length = size * scale;
  const [shaft, ...heads] = group.children;
  const lengths = v.every(Number.isFinite) ? arrowLengths(length, head, heads.length, bold) : null;
  group.visible = label.visible = lengths !== null;
  if (!lengths) return null;
  const { thick, tip } = lengths;
  const d = [v[3] / size, v[4] / size, v[5] / size];
  group.quaternion.set(...turnFromY(d)).normalize();
  group.position.set(v[0], v[1], v[2]);
  shaft.scale.set(SHAFT * thick, lengths.shaft, SHAFT * thick);
  shaft.position.y = lengths.shaft / 2;
  heads.forEach((item, k) => {
    item.scale.set(CONE * tip, tip, CONE * tip);
    item.position.y = length - tip / 2 - 0.7 * k * tip;
  });
  shaft.material.opacity = label.material.opacity = faint ? 0.22 : 1;
  return [[v[0], v[1], v[2]], [0, 1, 2].map((k) => v[k] + d[k] * length)];
}

// How far a point of the screen is from the line from a to b.
export function distanceToLine([x, y], [ax, ay], [bx, by]) {
  const square = (bx - ax) ** 2 + (by - ay) ** 2;
  const share = square > 0 ? clamp(((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / square, 0, 1) : 0;
  return Math.hypot(ax + share * (bx - ax) - x, ay + share * (by - ay) - y);
}

// Tells which arrow is under the pointer, by its index, or −1.
export function nearestArrow(event, canvas, scene, camera, ends) {
  const { width, height } = canvas.getBoundingClientRect();
  const seen = (point) =>
    camera.position
      .clone()
      .set(...point)
      .applyMatrix4(scene.matrixWorld)
      .project(camera);
  const at = pointerIn(canvas, event, width, height);
  let [best, found] = [NEAR, -1];
  ends.forEach((pair, k) => {
    if (!pair) return;
    const far = distanceToLine(at, ...pair.map((point) => toPixels(seen(point), width, height)));
    if (far < best) [best, found] = [far, k];
  });
  return found;
}
