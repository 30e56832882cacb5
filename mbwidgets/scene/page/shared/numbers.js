// Numbers as people read and write them.

export const MINUS = "\u2212";

// A number as people write it: a comma or a point before the decimals, an exponent; NaN for anything else, never a guess.
export function readNumber(text) {
  const plain = text.trim().replace(MINUS, "-").replace(",", ".");
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain) ? Number(plain) : NaN;
}

// Why a text is not taken as a number; empty where it is one.
export function refusal(text) {
  const value = readNumber(text);
  if (!text.trim()) return "no number was given";
  if (Number.isNaN(value)) return `“${text.trim().slice(0, 24)}” is not a number`;
  return Number.isFinite(value) ? "" : `“${text.trim().slice(0, 24)}” is too large for a number`;
}

// At least three digits of any number; what is only rounding beside the largest is zero.
export function digitsOf(value, largest = 0, digits = 4) {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size === 0 || size < 1e-9 * largest) return "0";
  if (size < 1e5 && size >= 1e-3) return value.toPrecision(digits).replaceAll("-", MINUS);
  const [mantissa, exponent] = value.toExponential(2).split("e");
  return `${mantissa}e${exponent.replace("+", "")}`.replaceAll("-", MINUS);
}

export function largestOf(values) {
  let largest = 0;
  for (const value of values) if (Number.isFinite(value) && Math.abs(value) > largest) largest = Math.abs(value);
  return largest;
}
