// A desk where wishes are answered, one at a time and by slices, in a worker or, where there is none, between the
// pictures of the page. Messages in: {open}, {wish}, {ask}, {forget}; out: {opened}, {refused}, {made}, {motion},
// {fault}, {horizon}. What is asked for, until when a motion is known, waits until no wish is left.

import { locate } from "../shared/frames.js";
import { anchorsAt } from "./anchors.js";
import { answered } from "./answer.js";
import { posed, poseWords, pulled } from "./hand.js";
import { horizon } from "./horizon.js";
import { openTwin, openWasm } from "./kernels.js";
import { solve } from "./motion.js";
import { move, readPlace } from "./moves.js";
import { readProblem } from "./recipe.js";
import { Refused } from "./refused.js";
import { rotationOf, snapTo, turns, turnTo } from "./rotation.js";

// Open the kernels of a box {wasm, twin, table}: as WebAssembly, or as JavaScript where a page forbids it.
async function openKernels({ wasm, twin, table }) {
  try {
    return await openWasm(wasm, table);
  } catch (error) {
    if (!twin) throw error;
    const address = URL.createObjectURL(new Blob([twin], { type: "text/javascript" }));
    try {
      return openTwin(await import(address), table);
    } finally {
      URL.revokeObjectURL(address);
    }
  }
}

export class Desk {
  // `tell`: takes the answers; `pause`: resolves when others have had their turn.
  constructor(tell, pause) {
    Object.assign(this, { tell, pause, problems: new Map(), wishes: new Map(), asked: new Map() });
    Object.assign(this, { busy: false, kernels: null });
  }

  hear({ box, open, wish, ask, forget }) {
    if (box) this.#unpack(box);
    if (open) this.opening = this.#open(open);
    if (forget !== undefined) {
      this.problems.delete(forget);
      for (const number of [1, 0, -1]) this.wishes.delete(placeOf({ id: forget, number }));
      this.asked.delete(forget);
    }
    if (ask) {
      this.asked.set(ask.id, ask);
      this.#work();
    }
    if (wish) {
      if (wish.number > 0) this.asked.delete(wish.id);
      this.wishes.set(placeOf(wish), wish);
      this.#work();
    }
  }

  #unpack(box) {
    this.names = box.names;
    this.digest = box.table.sha256;
    this.ready = openKernels(box);
  }

  async #open({ id, document }) {
    try {
      this.kernels = await this.ready;
      this.problems.set(id, { ...readProblem(document, this.names, this.digest), azimuths: new Map() });
      this.tell({ opened: id });
    } catch (error) {
      this.tell({ refused: id, why: String(error.message ?? error) });
    }
  }

  // One wish after the other; of one problem only the newest.
  async #work() {
    if (this.busy) return;
    this.busy = true;
    while (this.wishes.size || this.asked.size) {
      await this.opening;
      if (!this.wishes.size) {
        await this.#reply();
        continue;
      }
      const [[place, wish] = [0, {}]] = this.wishes; // one may have been forgotten meanwhile
      this.wishes.delete(place);
      const problem = this.problems.get(wish.id);
      if (problem) await this.#answer(problem, wish);
    }
    this.busy = false;
  }

  // Until when a motion is known, for one who asked; a wish goes first, and the question waits or is dropped.
  async #reply() {
    const [[id, ask]] = this.asked;
    const problem = this.problems.get(id);
    const began = performance.now();
    try {
      const { rotation, values } = ask;
      const start = problem && rotation ? rotationOf(this.kernels, problem, this.names, values, rotation).start : null;
      const run = horizon(this.kernels, problem, this.names, values, { start });
      let step = problem ? run.next() : { done: true, value: Number.NaN };
      while (!step.done) {
        await this.pause();
        if (this.wishes.size || this.asked.get(id) !== ask) return;
        if (performance.now() - began > ask.patience) step = { done: true, value: Number.NaN };
        else step = run.next();
      }
      this.tell({ horizon: id, number: ask.number, time: step.value });
    } catch (error) {
      if (!(error instanceof Refused) && !(error instanceof RangeError)) throw error;
    }
    if (this.asked.get(id) === ask) this.asked.delete(id);
  }

  // The values of a wish, moved as its sliders were, and what these then show; or why they cannot be moved.
  #moved(problem, { values, moves = [], read = [], rotation = null, hand = null }) {
    const { kernels, names } = this;
    kernels.heap.release();
    let now = values;
    let taken = null;
    if (hand) {
      taken = this.#takenBy(problem, now, hand);
      if (taken.refusal) return { why: taken.refusal };
      now = taken.values ?? now;
    }
    const steps = moves.map(([key, value]) =>
      rotation && turns(key)
        ? () => turnTo(kernels, problem, names, now, key, value)
        : () => move(kernels, problem, names, now, key, value, problem.azimuths),
    );
    if (rotation?.snap) steps.push(() => snapTo(kernels, problem, names, now));
    for (const step of steps) {
      const { values: found, refusal } = step();
      if (refusal) return { why: refusal };
      now = found;
    }
    const readings = read.map((key) => readPlace(kernels, problem, names, now, key, problem.azimuths));
    const turned = rotation && rotationOf(kernels, problem, names, now, rotation);
    return { values: Array.from(now), readings, turned, taken };
  }

  // What a hand does to the motion that was answered last: at rest it makes another start, else it pulls by a spring from
  // the frame of its time on.
  #takenBy(problem, values, hand) {
    const { kernels, names } = this;
    problem.last ??= this.#statesAt(problem, values);
    const { t, q, u } = problem.last;
    const [k] = locate(t, hand.time);
    const row = (numbers, wide) => numbers.slice(k * wide, (k + 1) * wide);
    const frame = row(q, problem.nq);
    if (!hand.pulls) {
      if (problem.drag?.number !== hand.drag) problem.drag = { number: hand.drag, q: frame };
      const found = pulled(kernels, problem, names, values, problem.drag.q, hand);
      problem.drag.q = found.q;
      return { ...posed(kernels, problem, names, values, found.q), words: poseWords(found, hand, names.hand.NOTICED) };
    }
    const start = [...frame, ...row(u, problem.nv)];
    const spring = pulled(kernels, problem, names, values, frame, hand, 0);
    return { start, spring: hand.last ? null : { ...spring, at: hand.at, place: hand.place }, passed: t[k], words: "" };
  }

  // The states of the motion of these values.
  #statesAt(problem, values) {
    const { kernels, names } = this;
    const run = solve(kernels, problem, names, values);
    let step = run.next();
    while (!step.done) step = run.next();
    const { heap } = kernels;
    const [t, q, u] = ["t", "q", "u"].map((name) => heap.view(step.value[name]).slice());
    heap.release();
    return { t, q, u };
  }

  async #answer(problem, wish) {
    const { id, number } = wish;
    try {
      const moved = this.#moved(problem, wish);
      if (moved.why) {
        this.tell({ fault: id, number, why: moved.why });
        return;
      }
      if (number === 0) this.tell({ made: id, ...anchorsAt(this.kernels, problem, this.names, wish) });
      const run = answered(this.kernels, problem, this.names, { ...asRotated(wish, moved), values: moved.values });
      const began = performance.now();
      let step = run.next();
      while (!step.done) {
        const spent = performance.now() - began;
        if (wish.patience && spent > wish.patience) {
          this.tell({ fault: id, number, why: "the motion takes too long to be followed here" });
          return;
        }
        await this.pause();
        if (wish.number < 0 && this.wishes.has(placeOf({ id, number: 1 }))) return; // it brings them along
        // a wish that came meanwhile, and none that is nearly done, goes first
        if (this.wishes.has(placeOf(wish)) && spent > wish.stale) return;
        step = run.next();
      }
      const { why, states, ...found } = step.value;
      if (why) this.tell({ fault: id, number, why });
      else {
        if (number > 0) problem.last = states;
        this.tell({ motion: id, number, ...moved, ...found }, buffersOf(found));
      }
    } catch (error) {
      if (!(error instanceof Refused) && !(error instanceof RangeError)) throw error;
      this.tell({ fault: id, number, why: error.message });
    }
  }
}

// A wish for a rotation about the vertical: its programs read the rotation, and its motion may begin beside it.
function asRotated(wish, { turned, taken }) {
  if (taken) return { ...wish, start: taken.start ?? null, spring: taken.spring ?? null };
  if (!turned) return wish;
  const { wanted } = wish;
  const tables = wanted.tables && { ...wanted.tables, own: turned.own };
  return { ...wish, wanted: { ...wanted, tables }, start: turned.start };
}

// Wishes of one problem stand in one place, where the newest is; the first, which nobody sees, and those for the numbers of
// formulae alone, which are below 0, have their own.
const placeOf = ({ id, number }) => `${id} ${Math.max(-1, Math.min(number, 1))}`;

const buffersOf = (found) =>
  [...Object.values(found), ...(found.filled ?? []), found.curves?.across, found.curves?.values]
    .filter((value) => value instanceof Float32Array)
    .map((value) => value.buffer);
