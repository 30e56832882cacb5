// A chain on balls that turns about the vertical: its speeds and the axis of its first body are moved, and where it is
// wanted it snaps to the cone of permanent rotations, by the same kernels as in Python.

import { representation } from "./python_words.js";
import { followRecipe } from "./recipe.js";
import { refuse } from "./refused.js";

const POINTS = 48; // axes on each arc of the cone
const ARCS = 4;
const EVERY = "speed of all";
const SPEED = /^speed (\d+)$/;
const BALANCE = "bodies that turn as one: only Python finds where they balance; let the axis not snap to the cone";

// Whether a key is that of a rotation: a speed, or the axis.
export const turns = (key) => key === "axis" || key === EVERY || SPEED.test(key);

class Rotation {
  // The rotation that these values begin.
  constructor(kernels, problem, names, values) {
    const { nq, nv, bodies, equations } = problem;
    if (nq !== 4 * bodies || nv !== 3 * bodies || equations > 0) refuse("what turns about the vertical is no chain");
    Object.assign(this, { kernels, problem, names, heap: kernels.heap, given: values, bodies });
    const { state, model } = followRecipe(kernels, problem, names, values);
    if (state === null) refuse("a number of the mechanism is not finite at these values");
    this.model = model;
    this.q = { at: state.at, shape: [nq], size: nq };
    this.u = { at: state.at + nq, shape: [nv], size: nv };
    this.gravity = { at: model.at + names.layout.GRAVITY, shape: [3], size: 3 };
    const { heap } = this;
    this.#checkChain();
    [this.speeds, this.axis] = [heap.take(bodies), heap.take(3)];
    [this.cone, this.room] = [heap.take(names.cone.CONE_ROWS, 3), heap.take(3, 3)];
    this.read();
  }

  // As in Python: there is a vertical, and no body hangs on the one before the last.
  #checkChain() {
    const { HEADER, BODY_SIZE, AT } = this.names.layout;
    if (!this.heap.view(this.gravity).some((part) => part !== 0)) {
      refuse("gravity is zero: there is no vertical; give g other than 0");
    }
    const numbers = this.heap.view(this.model);
    for (let i = 1; i < this.bodies; i++) {
      const at = HEADER + i * BODY_SIZE + AT;
      if (!numbers.subarray(at, at + 3).some((part) => part !== 0)) {
        refuse(`the joint of body ${i + 1} is at the joint of the body before; give it a place other than (0, 0, 0)`);
      }
    }
  }

  read() {
    const { kernels, gravity, q, u } = this;
    kernels.call("read_vertical_speeds", gravity, q, u, this.speeds);
    kernels.call("read_vertical_axis", gravity, q, this.axis);
  }

  #turnOn() {
    this.kernels.call("write_vertical_speeds", this.gravity, this.q, this.speeds, this.u);
  }

  // Move a speed or the axis; returns what prevents it.
  move(key, value) {
    const numbers = [value].flat();
    const odd = numbers.find((number) => !Number.isFinite(number));
    if (odd !== undefined) return `${representation(odd)} is not finite; give a finite number`;
    if (key === "axis") {
      if (numbers.length !== 3 || !(Math.hypot(...numbers) > 0)) return "an axis has no direction";
      this.kernels.call("turn_axis_down", this.gravity, this.q, this.heap.put(numbers));
    } else {
      const speeds = this.heap.view(this.speeds);
      if (key === EVERY) speeds.fill(value);
      else speeds[Number(key.match(SPEED)[1])] = value;
    }
    this.#turnOn();
    return "";
  }

  // Turn the first body to the nearest axis of its cone; returns what prevents it.
  snap() {
    const speeds = Array.from(this.heap.view(this.speeds));
    const most = Math.max(1, ...speeds.map(Math.abs));
    if (speeds.length > 1 && Math.max(...speeds) - Math.min(...speeds) <= this.names.rotation.EQUAL * most)
      return BALANCE;
    const { kernels, model, q, u, axis, cone, room } = this;
    kernels.call("snap_to_cone", model, q, u, this.speeds, axis, cone, room);
    return "";
  }

  // The state with the first body tilted, by degrees.
  tilted(degrees) {
    this.kernels.call("tilt_first_body", this.gravity, this.q, (degrees * Math.PI) / 180);
    this.#turnOn();
    return Float64Array.from([...this.heap.view(this.q), ...this.heap.view(this.u)]);
  }

  get values() {
    const values = Float64Array.from(this.given);
    const put = (letter, numbers) => {
      numbers.forEach((number, k) => {
        const place = this.problem.places.get(`${letter} ${k}`);
        if (place === undefined) refuse("the start follows from parameters: only Python turns it");
        values[place] = number;
      });
    };
    put("q", this.heap.view(this.q));
    put("u", this.heap.view(this.u));
    return values;
  }

  // The largest growth rate of small motions of the first body by itself, 1/s.
  growth() {
    const { axis, cone, heap, kernels, model, room } = this;
    return kernels.call("cone_growth", model, axis, Math.abs(heap.view(this.speeds)[0]), cone, room);
  }

  // The curves of the cone, slow enough, each {points, speeds, grows}; null where it falls apart. `key` tells cones apart.
  curves() {
    const { heap, kernels, model, cone, room } = this;
    const { NUMBERS, FASTEST_SPEED, COUNT, PARTS, MOMENTS } = this.names.cone;
    const points = heap.take(ARCS, POINTS, 3);
    const speeds = heap.take(ARCS, POINTS);
    const growth = heap.take(ARCS, POINTS);
    const arcs = kernels.call("cone_arcs", model, points, speeds, growth, cone, room);
    const table = Array.from(heap.view(cone));
    const row = (k) => table.slice(3 * k, 3 * k + 3);
    const whole = row(PARTS).every((part) => part !== 0) && table[3 * NUMBERS + COUNT] === arcs - 1;
    const [p, s, g] = [points, speeds, growth].map((array) => heap.view(array));
    const curves = Array.from({ length: arcs }, (_, arc) => {
      const kept = Array.from({ length: POINTS }, (_item, k) => arc * POINTS + k).filter(
        (at) => s[at] <= table[3 * NUMBERS + FASTEST_SPEED],
      );
      return {
        points: kept.map((at) => Array.from(p.subarray(3 * at, 3 * at + 3))),
        speeds: kept.map((at) => s[at]),
        grows: kept.map((at) => g[at] > 0),
      };
    });
    const principal = [row(0), row(1), row(2)];
    return {
      key: [...row(MOMENTS), ...row(PARTS), ...principal.flat(), table[3 * NUMBERS + FASTEST_SPEED]].join(),
      principal,
      centre: principal.reduce((sum, axis, k) => sum.map((x, j) => x + row(PARTS)[k] * axis[j]), [0, 0, 0]),
      curves: whole && arcs > 2 ? curves.filter((curve) => curve.points.length) : null,
    };
  }
}

// Values in which a speed or the axis is as wanted, and, where `snap` says so, the rotation is permanent.
export function turnTo(kernels, problem, names, values, key, value) {
  const rotation = new Rotation(kernels, problem, names, values);
  const refusal = rotation.move(key, value);
  return refusal ? { values, refusal } : { values: rotation.values, refusal: "" };
}

export function snapTo(kernels, problem, names, values) {
  const rotation = new Rotation(kernels, problem, names, values);
  const refusal = rotation.snap();
  return refusal ? { values, refusal } : { values: rotation.values, refusal: "" };
}

// What is seen of the rotation that values begin: `own` numbers for the view's programs, speeds, the axis, the cone; and
// the state that a motion begins with where the first body is tilted.
export function rotationOf(kernels, problem, names, values, { tilt = 0 }) {
  const { heap } = kernels;
  const rotation = new Rotation(kernels, problem, names, values);
  const [q, speeds, axis] = [rotation.q, rotation.speeds, rotation.axis].map((array) => Array.from(heap.view(array)));
  const cone = rotation.curves();
  const growth = rotation.growth();
  return { own: [...q, ...speeds, growth], speeds, axis, cone, start: tilt > 0 ? rotation.tilted(tilt) : null };
}
