// A slider that is moved is answered in the page: solved there, and shown in the player, the plot and the line of health.

import { listen, modelOf, referred } from "../../scene/page/shared/models.js";
import { Answers } from "./live_answers.js";
import { connectChoices } from "./live_choices.js";
import { connectHand } from "./live_hand.js";
import { connectHandles } from "./live_handles.js";
import { connectRotation } from "./live_rotation.js";
import { connectSpectrum } from "./live_spectrum.js";
import { connectVariants } from "./live_variants.js";

async function partner(model, name) {
  const reference = model.get(name);
  return reference ? modelOf(model.widget_manager, reference) : null;
}

async function initialize({ model }) {
  const [box, player, health] = await Promise.all(["kernels", "player", "health"].map((name) => referred(model, name)));
  const answers = new Answers(model, { box, player, health });
  // a view makes its sliders and plots later
  const join = async () => {
    const parts = await Promise.all(["controls", "plot", "panel"].map((name) => partner(model, name)));
    answers.join(...parts);
  };
  await join();
  let stopTurning = null;
  const turn = async () => {
    if (!stopTurning && model.get("wanted").tables?.rotation) stopTurning = await connectRotation(model, answers);
  };
  await turn();
  let analysing = false;
  const analyse = async () => {
    if (analysing || !model.get("wanted").tables?.spectrum) return;
    analysing = true;
    await connectSpectrum(model, answers);
  };
  await analyse();
  const stop = listen(model, {
    "change:controls": join,
    "change:plot": join,
    "change:panel": join,
    "change:problem": () => answers.open(),
    "change:values": () => answers.settle(),
    "change:wanted": () => {
      turn();
      analyse();
      answers.tellAgain();
    },
  });
  const stopHealth = listen(health, { "change:value": () => answers.tellHorizon() });
  answers.open();
  const connected = [connectHand(model, answers), connectHandles(model, answers)];
  if (model.get("choices").bodies) connected.push(connectChoices(model, answers));
  if (model.get("wanted").tables?.menus) connected.push(connectVariants(model, answers));
  Promise.all(connected).then(() => answers.refine());
  return () => {
    stop();
    stopTurning?.();
    stopHealth();
    answers.close();
  };
}

function render({ model, el }) {
  el.classList.add("mbw-live");
  el.setAttribute("role", "status");
  const show = () => {
    el.textContent = [model.get("note"), model.get("_words")].filter(Boolean).join(" ");
  };
  show();
  return listen(model, { "change:_words": show, "change:note": show });
}

export default { initialize, render };
