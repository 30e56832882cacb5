// States between the frames of a motion, from its velocities and accelerations: as numeric/motion/between_frames.py.

// The joints' turns and slides: for each its place in q and in u, and how many velocities it has.
function columnsOf(model, { bodies }, at) {
  const found = [];
  for (let k = 0; k < bodies; k++) {
    const row = at.HEADER + at.BODY_SIZE * k;
    for (let j = 0; j < model[row + at.COUNT]; j++) {
      const column = model[at.AT_COLUMNS] + at.COLUMN_SIZE * (model[row + at.FIRST] + j);
      const kind = model[column + at.KIND];
      if (kind === at.BALL_NEXT) continue;
      found.push({ kind, qi: model[column + at.QI], ui: model[column + at.UI], width: kind === at.BALL ? 3 : 1 });
    }
  }
  return found;
}

// How finely a motion must be looked at between frames; with `turns` beyond what is looked at, if there are so many.
function partsOfStep(see, columns, step, { layout, spectrum }) {
  let speed = 0;
  for (const { kind, ui, width } of columns) {
    if (kind === layout.TRANSLATION) continue;
    for (let k = 0; k < see.count; k++) {
      speed = Math.max(speed, Math.hypot(...see.u.subarray(k * see.nv + ui, k * see.nv + ui + width)));
    }
  }
  const turns = (speed * step) / (2 * Math.PI);
  return 8 * turns > spectrum.MOST ? { turns } : { turns: null, parts: Math.max(spectrum.LEAST, Math.ceil(8 * turns)) };
}

// {t, q, u, ud, count} at equal parts between the first `frames` frames of what is seen of a motion; {turns} where a joint
// turns more often between two of them than is looked at.
export function statesBetween(see, problem, names, frames) {
  const { t, q, u, ud, nq, nv } = see;
  const columns = columnsOf(see.numbers, problem, names.layout);
  const step = t[1] - t[0];
  const { turns, parts } = partsOfStep(see, columns, step, names);
  if (turns !== null) return { turns, step };
  const count = (frames - 1) * parts;
  const out = { count, t: new Float64Array(count), q: new Float64Array(count * nq) };
  Object.assign(out, { u: new Float64Array(count * nv), ud: new Float64Array(count * nv) });
  const turned = new Float64Array(nv);
  for (let row = 0; row < count; row++) {
    const [k, x] = [Math.floor(row / parts), (row % parts) / parts];
    out.t[row] = t[k] + x * step;
    for (let i = 0; i < nv; i++) {
      const [u0, u1] = [u[k * nv + i], u[(k + 1) * nv + i]];
      const [a0, a1] = [ud[k * nv + i] * step, ud[(k + 1) * nv + i] * step];
      const [c, d] = [3 * (u1 - u0) - 2 * a0 - a1, 2 * (u0 - u1) + a0 + a1];
      out.u[row * nv + i] = u0 + x * (a0 + x * (c + x * d));
      out.ud[row * nv + i] = (a0 + x * (2 * c + x * 3 * d)) / step;
      turned[i] = x * step * (u0 + x * (a0 / 2 + x * (c / 3 + (x * d) / 4)));
    }
    for (const { kind, qi, ui } of columns) {
      const [from, to] = [k * nq + qi, row * nq + qi];
      if (kind === names.layout.BALL)
        out.q.set(turnedBall(q.subarray(from, from + 4), turned.subarray(ui, ui + 3)), to);
      else out.q[to] = q[from] + turned[ui];
    }
  }
  return out;
}

// q ∘ exp(angle/2), body axes.
function turnedBall([x, y, z, w], angle) {
  const size = Math.hypot(...angle);
  const share = size > 0 ? Math.sin(size / 2) / size : 0.5;
  const [a, b, c] = Array.from(angle, (value) => value * share);
  const d = Math.cos(size / 2);
  return [
    w * a + x * d + y * c - z * b,
    w * b - x * c + y * d + z * a,
    w * c + x * b - y * a + z * d,
    w * d - x * a - y * b - z * c,
  ];
}
