// Light or dark: a stage whose theme nobody chose follows the page, which is JupyterLab's theme or that of the browser.

export const isDark = (page = document.body) => page?.dataset?.jpThemeLight === "false";

// What is behind the mechanism, on a page like this: the scenery, or that of the dark.
export const sceneryOf = (model, dark = isDark()) => {
  const scenery = model.get("scenery");
  return model.get("follows") && dark && scenery.dark ? { ...scenery, ...scenery.dark } : scenery;
};

// Call when the page becomes light or dark; returns how to stop.
export function watchPage(changed) {
  const watch = new MutationObserver(changed);
  watch.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light"] });
  return () => watch.disconnect();
}
