// A page without a kernel: unpacks its scripts, makes the widgets from their stored state, and answers sliders from
// states that were computed beforehand. Nothing is loaded from anywhere.

import { modelOf } from "../../scene/page/shared/models.js";
import { Grid } from "./grid.js";
import { unpackLzma } from "./lzma.js";
import { Manager } from "./manager.js";
import { bytesOf, statesOf, unzipped } from "./unpack.js";

const packed = document.getElementById("mbw-packed").textContent;
const contents = JSON.parse(document.getElementById("mbw-contents").textContent);

// A page of its own is as light or dark as the browser; its widgets look where JupyterLab says so.
const night = window.matchMedia("(prefers-color-scheme: dark)");
const dim = () => {
  document.body.dataset.jpThemeLight = String(!night.matches);
};
night.addEventListener("change", dim);
dim();

const chunk = (k) => unzipped(bytesOf(packed, contents.chunks[k]));
const textOf = async (k) => new TextDecoder().decode(await chunk(k));
const denseTextOf = (k) => new TextDecoder().decode(unpackLzma(bytesOf(packed, contents.chunks[k])));

// Modules: scripts say define(name, needs, make); what they need came before.

const modules = new Map();
let named = "";
window.define = (...parts) => {
  const make = parts.pop();
  const needs = parts.pop();
  const name = parts.pop() ?? named;
  const given = needs.map((need) =>
    need === "module" ? { id: name, uri: document.location.href } : modules.get(need),
  );
  modules.set(name, make(...given));
};

function run(text) {
  const script = document.createElement("script");
  script.textContent = text;
  document.head.append(script);
  script.remove();
}

// Formulae: the widgets speak to MathJax as it was in version 2.
window.MathJax = {
  loader: { load: [] },
  startup: { typeset: false },
  tex: {
    inlineMath: [
      ["$", "$"],
      ["\\(", "\\)"],
    ],
    processEscapes: true,
    packages: { "[-]": ["autoload", "require"] },
  },
};
const hub = { Queue: ([, , node]) => typeset(node) };
window.MathJax.Hub = hub;
let letMathStart;
let typesetting = new Promise((resolve) => {
  letMathStart = resolve;
});
function typeset(node) {
  typesetting = typesetting.then(() => window.MathJax.typesetPromise([node]));
  return typesetting;
}

// It is large, and the picture comes first.
async function startMath() {
  run(denseTextOf(contents.math));
  window.MathJax.Hub = hub;
  await window.MathJax.startup.promise;
  letMathStart();
}

const states = async (k) => statesOf(await chunk(k));

// The states of all widgets: what is JavaScript in them stands in them as the number of a text.
async function allStates() {
  const texts = JSON.parse(denseTextOf(contents.code));
  const found = await states(contents.states);
  for (const state of Object.values(found))
    for (const name of contents.coded) if (typeof state[name] === "number") state[name] = texts[state[name]];
  return found;
}

// The kernel had turned each camera to its target by a message; here the controls do it.
async function turnCameras(manager) {
  for (const made of manager.models.values()) {
    const model = await made;
    if (model.name !== "OrbitControlsModel") continue;
    await model.initPromise;
    model.obj.update();
  }
}

// The menu of views and the button beside it, which in a notebook the kernel answers.
async function connectCameras(manager) {
  for (const { menu, button, camera, orbit, places, targets, sliders } of contents.cameras) {
    const models = [menu, button, camera, orbit].map((id) => manager.get_model(id));
    const [choice, fit, eye, turning] = await Promise.all(models);
    // a page that solves its motions itself knows what the camera must hold now
    const rows = sliders && (await manager.get_model(sliders));
    const look = () => {
      if (rows?.get("_live")?.look(choice.get("index"))) return;
      eye.obj.position.set(...places[choice.get("index")]);
      turning.obj.target.set(...targets[choice.get("index")]);
      turning.obj.update();
    };
    const suit = () => rows?.get("_live")?.fit(choice.get("index")) || look();
    choice.on("change:index", look);
    for (const view of Object.values(fit.views)) (await view).el.addEventListener("click", suit);
  }
}

// The buttons that go back and forth, in a view whose page solves its motions itself.
async function connectSolvers(manager) {
  for (const { sliders, table: _table, ...buttons } of contents.solvers) {
    const rows = await manager.get_model(sliders);
    for (const [name, id] of Object.entries(buttons)) {
      const model = await manager.get_model(id);
      for (const view of Object.values(model.views))
        (await view).el.addEventListener("click", () => rows.get("_live")?.[name]());
      model.set("disabled", false);
    }
  }
}

// A table of vectors whose ticks chose arrows in the kernel: here an arrow that is not wanted has no length.
async function connectTicks(manager) {
  const thinking = contents.solvers.map(({ table }) => table);
  for (const [id, made] of manager.models) {
    if (thinking.includes(id)) continue;
    const model = await made;
    const [chosen, columns, player] = ["chosen", "columns", "player"].map((name) => model.get(name));
    if (!Array.isArray(chosen) || !Array.isArray(columns?.[0]) || typeof player !== "string") continue;
    const driver = await modelOf(manager, player);
    let full = driver.get("lengths");
    const choose = () => {
      const wanted = model.get("chosen");
      const lengths = full.map((length, k) => (wanted.includes(model.get("columns")[k]?.[0]) ? length : 0));
      driver.set("lengths", lengths);
    };
    model.on("change:chosen", choose);
    driver.on("change:version", () => {
      full = driver.get("lengths");
      choose();
    });
  }
}

const FORMULAE = ".jp-RenderedMarkdown, .jp-RenderedLatex, .text_cell_render, .output_latex";

async function start() {
  const found = allStates();
  const sheet = textOf(contents.style);
  const scripts = contents.scripts.map(async ([name, k]) => [name, await textOf(k)]);
  const style = document.createElement("style");
  style.textContent = await sheet;
  document.head.prepend(style);
  for (const script of scripts) {
    const [name, text] = await script;
    named = name;
    run(text);
  }
  const manager = new Manager(modules);
  window.mbwidgets = manager;
  await manager.load(await found);
  await turnCameras(manager);
  for (const place of document.querySelectorAll("[data-model]")) {
    await manager.display(place.dataset.model, place);
    document.documentElement.dataset.drawn ??= performance.now().toFixed(0);
  }
  for (const grid of contents.grids) await new Grid(manager, states, grid).connect();
  await connectCameras(manager);
  await connectSolvers(manager);
  await connectTicks(manager);
  await startMath();
  for (const node of document.querySelectorAll(FORMULAE)) typeset(node);
  await typesetting;
  document.documentElement.dataset.ready = "yes";
}

start().catch((error) => {
  console.error(error);
  const note = document.createElement("p");
  note.className = "mbw-refused";
  note.textContent = `This page could not be shown: ${error.message ?? error}. It needs a browser of 2023 or later with WebGL.`;
  document.body.prepend(note);
});
