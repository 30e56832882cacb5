// Numbers as people read and write them: with a true minus, and an exponent without a plus.

export const MINUS = "\u2212";
export const NONE = "–"; // where there is no number

const ROUNDING = 1e-9; // of the largest number of a table: what is smaller is what rounding left of zero
const LARGE = 1e5; // from here on, and
const SMALL = 1e-3; // below here, a table shows powers of ten

export const clamp = (value, low, high) => Math.min(high, Math.max(low, value));

export const signed = (text) => text.replace("e+", "e").replaceAll("-", MINUS);

// As short as it can be said with so many digits: for scales, boxes and sentences.
export const shortest = (value, digits = 4) =>
  Number.isFinite(value) ? signed(String(Number(value.toPrecision(digits)))) : NONE;

// So many decimals; zero has no sign.
export const fixed = (value, decimals) =>
  Number.isFinite(value) ? signed((Number(value.toFixed(decimals)) + 0).toFixed(decimals)) : NONE;

// At most so many decimals, none in vain.
export const rounded = (value, decimals) =>
  Number.isFinite(value) ? signed(String(Number(value.toFixed(decimals)) + 0)) : NONE;

// For tables and readings that change: at least three digits of any number; what is only rounding beside the largest
// is zero.
export function digitsOf(value, largest = 0, digits = 4) {
  if (!Number.isFinite(value)) return NONE;
  const size = Math.abs(value);
  if (size === 0 || size < ROUNDING * largest) return "0";
  return signed(size < LARGE && size >= SMALL ? value.toPrecision(digits) : value.toExponential(2));
}

// A number as people write it: a comma or a point before the decimals, an exponent; NaN for anything else, never a guess.
export function readNumber(text) {
  const plain = text.trim().replaceAll(MINUS, "-").replace(",", ".");
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain) ? Number(plain) : Number.NaN;
}

// Why a text is not taken as a number; empty where it is one.
export function refusal(text) {
  const value = readNumber(text);
  if (!text.trim()) return "no number was given";
  if (Number.isNaN(value)) return `“${text.trim().slice(0, 24)}” is not a number`;
  return Number.isFinite(value) ? "" : `“${text.trim().slice(0, 24)}” is too large for a number`;
}

// The least and the greatest of the finite numbers; [Infinity, −Infinity] where there is none.
export function extent(numbers) {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of numbers) {
    if (!Number.isFinite(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}

export function largestOf(numbers) {
  const [low, high] = extent(numbers);
  return Math.max(0, -low, high);
}
