// Values that sliders had before, in a page without a kernel. Moves of one slider in quick succession are one step.

const QUICKLY = 1000; // ms

export class PageHistory {
  constructor() {
    Object.assign(this, { past: [], future: [], key: "", time: Number.NEGATIVE_INFINITY });
  }

  // A change is made from these values, by what a key names; one without a key is none of the user's.
  note(values, key, time = performance.now()) {
    if (!key) return;
    const same = key === this.key && time - this.time < QUICKLY;
    Object.assign(this, { key, time });
    if (!same) this.past.push(values);
    this.future = [];
  }

  undo(values) {
    return this.#go(values, this.past, this.future);
  }

  redo(values) {
    return this.#go(values, this.future, this.past);
  }

  #go(values, from, to) {
    this.key = "";
    if (!from.length) return null;
    to.push(values);
    return from.pop();
  }
}
