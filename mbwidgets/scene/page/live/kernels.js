// The kernels, by name, on a heap: as WebAssembly, or as JavaScript where that is forbidden. Both give the same bits.

import { Heap, PAGE } from "./heap.js";

// The WebAssembly module; `table` says how its functions are called.
export async function openWasm(code, table) {
  const { instance } = await WebAssembly.instantiate(code, {});
  const { memory } = instance.exports;
  const grow = (pages) => {
    memory.grow(Math.max(pages, memory.buffer.byteLength / PAGE));
    return memory.buffer;
  };
  const heap = new Heap(memory.buffer, table.heap / 8, grow);
  return new Kernels(heap, table, (name) => instance.exports[name]);
}

// The same functions in JavaScript: `twin` is the module kernels.js.
export function openTwin(twin, table) {
  let buffer = new ArrayBuffer(64 * PAGE);
  let made = twin.instantiate(buffer);
  const grow = (pages) => {
    const larger = new ArrayBuffer(buffer.byteLength + PAGE * Math.max(pages, buffer.byteLength / PAGE));
    new Float64Array(larger).set(new Float64Array(buffer));
    buffer = larger;
    made = twin.instantiate(buffer);
    return buffer;
  };
  const heap = new Heap(buffer, table.heap / 8, grow);
  return new Kernels(heap, table, (name) => made.exports[name]);
}

class Kernels {
  constructor(heap, table, find) {
    Object.assign(this, { heap, table, find });
  }

  // Call a kernel with numbers and arrays of the heap; returns its result as a number.
  call(name, ...given) {
    const kinds = this.table.exports[name].parameters.split(" ");
    if (given.length !== kinds.length) throw new TypeError(`${name} takes ${kinds.length} arguments`);
    const flat = [];
    kinds.forEach((kind, k) => {
      if (kind.length === 1) flat.push(kind === "b" ? Boolean(given[k]) : given[k]);
      else flat.push(8 * given[k].at, ...given[k].shape);
    });
    return Number(this.find(name)(...flat));
  }
}
