// Where the labels of arrows stand: beyond the tip if they can, where they cover nothing that matters. All in pixels.
// `stage/label_places.py` places those of stills by the same rule; a test holds its numbers to these.

import { clamp } from "./shared/numbers.js";

const BEYOND = 6; // pixels between a tip and its label
const FROM_EDGE = 3; // pixels from the edges of the picture
// Turns about the tip from the arrow's own way, degrees, the best first; then farther away along the first few.
const TURNS = [0, 25, -25, 50, -50, 75, -75, 105, -105, 140, -140, 180];
const FARTHER = [0, 50, -50, 105, -105, 180];
const ONE_FARTHER = 20; // pixels farther away
// What it costs to cover the whole of something: a label, a head or a mass centre, a shaft across, a body.
const [ON_LABEL, ON_SPOT, ON_SHAFT, ON_BODY] = [100, 40, 30, 5];
const CLEAR = 5; // pixels between a label and a shaft that neither begins nor ends at its place: it could be taken for its
const RANK = 0.3; // what each place costs more than the one before it
const APART = 4; // what it costs that a label is farther away, and could be taken for another's
const STAYS = 3; // what the place of the picture before is worth: labels do not jump for little

export const overlap = (a, b) =>
  Math.max(0, Math.min(a.x + a.w / 2, b.x + b.w / 2) - Math.max(a.x - a.w / 2, b.x - b.w / 2)) *
  Math.max(0, Math.min(a.y + a.h / 2, b.y + b.h / 2) - Math.max(a.y - a.h / 2, b.y - b.h / 2));

// The length of a line from p to q inside a box.
export function lengthInside([px, py], [qx, qy], box) {
  let [from, to] = [0, 1];
  const sides = [
    [qx - px, box.x - box.w / 2 - px, box.x + box.w / 2 - px],
    [qy - py, box.y - box.h / 2 - py, box.y + box.h / 2 - py],
  ];
  for (const [way, low, high] of sides) {
    if (Math.abs(way) < 1e-12) {
      if (low > 0 || high < 0) return 0;
      continue;
    }
    const [one, other] = [low / way, high / way];
    from = Math.max(from, Math.min(one, other));
    to = Math.min(to, Math.max(one, other));
  }
  return to > from ? (to - from) * Math.hypot(qx - px, qy - py) : 0;
}

// Middles of the boxes w × h about a tip that is reached along a way; without a way, about a place of its own.
export function candidates({ tip, way, w, h }) {
  const at = (degrees, far) => {
    const turn = (degrees * Math.PI) / 180;
    const [x, y] = way ?? [0, -1];
    const [ux, uy] = [x * Math.cos(turn) - y * Math.sin(turn), x * Math.sin(turn) + y * Math.cos(turn)];
    // from the middle of a box to its side, along the way
    const side = Math.min(w / 2 / Math.max(Math.abs(ux), 1e-9), h / 2 / Math.max(Math.abs(uy), 1e-9));
    return [tip[0] + ux * (far + side), tip[1] + uy * (far + side)];
  };
  const places = [...TURNS.map((turn) => at(turn, BEYOND)), ...FARTHER.map((turn) => at(turn, BEYOND + ONE_FARTHER))];
  return way ? places : [tip, ...places];
}

// The best place of each label: items have a tip, a way, a width and a height, and `kept`, the number of the place that
// they had. `lines` are the shafts of arrows, `spots` boxes that are not to be covered; `covered` tells what share of a
// box is over bodies. Returns middles and numbers of places, in the order of the items.
export function placeLabels(items, { lines = [], spots = [], width, height, covered = () => 0 }) {
  const taken = [];
  return items.map((item) => {
    const { w, h } = item;
    const [right, low] = [width - w / 2 - FROM_EDGE, height - h / 2 - FROM_EDGE];
    const inside = ([x, y]) => [clamp(x, w / 2 + FROM_EDGE, right), clamp(y, h / 2 + FROM_EDGE, low)];
    const nearby = TURNS.length + (item.way ? 0 : 1);
    let best = null;
    candidates(item).forEach((place, number) => {
      const [x, y] = item.loose ? place : inside(place);
      const box = { x, y, w, h };
      const clear = { x, y, w: w + 2 * CLEAR, h: h + 2 * CLEAR };
      let cost = RANK * number + (number >= nearby ? APART : 0) - (number === item.kept ? STAYS : 0);
      // a place that was pushed in from the edge is none of its own
      cost += (ON_LABEL * Math.hypot(x - place[0], y - place[1])) / (w + h);
      for (const other of taken) cost += (ON_LABEL * overlap(box, other)) / (w * h);
      for (const spot of spots) cost += (ON_SPOT * overlap(box, spot)) / (spot.w * spot.h);
      for (const [p, q] of lines) {
        const own = [p, q].some(([px, py]) => Math.hypot(px - item.tip[0], py - item.tip[1]) <= BEYOND);
        cost += (ON_SHAFT * lengthInside(p, q, own ? box : clear)) / w;
      }
      if (best && cost > best.cost) return;
      cost += ON_BODY * covered(box);
      if (!best || cost < best.cost) best = { ...box, number, cost };
    });
    taken.push(best);
    return best;
  });
}
