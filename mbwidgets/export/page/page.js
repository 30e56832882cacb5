// A page without a kernel: unpacks its scripts, makes the widgets from their stored state, and answers sliders from
// states that were computed beforehand. Nothing is loaded from anywhere.

const packed = document.getElementById("mbw-packed").textContent;
const contents = JSON.parse(document.getElementById("mbw-contents").textContent);

// Chunk k of the page's data, unpacked. Chunks begin at multiples of three bytes, so that each can be decoded alone.
async function chunk(k) {
  const [start, length] = contents.chunks[k];
  const text = atob(packed.slice((start / 3) * 4, (start / 3) * 4 + 4 * Math.ceil(length / 3)));
  const bytes = new Uint8Array(length);
  for (let i = 0; i < length; i++) bytes[i] = text.charCodeAt(i);
  const unpacking = new DecompressionStream("gzip");
  const writer = unpacking.writable.getWriter();
  writer.write(bytes);
  writer.close();
  return new Uint8Array(await new Response(unpacking.readable).arrayBuffer());
}

const textOf = async (k) => new TextDecoder().decode(await chunk(k));

// Modules: scripts say define(name, needs, make); what they need came before.

const modules = new Map();
let named = "";
window.define = (...parts) => {
  const make = parts.pop();
  const needs = parts.pop();
  const name = parts.pop() ?? named;
  const given = needs.map((need) => (need === "module" ? { id: name, uri: document.location.href } : modules.get(need)));
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
    inlineMath: [["$", "$"], ["\\(", "\\)"]],
    processEscapes: true,
    packages: { "[-]": ["autoload", "require"] },
  },
};
const hub = { Queue: ([, , node]) => typeset(node) };
window.MathJax.Hub = hub;
let letMathStart;
let typesetting = new Promise((resolve) => (letMathStart = resolve));
function typeset(node) {
  typesetting = typesetting.then(() => window.MathJax.typesetPromise([node]));
  return typesetting;
}

// It is large, and the picture comes first.
async function startMath() {
  run(await textOf(contents.math));
  window.MathJax.Hub = hub;
  await window.MathJax.startup.promise;
  letMathStart();
}

// Numbers over time: per column the lowest value and the step, then second differences in four planes of bytes.
function frames(bytes, rows, columns) {
  const head = new Float32Array(bytes.slice(0, 8 * columns).buffer);
  const size = rows * columns;
  const [low, second, third, high] = [0, 1, 2, 3].map((k) => bytes.subarray(8 * columns + k * size, 8 * columns + (k + 1) * size));
  const out = new Float32Array(size);
  for (let c = 0; c < columns; c++) {
    let value = 0;
    let slope = 0;
    for (let r = 0; r < rows; r++) {
      const at = c * rows + r;
      const zigzag = low[at] | (second[at] << 8) | (third[at] << 16) | (high[at] << 24);
      slope += (zigzag >>> 1) ^ -(zigzag & 1);
      value += slope;
      const number = head[c] + value * head[columns + c];
      // what was zero is within half a step of it
      out[r * columns + c] = Math.abs(number) < head[columns + c] / 2 ? 0 : number;
    }
  }
  return new DataView(out.buffer);
}

// {model id: {name: value}} of a chunk, its binary values put back.
async function states(k) {
  const bytes = await chunk(k);
  const length = new DataView(bytes.buffer).getUint32(0, true);
  const found = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  for (const [id, path, start, size, rows, columns] of found.buffers) {
    const from = 4 + length + start;
    const raw = bytes.slice(from, from + size);
    let place = found.states[id];
    for (const key of path.slice(0, -1)) place = place[key];
    place[path[path.length - 1]] = rows ? frames(raw, rows, columns) : new DataView(raw.buffer);
  }
  return found.states;
}

// What the widgets ask of a manager, and no more.
class Manager {
  models = new Map();

  async loadClass(name, module) {
    const found = modules.get(module)?.[name];
    if (!found) throw new Error(`this page has no ${name} of ${module}`);
    return found;
  }

  async get_model(id) {
    if (!this.models.has(id)) throw new Error(`this page has no widget ${id}`);
    return this.models.get(id);
  }

  has_model(id) {
    return this.models.has(id);
  }

  callbacks() {
    return {};
  }

  async resolveUrl(url) {
    return url;
  }

  inline_sanitize(text) {
    const node = document.createElement("span");
    node.textContent = text;
    return node.innerHTML;
  }

  new_widget() {
    return Promise.reject(new Error("a page without a kernel makes no new widgets"));
  }

  async load(all) {
    for (const [id, state] of Object.entries(all)) this.models.set(id, this.make(id, state));
    await Promise.all(this.models.values());
  }

  async make(id, state) {
    const Model = await this.loadClass(state._model_name, state._model_module);
    const model = new Model(await Model._deserialize_state(state, this), { widget_manager: this, model_id: id });
    model.name = state._model_name;
    model.module = state._model_module;
    return model;
  }

  create_view(model, options = {}) {
    const made = model.state_change.then(async () => {
      const View = await this.loadClass(model.get("_view_name"), model.get("_view_module"));
      const view = new View({ model, options });
      view.listenTo(model, "destroy", view.remove);
      await view.render();
      return view;
    });
    model.state_change = made;
    if (model.views) model.views[crypto.randomUUID?.() ?? String(Math.random())] = made;
    return made;
  }

  async display(id, place) {
    const view = await this.create_view(await this.get_model(id));
    const { JupyterLuminoWidget } = modules.get("@jupyter-widgets/base");
    place.replaceChildren();
    JupyterLuminoWidget.attach(view.luminoWidget, place);
  }

  // Models and their new states, to be set all at once: nothing is drawn between two widgets of one state.
  prepare(changes) {
    return Promise.all(
      Object.entries(changes).map(async ([id, state]) => {
        const model = await this.get_model(id);
        return [model, await model.constructor._deserialize_state(state, this)];
      }),
    );
  }
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

// A grid of states: one axis for each slider that was kept alive, and at each node what can be chosen besides; the
// newest wish wins.
class Grid {
  constructor(manager, { axes, nodes, at, choice }) {
    Object.assign(this, { manager, axes, nodes, at: [...at], wanted: [...at], choice, busy: false });
    this.chosen = this.choosing = choice?.at ?? 0;
  }

  async connect() {
    for (const [k, axis] of this.axes.entries()) {
      const model = await this.manager.get_model(axis.model);
      model.on(`change:${axis.trait}`, () => {
        const value = model.get(axis.trait);
        if (axis.key === null) this.wish(k, value);
        else if (value.key === axis.key) this.wish(k, value.value);
      });
    }
    if (!this.choice) return;
    this.parts = await Promise.all(this.choice.parts.map(async ([id, trait]) => [await this.manager.get_model(id), trait]));
    this.parts.forEach(([model, trait], k) => model.on(`change:${trait}`, () => this.applying || this.choose(k)));
  }

  wish(k, value) {
    const away = this.axes[k].values.map((node) => Math.abs(node - value));
    this.wanted[k] = away.indexOf(Math.min(...away));
    if (!this.busy) this.go();
  }

  // Part k was moved: what is chosen in all parts, or the first that has this part as it is.
  choose(k) {
    const values = this.choice.values[this.node(this.wanted)];
    const now = this.parts.map(([model, trait]) => model.get(trait));
    const same = (one, i) => JSON.stringify(one[i]) === JSON.stringify(now[i]);
    const score = ([one]) => now[0].axis.reduce((sum, part, i) => sum + part * one[i], 0);
    let found = -1;
    if (this.choice.near) values.forEach((one, i) => (found = found < 0 || score(one) > score(values[found]) ? i : found));
    else found = values.findIndex((one) => now.every((_, i) => same(one, i)));
    if (found < 0) found = values.findIndex((one) => same(one, k));
    if (found < 0 || found === this.choosing) return;
    this.choosing = found;
    if (!this.busy) this.go();
  }

  node(places) {
    return places.reduce((sum, place, k) => sum * this.axes[k].values.length + place, 0);
  }

  async changes(index, chosen) {
    const found = await states(this.nodes[index]);
    if (!this.choice) return found;
    const row = this.choice.nodes[index];
    const own = await states(row[Math.min(chosen, row.length - 1)]);
    for (const [id, state] of Object.entries(own)) found[id] = { ...found[id], ...state };
    return found;
  }

  async go() {
    this.busy = true;
    try {
      while (true) {
        const [aim, chosen] = [[...this.wanted], this.choosing];
        const ready = await this.manager.prepare(await this.changes(this.node(aim), chosen));
        this.applying = true;
        for (const [model, state] of ready) model.set(state);
        this.applying = false;
        [this.at, this.chosen] = [aim, chosen];
        if (aim.every((place, k) => place === this.wanted[k]) && chosen === this.choosing) break;
      }
    } finally {
      this.busy = false;
    }
    // what was typed between two nodes goes to the node
    for (const { model, shown } of this.axes) (await this.manager.get_model(model)).trigger(`change:${shown}`);
  }
}

// The menu of views and the button beside it, which in a notebook the kernel answers.
async function connectCameras(manager) {
  for (const { menu, button, camera, orbit, places, target } of contents.cameras) {
    const [choice, fit, eye, turning] = await Promise.all([menu, button, camera, orbit].map((id) => manager.get_model(id)));
    const look = () => {
      eye.obj.position.set(...places[choice.get("index")]);
      turning.obj.target.set(...target);
      turning.obj.update();
    };
    choice.on("change:index", look);
    for (const view of Object.values(fit.views)) (await view).el.addEventListener("click", look);
  }
}

// A table of vectors whose ticks chose arrows in the kernel: here an arrow that is not wanted has no length.
async function connectTicks(manager) {
  for (const made of manager.models.values()) {
    const model = await made;
    const [chosen, columns, player] = ["chosen", "columns", "player"].map((name) => model.get(name));
    if (!Array.isArray(chosen) || !Array.isArray(columns?.[0]) || typeof player !== "string") continue;
    const driver = await manager.get_model(player.replace("IPY_MODEL_", ""));
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

async function start() {
  const found = states(contents.states);
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
  const manager = new Manager();
  window.mbwidgets = manager;
  await manager.load(await found);
  await turnCameras(manager);
  for (const place of document.querySelectorAll("[data-model]")) {
    await manager.display(place.dataset.model, place);
    document.documentElement.dataset.drawn ??= performance.now().toFixed(0);
  }
  for (const grid of contents.grids) await new Grid(manager, grid).connect();
  await connectCameras(manager);
  await connectTicks(manager);
  await startMath();
  for (const node of document.querySelectorAll(".jp-RenderedMarkdown, .jp-RenderedLatex, .text_cell_render, .output_latex")) typeset(node);
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
