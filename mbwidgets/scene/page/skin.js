// Bodies that fit where their joints and mass centres have gone. The kernel makes the true shapes; until it does, and in
// a page without one, what is near a joint goes with the joint, and what is between is stretched.

const SAME_POINT = 1e-6; // of a body's size: points this close to one another are one

const apart = (p, k, [x, y, z]) => (p[k] - x) ** 2 + (p[k + 1] - y) ** 2 + (p[k + 2] - z) ** 2;

// Points of a body and where they have gone, each once: `anchors` has for each body mass centre and joint's place, six
// numbers, the first in its own axes, the second in its parent's.
export function anchorsOf(body, parents, before, now) {
  const points = [{ from: [0, 0, 0], to: [0, 0, 0] }];
  const add = (at) => {
    const [from, to] = [before, now].map((table) => Array.from(table.subarray(at, at + 3)));
    if (points.every((point) => apart(from, 0, point.from) > SAME_POINT ** 2)) points.push({ from, to });
  };
  for (const [child, parent] of parents.entries()) if (parent === body) add(6 * child + 3);
  add(6 * body);
  return points;
}

// Points of what carries a mechanism and where they have gone: the places of joints on the ground, and beneath them on
// the floor {up, height, made}, if there is one, where its feet stay; it was at the height `made` at first.
export function carriersOf(parents, before, now, floor, guides = {}) {
  const points = [];
  const beneath = ([x, y, z], height) => {
    const [a, b, c] = floor.up;
    const high = a * x + b * y + c * z - height;
    return [x - high * a, y - high * b, z - high * c];
  };
  const add = (from, to) => {
    if (points.every((point) => apart(from, 0, point.from) > SAME_POINT ** 2)) points.push({ from, to });
  };
  for (const [child, parent] of parents.entries()) {
    if (parent >= 0) continue;
    const [from, to] = [before, now].map((table) => Array.from(table.subarray(6 * child + 3, 6 * child + 6)));
    add(from, to);
    if (floor) add(beneath(from, floor.made), beneath(to, floor.height));
  }
  const tables = [guides.before ?? [], guides.now ?? []];
  for (let k = 0; k < Math.min(...tables.map(({ length }) => length)); k += 3) {
    const [first, last] = tables.map((table) => Array.from(table.subarray(k, k + 3)));
    add(first, last);
    if (floor && guides.standing.includes(k / 3)) add(beneath(first, floor.made), beneath(last, floor.height));
  }
  return points;
}

const hasMoved = (points) => points.some(({ from, to }) => from.some((value, j) => value !== to[j]));

// How much each place (k, 3) goes with each of the points, the nearer ones more; the shares of a place add up to one.
function sharesOf(places, points) {
  const count = points.length;
  const out = new Float64Array((places.length / 3) * count);
  for (let k = 0, at = 0; k < places.length; k += 3, at += count) {
    let whole = 0;
    for (let n = 0; n < count; n++) whole += out[at + n] = 1 / (apart(places, k, points[n].from) + SAME_POINT) ** 2;
    for (let n = 0; n < count; n++) out[at + n] /= whole;
  }
  return out;
}

const shares = new WeakMap(); // of places: where points go changes, where they come from does not

// Places (k, 3) moved with the anchors, each by the nearer ones.
export function stretched(places, points) {
  const count = points.length;
  const from = points.flatMap((point) => point.from);
  const old = shares.get(places);
  const same = old?.from.length === from.length && from.every((value, k) => value === old.from[k]);
  const weights = same ? old.weights : sharesOf(places, points);
  if (!same) shares.set(places, { from, weights });
  const way = Float64Array.from(points.flatMap((point) => point.to.map((value, j) => value - point.from[j])));
  const out = new Float32Array(places.length);
  for (let k = 0, at = 0; k < places.length; k += 3, at += count) {
    let [x, y, z] = [places[k], places[k + 1], places[k + 2]];
    for (let n = 0; n < count; n++) {
      const weight = weights[at + n];
      x += weight * way[3 * n];
      y += weight * way[3 * n + 1];
      z += weight * way[3 * n + 2];
    }
    out[k] = x;
    out[k + 1] = y;
    out[k + 2] = z;
  }
  return out;
}

const stretchedFrom = new WeakMap();

// The places that the kernel gave of those that are worn.
export const givenOf = (places) => stretchedFrom.get(places) ?? places;

export class Skin {
  constructor() {
    this.worn = new Map(); // attributes that are not as the kernel made them, with the places that it gave them
  }

  // Fit groups of bodies to anchors that went from `before` to `now`; nothing to fit restores what was there.
  fit(groups, parents, before, now) {
    this.restore();
    if (!before || !now || before.length !== now.length) return;
    groups.forEach((group, body) => {
      const points = anchorsOf(body, parents, before, now);
      if (hasMoved(points)) this.#stretch(group, points);
    });
  }

  // Fit what carries the mechanism, and after it the ground's parts of joints, each of which goes as a whole.
  fitGround([carrier, ...joints], parents, before, now, floor, guides) {
    this.restore();
    if (!before || !now || before.length !== now.length) return;
    const carried = carriersOf(parents, before, now, floor, guides);
    if (carrier && hasMoved(carried)) this.#stretch(carrier, carried);
    const own = parents.flatMap((parent, child) => (parent < 0 ? [child] : []));
    joints.forEach((group, k) => {
      const at = 6 * own[k] + 3;
      const [from, to] = [before, now].map((table) => Array.from(table.subarray(at, at + 3)));
      if (hasMoved([{ from, to }])) this.#stretch(group, [{ from, to }]);
    });
  }

  #stretch(group, points) {
    group.traverse((item) => {
      const attribute = item.geometry?.attributes?.position;
      if (!attribute || this.worn.has(attribute)) return;
      // shapes that several share are placed by their own matrix: they go as a whole
      const plain = item.position.lengthSq() === 0 && item.scale.x === 1 && item.scale.y === 1 && item.scale.z === 1;
      if (!plain) return;
      const fitted = stretched(attribute.array, points);
      this.worn.set(attribute, { given: attribute.array, fitted });
      stretchedFrom.set(fitted, attribute.array);
      attribute.array = fitted;
      attribute.needsUpdate = true;
    });
  }

  restore() {
    for (const [attribute, { given, fitted }] of this.worn) {
      if (attribute.array !== fitted) continue; // the kernel has sent another
      attribute.array = given;
      attribute.needsUpdate = true;
    }
    this.worn.clear();
  }
}
