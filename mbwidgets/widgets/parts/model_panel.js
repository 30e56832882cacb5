// The model as text, with buttons that copy and download it in the page, and save it where the kernel runs.

import { button, element, keepKeys } from "../../scene/page/shared/elements.js";
import { copyText, downloadText } from "../../scene/page/shared/files.js";
import { listen, tell, teller } from "../../scene/page/shared/models.js";
import { csvText } from "./live_file.js";

function render({ model, el }) {
  el.classList.add("mbw-model");
  const bar = element("div", { class: "mbw-bar" }, el);
  const forms = Object.entries({
    json: ["JSON", "The model's file"],
    code: ["Python", "Code that makes the model"],
  }).map(([form, [word, title]]) => [form, button(word, title, bar, () => tell(model, { form }))]);
  const text = () => model.get(model.get("form"));
  const file = () => (model.get("form") === "json" ? model.get("file") : model.get("file").replace(/json$/, "py"));
  const remark = (words) => {
    note.textContent = words;
  };
  button("Copy", "Copy the text", bar, async () => remark(await copyText(text(), () => area.select())));
  button("Download", "Save the text as a file of this computer", bar, () => downloadText(text(), file()));
  button("CSV", "Save the motion as a table: time, coordinates, velocities, energies", bar, async () => {
    const numbers = await model.get("_live")?.table();
    if (numbers) downloadText(csvText(model.get("columns"), numbers), file().replace(/(json|py)$/, "csv"));
    else remark("Only Python has this motion: mb.export.csv(view.motion, path)");
  });
  const path = element(
    "input",
    { type: "text", "aria-label": "Path of the file", placeholder: "path.json", size: 28 },
    bar,
  );
  const wish = teller(model, "wish");
  const save = button("Save", "Save the model's JSON file where the kernel runs", bar, () => {
    wish({ path: path.value || model.get("file") });
  });
  const note = element("span", { class: "mbw-said", role: "status" }, bar);
  const area = element(
    "textarea",
    { readonly: "", rows: 16, "aria-label": "The model as text", spellcheck: "false" },
    el,
  );
  for (const node of [path, save]) node.hidden = model.get("still");
  keepKeys(path);
  keepKeys(area);

  const show = () => {
    const down = area.scrollTop;
    area.value = text();
    area.scrollTop = down;
    for (const [form, node] of forms) node.setAttribute("aria-pressed", form === model.get("form"));
    path.placeholder = model.get("file");
  };
  const stop = listen(model, {
    "change:json": show,
    "change:code": show,
    "change:form": show,
    "change:file": show,
    "change:note": () => remark(model.get("note")),
  });
  show();
  return stop;
}

export default { render };
