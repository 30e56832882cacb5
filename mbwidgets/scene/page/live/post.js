// The one desk of a page, whoever asks: a worker, or the page itself where workers are forbidden.

import { Desk } from "./desk.js";

const PATIENCE_WITH_WORKER = 3000; // ms until a worker that says nothing is given up

const unpacked = async (bytes) =>
  new Uint8Array(
    await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer(),
  );

class Post {
  constructor(box) {
    this.listeners = new Map();
    this.waiting = [];
    this.count = 0;
    this.#start(box);
  }

  // A number under which one asks, and is answered.
  enter(listener) {
    this.count += 1;
    this.listeners.set(this.count, listener);
    return this.count;
  }

  leave(id) {
    this.listeners.delete(id);
    this.post({ forget: id });
  }

  post(message) {
    if (this.send) this.send(message);
    else this.waiting.push(message);
  }

  #hear(answer) {
    const { opened, refused, made, motion, fault, horizon } = answer;
    const id = opened ?? refused ?? made ?? motion ?? fault ?? horizon;
    this.listeners.get(id)?.(answer);
  }

  async #start({ wasm, twin, script, table, names }) {
    const [code, text] = await Promise.all([unpacked(wasm), unpacked(twin)]);
    const opened = { wasm: code.buffer, twin: new TextDecoder().decode(text), table, names };
    const send = (await this.#employ(script)) ?? this.#alone();
    send({ box: opened });
    for (const message of this.waiting) send(message);
    this.waiting = [];
    this.send = send;
  }

  // How to speak to a worker; null where there can be none.
  #employ(script) {
    return new Promise((resolve) => {
      let worker = null;
      const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
      const settle = (found) => {
        clearTimeout(timer);
        URL.revokeObjectURL(address);
        if (!found) worker?.terminate();
        resolve(found);
      };
      const timer = setTimeout(() => settle(null), PATIENCE_WITH_WORKER);
      try {
        worker = new Worker(address);
      } catch {
        settle(null);
        return;
      }
      worker.onerror = (event) => {
        event.preventDefault();
        settle(null);
      };
      worker.onmessage = ({ data }) => {
        if (data.ready) settle((message) => worker.postMessage(message));
        else this.#hear(data);
      };
    });
  }

  // The page answers itself, between its pictures.
  #alone() {
    const desk = new Desk(
      (answer) => this.#hear(answer),
      () => new Promise((resolve) => setTimeout(resolve)),
    );
    return (message) => desk.hear(message);
  }
}

// The desk of these kernels; all that a page shows of one version share it.
export function postOf(box) {
  const place = Symbol.for("mbwidgets.desk");
  globalThis[place] ??= new Map();
  const shared = globalThis[place];
  const key = box.table.sha256;
  if (!shared.has(key)) shared.set(key, new Post(box));
  return shared.get(key);
}
