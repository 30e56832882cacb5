// The box of a chart that is as wide as its place, so that text and lines keep their size on the screen.

import { boxOf } from "../../scene/page/shared/curves.js";

const WIDEST = 860;
const NARROWEST = 280;
const STEP = 20; // a page that is made wider draws its charts anew at these widths, not at each pixel
const TALLEST = 250;
const LOWEST = 170;

// The box for a place of some width, px; where it is not known yet, as in a tab that is not seen, the widest.
export function boxFor(width, left, right, top, bottom) {
  const wide = width > 0 ? Math.min(WIDEST, Math.max(NARROWEST, STEP * Math.floor(width / STEP))) : WIDEST;
  const high = Math.round(LOWEST + ((TALLEST - LOWEST) * (wide - NARROWEST)) / (WIDEST - NARROWEST));
  return boxOf(wide, high, left, right, top, bottom);
}

// How many upright lines have room for their numbers.
export const uprightsIn = (box) => Math.max(3, Math.min(10, Math.round(box.width / 80)));

// Calls `changed` with the box of an element at first, and each time its width asks for another; returns how to stop.
export function followWidth(el, margins, changed) {
  let box = boxFor(el.clientWidth, ...margins);
  changed(box);
  const watch = new ResizeObserver(() => {
    const next = boxFor(el.clientWidth, ...margins);
    if (el.clientWidth > 0 && next.width !== box.width) {
      box = next;
      changed(box);
    }
  });
  watch.observe(el);
  return () => watch.disconnect();
}
