// What the menus and ticks of a view choose in a page without a kernel: parts look otherwise and take other results of
// the view's program, other arrows are drawn, and other sliders are shown.

import { modelOf } from "../../scene/page/shared/models.js";
import { FORMULA_NOTE, passGlow, showArrowsOf } from "./live_choices.js";
import { connectPicking } from "./live_picking.js";
import { PageStage } from "./live_stage.js";
import { isChosen } from "./live_when.js";

// A map whose chosen cell another choice has taken away goes to its first one; one that is there has been answered.
function isLost(map) {
  const [chosen, panels] = [map.get("chosen"), map.get("panels")];
  if (!Array.isArray(panels) || !Array.isArray(chosen)) return false;
  const [panel, row, column] = chosen;
  const there = panels[panel]?.counts[row]?.[column] !== undefined;
  map.set("answered", there ? chosen : [0, 0, 0]);
  if (!there) map.set("chosen", [0, 0, 0]);
  return !there;
}

export async function connectVariants(model, answers) {
  const { tables } = model.get("wanted");
  const manager = model.widget_manager;
  const menus = await Promise.all(tables.menus.map(({ part }) => modelOf(manager, part)));
  const table = tables.ticks ? await manager.get_model(tables.ticks) : null;
  const { player } = answers;
  answers.stage = await PageStage.open(manager, player, tables.stage);
  const bodies = await Promise.all(player.get("bodies").map((item) => modelOf(manager, item)));
  const places = () => new Map(tables.menus.map(({ part, trait }, k) => [part, menus[k].get(trait)]));
  let before = new Map();

  const showLooks = async (at) => {
    for (const { part, look, when } of tables.fills) {
      if (when.length && isChosen(when, at)) (await modelOf(manager, part)).set(look);
    }
  };

  const showArrows = (at) => {
    const ticked = table?.get("chosen");
    const isTicked = (keys) => !ticked || keys.every((key) => ticked.includes(key));
    const shown = tables.arrows.filter(({ when, key, ticks = [key] }) => isChosen(when, at) && isTicked(ticks));
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
    if (menus.filter(isLost).length) return; // it is shown from there
    await showArrows(at);
    before = at;
  };
  const sizes = tables.sizes && (await modelOf(manager, tables.sizes.part)); // of views with arrows of their own
  sizes?.on("change:index", () => {
    answers.magnify = tables.sizes.values[sizes.get("index")] / tables.sizes.now;
    answers.again();
  });
  before = places();
  answers.chosen = before;
  answers.noticed = () => model.set("_words", answers.isPlainMoved() ? FORMULA_NOTE : "");
  menus.forEach((menu, k) => {
    menu.on(`change:${tables.menus[k].trait}`, show);
  });
  const [[bodyMenu] = []] = tables.rows.flatMap(({ when }) => when);
  const chooser = tables.menus.findIndex(({ part }) => part === bodyMenu);
  if (chooser >= 0)
    connectPicking(manager, player, (body) => {
      const isThere = tables.rows.some(({ when }) => when.some(([menu, value]) => menu === bodyMenu && value === body));
      if (isThere) menus[chooser].set(tables.menus[chooser].trait, body);
    });
  table?.on("change:chosen", () => showArrows(places()));
}
