// Arrays of numbers are made here: what the widgets make them with compiles text, which a page's policy may forbid.
const KINDS = { float32: Float32Array, float64: Float64Array, uint32: Uint32Array, uint16: Uint16Array };

const isArray = (value) => Array.isArray(value?.shape) && value.dtype in KINDS && value.buffer instanceof DataView;

const withoutArrays = (state) => Object.fromEntries(Object.entries(state).filter(([, value]) => !isArray(value)));

const arraysOf = (state) =>
  Object.fromEntries(
    Object.entries(state)
      .filter(([, value]) => isArray(value))
      .map(([name, { shape, dtype, buffer }]) => {
        const data = new KINDS[dtype](
          buffer.buffer,
          buffer.byteOffset,
          buffer.byteLength / KINDS[dtype].BYTES_PER_ELEMENT,
        );
        return [name, { data, shape, dtype, size: data.length, dimension: shape.length }];
      }),
  );

// What the widgets ask of a manager, and no more.
export class Manager {
  models = new Map();

  // `modules`: what the scripts of the page have defined, by name.
  constructor(modules) {
    this.modules = modules;
  }

  async loadClass(name, module) {
    const found = this.modules.get(module)?.[name];
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
    const values = await Model._deserialize_state(withoutArrays(state), this);
    const model = new Model({ ...values, ...arraysOf(state) }, { widget_manager: this, model_id: id });
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
    const { JupyterLuminoWidget } = this.modules.get("@jupyter-widgets/base");
    place.replaceChildren();
    JupyterLuminoWidget.attach(view.luminoWidget, place);
  }

  // Models and their new states, to be set all at once: nothing is drawn between two widgets of one state.
  prepare(changes) {
    return Promise.all(
      Object.entries(changes).map(async ([id, state]) => {
        const model = await this.get_model(id);
        const values = await model.constructor._deserialize_state(withoutArrays(state), this);
        return [model, { ...values, ...arraysOf(state) }];
      }),
    );
  }
}
