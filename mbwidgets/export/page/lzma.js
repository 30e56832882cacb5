// LZMA, which no browser unpacks by itself: it takes a fifth less than gzip, for it sees what is repeated far apart.

const STATES = 12;
const MATCH_LOWEST = 2;
const TOP = 2 ** 24;
const HALF = 1024;
const PLACES = 64;
const ALIGNED = 4;
const NEAR = 14;
const STORED = 128;

const odds = (size) => new Uint16Array(size).fill(HALF);

// The bits of a packed text: each is as likely as the bits before it at its place have been.
class Bits {
  constructor(bytes, at) {
    this.bytes = bytes;
    this.at = at + 1;
    this.range = 0xffffffff;
    this.code = 0;
    for (let k = 0; k < 4; k++) this.code = ((this.code << 8) | this.byte()) >>> 0;
  }

  byte() {
    if (this.at >= this.bytes.length) throw new Error("a packed text ends too early");
    return this.bytes[this.at++];
  }

  widen() {
    if (this.range >= TOP) return;
    this.range = (this.range << 8) >>> 0;
    this.code = ((this.code << 8) | this.byte()) >>> 0;
  }

  bit(table, k) {
    const bound = (this.range >>> 11) * table[k];
    const set = this.code >= bound;
    if (set) {
      this.range -= bound;
      this.code -= bound;
      table[k] -= table[k] >>> 5;
    } else {
      this.range = bound;
      table[k] += (2048 - table[k]) >>> 5;
    }
    this.widen();
    return set ? 1 : 0;
  }

  // `count` bits that are as likely set as not.
  even(count) {
    let out = 0;
    for (let k = 0; k < count; k++) {
      this.range >>>= 1;
      const set = this.code >= this.range;
      if (set) this.code -= this.range;
      this.widen();
      out = 2 * out + (set ? 1 : 0);
    }
    return out;
  }

  // A number of `count` bits, the highest first: what is likely depends on those before.
  tree(table, from, count) {
    let node = 1;
    for (let k = 0; k < count; k++) node = 2 * node + this.bit(table, from + node);
    return node - (1 << count);
  }

  // The same, the lowest first.
  reversed(table, from, count) {
    let node = 1;
    let out = 0;
    for (let k = 0; k < count; k++) {
      const bit = this.bit(table, from + node);
      node = 2 * node + bit;
      out |= bit << k;
    }
    return out;
  }
}

class Lengths {
  constructor() {
    this.choice = odds(2);
    this.low = odds(16 * 8);
    this.middle = odds(16 * 8);
    this.high = odds(256);
  }

  read(bits, place) {
    if (!bits.bit(this.choice, 0)) return bits.tree(this.low, 8 * place, 3);
    if (!bits.bit(this.choice, 1)) return 8 + bits.tree(this.middle, 8 * place, 3);
    return 16 + bits.tree(this.high, 0, 8);
  }
}

class Distances {
  slots = odds(4 * PLACES);
  near = odds(1 + STORED - NEAR);
  aligned = odds(1 << ALIGNED);

  read(bits, length) {
    const slot = bits.tree(this.slots, PLACES * Math.min(length, 3), 6);
    if (slot < 4) return slot;
    const count = (slot >>> 1) - 1;
    const high = (2 | (slot & 1)) * 2 ** count;
    if (slot < NEAR) return high + bits.reversed(this.near, high - slot, count);
    return high + bits.even(count - ALIGNED) * 2 ** ALIGNED + bits.reversed(this.aligned, 0, ALIGNED);
  }
}

class Out {
  constructor(size) {
    this.bytes = new Uint8Array(size);
    this.end = 0;
  }

  room(more) {
    if (this.end + more <= this.bytes.length) return;
    const wider = new Uint8Array(2 * (this.end + more));
    wider.set(this.bytes);
    this.bytes = wider;
  }

  push(byte) {
    this.room(1);
    this.bytes[this.end++] = byte;
  }

  repeat(distance, length) {
    if (distance > this.end) throw new Error("a packed text repeats what is not there");
    this.room(length);
    for (let k = 0; k < length; k++, this.end++) this.bytes[this.end] = this.bytes[this.end - distance];
  }
}

// What one byte is, where `before` came before it; after a repetition the byte that would have gone on guides.
function literal(bits, table, from, guide) {
  let node = 1;
  if (guide !== undefined) {
    for (let shift = 7; node < 256 && shift >= 0; shift--) {
      const expected = (guide >>> shift) & 1;
      const bit = bits.bit(table, from + ((1 + expected) << 8) + node);
      node = 2 * node + bit;
      if (bit !== expected) break;
    }
  }
  while (node < 256) node = 2 * node + bits.bit(table, from + node);
  return node & 255;
}

// Which of the four last distances is meant, moved to the front; a `short` repetition is one byte long.
function recall(bits, odd, state, at, last) {
  if (!bits.bit(odd.first, state)) return !bits.bit(odd.short, at);
  const which = !bits.bit(odd.second, state) ? 1 : 2 + bits.bit(odd.third, state);
  last.unshift(...last.splice(which, 1));
  return false;
}

// A text as Python's `lzma.compress(…, format=FORMAT_ALONE)` packs it: 13 bytes of head, and a mark at the end.
export function unpackLzma(bytes) {
  const kind = bytes[0];
  const [contexts, rest] = [kind % 9, Math.floor(kind / 9)];
  const [lowMask, placeMask] = [2 ** (rest % 5) - 1, 2 ** Math.floor(rest / 5) - 1];
  const bits = new Bits(bytes, 13);
  const out = new Out(8 * bytes.length);
  const table = odds(0x300 << (contexts + (rest % 5)));
  const odd = { match: odds(16 * STATES), short: odds(16 * STATES) };
  for (const name of ["repeat", "first", "second", "third"]) odd[name] = odds(STATES);
  const [lengths, again, distances] = [new Lengths(), new Lengths(), new Distances()];
  const last = [1, 1, 1, 1];
  for (let state = 0; ; ) {
    const place = out.end & placeMask;
    const at = 16 * state + place;
    if (!bits.bit(odd.match, at)) {
      const before = out.end ? out.bytes[out.end - 1] : 0;
      const context = ((out.end & lowMask) << contexts) + (before >>> (8 - contexts));
      out.push(literal(bits, table, 0x300 * context, state < 7 ? undefined : out.bytes[out.end - last[0]]));
      state = state < 4 ? 0 : state - (state < 10 ? 3 : 6);
      continue;
    }
    if (bits.bit(odd.repeat, state)) {
      if (recall(bits, odd, state, at, last)) {
        out.repeat(last[0], 1);
        state = state < 7 ? 9 : 11;
        continue;
      }
      out.repeat(last[0], MATCH_LOWEST + again.read(bits, place));
      state = state < 7 ? 8 : 11;
      continue;
    }
    const length = lengths.read(bits, place);
    const distance = distances.read(bits, length) + 1;
    if (distance > 0xffffffff) return out.bytes.subarray(0, out.end);
    last.unshift(distance);
    last.pop();
    out.repeat(distance, MATCH_LOWEST + length);
    state = state < 7 ? 7 : 10;
  }
}
