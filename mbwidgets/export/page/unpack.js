// What a page carries, unpacked: chunks of its data, and the states of widgets within them.

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;,=>?@^_`{|}~";
const DIGITS = new Uint8Array(128);
for (let k = 0; k < ALPHABET.length; k++) DIGITS[ALPHABET.charCodeAt(k)] = k;

// A chunk of a text in base 85, whose five letters hold four bytes. Chunks begin at multiples of four bytes, so that
// each can be decoded alone.
export function bytesOf(packed, [start, length]) {
  const words = Math.ceil(length / 4);
  const view = new DataView(new ArrayBuffer(4 * words));
  for (let k = 0, at = (start / 4) * 5; k < words; k++, at += 5) {
    let word = 0;
    for (let j = 0; j < 5; j++) word = 85 * word + DIGITS[packed.charCodeAt(at + j)];
    view.setUint32(4 * k, word);
  }
  return new Uint8Array(view.buffer, 0, length);
}

export async function unzipped(bytes) {
  const unpacking = new DecompressionStream("gzip");
  const writer = unpacking.writable.getWriter();
  writer.write(bytes);
  writer.close();
  return new Uint8Array(await new Response(unpacking.readable).arrayBuffer());
}

// Numbers over time: per column the lowest value and the step, then second differences in four planes of bytes.
export function framesOf(bytes, rows, columns) {
  const head = new Float32Array(bytes.slice(0, 8 * columns).buffer);
  const size = rows * columns;
  const plane = (k) => bytes.subarray(8 * columns + k * size, 8 * columns + (k + 1) * size);
  const [low, second, third, high] = [0, 1, 2, 3].map(plane);
  const out = new Float32Array(size);
  for (let c = 0; c < columns; c++) {
    let value = 0;
    let slope = 0;
    for (let r = 0; r < rows; r++) {
      const at = c * rows + r;
      const zigzag = low[at] | (second[at] << 8) | (third[at] << 16) | (high[at] << 24);
      slope += (zigzag >>> 1) ^ -(zigzag & 1);
      value += slope;
      const number = head[c] + value * head[columns + c];
      // what was zero is within half a step of it
      out[r * columns + c] = Math.abs(number) < head[columns + c] / 2 ? 0 : number;
    }
  }
  return new DataView(out.buffer);
}

// An array of a shape: of floats per column the lowest value and the step; then differences from row to row, column by
// column, in planes of bytes.
export function arrayOf(bytes, rows, { dtype, shape }) {
  const columns = shape.length > 1 ? shape[1] : 1;
  const floats = dtype === "float32";
  const head = floats ? new Float32Array(bytes.slice(0, 8 * columns).buffer) : [];
  const size = rows * columns;
  const plane = (k) => bytes.subarray(4 * head.length + k * size, 4 * head.length + (k + 1) * size);
  const [low, second, third, high = []] = (floats ? [0, 1, 2] : [0, 1, 2, 3]).map(plane);
  const out = floats ? new Float32Array(size) : new Uint32Array(size);
  for (let c = 0; c < columns; c++) {
    let value = 0;
    for (let r = 0; r < rows; r++) {
      const at = c * rows + r;
      const zigzag = low[at] | (second[at] << 8) | (third[at] << 16) | ((high[at] ?? 0) << 24);
      value += (zigzag >>> 1) ^ -(zigzag & 1);
      out[r * columns + c] = floats ? head[c] + value * head[columns + c] : value;
    }
  }
  return new DataView(out.buffer);
}

// {model id: {name: value}} of a chunk, its binary values put back.
export function statesOf(bytes) {
  const length = new DataView(bytes.buffer).getUint32(0, true);
  const found = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  for (const [id, path, start, size, rows, columns] of found.buffers) {
    const from = 4 + length + start;
    const raw = bytes.slice(from, from + size);
    let place = found.states[id];
    for (const key of path.slice(0, -1)) place = place[key];
    const numbers = () => (columns ? framesOf(raw, rows, columns) : arrayOf(raw, rows, place));
    place[path[path.length - 1]] = rows ? numbers() : new DataView(raw.buffer);
  }
  return found.states;
}
