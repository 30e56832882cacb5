// The timeline under the picture: buttons, a slider of the time, the clock and what there is to say.

import { button, element, paintRail, steady } from "./shared/elements.js";
import { clockText, endOf, timeAtRest } from "./shared/frames.js";
import { listen, referred, tell } from "./shared/models.js";
import { shortest } from "./shared/numbers.js";
import { bufferOf } from "./shared/overlay.js";
import { driftBelow, stripAbove } from "./strip.js";

const GONE = "The kernel that made this has ended: nobody hears what is changed here. Run the cell again.";
const ITSELF = [
  "The kernel that made this has ended: the page answers sliders itself.",
  "For all else run the cell again.",
].join(" ");
const ANSWERED = [
  ".mbw-controls, .mbw-readout, .mbw-ledger input, .mbw-heat, .mbw-cone, .mbw-diagram, .mbw-handle",
  ".jupyter-button, .widget-dropdown, .widget-checkbox, .widget-toggle-buttons, .widget-text",
].join(", ");

export function render({ model, el }) {
  el.classList.add("mbw-timeline");
  el.setAttribute("role", "group");
  el.setAttribute("aria-label", "Timeline");
  const labelled = (text, label, action) => {
    const node = button(text, label, el, action);
    node.setAttribute("aria-label", label);
    return node;
  };
  let times = bufferOf(model, "times");
  const stepBy = (frames) => tell(model, { playing: false, time: timeAtRest(times, model.get("time"), frames) });
  const toggle = () => {
    if (model.get("playing")) stepBy(0);
    else tell(model, { playing: true });
  };
  labelled("|◂", "To the start", () => tell(model, { time: 0 }));
  labelled("◂", "One frame back", () => stepBy(-1));
  const play = labelled("▶", "Play", toggle);
  play.classList.add("mbw-play");
  labelled("▸", "One frame on", () => stepBy(1));
  const track = element("span", { class: "mbw-track" }, el);
  const scrub = element("input", { type: "range", min: "0", step: "any", "aria-label": "Time" }, track);
  const ends = [stripAbove(model, track, track, scrub), driftBelow(model, track)];
  const clock = element("output", { class: "mbw-clock" }, el);
  const speed = element("select", { title: "Speed", "aria-label": "Speed" }, el);
  const offer = (value, ...before) => speed.insertBefore(element("option", { value, text: `${value}×` }), ...before);
  for (const value of [0.1, 0.25, 0.5, 1, 2, 4]) offer(value, null);
  const loop = labelled("⟳", "Loop", () => tell(model, { loop: !model.get("loop") }));
  const fault = element("span", { class: "mbw-fault", role: "status" }, el);
  const note = element("span", { class: "mbw-note" }, el);

  let alone = null; // how the page came to have no kernel
  let meant = false;
  const drag = () => {
    meant = true;
    paintRail(scrub);
    model.set({ playing: false, time: Number(scrub.value) });
  };
  steady(scrub, drag, () => show.time());
  for (const name of ["change", "pointerup"]) {
    scrub.addEventListener(name, () => {
      if (meant) tell(model, { playing: false, time: timeAtRest(times, Number(scrub.value)) });
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
  speed.addEventListener("change", () => tell(model, { speed: Number(speed.value) }));

  const show = {
    time: () => {
      scrub.value = model.get("time");
      paintRail(scrub);
      const text = clockText(model.get("time"), endOf(times));
      clock.textContent = text;
      scrub.setAttribute("aria-valuetext", text);
    },
    version: () => {
      times = bufferOf(model, "times");
      scrub.max = endOf(times);
      show.time();
      show._horizon();
    },
    // beyond it the motion is one of many that are possible
    _horizon: () => {
      const horizon = model.get("_horizon") ?? null;
      const share = horizon === null ? 1 : Math.min(1, horizon / (endOf(times) || 1));
      track.classList.toggle("mbw-uncertain", share < 1);
      track.style.setProperty("--known", String(share));
      scrub.title = share < 1 ? `Known until t = ${shortest(horizon)} s: beyond it one possible motion` : "";
    },
    playing: () => {
      play.textContent = model.get("playing") ? "❚❚" : "▶";
      const label = model.get("playing") ? "Pause" : "Play";
      play.setAttribute("aria-label", label);
      play.title = label;
    },
    loop: () => loop.setAttribute("aria-pressed", model.get("loop")),
    speed: () => {
      const value = model.get("speed");
      const known = [...speed.options].map((item) => Number(item.value));
      if (!known.includes(value)) offer(value, speed.options[known.findIndex((item) => item > value)] ?? null);
      speed.value = String(value);
    },
    // a page that was opened again without its kernel, and can solve, answers its sliders
    _thinks: () => {
      if (!alone) return;
      const thinks = alone.reopened && model.get("_thinks");
      fault.textContent = thinks ? ITSELF : GONE;
      for (const node of el.closest(".mbw-view")?.querySelectorAll(ANSWERED) ?? []) {
        node.inert = !(thinks && node.matches(".mbw-controls"));
      }
      el.closest(".mbw-view")?.classList.add("mbw-alone");
    },
    _fault: () => {
      fault.textContent = model.get("_fault") ?? "";
    },
    _note: () => {
      note.textContent = model.get("_note") ?? "";
    },
  };
  for (const update of Object.values(show)) update();
  // what only the kernel answers rests when it is gone; the page goes on playing
  const rest = (scene, reopened) => {
    if (scene.comm_live !== false) return;
    alone = { reopened };
    show._thinks();
  };
  const life = new AbortController();
  referred(model, "scene").then((scene) => {
    const listener = () => rest(scene, false);
    if (life.signal.aborted) return;
    // a notebook that was opened again shows what was saved in it; a page of its own never had a kernel
    if ("kernel" in model.widget_manager) rest(scene, true);
    scene.on("comm_live_update", listener);
    life.signal.addEventListener("abort", () => scene.off("comm_live_update", listener));
  });
  const heard = Object.entries(show).map(([name, update]) => [`change:${name}`, update]);
  const stop = listen(model, Object.fromEntries(heard));
  return () => {
    life.abort();
    for (const end of ends) end();
    stop();
  };
}
