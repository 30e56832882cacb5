// Curves of a motion for a plot, by their kind, as far as the page can tell them: abscissae and values, one row a point.

const COLUMNS = { "reaction force": 0, "reaction moment": 3 };
const PRESSURES = { pressure: 0, "pressure moment": 3 };

// {across, values} of a kind of curves for a body, or null where only the kernel can tell them. `most`: curves that are
// drawn; `own`: first and count of the coordinates, and first of the velocities, that belong to the body's joint.
// `spectrum` finds those over frequency.
export function plotted(see, { kind, body, own, most }, spectrum) {
  const { t, q, u, nq, nv, totals, reactions, kinetic } = see;
  if (kind === "coordinates") return over(t, table(q, nq, 0, Math.min(nq, most)));
  if (kind === "velocities") return over(t, table(u, nv, 0, Math.min(nv, most)));
  if (kind === "phase portrait") {
    const [first, count, rates] = own;
    return { across: table(q, nq, first, count), values: table(u, nv, rates, count) };
  }
  if (kind === "energies") {
    const values = new Float32Array(3 * t.length);
    for (let k = 0; k < t.length; k++) {
      const [moving, standing] = totals.subarray(8 * k, 8 * k + 2);
      values.set([moving, standing, moving + standing], 3 * k);
    }
    return over(t, values);
  }
  if (kind in COLUMNS) return over(t, lengths(see, reactions, body, COLUMNS[kind], 1));
  if (kind.endsWith("spectrum") && kinetic) return spectrum();
  if (kind in PRESSURES && kinetic) return over(t, lengths(see, kinetic, body, PRESSURES[kind], -1));
  return null;
}

const over = (t, values) => ({ across: Float32Array.from(t), values });

function table(rows, width, first, count) {
  const frames = rows.length / width || 0;
  const out = new Float32Array(frames * count);
  for (let k = 0; k < frames; k++) for (let j = 0; j < count; j++) out[k * count + j] = rows[k * width + first + j];
  return out;
}

// Three components and the length.
function lengths({ count, bodies }, wrenches, body, first, sign) {
  const out = new Float32Array(4 * count);
  for (let k = 0; k < count; k++) {
    const at = 6 * (k * bodies + body) + first;
    const part = Array.from(wrenches.subarray(at, at + 3), (value) => sign * value);
    out.set([...part, Math.hypot(...part)], 4 * k);
  }
  return out;
}
