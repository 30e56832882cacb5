// Helpers that every module of the page shares; it stands before each of them in one text.

// An element with attributes; `text` is set as text, never as HTML.
function element(tag, attributes, parent, space) {
  const node = space ? document.createElementNS(space, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") node.textContent = value;
    else node.setAttribute(name, value);
  }
  parent?.append(node);
  return node;
}

const svg = (tag, attributes, parent) => element(tag, attributes, parent, "http://www.w3.org/2000/svg");

function floats(view) {
  if (!view || view.byteLength < 4) return new Float32Array(0);
  const bytes = view.buffer ? view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength) : view.slice(0);
  return new Float32Array(bytes);
}

// A widget model that a trait refers to.
const referred = (model, name) => model.widget_manager.get_model(model.get(name).replace("IPY_MODEL_", ""));

// Listen to several events; returns how to stop.
function listen(model, listeners) {
  for (const [name, listener] of Object.entries(listeners)) model.on(name, listener);
  return () => {
    for (const [name, listener] of Object.entries(listeners)) model.off(name, listener);
  };
}

// Steps of a scale that a person would choose: 1, 2 or 5 of a decade.
function niceStep(raw) {
  const decade = 10 ** Math.floor(Math.log10(raw));
  return decade * (raw / decade < 1.5 ? 1 : raw / decade < 3.5 ? 2 : raw / decade < 7.5 ? 5 : 10);
}

