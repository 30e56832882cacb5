// Buffers that the page has computed itself lie over those that the kernel sent, until the kernel sends others.

import { floats } from "./frames.js";

const OVERLAY = "_overlay";
const READINGS = "_readings";

// The model behind a widget's own view of it keeps what the page alone knows of it: nobody saves it, no kernel is told.
export const keepAside = (model, name, value) =>
  Object.defineProperty(model.attributes, name, { value, configurable: true, enumerable: false });

export function layOver(model, buffers) {
  keepAside(model, OVERLAY, { ...buffers, base: model.get("version") });
  model.trigger("change:version", model, model.get("version"));
}

export const overlayOf = (model) => {
  const found = model.get(OVERLAY);
  return found && found.base === model.get("version") ? found : null;
};

// A binary trait as numbers, or what lies over it.
export const bufferOf = (model, name) => overlayOf(model)?.[name] ?? floats(model.get(name));

// Another trait, or what lies over it.
export const traitOf = (model, name) => overlayOf(model)?.[name] ?? model.get(name);

// What sliders show: the values that the kernel told, or what the page has moved them to since.
export function layReadings(model, values) {
  keepAside(model, READINGS, values && { values, base: model.get("values") });
  model.trigger("change:values", model, model.get("values"));
}

export const readingsOf = (model) => {
  const [found, told] = [model.get(READINGS), model.get("values")];
  return found?.base === told ? found.values : told;
};
