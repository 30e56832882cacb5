// What was shown before the last change. Changes in quick succession, as of a slider that is dragged, are one.

const SUCCESSION = 1000; // ms

// Whether two lists of numbers are the same as far as both go: a motion that is computed further is no other.
export function samePart(a, b) {
  const length = Math.min(a.length, b.length);
  for (let k = 0; k < length; k++) if (a[k] !== b[k] && !(Number.isNaN(a[k]) && Number.isNaN(b[k]))) return false;
  return true;
}

export class Before {
  constructor(same) {
    Object.assign(this, { same, now: null, before: null, changed: Number.NEGATIVE_INFINITY });
  }

  // Something is shown; `fresh` says that it has nothing to do with what was shown before.
  show(value, fresh = false, time = performance.now()) {
    const changes = this.now !== null && !this.same(this.now, value);
    if (fresh || this.now === null) this.before = null;
    else if (changes) {
      if (time - this.changed > SUCCESSION || this.before === null) this.before = this.now;
      this.changed = time;
      // a slider that is back where it was leaves nothing behind
      if (this.same(this.before, value)) this.before = null;
    }
    this.now = value;
    return this.before;
  }
}
