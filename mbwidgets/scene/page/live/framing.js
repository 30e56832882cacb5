// What the camera must hold of a motion, and how low it comes: as scene/stage/framing.py and viewpoint.py have it, from
// what is drawn. Solids are {body, places}: points (k, 3) of what is drawn, in the axes of a body, −1 for the ground.

import { unit } from "../shared/vectors.js";

const AROUND = [-1, 0, 1]
  .flatMap((x) => [-1, 0, 1].flatMap((y) => [-1, 0, 1].map((z) => [x, y, z])))
  .filter((way) => way.some((part) => part !== 0));

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

// The points (k, 3) that are farthest along axes, edges and corners of a cube.
export function outermost(places) {
  const found = [];
  if (!places.length) return found;
  for (const way of AROUND) {
    let [best, most] = [0, Number.NEGATIVE_INFINITY];
    for (let at = 0; at < places.length; at += 3) {
      const far = way[0] * places[at] + way[1] * places[at + 1] + way[2] * places[at + 2];
      if (far > most) [best, most] = [at, far];
    }
    found.push(Array.from(places.subarray(best, best + 3)));
  }
  return found;
}

// The rows of the matrix that turns a body's axes to the world's, and its place, in a frame.
function poseAt({ poses, bodies }, frame, body) {
  if (body < 0) return { place: [0, 0, 0], rows: [[1, 0, 0], [0, 1, 0], [0, 0, 1]] }; // biome-ignore format: a matrix
  const at = 7 * (frame * bodies + body);
  const [a, b, c, x, y, z, w] = poses.subarray(at, at + 7);
  const rows = [
    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
  ];
  return { place: [a, b, c], rows };
}

// The least height along `up` of solids over the finite frames of a motion {poses, bodies, count}.
export function lowestHeight(motion, solids, up) {
  let lowest = Number.POSITIVE_INFINITY;
  for (const { body, places } of solids) {
    for (let k = 0; k < (body < 0 ? 1 : motion.count); k++) {
      const { place, rows } = poseAt(motion, k, body);
      const [a, b, c] = [0, 1, 2].map((j) => dot(up, [rows[0][j], rows[1][j], rows[2][j]]));
      const base = dot(up, place);
      if (!Number.isFinite(base + a + b + c)) continue;
      let least = Number.POSITIVE_INFINITY;
      for (let at = 0; at < places.length; at += 3) {
        const high = a * places[at] + b * places[at + 1] + c * places[at + 2];
        if (high < least) least = high;
      }
      lowest = Math.min(lowest, base + least);
    }
  }
  return lowest;
}

// Middle and radius of a ball about balls, four numbers each.
function ballAbout(balls) {
  const low = [0, 1, 2].map((j) => balls.reduce((least, ball) => Math.min(least, ball[j] - ball[3]), Infinity));
  const high = [0, 1, 2].map((j) => balls.reduce((most, ball) => Math.max(most, ball[j] + ball[3]), -Infinity));
  const middle = low.map((value, j) => (value + high[j]) / 2);
  return { middle, radius: balls.reduce((most, ball) => Math.max(most, distance(ball, middle) + ball[3]), 0) };
}

const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

// The frame of a motion {poses, bodies, count}, as it is seen from frame `at` on: `middle` and `radius` of a ball that
// holds it, `balls` that hold it more closely, and, where it runs away as a whole, `follow`: {home, room}. `floor` tells
// whether there is one, `limits` are the constants of scene/stage.
export function frameOf(motion, solids, at, limits) {
  const { size, gone, left, least, origin } = limits;
  const fixed = solids.filter(({ body }) => body < 0).flatMap(({ places }) => outermost(places));
  const still = [[0, 0, 0, origin * size], ...fixed.map((place) => [...place, 0])];
  const moving = solids
    .filter(({ body }) => body >= 0)
    .map(({ body, places }) => ({ body, spots: [[0, 0, 0], ...outermost(places)] }));
  const frames = Array.from({ length: motion.count }, (_, k) => spotsOf(motion, k, moving));
  const first = ballAbout([...still, ...frames[0]]);
  const limit = Math.max(first.radius, least * size);
  const far = (ball) => distance(ball, first.middle);
  const lost = frames[0].map((_, n) => frames.some((frame) => far(frame[n]) > gone * limit));
  if (lost.length && lost.every(Boolean)) return runningAway(motion, frames, at, limits);
  const all = !lost.some(Boolean);
  const near = (ball, k) => k === at || (Number.isFinite(far(ball)) && (all || far(ball) < left * limit));
  const held = frames.flatMap((frame, k) => [...still, ...frame].filter((ball) => near(ball, k)));
  const { middle, radius } = ballAbout(held);
  return { middle, radius: Math.max(radius, least * size), balls: held, follow: null, floor: all };
}

function spotsOf(motion, k, moving) {
  return moving.flatMap(({ body, spots }) => {
    const { place, rows } = poseAt(motion, k, body);
    return spots.map((spot) => [...rows.map((row, j) => dot(row, spot) + place[j]), 0]);
  });
}

// The mean place of the bodies in a frame.
function homeOf({ poses, bodies }, frame) {
  const home = [0, 0, 0];
  for (let i = 0; i < bodies; i++) {
    for (let j = 0; j < 3; j++) home[j] += poses[7 * (frame * bodies + i) + j] / bodies;
  }
  return home;
}

// A mechanism that runs away as a whole: the camera goes along, and all that is then seen of it is held.
function runningAway(motion, frames, at, { size, gone, left, least, room }) {
  const here = ballAbout(frames[at]);
  const radius = left * Math.max(here.radius, least * size);
  const follow = { home: homeOf(motion, at), room: room * radius };
  const balls = frames.flatMap((frame, k) => {
    const way = homeOf(motion, k).map((value, j) => value - follow.home[j]);
    const drift = way.map((value) => value * (1 - follow.room / Math.max(Math.hypot(...way), follow.room)));
    return frame
      .map(([x, y, z, reach]) => [x - drift[0], y - drift[1], z - drift[2], reach])
      .filter((ball) => distance(ball, here.middle) < gone * radius);
  });
  const whole = ballAbout(balls);
  return { middle: whole.middle, radius: Math.max(whole.radius, radius), balls, follow, floor: false };
}

const crossed = ([a, b, c], [x, y, z]) => [b * z - c * y, c * x - a * z, a * y - b * x];

// Where the camera stands and what it looks at, in the picture's axes, to hold the balls of a frame in a picture of an
// aspect, from a direction. `upright` has the picture's axes as rows; `slope` is the tangent of half the angle of view.
export function viewpointOf({ middle, radius, balls }, direction, aspect, { upright, slope, close, aside: words = 0 }) {
  const back = unit(direction);
  const right = unit(crossed([0, 0, 1], back));
  const axes = [right, crossed(back, right), back];
  const slopes = [slope * aspect, slope];
  const sines = slopes.map((value) => Math.sin(Math.atan(value)));
  const turned = axes.map((axis) => [0, 1, 2].map((j) => dot(axis, [upright[0][j], upright[1][j], upright[2][j]])));
  const ends = [0, 1].map(() => [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]);
  for (const ball of balls) {
    const from = [ball[0] - middle[0], ball[1] - middle[1], ball[2] - middle[2]];
    const deep = dot(turned[2], from);
    for (const j of [0, 1]) {
      const [aside, ahead] = [dot(turned[j], from) / slopes[j], deep + ball[3] / sines[j]];
      ends[j] = [Math.max(ends[j][0], ahead + aside), Math.max(ends[j][1], ahead - aside)];
    }
  }
  const far = Math.max((close * Math.max(...ends.map(([one, other]) => one + other))) / 2, radius);
  const shift = ends.map(([one, other], j) => (slopes[j] * (one - other)) / 2);
  // in a wide picture words stand on the left
  const spare = 1 - (close * (ends[0][0] + ends[0][1])) / 2 / far;
  shift[0] -= words * Math.max(spare, 0) * slopes[0] * far;
  const target = upright.map((row, j) => dot(row, middle) + shift[0] * axes[0][j] + shift[1] * axes[1][j]);
  return { target, place: target.map((value, j) => value + far * back[j]) };
}

const SAME = 1e-12; // cosine of directions that are opposite but for rounding

// The picture's axes, rows, turned the shortest way until up is `up`; half a turn goes about the one that leads away.
export function turnedUpright([right, away, high], up) {
  const cosine = dot(high, up);
  if (cosine < SAME - 1) return [right, away, high].map((row, k) => (k === 1 ? row : row.map((part) => -part)));
  const axis = [0, 1, 2].map((k) => high[(k + 1) % 3] * up[(k + 2) % 3] - high[(k + 2) % 3] * up[(k + 1) % 3]);
  // R v = v + a × v + a × (a × v) / (1 + cos), a the cross product of the two
  const turn = (v) => {
    const once = [0, 1, 2].map((k) => axis[(k + 1) % 3] * v[(k + 2) % 3] - axis[(k + 2) % 3] * v[(k + 1) % 3]);
    const twice = [0, 1, 2].map((k) => axis[(k + 1) % 3] * once[(k + 2) % 3] - axis[(k + 2) % 3] * once[(k + 1) % 3]);
    return v.map((part, k) => part + once[k] + twice[k] / (1 + cosine));
  };
  return [right, away, high].map(turn);
}
