// Models of widgets: what they refer to, and what they tell.

// A widget model that a trait refers to.
export const referred = (model, name) => model.widget_manager.get_model(model.get(name).replace("IPY_MODEL_", ""));

// Listen to several events; returns how to stop.
export function listen(model, listeners) {
  for (const [name, listener] of Object.entries(listeners)) model.on(name, listener);
  return () => {
    for (const [name, listener] of Object.entries(listeners)) model.off(name, listener);
  };
}
