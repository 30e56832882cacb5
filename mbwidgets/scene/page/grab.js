// A hand on a body: it is taken where the pointer meets it and follows the pointer in the plane of the screen. At rest
// that sets the pose, while a motion plays a spring pulls. Python computes both, or in a page without it the page.

import { firstMet, rayOf } from "./pick.js";
import { element, svg } from "./shared/elements.js";
import { listen, modelOf, teller, together } from "./shared/models.js";
import { shortest } from "./shared/numbers.js";
import { inner, sum, toPixels } from "./shared/vectors.js";

const SLACK = 4; // pixels that a click may slip before it is a drag
const ANEW = 1000; // ms after which a hand that keeps still is told again: the motion that it pulls must not end

class Grab {
  constructor(model) {
    this.model = model;
    this.send = teller(model, "edit", model.get("answered")); // a page that was loaded again counts on
    this.held = null;
    this.layer = element("div", { class: "mbw-grab" });
    this.lines = svg("svg", { "aria-hidden": "true" }, this.layer);
    this.leash = svg("line", {}, this.lines);
    this.knob = svg("circle", { r: 5 }, this.lines);
    this.words = element("output", { class: "mbw-grab-words" }, this.layer);
    this.life = new AbortController();
  }

  async load() {
    const { widget_manager: manager } = this.model;
    const [scene, player] = await Promise.all(
      ["scene", "player"].map((name) => modelOf(manager, this.model.get(name))),
    );
    await scene.initPromise;
    Object.assign(this, { scene, player });
    const gather = async () => {
      const bodies = await Promise.all(player.get("bodies").map((name) => modelOf(manager, name)));
      await Promise.all(bodies.map((item) => item.initPromise));
      this.bodies = bodies;
    };
    await gather();
    const draw = (_, renderer, camera) => this.follow(renderer.domElement, camera);
    const stops = [
      listen(scene, { afterRender: draw }),
      listen(player, { "change:bodies": () => gather().catch(() => {}) }),
    ];
    const stop = together(...stops);
    if (this.life.signal.aborted) stop();
    else this.life.signal.addEventListener("abort", stop);
    scene.trigger("rerender", scene, {});
  }

  // The picture was drawn: hear the place that it is in, and lay the leash.
  follow(canvas, camera) {
    const host = canvas.parentElement;
    if (!host) return;
    Object.assign(this, { canvas, camera });
    if (this.host !== host) this.hear(host);
    if (this.held?.moved) this.draw();
  }

  hear(host) {
    this.host = host;
    const { signal } = this.life;
    host.style.position = "relative";
    host.append(this.layer);
    // before the controls of the camera, which listen to the canvas itself
    const early = { signal, capture: true };
    host.addEventListener("pointerdown", (event) => this.take(event), early);
    host.addEventListener("pointermove", (event) => this.move(event), early);
    for (const name of ["pointerup", "pointercancel"]) {
      host.addEventListener(name, (event) => this.release(event), early);
    }
    const keep = (event) => {
      if (!this.held) return;
      event.stopPropagation();
      event.preventDefault();
    };
    for (const name of ["mousedown", "touchstart", "touchmove"]) {
      host.addEventListener(name, keep, { ...early, passive: false });
    }
  }

  get alive() {
    const answered = this.model.comm_live !== false || this.model.get("_aside");
    return this.bodies && this.camera && this.host && answered;
  }

  ray(event) {
    return rayOf(this.canvas, this.camera, event);
  }

  pick(event) {
    const groups = this.bodies.map(({ obj }) => obj);
    return groups.every(Boolean) ? firstMet(groups, this.ray(event)) : null;
  }

  // A point in the axes of an object, or back.
  turn(point, item, there) {
    const vector = this.camera.position.clone().set(...point);
    return (there ? item.worldToLocal(vector) : item.localToWorld(vector)).toArray();
  }

  take(event) {
    if (event.target !== this.canvas || !this.alive || this.held) return;
    if (event.button || !event.isPrimary || event.ctrlKey || event.shiftKey || event.metaKey || event.altKey) return;
    const met = this.pick(event);
    if (!met) return;
    this.canvas.setPointerCapture(event.pointerId);
    const group = this.bodies[met.body].obj;
    this.held = {
      pointer: event.pointerId,
      body: met.body,
      at: this.turn(met.point, group, true),
      point: met.point,
      facing: this.camera.getWorldDirection(this.camera.position.clone()).toArray(),
      hand: met.point,
      x: event.clientX,
      y: event.clientY,
      pulls: this.player.get("playing"),
      moved: false,
    };
  }

  move(event) {
    const { held } = this;
    if (!held) {
      if (event.buttons || event.target !== this.canvas || !this.alive) return;
      this.canvas.style.cursor = this.pick(event) ? "grab" : "";
      return;
    }
    if (event.pointerId !== held.pointer) return;
    event.stopPropagation();
    if (!held.moved && Math.hypot(event.clientX - held.x, event.clientY - held.y) < SLACK) return;
    if (!held.moved) {
      held.moved = true;
      this.canvas.style.cursor = "grabbing";
      this.layer.classList.add("mbw-grab-held");
      if (held.pulls) this.again = setInterval(() => this.tell(), ANEW);
    }
    const [from, along] = this.ray(event);
    const share = inner(sum(held.point, from, -1), held.facing) / inner(along, held.facing);
    held.hand = sum(from, along, share);
    this.tell();
    this.draw();
  }

  tell(last = false) {
    const { body, at, hand, pulls } = this.held;
    const place = this.turn(hand, this.scene.obj, true);
    return this.send({ body, at, hand: place, pulls, last, time: this.player.get("time") });
  }

  release(event) {
    const { held } = this;
    if (!held || event.pointerId !== held.pointer) return;
    clearInterval(this.again);
    if (held.moved) this.tell(true);
    this.held = null;
    this.canvas.style.cursor = "";
    this.layer.classList.remove("mbw-grab-held");
    this.words.textContent = "";
  }

  // The leash from the body to the hand, and what there is to say beside it.
  draw() {
    const { canvas, held, camera } = this;
    const { style } = this.layer;
    style.left = `${canvas.offsetLeft}px`;
    style.top = `${canvas.offsetTop}px`;
    style.width = `${canvas.clientWidth}px`;
    style.height = `${canvas.clientHeight}px`;
    const pixel = (spot) => {
      const seen = camera.position
        .clone()
        .set(...spot)
        .project(camera);
      return toPixels(seen, canvas.clientWidth, canvas.clientHeight);
    };
    const point = this.turn(held.at, this.bodies[held.body].obj, false);
    const [[x1, y1], [x2, y2]] = [pixel(point), pixel(held.hand)];
    for (const [name, value] of Object.entries({ x1, y1, x2, y2 })) this.leash.setAttribute(name, value.toFixed(1));
    this.knob.setAttribute("cx", x2.toFixed(1));
    this.knob.setAttribute("cy", y2.toFixed(1));
    const far = Math.hypot(...sum(point, held.hand, -1));
    const stiffness = this.model.get("stiffness");
    const force = held.pulls && stiffness > 0 ? `the hand pulls with ${shortest(stiffness * far, 3)} N` : "";
    this.words.textContent = this.model.get("words") || force;
    const room =
      canvas.clientWidth - x2 < 190 ? "translate(-100%, 0) translate(-14px, -10px)" : "translate(14px, -10px)";
    this.words.style.transform = `translate(${x2.toFixed(1)}px, ${y2.toFixed(1)}px) ${room}`;
  }

  close() {
    clearInterval(this.again);
    this.life.abort();
    this.layer.remove();
    if (this.canvas) this.canvas.style.cursor = "";
  }
}

function initialize({ model }) {
  if (model.get("still")) return undefined;
  const grab = new Grab(model);
  const stop = listen(model, { "change:words": () => grab.held?.moved && grab.draw() });
  grab.load().catch((error) => console.warn("grab:", error)); // a closed view takes its objects with it
  return () => {
    stop();
    grab.close();
  };
}

export default { initialize };
