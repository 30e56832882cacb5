// Code as text, with its language, a button to copy it and one to save it.

import { button, element, keepKeys } from "../../scene/page/shared/elements.js";
import { copyText, downloadText } from "../../scene/page/shared/files.js";
import { listen, tell } from "../../scene/page/shared/models.js";

function render({ model, el }) {
  el.classList.add("mbw-code");
  const bar = element("div", { class: "mbw-code-bar" }, el);
  const languages = element("select", { "aria-label": "Language" }, bar);
  const current = () => model.get("texts")[model.get("language")] ?? "";
  const select = () => getSelection().selectAllChildren(code);
  const copy = button("copy", "Copy the code", bar, async () => said(await copyText(current(), select)));
  const save = button("save", "Save the code as a file of this computer", bar, () => {
    const suffix = model.get("suffixes")[model.get("language")] ?? "txt";
    downloadText(current(), `${model.get("name")}.${suffix}`);
  });
  const note = element("span", { class: "mbw-code-note", role: "status" }, bar);
  const code = element("pre", { tabindex: "0", "aria-label": "Code" }, el);
  keepKeys(code);

  const list = () => {
    const titles = model.get("titles");
    languages.replaceChildren();
    for (const name of Object.keys(model.get("texts"))) {
      element("option", { value: name, text: titles[name] ?? name }, languages);
    }
    show();
  };
  const show = () => {
    languages.value = model.get("language");
    code.textContent = current();
    copy.disabled = save.disabled = !current();
    remark();
  };
  const remark = () => {
    note.textContent = model.get("note") || `${current().split("\n").length - 1} lines`;
  };
  const said = (text) => {
    note.textContent = text;
    setTimeout(remark, 1500);
  };

  languages.addEventListener("change", () => tell(model, { language: languages.value }));

  const stop = listen(model, { "change:texts": list, "change:language": show, "change:note": show });
  list();
  return stop;
}

export default { render };
