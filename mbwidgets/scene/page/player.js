// Plays a motion in the page: interpolates the buffers, moves three.js objects, shows the timeline.
// No kernel is needed: it hears of `time` and `playing` when the user lets go.

import { Driver } from "./driver.js";
import { keepKeysInViews } from "./manners.js";
import { isDark, watchPage } from "./paper.js";
import { listen, tell, together } from "./shared/models.js";
import { clamp } from "./shared/numbers.js";
import { overlayOf } from "./shared/overlay.js";
import { render } from "./timeline.js";

const JUST = 1e-9; // s before the end, where a motion has ended
const LONGEST = 0.1; // s between two pictures, where a tab was hidden

// JupyterLab keeps the comm of every widget that was ever closed, and by it the widget with all that it showed. What a
// closed comm would call is forgotten here, of what is there when the player starts and when it is closed, as the first.
const FORGETS = Symbol.for("mbwidgets.forgets");
function forgetClosed(manager) {
  for (const promise of Object.values(manager._models ?? {})) {
    Promise.resolve(promise).then(
      (model) => {
        const handler = model.comm?.jsServicesComm;
        if (!handler || model[FORGETS]) return;
        model[FORGETS] = true;
        model.once("destroy", () =>
          setTimeout(() => {
            handler.onClose = handler.onMsg = undefined;
            model.state_change = Promise.resolve();
          }),
        );
      },
      () => {},
    );
  }
}

function initialize({ model }) {
  keepKeysInViews();
  const driver = new Driver(model);
  let request = 0;
  let before = 0;
  const step = (now) => {
    request = 0;
    if (!model.get("playing")) return;
    // time begins with the first picture; a tab that was hidden goes on where it was
    const passed = clamp((now - before) / 1000, 0, LONGEST) * model.get("speed");
    before = now;
    let time = model.get("time") + passed;
    if (time >= driver.end) {
      if (model.get("loop") && driver.end > 0) time %= driver.end;
      else {
        tell(model, { time: driver.end, playing: false });
        return;
      }
    }
    model.set("time", time);
    request = requestAnimationFrame(step);
  };
  const run = () => {
    if (model.get("playing") && !request) {
      if (model.get("time") >= driver.end - JUST) model.set("time", 0);
      before = Number.POSITIVE_INFINITY;
      request = requestAnimationFrame(step);
    }
  };
  const listeners = {
    "change:version": () => {
      const shift = model.get("shift");
      if (shift > 0 && !overlayOf(model)) model.set("time", Math.max(0, model.get("time") - shift));
      driver.load();
    },
    "change:time": () => driver.draw(),
    "change:lengths": () => driver.draw(),
    "change:highlight": () => driver.draw(),
    "change:_bare": () => driver.draw(),
    "change:scenery": () => {
      driver.fitGround();
      driver.draw();
    },
    "change:traces": () => driver.draw(),
    "change:ghost": () => driver.draw(),
    "change:described": () => driver.describe(),
    "change:forgotten": () => driver.forget(),
    "change:follows": () => driver.draw(),
    "change:playing": run,
  };
  const follow = () => {
    if (model.get("on_dark") !== isDark()) tell(model, { on_dark: isDark() });
    driver.redraw();
  };
  const stop = together(listen(model, listeners), watchPage(follow));
  follow();
  driver
    .load()
    .then(() => {
      // who wants little motion begins it by hand
      if (model.get("playing") && matchMedia("(prefers-reduced-motion: reduce)").matches)
        tell(model, { playing: false });
      run();
    })
    .then(() => forgetClosed(model.widget_manager));
  // the picture comes into the page after the player
  const watch = setInterval(async () => (await driver.watch()) && clearInterval(watch), 500);
  return () => {
    cancelAnimationFrame(request);
    clearInterval(watch);
    stop();
    driver.close();
    forgetClosed(model.widget_manager);
  };
}

export default { initialize, render };
