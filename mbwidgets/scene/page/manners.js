// A stage in a page of other things: keys stay in its view, and the page scrolls under wheel and finger unless the stage
// has the focus. With the focus, arrow keys turn the camera.

const SHORTCUTS = "data-lm-suppress-shortcuts"; // JupyterLab takes no key from an element that has it itself
const KEYS_HEARD = Symbol.for("mbwidgets.keys");
const KEY_STEP = (5 * Math.PI) / 180; // that an arrow key turns the camera
const NEAR_UPRIGHT = 0.02; // rad from straight above or below: there the camera has no up
const KEY_TURNS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// Keys without Ctrl, Alt or Meta that are pressed in a view are the view's own: a notebook would delete a cell at “d d”.
// With them they are the notebook's, which saves at Ctrl S.
export function keepKeysInViews(page = window) {
  if (page[KEYS_HEARD]) return;
  page[KEYS_HEARD] = true;
  const hear = (event) => {
    const { target } = event;
    if (!target?.closest?.(".mbw-view")) return;
    if (event.ctrlKey || event.metaKey || event.altKey) target.removeAttribute(SHORTCUTS);
    else target.setAttribute(SHORTCUTS, "true");
  };
  page.addEventListener("keydown", hear, { capture: true });
}

// A place about the target, turned by angles about the upright z and towards it; straight above is not passed.
export function turnedAbout(place, target, about, towards) {
  const [x, y, z] = place.map((value, k) => value - target[k]);
  const radius = Math.hypot(x, y, z);
  const down = Math.acos(Math.min(1, Math.max(-1, z / radius)));
  const polar = Math.min(Math.PI - NEAR_UPRIGHT, Math.max(NEAR_UPRIGHT, down + towards));
  const azimuth = Math.atan2(y, x) + about;
  const level = radius * Math.sin(polar);
  return [level * Math.cos(azimuth), level * Math.sin(azimuth), radius * Math.cos(polar)].map((v, k) => v + target[k]);
}

// Whether wheel and finger are the page's: the stage has not been clicked, and Ctrl is not held.
export const isForPage = (event, canvas, active) =>
  active !== canvas && !event.ctrlKey && (event.touches === undefined || event.touches.length < 2);

// Let a canvas be a stop for the Tab key, with a name and manners; `orbit` are the controls of its camera.
export function teachManners(canvas, orbit, signal) {
  const host = canvas.parentElement;
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "application");
  canvas.setAttribute("aria-roledescription", "picture that can be turned");
  // a ring about what has the focus is for who came by keys
  const take = () => {
    canvas.dataset.hand = "";
    canvas.focus({ preventScroll: true });
  };
  canvas.addEventListener("pointerdown", take, { signal });
  canvas.addEventListener("blur", () => delete canvas.dataset.hand, { signal });
  const pass = (event) => {
    if (isForPage(event, canvas, document.activeElement)) event.stopPropagation();
  };
  // before the controls of the camera, which listen to the canvas itself
  for (const name of ["wheel", "mousewheel", "touchstart", "touchmove"]) {
    host?.addEventListener(name, pass, { signal, capture: true, passive: true });
  }
  canvas.addEventListener(
    "keydown",
    (event) => {
      const turn = KEY_TURNS[event.key];
      if (!turn || event.ctrlKey || event.metaKey || event.altKey || !orbit?.obj) return;
      event.preventDefault();
      event.stopPropagation();
      const { object, target } = orbit.obj;
      const place = turnedAbout(object.position.toArray(), target.toArray(), KEY_STEP * turn[0], KEY_STEP * turn[1]);
      object.position.set(...place);
      orbit.obj.update();
    },
    { signal },
  );
}
