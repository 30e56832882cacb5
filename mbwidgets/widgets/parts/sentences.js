// Sentences that follow a motion, as text/sentences.py writes them: which case holds, which of several is the largest.

import { element } from "../../scene/page/shared/elements.js";
import { MINUS, shortest } from "../../scene/page/shared/numbers.js";
import { plainSymbol, writeSymbol } from "../../scene/page/shared/symbols.js";

const DIGITS = 3;
const MARK = /\{([^}]+)\}|\[([^\]]+)\]|\*([^*]+)\*/g;
const TIGHT = ["°", "%"];

// Whether a test holds; it names numbers by their places, or picks.
export function holds([kind, first, factor, second], numbers, picks = {}) {
  const [a, b] = [first, second].map((at) => (typeof at === "number" ? numbers[at] : pickedNumber(picks[at], numbers)));
  if (kind === "below") return a < factor * b;
  const limit = factor * Math.abs(b);
  return kind === "small" ? Math.abs(a) <= limit : Math.abs(a) > limit;
}

// The place, among its numbers, of the one that is picked: the first of the greatest, or of the least.
export function picked({ among, which }, numbers) {
  const sign = which === "greatest" ? 1 : -1;
  let [best, place] = [Number.NEGATIVE_INFINITY, 0];
  among.forEach((number, k) => {
    if (sign * numbers[number] > best) [best, place] = [sign * numbers[number], k];
  });
  return place;
}

const pickedNumber = (pick, numbers) => numbers[pick.among[picked(pick, numbers)]];

export function withUnit(value, rule) {
  const unit = rule.replace(/^\++/, "");
  const text = shortest(Math.abs(value), DIGITS);
  const sign = rule.startsWith("+") && text !== "0" ? (value < 0 ? MINUS : "+") : "";
  return `${sign}${text}${unit && !TIGHT.includes(unit) ? " " : ""}${unit}`;
}

// A text in pieces: [kind, text], of the kinds "text", "symbol" and "strong", whose text is pieces again.
export function piecesOf(text, numbers, { picks, names }) {
  const pieces = [];
  let at = 0;
  const token = (words) => {
    const [what, unit = ""] = words.split(/:(.*)/);
    if (what.startsWith("@")) return [["text", names[Number(what.slice(1))]]];
    const pick = Object.hasOwn(picks, what) ? picks[what] : null;
    if (!pick) return [["text", withUnit(numbers[Number(what)], unit)]];
    if (unit) return [["text", withUnit(pickedNumber(pick, numbers), unit)]];
    return piecesOf(pick.words[picked(pick, numbers)], numbers, { picks, names });
  };
  for (const found of text.matchAll(MARK)) {
    if (found.index > at) pieces.push(["text", text.slice(at, found.index)]);
    at = found.index + found[0].length;
    const [, words, symbol, strong] = found;
    if (symbol !== undefined) pieces.push(["symbol", symbol]);
    else if (strong !== undefined) pieces.push(["strong", piecesOf(strong, numbers, { picks, names })]);
    else pieces.push(...token(words));
  }
  if (at < text.length) pieces.push(["text", text.slice(at)]);
  return pieces;
}

// The lines for these numbers, each in pieces.
export const linesOf = (sentences, numbers) =>
  sentences.lines
    .map((cases) => cases.find(({ tests }) => tests.every((test) => holds(test, numbers, sentences.picks))))
    .filter((held) => held !== undefined)
    .map(({ text }) => piecesOf(text, numbers, sentences));

export const plainText = (pieces) =>
  pieces
    .map(([kind, text]) => (kind === "text" ? text : kind === "symbol" ? plainSymbol(text) : plainText(text)))
    .join("");

// A number and its unit stay in one line.
export const unbroken = (text) => text.replace(/(\d) (?=\S)/g, "$1\u00a0");

// Write pieces into an element; all is set as text.
export function writePieces(node, pieces, colours) {
  for (const [kind, text] of pieces) {
    if (kind === "text") node.append(unbroken(text));
    else if (kind === "strong") writePieces(element("b", {}, node), text, colours);
    else {
      const symbol = element("span", { class: "mbw-sign" }, node);
      if (Object.hasOwn(colours, text)) symbol.style.setProperty("--mbw-own", colours[text]);
      writeSymbol(symbol, text);
    }
  }
}
