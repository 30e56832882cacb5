// What is refused of a problem that comes from a file.

export class Refused extends Error {}

export const refuse = (what) => {
  throw new Refused(`this page holds a mechanism that cannot be right: ${what}`);
};

export const whole = (value, low, high, what) => {
  if (!Number.isInteger(value) || value < low || value > high) refuse(`${what} is ${value}`);
  return value;
};
