// What is seen between two frames: places and values along straight lines, attitudes along the shortest turn.

import { turnFromY } from "./arrows.js";
import { locate } from "./shared/frames.js";

const ALMOST_ONE = 1e-4; // sine of the half angle below which a turn is as good as a straight line
const NO_TURN = 1e-6; // length below which four numbers are no attitude

// The two frames about a time, and how far from the first to the second it is.
export function between(times, time) {
  const [frame, share] = locate(times, time);
  return { frame, next: Math.min(frame + 1, times.length - 1), share };
}

// `length` numbers from places a and b of a buffer, as far between them as w says.
export function blend(data, a, b, w, length) {
  const out = [];
  for (let k = 0; k < length; k++) out.push((1 - w) * data[a + k] + w * data[b + k]);
  return out;
}

// The quaternion between those at places a and b of a buffer, by the shorter way; null where they are none.
export function slerp(data, a, b, w) {
  let dot = 0;
  for (let k = 0; k < 4; k++) dot += data[a + k] * data[b + k];
  const sign = dot < 0 ? -1 : 1;
  const angle = Math.acos(Math.min(1, Math.abs(dot)));
  const sine = Math.sin(angle);
  const from = sine > ALMOST_ONE ? Math.sin((1 - w) * angle) / sine : 1 - w;
  const to = sign * (sine > ALMOST_ONE ? Math.sin(w * angle) / sine : w);
  const out = [];
  for (let k = 0; k < 4; k++) out.push(from * data[a + k] + to * data[b + k]);
  const length = Math.sqrt(out.reduce((sum, item) => sum + item * item, 0));
  return length > NO_TURN ? out.map((item) => item / length) : null;
}

// Place and attitude of each of `count` bodies, seven numbers each, or null where one of them is no pose.
export function posesAt(poses, count, { frame, next, share }) {
  const out = [];
  for (let i = 0; i < count; i++) {
    const [a, b] = [7 * (frame * count + i), 7 * (next * count + i)];
    const place = blend(poses, a, b, share, 3);
    const turn = slerp(poses, a + 3, b + 3, share);
    if (turn === null || ![...place, ...turn].every(Number.isFinite)) return null;
    out.push([place, turn]);
  }
  return out;
}

// Lay a group along the line between two ends, six numbers: its second child is stretched, its third is at the far end.
export function layAlong({ position, quaternion, children }, ends) {
  const way = [0, 1, 2].map((k) => ends[3 + k] - ends[k]);
  const length = Math.hypot(...way);
  if (!Number.isFinite(length)) return;
  position.set(ends[0], ends[1], ends[2]);
  const turn = length > 0 ? turnFromY(way.map((item) => item / length)) : [0, 0, 0, 1];
  quaternion.set(...turn).normalize();
  children[1].scale.y = Math.max(length, NO_TURN * NO_TURN);
  children[2].position.y = length;
}
