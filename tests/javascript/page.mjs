// As much of a page as the helpers ask for: elements with attributes, children and listeners.

export class Node {
  constructor(tag) {
    Object.assign(this, {
      tag,
      attributes: {},
      children: [],
      style: { setProperty: () => {} },
      dataset: {},
      listeners: {},
    });
    const classes = new Set();
    this.classList = {
      toggle: (name, on) => (on ? classes.add(name) : classes.delete(name)),
      has: (name) => classes.has(name),
    };
  }

  setAttribute(name, value) {
    this.attributes[name] = String(value);
  }

  getAttribute(name) {
    return this.attributes[name] ?? null;
  }

  append(...items) {
    for (const item of items) if (item instanceof Node) item.parent = this;
    this.children.push(...items);
  }

  replaceChildren(...items) {
    this.children = [];
    this.append(...items);
  }

  getBoundingClientRect() {
    return {};
  }

  remove() {
    this.parent.children = this.parent.children.filter((item) => item !== this);
  }

  set textContent(text) {
    this.children = [text];
  }

  get textContent() {
    return this.children.map((item) => item.textContent ?? item).join("");
  }

  // Only classes and [attribute] are known here.
  querySelectorAll(selector) {
    const fits = selector.startsWith(".")
      ? (node) => node.attributes.class === selector.slice(1)
      : (node) => selector.slice(1, -1) in node.attributes;
    const inside = this.children.filter((item) => item instanceof Node);
    return inside.flatMap((node) => [...(fits(node) ? [node] : []), ...node.querySelectorAll(selector)]);
  }

  querySelector(selector) {
    return this.querySelectorAll(selector)[0] ?? null;
  }

  contains(other) {
    return other === this || this.children.some((item) => item instanceof Node && item.contains(other));
  }

  focus() {
    globalThis.document.activeElement = this;
  }

  addEventListener(name, listener) {
    const rest = this.listeners[name] ?? [];
    this.listeners[name] = [...rest, listener];
  }

  dispatch(name, event = {}) {
    for (const listener of this.listeners[name] ?? []) listener(event);
  }

  click() {
    this.dispatch("click");
  }

  // As HTML, to be compared.
  get html() {
    return this.children
      .map((item) => (item instanceof Node ? `<${item.tag}>${item.html}</${item.tag}>` : item))
      .join("");
  }
}

// Put a page in the place of the browser's; returns it.
export function openPage() {
  const make = (tag) => new Node(tag);
  globalThis.document = { createElement: make, createElementNS: (_, tag) => make(tag), activeElement: null };
  return globalThis.document;
}

// The model of a widget: traits, listeners, and what was told to the kernel.
export class Model {
  constructor(traits) {
    Object.assign(this, { traits, told: [], heard: [] });
  }

  get(name) {
    return this.traits[name];
  }

  set(changes) {
    Object.assign(this.traits, changes);
  }

  save_changes() {
    this.told.push({ ...this.traits });
  }

  on(name, listener) {
    this.heard.push([name, listener]);
  }

  off(name, listener) {
    this.heard = this.heard.filter(([one, other]) => one !== name || other !== listener);
  }
}
