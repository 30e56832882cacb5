// Joins lines of formulae to the arrows of the player; keeps folds open when a formula is written anew.

import { brighten } from "../../scene/page/shared/elements.js";
import { listen, referred } from "../../scene/page/shared/models.js";

async function render({ model, el }) {
  const player = await referred(model, "player");
  const open = new Set();
  let [root, stop] = [null, () => {}];

  const keyOf = (event) => event.target.closest?.("[data-key]")?.dataset.key ?? "";
  const point = (event) => player.set("highlight", keyOf(event));
  const leave = () => player.set("highlight", "");
  const light = () => brighten(root, player.get("highlight"));
  const fold = (event) => {
    const { fold: name } = event.target.dataset ?? {};
    if (name === undefined) return;
    if (event.target.open) open.add(name);
    else open.delete(name);
  };
  const unfold = () => {
    for (const node of root.querySelectorAll("details[data-fold]")) node.open = open.has(node.dataset.fold);
    light();
  };

  const attach = () => {
    root = el.closest(".mbw-formulae");
    if (!root) return false;
    const listeners = { pointerover: point, pointerleave: leave, focusin: point, focusout: leave };
    for (const [name, listener] of Object.entries(listeners)) root.addEventListener(name, listener);
    root.addEventListener("toggle", fold, true);
    const written = new MutationObserver((changes) => {
      if (
        changes.some(({ addedNodes }) =>
          [...addedNodes].some((node) => node.querySelector?.("[data-key]") || node.dataset?.key),
        )
      )
        unfold();
    });
    written.observe(root, { childList: true, subtree: true });
    stop = () => {
      for (const [name, listener] of Object.entries(listeners)) root.removeEventListener(name, listener);
      root.removeEventListener("toggle", fold, true);
      written.disconnect();
    };
    light();
    return true;
  };
  // the panel comes into the page after its parts are made
  const timer = setInterval(() => attach() && clearInterval(timer), 100);
  const still = listen(player, { "change:highlight": light });
  return () => {
    clearInterval(timer);
    stop();
    still();
  };
}

export default { render };
