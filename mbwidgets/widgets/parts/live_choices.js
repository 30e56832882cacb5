// Menus and ticks of a page without a kernel: another body, other vectors, other curves. What they choose was told by
// Python; the page solves it.

import { modelOf } from "../../scene/page/shared/models.js";
import { layOver } from "../../scene/page/shared/overlay.js";
import { movedNumbers, movedTexts } from "./live_file.js";
import { FormulaValues, programOf, valuesHtml } from "./live_formulae.js";
import { ellipsoidOf, hangEllipsoid, PageTrails, switchTheme, tracedArrows } from "./live_looks.js";
import { connectPicking } from "./live_picking.js";
import { PageStage } from "./live_stage.js";
import { isChosen } from "./live_when.js";

const NOT_HERE = "Only Python computes this plot: open the notebook.";
const NO_TERMS = { rows: [], note: "Of this body only Python tells the terms: open the notebook." };
const NOT_STORED =
  "<p class='mbw-note'>This formula was not stored in the page: Python derives it in the notebook.</p>";
export const FORMULA_NOTE =
  "Formulae hold for the numbers that the page was made with; one of them, which is no parameter, has been moved.";

// The body that glows is the selected one.
export function passGlow(groups, from, to) {
  const surfaces = (body) => groups[body]?.obj?.children.filter((item) => item.material?.emissive) ?? [];
  const glow =
    surfaces(from)
      .map(({ material }) => material.emissive.getHex())
      .find(Boolean) ?? 0;
  for (const { material } of surfaces(from)) material.emissive.setHex(0);
  for (const { material } of surfaces(to)) material.emissive.setHex(glow);
}

// Let the player move these arrows and no others; those that go are hidden. `units` are the scales that they may need.
export async function showArrowsOf(model, answers, shown, units) {
  const { player } = answers;
  const gone = [...player.get("arrows"), ...player.get("labels")];
  const present = new Set(shown.flatMap(({ group, label }) => [group, label]));
  for (const item of gone.filter((reference) => !present.has(reference))) {
    (await modelOf(model.widget_manager, item)).obj.visible = false;
  }
  const needed = Object.fromEntries(
    Object.entries(units)
      .filter(([unit]) => shown.some(({ page }) => page.unit === unit))
      .map(([unit, entry]) => [unit, { ...entry, allowed: entry.allowed * (answers.wider ?? 1) }]),
  );
  answers.want({ arrows: shown.map(({ page }) => page), units: { ...needed, ...model.get("wanted").units } });
  answers.replace({
    arrows: shown.map(({ group }) => group),
    labels: shown.map(({ label }) => label),
    quantities: shown.map(({ key }) => key),
    units: shown.map(({ unit }) => unit),
    colours: shown.map(({ colour }) => colour),
    symbols: shown.map(({ symbol }) => symbol),
    acts_on: shown.map(({ on }) => on),
    traces: [],
  });
}

export async function connectChoices(model, answers) {
  const { menus, readout, bodies, kinds, ellipsoid, units, formulae, text, ...looks } = model.get("choices");
  const manager = model.widget_manager;
  const [bodyMenu, plotMenu, formulaMenu, table, inertia, formula] = await Promise.all(
    [menus.body, menus.plot, menus.formula, readout, ellipsoid, text].map((id) => manager.get_model(id)),
  );
  const [scope, sizes, trail, trace, ghost] = await Promise.all(
    [menus.scope, menus.sizes, menus.trail, menus.trace, menus.ghost].map((id) => manager.get_model(id)),
  );
  const { player } = answers;
  const groups = await Promise.all(player.get("bodies").map((item) => modelOf(manager, item)));
  answers.stage = await PageStage.open(manager, player, looks.stage);
  const trails = await PageTrails.open(manager, looks.trail, groups.length);
  let selected = bodyMenu.get("index");
  const everywhere = () => scope.get("index") === 1;

  const showCurves = () => {
    const { plot } = answers;
    const found = bodies[selected].curves[kinds[plotMenu.get("index")]];
    const state = found?.state ?? { names: [], note: NOT_HERE };
    answers.want({ curves: found?.page ?? null });
    // curves of another kind are no ghost behind these
    const none = new DataView(new ArrayBuffer(0));
    plot.set({ ...state, times: none, values: none, version: plot.get("version") + 1 });
  };

  const numbers = new FormulaValues(formula, player);
  const showFormula = () => {
    const stored = looks.programs[selected][formulaMenu.get("index")] ?? { names: [], programs: [] };
    const letters = formulae[selected][formulaMenu.get("index")] || NOT_STORED;
    formula.set("value", letters + valuesHtml(stored.names));
    numbers.take([], null);
    answers.tellFormulae(stored.programs.map((program) => programOf(program, answers.document.names)));
  };
  answers.numbered = (found) => numbers.take(found.times, answers.spoilt ? null : found.formulae);
  answers.check = looks.check && programOf(looks.check, answers.document.names);

  let latest = null; // masses and inertias of all bodies, as they were answered last
  let told = table
    .get("columns")
    .some(([key]) => bodies[selected].arrows.some((row) => row.key === key && row.unit === "N"));
  // Where forces are told the ellipsoid would be in their way.
  const hang = () => {
    const rules = told ? null : bodies[selected].ellipsoid;
    const shape = rules && latest ? ellipsoidOf(latest.subarray(10 * selected, 10 * selected + 10), rules) : rules;
    hangEllipsoid(inertia.obj, groups[selected].obj, shape);
  };

  // Arrows of the chosen quantities, in the order of the choice.
  const showArrows = () => {
    const chosen = table.get("chosen");
    const own = bodies[selected].arrows;
    const ofKey = (arrows, key) => arrows.filter((arrow) => arrow.key === key);
    const found = (key) => (everywhere() ? ofKey(looks.everywhere, key) : []);
    const shown = chosen.flatMap((key) => (found(key).length ? found(key) : ofKey(own, key)));
    table.set(
      "columns",
      shown.map(({ column }) => column),
    );
    told = shown.some(({ unit }) => unit === "N");
    hang();
    return showArrowsOf(model, answers, shown, units);
  };

  // What stands beneath the stage is that of the selected body.
  const choose = () => {
    answers.chosen = new Map([[`IPY_MODEL_${menus.body}`, selected]]);
  };
  const showTerms = async () => {
    choose();
    const { fills = [] } = model.get("wanted").tables ?? {};
    for (const part of new Set(fills.map((fill) => fill.part))) {
      const found = fills.find((fill) => fill.part === part && isChosen(fill.when, answers.chosen));
      const widget = await modelOf(manager, part);
      widget.set(found?.look ?? NO_TERMS);
      layOver(widget, { values: new Float32Array(0) }); // until there are those of this body
    }
  };

  const showBody = () => {
    const before = selected;
    selected = bodyMenu.get("index");
    showTerms();
    const { rows, title } = bodies[selected];
    answers.controls.set({ rows, values: rows.map(({ origin }) => origin) });
    table.set("title", everywhere() ? looks.title : title);
    passGlow(groups, before, selected);
    showCurves();
    showArrows();
    showFormula();
  };

  // The ellipsoid is that of the inertia as it stands.
  answers.looks.push(({ inertias }) => {
    latest = inertias;
    hang();
  });
  // Tails of mass centres and of forces, where they are wanted.
  answers.looks.push((found) => {
    const wanted = everywhere() ? groups.map((_, k) => k) : [selected];
    const { arrows } = model.get("wanted");
    trails.draw(found, trail.get("value") ? wanted : [], selected);
    player.set("traces", trace.get("value") ? tracedArrows(found.vectors, arrows, looks.trail.varies) : []);
  });
  // the model as text follows its numbers
  const { panel } = answers;
  const texts = { json: panel.get("json"), code: panel.get("code") };
  answers.looks.push(() => {
    panel.set(movedTexts(texts, looks.file, movedNumbers(answers.document, answers.values)));
  });
  answers.turnTheme = () => switchTheme(player, looks.themes);
  ghost.on("change:value", () => player.set("ghost", ghost.get("value")));
  trail.on("change:value", () => answers.again());
  trace.on("change:value", () => answers.again());
  scope.on("change:index", () => {
    table.set("title", everywhere() ? looks.title : bodies[selected].title);
    showArrows();
  });
  sizes.on("change:index", () => {
    answers.magnify = looks.sizes[sizes.get("index")] / looks.magnify;
    answers.again();
  });

  answers.noticed = () => {
    answers.spoilt = answers.isPlainMoved();
    model.set("_words", answers.spoilt ? FORMULA_NOTE : "");
  };

  choose();
  if (bodies.length > 1)
    connectPicking(manager, player, (body) => {
      if (body < bodies.length) bodyMenu.set("index", body);
    });
  showFormula();
  bodyMenu.on("change:index", showBody);
  formulaMenu.on("change:index", showFormula);
  table.on("change:chosen", showArrows);
  plotMenu.on("change:index", () => {
    showCurves();
    answers.again();
  });
}
