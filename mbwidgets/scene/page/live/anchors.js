// Where shapes are held: mass centres and places of joints, and points of guides. They follow from the values alone.

import { followRecipe } from "./recipe.js";
import { readTables, runTables } from "./tables.js";

// A vector of a body's own axes in the world, in a frame.
export function turned(quaternion, row, [a, b, c]) {
  const [x, y, z, w] = quaternion.slice(4 * row, 4 * row + 4);
  const [p, q, r] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
  return [a + w * p + y * r - z * q, b + w * q + z * p - x * r, c + w * r + x * q - y * p];
}

// A vector of the first frame in the axes of a body, or of the world.
export function seenFrom(quaternion, body, way) {
  if (body < 0) return way;
  const [x, y, z, w] = quaternion.subarray(4 * body, 4 * body + 4);
  return turned([-x, -y, -z, w], 0, way);
}

// Of each body the mass centre in its own axes and the joint's place in its parent's, at the start: where shapes are held.
export function anchorsIn(see, parents) {
  const { position, quaternion, vectors, width, places } = see;
  const out = new Float32Array(6 * parents.length);
  const inAxesOf = (body, at) => {
    const world = [0, 1, 2].map((j) => vectors[at + j] - (body < 0 ? 0 : position[3 * body + j]));
    return seenFrom(quaternion, body, world);
  };
  parents.forEach((parent, body) => {
    out.set(inAxesOf(body, body * width + places.C), 6 * body);
    out.set(inAxesOf(parent, body * width + places.O), 6 * body + 3);
  });
  return out;
}

// The anchors and the points of guides at some values, without solving anything; nothing where a number is not finite.
export function anchorsAt(kernels, problem, names, { values, wanted }) {
  const { heap } = kernels;
  const { nq, nv, bodies } = problem;
  const { WIDTH, O_IN_PARENT, O_STAR, C } = names.vectors;
  heap.release();
  const { state, model } = followRecipe(kernels, problem, names, values);
  if (state === null) return {};
  const guides = wanted.guides ? readTables(wanted.guides.program, names) : null;
  const data = heap.take(heap.view(model)[names.layout.DATA_SIZE]);
  const q = heap.put(heap.view(state).slice(0, nq), 1, nq);
  const [u, ud] = [heap.take(1, nv), heap.take(1, nv)];
  const [position, quaternion, vectors] = [3, 4, WIDTH].map((width) => heap.take(1, bodies, width));
  kernels.call("reset_data", model, data);
  kernels.call("body_poses", model, data, q, position, quaternion);
  kernels.call("body_vectors", model, data, q, u, ud, vectors);
  const tables = { position, quaternion, vectors, numbers: model };
  const see = Object.fromEntries(Object.entries(tables).map(([name, array]) => [name, heap.view(array).slice()]));
  Object.assign(see, { width: WIDTH, places: { O: O_IN_PARENT, "O*": O_STAR, C } });
  Object.assign(see, { count: 1, t: new Float64Array(1), parameters: Float64Array.from(values) });
  return {
    anchors: anchorsIn(see, wanted.parents ?? []),
    guides: guides ? Float32Array.from(runTables(kernels, names, see, guides)) : new Float32Array(0),
  };
}
