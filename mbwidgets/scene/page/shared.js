// Helpers that every module of the page shares; it stands before each of them in one text.

// An element with attributes; `text` is set as text, never as HTML.
function element(tag, attributes, parent, space) {
  const node = space ? document.createElementNS(space, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") node.textContent = value;
    else node.setAttribute(name, value);
  }
  parent?.append(node);
  return node;
}

const svg = (tag, attributes, parent) => element(tag, attributes, parent, "http://www.w3.org/2000/svg");

function floats(view) {
  if (!view || view.byteLength < 4) return new Float32Array(0);
  const bytes = view.buffer ? view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength) : view.slice(0);
  return new Float32Array(bytes);
}

// A widget model that a trait refers to.
const referred = (model, name) => model.widget_manager.get_model(model.get(name).replace("IPY_MODEL_", ""));

// Listen to several events; returns how to stop.
function listen(model, listeners) {
  for (const [name, listener] of Object.entries(listeners)) model.on(name, listener);
  return () => {
    for (const [name, listener] of Object.entries(listeners)) model.off(name, listener);
  };
}

// Steps of a scale that a person would choose: 1, 2 or 5 of a decade.
function niceStep(raw) {
  const decade = 10 ** Math.floor(Math.log10(raw));
  return decade * (raw / decade < 1.5 ? 1 : raw / decade < 3.5 ? 2 : raw / decade < 7.5 ? 5 : 10);
}

const MINUS = "\u2212";

// A number as people write it: a comma or a point before the decimals, an exponent; NaN for anything else, never a guess.
function readNumber(text) {
  const plain = text.trim().replace(MINUS, "-").replace(",", ".");
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain) ? Number(plain) : NaN;
}

// Why a text is not taken as a number; empty where it is one.
function refusal(text) {
  const value = readNumber(text);
  if (!text.trim()) return "no number was given";
  if (Number.isNaN(value)) return `“${text.trim().slice(0, 24)}” is not a number`;
  return Number.isFinite(value) ? "" : `“${text.trim().slice(0, 24)}” is too large for a number`;
}

// At least three digits of any number; what is only rounding beside the largest is zero.
function digitsOf(value, largest = 0, digits = 4) {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size === 0 || size < 1e-9 * largest) return "0";
  if (size < 1e5 && size >= 1e-3) return value.toPrecision(digits).replaceAll("-", MINUS);
  const [mantissa, exponent] = value.toExponential(2).split("e");
  return `${mantissa}e${exponent.replace("+", "")}`.replaceAll("-", MINUS);
}

function largestOf(values) {
  let largest = 0;
  for (const value of values) if (Number.isFinite(value) && Math.abs(value) > largest) largest = Math.abs(value);
  return largest;
}

// A finger that scrolls the page over a slider leaves it where it was. `moved()` is called once the slider is meant:
// by a mouse at once, by a finger when it goes sideways or is lifted on the spot; `back()` when the page scrolled.
function steady(range, moved, back) {
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
function say(parent, text) {
  parent.querySelector(".mbw-untaken")?.remove();
  if (text) element("span", { class: "mbw-untaken", role: "alert", text }, parent);
}
