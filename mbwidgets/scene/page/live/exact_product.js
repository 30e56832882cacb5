// Inertia of a solid from its mass, as Python computes it: a mass of at most 15 digits is the decimal that it is written
// as, and its product with a fraction is rounded once.

const WRITTEN_DIGITS = 15; // as in Python: a number with more digits was computed, not written
const WRITTEN_BITS = 128; // of its fraction

const bitLength = (n) => (n < 0n ? -n : n).toString(2).length;

function commonDivisor(a, b) {
  let [x, y] = [a < 0n ? -a : a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

// The fraction that a number is written as, two integers; null for one that was computed.
function writtenFraction(value) {
  const [mantissa, exponent] = value.toExponential().split("e");
  const [whole, rest = ""] = mantissa.split(".");
  if (Number(value.toPrecision(WRITTEN_DIGITS)) !== value) return null;
  const power = Number(exponent) - rest.length;
  let top = BigInt(whole + rest) * (power > 0 ? 10n ** BigInt(power) : 1n);
  let bottom = power < 0 ? 10n ** BigInt(-power) : 1n;
  const common = commonDivisor(top, bottom);
  if (common > 0n) [top, bottom] = [top / common, bottom / common];
  return Math.max(bitLength(top), bitLength(bottom)) <= WRITTEN_BITS ? [top, bottom] : null;
}

// The number nearest to a fraction.
export function nearestFloat(top, bottom) {
  if (top === 0n) return 0;
  const sign = top < 0n ? -1 : 1;
  const above = top < 0n ? -top : top;
  // 66 bits and more of the quotient, and a last one that tells whether there is a rest: Number rounds them once
  const shift = 66 + bitLength(bottom) - bitLength(above);
  const [n, d] = shift > 0 ? [above << BigInt(shift), bottom] : [above, bottom << BigInt(-shift)];
  const quotient = (n / d) * 2n + (n % d === 0n ? 0n : 1n);
  const half = Math.trunc((shift + 1) / 2); // two factors, of which none overflows where the product does not
  return sign * Number(quotient) * 2 ** -half * 2 ** -(shift + 1 - half);
}

// What a solid with this inertia for one kilogram, a float or two integers, has at a mass.
export function massTimes(gyration, mass) {
  if (typeof gyration === "number") return gyration * mass;
  const [top, bottom] = gyration;
  const written = writtenFraction(mass);
  return written ? nearestFloat(top * written[0], bottom * written[1]) : nearestFloat(top, bottom) * mass;
}
