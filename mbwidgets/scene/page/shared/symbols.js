// Symbols with indices: “_” lowers what follows, “^” raises it, up to the next mark or, in braces, as far as they go.

import { element } from "./elements.js";

const MARKED = /([_^])(?:\{([^}]*)\}|([^_^]*))/g;

// A symbol in pieces, each with its level: −1 below the line, 0, 1 above it. A second “_” of an index is a blank.
export function symbolPieces(text) {
  const pieces = [];
  let [at, open] = [0, false];
  for (const found of text.matchAll(MARKED)) {
    if (found.index > at) pieces.push([text.slice(at, found.index), 0]);
    const [whole, mark, braced, bare] = found;
    const level = mark === "_" ? -1 : 1;
    const last = pieces[pieces.length - 1];
    if (open && bare !== undefined && found.index === at && last?.[1] === level) last[0] += ` ${bare}`;
    else if (braced ?? bare) pieces.push([braced ?? bare, level]);
    open = bare !== undefined;
    at = found.index + whole.length;
  }
  if (at < text.length) pieces.push([text.slice(at), 0]);
  return pieces;
}

export function writeSymbol(node, text) {
  for (const [piece, level] of symbolPieces(text)) {
    if (level === 0) node.append(piece);
    else element(level < 0 ? "sub" : "sup", { text: piece }, node);
  }
}

// The symbol in a row of plain text.
export const plainSymbol = (text) =>
  symbolPieces(text)
    .map(([piece]) => piece)
    .join("");
