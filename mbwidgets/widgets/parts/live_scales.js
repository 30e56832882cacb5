// How long arrows are on the stage, in a page that solves its motions itself.

import { stepBelow } from "../../scene/page/shared/ticks.js";

const SHORTEST_SHARE = 0.2; // of what is allowed, below which the scale of arrows changes

// Metres for one unit, kept as long as the longest arrow is neither too long nor too short.
export function keptScale(longest, allowed, before) {
  if (!(longest > 0)) return before;
  const now = before * longest;
  return now >= SHORTEST_SHARE * allowed && now <= allowed ? before : stepBelow(allowed / longest);
}

// Units whose arrows are allowed so many times their length; the scales that are known are found anew.
export const widened = (units, times) =>
  Object.fromEntries(
    Object.entries(units).map(([unit, { allowed, scale, known, ...rest }]) => [
      unit,
      { ...rest, allowed: allowed * times, scale: known ? 0 : scale, known },
    ]),
  );

// Metres on the stage for one unit of each arrow, where the longest of each unit are so long; `scales`, those of the units,
// are kept or changed. An arrow of no unit stays as it was.
export function lengthsOnStage({ arrows, units }, lengths, longest, scales, magnify) {
  for (const [unit, { allowed, scale, known }] of Object.entries(units)) {
    const before = scales[unit] ?? scale;
    scales[unit] = known ? keptScale(longest[unit] ?? 0, allowed, before) : before;
  }
  return arrows.map(({ unit, magnify: own }, k) => (unit in scales ? own * magnify * scales[unit] : lengths[k]));
}

// Arrows that stand on the tips of others, now that it is known how long these are.
export function stack(vectors, offsets, lengths) {
  for (let at = 0; at < offsets.length / 3; at++) {
    const length = lengths[at % lengths.length];
    for (let j = 0; j < 3; j++) vectors[6 * at + j] += length * offsets[3 * at + j];
  }
}
