// Moves three.js objects as a motion says, and tells which arrow is pointed at.

import { headAt, isFoot, nearestArrow, paintSeat, placeArrow, sharedTails, showHidden } from "./arrows.js";
import { Aside } from "./aside.js";
import { Comets, pathRow } from "./comets.js";
import { Ghost } from "./ghost.js";
import { Gravity } from "./gravity.js";
import { lengthInside } from "./label_places.js";
import { CENTRE, labelScene } from "./label_scene.js";
import { Labels, wordOf } from "./labels.js";
import { teachManners } from "./manners.js";
import { sceneryOf } from "./paper.js";
import { between, blend, layAlong, posesAt } from "./poses.js";
import { forceSum, ScaleBars } from "./scale_bars.js";
import { Scenery } from "./scenery.js";
import { endOf } from "./shared/frames.js";
import { modelOf } from "./shared/models.js";
import { shortest } from "./shared/numbers.js";
import { bufferOf, overlayOf, traitOf } from "./shared/overlay.js";
import { toPixels } from "./shared/vectors.js";
import { Skin } from "./skin.js";
import { ARROW, solids } from "./solids.js";
import { Triad } from "./triad.js";

const LOST = "The browser has taken the graphics back: the picture returns as soon as it gives them again.";
const PATH = "path of the mass centre";
const USUAL = 470; // pixels of a picture's height, where it is not in the page
const BUFFERS = ["times", "poses", "vectors", "drift", "span_ends"];
const OBJECTS = ["scene", "level", "camera", "orbit", "bodies", "grounds", "arrows", "labels", "spans"];

async function resolve(model, value) {
  if (Array.isArray(value)) return Promise.all(value.map((item) => resolve(model, item)));
  const found = typeof value === "string" ? await modelOf(model.widget_manager, value) : value;
  await found?.initPromise;
  return found;
}

// Where the floor is: the direction upwards in the world's axes, its height along it, and the one for which what carries
// the mechanism was made; null without one.
function floorOf(model) {
  const { axes, ground } = model.get("scenery");
  if (!ground) return null;
  const { height, made = height } = ground;
  return { up: axes.map(({ direction }) => direction[2]), height, made };
}

export class Driver {
  constructor(model) {
    this.model = model;
    this.ready = Promise.resolve();
    this.life = new AbortController();
    this.bars = new ScaleBars();
    this.gravity = new Gravity();
    this.triad = new Triad();
    this.letters = new Labels();
    this.comets = new Comets();
    this.ghost = new Ghost();
    this.aside = new Aside();
    this.skin = new Skin();
    this.carriers = new Skin();
    this.pale = new Map();
    this.scenery = new Scenery(model, () => this.redraw());
  }

  load() {
    const { model } = this;
    const version = model.get("version");
    const data = Object.fromEntries(BUFFERS.map((name) => [name, bufferOf(model, name)]));
    const wanted = OBJECTS.map((name) => model.get(name));
    const same = this.wanted && JSON.stringify(wanted) === JSON.stringify(this.wanted);
    const take = (objects) => {
      const shown = [...(this.arrows ?? []), ...(this.labels ?? [])];
      for (const [k, name] of OBJECTS.entries()) this[name] = objects[k];
      const stays = new Set([...this.arrows, ...this.labels]);
      for (const { obj } of shown.filter((item) => !stays.has(item))) if (obj) obj.visible = false;
      if (this.watched !== this.scene) {
        this.watched = this.scene;
        // the kernel turned the camera to its target by a message, which a page that is opened again does not get
        this.orbit?.obj?.update();
        // labels and shadows follow the camera, whoever turns it
        this.scene.on("beforeRender", this.prepare, this);
        this.scene.on("afterRender", this.finish, this);
      }
      // three.js would hit a line from a metre away: what is clicked is a body
      this.scene.obj.traverse((item) => {
        if (item.isLine) item.raycast = () => {};
      });
      this.wanted = wanted;
      this.version = version;
      Object.assign(this, data);
      const { parents = [], before, now } = overlayOf(model)?.shapes ?? {};
      this.skin.fit(this.bodies.map(({ obj }) => obj).filter(Boolean), parents, before, now);
      this.fitGround();
      const forgotten = model.get("forgotten");
      this.ghost.remember(this.times, this.poses, this.bodies, forgotten !== this.forgotten);
      this.forgotten = forgotten;
      this.draw();
    };
    if (same) take(OBJECTS.map((name) => this[name]));
    else this.ready = this.ready.then(() => Promise.all(wanted.map((item) => resolve(model, item)))).then(take);
    return this.ready;
  }

  // What carries the mechanism follows its joints and the floor.
  fitGround() {
    const { parents = [], before, now, guides } = overlayOf(this.model)?.shapes ?? {};
    const groups = (this.grounds ?? []).map(({ obj }) => obj).filter(Boolean);
    this.carriers.fitGround(groups, parents, before, now, floorOf(this.model), guides);
  }

  get end() {
    return endOf(this.times ?? []);
  }

  say(text) {
    if (this.model.get("_fault") !== text) this.model.set("_fault", text);
  }

  draw() {
    // buffers and objects of a new motion come together: nothing is drawn between
    if (this.version !== this.model.get("version") || !this.times.length || !this.scene.obj) return;
    if (![...this.bodies, ...this.arrows, ...this.labels, ...this.spans].every((item) => item.obj)) return;
    const time = this.model.get("time");
    const moment = between(this.times, time);
    const poses = posesAt(this.poses, this.bodies.length, moment);
    if (poses === null) {
      this.say(`The state at t = ${time.toFixed(3)} s is not finite: the last good frame is shown.`);
      return;
    }
    if (!this.lost) this.say("");
    poses.forEach(([place, turn], i) => {
      const { obj } = this.bodies[i];
      obj.position.set(...place);
      obj.quaternion.set(...turn);
    });
    this.drawSpans(moment);
    this.follow(moment);
    this.moment = moment;
    this.drawArrows(() => this.model.get("head"));
    if (this.shown?.version !== this.version || this.shown.time !== time) this.scenery.stir();
    this.shown = { version: this.version, time };
    this.redraw();
  }

  // three.js has made its state anew by then: what was on the graphics card is sent there again
  regain() {
    this.lost = false;
    this.say("");
    setTimeout(() => this.draw());
  }

  redraw() {
    this.scene?.trigger("rerender", this.scene, {});
  }

  // Before and after a picture, whoever asked for it.
  prepare(scene, renderer, camera) {
    // first: letters are inked to be read on it
    const { background } = sceneryOf(this.model);
    if (background) scene.background.set(background);
    this.suitArrows(scene, renderer, camera);
    this.drawPast(scene, renderer);
    this.drawLabels(scene, renderer, camera);
    if (this.level?.obj) this.scenery.before(scene, this.level.obj, renderer, camera, this.away ?? [0, 0, 0]);
    this.pale.whole = this.scenery.whole;
    for (const material of this.pale.keys()) material.depthTest = this.pale.whole !== false;
  }

  finish(_scene, renderer) {
    this.scenery.after(renderer);
  }

  // What was shown before the last change is not to be seen any more.
  forget() {
    this.ghost.forget();
    this.draw();
  }

  // Springs, dampers and rods lie between their ends.
  drawSpans({ frame, next, share }) {
    const count = this.spans.length;
    this.spans.forEach(({ obj }, i) => {
      layAlong(obj, blend(this.span_ends, 6 * (frame * count + i), 6 * (next * count + i), share, 6));
    });
  }

  // A mechanism that runs away is kept in sight: the stage moves the other way, and the camera stays the user's.
  follow({ frame, next, share }) {
    const away = this.drift.length ? blend(this.drift, 3 * frame, 3 * next, share, 3) : [0, 0, 0];
    if (!away.every(Number.isFinite)) return;
    const { position, quaternion } = this.scene.obj;
    position.set(...away.map((value) => -value)).applyQuaternion(quaternion);
    this.away = position.toArray().map((value) => -value);
    const far = Math.hypot(...away);
    this.model.set("_note", far > 0 ? `The camera goes along with it: ${shortest(far, 3)} m so far.` : "");
  }

  // Place the arrows; `headOf` tells how long the head is of one that ends at a point of the stage.
  drawArrows(headOf, pixel = null) {
    const { frame, next, share } = this.moment;
    const count = this.arrows.length;
    const [lengths, keys, bright] = ["lengths", "quantities", "highlight"].map((name) => traitOf(this.model, name));
    const known = keys.includes(bright);
    const [colours, bodies] = ["colours", "acts_on"].map((name) => traitOf(this.model, name));
    this.markCentres(new Set(bodies.map(([, , body]) => body ?? -1).filter((body) => body >= 0)));
    const values = this.arrows.map((_, i) =>
      blend(this.vectors, 6 * (frame * count + i), 6 * (next * count + i), share, 6),
    );
    const drawn = values.map((v, i) =>
      bodies[i]?.[3] ? { begin: v.slice(0, 3), length: (lengths[i] ?? 0) * Math.hypot(...v.slice(3)) } : null,
    );
    const firsts = pixel ? sharedTails(drawn, pixel) : [];
    const at = (i) => [(firsts[i] ?? -1) >= 0, (firsts[i] ?? -1) < 0 || firsts[i] === i];
    this.ends = this.arrows.map(({ obj }, i) => {
      paintSeat(obj, colours[i], bodies[i]?.[1]);
      const v = values[i];
      const bold = known && keys[i] === bright;
      const scale = lengths[i] ?? 0;
      const tip = [0, 1, 2].map((k) => v[k] + scale * v[k + 3]);
      const end = placeArrow(obj, this.labels[i].obj, v, scale, headOf(tip), bold, known && !bold, ...at(i));
      if (!this.model.get("_bare")) return end;
      for (const item of [obj, this.labels[i].obj]) item.visible = false;
      return null;
    });
  }

  // Mass centres are marked on bodies whose arrows are drawn.
  markCentres(owners) {
    this.bodies.forEach(({ obj }, i) => {
      for (const item of obj.children) if (item.name === CENTRE) item.visible = owners.has(i);
    });
  }

  // Arrows are as thick on the screen wherever they stand, and pale where they are hidden.
  suitArrows(scene, renderer, camera) {
    if (!this.ends) return;
    const height = renderer.domElement.clientHeight || USUAL;
    scene.updateMatrixWorld();
    camera.updateMatrixWorld();
    camera.matrixWorldInverse.getInverse(camera.matrixWorld);
    const vector = camera.position.clone();
    const pixel = (point) => {
      const seen = vector
        .set(...point)
        .applyMatrix4(scene.matrixWorld)
        .project(camera);
      return toPixels(seen, height * camera.aspect, height);
    };
    this.drawArrows((tip) => headAt(tip, scene, camera, height), pixel);
    scene.traverse((item) => {
      if (item.name !== ARROW) return;
      for (const mesh of item.children) if (mesh.material.transparent && !isFoot(mesh)) showHidden(mesh, this.pale);
    });
  }

  // Symbols and scales lie over the picture; what cannot be told from a dot is said beside the scales.
  drawLabels(scene, { domElement: canvas }, camera) {
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (!this.ends || !width || !height) return;
    const own = this.labels.map(({ obj }, k) => [obj, this.ends[k]]);
    const about = labelScene(scene, camera, width, height, own);
    const unseen = about.unseen.map(({ sprite, how }) => ({ ...wordOf(sprite), how, amount: this.amountOf(sprite) }));
    const { target } = this.orbit?.obj ?? {};
    const { gravity, axes } = this.model.get("scenery");
    const down = this.gravity.draw(canvas, camera, gravity, scene.background);
    const ways = this.triad.draw(canvas, camera, axes, scene.background);
    const bars = this.bars.draw(
      this.model,
      canvas,
      camera,
      target,
      scene.background,
      unseen,
      (box) => about.covered(box) + about.lines.filter(([p, q]) => lengthInside(p, q, box) > 0).length,
      this.past(),
      this.sum(),
    );
    const layer = this.letters.over(canvas);
    const room = { ...about, spots: [...about.spots, ...bars, ...down, ...ways], width, height };
    layer?.draw(about.items, room, canvas, scene.background).forEach(about.settle);
    layer?.keep(about.sprites);
  }

  // How large the vector of a label is now, with its unit; nothing for a direction.
  amountOf(sprite) {
    const k = this.labels.findIndex(({ obj }) => obj === sprite);
    const unit = this.model.get("units")[k];
    // nobody reads a number that is another one in each picture, and each time the page would be laid out anew
    if (!unit || this.model.get("playing")) return "";
    const { frame, next, share } = this.moment;
    const count = this.arrows.length;
    const v = blend(this.vectors, 6 * (frame * count + k), 6 * (next * count + k), share, 6);
    return `${shortest(Math.hypot(...v.slice(3)), 2)}\u00a0${unit}`;
  }

  // The sum of all forces on the body whose arrows are drawn, if they are all.
  sum() {
    const [keys, units, owners] = ["quantities", "units", "acts_on"].map((name) => traitOf(this.model, name));
    const arrows = this.labels.map(({ obj }, k) => ({
      key: keys[k],
      unit: units[k],
      owner: owners[k]?.[0],
      ...wordOf(obj),
    }));
    return forceSum(arrows, this.model.get("forces"));
  }

  // What tails are drawn, as words and symbols: those of mass centres, and traces of forces.
  past() {
    const forces = this.model.get("traces").filter((k) => this.ends[k]);
    return [
      ...this.comets.tints.slice(0, 1).map((colour) => ({ words: PATH, text: "", colour })),
      ...forces.map((k) => ({ words: "trace of", ...wordOf(this.labels[k].obj) })),
    ];
  }

  // Where things were: tails of points and of forces, and what moved otherwise before the last change.
  drawPast(scene, { domElement: canvas }) {
    if (!this.moment) return;
    const { model, vectors, moment } = this;
    const count = this.arrows.length;
    const [lengths, colours] = ["lengths", "colours"].map((name) => traitOf(model, name));
    const arrows = model
      .get("traces")
      .filter((k) => k < count)
      .map((k) => {
        const valueAt = (frame) => [3, 4, 5].map((i) => lengths[k] * vectors[6 * (frame * count + k) + i]);
        const v = blend(vectors, 6 * (moment.frame * count + k), 6 * (moment.next * count + k), moment.share, 6);
        const now = { begin: v.slice(0, 3), value: v.slice(3).map((value) => lengths[k] * value) };
        return { key: k, valueAt, now, colour: colours[k] };
      });
    const { radius } = model.get("scenery");
    const rowOf = (k) => pathRow(k, this.times.length, model.get("frames"));
    const last = this.times.length - 1;
    this.comets.draw(scene, moment, radius, arrows, [canvas.clientWidth, canvas.clientHeight], last, rowOf);
    this.drawAside(scene);
    this.drawGhost(scene);
  }

  // Bodies that were moved along an arrow have been at its other end.
  drawAside(scene) {
    const { bodies = [], arrow = "" } = this.model.get("aside");
    const { frame, next, share } = this.moment;
    const [count, k] = [this.arrows.length, traitOf(this.model, "quantities").indexOf(arrow)];
    const way = k < 0 ? null : blend(this.vectors, 6 * (frame * count + k) + 3, 6 * (next * count + k) + 3, share, 3);
    const groups = bodies.flatMap((body) => this.bodies[body]?.obj ?? []);
    this.aside.draw(
      scene,
      groups,
      way?.map((value) => -value),
    );
  }

  // What moved before the last change; while it fades there is a picture after this one.
  drawGhost(scene, now = performance.now()) {
    const { model } = this;
    const passed = this.fading ? now - this.fading : 0;
    const fades = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : undefined;
    const more = this.ghost.draw(scene, solids(scene)[0], model.get("time"), model.get("ghost"), passed, fades);
    this.fading = more ? now : 0;
    if (more) requestAnimationFrame(() => this.life.signal.aborted || this.redraw());
  }

  // Watch the pointer over the picture: an arrow under it is highlighted, in the table and in the formulae too.
  async watch() {
    const renderer = this.model.get("renderer") && (await resolve(this.model, this.model.get("renderer")));
    const view = renderer && (await Object.values(renderer.views ?? {})[0]);
    const canvas = view?.renderer?.domElement;
    if (!canvas || this.canvas) return Boolean(this.canvas);
    this.canvas = canvas;
    const point = (index) => this.model.set("highlight", this.model.get("quantities")[index] ?? "");
    // the canvas outlives the view: pythreejs gives it to another one, with all that the scenes before drew
    view.renderer.renderLists?.dispose();
    const { signal } = this.life;
    const follow = (event) => {
      if (event.buttons || !this.ends || !this.camera?.obj) return;
      point(nearestArrow(event, canvas, this.scene.obj, this.camera.obj, this.ends));
    };
    canvas.addEventListener("pointermove", follow, { signal });
    canvas.addEventListener("pointerleave", () => point(-1), { signal });
    teachManners(canvas, this.orbit, signal);
    this.describe();
    // without preventDefault the browser never gives a lost context back
    const lose = (event) => {
      event.preventDefault();
      this.lost = true;
      this.say(LOST);
    };
    canvas.addEventListener("webglcontextlost", lose, { signal });
    canvas.addEventListener("webglcontextrestored", () => this.regain(), { signal });
    // letters keep their size when the picture shrinks
    this.sizes = new ResizeObserver(() => this.draw());
    this.sizes.observe(canvas);
    return true;
  }

  // What is seen, for who does not see it.
  describe() {
    this.canvas?.setAttribute("aria-label", this.model.get("described"));
  }

  close() {
    this.life.abort();
    this.bars.close();
    this.gravity.close();
    this.triad.close();
    this.letters.close();
    this.comets.close();
    this.ghost.clear();
    this.aside.clear();
    this.sizes?.disconnect();
    this.scenery.close();
    for (const material of this.pale.values()) material.dispose();
    this.watched?.off("beforeRender", null, this);
    this.watched?.off("afterRender", null, this);
    this.canvas = null;
    // the renderer, which goes on to another view, keeps the lights of each scene, and by them the scene
    const stage = this.scene?.obj;
    stage?.remove(...stage.children);
  }
}
