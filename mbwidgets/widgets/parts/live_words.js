// Sentences with numbers of a whole motion, as page_words.py writes them: the largest sizes over the frames, in the words
// of the first case that holds.

import { MINUS, signed } from "../../scene/page/shared/numbers.js";

const PLACE = /\{(\d+)(?:\/(\d+)|:(\d))?\}/g;
const LEAST = -4; // power of ten from which on a number is written out

const powerOfTen = (value, digits) => (Number.isFinite(value) ? signed(value.toExponential(digits)) : String(value));

// To some digits, without zeros at the end.
export function significant(value, digits) {
  if (!Number.isFinite(value)) return String(value);
  const [mantissa, power] = value
    .toExponential(digits - 1)
    .split("e")
    .map(Number);
  return power < LEAST || power >= digits ? `${mantissa}e${power}` : String(Number(value.toPrecision(digits)));
}

export const writtenWords = (html, sizes) =>
  html.replace(PLACE, (_, first, second, digits) => {
    if (digits !== undefined) return significant(sizes[first], Number(digits)).replaceAll("-", MINUS);
    if (second === undefined) return powerOfTen(sizes[first], 1);
    return powerOfTen(sizes[second] ? sizes[first] / sizes[second] : 0, 0);
  });

export function wordsFor({ cases, otherwise }, sizes) {
  const held = cases.find(([small, factor, large]) => sizes[small] <= factor * sizes[large]);
  return writtenWords(held ? held[3] : otherwise, sizes);
}
