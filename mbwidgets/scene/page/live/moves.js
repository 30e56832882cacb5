// A number of a problem moved as a slider in Python moves it: what belongs together moves along, by the same kernels, and
// what Python refuses when a model is built is refused in its words.

import { massTimes } from "./exact_product.js";
import { machineOfLines } from "./input_programs.js";
import { filled, general, representation } from "./python_words.js";

const INERTIA_PAIRS = ["00", "11", "22", "01", "02", "12"]; // components of an inertia, as in model/number_keys.py
const AXIS_LETTERS = ["x", "y", "z"];

// New values, in the order of the problem's names, in which the number with this key is as wanted; or the old ones and a
// refusal in words. `azimuths` remembers those of axes that stand at a pole, from one call to the next.
export function move(kernels, problem, names, values, key, value, azimuths = new Map()) {
  const { heap } = kernels;
  const top = heap.top;
  try {
    const mover = new Mover(kernels, problem, names, values, azimuths);
    const refusal = mover.move(key, value) || mover.refusal();
    return refusal ? { values, refusal } : { values: mover.values, refusal: "" };
  } finally {
    heap.release(top);
  }
}

// What a slider shows for a key; NaN where it moves nothing.
export function readPlace(kernels, problem, names, values, key, azimuths = new Map()) {
  const { heap } = kernels;
  const top = heap.top;
  try {
    return new Mover(kernels, problem, names, values, azimuths).read(key);
  } finally {
    heap.release(top);
  }
}

// Why a number stays put; empty where it can be moved.
export const placeNote = (problem, key) => problem.moves.notes.get(key) ?? "";

class Mover {
  constructor(kernels, problem, names, values, azimuths) {
    Object.assign(this, { kernels, heap: kernels.heap, problem, names, azimuths });
    this.values = Float64Array.from(values);
  }

  get(key) {
    return this.values[this.problem.places.get(key)];
  }

  set(key, value) {
    this.values[this.problem.places.get(key)] = value;
  }

  read(key) {
    const { moves, places } = this.problem;
    const [field, body, part] = key.split(" ");
    if (moves.aliases.has(key)) return this.get(moves.aliases.get(key));
    if (this.#isAngle(field, body, part)) return this.#angles(field, body)[Number(part)];
    return places.has(key) ? this.get(key) : Number.NaN;
  }

  // Change the values; returns what prevents it before a model is built, if anything does.
  move(key, value) {
    const { moves, places } = this.problem;
    const [field, body, part] = key.split(" ");
    if (moves.aliases.has(key)) return this.#moveParameter(moves.aliases.get(key), value);
    if (moves.notes.has(key)) return moves.notes.get(key);
    if (!Number.isFinite(value)) return `${representation(value)} is not finite; give a finite number`;
    if (this.#isAngle(field, body, part)) return this.#turn(field, body, Number(part), value);
    if (!places.has(key) || field === "solid") return `nothing here is called ${quoted(key)}`;
    if (field === "axis" || field === "second")
      this.#setUnit(axisKeys(field, body), AXIS_LETTERS.indexOf(part), value, true);
    else if (field === "q") this.#moveCoordinate(Number(body), value);
    else if (field === "mass") this.#moveMass(body, value);
    else if (field === "inertia") this.#moveInertia(body, part, value);
    else this.set(key, value);
    return "";
  }

  #isAngle(field, body, part) {
    const letters = axisKeys(field, body);
    return (part === "0" || part === "1") && letters.every((letter) => this.problem.places.has(letter));
  }

  #moveParameter(name, value) {
    const [low, high, words] = this.problem.moves.bounds.get(name) ?? [null, null, ""];
    const text = representation(value);
    if (!Number.isFinite(value)) return `parameter '${name}': value: ${text} is not finite; give a finite number`;
    if ((low !== null && value < low) || (high !== null && value > high)) return filled(words, [value]);
    this.set(name, value);
    return "";
  }

  #angles(field, body) {
    const axis = this.heap.put(axisKeys(field, body).map((key) => this.get(key)));
    const angles = this.heap.take(2);
    const remembered = this.azimuths.get(`${field} ${body}`) ?? 0;
    this.kernels.call("azimuth_and_elevation", ...this.#functions(), axis, remembered, angles);
    return Array.from(this.heap.view(angles));
  }

  // Programs of sine, cosine and the angle of two numbers, and room to run them.
  #functions() {
    const machine = machineOfLines([], this.names);
    return [this.heap.put(machine), this.heap.take(machine[this.names.layout.DATA_SIZE])];
  }

  #turn(field, body, k, value) {
    const angles = this.#angles(field, body);
    angles[k] = value;
    this.azimuths.set(`${field} ${body}`, angles[0]);
    const axis = this.heap.take(3);
    this.kernels.call("unit_vector_at_angles", ...this.#functions(), this.heap.put(angles), axis);
    this.kernels.call("unit_axis", axis);
    this.#put(axisKeys(field, body), axis);
    return "";
  }

  #moveCoordinate(k, value) {
    const ball = this.problem.moves.balls.find((first) => first <= k && k < first + 4);
    if (ball === undefined) this.set(`q ${k}`, value);
    else
      this.#setUnit(
        [0, 1, 2, 3].map((j) => `q ${ball + j}`),
        k - ball,
        value,
        false,
      );
  }

  #setUnit(keys, k, value, exactly) {
    const old = this.heap.put(keys.map((key) => this.get(key)));
    const found = this.heap.take(keys.length);
    this.kernels.call("unit_vector_with_component", old, k, value, found);
    if (exactly) this.kernels.call("unit_axis", found);
    this.#put(keys, found);
  }

  #put(keys, array) {
    const numbers = this.heap.view(array);
    keys.forEach((key, k) => {
      this.set(key, numbers[k]);
    });
  }

  #moveMass(body, value) {
    this.set(`mass ${body}`, value);
    const gyration = this.problem.moves.solids.get(body);
    if (!gyration || this.get(`solid ${body}`) !== 1) return;
    gyration.forEach((item, k) => {
      this.set(`inertia ${body} ${INERTIA_PAIRS[k]}`, massTimes(item, value));
    });
  }

  #moveInertia(body, pair, value) {
    const numbers = this.#numbers();
    const rule = this.problem.moves.rules.find((item) => item.kind === "inertia" && item.body === Number(body));
    const tensor = this.heap.put(rule.at.slice(0, 6).map((place) => numbers[place]));
    const reached = this.kernels.call("inertia_component_within_reach", tensor, INERTIA_PAIRS.indexOf(pair), value);
    this.set(`inertia ${body} ${pair}`, reached);
    if (this.problem.places.has(`solid ${body}`)) this.set(`solid ${body}`, 0);
  }

  // What Python would say of a model with these values; empty where it takes it.
  refusal() {
    const numbers = this.#numbers();
    for (const { kind, at, words } of this.problem.moves.rules) {
      const given = at.map((place) => numbers[place]);
      const broken =
        kind === "inertia" ? this.#inertia(given, words) : RULE_BREAKS[kind](given, this.names.checks) ? words[0] : "";
      if (broken) return kind === "inertia" ? broken : filled(broken, given);
    }
    return "";
  }

  // The numbers that rules speak of; NaN for those that are not finite.
  #numbers() {
    const { heap, kernels, problem } = this;
    const { layout, recipe } = this.names;
    const machine = heap.put(problem.rules);
    const data = heap.take(problem.rules[layout.DATA_SIZE]);
    const count = problem.rules[layout.PROGRAMS];
    const numbers = heap.take(count);
    const values = heap.put(this.values);
    const table = Array.from({ length: count }, (_, k) => [recipe.PROGRAM, k, k, 1]).flat();
    const steps = heap.put(table, count, 4);
    for (let first = 0; first < count; ) {
      const rest = { at: steps.at + 4 * first, shape: [count - first, 4], size: 4 * (count - first) };
      const failed = kernels.call("follow_recipe", machine, data, rest, values, numbers);
      if (failed < 0) break;
      heap.view(numbers)[first + failed] = Number.NaN;
      first += failed + 1;
    }
    return Float64Array.from(heap.view(numbers));
  }

  // As check_inertia of model/checks.py.
  #inertia(given, [negative, triangle]) {
    const { TRIANGLE_TOLERANCE, ROUNDING } = this.names.checks;
    const tensor = given.slice(0, 6);
    const scale = Math.max(...tensor.map(Math.abs));
    if (!(scale > 0 && scale < Number.POSITIVE_INFINITY)) return "";
    const moments = this.heap.take(3);
    this.kernels.call("principal_moments", this.heap.put(tensor.map((item) => item / scale)), moments);
    const [least, middle, largest] = this.heap.view(moments);
    const offset = Math.min(Math.hypot(...given.slice(7)), 1e100);
    const slack = TRIANGLE_TOLERANCE + (ROUNDING * given[6] * offset * offset) / scale;
    const shown = [least, middle, largest].map((item) => (Math.abs(item) > TRIANGLE_TOLERANCE ? item * scale : 0));
    const text = shown.map(general).join(", ");
    if (least < -slack) return filled(negative, [text]);
    return largest > least + middle + slack ? filled(triangle, [text]) : "";
  }
}

const axisKeys = (field, body) => AXIS_LETTERS.map((letter) => `${field} ${body} ${letter}`);
const quoted = (text) => `'${text.slice(0, 60)}'`;

// Whether the numbers of a rule break it.
const RULE_BREAKS = {
  finite: ([x]) => !Number.isFinite(x),
  "not negative": ([x]) => x < 0,
  positive: ([x]) => x <= 0,
  "not zero": (axis) => axis.every((x) => x === 0),
  "not parallel": (axes, { PARALLEL }) => {
    const [a, b] = [axes.slice(0, 3), axes.slice(3)];
    const cosine = a.reduce((sum, x, k) => sum + x * b[k], 0) / (Math.hypot(...a) * Math.hypot(...b));
    return Math.abs(cosine) > PARALLEL;
  },
  quaternion: (q, { SMALLEST_QUATERNION, LARGEST_QUATERNION }) => {
    const largest = Math.max(...q.map(Math.abs));
    return largest <= SMALLEST_QUATERNION || largest >= LARGEST_QUATERNION;
  },
};
