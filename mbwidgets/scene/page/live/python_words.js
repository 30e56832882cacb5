// Numbers in the words of Python's errors, as Python prints them.

// Digits and decimal exponent of a number, as few digits as tell it from all others or as many as asked for.
function decimalDigits(value, count) {
  const [mantissa, exponent] = Math.abs(value).toExponential(count).split("e");
  return { digits: mantissa.replace(".", ""), exponent: Number(exponent) };
}

function written(value, { digits, exponent }, largest) {
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  if (exponent < -4 || exponent >= largest) {
    const rest = digits.slice(1);
    const power = String(Math.abs(exponent)).padStart(2, "0");
    return `${sign}${digits[0]}${rest ? `.${rest}` : ""}e${exponent < 0 ? "-" : "+"}${power}`;
  }
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  const rest = digits.slice(exponent + 1);
  return `${sign}${whole}${rest ? `.${rest}` : ""}`;
}

const unusual = (value) => {
  if (Number.isNaN(value)) return "nan";
  return value > 0 ? "inf" : "-inf";
};

// repr(value) of a float.
export function representation(value) {
  if (!Number.isFinite(value)) return unusual(value);
  const text = written(value, decimalDigits(value), 16);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

// f"{value:g}" of a float, with six digits.
export function general(value) {
  if (!Number.isFinite(value)) return unusual(value);
  const { digits, exponent } = decimalDigits(value, 5);
  return written(value, { digits: digits.replace(/0+$/, "") || "0", exponent }, 6);
}

// f"{value:.1e}" of a float, with so many decimals.
export function scientific(value, decimals) {
  if (!Number.isFinite(value)) return unusual(value);
  return value.toExponential(decimals).replace(/e([+-])(\d)$/, "e$10$2");
}

// Words with the numbers in place of {0}, {1:g} …
export function filled(words, numbers) {
  return words.replace(/\{(\d)(:g)?\}/g, (_, place, short) => {
    const item = numbers[Number(place)];
    if (typeof item === "string") return item;
    return short ? general(item) : representation(item);
  });
}
