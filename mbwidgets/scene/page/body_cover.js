// What of the picture is covered by bodies: points all over their surfaces, counted in the cells of a coarse grid.

const MOST_POINTS = 800; // points of one mesh: a disc of a quarter of the picture has few cells without one
const MOST_OF_ALL = 8000; // points of all meshes: some tenths of a millisecond
const COVER_CELL = 12; // pixels: a label spans several
// Steps of these shares fill a square evenly, however many there are: powers of the root of x³ = x + 1.
const EVENLY = [0.7548776662466927, 0.5698402909980532];

// Points of a geometry, three numbers each, spread over its surface by area; the same ones every time.
export function surfacePoints(position, index, count = MOST_POINTS) {
  const corner = (k) => 3 * (index ? index[k] : k);
  const faces = Math.floor((index ? index.length : position.length / 3) / 3);
  const areas = new Float64Array(faces);
  let whole = 0;
  for (let f = 0; f < faces; f++) {
    const [a, b, c] = [corner(3 * f), corner(3 * f + 1), corner(3 * f + 2)];
    const u = [0, 1, 2].map((k) => position[b + k] - position[a + k]);
    const v = [0, 1, 2].map((k) => position[c + k] - position[a + k]);
    whole += Math.hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]);
    areas[f] = whole;
  }
  if (!(whole > 0)) return new Float32Array(0);
  const out = new Float32Array(3 * count);
  for (let n = 0, f = 0; n < count; n++) {
    while (f < faces - 1 && areas[f] < (whole * (n + 0.5)) / count) f++;
    let [s, t] = EVENLY.map((step) => ((n + 1) * step) % 1);
    if (s + t > 1) [s, t] = [1 - s, 1 - t];
    const [a, b, c] = [corner(3 * f), corner(3 * f + 1), corner(3 * f + 2)];
    for (let k = 0; k < 3; k++)
      out[3 * n + k] = (1 - s - t) * position[a + k] + s * position[b + k] + t * position[c + k];
  }
  // any first part of them is spread over the whole
  return shuffled(out);
}

function shuffled(points) {
  const count = points.length / 3;
  const order = Array.from({ length: count }, (_, n) => n).sort(
    (a, b) => ((a * EVENLY[0]) % 1) - ((b * EVENLY[0]) % 1),
  );
  return Float32Array.from(order.flatMap((n) => [points[3 * n], points[3 * n + 1], points[3 * n + 2]]));
}

const samples = new WeakMap();
const extents = new WeakMap();

function pointsOf(geometry) {
  const { position } = geometry.attributes;
  const old = samples.get(geometry);
  if (old && old.array === position.array && old.version === position.version) return old.points;
  const points = surfacePoints(position.array, geometry.index?.array);
  samples.set(geometry, { array: position.array, version: position.version, points });
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
