// Sentences with numbers of a whole motion, as page_words.py writes them: the largest sizes over the frames, in the words
// of the first case that holds.

const PLACE = /\{(\d)(?:\/(\d))?\}/g;

const powerOfTen = (value, digits) =>
  Number.isFinite(value) ? value.toExponential(digits).replace("e+", "e") : String(value);

export const writtenWords = (html, sizes) =>
  html.replace(PLACE, (_, first, second) =>
    second === undefined
      ? powerOfTen(sizes[first], 1)
      : powerOfTen(sizes[second] ? sizes[first] / sizes[second] : 0, 0),
  );

export function wordsFor({ cases, otherwise }, sizes) {
  const held = cases.find(([small, factor, large]) => sizes[small] <= factor * sizes[large]);
  return writtenWords(held ? held[3] : otherwise, sizes);
}
