// Steps of a scale.

const MOST = 50; // ticks of one axis
const ON_EDGE = 1e-9; // steps: a tick on the edge is inside, whatever rounding says
const DIGITS = 9; // of a tick: 3 × 0.1 is 0.3

// A step that a person would choose: 1, 2 or 5 of a decade.
export function niceStep(raw) {
  const decade = 10 ** Math.floor(Math.log10(raw));
  return decade * (raw / decade < 1.5 ? 1 : raw / decade < 3.5 ? 2 : raw / decade < 7.5 ? 5 : 10);
}

// The largest of 1, 2 and 5 of a decade that is not above a positive number.
export function rungBelow(value) {
  const decade = Math.floor(Math.log10(value));
  const share = (value / 10 ** decade) * (1 + ON_EDGE);
  return Number(`${share < 1 ? 0.5 : share < 2 ? 1 : share < 5 ? 2 : share < 10 ? 5 : 10}e${decade}`);
}

// The largest of 1, 1.5, 2, 3, 5 and 7 of a decade that is not above a positive number.
export function stepBelow(value) {
  const decade = Math.floor(Math.log10(value));
  const share = (value / 10 ** decade) * (1 + ON_EDGE);
  return Number(`${[10, 7, 5, 3, 2, 1.5, 1, 0.7].find((step) => step <= share)}e${decade}`);
}

// The least of 1, 2 and 5 of a decade that is not below a positive number.
export function rungAbove(value) {
  const decade = Math.floor(Math.log10(value));
  const share = (value / 10 ** decade) * (1 - ON_EDGE);
  return Number(`${[1, 2, 5, 10, 20].find((rung) => rung >= share)}e${decade}`);
}

// The multiples of a step from `low` to `high`; none where there is no step.
export function multiples(low, high, step) {
  const out = [];
  if (!(step > 0)) return out;
  for (let k = Math.ceil(low / step - ON_EDGE); k <= high / step + ON_EDGE && out.length < MOST; k++) {
    out.push(Number((k * step).toPrecision(DIGITS)));
  }
  return out;
}

// About `count` nice steps from `low` to `high`.
export const ticks = (low, high, count) => multiples(low, high, niceStep((high - low) / count));
