// What the page does with a moved slider: a wish to the desk, and its answer into the picture, the plot and the health.

import { floats } from "../../scene/page/shared/frames.js";
import { keepAside, layOver, layReadings } from "../../scene/page/shared/overlay.js";
import { Beside } from "./live_beside.js";
import { deskFor } from "./live_desk.js";
import { Fills } from "./live_fills.js";
import { healthOf, healthTrouble, withHorizon } from "./live_health.js";
import { PageHistory } from "./live_history.js";
import { afterPicture } from "./live_pictures.js";
import { lengthsOnStage, stack, widened } from "./live_scales.js";

const FINE = 1e-10; // relative tolerance at rest, as in Python
const COARSE = 1e-7; // under the hand, where a motion takes long
const QUICK = 12; // ms that a motion may take under the hand at the fine tolerance
const STALE = 250; // ms after which a motion that is still being solved gives way to a newer wish
const PATIENCE_AT_REST = 20000; // ms for a motion to be solved
const PATIENCE_WARMING = 300; // ms for one that nobody sees
const CALM = 600; // ms without a wish, after which it is asked until when the motion is known
const PATIENCE_WITH_HORIZON = 30000; // ms for it to be found
const START = /^(q|u|hand) \d+$/; // letters of where a motion starts: formulae hold for any start
const LATER = "This plot is computed when the slider rests.";

export class Answers {
  constructor(model, parts) {
    Object.assign(this, { model, ...parts, id: 0, flight: null, next: null, took: 0, moves: new Map() });
    this.history = new PageHistory();
    this.fills = new Fills(model);
    this.beside = new Beside();
    this.filling = 0; // motions that are being written into parts
    this.looks = []; // what else follows a motion, before it is drawn
    this.rotation = null; // of a chain that turns about the vertical: what is moved besides, see live_rotation.js
  }

  // Take the moves of these sliders, and show curves in this plot, where there are any.
  join(controls, plot, panel = null) {
    Object.assign(this, { controls, plot, panel });
    const hand = {
      takes: (key) => this.takes(key),
      move: (key, value) => this.move(key, value),
      rest: () => this.rest(),
      settle: () => this.settle(),
      undo: () => this.undo(),
      redo: () => this.redo(),
      reset: () => this.reset(),
      fit: (view) => this.fit(view),
      look: (view) => Boolean(this.stage?.look(view)),
      theme: () => this.turnTheme?.(),
      table: () => this.table(),
      isIdle: () => !this.flight && !this.next && this.beside.isDone && this.filling === 0,
    };
    this.hand = hand;
    if (panel) keepAside(panel, "_live", hand);
    if (controls) keepAside(controls, "_live", hand);
  }

  // A problem of a new mechanism, or none.
  open() {
    this.close();
    const document = this.model.get("problem");
    this.#known(null);
    this.player.set("_thinks", Boolean(document.names));
    if (!document.names) return;
    this.document = document;
    this.post ??= deskFor(this.box);
    this.settle();
    this.id = this.post.enter((answer) => this.hear(answer));
    this.post.post({ open: { id: this.id, document } });
    this.opened?.();
    this.#warm();
  }

  close() {
    clearTimeout(this.calm);
    this.beside.forget();
    if (this.id) this.post.leave(this.id);
    Object.assign(this, { id: 0, flight: null, next: null, moves: new Map() });
  }

  // The kernel has spoken: its values are those from which the next move goes.
  settle() {
    this.beside.forget();
    this.values = [...this.model.get("values")];
    this.rested = true;
    this.own = new Map();
    this.scales = {};
    this.moves.clear();
    this.fills.restore();
    if (this.controls) layReadings(this.controls, null);
    this.rotation?.settle();
    this.#known(null);
    if (this.id) this.#warm(); // shapes are made anew
  }

  // The kernel tells something else of the same motion: the view's own numbers are as it says, and what is under way was
  // asked with others. Only what it has not heard of is asked again.
  tellAgain() {
    if (this.wanting) return;
    this.own = new Map();
    if (this.flight && !this.flight.hand && !this.flight.quiet) {
      this.flight = null;
      if (this.moves.size && !this.next) this.wish(FINE);
    }
    if (!this.flight && !this.next && !this.moves.size) this.fills.restore();
  }

  // The page itself wants something else to be drawn of the same motion.
  want(changes) {
    this.wanting = true;
    this.model.set("wanted", { ...this.model.get("wanted"), ...changes });
    this.wanting = false;
  }

  // Whether the page itself can move the number with this key: one of the mechanism's, or one of the view's own.
  takes(key) {
    if (!this.id) return false;
    if (this.#ownPlace(key) >= 0 || this.rotation?.takes(key)) return true;
    const { names, moves } = this.document;
    if (key in moves.notes) return false;
    return key in moves.aliases || names.includes(key) || names.includes(key.replace(/ [01]$/, " x")); // an angle
  }

  #ownPlace(key) {
    return this.model.get("wanted").tables?.keys.indexOf(key) ?? -1;
  }

  move(key, value) {
    this.fills.touch(key);
    this.rotation?.touch(key);
    // what snaps does so from where the slider was taken: the way there leaves no trace, as the kernel does not see it
    if (this.rotation && (this.rested || this.held !== key)) Object.assign(this, { from: [...this.values], held: key });
    this.rested = false;
    if (this.#ownPlace(key) >= 0) this.own.set(key, value);
    else this.moves.set(key, value);
    this.wish(this.took > QUICK ? COARSE : FINE);
  }

  // A hand on a body: it sets the pose of the start, or pulls from the frame that is shown on.
  grab(grip) {
    this.rested = true;
    this.wish(grip.last ? FINE : COARSE, grip);
  }

  // The slider rests: what was answered coarsely, or with arrows whose scale tells of the way there, is answered again.
  rest() {
    this.rested = true;
    const { units } = this.model.get("wanted");
    const isStrayed = Object.entries(this.scales ?? {}).some(([unit, scale]) => scale !== units[unit]?.scale);
    if ((this.next ?? this.flight ?? this.shown)?.rtol === COARSE || isStrayed) this.wish(FINE);
  }

  // Something else of the same motion is to be seen.
  again() {
    this.wish(FINE);
  }

  // A page that holds fewer frames than the motion has solves it whole, before anything is moved; what it says stays.
  refine() {
    const { frames } = this.document ?? {};
    if (!this.id || this.flight || this.next || floats(this.player.get("times")).length > frames) return;
    this.wish(FINE);
    this.flight.quiet = true;
  }

  // Other objects are to be moved by the player, as soon as there are numbers for them.
  replace(objects) {
    this.objects = objects;
    this.wish(FINE);
  }

  // Back to values that were, or on to those that were left.
  undo() {
    this.#go(this.history.undo(this.values));
  }

  redo() {
    this.#go(this.history.redo(this.values));
  }

  reset() {
    this.history.note(this.values, "reset");
    this.#go(this.model.get("origin"));
  }

  #go(values) {
    if (!values?.length) return;
    this.values = [...values];
    this.rested = true;
    this.moves.clear();
    this.wish(FINE);
  }

  // Suit the stage to what is shown, and turn the camera to one of the standard views; false where the kernel does it.
  fit(view) {
    if (!this.stage) return false;
    this.fitting = { view };
    this.wish(FINE);
    return true;
  }

  // The motion that is shown as a table, row by row; null where the kernel alone has it.
  table() {
    if (!this.id) return Promise.resolve(null);
    return new Promise((resolve) => {
      this.awaited = resolve;
      this.wish(FINE);
    });
  }

  // The room that the stage has for arrows, and whether the camera goes along, follow from what is shown.
  #suit(found) {
    const wider = this.stage.suit(found);
    this.wider = (this.wider ?? 1) * wider;
    const wanted = this.model.get("wanted");
    const { follow } = this.stage.frame;
    this.want({ units: widened(wanted.units, wider), follow });
    this.scales = {};
    return Boolean(follow || wanted.follow);
  }

  // Ask, once nothing else is wanted, until when the motion is known.
  #wonder() {
    clearTimeout(this.calm);
    const { id, count = 0 } = this;
    const ask = () => {
      if (this.flight || this.next || !id || id !== this.id) return;
      this.post.post({
        ask: {
          id,
          number: count,
          values: [...this.values],
          rotation: this.#rotation(),
          patience: PATIENCE_WITH_HORIZON,
        },
      });
    };
    this.calm = setTimeout(ask, CALM);
  }

  // Until when the motion is known, s; null where that is not known yet. The kernel, too, writes the line of health.
  #known(time) {
    this.horizon = time;
    this.player.set("_horizon", Number.isFinite(time) ? time : null);
    this.tellHorizon();
  }

  tellHorizon() {
    const { health } = this;
    const line = health?.get("value") ?? "";
    const told = withHorizon(this.model.get("words"), line, this.horizon ?? Number.NaN);
    if (told !== line) health.set("value", told);
  }

  wish(rtol, hand = null) {
    if (this.horizon !== null) this.#known(null);
    clearTimeout(this.calm);
    const { arrows, units, spans, follow, parents, guides, ...rest } = this.model.get("wanted");
    const curves = this.curves?.() ?? rest.curves;
    const measured = Object.entries(units).flatMap(([unit, { tables }]) =>
      tables.map(([from, column]) => ({ from, column, unit })),
    );
    const ends = spans.map((pair) => pair.map(([body, at]) => ({ body, at })));
    const told = { curves, parents, guides, tables: this.#tables(), rows: Boolean(this.awaited) };
    const wanted = { arrows, measured, spans: ends, follow, ...told };
    Object.assign(wanted, { formulae: this.formulae ?? [], check: this.check ?? null });
    this.count = (this.count ?? 0) + 1;
    const read = (this.controls?.get("rows") ?? []).map(({ key }) => key).filter((key) => this.#ownPlace(key) < 0);
    const wish = {
      id: this.id,
      number: this.count,
      values: this.#start(),
      moves: [...this.moves],
      read,
      rtol,
      wanted,
      rotation: this.#rotation(),
      hand,
    };
    if (hand?.pulls) Object.assign(wanted, { formulae: [], check: null }); // they know nothing of the hand
    this.next = { ...wish, stale: STALE, patience: PATIENCE_AT_REST };
    this.#send();
  }

  // The program of the tables, with the view's own numbers as its sliders stand.
  #tables() {
    const { tables } = this.model.get("wanted");
    if (!tables) return null;
    return { ...tables, own: tables.keys.map((key, k) => this.own.get(key) ?? tables.own[k]) };
  }

  // The values from which the moves that are not done yet go.
  #start() {
    return [...(this.rotation && this.moves.size ? this.from : this.values)];
  }

  #rotation() {
    return this.rotation?.wish() ?? null;
  }

  // The numbers of these formulae are to be seen beneath them.
  tellFormulae(formulae) {
    this.formulae = formulae;
    if (!formulae.length || !this.id) return;
    const wish = { id: this.id, number: -1, values: [...this.values], moves: [...this.moves], rtol: FINE };
    this.post.post({ wish: { ...wish, wanted: { formulae }, stale: 0, patience: PATIENCE_AT_REST } });
  }

  // The first run of the kernels is slow, whatever they solve: it is not left to the first move.
  #warm() {
    const { parents, guides } = this.model.get("wanted");
    const wanted = { parents, guides, tables: this.#isShifted() ? this.#tables() : null };
    const wish = { id: this.id, number: 0, values: [...this.values], rtol: COARSE, wanted };
    this.post.post({ wish: { ...wish, stale: 0, patience: PATIENCE_WARMING } });
    this.#wonder();
  }

  // One wish is under way at a time, as long as it is quick; of those that wait only the newest is kept. The next goes
  // when the picture of the last answer is drawn: what is solved and never seen takes its time from pictures.
  #send() {
    if (!this.next || this.drawing) return;
    const left = this.flight ? STALE - (performance.now() - this.sent) : 0;
    clearTimeout(this.timer);
    if (left > 0) {
      this.timer = setTimeout(() => this.#send(), left);
      return;
    }
    this.sent = performance.now();
    this.flight = this.next;
    this.next = null;
    this.post.post({ wish: this.flight });
  }

  hear(answer) {
    if (answer.opened) return;
    if (answer.refused) this.#refuse(answer.why);
    else if (answer.horizon) {
      if (answer.number === (this.count ?? 0)) this.#known(answer.time);
    } else if (answer.made || answer.number === 0) this.#hold(answer);
    else if (answer.number === -1) this.numbered?.(answer);
    else if (answer.number === this.flight?.number) {
      this.#land(answer);
      const drawn = afterPicture(() => {
        if (this.drawing === drawn) this.drawing = null;
        this.#send();
      });
      this.drawing = drawn;
    }
  }

  // Where shapes are held as they were made; in a mechanism that is drawn opened only a motion tells.
  #hold({ made, anchors, guides }) {
    if (anchors && (made !== undefined) !== this.#isShifted()) this.made = { anchors, guides };
  }

  #isShifted() {
    return Boolean(this.model.get("wanted").tables?.fills.some(({ kind }) => kind === "shift"));
  }

  // The problem was saved by another version, or is none: the kernel answers, if there is one.
  #refuse(why) {
    this.close();
    this.#complain(why);
  }

  // A wish is answered. What its sliders were moved to is done, or refused; a slider may have gone on since.
  #land(answer) {
    const { flight } = this;
    this.flight = null;
    if (flight.quiet) {
      if (!answer.fault) this.#refined(answer);
      return;
    }
    this.shown = flight;
    for (const [key, value] of flight.moves) if (this.moves.get(key) === value) this.moves.delete(key);
    if (answer.fault) {
      this.beside.finish(); // the words of the last good motion come before the complaint
      this.fitting = null;
      this.#hand(null);
      this.#complain(answer.why);
      if (flight.hand) this.ungrabbed?.(flight.hand.last ? "" : answer.why);
      return;
    }
    const what = flight.hand && !flight.hand.pulls ? "pose" : flight.moves.map(([key]) => key).join();
    this.history.note(this.values, what);
    this.values = answer.values;
    this.noticed?.(this.values);
    this.#read(flight.read, answer.readings);
    if (answer.rows) this.#hand(answer.rows);
    if (flight.hand) this.#follow(flight.hand, answer.taken);
    this.show(answer);
    if (this.next?.hand) this.next.hand = { ...this.next.hand, time: this.player.get("time") };
    if (this.next) Object.assign(this.next, { values: this.#start(), moves: [...this.moves] });
  }

  // The same motion in more frames: nothing is left behind as a ghost.
  #refined(answer) {
    const { player } = this;
    const forget = () => player.set("forgotten", player.get("forgotten") + 1);
    forget();
    this.show(answer, true);
    forget();
  }

  // The clock goes on from where the hand took the motion; a pose is that of the start.
  #follow(hand, taken) {
    const { player } = this;
    player.set("time", hand.pulls ? Math.max(0, player.get("time") - taken.passed) : 0);
    this.grabbed?.(hand, taken);
  }

  #hand(rows) {
    this.awaited?.(rows);
    this.awaited = null;
  }

  // Sliders follow one another: those of the same number, and those that moved along.
  #read(keys, readings) {
    const { controls } = this;
    const rows = controls?.get("rows") ?? [];
    const found = new Map(keys.map((key, k) => [key, readings[k]]));
    for (const [key, value] of this.own) found.set(key, value);
    if (keys.some((key) => !rows.some((row) => row.key === key))) return;
    const before = controls.get("values");
    layReadings(
      controls,
      rows.map(({ key }, k) => (Number.isFinite(found.get(key)) ? found.get(key) : before[k])),
    );
  }

  // `quiet`: what is said and how long arrows are stays.
  show(found, quiet = false) {
    this.took = found.took;
    this.stage?.measure();
    this.stage?.turn(found.gravity);
    const { player, fitting } = this;
    const afresh = fitting && this.#suit(found);
    const { times, poses, vectors, span_ends, drift } = found;
    // at rest a picture is that of its values, whatever way the slider has gone
    if (this.rested && !this.shown?.hand) this.scales = {};
    const spans = this.model.get("wanted").spans.length ? span_ends : floats(player.get("span_ends"));
    const told = [this.model.get("wanted"), player.get("lengths"), found.longest];
    const lengths = quiet ? told[1] : lengthsOnStage(...told, this.scales, this.magnify ?? 1);
    if (this.objects && vectors.length === 6 * times.length * this.objects.arrows.length) {
      player.set({ ...this.objects, lengths });
      this.objects = null;
    }
    stack(vectors, found.offsets, lengths);
    // some of them are in the picture
    this.filling += 1;
    const pulled = Boolean(this.shown?.hand?.pulls);
    const state = { isPlainMoved: this.isPlainMoved(), chosen: this.chosen, quiet, pulled };
    this.fills.fill(found, state).finally(() => {
      this.filling -= 1;
    });
    for (const look of this.looks) look(found);
    const { parents, guides: bound } = this.model.get("wanted");
    const guides = { before: this.made?.guides, now: found.guides, standing: bound?.standing ?? [] };
    const shapes = { before: this.made?.anchors, now: found.anchors, parents, guides };
    const { errors } = found.sound;
    layOver(player, { times, poses, vectors, drift, span_ends: spans, errors, lengths, shapes });
    this.beside.tell(() => this.#writeBeside(found, quiet), Boolean(this.next));
    this.#wonder();
    if (fitting) {
      this.fitting = null;
      this.stage.hold({ ...found, lengths });
      this.stage.look(fitting.view);
      if (afresh) this.wish(FINE); // how far the camera goes along is computed there
    } else this.#lowerFloor(found);
  }

  // Curves, numbers beneath formulae and the line of health.
  #writeBeside(found, quiet) {
    const { plot } = this;
    this.numbered?.(found);
    if (plot && found.curves)
      layOver(plot, { times: found.curves.across, values: found.curves.values, note: found.curves.note ?? "" });
    else if (plot && this.model.get("wanted").curves) {
      layOver(plot, { times: new Float32Array(0), values: new Float32Array(0), note: LATER });
    }
    // formulae hold the numbers that are no parameters as they were
    const apart = this.spoilt ? null : found.apart;
    const { hand } = this.shown ?? {};
    const grabbed = hand?.pulls ? hand.words[hand.last ? "let go" : "pulled"] : "";
    if (!quiet) this.health?.set("value", healthOf(this.model.get("words"), { ...found, apart, grabbed }));
  }

  // At rest the floor goes below what is shown.
  #lowerFloor(found) {
    clearTimeout(this.lowering);
    if (this.stage) this.lowering = setTimeout(() => this.stage.lower(found), CALM / 2);
  }

  // Whether a number has been moved that stands in formulae as a number: they do not hold any more.
  isPlainMoved() {
    const { names, values, moves } = this.document;
    const letters = new Set(Object.values(moves.aliases));
    return names.some((name, k) => !letters.has(name) && !START.test(name) && this.values[k] !== values[k]);
  }

  #complain(why) {
    this.health?.set("value", healthTrouble(this.model.get("words"), why));
  }
}
