// What of the picture is covered by bodies: points all over their surfaces, counted in the cells of a coarse grid.

import { givenOf } from "./skin.js";

const MOST_POINTS = 800; // points of one mesh: a disc of a quarter of the picture has few cells without one
const MOST_OF_ALL = 8000; // points of all meshes: some tenths of a millisecond
const COVER_CELL = 12; // pixels: a label spans several
// Steps of these shares fill a square evenly, however many there are: powers of the root of x³ = x + 1.
const EVENLY = [0.7548776662466927, 0.5698402909980532];

// Where points are of a surface, spread by area, the same ones every time: each with the corners of its face and how far
// it is from the first to the second and to the third. Any first part of them is spread over the whole.
function spreadOver(position, index, count) {
  const corner = (k) => 3 * (index ? index[k] : k);
  const faces = Math.floor((index ? index.length : position.length / 3) / 3);
  const areas = new Float64Array(faces);
  let whole = 0;
  for (let f = 0; f < faces; f++) {
    const [a, b, c] = [corner(3 * f), corner(3 * f + 1), corner(3 * f + 2)];
    const [ux, uy, uz] = [
      position[b] - position[a],
      position[b + 1] - position[a + 1],
      position[b + 2] - position[a + 2],
    ];
    const [vx, vy, vz] = [
      position[c] - position[a],
      position[c + 1] - position[a + 1],
      position[c + 2] - position[a + 2],
    ];
    whole += Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx);
    areas[f] = whole;
  }
  if (!(whole > 0)) return [];
  const out = [];
  for (let n = 0, f = 0; n < count; n++) {
    while (f < faces - 1 && areas[f] < (whole * (n + 0.5)) / count) f++;
    const [s, t] = EVENLY.map((step) => ((n + 1) * step) % 1);
    const shares = s + t > 1 ? [1 - s, 1 - t] : [s, t];
    out.push([corner(3 * f), corner(3 * f + 1), corner(3 * f + 2), ...shares]);
  }
  const rank = out.map((_, n) => (n * EVENLY[0]) % 1);
  return out
    .map((_, n) => n)
    .sort((one, other) => rank[one] - rank[other])
    .map((n) => out[n]);
}

function pointsAt(position, places) {
  const out = new Float32Array(3 * places.length);
  places.forEach(([a, b, c, s, t], n) => {
    for (let k = 0; k < 3; k++)
      out[3 * n + k] = (1 - s - t) * position[a + k] + s * position[b + k] + t * position[c + k];
  });
  return out;
}

// Points of a geometry, three numbers each.
export const surfacePoints = (position, index, count = MOST_POINTS) =>
  pointsAt(position, spreadOver(position, index, count));

const spread = new WeakMap(); // of geometries as the kernel made them
const samples = new WeakMap();
const extents = new WeakMap();

// The points of a geometry that is stretched are those that it had, gone along.
function pointsOf(geometry) {
  const { position } = geometry.attributes;
  const { array, version } = position;
  const old = samples.get(geometry);
  if (old && old.array === array && old.version === version) return old.points;
  const given = givenOf(array);
  const known = spread.get(geometry);
  const places =
    given !== array && known?.given === given ? known.places : spreadOver(given, geometry.index?.array, MOST_POINTS);
  spread.set(geometry, { given, places });
  const points = pointsAt(array, places);
  samples.set(geometry, { array, version, points });
  return points;
}

// The box about a geometry, by its low and its high corner.
export function extentOf(geometry) {
  const { position } = geometry.attributes;
  const old = extents.get(geometry);
  if (old && old.array === position.array && old.version === position.version) return old.extent;
  const { array } = position;
  const [low, high] = [Array(3).fill(Number.POSITIVE_INFINITY), Array(3).fill(Number.NEGATIVE_INFINITY)];
  for (let k = 0; k < array.length; k += 3) {
    for (let i = 0; i < 3; i++) {
      const value = array[k + i];
      if (value < low[i]) low[i] = value;
      if (value > high[i]) high[i] = value;
    }
  }
  const extent = { low, high };
  extents.set(geometry, { array, version: position.version, extent });
  return extent;
}

export function middleOf(geometry) {
  const { low, high } = extentOf(geometry);
  return low.map((value, k) => (value + high[k]) / 2);
}

// The eight corners of a box.
export const cornersAbout = ({ low, high }) =>
  [0, 1, 2, 3, 4, 5, 6, 7].map((n) => low.map((value, k) => (n & (1 << k) ? high[k] : value)));

export class BodyCover {
  constructor(width, height) {
    [this.columns, this.rows] = [Math.ceil(width / COVER_CELL), Math.ceil(height / COVER_CELL)];
    Object.assign(this, { width, height, cells: new Uint8Array(this.columns * this.rows) });
  }

  // Count meshes in; `matrix` leads from the world to the camera's square, by its sixteen numbers, column by column.
  add(meshes, matrix) {
    const most = Math.min(MOST_POINTS, Math.ceil(MOST_OF_ALL / Math.max(meshes.length, 1)));
    const whole = matrix.clone();
    for (const mesh of meshes) {
      const points = pointsOf(mesh.geometry);
      const m = whole.multiplyMatrices(matrix, mesh.matrixWorld).elements;
      const end = Math.min(points.length, 3 * most);
      for (let k = 0; k < end; k += 3) {
        const [x, y, z] = [points[k], points[k + 1], points[k + 2]];
        const w = m[3] * x + m[7] * y + m[11] * z + m[15];
        if (!(w > 0)) continue;
        const right = (0.5 + (m[0] * x + m[4] * y + m[8] * z + m[12]) / (2 * w)) * this.width;
        const down = (0.5 - (m[1] * x + m[5] * y + m[9] * z + m[13]) / (2 * w)) * this.height;
        if (right >= 0 && right < this.width && down >= 0 && down < this.height) {
          this.cells[Math.floor(down / COVER_CELL) * this.columns + Math.floor(right / COVER_CELL)] = 1;
        }
      }
    }
    return this;
  }

  // The share of a box that is over bodies.
  share({ x, y, w, h }) {
    const span = (from, to, most) => [
      Math.max(0, Math.floor(from / COVER_CELL)),
      Math.min(most, Math.ceil(to / COVER_CELL)),
    ];
    const inside = (cell, from, to) => Math.min((cell + 1) * COVER_CELL, to) - Math.max(cell * COVER_CELL, from);
    const [left, right] = span(x - w / 2, x + w / 2, this.columns);
    const [top, low] = span(y - h / 2, y + h / 2, this.rows);
    let found = 0;
    for (let row = top; row < low; row++) {
      for (let column = left; column < right; column++) {
        if (!this.cells[row * this.columns + column]) continue;
        found += inside(column, x - w / 2, x + w / 2) * inside(row, y - h / 2, y + h / 2);
      }
    }
    return found / (w * h);
  }
}
