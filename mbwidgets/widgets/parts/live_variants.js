// What the menus and ticks of a view choose in a page without a kernel: parts look otherwise and take other results of
// the view's program, other arrows are drawn, and other sliders are shown.

import { modelOf } from "../../scene/page/shared/models.js";
import { passGlow, showArrowsOf } from "./live_choices.js";

// Whether the menus stand where a choice is made; `at` gives their places by reference.
export const isChosen = (when, at) => when.every(([menu, place]) => at.get(menu) === place);

export async function connectVariants(model, answers) {
  const { tables } = model.get("wanted");
  const manager = model.widget_manager;
  const menus = await Promise.all(tables.menus.map((item) => modelOf(manager, item)));
  const table = tables.ticks ? await manager.get_model(tables.ticks) : null;
  const { player } = answers;
  const bodies = await Promise.all(player.get("bodies").map((item) => modelOf(manager, item)));
  const places = () => new Map(tables.menus.map((item, k) => [item, menus[k].get("index")]));
  let before = new Map();

  const showLooks = async (at) => {
    for (const { part, look, when } of tables.fills) {
      if (when.length && isChosen(when, at)) (await modelOf(manager, part)).set(look);
    }
  };

  const showArrows = (at) => {
    const ticked = table?.get("chosen");
    const shown = tables.arrows.filter(({ when, key }) => isChosen(when, at) && (ticked?.includes(key) ?? true));
    return showArrowsOf(model, answers, shown, tables.units);
  };

  // Sliders of another body, which then glows.
  const showSliders = (at) => {
    const found = tables.rows.find(({ when }) => when.length && isChosen(when, at));
    if (!found) return;
    const [menu, body] = found.when[0];
    if (before.get(menu) === body) return;
    answers.controls.set({ rows: found.rows, values: found.rows.map(({ origin }) => origin) });
    passGlow(bodies, before.get(menu), body);
  };

  const show = async () => {
    const at = places();
    answers.chosen = at;
    showSliders(at);
    await showLooks(at);
    await showArrows(at);
    before = at;
  };
  before = places();
  answers.chosen = before;
  for (const menu of menus) menu.on("change:index", show);
  table?.on("change:chosen", () => showArrows(places()));
}
