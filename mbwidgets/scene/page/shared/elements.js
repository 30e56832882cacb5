// Elements of the page, and how hands move them.

// An element with attributes; `text` is set as text, never as HTML.
export function element(tag, attributes, parent, space) {
  const node = space ? document.createElementNS(space, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") node.textContent = value;
    else node.setAttribute(name, value);
  }
  parent?.append(node);
  return node;
}

export const svg = (tag, attributes, parent) => element(tag, attributes, parent, "http://www.w3.org/2000/svg");

// An element that is to be clicked.
export function button(text, title, parent, action) {
  const node = element("button", { type: "button", text, title }, parent);
  node.addEventListener("click", action);
  return node;
}

// The colour of a row.
export function swatch(colour, parent) {
  element("span", { class: "mbw-swatch", "aria-hidden": "true" }, parent).style.background = colour;
}

// Keys that are meant for an element: the notebook does not hear them.
export function keepKeys(node) {
  node.addEventListener("keydown", (event) => event.stopPropagation());
}

// What is pointed at, of all that have a key.
export function brighten(parent, key) {
  for (const node of parent?.querySelectorAll("[data-key]") ?? []) {
    node.classList.toggle("mbw-bright", key !== "" && node.dataset.key === key);
  }
}

// Make the insides of an element anew, and give the focus back to what had it, known by its label.
export function keepFocus(el, build) {
  const active = el.contains(document.activeElement) ? document.activeElement.getAttribute("aria-label") : null;
  build();
  if (active === null) return;
  [...el.querySelectorAll("[aria-label]")].find((node) => node.getAttribute("aria-label") === active)?.focus();
}

// How to make the insides of an element anew without taking them from under a hand: while a button is pressed on it,
// the making waits for the click. Returns the making; the focus stays too.
export function unpressed(el, build) {
  let pressed = false;
  let waiting = false;
  const make = () => {
    waiting = pressed;
    if (!pressed) keepFocus(el, build);
  };
  const release = () => {
    pressed = false;
    if (waiting) make();
  };
  el.addEventListener("pointerdown", () => {
    if (pressed) return;
    pressed = true;
    const stop = new AbortController();
    const end = () => {
      stop.abort();
      setTimeout(release); // the click comes after the pointer is up, and before what is put off
    };
    for (const name of ["pointerup", "pointercancel"]) {
      window.addEventListener(name, end, { capture: true, signal: stop.signal });
    }
  });
  return make;
}

// Where the pointer is on an element, in units of which the element has so many.
export function pointerIn(node, event, width, height) {
  const box = node.getBoundingClientRect();
  return [((event.clientX - box.left) / box.width) * width, ((event.clientY - box.top) / box.height) * height];
}

// Where along a slider a value stands, of its whole length.
export const shareOf = (value, low, high) => Math.min(1, Math.max(0, (value - low) / (high - low || 1)));

// Colour the part of its rail that a slider has behind it.
export function paintRail(range) {
  const [value, low, high] = [range.value, range.min, range.max].map(Number);
  range.style.setProperty("--mbw-share", String(shareOf(value, low, high)));
}

export const UNSTEADY = 8; // pixels that a finger moves before it goes anywhere

// A finger that scrolls the page over a slider leaves it where it was. `moved()` is called once the slider is meant:
// by a mouse at once, by a finger when it goes sideways or is lifted on the spot; `back()` when the page scrolled.
export function steady(range, moved, back) {
  let touch = null;
  range.addEventListener("pointerdown", (event) => {
    touch = event.pointerType === "touch" ? { x: event.clientX, y: event.clientY } : null;
  });
  range.addEventListener("pointermove", (event) => {
    if (!touch) return;
    const [right, down] = [Math.abs(event.clientX - touch.x), Math.abs(event.clientY - touch.y)];
    if (Math.max(right, down) < UNSTEADY) return;
    if (right > down) {
      touch = null;
      moved();
    } else touch.scrolls = true;
  });
  range.addEventListener("pointercancel", () => {
    if (touch) back();
    touch = null;
  });
  range.addEventListener("pointerup", () => {
    const scrolled = touch?.scrolls;
    if (touch) (scrolled ? back : moved)();
    touch = null;
  });
  range.addEventListener("input", () => touch || moved());
}

// Words beside what was typed, which the next ones replace.
export function say(parent, text) {
  parent.querySelector(".mbw-untaken")?.remove();
  if (text) element("span", { class: "mbw-untaken", role: "alert", text }, parent);
}
