// Lecture: the stage fills the screen, what is found and the sliders lie over it, and keys do what a hand would.

import { button, element } from "../../scene/page/shared/elements.js";
import { modelOf, referred } from "../../scene/page/shared/models.js";

const BUSY = "input, textarea, select, [contenteditable=true], [role=spinbutton]"; // where letters are written
const KEYS = [
  ["Space", "play"],
  ["← →", "step"],
  ["1–4", "views"],
  ["V", "vectors"],
  ["F", "fit"],
  ["L", "leave"],
];

// The field of view, upright, in degrees, with which a free part of a picture shows as much as the whole of one did whose
// width was `made` times its height; `free` and `whole` are the widths and heights of that part and of the picture.
export function fieldFor(field, made, free, whole) {
  const wider = Math.max(1, (made * free[1]) / free[0]);
  const half = Math.tan((field * Math.PI) / 360) * wider * (whole[1] / free[1]);
  return (Math.atan(half) * 360) / Math.PI;
}

// What a key asks for in a lecture; nothing where somebody writes, or where it is another program's.
export function wishOf({ key, ctrlKey, metaKey, altKey }, writing) {
  if (ctrlKey || metaKey || altKey) return null;
  if (key === "Escape") return ["leave"];
  if (writing) return null;
  if (key === " ") return ["play"];
  if (key === "ArrowLeft" || key === "ArrowRight") return ["step", key === "ArrowLeft" ? -1 : 1];
  if (/^[1-9]$/.test(key)) return ["view", Number(key) - 1];
  const named = { v: "vectors", f: "fit", l: "leave", n: "next", b: "back" }[key.toLowerCase()];
  return named ? [named] : null;
}

async function render({ model, el }) {
  el.classList.add("mbw-lecture");
  const player = await referred(model, "player");
  const [renderer, camera] = await Promise.all(["renderer", "camera"].map((name) => referred(player, name)));
  const own = button("lecture", "Fill the screen with the stage; L leaves it again", el, () => toggle());
  own.setAttribute("aria-keyshortcuts", "L");
  const hint = element("div", { class: "mbw-lecture-keys", "aria-hidden": "true" });
  for (const [key, what] of KEYS) {
    const item = element("span", {}, hint);
    element("kbd", { text: key }, item);
    item.append(` ${what}`);
  }
  let before = null; // sizes of the picture outside of the lecture
  let view = null;
  const life = new AbortController();

  const redraw = async () => (await modelOf(model.widget_manager, player.get("scene"))).trigger("rerender", player, {});

  // `beside` and `below`: pixels at the right and at the foot that lie under what is found and under a story
  const shape = (width, height, field, beside = 0, below = 0) => {
    renderer.set({ _width: width, _height: height });
    camera.set({ aspect: width / height, fov: field });
    Object.assign(camera.obj, { aspect: width / height, fov: field });
    if (beside || below) camera.obj.setViewOffset(width, height, beside / 2, below / 2, width, height);
    else camera.obj.clearViewOffset();
    camera.obj.updateProjectionMatrix();
    redraw();
  };

  const fill = () => {
    if (!before) return;
    const place = (name) => view.querySelector(name)?.getBoundingClientRect() ?? { height: 0 };
    const [width, height] = [view.clientWidth, view.clientHeight - place(".mbw-timeline").height];
    if (!(width > 0 && height > 0)) return;
    const [found, story] = [place(".mbw-found"), place(".mbw-story:not([hidden])")];
    const beside = found.height && found.left > width / 2 ? width - found.left : 0;
    const below = story.height && story.top > height / 3 ? height - story.top : 0;
    const free = [width - beside, height - below];
    shape(width, height, fieldFor(before.fov, before.aspect, free, [width, height]), beside, below);
  };

  const enter = () => {
    view = el.closest(".mbw-view");
    if (!view || before) return;
    const { aspect, fov } = camera.obj;
    before = { width: renderer.get("_width"), height: renderer.get("_height"), aspect, fov };
    view.classList.add("mbw-lecturing");
    view.append(hint);
    // the page may forbid it, in a frame: then the page is filled
    view.requestFullscreen?.().catch(() => {});
    player.set("_lecturing", true);
    fill();
    view.querySelector("canvas")?.focus({ preventScroll: true });
  };

  const leave = () => {
    if (!before) return;
    view.classList.remove("mbw-lecturing");
    hint.remove();
    player.set({ _lecturing: false, _bare: false });
    shape(before.width, before.height, before.fov);
    before = null;
    if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
    own.focus({ preventScroll: true });
  };

  const toggle = () => (before ? leave() : enter());

  const press = (selector) => view.querySelector(selector)?.click();
  const answers = {
    leave,
    play: () => press(".mbw-timeline .mbw-play"),
    step: (by) => press(`.mbw-timeline [aria-label="${by < 0 ? "One frame back" : "One frame on"}"]`),
    view: (number) => {
      const menu = view.querySelector(".mbw-views select");
      if (!menu?.options[number]) return;
      menu.selectedIndex = number;
      menu.dispatchEvent(new Event("change", { bubbles: true }));
    },
    fit: () => press(".mbw-fit"),
    vectors: () => player.set("_bare", !player.get("_bare")),
    next: () => press(".mbw-story-next"),
    back: () => press(".mbw-story-back"),
  };

  const hear = (event) => {
    const inside = el.closest(".mbw-view")?.contains(event.target);
    const writing = Boolean(event.target?.closest?.(BUSY)) && !event.target.matches("input[type=range]");
    if (!before) {
      if (inside && !writing && event.key.toLowerCase() === "l" && wishOf(event, writing)) {
        event.preventDefault();
        enter();
      }
      return;
    }
    const wish = wishOf(event, writing);
    const arrows = event.target?.matches?.("input[type=range], [role=slider]") && event.key.startsWith("Arrow");
    if (!wish || arrows || (wish[0] === "play" && event.target?.closest?.("button"))) return;
    event.preventDefault();
    event.stopPropagation();
    answers[wish[0]](wish[1]);
  };

  window.addEventListener("keydown", hear, { signal: life.signal });
  window.addEventListener("resize", fill, { signal: life.signal });
  // Esc leaves the full screen before any key is heard
  document.addEventListener("fullscreenchange", () => document.fullscreenElement || leave(), { signal: life.signal });
  document.addEventListener("fullscreenchange", fill, { signal: life.signal });
  return () => {
    leave();
    life.abort();
  };
}

export default { render };
