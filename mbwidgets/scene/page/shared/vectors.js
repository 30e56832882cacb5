// Vectors as lists of numbers.

export const sum = (a, b, share = 1) => a.map((item, k) => item + share * b[k]);

export const inner = (a, b) => a.reduce((total, item, k) => total + item * b[k], 0);

export const unit = (a) => a.map((item) => item / (Math.hypot(...a) || 1));

// A point that a camera sees, each of its coordinates from −1 to 1, in pixels from the upper left corner.
export const toPixels = ({ x, y }, width, height) => [((1 + x) / 2) * width, ((1 - y) / 2) * height];

// The tangent of half the angle of a camera.
export const slopeOf = (camera) => Math.tan((camera.fov * Math.PI) / 360);

const SWEEPS = 8; // of Jacobi's rotations: they converge quadratically, five are enough

// Principal axes of a symmetric tensor (xx, yy, zz, xy, xz, yz), by growing value; each points as near to x, y or z as it
// can.
export function principalAxes([xx, yy, zz, xy, xz, yz]) {
  const a = [
    [xx, xy, xz],
    [xy, yy, yz],
    [xz, yz, zz],
  ];
  const axes = [0, 1, 2].map((k) => [0, 1, 2].map((j) => Number(j === k))); // rows
  for (let turn = 0; turn < 3 * SWEEPS; turn++) {
    const [p, q] = [
      [0, 1],
      [0, 2],
      [1, 2],
    ][turn % 3];
    if (a[p][q] === 0) continue;
    const ratio = (a[q][q] - a[p][p]) / (2 * a[p][q]);
    const tangent = (ratio < 0 ? -1 : 1) / (Math.abs(ratio) + Math.hypot(1, ratio));
    const cosine = 1 / Math.hypot(1, tangent);
    const sine = cosine * tangent;
    const turned = ([x, y]) => [cosine * x - sine * y, sine * x + cosine * y];
    for (const row of a) [row[p], row[q]] = turned([row[p], row[q]]);
    for (let k = 0; k < 3; k++) [a[p][k], a[q][k]] = turned([a[p][k], a[q][k]]);
    for (let k = 0; k < 3; k++) [axes[p][k], axes[q][k]] = turned([axes[p][k], axes[q][k]]);
  }
  const order = [0, 1, 2].sort((p, q) => a[p][p] - a[q][q]);
  return order.map((k) => {
    const largest = axes[k].reduce((best, part) => (Math.abs(part) > Math.abs(best) ? part : best));
    return axes[k].map((part) => (largest < 0 ? -part : part));
  });
}
