// Code as text, with its language, a button to copy it and one to save it.

import { element } from "../../scene/page/shared/elements.js";
import { listen } from "../../scene/page/shared/models.js";

function render({ model, el }) {
  el.classList.add("mbw-code");
  const bar = element("div", { class: "mbw-code-bar" }, el);
  const languages = element("select", { "aria-label": "Language" }, bar);
  const copy = element("button", { type: "button", text: "copy" }, bar);
  const save = element("button", { type: "button", text: "save" }, bar);
  const note = element("span", { class: "mbw-code-note", role: "status" }, bar);
  const code = element("pre", { tabindex: "0", "aria-label": "Code" }, el);
  const current = () => model.get("texts")[model.get("language")] ?? "";

  const list = () => {
    const titles = model.get("titles");
    languages.replaceChildren();
    for (const name of Object.keys(model.get("texts"))) element("option", { value: name, text: titles[name] ?? name }, languages);
    show();
  };
  const show = () => {
    languages.value = model.get("language");
    const text = current();
    code.textContent = text;
    note.textContent = model.get("note") || `${text.split("\n").length - 1} lines`;
    copy.disabled = save.disabled = !text;
  };
  const said = (text) => {
    note.textContent = text;
    setTimeout(show, 1500);
  };

  languages.addEventListener("change", () => {
    model.set("language", languages.value);
    model.save_changes();
  });
  copy.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(current());
      said("copied");
    } catch {
      getSelection().selectAllChildren(code);
      said("press Ctrl+C to copy what is marked");
    }
  });
  save.addEventListener("click", () => {
    const address = URL.createObjectURL(new Blob([current()], { type: "text/plain" }));
    const link = element("a", { href: address, download: `${model.get("name")}.${model.get("suffixes")[model.get("language")] ?? "txt"}` });
    link.click();
    URL.revokeObjectURL(address);
  });
  code.addEventListener("keydown", (event) => event.stopPropagation());

  const listeners = { "change:texts": list, "change:language": show, "change:note": show };
  const stop = listen(model, listeners);
  list();
  return stop;
}

export default { render };
