// The model as text, with buttons that copy and download it in the page, and save it where the kernel runs.

import { element, say } from "../../scene/page/shared/elements.js";
import { listen } from "../../scene/page/shared/models.js";

function render({ model, el }) {
  el.classList.add("mbw-model");
  const bar = element("div", { class: "mbw-bar" }, el);
  const button = (text, title, action) => {
    const node = element("button", { type: "button", text, title }, bar);
    node.addEventListener("click", action);
    return node;
  };
  const forms = ["json", "code"].map((form) =>
    button(form === "json" ? "JSON" : "Python", form === "json" ? "The model's file" : "Code that makes the model", () => {
      model.set("form", form);
      model.save_changes();
    }),
  );
  const text = () => model.get(model.get("form"));
  const file = () => (model.get("form") === "json" ? model.get("file") : model.get("file").replace(/json$/, "py"));
  const say = (words) => (note.textContent = words);
  button("Copy", "Copy the text", async () => {
    try {
      await navigator.clipboard.writeText(text());
      say("copied");
    } catch {
      // a page without the right to the clipboard: the text is selected, for Ctrl+C
      area.select();
      say(document.execCommand("copy") ? "copied" : "selected: press Ctrl+C");
    }
  });
  button("Download", "Save the text as a file of this computer", () => {
    const link = element("a", { download: file(), href: URL.createObjectURL(new Blob([text()], { type: "text/plain" })) });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
  const path = element("input", { type: "text", "aria-label": "Path of the file", placeholder: "path.json", size: 28 }, bar);
  path.addEventListener("keydown", (event) => event.stopPropagation());
  let number = 0;
  button("Save", "Save the model's JSON file where the kernel runs", () => {
    number += 1;
    model.set("wish", { path: path.value || model.get("file"), number });
    model.save_changes();
  });
  const note = element("span", { class: "mbw-said", role: "status" }, bar);
  const area = element("textarea", { readonly: "", rows: 16, "aria-label": "The model as text", spellcheck: "false" }, el);
  area.addEventListener("keydown", (event) => event.stopPropagation());

  const show = () => {
    const down = area.scrollTop;
    area.value = text();
    area.scrollTop = down;
    forms.forEach((node, k) => node.setAttribute("aria-pressed", String(["json", "code"][k] === model.get("form"))));
    path.placeholder = model.get("file");
  };
  const stop = listen(model, {
    "change:json": show,
    "change:code": show,
    "change:form": show,
    "change:file": show,
    "change:note": () => say(model.get("note")),
  });
  show();
  return stop;
}

export default { render };
