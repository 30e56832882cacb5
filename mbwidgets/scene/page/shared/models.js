// Models of widgets: what they refer to, what they hear, and what they tell the kernel.

export const PATIENCE = 4000; // ms for a kernel to answer before the page goes back to what it showed

// The widget model that a text refers to.
export const modelOf = (manager, reference) => manager.get_model(reference.replace("IPY_MODEL_", ""));

// The widget model that a trait refers to.
export const referred = (model, name) => modelOf(model.widget_manager, model.get(name));

// Listen to several events; returns how to stop.
export function listen(model, listeners) {
  for (const [name, listener] of Object.entries(listeners)) model.on(name, listener);
  return () => {
    for (const [name, listener] of Object.entries(listeners)) model.off(name, listener);
  };
}

// Several such ends as one.
export const together =
  (...stops) =>
  () => {
    for (const stop of stops) stop();
  };

// Set traits, and let the kernel know.
export function tell(model, changes) {
  model.set(changes);
  model.save_changes();
}

// A trait by which one act after another is told. They are counted, from `number` on: the same act twice is two acts.
// Returns how to tell one; that returns its number.
export function teller(model, name, number = 0) {
  let count = number;
  return (act) => {
    count += 1;
    tell(model, { [name]: { ...act, number: count } });
    return count;
  };
}

// A list with an item, as the last one, or without it.
export function withItem(list, item, wanted) {
  const rest = list.filter((one) => one !== item);
  return wanted ? [...rest, item] : rest;
}
