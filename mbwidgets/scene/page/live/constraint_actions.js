// What constraints do to their bodies in every frame, from the multipliers: point, force, moment about the point.

const minus = (a, b) => a.map((value, j) => value - b[j]);
const times = (factor, a) => a.map((value) => factor * value);
const plus = (a, b) => a.map((value, j) => value + b[j]);
const across = ([a, b, c], [x, y, z]) => [b * z - c * y, c * x - a * z, a * y - b * x];

// {"owner body": {point, force, moment}}, each (frames, 3), by the constraint's number and the body's, as far as `wanted`
// names them. `see` are the motion's numbers, `turned` gives a body's vector in world axes.
export function constraintActions(kernels, problem, names, motion, see, wanted, turned) {
  const { layout } = names;
  const table = see.numbers[layout.AT_ROWS];
  const rows = Array.from({ length: problem.rows }, (_, r) => {
    const at = table + layout.ROW_SIZE * r;
    return see.numbers.slice(at, at + layout.ROW_SIZE);
  });
  const inModel = Array.from(
    { length: problem.bodies },
    (_, i) => see.numbers[layout.HEADER + layout.BODY_SIZE * i + layout.INDEX],
  );
  const found = Object.fromEntries(
    wanted.map((name) => [
      name,
      Object.fromEntries(["point", "force", "moment"].map((key) => [key, new Float64Array(3 * see.count)])),
    ]),
  );
  const normal = curveNormals(kernels, names, motion);
  for (let k = 0; k < see.count; k++) {
    const place = (body, local) => {
      if (body < 0) return Array.from(local);
      const row = k * see.bodies + inModel[body];
      return plus(turned(see.quaternion, row, local), Array.from(see.position.subarray(3 * row, 3 * row + 3)));
    };
    const seen = new Set();
    let equation = -1;
    rows.forEach((row, r) => {
      const kind = row[layout.C_KIND];
      if (kind === layout.SLOPE) return;
      equation += 1;
      if (kind === layout.EQUATION) return;
      const lambda = see.multiplier[k * problem.equations + equation];
      const bodies = [row[layout.C_A], row[layout.C_B]];
      const locals = [layout.C_FIRST, layout.C_SECOND].map((at) => Array.from(row.subarray(at, at + 3)));
      const owners = bodies.map((body) => (body < 0 ? null : found[`${row[layout.C_OWNER]} ${inModel[body]}`]));
      if (!owners[0] && !owners[1]) return;
      const directions = locals.map((local, side) => {
        const body = bodies[side];
        return body < 0 ? local : turned(see.quaternion, k * see.bodies + inModel[body], local);
      });
      const [force, moment] = action(kind, layout, row, bodies, locals, directions, place, () =>
        normal(row, see.feet[k * problem.rows + r]),
      );
      owners.forEach((owner, side) => {
        if (!owner) return;
        const sign = side === 0 ? lambda : -lambda;
        const point = place(bodies[side], kind === layout.ANGLE ? [0, 0, 0] : locals[side]);
        add(owner, k, seen, point, times(sign, force), times(sign, moment));
      });
    });
  }
  return found;
}

// Force and moment on the first body for λ = 1.
function action(kind, layout, row, bodies, locals, directions, place, normal) {
  const none = [0, 0, 0];
  if (kind === layout.ANGLE) return [none, across(...directions)];
  if (kind === layout.SEPARATION) return [Array.from(row.subarray(layout.C_NORMAL, layout.C_NORMAL + 3)), none];
  if (kind === layout.DISTANCE) {
    const way = minus(place(bodies[0], locals[0]), place(bodies[1], locals[1]));
    return [times(1 / (Math.hypot(...way) || 1), way), none];
  }
  return [normal(), none];
}

// Several rows of one constraint act on a body as one, at the point that was named first.
function add(owner, k, seen, point, force, moment) {
  const at = 3 * k;
  if (!seen.has(owner)) {
    seen.add(owner);
    owner.point.set(point, at);
    owner.force.set(force, at);
    owner.moment.set(moment, at);
    return;
  }
  const lever = minus(point, Array.from(owner.point.subarray(at, at + 3)));
  const turning = plus(moment, across(lever, force));
  for (let j = 0; j < 3; j++) {
    owner.force[at + j] += force[j];
    owner.moment[at + j] += turning[j];
  }
}

// The direction across a curve that belongs to a row, at a place of it.
function curveNormals(kernels, names, { model }) {
  const { heap } = kernels;
  const { layout } = names;
  let data = null;
  const out = heap.take(3);
  return (row, s) => {
    if (data === null) {
      data = heap.take(heap.view(model)[layout.DATA_SIZE]);
      kernels.call("reset_data", model, data);
    }
    const second = row[layout.C_KIND] === layout.CURVE_NEXT;
    kernels.call("curve_normal_at", model, data, row[layout.C_PROGRAM], s, second, out);
    return Array.from(heap.view(out));
  };
}
