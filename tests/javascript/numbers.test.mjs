import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  clamp,
  digitsOf,
  extent,
  fixed,
  largestOf,
  MINUS,
  readNumber,
  refusal,
  rounded,
  shortest,
  signed,
} from "../../mbwidgets/scene/page/shared/numbers.js";

const NOT_FINITE = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

test("the minus is the true one, in the exponent too, and an exponent has no plus", () => {
  assert.equal(MINUS, "−");
  assert.equal(signed("-1.5e-7"), "−1.5e−7");
  assert.equal(signed("1e+21"), "1e21");
});

describe("shortest", () => {
  const cases = [
    [0, "0"],
    [-0, "0"],
    [1.5, "1.5"],
    [-1.5, "−1.5"],
    [0.1 + 0.2, "0.3"],
    [12345.6, "12350"],
    [-1e-7, "−1e−7"],
    [1.23456e-9, "1.235e−9"],
    [1e21, "1e21"],
    [-2.5e300, "−2.5e300"],
  ];
  for (const [value, text] of cases) test(`${value} is ${text}`, () => assert.equal(shortest(value), text));

  test("as many digits as are asked for", () => {
    assert.equal(shortest(Math.PI, 6), "3.14159");
    assert.equal(shortest(0.00123456789, 2), "0.0012");
  });

  test("what is no number is a dash", () => {
    for (const value of [...NOT_FINITE, undefined]) assert.equal(shortest(value), "–");
  });
});

describe("fixed and rounded", () => {
  test("keep so many decimals, or drop those in vain", () => {
    assert.equal(fixed(2, 1), "2.0");
    assert.equal(rounded(2, 1), "2");
    assert.equal(fixed(-12.345, 2), "−12.35");
    assert.equal(rounded(-0.12345, 3), "−0.123");
  });

  test("zero has no sign", () => {
    assert.equal(fixed(-0.01, 1), "0.0");
    assert.equal(rounded(-0.0004, 3), "0");
    assert.equal(fixed(-0, 1), "0.0");
  });

  test("what is no number is a dash", () => {
    for (const value of NOT_FINITE) {
      assert.equal(fixed(value, 1), "–");
      assert.equal(rounded(value, 1), "–");
    }
  });
});

describe("digitsOf", () => {
  const cases = [
    [0, "0"],
    [-0, "0"],
    [1, "1.000"],
    [-9.81, "−9.810"],
    [1234.56, "1235"],
    [0.001, "0.001000"],
    [0.000999, "9.99e−4"],
    [-0.000012345, "−1.23e−5"],
    [12345, "1.235e4"],
    [100000, "1.00e5"],
    [123456, "1.23e5"],
    [-1e100, "−1.00e100"],
    [5e-324, "4.94e−324"],
  ];
  for (const [value, text] of cases) test(`${value} is ${text}`, () => assert.equal(digitsOf(value), text));

  test("what is rounding beside the largest is zero, and nothing else is", () => {
    assert.equal(digitsOf(-9e-8, 100), "0");
    assert.equal(digitsOf(-1.1e-7, 100), "−1.10e−7");
    assert.equal(digitsOf(9e-8, 0), "9.00e−8");
  });

  test("what is no number is a dash", () => {
    for (const value of [...NOT_FINITE, undefined]) assert.equal(digitsOf(value, 1), "–");
  });
});

describe("readNumber", () => {
  const cases = [
    ["1,5", 1.5],
    ["1.5", 1.5],
    [" 15e-1 ", 1.5],
    ["-2", -2],
    ["−2", -2],
    ["−1,5e−3", -0.0015],
    ["+.5", 0.5],
    ["5.", 5],
    ["1E3", 1000],
    ["0", 0],
    ["1e400", Number.POSITIVE_INFINITY],
  ];
  for (const [text, value] of cases) test(`“${text}” is ${value}`, () => assert.equal(readNumber(text), value));

  const others = [
    "",
    " ",
    ".",
    "-",
    "e5",
    "1,000.5",
    "1.000,5",
    "1,2,3",
    "1 2",
    "0x10",
    "1e",
    "NaN",
    "Infinity",
    "2m",
    "--1",
    "1-",
  ];
  for (const text of others) test(`“${text}” is no number`, () => assert.ok(Number.isNaN(readNumber(text))));

  test("what is shown is read again as it was", () => {
    for (const value of [0, 1.5, -1.5, 12345.6, -1e-7, 2.5e-300, -3e21]) {
      assert.equal(readNumber(shortest(value, 12)), value);
    }
  });
});

describe("refusal", () => {
  test("says nothing against a number", () => {
    for (const text of ["1,5", "−2e−3", "0"]) assert.equal(refusal(text), "");
  });

  test("says why a text is not taken", () => {
    assert.equal(refusal("  "), "no number was given");
    assert.equal(refusal(" two "), "“two” is not a number");
    assert.equal(refusal("1e999"), "“1e999” is too large for a number");
    assert.equal(refusal("x".repeat(100)), `“${"x".repeat(24)}” is not a number`);
  });
});

test("clamp keeps a value between two others", () => {
  assert.deepEqual(
    [-1, 0, 0.5, 1, 2].map((value) => clamp(value, 0, 1)),
    [0, 0, 0.5, 1, 1],
  );
});

test("extent is that of the finite numbers", () => {
  assert.deepEqual(extent([3, Number.NaN, -2, Number.POSITIVE_INFINITY, 1]), [-2, 3]);
  assert.deepEqual(extent([]), [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]);
});

test("the largest is that of the sizes, and zero where there is none", () => {
  assert.equal(largestOf([1, -5, 3, Number.NaN]), 5);
  assert.equal(largestOf(new Float32Array([2, 4])), 4);
  assert.equal(largestOf([-1, -2]), 2);
  assert.equal(largestOf([Number.NaN, Number.NEGATIVE_INFINITY]), 0);
});
