// Plays a motion in the page: interpolates the buffers, moves three.js objects, shows the timeline.
// No kernel is needed: it hears of `time` and `playing` when the user lets go.

import { element, steady } from "./shared/elements.js";
import { floats } from "./shared/frames.js";
import { listen, referred } from "./shared/models.js";
import { nearestArrow, placeArrow } from "./arrows.js";
import { dress, placeLabels } from "./labels.js";

const MODEL = "IPY_MODEL_";
const USUAL = 470; // pixels of a picture's height, where it is not in the page

async function resolve(model, value) {
  if (Array.isArray(value)) return Promise.all(value.map((item) => resolve(model, item)));
  const found = typeof value === "string" ? await model.widget_manager.get_model(value.replace(MODEL, "")) : value;
  await found?.initPromise;
  return found;
}

// The frame before a time, and how far towards the next one it is.
function locate(times, time) {
  let low = 0;
  let high = times.length - 1;
  if (high < 1 || time <= times[0]) return [0, 0];
  if (time >= times[high]) return [high - 1, 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time) low = middle;
    else high = middle;
  }
  return [low, (time - times[low]) / (times[high] - times[low])];
}

function slerp(out, data, a, b, w) {
  let dot = 0;
  for (let k = 0; k < 4; k++) dot += data[a + k] * data[b + k];
  const sign = dot < 0 ? -1 : 1;
  dot = Math.min(1, Math.abs(dot));
  const angle = Math.acos(dot);
  const sine = Math.sin(angle);
  const from = sine > 1e-4 ? Math.sin((1 - w) * angle) / sine : 1 - w;
  const to = sign * (sine > 1e-4 ? Math.sin(w * angle) / sine : w);
  let length = 0;
  for (let k = 0; k < 4; k++) {
    out[k] = from * data[a + k] + to * data[b + k];
    length += out[k] * out[k];
  }
  length = Math.sqrt(length);
  for (let k = 0; k < 4; k++) out[k] /= length;
  return length > 1e-6;
}

class Driver {
  constructor(model) {
    this.model = model;
    this.ready = Promise.resolve();
    this.life = new AbortController();
  }

  load() {
    const { model } = this;
    const version = model.get("version");
    const data = { times: floats(model.get("times")), poses: floats(model.get("poses")), vectors: floats(model.get("vectors")), drift: floats(model.get("drift")) };
    const names = ["scene", "camera", "bodies", "arrows", "labels"];
    const wanted = names.map((name) => model.get(name));
    const same = this.wanted && JSON.stringify(wanted) === JSON.stringify(this.wanted);
    const take = (objects) => {
      [this.scene, this.camera, this.bodies, this.arrows, this.labels] = objects;
      if (this.watched !== this.scene) {
        this.watched = this.scene;
        // labels follow the camera, whoever turns it
        this.scene.on("beforeRender", this.drawLabels, this);
      }
      this.wanted = wanted;
      this.version = version;
      Object.assign(this, data);
      this.draw();
    };
    if (same) take([this.scene, this.camera, this.bodies, this.arrows, this.labels]);
    else this.ready = this.ready.then(() => Promise.all(wanted.map((item) => resolve(model, item)))).then(take);
    return this.ready;
  }

  get end() {
    return this.times?.length ? this.times[this.times.length - 1] : 0;
  }

  say(text) {
    if (this.model.get("_fault") !== text) this.model.set("_fault", text);
  }

  // All poses at a time, or null where one of them is not a pose.
  sample(time) {
    const [frame, w] = locate(this.times, time);
    const next = Math.min(frame + 1, this.times.length - 1);
    const count = this.bodies.length;
    const out = [];
    for (let i = 0; i < count; i++) {
      const a = 7 * (frame * count + i);
      const b = 7 * (next * count + i);
      const place = [0, 1, 2].map((k) => (1 - w) * this.poses[a + k] + w * this.poses[b + k]);
      const turn = [0, 0, 0, 1];
      if (!slerp(turn, this.poses, a + 3, b + 3, w) || ![...place, ...turn].every(Number.isFinite)) return null;
      out.push([place, turn]);
    }
    return out;
  }

  draw() {
    // buffers and objects of a new motion come together: nothing is drawn between
    if (this.version !== this.model.get("version") || !this.times.length || !this.scene.obj) return;
    if (![...this.bodies, ...this.arrows, ...this.labels].every((item) => item.obj)) return;
    const time = this.model.get("time");
    const poses = this.sample(time);
    if (poses === null) {
      this.say(`The state at t = ${time.toFixed(3)} s is not finite: the last good frame is shown.`);
      return;
    }
    this.say("");
    poses.forEach(([place, turn], i) => {
      const { obj } = this.bodies[i];
      obj.position.set(...place);
      obj.quaternion.set(...turn);
    });
    this.follow(time);
    this.drawArrows(time);
    this.scene.trigger("rerender", this.scene, {});
  }

  // A mechanism that runs away is kept in sight: the stage moves the other way, and the camera stays the user's.
  follow(time) {
    const [frame, w] = locate(this.times, time);
    const next = Math.min(frame + 1, this.times.length - 1);
    const away = [0, 1, 2].map((k) => (this.drift.length ? (1 - w) * this.drift[3 * frame + k] + w * this.drift[3 * next + k] : 0));
    if (!away.every(Number.isFinite)) return;
    this.scene.obj.position.set(...away.map((value) => -value));
    const far = Math.hypot(...away);
    this.model.set("_note", far > 0 ? `The camera goes along with it: ${far.toPrecision(3)} m so far.` : "");
  }

  drawArrows(time) {
    const [frame, w] = locate(this.times, time);
    const next = Math.min(frame + 1, this.times.length - 1);
    const count = this.arrows.length;
    const [lengths, keys] = [this.model.get("lengths"), this.model.get("quantities")];
    const [head, bright] = [this.model.get("head"), this.model.get("highlight")];
    const known = keys.includes(bright);
    this.ends = this.arrows.map(({ obj }, i) => {
      const a = 6 * (frame * count + i);
      const b = 6 * (next * count + i);
      const v = [0, 1, 2, 3, 4, 5].map((k) => (1 - w) * this.vectors[a + k] + w * this.vectors[b + k]);
      const bold = known && keys[i] === bright;
      return placeArrow(obj, this.labels[i].obj, v, lengths[i] ?? 0, head, bold, known && !bold);
    });
  }

  drawLabels(scene, renderer, camera) {
    if (!this.ends) return;
    const own = this.labels.map(({ obj }) => obj);
    const others = [];
    const pixel = (2 * Math.tan((camera.fov * Math.PI) / 360)) / (renderer.domElement.clientHeight || USUAL);
    scene.traverseVisible((item) => {
      if (!item.isSprite) return;
      dress(item, scene.background, pixel);
      if (!own.includes(item)) others.push(item);
    });
    placeLabels(own, this.ends, others, scene, camera);
  }

  // Watch the pointer over the picture: an arrow under it is highlighted, in the table and in the formulae too.
  async watch() {
    const renderer = this.model.get("renderer") && (await resolve(this.model, this.model.get("renderer")));
    const view = renderer && (await Object.values(renderer.views ?? {})[0]);
    const canvas = view?.renderer?.domElement;
    if (!canvas || this.canvas) return Boolean(this.canvas);
    this.canvas = canvas;
    const point = (index) => this.model.set("highlight", index < 0 ? "" : this.model.get("quantities")[index] ?? "");
    // the canvas outlives the view: pythreejs gives it to another one, with all that the scenes before drew
    view.renderer.renderLists?.dispose();
    const { signal } = this.life;
    const follow = (event) => {
      if (!event.buttons && this.ends && this.camera?.obj) point(nearestArrow(event, canvas, this.scene.obj, this.camera.obj, this.ends));
    };
    canvas.addEventListener("pointermove", follow, { signal });
    canvas.addEventListener("pointerleave", () => point(-1), { signal });
    // letters keep their size when the picture shrinks
    this.sizes = new ResizeObserver(() => this.draw());
    this.sizes.observe(canvas);
    return true;
  }

  close() {
    this.life.abort();
    this.sizes?.disconnect();
    this.watched?.off("beforeRender", null, this);
    this.canvas = null;
    // the renderer, which goes on to another view, keeps the lights of each scene, and by them the scene
    const stage = this.scene?.obj;
    stage?.remove(...stage.children);
  }
}

// JupyterLab keeps the comm of every widget that was ever closed, and by it the widget with all that it showed. What a
// closed comm would call is forgotten here, of what is there when the player starts and when it is closed, as the first.
const FORGETS = Symbol.for("mbwidgets.forgets");
function forgetClosed(manager) {
  for (const promise of Object.values(manager._models ?? {})) {
    Promise.resolve(promise).then((model) => {
      const handler = model.comm?.jsServicesComm;
      if (!handler || model[FORGETS]) return;
      model[FORGETS] = true;
      model.once("destroy", () => setTimeout(() => {
        handler.onClose = handler.onMsg = undefined;
        model.state_change = Promise.resolve();
      }));
    }, () => {});
  }
}

function initialize({ model }) {
  const driver = new Driver(model);
  let request = 0;
  let before = 0;
  const step = (now) => {
    request = 0;
    if (!model.get("playing")) return;
    // time begins with the first picture; a tab that was hidden goes on where it was
    const passed = Math.max(0, Math.min(0.1, (now - before) / 1000)) * model.get("speed");
    before = now;
    let time = model.get("time") + passed;
    if (time >= driver.end) {
      if (model.get("loop") && driver.end > 0) time %= driver.end;
      else {
        model.set("time", driver.end);
        model.set("playing", false);
        model.save_changes();
        return;
      }
    }
    model.set("time", time);
    request = requestAnimationFrame(step);
  };
  const run = () => {
    if (model.get("playing") && !request) {
      if (model.get("time") >= driver.end - 1e-9) model.set("time", 0);
      before = Infinity;
      request = requestAnimationFrame(step);
    }
  };
  const listeners = {
    "change:version": () => driver.load(),
    "change:time": () => driver.draw(),
    "change:lengths": () => driver.draw(),
    "change:highlight": () => driver.draw(),
    "change:playing": run,
  };
  const stop = listen(model, listeners);
  driver.load().then(run).then(() => forgetClosed(model.widget_manager));
  // the picture comes into the page after the player
  const watch = setInterval(async () => (await driver.watch()) && clearInterval(watch), 500);
  return () => {
    cancelAnimationFrame(request);
    clearInterval(watch);
    stop();
    driver.close();
    forgetClosed(model.widget_manager);
  };
}

const GONE = "The kernel that made this has ended: nobody hears what is changed here. Run the cell again.";
const ANSWERED = ".mbw-controls, .mbw-readout, .mbw-ledger input, .mbw-heat, .mbw-cone, .mbw-diagram, .mbw-handle, .jupyter-button, .widget-dropdown, .widget-checkbox, .widget-toggle-buttons, .widget-text";

function render({ model, el }) {
  el.classList.add("mbw-timeline");
  el.setAttribute("role", "group");
  el.setAttribute("aria-label", "Timeline");
  const button = (text, label, action) => {
    const node = element("button", { type: "button", title: label, "aria-label": label, text }, el);
    node.addEventListener("click", action);
    return node;
  };
  const times = () => floats(model.get("times"));
  let grid = times();
  const end = () => (grid.length ? grid[grid.length - 1] : 0);
  // at rest the time is that of a frame, whose numbers are exact
  const snap = (time) => {
    const rate = grid.length > 1 ? grid[1] - grid[0] : 0;
    return rate > 0 ? Math.min(end(), Math.max(0, Math.round(time / rate) * rate)) : 0;
  };
  const toggle = () => {
    const playing = !model.get("playing");
    tell(playing ? { playing } : { playing, time: snap(model.get("time")) });
  };
  const tell = (changes) => {
    for (const [name, value] of Object.entries(changes)) model.set(name, value);
    model.save_changes();
  };
  const stepBy = (frames) => {
    const rate = grid.length > 1 ? grid[1] - grid[0] : 1 / 60;
    tell({ playing: false, time: snap(snap(model.get("time")) + frames * rate) });
  };
  button("|◂", "To the start", () => tell({ time: 0 }));
  button("◂", "One frame back", () => stepBy(-1));
  const play = button("▶", "Play", toggle);
  play.classList.add("mbw-play");
  button("▸", "One frame on", () => stepBy(1));
  const scrub = element("input", { type: "range", min: "0", step: "any", "aria-label": "Time" }, el);
  const clock = element("output", { class: "mbw-clock" }, el);
  const speed = element("select", { title: "Speed", "aria-label": "Speed" }, el);
  for (const value of [0.1, 0.25, 0.5, 1, 2, 4]) element("option", { value, text: `${value}×` }, speed);
  const loop = button("⟳", "Loop", () => tell({ loop: !model.get("loop") }));
  const fault = element("span", { class: "mbw-fault", role: "status" }, el);
  const note = element("span", { class: "mbw-note" }, el);

  let meant = false;
  const drag = () => {
    meant = true;
    model.set({ playing: false, time: Number(scrub.value) });
  };
  steady(scrub, drag, () => (scrub.value = model.get("time")));
  for (const name of ["change", "pointerup"]) {
    scrub.addEventListener(name, () => {
      if (meant) tell({ playing: false, time: snap(Number(scrub.value)) });
      meant = false;
    });
  }
  scrub.addEventListener("keydown", (event) => {
    const frames = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageUp: 30, PageDown: -30 }[event.key];
    if (frames) stepBy(frames);
    else if (event.key === " ") toggle();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  speed.addEventListener("change", () => tell({ speed: Number(speed.value) }));

  const show = {
    time: () => {
      scrub.value = model.get("time");
      const text = `${model.get("time").toFixed(2)} / ${end().toFixed(2)} s`;
      clock.textContent = text;
      scrub.setAttribute("aria-valuetext", text);
    },
    version: () => {
      grid = times();
      scrub.max = end();
      show.time();
    },
    playing: () => {
      play.textContent = model.get("playing") ? "❚❚" : "▶";
      const label = model.get("playing") ? "Pause" : "Play";
      play.setAttribute("aria-label", label);
      play.title = label;
    },
    loop: () => loop.setAttribute("aria-pressed", model.get("loop")),
    speed: () => (speed.value = String(model.get("speed"))),
    _fault: () => (fault.textContent = model.get("_fault") ?? ""),
    _note: () => (note.textContent = model.get("_note") ?? ""),
  };
  for (const update of Object.values(show)) update();
  // what only the kernel answers rests when it is gone; the page goes on playing
  const rest = (scene) => {
    if (scene.comm_live !== false) return;
    fault.textContent = GONE;
    for (const node of el.closest(".mbw-view")?.querySelectorAll(ANSWERED) ?? []) node.inert = true;
    el.closest(".mbw-view")?.classList.add("mbw-alone");
  };
  const life = new AbortController();
  referred(model, "scene").then((scene) => {
    const listener = () => rest(scene);
    if (life.signal.aborted) return;
    scene.on("comm_live_update", listener);
    life.signal.addEventListener("abort", () => scene.off("comm_live_update", listener));
  });
  const stop = listen(model, Object.fromEntries(Object.entries(show).map(([name, update]) => [`change:${name}`, update])));
  return () => {
    life.abort();
    stop();
  };
}

export default { initialize, render };
