// A problem comes from a file: before any of its numbers reaches a kernel all of them are looked at. What passes makes
// no kernel read or write outside its arrays, run for ever, or follow a body to itself.

import { checkMoves, checkNames } from "./check_moves.js";
import { Refused, refuse, whole } from "./refused.js";

const MOST_NUMBERS = 4_000_000; // of all arrays of a problem
const MOST_FRAMES = 200_000;
const MOST_POWER = 32;
const MOST_BODIES = 2000;

// The problem was made for another version of the kernels, or is written in another way.
export function checkVersion({ format, kernels }, digest, known) {
  if (format === known && kernels === digest) return;
  throw new Refused("this was saved by another version of mbwidgets: run it again, or export it anew");
}

export function checkProblem(problem, names) {
  checkSizes(problem);
  const model = problem.template.subarray(problem.start);
  const places = checkHeader(problem, model, names.layout);
  checkPrograms(model, places, names.machine, problem.nq, problem.nv, names.layout);
  checkBodies(problem, model, places, names.layout);
  checkForces(problem, model, places, names.layout);
  checkRows(problem, model, places, names.layout);
  checkMachine(problem.machine, problem.names.length, names);
  checkSteps(problem, places, names);
  checkTables(problem, names);
  checkMachine(problem.rules, problem.names.length, names);
  checkMoves(problem, problem.rules[names.layout.PROGRAMS]);
}

function checkSizes(problem) {
  whole(problem.bodies, 1, MOST_BODIES, "the number of bodies");
  whole(problem.nv, 0, 6 * MOST_BODIES, "the number of velocities");
  whole(problem.nq, problem.nv, 7 * MOST_BODIES, "the number of coordinates");
  whole(problem.start, problem.nq + problem.nv, problem.nq + problem.nv, "the length of the state");
  whole(problem.frames, 1, MOST_FRAMES, "the number of frames");
  checkNames(problem);
  if (!(problem.duration > 0 && problem.duration < 1e6)) refuse(`the duration is ${problem.duration}`);
  if (!(problem.rtol >= 1e-14 && problem.rtol <= 1e-2)) refuse(`the tolerance is ${problem.rtol}`);
  const arrays = ["template", "steps", "machine", "rules", "groups"].map((key) => problem[key].length);
  if (arrays.reduce((sum, size) => sum + size, 0) > MOST_NUMBERS) refuse("its arrays are too long");
  const frames = (problem.frames + 1) * (problem.nq + problem.nv + 50 * problem.bodies);
  if (frames > 8 * MOST_NUMBERS) refuse("its motion is too long");
}

// Where the tables of a model begin, which must stand one after the other.
function checkHeader(problem, model, at) {
  if (model.length < at.HEADER) refuse("it has no header");
  const { bodies, nq, nv, equations, rows } = problem;
  const counts = { BODIES: bodies, VELOCITIES: nv, COORDINATES: nq, EQUATIONS: equations, ROWS: rows };
  for (const [name, count] of Object.entries(counts)) whole(model[at[name]], count, count, name);
  const forces = whole(model[at.FORCES], 0, 10 * MOST_BODIES, "the number of forces");
  const programs = whole(model[at.PROGRAMS], 0, MOST_NUMBERS, "the number of programs");
  whole(equations, 0, 10 * MOST_BODIES, "the number of equations");
  whole(rows, equations, MOST_NUMBERS, "the number of rows");
  const columns = at.HEADER + bodies * at.BODY_SIZE;
  const table = columns + nv * at.COLUMN_SIZE;
  const starts = table + forces * at.FORCE_SIZE;
  const lines = starts + programs + 1;
  const constants = whole(model[at.AT_CONSTANTS], lines, model.length, "the place of the constants");
  const order = model.length - (nv + 2 * equations);
  const constraints = order - rows * at.ROW_SIZE;
  const size = nv + equations;
  const expected = {
    AT_COLUMNS: columns,
    AT_FORCES: table,
    AT_STARTS: starts,
    AT_LINES: lines,
    AT_ROWS: constraints,
    AT_ORDER: order,
    AT_GROUPS: order + size,
  };
  for (const [name, place] of Object.entries(expected)) whole(model[at[name]], place, place, name);
  if (constraints < constants || (constants - lines) % 2 !== 0) refuse("its tables overlap");
  whole(model[at.BAND], 0, Math.max(0, size - 1), "the band");
  whole(model[at.PROJECTED], 0, 1, "PROJECTED");
  whole(model[at.FEEDBACK], 0, 0, "FEEDBACK");
  whole(model[at.RANK], 0, equations, "RANK");
  checkDataPlaces({ bodies, nq, nv, equations, rows, forces, size }, model, at);
  const count = { lines: (constants - lines) / 2, constants: constraints - constants };
  return { columns, forces: table, starts, lines, constants, rows: constraints, order, programs, count, made: forces };
}

function checkDataPlaces({ bodies, nq, nv, equations, rows, forces, size }, model, at) {
  const work = equations > 0 ? equations * nv + nv ** 2 + size ** 2 + at.WORK_VECTORS * Math.max(size, nq) : 0;
  const parts = [bodies * at.BODY_WORK, nv * at.COLUMN_WORK, forces * at.LAW_SIZE, 2 * at.STACK, rows, work];
  let place = at.DATA_HEADER;
  parts.forEach((part, k) => {
    place += part;
    whole(model[at.DATA_COLUMNS + k], place, place, "a place in the data");
  });
  if (place > MOST_NUMBERS) refuse("it is too large");
}

// Programs of the expression machine: their lines, operands, and how deep the stack becomes.
function checkPrograms(model, places, machine, nq, nv, at) {
  const { starts, lines, programs, count } = places;
  whole(model[starts], 0, 0, "the first program");
  whole(model[starts + programs], count.lines, count.lines, "the end of the programs");
  for (let p = 0; p < programs; p++) {
    const first = whole(model[starts + p], 0, count.lines, "a program");
    const past = whole(model[starts + p + 1], first + 1, count.lines, "a program's end");
    let depth = 0;
    for (let k = first; k < past; k++) {
      const operation = model[lines + 2 * k];
      depth = checkLine(operation, model[lines + 2 * k + 1], depth, machine, { nq, nv, constants: count.constants });
      if (depth < 1 || depth > at.STACK) refuse("a program leaves its stack");
    }
    if (depth !== 1) refuse("a program leaves more than one number");
  }
}

function checkLine(operation, operand, depth, machine, { nq, nv, constants }) {
  const taken = new Map([
    [machine.ADD, 2],
    [machine.MULTIPLY, 2],
    [machine.ATAN2, 2],
    [machine.MIN, 2],
    [machine.MAX, 2],
    [machine.WHERE, 3],
  ]);
  whole(operation, machine.CONSTANT, machine.WHERE, "an operation");
  const limits = { [machine.CONSTANT]: constants, [machine.COORDINATE]: nq, [machine.VELOCITY]: nv };
  if (operation in limits) whole(operand, 0, limits[operation] - 1, "an operand");
  if (operation === machine.POWER) whole(operand, -MOST_POWER, MOST_POWER, "a power");
  if (operation <= machine.VELOCITY) return depth + 1;
  const needed = taken.get(operation) ?? 1;
  if (depth < needed) refuse("a program takes more than it has");
  return depth + 1 - needed;
}

function checkBodies({ bodies, nq, nv }, model, { columns }, at) {
  let first = 0;
  const seen = new Set();
  for (let i = 0; i < bodies; i++) {
    const row = at.HEADER + i * at.BODY_SIZE;
    whole(model[row + at.PARENT], -1, i - 1, "a parent");
    whole(model[row + at.FIRST], first, first, "a first column");
    first += whole(model[row + at.COUNT], 0, nv - first, "a number of columns");
    seen.add(whole(model[row + at.INDEX], 0, bodies - 1, "an index"));
  }
  if (first !== nv || seen.size !== bodies) refuse("its bodies are not those of its velocities");
  const q = new Set();
  const u = new Set();
  for (let c = 0; c < nv; c++) {
    const row = columns + c * at.COLUMN_SIZE;
    const kind = whole(model[row + at.KIND], at.ROTATION, at.BALL_NEXT, "a kind of column");
    const width = kind === at.BALL ? 4 : kind === at.BALL_NEXT ? 0 : 1;
    const place = whole(model[row + at.QI], 0, nq - Math.max(1, width), "a coordinate");
    for (let j = 0; j < width; j++) q.add(place + j);
    u.add(whole(model[row + at.UI], 0, nv - 1, "a velocity"));
    if (kind === at.BALL) checkBall(model, row, columns + nv * at.COLUMN_SIZE, at);
  }
  if (q.size !== nq || u.size !== nv) refuse("its coordinates are not those of its joints");
}

function checkBall(model, row, end, at) {
  for (let j = 1; j < 3; j++) {
    const next = row + j * at.COLUMN_SIZE;
    if (next >= end) refuse("a ball lacks velocities");
    whole(model[next + at.KIND], at.BALL_NEXT, at.BALL_NEXT, "a ball's next column");
    whole(model[next + at.QI], model[row + at.QI], model[row + at.QI], "a ball's coordinate");
    whole(model[next + at.UI], model[row + at.UI] + j, model[row + at.UI] + j, "a ball's velocity");
  }
}

function checkForces({ bodies, nq, nv }, model, { forces, made, programs }, at) {
  const needed = { [at.ACTUATOR]: 1, [at.FORCE]: 3, [at.TORQUE]: 3, [at.LINE_LAW]: 3, [at.JOINT_LAW]: 3 };
  const inJoint = [at.JOINT_SPRING, at.JOINT_DAMPER, at.JOINT_FRICTION, at.ACTUATOR, at.JOINT_LAW];
  for (let f = 0; f < made; f++) {
    const row = forces + f * at.FORCE_SIZE;
    const kind = whole(model[row + at.F_KIND], at.SPRING, at.JOINT_LAW, "a kind of force");
    const loaded = kind === at.FORCE || kind === at.TORQUE;
    whole(model[row + at.F_A], loaded ? 0 : -1, bodies - 1, "a body of a force");
    whole(model[row + at.F_B], -1, bodies - 1, "a body of a force");
    const joint = inJoint.includes(kind);
    whole(model[row + at.F_COLUMN], joint ? 0 : -1, nv - 1, "a column of a force");
    whole(model[row + at.F_UI], joint ? 0 : -1, nv - 1, "a velocity of a force");
    const measured = kind === at.JOINT_SPRING || kind === at.JOINT_LAW;
    whole(model[row + at.F_QI], measured ? 0 : -1, nq - 1, "a coordinate of a force");
    const count = needed[kind] ?? 0;
    whole(model[row + at.F_PROGRAM], count > 0 ? 0 : -1, programs - count, "a program of a force");
    whole(model[row + at.F_AXES], -1, 1, "the axes of a force");
  }
}

function checkRows({ bodies, nv, equations, rows }, model, places, at) {
  let count = 0;
  for (let r = 0; r < rows; r++) {
    const row = places.rows + r * at.ROW_SIZE;
    const kind = whole(model[row + at.C_KIND], at.SEPARATION, at.CURVE_NEXT, "a kind of constraint");
    whole(model[row + at.C_A], kind >= at.CURVE ? 0 : -1, bodies - 1, "a body of a constraint");
    whole(model[row + at.C_B], -1, bodies - 1, "a body of a constraint");
    const needed = kind >= at.CURVE ? at.CURVE_PROGRAMS : kind === at.EQUATION ? 3 : kind === at.SLOPE ? 1 : 0;
    whole(model[row + at.C_PROGRAM], needed > 0 ? 0 : -1, places.programs - needed, "a program of a constraint");
    whole(model[row + at.C_UI], kind === at.SLOPE ? 0 : -1, nv - 1, "a velocity of a constraint");
    if (kind === at.SLOPE && count === 0) refuse("a slope belongs to no equation");
    if (kind !== at.SLOPE) count += 1;
  }
  if (count !== equations) refuse("its rows are not its equations");
  const order = new Set();
  for (let k = 0; k < nv + equations; k++) {
    order.add(whole(model[places.order + k], 0, nv + equations - 1, "a place in the order"));
  }
  if (equations > 0 && order.size !== nv + equations) refuse("an order that is none");
  for (let k = 0; k < equations; k++) {
    whole(model[places.order + nv + equations + k], at.LENGTHS, at.EXPRESSIONS, "a group");
  }
}

// Programs that belong to no model, of the recipe or of rules, which read the values as coordinates.
export function checkMachine(machine, values, names) {
  const at = names.layout;
  if (machine.length < at.HEADER) refuse("its recipe has no header");
  const programs = whole(machine[at.PROGRAMS], 0, MOST_NUMBERS, "the number of programs");
  const lines = at.HEADER + programs + 1;
  const constants = whole(machine[at.AT_CONSTANTS], lines, machine.length, "the place of the constants");
  for (const name of ["BODIES", "VELOCITIES", "COORDINATES", "FORCES", "EQUATIONS", "ROWS"])
    whole(machine[at[name]], 0, 0, name);
  for (const name of ["AT_COLUMNS", "AT_FORCES", "AT_STARTS"]) whole(machine[at[name]], at.HEADER, at.HEADER, name);
  whole(machine[at.AT_LINES], lines, lines, "AT_LINES");
  for (const name of ["AT_ROWS", "AT_ORDER", "AT_GROUPS"])
    whole(machine[at[name]], machine.length, machine.length, name);
  if ((constants - lines) % 2 !== 0) refuse("its recipe's tables overlap");
  const header = at.DATA_HEADER;
  for (const name of ["DATA_COLUMNS", "DATA_LAWS", "DATA_STACK"]) whole(machine[at[name]], header, header, name);
  const end = header + 2 * at.STACK;
  for (const name of ["DATA_FEET", "DATA_WORK", "DATA_SIZE"]) whole(machine[at[name]], end, end, name);
  const count = { lines: (constants - lines) / 2, constants: machine.length - constants };
  const places = { starts: at.HEADER, lines, programs, count };
  checkPrograms(machine, places, names.machine, values, 0, at);
}

// Steps fill numbers of the state, of g, bodies, axes, forces, constants, points: never a place, a kind or a count.
function checkSteps(problem, places, names) {
  const { steps, template, start } = problem;
  const { recipe, layout: at } = names;
  if (steps.length % 4 !== 0) refuse("its steps are cut");
  const free = freeSlots(problem, places, at);
  const programs = problem.machine[at.PROGRAMS];
  for (let k = 0; k < steps.length; k += 4) {
    const [kind, slot, operand, count] = steps.subarray(k, k + 4);
    whole(kind, recipe.PROGRAM, recipe.LARGEST, "a step");
    const width = kind === recipe.UNIT || kind === recipe.ACROSS ? 3 : 1;
    whole(slot, 0, template.length - width, "the slot of a step");
    for (let j = 0; j < width; j++) if (!free(slot + j)) refuse(`a step fills slot ${slot + j}`);
    if (kind === recipe.PROGRAM) whole(operand, 0, programs - 1, "the program of a step");
    if (kind === recipe.COPY) whole(operand, 0, template.length - 1, "the source of a step");
    if (kind === recipe.ACROSS) whole(operand, 0, 1, "the operand of a step");
    if (kind === recipe.LARGEST) {
      whole(count, 0, template.length, "the count of a step");
      whole(operand, 0, template.length - count, "the source of a step");
      if (slot !== start + at.LENGTH) refuse("a step measures something else than a length");
    }
  }
}

function freeSlots({ start, nv, bodies, rows }, places, at) {
  const inTable = (place, first, width, count, from, to) => {
    const column = (place - first) % width;
    return place >= first && place < first + width * count && column >= from && column < to;
  };
  return (slot) => {
    const place = slot - start;
    return (
      place < 0 ||
      place === at.LENGTH ||
      (place >= at.GRAVITY && place < at.GRAVITY + 3) ||
      inTable(place, at.HEADER, at.BODY_SIZE, bodies, at.AT, at.BODY_SIZE) ||
      inTable(place, places.columns, at.COLUMN_SIZE, nv, at.DIRECTION, at.COLUMN_SIZE) ||
      inTable(place, places.forces, at.FORCE_SIZE, places.made, at.F_VALUES, at.FORCE_SIZE) ||
      (place >= places.constants && place < places.constants + places.count.constants) ||
      inTable(place, places.rows, at.ROW_SIZE, rows, at.C_FIRST, at.ROW_SIZE)
    );
  };
}

function checkTables({ groups, nq, nv }, { sizes }) {
  whole(groups.length, nq + nv + 1, nq + nv + 1, "the number of sizes");
  for (const kind of groups) whole(kind, 0, sizes.KINDS - 1, "a kind of number");
}
