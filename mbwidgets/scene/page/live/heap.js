// The numbers that kernels work on: one memory, from which arrays are taken one after the other and given back at once.

export const PAGE = 65536;
const MOST_BYTES = 256 * 1024 * 1024; // bytes: a motion of a minute with two hundred bodies takes a tenth

export class Heap {
  // `first`: the first number that is free; `grow`: makes the buffer larger by so many pages and returns it, or null.
  constructor(buffer, first, grow) {
    this.numbers = new Float64Array(buffer);
    this.first = first;
    this.top = first;
    this.grow = grow;
  }

  // Give back all that was taken after `top` was this.
  release(top = this.first) {
    this.top = top;
  }

  // An array of zeros.
  take(...shape) {
    const size = shape.reduce((product, n) => product * n, 1);
    const at = this.top;
    if (8 * (at + size) > MOST_BYTES)
      throw new RangeError("the motion is too long, or the mechanism too large, for this page");
    this.top = at + size;
    this.#reserve();
    this.numbers.fill(0, at, this.top);
    return { at, shape, size };
  }

  // An array of these numbers.
  put(values, ...shape) {
    const array = this.take(...(shape.length ? shape : [values.length]));
    this.numbers.set(values, array.at);
    return array;
  }

  // The numbers of an array, as they stand; valid until the memory grows.
  view({ at, size }) {
    return this.numbers.subarray(at, at + size);
  }

  // Its first rows.
  rows({ at, shape }, count) {
    const width = shape.slice(1).reduce((product, n) => product * n, 1);
    return { at, shape: [count, ...shape.slice(1)], size: count * width };
  }

  #reserve() {
    const missing = 8 * this.top - this.numbers.buffer.byteLength;
    if (missing > 0) this.numbers = new Float64Array(this.grow(Math.ceil(missing / PAGE)));
  }
}
