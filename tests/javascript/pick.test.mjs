import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { firstMet, meetTriangle, passesBall } from "../../mbwidgets/scene/page/pick.js";

const [A, B, C] = [
  [0, 0, 0],
  [1, 0, 0],
  [0, 1, 0],
];
const DOWN = [0, 0, -1];

describe("a ray and a triangle", () => {
  test("meet inside of it, from either side", () => {
    assert.equal(meetTriangle([0.2, 0.3, 2], DOWN, A, B, C), 2);
    assert.equal(meetTriangle([0.2, 0.3, -2], [0, 0, 1], A, B, C), 2);
  });

  test("do not meet beside it, behind the eye, or along its plane", () => {
    assert.equal(meetTriangle([0.7, 0.7, 2], DOWN, A, B, C), null);
    assert.equal(meetTriangle([0.2, 0.3, -2], DOWN, A, B, C), null);
    assert.equal(meetTriangle([-1, 0.2, 0], [1, 0, 0], A, B, C), null);
  });

  test("meet however small or large the triangle is", () => {
    for (const size of [1e-7, 1e7]) {
      const [b, c] = [B, C].map((corner) => corner.map((part) => part * size));
      assert.ok(Math.abs(meetTriangle([0.2 * size, 0.3 * size, size], DOWN, A, b, c) / size - 1) < 1e-9);
    }
  });
});

describe("a ray and a ball", () => {
  test("meet, or do not", () => {
    assert.equal(passesBall([0, 0, 5], DOWN, [0.9, 0, 0], 1), true);
    assert.equal(passesBall([0, 0, 5], DOWN, [1.1, 0, 0], 1), false);
  });
});

// As much of three.js as picking asks for: places without turns.
const matrix = (z) => ({ z, clone: () => matrix(z), getInverse: ({ z: other }) => matrix(-other) });
const vector = (parts) => ({
  clone: () => vector(parts),
  set: (...others) => vector(others),
  applyMatrix4: (by) => vector([parts[0], parts[1], parts[2] + by.z]),
  toArray: () => parts,
});
const plate = (z, more = {}) => ({
  visible: true,
  isMesh: true,
  children: [],
  material: { isMeshPhongMaterial: true },
  position: vector([0, 0, 0]),
  matrixWorld: matrix(z),
  geometry: {
    attributes: { position: { array: Float32Array.from([...A, ...B, ...C]), count: 3 } },
    boundingSphere: { center: vector([0, 0, 0]), radius: 1 },
    computeBoundingSphere() {},
  },
  ...more,
});
const group = (...children) => ({ visible: true, children });

describe("what a ray meets first", () => {
  const ray = [[0.2, 0.3, 10], DOWN];

  test("is the nearest body, and the point on it", () => {
    const met = firstMet([group(plate(1)), group(group(plate(4)))], ray);
    assert.equal(met.body, 1);
    assert.deepEqual(met.point, [0.2, 0.3, 4]);
  });

  test("is nothing that is hidden, an arrow or glass", () => {
    const glass = plate(3, { material: { isMeshPhongMaterial: true, transparent: true } });
    const arrow = { visible: true, name: "arrow", children: [plate(5)] };
    const met = firstMet([group(plate(6, { visible: false })), group(arrow), group(glass), group(plate(1))], ray);
    assert.equal(met.body, 3);
    assert.equal(firstMet([group(glass)], ray), null);
  });
});
