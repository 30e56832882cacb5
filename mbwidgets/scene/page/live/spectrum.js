// Spectra of the kinetic pressures and reactions of a joint: as numeric/motion/pressure_spectrum.py, its refusals too.

import { statesBetween } from "./between_frames.js";
import { realWaves } from "./fourier.js";
import { filled } from "./python_words.js";

const short = (value) => String(Number(value.toPrecision(4)));

// The one-sided spectrum of columns (six of them) over times; null where there are too few frames.
function waves(t, columns, { LEAST_FRAMES, SAME_SPACING }) {
  let frames = t.length;
  if (frames > 2 && Math.abs((t[frames - 1] - t[frames - 2]) / (t[1] - t[0]) - 1) > SAME_SPACING) frames -= 1;
  if (frames < LEAST_FRAMES) return null;
  const step = (t[frames - 1] - t[0]) / (frames - 1);
  const windowed = Float64Array.from({ length: frames }, (_, k) => 0.5 - 0.5 * Math.cos((2 * Math.PI * k) / frames));
  const whole = windowed.reduce((sum, value) => sum + value, 0);
  const phasors = columns.map((column) => {
    const values = column.subarray(0, frames);
    const mean = values.reduce((sum, value) => sum + value, 0) / frames;
    const { re, im } = realWaves(values.map((value, k) => (value - mean) * windowed[k]));
    return { re: re.map((value) => (2 * value) / whole), im: im.map((value) => (2 * value) / whole) };
  });
  const frequency = phasors[0].re.map((_, k) => k / (frames * step));
  return { frequency, phasors, frames, force: largest(phasors.slice(0, 3)), moment: largest(phasors.slice(3)) };
}

// The largest length that the wave of a vector has: √((|a|² + |a·a|)/2).
function largest(phasors) {
  return phasors[0].re.map((_, k) => {
    let [squares, real, imaginary] = [0, 0, 0];
    for (const { re, im } of phasors) {
      squares += re[k] ** 2 + im[k] ** 2;
      real += re[k] ** 2 - im[k] ** 2;
      imaginary += 2 * re[k] * im[k];
    }
    return Math.sqrt((squares + Math.hypot(real, imaginary)) / 2);
  });
}

// The six columns of a body's wrenches (frames, bodies, 6).
const columnsOfWrench = (wrenches, bodies, body, sign) =>
  [0, 1, 2, 3, 4, 5].map((j) =>
    Float64Array.from(
      { length: wrenches.length / (6 * bodies) },
      (_, k) => sign * wrenches[6 * (k * bodies + body) + j],
    ),
  );

// Why frames miss waves that a finer look finds; empty where they do not.
function aliases(t, seen, finer, { NYQUIST, MISSED }, words) {
  const limit = 0.5 / (t[1] - t[0]);
  for (const part of ["force", "moment"]) {
    const most = [seen, finer].reduce((found, one) => one[part].reduce((a, b) => Math.max(a, b), found), 0);
    const missed = finer.frequency.findLastIndex((f, k) => f > NYQUIST * limit && finer[part][k] > MISSED * most);
    if (!(most > 0) || missed < 0) continue;
    const highest = finer.frequency[missed];
    return filled(words.alias, [short(2 * limit), short(highest), String(Math.ceil(2.5 * highest))]);
  }
  return "";
}

// {across, values, note} of a spectrum: components and length over frequency. `between` gives the kinetic reactions at
// other states of the motion.
export function spectrumCurves(see, problem, names, { kind, body, words }, between) {
  const none = (note) => ({ across: new Float32Array(0), values: new Float32Array(0), note });
  const { spectrum } = names;
  const { t, bodies } = see;
  const pressure = waves(t, columnsOfWrench(see.kinetic, bodies, body, -1), spectrum);
  if (pressure === null) return none(filled(words.short, [String(t.length)]));
  const states = statesBetween(see, problem, names, pressure.frames);
  if (states.turns !== undefined) {
    const rate = Math.ceil((2.5 * states.turns) / states.step);
    return none(filled(words.turns, [states.turns.toFixed(0), String(rate)]));
  }
  const finer = waves(states.t, columnsOfWrench(between(states), bodies, body, -1), spectrum);
  const why = aliases(t, pressure, finer, spectrum, words);
  if (why) return none(why);
  const found = kind.startsWith("press")
    ? pressure
    : waves(t, columnsOfWrench(see.reactions, bodies, body, 1), spectrum);
  const [first, part] = kind.includes("moment") ? [3, "moment"] : [0, "force"];
  const values = new Float32Array(4 * found.frequency.length);
  found.frequency.forEach((_, k) => {
    const parts = [0, 1, 2].map((j) => Math.hypot(found.phasors[first + j].re[k], found.phasors[first + j].im[k]));
    values.set([...parts, found[part][k]], 4 * k);
  });
  return { across: Float32Array.from(found.frequency), values, note: "" };
}
