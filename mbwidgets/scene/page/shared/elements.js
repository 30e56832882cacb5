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
    if (Math.max(right, down) < 8) return;
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
