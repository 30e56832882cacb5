// Where things were: the paths of points, and of the tips of forces about the joint where they act. Only the past is
// drawn, and it fades, like the tail of a comet.

import { NO_CAMERA } from "./labels.js";
import { blend } from "./poses.js";
import { RIBBON_POINTS, Ribbon } from "./ribbons.js";
import { solids } from "./solids.js";

export const COMET = "comet"; // the name of lines whose points are places in every frame
const TAIL = 2.5; // length of a tail, in radii of what is seen
const SHORTEST_PATH = 0.02; // of that radius: what goes no farther has no path
const FINEST_TAIL = 160; // points of a tail, at most
const BETWEEN = 4; // parts into which each way from point to point is divided, where there is room
const [COMET_WIDTHS, COMET_STRENGTH] = [[0.5, 2.2], 0.85];
const [TRACE_WIDTHS, TRACE_STRENGTH] = [[0.5, 1.7], 0.8];

// How far a path goes in a frame, in frame k of those up to the last: by differences, of five places in a row of the fourth
// order, at the ends and beside what is not finite of the second or the first. As path_velocities of Python says.
export function velocityAt(placeAt, k, last) {
  const place = (j) => {
    const found = j >= 0 && j <= last ? placeAt(j) : [Number.NaN];
    return found.every(Number.isFinite) ? found : null;
  };
  const [before, back, here, on, after] = [-2, -1, 0, 1, 2].map((step) => place(k + step));
  const way = (i) => {
    if (before && back && on && after) return (before[i] - 8 * back[i] + 8 * on[i] - after[i]) / 12;
    if (back && on) return (on[i] - back[i]) / 2;
    if (on && after) return (4 * on[i] - 3 * here[i] - after[i]) / 2;
    if (back && before) return (3 * here[i] - 4 * back[i] + before[i]) / 2;
    return on ? on[i] - here[i] : back ? here[i] - back[i] : 0;
  };
  return here ? [0, 1, 2].map(way) : [0, 0, 0];
}

// The way back from a moment, as far as a length: places, the frames in which they were, and shares that fall from one to
// zero. `placeAt` gives the place in a frame, `now` is the place at the moment, and `frame` the last frame before it.
export function tailOf(placeAt, now, frame, reach) {
  const out = [{ at: now, gone: 0, k: frame + 1 }];
  let [last, gone] = [now, 0];
  for (let k = frame; k >= 0 && gone < reach; k--) {
    const at = placeAt(k);
    if (!at.every(Number.isFinite)) break;
    const step = Math.hypot(...at.map((value, i) => value - last[i]));
    const left = reach - gone;
    if (step > left) {
      const cut = last.map((value, i) => value + (left / step) * (at[i] - value));
      out.push({ at: cut, gone: reach, k: k + 1 - left / step });
      gone = reach;
      break;
    }
    gone += step;
    last = at;
    const spaced = gone - out[out.length - 1].gone >= reach / FINEST_TAIL;
    if (spaced || k === 0) out.push({ at, gone, k });
  }
  return gone > 0 ? out.map(({ at, gone: far, k }) => ({ at, share: 1 - Math.min(far / gone, 1), k })) : [];
}

// A tail with points between its own, on the curve of third order through them that has their velocities: from frame to
// frame what is fast goes far. The first part, from the moment to the last frame, is shorter than the others and stays
// straight, as the body goes between frames. `last` is the last frame of the motion.
export function smoothTail(points, placeAt, last) {
  const parts = Math.max(1, Math.min(BETWEEN, Math.floor((RIBBON_POINTS - 2) / Math.max(points.length, 1))));
  const ways = points.map(({ k }, n) => (n ? velocityAt(placeAt, Math.ceil(k), last) : null));
  const out = points.slice(0, 1);
  for (let n = 1; n < points.length; n++) {
    const [p, q] = [points[n - 1], points[n]];
    for (let j = 1; n > 1 && j < parts; j++) {
      const t = j / parts;
      const [a, b] = [(2 * t - 3) * t * t + 1, (3 - 2 * t) * t * t];
      const [c, d] = [((t - 2) * t + 1) * t * (q.k - p.k), (t - 1) * t * t * (q.k - p.k)];
      const at = p.at.map((_, i) => a * p.at[i] + b * q.at[i] + c * ways[n - 1][i] + d * ways[n][i]);
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
    this.tints = [];
  }

  ribbon(scene, key, widths, strength) {
    const like = solids(scene)[0];
    if (!this.ribbons.has(key) && like) this.ribbons.set(key, new Ribbon(scene, like, widths, strength));
    return this.ribbons.get(key);
  }

  // Draw the tails of lines and of arrows at a moment of a motion up to its last frame. `arrows` have a key, frames × 6 numbers from `vectors`, a scale and
  // a colour; `rowOf` tells the place of a line in a frame.
  draw(scene, moment, radius, arrows, view, last, rowOf = (k) => k) {
    const reach = TAIL * radius;
    const used = new Set();
    const lay = (key, placeAt, now, tint, widths, strength, least = 0) => {
      const points = tailOf(placeAt, now, moment.frame, reach);
      const far = Math.max(0, ...points.map(({ at }) => Math.hypot(...at.map((value, k) => value - now[k]))));
      const ribbon = points.length > 1 && far > least && this.ribbon(scene, key, widths, strength);
      if (!ribbon) return false;
      ribbon.lay(smoothTail(points, placeAt, last), tint, view);
      used.add(ribbon);
      return true;
    };
    const lines = [];
    this.tints = []; // of the paths that are drawn
    scene.traverseVisible((item) => item.name === COMET && lines.push(item));
    for (const line of lines) {
      line.layers.set(NO_CAMERA);
      const { array } = line.geometry.attributes.position;
      const placeAt = (k) => [0, 1, 2].map((i) => array[3 * rowOf(k) + i]);
      const now = blend(array, 3 * rowOf(moment.frame), 3 * rowOf(moment.next), moment.share, 3);
      if (lay(line, placeAt, now, line.material.color, COMET_WIDTHS, COMET_STRENGTH, SHORTEST_PATH * radius))
        this.tints.push(`#${line.material.color.getHexString()}`);
    }
    for (const { key, valueAt, now, colour } of arrows) {
      const tip = ([x, y, z]) => [now.begin[0] + x, now.begin[1] + y, now.begin[2] + z];
      const tint = scene.background.clone().set(colour);
      lay(key, (k) => tip(valueAt(k)), tip(now.value), tint, TRACE_WIDTHS, TRACE_STRENGTH);
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
