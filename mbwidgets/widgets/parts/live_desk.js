// The desk of the page, with the kernels of a box.

import { postOf } from "../../scene/page/live/post.js";

const bytesOf = (view) => new Uint8Array(view.buffer ?? view, view.byteOffset ?? 0, view.byteLength);

export function deskFor(box) {
  const [wasm, twin] = ["wasm", "twin"].map((name) => bytesOf(box.get(name)));
  const [script, table, names] = ["script", "table", "names"].map((name) => box.get(name));
  return postOf({ wasm, twin, script, table, names });
}
