// A mechanism with one joint opened: its equations, by the kernels, and how it looks with a gap there.

const NAMED = /^(A|G|Q|opened point|opened axes) (\d+)$/;
const TABLES = ["A", "G", "Q", "opened point", "opened axes"];

// Rows of the joints whose equations programs read.
export const openedIn = (tables) => [...new Set(tables.flatMap((name) => name.match(NAMED)?.[2] ?? []).map(Number))];

// Arrays of the heap by their names, "A 1": A, G, Q of the system with that joint opened, its point, all axes.
export function openedTables(kernels, problem, names, { count, model, t, q, u }, rows) {
  const { heap } = kernels;
  const { nv } = problem;
  const n = nv + 6;
  const found = {};
  for (const row of rows.filter((item) => item < problem.bodies)) {
    const data = heap.take(heap.view(model)[names.layout.DATA_SIZE]);
    kernels.call("reset_data", model, data);
    const out = [[n, n], [n], [n], [3], [nv, 3]].map((shape) => heap.take(count, ...shape));
    const room = [heap.take(n), heap.take(n, 3), heap.take(n, 3), heap.take(nv)];
    kernels.call("opened_joint_equations", model, data, row, t, q, u, ...out, ...room);
    TABLES.forEach((name, k) => {
      found[`${name} ${row}`] = out[k];
    });
  }
  return found;
}

// The shift of bodies on the stage that a view asks for, if it does.
export const shiftIn = (tables) => tables?.fills.find(({ kind }) => kind === "shift") ?? null;

// Places of the bodies (frames, bodies, 3), some of them moved along a gap.
export function shiftedPlaces({ count, bodies, position, program, programWidth }, { first, look }) {
  const out = Float64Array.from(position);
  for (let k = 0; k < count; k++) {
    for (const body of look.bodies) {
      for (let j = 0; j < 3; j++) out[3 * (k * bodies + body) + j] += program[k * programWidth + first + j];
    }
  }
  return out;
}

// The anchors of shapes, with the opened joint's place in its parent where it is seen, if the parent's shape reaches
// there; `inAxes` turns a vector of the first frame into the axes of a body.
export function shiftAnchors(anchors, { program }, { first, look }, parents, inAxes) {
  if (!look.reaches) return;
  const gap = inAxes(parents[look.joint], Array.from(program.subarray(first, first + 3)));
  for (let j = 0; j < 3; j++) anchors[6 * look.joint + 3 + j] += gap[j];
}
