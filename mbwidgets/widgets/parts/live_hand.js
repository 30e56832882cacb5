// A hand on a body, in a page without a kernel: what it does is asked of the desk, and said beside it.

import { listen, modelOf } from "../../scene/page/shared/models.js";
import { keepAside } from "../../scene/page/shared/overlay.js";

export async function connectHand(model, answers) {
  const reference = model.get("hand");
  if (!reference) return;
  const grab = await modelOf(model.widget_manager, reference);
  if (grab.comm_live !== false || grab.get("still")) return; // Python answers, or nobody does
  const { player } = answers;
  let drags = 0;
  let isHeld = false;
  const ready = () => keepAside(grab, "_aside", Boolean(answers.id && grab.get("rules").limits));

  const act = () => {
    const { body, at, hand: place, pulls: plays, last, time, number } = grab.get("edit");
    const rules = grab.get("rules");
    if (!rules.limits || !answers.id) return;
    if (!isHeld) drags += 1;
    isHeld = !last;
    const pulls = plays && rules.pulls;
    if (plays && !pulls) player.set("playing", false); // it is posed instead
    answers.grab({ ...rules, body, at, place, pulls, last, time, drag: drags });
    grab.set("answered", number);
  };
  answers.grabbed = (hand, taken) => {
    grab.set({
      stiffness: taken.spring?.stiffness ?? 0,
      words: hand.last || hand.pulls ? "" : taken.words || hand.words.posed,
    });
  };
  answers.ungrabbed = (why) => grab.set("words", why);
  answers.opened = ready;
  ready();
  listen(grab, { "change:edit": act, "change:rules": ready });
}
