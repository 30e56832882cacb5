import assert from "node:assert/strict";
import { test } from "node:test";
import { BodyCover } from "../../mbwidgets/scene/page/body_cover.js";
import { givenOf, Skin, stretched } from "../../mbwidgets/scene/page/skin.js";
import { near } from "./near.mjs";

const anchors = (...pairs) => pairs.map(([from, to]) => ({ from, to }));

// Each place goes with the points, by one over the fourth power of how far they are, as it is written.
function plainly(places, points) {
  const out = [];
  for (let k = 0; k < places.length; k += 3) {
    const weights = points.map(({ from }) => 1 / from.reduce((sum, v, i) => sum + (places[k + i] - v) ** 2, 1e-6) ** 2);
    const whole = weights.reduce((sum, weight) => sum + weight);
    for (const i of [0, 1, 2]) {
      const way = points.reduce((sum, { from, to }, n) => sum + (weights[n] / whole) * (to[i] - from[i]), 0);
      out.push(places[k + i] + way);
    }
  }
  return out;
}

test("a body that is stretched again and again goes as it would at once, also about other points", () => {
  const places = Float32Array.from({ length: 30 }, (_, k) => Math.sin(7 * k));
  const one = anchors(
    [
      [0, 0, 0],
      [0, 0, 0],
    ],
    [
      [1, 0, 0],
      [2, 0.5, 0],
    ],
  );
  const on = anchors(
    [
      [0, 0, 0],
      [0.1, 0, 0],
    ],
    [
      [1, 0, 0],
      [3, 0, 1],
    ],
  );
  const others = anchors(
    [
      [0, 1, 0],
      [0, 0, 0],
    ],
    [
      [1, 0, 2],
      [2, 0.5, 0],
    ],
    [
      [0, 0, -1],
      [0, 1, 0],
    ],
  );
  for (const points of [one, on, others, one]) near([...stretched(places, points)], plainly(places, points), 1e-6);
});

// A triangle on a group, and a square of 100 pixels over x and y from −1 to 1.
function triangle(array) {
  const geometry = { attributes: { position: { array: Float32Array.from(array), version: 0 } } };
  const position = geometry.attributes.position;
  Object.defineProperty(position, "needsUpdate", { set: () => (position.version += 1) });
  const elements = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  const matrix = { elements, clone: () => matrix, multiplyMatrices: () => matrix };
  const mesh = { geometry, matrixWorld: matrix, position: { lengthSq: () => 0 }, scale: { x: 1, y: 1, z: 1 } };
  return { mesh, matrix, group: { traverse: (call) => call(mesh) } };
}

test("what covers the picture goes along with a body that is stretched, and comes back with it", () => {
  const { mesh, matrix, group } = triangle([-0.8, -0.8, 0, -0.4, -0.8, 0, -0.8, -0.4, 0]);
  const given = mesh.geometry.attributes.position.array;
  const share = (x, y) => new BodyCover(100, 100).add([mesh], matrix).share({ x, y, w: 12, h: 12 });
  const here = () => [share(18, 82) > 0.5, share(76, 82) > 0.5];
  assert.deepEqual(here(), [true, false]);
  const skin = new Skin();
  const tables = (x) => [-0.65, x].map((right) => Float32Array.from([right, -0.65, 0, 0, 0, 0])); // a mass centre
  for (const x of [0.6, -0.65001, 0.6]) {
    skin.fit([group], [-1], ...tables(x));
    assert.deepEqual(here(), [x < 0, x > 0]);
    assert.equal(givenOf(mesh.geometry.attributes.position.array), given);
  }
  skin.restore();
  assert.deepEqual(here(), [true, false]);
});
