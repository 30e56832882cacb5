// Stories: the sentence of a step, back and next. A step sets what a hand could set: time, sliders, camera, vectors.

import { button, element } from "../../scene/page/shared/elements.js";
import { listen, referred, tell } from "../../scene/page/shared/models.js";
import { clamp } from "../../scene/page/shared/numbers.js";
import { piecesOf, writePieces } from "./sentences.js";

const NOTHING = { picks: {}, names: [] };

// Where *back* and *next* lead from a step, of so many.
export const stepFrom = (step, by, count) => clamp(step + by, 0, count - 1);

async function render({ model, el }) {
  el.classList.add("mbw-story");
  el.setAttribute("role", "group");
  const player = await referred(model, "player");
  const [camera, orbit] = await Promise.all(["camera", "orbit"].map((name) => referred(player, name)));
  const other = (name) => (model.get(name) ? referred(model, name) : null);
  const [controls, table] = await Promise.all(["controls", "table"].map(other));
  const back = button("◂ Back", "The step before", el, () => go(-1));
  const body = element("div", { class: "mbw-story-body" }, el);
  const next = button("Next ▸", "The next step", el, () => go(1));
  back.className = "mbw-story-back";
  next.className = "mbw-story-next";

  const look = (place) => {
    if (!camera.obj || !orbit.obj) return;
    camera.obj.position.set(...place.slice(0, 3));
    orbit.obj.target.set(...place.slice(3));
    orbit.obj.update();
  };

  const move = (values) => {
    const page = controls?.get("_live");
    for (const [key, value] of Object.entries(values)) {
      if (page?.takes(key)) {
        page.move(key, value);
        page.rest();
      }
      if (controls) tell(controls, { edit: { key, value, number: Date.now() } });
    }
  };

  const go = (by) => {
    const steps = model.get("steps");
    const step = stepFrom(model.get("step"), by, steps.length);
    if (step !== model.get("step")) tell(model, { step });
  };

  const act = () => {
    const told = model.get("steps")[model.get("step")];
    if (!told) return;
    move(told.values);
    if (table && told.vectors) tell(table, { chosen: told.vectors });
    if (told.camera) look(told.camera);
    if (told.time !== null) tell(player, { time: told.time, playing: told.playing });
    else tell(player, { playing: told.playing });
  };

  const show = () => {
    const [steps, step] = [model.get("steps"), model.get("step")];
    el.hidden = !steps.length;
    el.setAttribute("aria-label", `Story: ${model.get("title")}`);
    const told = steps[step];
    body.replaceChildren();
    const line = element("p", { role: "status" }, body);
    if (told) writePieces(line, piecesOf(told.text, [], NOTHING), {});
    else element("b", { text: model.get("title") || "A story" }, line);
    const count = element("p", { class: "mbw-story-count" }, body);
    steps.forEach((_, k) => {
      const dot = button("", `Step ${k + 1}`, count, () => tell(model, { step: k }));
      dot.setAttribute("aria-label", `Step ${k + 1}`);
      dot.classList.toggle("mbw-story-now", k === step);
    });
    element("span", { text: step < 0 ? `${steps.length} steps` : `${step + 1} of ${steps.length}` }, count);
    back.disabled = step <= 0;
    next.disabled = step >= steps.length - 1;
  };

  const turn = () => {
    act();
    show();
  };
  const stop = listen(model, { "change:step": turn, "change:steps": show, "change:title": show });
  show();
  return stop;
}

export default { render };
