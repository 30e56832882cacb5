// What a view has found, in a sentence or two that follow the player.

import { element } from "../../scene/page/shared/elements.js";
import { frameAt } from "../../scene/page/shared/frames.js";
import { listen, referred, together } from "../../scene/page/shared/models.js";
import { bufferOf, traitOf } from "../../scene/page/shared/overlay.js";
import { writeSymbol } from "../../scene/page/shared/symbols.js";
import { linesOf, plainText, writePieces } from "./sentences.js";

async function render({ model, el }) {
  el.classList.add("mbw-finding");
  const player = await referred(model, "player");
  const head = element("div", { class: "mbw-finding-head" }, el);
  const body = element("div", { role: "status" }, el);
  let values = new Float32Array(0);
  let shown = null;

  const follow = () => {
    const sentences = traitOf(model, "sentences");
    const count = model.get("width");
    const frames = count ? values.length / count : 0;
    const lines = [];
    if (frames >= 1 && Number.isInteger(frames)) {
      const first = frameAt(bufferOf(player, "times"), player.get("time"), frames) * count;
      lines.push(...linesOf(sentences, values.subarray(first, first + count)));
    }
    const note = traitOf(model, "note");
    const text = JSON.stringify([lines, note, sentences.colours]);
    if (text === shown) return;
    shown = text;
    body.replaceChildren();
    for (const line of lines) writePieces(element("p", {}, body), line, sentences.colours);
    if (note) element("p", { class: "mbw-finding-note", text: note }, body);
    el.dataset.said = lines.map(plainText).join(" ");
  };

  const build = () => {
    values = bufferOf(model, "values");
    head.replaceChildren();
    element("b", { text: traitOf(model, "title") }, head);
    writeSymbol(element("span", {}, head), traitOf(model, "hint"));
    shown = null;
    follow();
  };

  const stop = together(
    listen(model, { "change:version": build }),
    listen(player, { "change:time": follow, "change:version": follow }),
  );
  build();
  return stop;
}

export default { render };
