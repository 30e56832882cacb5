// Numbers frame by frame, and which frame is shown at a time.

import { clamp } from "./numbers.js";

// A binary trait as numbers.
export function floats(view) {
  if (!view || view.byteLength < 4) return new Float32Array(0);
  const bytes = view.buffer ? view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength) : view.slice(0);
  return new Float32Array(bytes);
}

// When a motion ends.
export const endOf = (times) => (times.length ? times[times.length - 1] : 0);

// A time of a motion and its end as text; of one that is over in a blink with more digits.
export function clockText(time, end) {
  const digits = end > 0 && end < 0.1 ? 2 - Math.floor(Math.log10(end)) : 2;
  return `${time.toFixed(digits)} / ${end.toFixed(digits)} s`;
}

// The frame before a time, and how far towards the next one it is, from 0 to 1.
export function locate(times, time) {
  let low = 0;
  let high = times.length - 1;
  if (high < 1 || time <= times[0]) return [0, 0];
  if (time >= times[high]) return [high - 1, 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time) low = middle;
    else high = middle;
  }
  return [low, (time - times[low]) / (times[high] - times[low])];
}

// The frame nearest to a time. Frames of a page without a kernel are not all as far apart. What has another number of
// them is spread evenly over the same time.
export function frameAt(times, time, count = times.length) {
  if (count === times.length) {
    const [frame, share] = locate(times, time);
    return share >= 0.5 ? frame + 1 : frame;
  }
  const [start, end] = [times[0] ?? 0, endOf(times)];
  return end > start ? Math.round(clamp((time - start) / (end - start), 0, 1) * (count - 1)) : 0;
}

// At rest the time is that of a frame, whose numbers are exact; `steps` frames on.
export function timeAtRest(times, time, steps = 0) {
  return times.length ? times[clamp(frameAt(times, time) + steps, 0, times.length - 1)] : 0;
}
