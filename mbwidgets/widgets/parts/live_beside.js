// What stands beside the picture, curves and words, is written with it. Under a hand that is ahead of pictures that take
// long, the picture goes first: the rest is written with each third one, and with the last.

const SLOW_PICTURES = 40; // ms from one to the next, over which a motion under the hand is no longer seen as smooth
const LONGEST_PICTURE = 250; // ms: what comes later than that is the first of its own
const WITH_EACH = 3; // pictures, with the last of which the rest is written: at 20 a second it still follows by eye
const WRITTEN_AFTER = 150; // ms, where no other picture comes

export class Beside {
  constructor(clock = () => performance.now()) {
    Object.assign(this, { clock, last: Number.NEGATIVE_INFINITY, waiting: 0, timer: null, write: null });
  }

  // A picture is told of, and `write` writes what stands beside it; `more` says whether another one is wished already.
  tell(write, more) {
    const now = this.clock();
    const took = now - this.last;
    this.last = now;
    const { waiting } = this;
    this.forget();
    const slow = took > SLOW_PICTURES && took < LONGEST_PICTURE;
    if (!more || !slow || waiting >= WITH_EACH - 1) {
      write();
      return;
    }
    Object.assign(this, { waiting: waiting + 1, write });
    this.timer = setTimeout(() => this.finish(), WRITTEN_AFTER);
  }

  // Write at once what was put off.
  finish() {
    const { write } = this;
    this.forget();
    write?.();
  }

  // What was to be written is not true any more.
  forget() {
    clearTimeout(this.timer);
    Object.assign(this, { waiting: 0, timer: null, write: null });
  }

  get isDone() {
    return this.timer === null;
  }
}
