// The line of health of a motion that the page has solved, in the words that Python has for it.

import { general, scientific } from "../../scene/page/live/python_words.js";
import { MINUS } from "../../scene/page/shared/numbers.js";

const HORIZON = "mbw-horizon"; // the class of what is said of the horizon

// A power of ten with so many decimals and a true minus.
const exponent = (value, digits) => scientific(value, digits).replaceAll("-", MINUS);

const put = (words, ...numbers) => numbers.reduce((text, number) => text.replace("{}", () => number), words);

// Text as HTML.
export function escaped(text) {
  const marks = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };
  return text.replace(/[&<>"']/g, (mark) => marks[mark]);
}

// The line: a mark, then what there is to say, HTML each.
export const healthLine = (words, good, parts) =>
  put(words.line, [good ? words.sound : words.alarm, ...parts].filter(Boolean).join(" · "));

// What is said of a motion: how it ended, how far its numbers are from physics.
export function healthOf(words, { outcome, time, sound, apart = null, method, evaluations, grabbed = "" }) {
  const { drift, residual } = sound;
  const good =
    outcome === "completed" && drift < words.good_below && (residual === null || residual < words.good_below);
  const ended = `${words.outcomes[outcome] ?? outcome} (t = ${general(time)} s)`;
  return healthLine(words, good, [
    put(words.drift, exponent(drift, 1)),
    residual === null ? "" : put(words.residual, exponent(residual, 1)),
    apart === null ? "" : put(words.formula, exponent(apart, 0)),
    put(words.effort, escaped(method), evaluations.toLocaleString("en")),
    words.page,
    outcome === "completed" ? "" : `<b>${escaped(ended)}</b>`,
    grabbed && `<b>${escaped(grabbed)}</b>`,
  ]);
}

// What cannot be, and why.
export const healthTrouble = (words, why) => healthLine(words, false, [`<b>${escaped(why)}</b>`]);

// A line of health, whoever wrote it, with until when the motion is known; all of it where `horizon` is no time.
export function withHorizon(words, line, horizon) {
  const plain = line.replace(new RegExp(` · <span class="${HORIZON}">[^<]*</span>`), "");
  if (!Number.isFinite(horizon) || !plain.endsWith("</div>")) return plain;
  const told = put(words.horizon, general(horizon));
  return plain.replace(/<\/div>$/, ` · <span class="${HORIZON}">${escaped(told)}</span></div>`);
}
