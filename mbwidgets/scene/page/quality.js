// How much of light and shadow there is time for: a picture at rest has all of it; while pictures follow one another
// and take too long, first the bodies' shadows on each other go, then the shadow on the ground becomes coarser and rarer,
// and at last edges are drawn with one sample a pixel, which halves the time that a processor without graphics takes.

// What each level has: shadows of bodies on each other, and arrows that are pale where they are hidden, which without it
// are drawn over all; pixels of the shadow on the ground; every how many pictures it is drawn anew; smooth edges.
export const LEVELS = [
  { cast: true, fine: 192, every: 1, smooth: true },
  { cast: false, fine: 192, every: 2, smooth: true },
  { cast: false, fine: 128, every: 2, smooth: true },
  { cast: false, fine: 128, every: 4, smooth: false },
];
export const FIRST = { level: 0, slow: 0, quick: 0, calm: 60 };

const SLOW = 40; // ms that a picture may take: over it a motion is no longer seen as smooth
const QUICK = 18; // ms: a machine that shows all 60 a second has time for more
const SLOW_ONES = 3; // slow pictures before something goes: one may be slow for any reason
export const PAUSE = 250; // ms: after such a pause a picture tells nothing of the machine
export const STALLED = 3000; // ms: unless a motion plays, of which a picture can take as long where there are many
const REST = 200; // ms without a picture until it is drawn with all
const LONGEST_REST = 1000; // ms: the same where pictures take long
const CALMEST = 3840; // quick pictures, a minute of them, before it is tried again after it has failed often

// The quality of the next picture, when the last took so many ms. Where more was tried and was too slow, it takes twice
// as many quick pictures until it is tried again.
export function nextQuality(quality, took, pause = PAUSE) {
  const { level, calm } = quality;
  if (!(took > 0 && took < pause)) return quality;
  if (took > SLOW) {
    const slow = quality.slow + 1;
    if (slow < SLOW_ONES || level === LEVELS.length - 1) return { ...quality, slow, quick: 0 };
    return { level: level + 1, slow: 0, quick: 0, calm: Math.min(2 * calm, CALMEST) };
  }
  const quick = took < QUICK ? quality.quick + 1 : 0;
  if (quick < calm || level === 0) return { ...quality, slow: 0, quick };
  return { level: level - 1, slow: 0, quick: 0, calm };
}

// How long, ms, no picture comes after one that took so many until it is drawn with all: longer than the next may take,
// for a hand that moves on does not rest between two of them.
export const restAfter = (took) => (took < LONGEST_REST ? Math.min(Math.max(REST, 2 * took), LONGEST_REST) : REST);
