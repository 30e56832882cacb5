// Handles in the picture: points and directions that are dragged where they are seen. A handle is an element over the
// canvas, kept over its place in space; a drag is a ray of the camera against a plane, or against a sphere.

import { element, svg } from "./shared/elements.js";
import { timeAtRest } from "./shared/frames.js";
import { listen, modelOf, PATIENCE, tell, teller } from "./shared/models.js";
import { rounded } from "./shared/numbers.js";
import { bufferOf } from "./shared/overlay.js";
import { inner, sum, toPixels, unit } from "./shared/vectors.js";

const STEP = 6; // pixels of an arrow key
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// Where a ray meets a sphere, as a direction from its middle. Past the rim: the rim, and from there on the near side.
export function onSphere([from, along], middle, radius, near) {
  const away = sum(from, middle, -1);
  const half = inner(along, away);
  const depth = half * half - inner(away, away) + radius * radius;
  if (depth <= 0) return { direction: unit(sum(away, along, -half)), near: true };
  return { direction: unit(sum(away, along, -half - (near ? 1 : -1) * Math.sqrt(depth))), near };
}

class Handles {
  constructor(model) {
    this.model = model;
    this.send = teller(model, "edit", model.get("answered")); // a page that was loaded again counts on
    this.drag = null; // what is moved: key, value, and the place that it was taken at
    this.waiting = null; // what was let go and is not answered yet
    this.nodes = new Map();
    this.layer = element("div", { class: "mbw-handles" });
    this.lines = svg("svg", { "aria-hidden": "true" }, this.layer);
    this.leash = svg("line", {}, this.lines);
    this.reading = element("output", { class: "mbw-handle-reading" }, this.layer);
  }

  async load() {
    const rows = this.model.get("rows");
    const names = [this.model.get("scene"), this.model.get("player"), ...this.model.get("homes")];
    const models = names.map((name) => modelOf(this.model.widget_manager, name));
    const [scene, player, ...homes] = await Promise.all(models);
    await Promise.all([scene, ...homes].map((item) => item.initPromise));
    if (this.scene !== scene) {
      this.stop?.();
      this.stop = listen(scene, { afterRender: (_, renderer, camera) => this.follow(renderer.domElement, camera) });
    }
    Object.assign(this, { scene, player, homes, rows });
    for (const [key, node] of this.nodes) if (!rows.some((row) => row.key === key)) this.drop(key, node);
    for (const row of rows) this.dress(row);
    this.redraw();
  }

  redraw() {
    this.scene?.trigger("rerender", this.scene, {});
  }

  drop(key, node) {
    node.remove();
    this.nodes.delete(key);
  }

  dress(row) {
    let node = this.nodes.get(row.key);
    if (!node) {
      node = element("button", { type: "button", class: "mbw-handle", "data-key": row.key }, this.layer);
      this.nodes.set(row.key, node);
      this.hear(row.key, node);
    }
    node.title = `${row.title}: drag it, or move it with the arrow keys`;
    node.setAttribute("aria-label", node.title);
    node.classList.toggle("mbw-handle-axis", row.direction !== null);
    node.style.setProperty("--mbw-handle", row.colour);
  }

  hear(key, node) {
    const quiet = (event) => event.stopPropagation(); // the camera stays while a handle is moved
    for (const name of ["mousedown", "touchstart", "dblclick", "click"]) node.addEventListener(name, quiet);
    node.addEventListener("pointerdown", (event) => {
      if (event.button || !this.camera) return;
      quiet(event);
      node.setPointerCapture(event.pointerId);
      node.focus();
      this.take(key, event.clientX, event.clientY);
    });
    node.addEventListener("pointermove", (event) => {
      if (this.drag?.key !== key) return;
      this.moveBy(event.clientX - this.drag.x, event.clientY - this.drag.y, this.drag.row.live);
    });
    const release = () => this.drag?.key === key && this.release();
    node.addEventListener("pointerup", release);
    node.addEventListener("pointercancel", release);
    node.addEventListener("keydown", (event) => {
      const way = ARROWS[event.key];
      if (!way || !this.camera) return;
      event.preventDefault();
      quiet(event);
      if (this.drag) return;
      this.take(key, 0, 0);
      this.nudge = sum(this.nudge ?? [0, 0], way, STEP);
      this.moveBy(...this.nudge, false);
      // what snaps back would never be left: steps add up until it moves
      if (this.drag.moved) this.nudge = null;
      this.release(true);
    });
    node.addEventListener("blur", () => {
      this.nudge = null;
    });
  }

  // The value that a handle shows: its own, or what the hand makes of it.
  value(row) {
    const held = [this.drag, this.waiting].find((item) => item?.key === row.key);
    return held ? held.value : (row.direction ?? row.at);
  }

  // Its place in the axes of its home.
  place(row, value = this.value(row)) {
    return row.direction === null ? value : sum(row.at, value, row.length);
  }

  world(point, matrix) {
    return this.camera.position
      .clone()
      .set(...point)
      .applyMatrix4(matrix);
  }

  pixel(point, matrix) {
    const seen = this.world(point, matrix).project(this.camera);
    return [...toPixels(seen, this.canvas.clientWidth, this.canvas.clientHeight), seen.z];
  }

  ray([x, y]) {
    const [right, up] = [(2 * x) / this.canvas.clientWidth - 1, 1 - (2 * y) / this.canvas.clientHeight];
    const at = (depth) => this.camera.position.clone().set(right, up, depth).unproject(this.camera).toArray();
    const [near, far] = [at(-1), at(1)];
    return [near, unit(sum(far, near, -1))];
  }

  take(key, x, y) {
    const row = this.rows.find((item) => item.key === key);
    const home = this.homes[this.rows.indexOf(row)].obj.matrixWorld.clone();
    const value = this.value(row);
    const point = this.place(row, value);
    const start = this.pixel(point, home);
    const [from, along] = this.ray(start);
    const middle = this.world(row.at, home).toArray();
    const near = inner(sum(this.world(point, home).toArray(), from, -1), along) <= inner(sum(middle, from, -1), along);
    this.drag = { key, row, home, value, start, x, y, near, moved: false };
    this.layer.classList.add("mbw-handles-held");
    this.nodes.get(key).classList.add("mbw-handle-held");
    this.rest();
    this.follow(this.canvas, this.camera);
  }

  // A motion that plays is stopped at a frame: nobody aims at what moves.
  rest() {
    if (!this.player.get("playing")) return;
    const time = timeAtRest(bufferOf(this.player, "times"), this.player.get("time"));
    tell(this.player, { playing: false, time });
  }

  moveBy(x, y, live) {
    const { drag } = this;
    const { row, home, start } = drag;
    const spot = [start[0] + x, start[1] + y];
    const ray = this.ray(spot);
    const back = this.camera.matrixWorld.clone().getInverse(home);
    let value;
    if (row.direction === null) {
      const point = this.world(row.at, home).toArray();
      const facing = this.camera.getWorldDirection(this.camera.position.clone()).toArray();
      const share = inner(sum(point, ray[0], -1), facing) / inner(ray[1], facing);
      value = this.world(sum(ray[0], ray[1], share), back).toArray();
    } else {
      const middle = this.world(row.at, home).toArray();
      const met = onSphere(ray, middle, row.length, drag.near);
      drag.near = met.near;
      value = unit(sum(this.world(sum(middle, met.direction), back).toArray(), row.at, -1));
    }
    const snap = this.snapped(row, value, spot, home);
    if (snap) value = snap.value;
    drag.moved ||= Math.hypot(...sum(value, drag.value, -1)) > 1e-12;
    drag.value = value;
    drag.caption = snap?.caption ?? "";
    if (live) this.send({ key: row.key, value });
    this.redraw();
  }

  // What a value is drawn to: of directions the nearest within an angle, of points the nearest within some pixels.
  snapped(row, value, spot, home) {
    let [best, found] = [-Infinity, null];
    for (const snap of row.snaps) {
      let score = row.direction === null ? 0 : inner(snap.value, value);
      if (row.direction === null) {
        const [x, y] = this.pixel(snap.value, home);
        score = -Math.hypot(x - spot[0], y - spot[1]);
      }
      if (score > best) [best, found] = [score, snap];
    }
    return best >= (row.hold ?? -Infinity) ? found : null;
  }

  release(told = this.drag.moved) {
    const { key, value, moved } = this.drag;
    this.layer.classList.remove("mbw-handles-held");
    this.nodes.get(key)?.classList.remove("mbw-handle-held");
    this.drag = null;
    if (moved && told) {
      this.waiting = { key, value, number: this.send({ key, value }) };
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.settle(), PATIENCE);
    }
    this.redraw();
  }

  answered() {
    if (this.waiting && this.model.get("answered") >= this.waiting.number) this.settle();
  }

  settle() {
    this.waiting = null;
    this.redraw();
  }

  // The picture was drawn: put every handle over its place.
  follow(canvas, camera) {
    if (this.canvas !== canvas && !(this.canvas?.isConnected && this.layer.isConnected)) {
      this.canvas = canvas;
      canvas.parentElement.style.position = "relative";
      canvas.parentElement.append(this.layer);
    }
    if (this.canvas !== canvas) return;
    this.camera = camera;
    const { style } = this.layer;
    style.left = `${canvas.offsetLeft}px`;
    style.top = `${canvas.offsetTop}px`;
    style.width = `${canvas.clientWidth}px`;
    style.height = `${canvas.clientHeight}px`;
    this.rows.forEach((row, k) => {
      const node = this.nodes.get(row.key);
      const home = this.homes[k].obj?.matrixWorld;
      if (!node || !home) return;
      const [x, y, depth] = this.pixel(this.place(row), home);
      const inside = depth < 1 && x > 0 && y > 0 && x < canvas.clientWidth && y < canvas.clientHeight;
      node.style.display = inside ? "" : "none";
      node.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
      if (this.drag?.key === row.key) this.read(row, [x, y], this.pixel(row.at, home));
    });
    if (!this.drag) this.reading.textContent = "";
  }

  read(row, [x, y], foot) {
    const parts = this.drag.value.map((part) => rounded(part, 3)).join(", ");
    this.reading.textContent = this.drag.caption || `${row.symbol} = (${parts})${row.unit && ` ${row.unit}`}`;
    const crowded = this.canvas.clientWidth - x < 170;
    const room = crowded ? "translate(-100%, 0) translate(-18px, -10px)" : "translate(18px, -10px)";
    this.reading.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) ${room}`;
    const ends = row.direction === null ? [x, y, x, y] : [foot[0], foot[1], x, y];
    for (const [k, name] of ["x1", "y1", "x2", "y2"].entries()) this.leash.setAttribute(name, ends[k].toFixed(1));
    this.leash.style.stroke = row.colour;
  }
}

function initialize({ model }) {
  if (model.get("still")) return undefined;
  const handles = new Handles(model);
  const fail = (error) => console.warn("handles:", error); // a closed view takes its objects with it
  const load = () => handles.load().catch(fail);
  const stop = listen(model, { "change:rows": load, "change:answered": () => handles.answered() });
  load();
  return () => {
    stop();
    handles.stop?.();
    clearTimeout(handles.timer);
    handles.layer.remove();
  };
}

export default { initialize };
