// Where things were: the paths of points, and of the tips of forces about the joint where they act. Only the past is
// drawn, and it fades, like the tail of a comet.

import { NO_CAMERA } from "./labels.js";
import { blend } from "./poses.js";
import { Ribbon } from "./ribbons.js";
import { solids } from "./solids.js";

export const COMET = "comet"; // the name of lines whose points are places in every frame
const TAIL = 2.5; // length of a tail, in radii of what is seen
const FINEST_TAIL = 200; // points of a tail, at most
const BETWEEN = 4; // parts into which each way from point to point is divided
const [COMET_WIDTHS, COMET_STRENGTH] = [[0.6, 3.1], 0.95];
const [TRACE_WIDTHS, TRACE_STRENGTH] = [[0.5, 1.7], 0.8];

// The way back from a moment, as far as a length: places, and shares that fall from one to zero. `placeAt` gives the place
// in a frame, `now` is the place at the moment, and `frame` the last frame before it.
export function tailOf(placeAt, now, frame, reach) {
  const out = [{ at: now, gone: 0 }];
  let [last, gone] = [now, 0];
  for (let k = frame; k >= 0 && gone < reach; k--) {
    const at = placeAt(k);
    if (!at.every(Number.isFinite)) break;
    const step = Math.hypot(...at.map((value, i) => value - last[i]));
    const left = reach - gone;
    if (step > left) {
      out.push({ at: last.map((value, i) => value + (left / step) * (at[i] - value)), gone: reach });
      gone = reach;
      break;
    }
    gone += step;
    last = at;
    const spaced = gone - out[out.length - 1].gone >= reach / FINEST_TAIL;
    if (spaced || k === 0) out.push({ at, gone });
  }
  return gone > 0 ? out.map(({ at, gone: far }) => ({ at, share: 1 - Math.min(far / gone, 1) })) : [];
}

// A tail with points between its own, on a smooth curve through them: from frame to frame a fast force goes far. The
// first part, from the moment to the last frame, is shorter than the others and stays straight.
export function smoothTail(points) {
  const out = points.slice(0, 1);
  for (let k = 1; k < points.length; k++) {
    const [p, q] = [points[k - 1], points[k]];
    const [before, after] = [points[Math.max(k - 2, 1)] ?? p, points[k + 1] ?? q];
    for (let j = 1; k > 1 && j < BETWEEN; j++) {
      const t = j / BETWEEN;
      const weights = [((2 - t) * t - 1) * t, (3 * t - 5) * t * t + 2, ((4 - 3 * t) * t + 1) * t, (t - 1) * t * t];
      const at = p.at.map(
        (_, i) =>
          (weights[0] * before.at[i] + weights[1] * p.at[i] + weights[2] * q.at[i] + weights[3] * after.at[i]) / 2,
      );
      out.push({ at, share: p.share + t * (q.share - p.share) });
    }
    out.push(q);
  }
  return out;
}

// The place of a path, which has all `frames` of a motion, in frame k of the `count` that a page has kept, evenly.
export const pathRow = (k, count, frames) =>
  count > 1 && frames > count ? Math.round((k * (frames - 1)) / (count - 1)) : k;

export class Comets {
  constructor() {
    this.ribbons = new Map();
    this.colours = [];
  }

  ribbon(scene, key, widths, strength) {
    const like = solids(scene)[0];
    if (!this.ribbons.has(key) && like) this.ribbons.set(key, new Ribbon(scene, like, widths, strength));
    return this.ribbons.get(key);
  }

  // Draw the tails of lines and of arrows at a moment. `arrows` have a key, frames × 6 numbers from `vectors`, a scale and
  // a colour; `rowOf` tells the place of a line in a frame.
  draw(scene, moment, radius, arrows, view, rowOf = (k) => k) {
    const reach = TAIL * radius;
    const used = new Set();
    const lay = (key, points, tint, widths, strength) => {
      const ribbon = points.length > 1 && this.ribbon(scene, key, widths, strength);
      if (!ribbon) return;
      ribbon.lay(smoothTail(points), tint, view);
      used.add(ribbon);
    };
    const lines = [];
    scene.traverseVisible((item) => item.name === COMET && lines.push(item));
    this.colours = lines.map(({ material }) => `#${material.color.getHexString()}`);
    for (const line of lines) {
      line.layers.set(NO_CAMERA);
      const { array } = line.geometry.attributes.position;
      const placeAt = (k) => [0, 1, 2].map((i) => array[3 * rowOf(k) + i]);
      const now = blend(array, 3 * rowOf(moment.frame), 3 * rowOf(moment.next), moment.share, 3);
      lay(line, tailOf(placeAt, now, moment.frame, reach), line.material.color, COMET_WIDTHS, COMET_STRENGTH);
    }
    for (const { key, valueAt, now, colour } of arrows) {
      const tip = ([x, y, z]) => [now.begin[0] + x, now.begin[1] + y, now.begin[2] + z];
      const points = tailOf((k) => tip(valueAt(k)), tip(now.value), moment.frame, reach);
      const tint = scene.background.clone().set(colour);
      lay(key, points, tint, TRACE_WIDTHS, TRACE_STRENGTH);
    }
    for (const [key, ribbon] of this.ribbons) {
      if (used.has(ribbon)) continue;
      ribbon.close();
      this.ribbons.delete(key);
    }
  }

  close() {
    for (const ribbon of this.ribbons.values()) ribbon.close();
    this.ribbons.clear();
  }
}
