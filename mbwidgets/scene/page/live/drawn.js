// What a picture and a plot draw of a motion, as the buffers that they take: poses, arrows, springs and rods, curves.

import { anchorsIn, seenFrom, turned } from "./anchors.js";
import { constraintActions } from "./constraint_actions.js";
import { openedIn, openedTables, shiftAnchors, shiftedPlaces, shiftIn } from "./opened_joint.js";
import { plotted } from "./plotted.js";
import { spectrumCurves } from "./spectrum.js";
import { largestSizes, partsOfTables, readTables, roomFor, runTables } from "./tables.js";

const PARTS = ["static", "kinetic", "applied"];
const BOUND = "constraints";
const ACTION = "action ";
const OWN = "program"; // arrows of a view's own: nine results each, where it begins, its value, and its offset
const SPARE = 64; // numbers, for small arrays

// The buffers of an observed motion. `wanted`: `arrows`, each {from, column, sign, at, body, shift}; `spans`, pairs of
// {body, at} whose `at` are places in the model's array; `follow`, where a camera that goes along is at home; `curves`,
// what a plot shows. With them comes how large the arrows of each unit are over all bodies, and what is sound.
export function drawn(kernels, problem, names, motion, found, wanted) {
  const { measured = [], spans = [], follow = null, curves = null } = wanted;
  const arrows = (wanted.arrows ?? []).map((arrow) =>
    arrow.from === OWN && !wanted.tables?.drawn ? { ...arrow, from: "", stacked: false } : arrow,
  );
  const program = wanted.tables ? readTables(wanted.tables.program, names) : null;
  const guides = wanted.guides ? readTables(wanted.guides.program, names) : null;
  const once = wanted.tables?.once ? readTables(wanted.tables.once.program, names) : null;
  const divided =
    [...arrows, ...measured].some(({ from }) => PARTS.includes(from)) ||
    curves?.kind.match(/^press|spectrum$/) ||
    program?.tables.some((name) => PARTS.includes(name.split(" ")[0]));
  // first: what takes memory may move all that was seen of it before
  const parts = divided ? partsOf(kernels, problem, names, motion, found) : {};
  const opened = openedTables(kernels, problem, names, motion, openedIn(program?.tables ?? []));
  const bound = boundIn(arrows, program?.tables ?? []);
  const { heap } = kernels;
  // room for what is taken later: memory that grows would move all that is seen of it
  const { top } = heap;
  const rooms = [program, once, guides].map((item) => (item ? roomFor(item, names) : 0));
  heap.take(heap.view(motion.model)[names.layout.DATA_SIZE] + SPARE + Math.max(...rooms));
  heap.release(top);
  const see = sights(heap, problem, names, motion, { ...found, ...parts, ...opened });
  if (bound.length && see.multiplier) {
    see.actions = constraintActions(kernels, problem, names, motion, see, bound, turned);
  }
  const width = program?.results.length ?? 0;
  see.own = Float64Array.from(wanted.tables?.own ?? []);
  see.parameters = Float64Array.from(motion.values);
  see.program = program ? runTables(kernels, names, withActions(see), program) : null;
  see.programWidth = width;
  const anchors = anchorsIn(see, wanted.parents ?? []);
  const shift = shiftIn(wanted.tables);
  if (shift && wanted.parents) {
    shiftAnchors(anchors, see, shift, wanted.parents, (body, way) => seenFrom(see.quaternion, body, way));
    see.position = shiftedPlaces(see, shift);
  }
  return {
    filled: program ? partsOfTables(see.program, width, see.count, wanted.tables.fills) : [],
    once: once
      ? partsOfTables(runTables(kernels, names, see, once, 1), once.results.length, 1, wanted.tables.once.fills)
      : [],
    sizes: program ? largestSizes(see.program, width, wanted.tables.words ?? []) : [],
    offsets: offsetsOf(see, arrows),
    times: Float32Array.from(see.t),
    poses: posesOf(see),
    vectors: arrowsOf(see, arrows),
    longest: longestOf(see, measured, arrows),
    span_ends: endsOf(see, spans),
    drift: follow ? driftOf(see, follow) : new Float32Array(0),
    anchors,
    guides: guides ? Float32Array.from(runTables(kernels, names, see, guides, 1)) : new Float32Array(0),
    rows: wanted.rows ? rowsOf(see) : null,
    // last: a spectrum may take more memory
    curves: curves && plotted(see, curves, () => spectrum(kernels, problem, names, motion, see, curves)),
  };
}

// Constraints and bodies whose actions are asked for, "owner body".
function boundIn(arrows, tables) {
  const named = tables.filter((name) => name.startsWith(ACTION)).map((name) => name.slice(ACTION.length));
  const shown = arrows.filter(({ from }) => from === BOUND).map(({ owner, body }) => `${owner} ${body}`);
  return [...new Set([...named, ...shown])];
}

// The numbers of a motion with one table for each action: point, force, moment.
function withActions(see) {
  const found = { ...see };
  for (const [name, action] of Object.entries(see.actions ?? {})) {
    const rows = new Float64Array(9 * see.count);
    for (let k = 0; k < see.count; k++) {
      ["point", "force", "moment"].forEach((part, j) => {
        rows.set(action[part].subarray(3 * k, 3 * k + 3), 9 * k + 3 * j);
      });
    }
    found[ACTION + name] = rows;
  }
  return found;
}

// (frames, arrows, 3): the vectors, in the arrows' own units, at whose tips they begin; empty where all begin at points.
function offsetsOf({ count, program, programWidth }, arrows) {
  if (!arrows.some(({ stacked }) => stacked)) return new Float32Array(0);
  const out = new Float32Array(3 * count * arrows.length);
  arrows.forEach(({ stacked, column }, n) => {
    for (let k = 0; stacked && k < count; k++) {
      const from = k * programWidth + column + 6;
      out.set(program.subarray(from, from + 3), 3 * (k * arrows.length + n));
    }
  });
  return out;
}

// The numbers of a motion, as they stand in the memory.
function sights(heap, problem, names, motion, found) {
  const seen = { count: motion.count, bodies: problem.bodies, nq: problem.nq, nv: problem.nv };
  const arrays = { ...found, t: motion.t, q: motion.q, u: motion.u, numbers: motion.plain };
  for (const [name, array] of Object.entries(arrays)) if (array?.shape) seen[name] = heap.view(array);
  const { static: still, kinetic, reactions } = seen;
  // what weight and motion leave of a reaction is that of the loads, unless a loop is closed
  if (still && problem.equations === 0) seen.applied = reactions.map((value, k) => value - still[k] - kinetic[k]);
  const { WIDTH, O_IN_PARENT, O_STAR, C } = names.vectors;
  return { ...seen, width: WIDTH, places: { O: O_IN_PARENT, "O*": O_STAR, C } };
}

// The largest length of each of these quantities over all bodies and frames, by its unit.
function longestOf(see, measured, arrows) {
  const found = {};
  for (const { column, unit, stacked } of arrows.filter(({ from }) => from === OWN)) {
    found[unit] = Math.max(found[unit] ?? 0, longestOwn(see, column, stacked));
  }
  for (const { from, owner, body, column, unit } of arrows) {
    const values = from === BOUND ? see.actions?.[`${owner} ${body}`]?.[column === 0 ? "force" : "moment"] : null;
    for (let at = 0; at < (values?.length ?? 0); at += 3) {
      found[unit] = Math.max(found[unit] ?? 0, Math.hypot(values[at], values[at + 1], values[at + 2]) || 0);
    }
  }
  for (const { from, column, unit } of measured) {
    const values = see[from] ?? [];
    const wide = from === "vectors" ? see.width : 6;
    let most = found[unit] ?? 0;
    for (let at = column; at < values.length; at += wide) {
      const length = Math.hypot(values[at], values[at + 1], values[at + 2]);
      if (length > most && length < Number.POSITIVE_INFINITY) most = length;
    }
    found[unit] = most;
  }
  return found;
}

// The largest length of an arrow of a view's own, and of where its tip stands from the place where its chain begins.
function longestOwn({ count, program, programWidth }, column, stacked) {
  let most = 0;
  for (let k = 0; k < count; k++) {
    const [, , , x, y, z, a, b, c] = program.subarray(k * programWidth + column, k * programWidth + column + 9);
    const length = Math.max(Math.hypot(x, y, z), stacked ? Math.hypot(x + a, y + b, z + c) : 0);
    if (length > most && length < Number.POSITIVE_INFINITY) most = length;
  }
  return most;
}

// (frames, bodies, 7): place and quaternion, whose sign does not jump from frame to frame.
function posesOf({ count, bodies, position, quaternion }) {
  const out = new Float32Array(count * bodies * 7);
  const before = new Float64Array(4 * bodies);
  for (let k = 0, at = 0; k < count; k++) {
    for (let i = 0; i < bodies; i++, at += 7) {
      const row = k * bodies + i;
      for (let j = 0; j < 3; j++) out[at + j] = position[3 * row + j];
      let along = 0;
      for (let j = 0; j < 4; j++) along += quaternion[4 * row + j] * before[4 * i + j];
      const sign = along < 0 ? -1 : 1;
      for (let j = 0; j < 4; j++) {
        before[4 * i + j] = sign * quaternion[4 * row + j];
        out[at + 3 + j] = before[4 * i + j];
      }
    }
  }
  return out;
}

// (frames, arrows, 6): beginning and value; what the page cannot tell has no value.
function arrowsOf(see, arrows) {
  const { count, bodies, vectors, width, places, quaternion } = see;
  const out = new Float32Array(count * arrows.length * 6);
  arrows.forEach((arrow, n) => {
    const { from, column, sign = 1, at, body, frame = body, shift = null } = arrow;
    if (from === BOUND || from === OWN) {
      (from === OWN ? ownArrow : boundArrow)(see, arrow, n, arrows.length, out);
      return;
    }
    const values = see[from];
    const wide = from === "vectors" ? width : 6;
    for (let k = 0; k < count; k++) {
      const row = k * bodies + body;
      const to = 6 * (k * arrows.length + n);
      const aside = shift ? turned(quaternion, k * bodies + frame, shift) : [0, 0, 0];
      for (let j = 0; j < 3; j++) {
        out[to + j] = vectors[row * width + places[at] + j] + aside[j];
        out[to + 3 + j] = values ? sign * values[row * wide + column + j] : Number.NaN;
      }
    }
  });
  return out;
}

// An arrow of a view's own.
function ownArrow({ count, bodies, quaternion, program, programWidth }, { column, shift, frame }, n, many, out) {
  for (let k = 0; k < count; k++) {
    const [from, to] = [k * programWidth + column, 6 * (k * many + n)];
    const aside = shift ? turned(quaternion, k * bodies + frame, shift) : [0, 0, 0];
    for (let j = 0; j < 3; j++) {
      out[to + j] = program[from + j] + aside[j];
      out[to + 3 + j] = program[from + 3 + j];
    }
  }
}

// An arrow of what a constraint does to a body, at its point.
function boundArrow({ count, bodies, quaternion, actions }, { owner, body, column, shift, frame }, n, many, out) {
  const found = actions?.[`${owner} ${body}`];
  for (let k = 0; k < count; k++) {
    const to = 6 * (k * many + n);
    const aside = shift ? turned(quaternion, k * bodies + frame, shift) : [0, 0, 0];
    for (let j = 0; j < 3; j++) {
      out[to + j] = found ? found.point[3 * k + j] + aside[j] : 0;
      out[to + 3 + j] = found ? found[column === 0 ? "force" : "moment"][3 * k + j] : Number.NaN;
    }
  }
}

// Reactions of the weight alone, and of the motion alone.
function partsOf(kernels, problem, names, motion, found) {
  const { heap } = kernels;
  const { layout } = names;
  const { count, t, q, u } = motion;
  const weight = heap.put(heap.view(motion.model).slice());
  heap.view(weight)[layout.FORCES] = 0;
  const still = [heap.take(count, problem.nv), heap.take(count, problem.nv)];
  const reactions = (numbers, speeds, rates) => wrenchesAt(kernels, problem, names, numbers, t, q, speeds, rates);
  const light = withoutLoads(kernels, names, motion.model);
  const [standing, moving] = [reactions(weight, ...still), reactions(light, u, found.ud)];
  const efforts = { "static effort": standing.effort, "kinetic effort": moving.effort };
  return { static: standing.out, kinetic: moving.out, ...efforts };
}

// A model without forces and gravity.
function withoutLoads({ heap }, { layout }, model) {
  const light = heap.put(heap.view(model).slice());
  heap.view(light)[layout.FORCES] = 0;
  heap.view(light).fill(0, layout.GRAVITY, layout.GRAVITY + 3);
  return light;
}

// Reactions (frames, bodies, 6) and efforts (frames, nv) of all joints of a model at states with accelerations.
function wrenchesAt(kernels, problem, names, model, t, q, u, ud) {
  const { heap } = kernels;
  const data = heap.take(heap.view(model)[names.layout.DATA_SIZE]);
  kernels.call("reset_data", model, data);
  const [out, effort] = [heap.take(t.size, problem.bodies, 6), heap.take(t.size, problem.nv)];
  kernels.call("inverse_dynamics", model, data, t, q, u, ud, effort, out);
  return { out, effort };
}

// A spectrum, or why there is none. What the motion has is copied: memory that grows would move it.
function spectrum(kernels, problem, names, motion, see, curves) {
  const { heap } = kernels;
  const wanted = ["t", "q", "u", "ud", "kinetic", "reactions", "numbers"];
  const kept = Object.fromEntries(wanted.map((name) => [name, see[name].slice()]));
  const { top } = heap;
  const between = ({ count, t, q, u, ud }) => {
    const model = withoutLoads(kernels, names, motion.model);
    const states = [heap.put(t), ...[q, u, ud].map((values) => heap.put(values, count, values.length / count))];
    return heap.view(wrenchesAt(kernels, problem, names, model, ...states).out).slice();
  };
  const found = spectrumCurves({ ...see, ...kept }, problem, names, curves, between);
  heap.release(top);
  return found;
}

// (frames, 1 + nq + nv + 2): the table of a motion, as Motion.table has it.
function rowsOf({ count, nq, nv, t, q, u, totals }) {
  const width = nq + nv + 3;
  const out = new Float64Array(count * width);
  for (let k = 0; k < count; k++) {
    out[k * width] = t[k];
    out.set(q.subarray(k * nq, (k + 1) * nq), k * width + 1);
    out.set(u.subarray(k * nv, (k + 1) * nv), k * width + 1 + nq);
    out.set(totals.subarray(8 * k, 8 * k + 2), (k + 1) * width - 2);
  }
  return out;
}

// (frames, spans, 6): where springs, dampers and rods begin and end.
function endsOf({ count, bodies, position, quaternion, numbers }, spans) {
  const out = new Float32Array(count * spans.length * 6);
  for (let k = 0, to = 0; k < count; k++) {
    for (const span of spans) {
      for (const { body, at } of span) {
        const local = numbers.subarray(at, at + 3);
        const row = k * bodies + body;
        const from = body < 0 ? local : turned(quaternion, row, local).map((value, j) => value + position[3 * row + j]);
        for (let j = 0; j < 3; j++) out[to++] = from[j];
      }
    }
  }
  return out;
}

// (frames, 3): how far a camera goes along with what leaves its room.
function driftOf({ count, bodies, position }, { home, room }) {
  const out = new Float32Array(3 * count);
  for (let k = 0; k < count; k++) {
    const way = [0, 0, 0];
    for (let i = 0; i < bodies; i++) for (let j = 0; j < 3; j++) way[j] += position[3 * (k * bodies + i) + j] / bodies;
    for (let j = 0; j < 3; j++) way[j] -= home[j];
    const far = Math.max(Math.hypot(...way), room);
    for (let j = 0; j < 3; j++) out[3 * k + j] = way[j] * (1 - room / far);
  }
  return out;
}
