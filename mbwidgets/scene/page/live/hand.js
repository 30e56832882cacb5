// A hand on a body, in the page: the pose that it pulls the mechanism to, and the spring by which it pulls one that moves.
// The kernels are those of Python's `pull_pose` and `pulling_forces`.

import { followRecipe } from "./recipe.js";
import { refuse } from "./refused.js";

const MOST_LIMITS = 1000;

// A hand comes from the page itself: what it holds is looked at before a kernel reads it.
export function checkHand({ body, at, place, limits }, { bodies, nq, nv }) {
  const isPoint = (point) => Array.isArray(point) && point.length === 3 && point.every(Number.isFinite);
  if (!Number.isInteger(body) || body < 0 || body >= bodies || !isPoint(at) || !isPoint(place))
    refuse("a hand is none");
  if (!Array.isArray(limits) || limits.length > MOST_LIMITS) refuse("limits are none");
  for (const [coordinate, velocity, low, high] of limits) {
    const there = Number.isInteger(coordinate) && coordinate >= 0 && coordinate < nq;
    const moves = Number.isInteger(velocity) && velocity >= 0 && velocity < nv;
    if (!there || !moves || !(low <= high)) refuse("a limit is none");
  }
}

// The row of a body in the tables of a model.
function tableRow(heap, model, names, body) {
  const { HEADER, BODY_SIZE, INDEX, BODIES } = names.layout;
  const numbers = heap.view(model);
  const rows = Array.from({ length: numbers[BODIES] }, (_, row) => numbers[HEADER + row * BODY_SIZE + INDEX]);
  return rows.indexOf(body);
}

// Pull a point from a pose, in so many turns: the pose that is found, how far it is from the hand, what is in the way,
// and a spring. `values` make the model.
export function pulled(kernels, problem, names, values, q, hand, turns = names.pull.TURNS) {
  checkHand(hand, problem);
  const { heap } = kernels;
  const { layout, pull, assembly } = names;
  const { nq, nv, equations } = problem;
  const top = heap.top;
  const { model, state } = followRecipe(kernels, problem, names, values);
  if (state === null) refuse("a number of the mechanism is not finite at these values");
  const width = Math.max(nq, nv);
  const own = equations > 0 ? 0 : 2 * nv * nv + layout.WORK_VECTORS * width;
  const data = heap.take(heap.view(model)[layout.DATA_SIZE] + own);
  const place = heap.put(q);
  if (problem.curves) findFeet(kernels, problem, names, model, data, place);
  kernels.call("reset_data", model, data);
  const table = hand.limits.flatMap((limit) => [...limit, 0]);
  const limits = heap.put(table, hand.limits.length, pull.LIMIT_SIZE);
  const spare = heap.take(assembly.SPARE_ROWS, Math.max(nq + nv + 1, nv + equations));
  const room = heap.take(pull.LIMIT_ROWS + hand.limits.length, width);
  const found = heap.take(5);
  const row = tableRow(heap, model, names, hand.body);
  const points = [hand.at, hand.place].map((point) => heap.put(point));
  kernels.call("pull_point", model, data, row, ...points, turns, limits, place, spare, room, found);
  const numbers = heap.view(found);
  const met = hand.limits.map((_, k) => heap.view(limits)[k * pull.LIMIT_SIZE + pull.MET] === 1);
  const answer = {
    q: heap.view(place).slice(),
    left: numbers[pull.LEFT],
    reach: numbers[pull.REACH],
    movable: numbers[pull.MOVABLE] === 1,
    stiffness: numbers[pull.STIFFNESS],
    damping: numbers[pull.DAMPING],
    met,
    row,
  };
  heap.release(top);
  return answer;
}

// Where on its curve each guided point is at a pose, written to the model.
export function findFeet(kernels, problem, names, model, data, q) {
  const { heap } = kernels;
  const { layout } = names;
  kernels.call("reset_data", model, data);
  const feet = heap.take(problem.rows);
  kernels.call("find_curve_feet", model, data, q, feet);
  const numbers = heap.view(model);
  const table = numbers[layout.AT_ROWS];
  heap.view(feet).forEach((s, r) => {
    const row = table + layout.ROW_SIZE * r;
    if (numbers[row + layout.C_KIND] >= layout.CURVE) numbers[row + layout.C_VALUE] = s;
  });
}

// Values at which the mechanism starts in a pose, or what prevents it. A coordinate that is a parameter is moved by it,
// within its bounds, an angle by whole turns; what follows from parameters is moved by a letter of its own.
export function posed(kernels, problem, names, values, q) {
  const { places, moves, groups } = problem;
  const found = Float64Array.from(values);
  const turns = (k) => groups[k] === names.sizes.ANGLE && !moves.balls.some((first) => first <= k && k < first + 4);
  const added = [];
  for (let k = 0; k < problem.nq; k++) {
    if (places.has(`hand ${k}`)) added.push(k);
    else if (places.has(`q ${k}`)) found[places.get(`q ${k}`)] = q[k];
    else if (moves.aliases.has(`q ${k}`)) {
      const name = moves.aliases.get(`q ${k}`);
      found[places.get(name)] = withinBounds(q[k], moves.bounds.get(name) ?? [null, null], turns(k));
    } else return { values, refusal: moves.notes.get(`q ${k}`) ?? "Only Python sets this pose: open the notebook." };
  }
  if (added.length) {
    const { state } = followRecipe(kernels, problem, names, found);
    if (state === null) return { values, refusal: "a number of the mechanism is not finite at these values" };
    const now = kernels.heap.view(state).slice();
    for (const k of added) found[places.get(`hand ${k}`)] += q[k] - now[k];
  }
  return { values: found, refusal: "" };
}

// The value, or for an angle one that is whole turns away, where that lies within bounds; else the nearest bound.
export function withinBounds(value, [low, high], turns) {
  const inside = (x) => (low === null || x >= low) && (high === null || x <= high);
  if (inside(value)) return value;
  const turn = 2 * Math.PI;
  const rest = value - turn * Math.round(value / turn);
  const near = turns ? [rest, rest + turn, rest - turn].find(inside) : undefined;
  return near ?? Math.min(Math.max(value, low ?? -Infinity), high ?? Infinity);
}

// A model with a spring and a damper from a hand to a point besides: a longer array.
export function withSpring(heap, names, model, { row, at, place, stiffness, damping }) {
  const { layout } = names;
  const numbers = heap.view(model);
  const { FORCES, AT_FORCES, AT_STARTS, FORCE_SIZE, LAW_SIZE, F_KIND, F_A, F_B, F_PROGRAM, F_VALUES } = layout;
  const end = numbers[AT_FORCES] + FORCE_SIZE * numbers[FORCES];
  const more = Math.max(0, 2 * FORCE_SIZE - (numbers[AT_STARTS] - end)); // efforts that wait for a slider leave room
  const longer = new Float64Array(numbers.length + more);
  longer.set(numbers.subarray(0, numbers[AT_STARTS]));
  longer.set(numbers.subarray(numbers[AT_STARTS]), numbers[AT_STARTS] + more);
  for (const [kind, size] of [
    [layout.SPRING, stiffness],
    [layout.DAMPER, damping],
  ]) {
    const force = numbers[AT_FORCES] + FORCE_SIZE * longer[FORCES];
    longer.fill(0, force, force + FORCE_SIZE);
    longer[force + F_KIND] = kind;
    longer[force + F_A] = -1;
    longer[force + F_B] = row;
    longer[force + F_PROGRAM] = -1; // nothing varies it
    longer.set([...place, ...at, size, 0], force + F_VALUES);
    longer[FORCES] += 1;
  }
  for (const name of ["AT_STARTS", "AT_LINES", "AT_CONSTANTS", "AT_ROWS", "AT_ORDER", "AT_GROUPS"])
    longer[layout[name]] += more;
  for (const name of ["DATA_STACK", "DATA_FEET", "DATA_WORK", "DATA_SIZE"]) longer[layout[name]] += 2 * LAW_SIZE;
  return heap.put(longer);
}

// What is to be said of a pose: limits that are met, or how far the hand is; empty where the hand is nearly reached.
export function poseWords({ q, left, reach, movable, met }, { limits, joints, words, body, bodies }, noticed) {
  if (left <= noticed * reach) return "";
  const digits = (value) => String(Number(value.toPrecision(3)));
  const fill = (text, ...parts) => parts.reduce((found, part, k) => found.replace(`{${k}}`, () => part), text);
  if (!movable) return fill(words.fixed, bodies[body]);
  const told = limits.flatMap(([k], n) => (met[n] ? [fill(words.limited, joints[n], digits(q[k]))] : []));
  return told.join("; ") || fill(words.far, digits(left));
}
