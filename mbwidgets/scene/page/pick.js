// What is under the pointer: the ray of the camera against the triangles of the bodies.

import { inner, sum, unit } from "./shared/vectors.js";
import { solids } from "./solids.js";

const PARALLEL = 1e-12; // of the triangle's size: a ray along its plane meets it nowhere

const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

// How far along a ray it meets a triangle, from either side, in lengths of its direction; null where it does not.
// By Möller and Trumbore.
export function meetTriangle(from, along, a, b, c) {
  const [one, other] = [sum(b, a, -1), sum(c, a, -1)];
  const p = cross(along, other);
  const size = inner(one, p);
  if (Math.abs(size) <= PARALLEL * Math.hypot(...one) * Math.hypot(...p)) return null;
  const away = sum(from, a, -1);
  const u = inner(away, p) / size;
  const q = cross(away, one);
  const v = inner(along, q) / size;
  if (u < 0 || v < 0 || u + v > 1) return null;
  const far = inner(other, q) / size;
  return far > 0 ? far : null;
}

// Whether a ray passes a ball.
export function passesBall(from, along, middle, radius) {
  const away = sum(middle, from, -1);
  const share = inner(away, along) / inner(along, along);
  return Math.hypot(...sum(away, along, -share)) <= radius;
}

// The nearest point of a mesh on a ray of the world: how far it is; null where the ray passes it.
export function meetMesh(mesh, from, along) {
  const { geometry } = mesh;
  const { position } = geometry.attributes ?? {};
  if (!position) return null;
  const back = mesh.matrixWorld.clone().getInverse(mesh.matrixWorld);
  const local = (point) =>
    mesh.position
      .clone()
      .set(...point)
      .applyMatrix4(back)
      .toArray();
  const start = local(from);
  const way = sum(local(sum(from, along)), start, -1);
  if (!geometry.boundingSphere) geometry.computeBoundingSphere();
  const { center, radius } = geometry.boundingSphere;
  if (!passesBall(start, way, center.toArray(), radius)) return null;
  const { array } = position;
  const corner = (k) => [array[3 * k], array[3 * k + 1], array[3 * k + 2]];
  const { index } = geometry;
  const count = index ? index.count : position.count;
  const at = index ? (k) => corner(index.array[k]) : corner;
  let best = null;
  for (let k = 0; k + 2 < count; k += 3) {
    const far = meetTriangle(start, way, at(k), at(k + 1), at(k + 2));
    if (far !== null && (best === null || far < best)) best = far;
  }
  return best;
}

// The ray of a camera under the pointer: where it begins, and its direction.
export function rayOf(canvas, camera, event) {
  const box = canvas.getBoundingClientRect();
  const right = (2 * (event.clientX - box.left)) / box.width - 1;
  const up = 1 - (2 * (event.clientY - box.top)) / box.height;
  const at = (depth) => camera.position.clone().set(right, up, depth).unproject(camera).toArray();
  const [near, far] = [at(-1), at(1)];
  return [near, unit(sum(far, near, -1))];
}

// The first of these groups that a ray of the world meets, and where: null where it meets none.
export function firstMet(groups, [from, along]) {
  let [best, found] = [Number.POSITIVE_INFINITY, null];
  groups.forEach((group, body) => {
    for (const mesh of solids(group)) {
      const far = meetMesh(mesh, from, along);
      if (far !== null && far < best) [best, found] = [far, body];
    }
  });
  return found === null ? null : { body: found, point: sum(from, along, best) };
}
