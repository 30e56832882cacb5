import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { choiceIndex, Grid, nearestIndex, nodeIndex } from "../../mbwidgets/export/page/grid.js";
import { unpackLzma } from "../../mbwidgets/export/page/lzma.js";
import { Manager } from "../../mbwidgets/export/page/manager.js";
import { bytesOf, framesOf, statesOf, unzipped } from "../../mbwidgets/export/page/unpack.js";

const joined = (...parts) => new Uint8Array(Buffer.concat(parts.map((part) => Buffer.from(part.buffer ?? part))));

// What `pack_states.py` writes of one table: lowest value and step of each column, then second differences.
function packed(columns, low, step) {
  const rows = columns[0].length;
  const planes = [0, 1, 2, 3].map(() => new Uint8Array(rows * columns.length));
  columns.forEach((column, c) => {
    column.forEach((value, r) => {
      const before = (k) => column[r - k] ?? 0;
      const second = r === 0 ? value : r === 1 ? value - 2 * before(1) : value - 2 * before(1) + before(2);
      const zigzag = second < 0 ? -2 * second - 1 : 2 * second;
      planes.forEach((plane, k) => {
        plane[c * rows + r] = Math.floor(zigzag / 256 ** k) % 256;
      });
    });
  });
  return joined(Float32Array.from([...low, ...step]), ...planes);
}

describe("chunks", () => {
  const data = Buffer.from([...Array(20).keys()]);

  test("are decoded alone, from multiples of four bytes", () => {
    const text = "009C61O)~M2nh-c3=Iws5D^j+"; // the same bytes, by Python's base64.b85encode
    assert.deepEqual([...bytesOf(text, [0, 4])], [0, 1, 2, 3]);
    assert.deepEqual([...bytesOf(text, [8, 5])], [8, 9, 10, 11, 12]);
    assert.deepEqual([...bytesOf(text, [16, 2])], [16, 17]);
  });

  test("are unzipped", async () => assert.deepEqual(await unzipped(gzipSync(data)), new Uint8Array(data)));
});

describe("LZMA", () => {
  const file = (name) => readFileSync(new URL(`../../mbwidgets/export/page/static/${name}`, import.meta.url));
  // by Python: lzma.compress(("abc" * 400 + "xabcabd" * 3 + "zz").encode(), format=lzma.FORMAT_ALONE), lc 3, lp 1, pb 2
  const short = Uint8Array.from(Buffer.from("ZgAAgAD//////////wAwmIh3/hb/+//qQFLvSRMIyMq3usRoy//+G5gA", "base64"));

  test("is unpacked", () => {
    assert.equal(new TextDecoder().decode(unpackLzma(short)), `${"abc".repeat(400)}${"xabcabd".repeat(3)}zz`);
  });

  test("is unpacked where it is large: the formulae's script, to the last byte", () => {
    const known = JSON.parse(file("vendored.json")).sha256["mathjax.js"];
    const found = unpackLzma(new Uint8Array(file("mathjax.js.lzma")));
    assert.equal(createHash("sha256").update(found).digest("hex"), known);
  });

  test("that is cut or repeats what is not there is refused", () => {
    assert.throws(() => unpackLzma(short.subarray(0, short.length - 3)), /ends too early/);
    const spoilt = Uint8Array.from([...short.subarray(0, 14), 0xff, 0xff, 0xf0, 0, ...short.subarray(18)]);
    assert.throws(() => unpackLzma(spoilt), /repeats what is not there|ends too early/);
  });
});

describe("frames", () => {
  test("are put back from second differences, frames first", () => {
    const bytes = packed(
      [
        [0, 1, 4, 9, 70000],
        [5, 4, 3, 2, 0],
      ],
      [10, -1],
      [0.5, 0.25],
    );
    const found = new Float32Array(framesOf(bytes, 5, 2).buffer);
    const first = [0, 1, 4, 9, 70000].map((k) => 10 + 0.5 * k);
    const second = [5, 4, 3, 2, 0].map((k) => -1 + 0.25 * k);
    assert.deepEqual(
      [...found],
      first.flatMap((value, k) => [value, second[k]]),
    );
  });

  test("what was zero is zero again", () => {
    const found = new Float32Array(
      framesOf(
        packed(
          [
            [3, 4],
            [9, 9],
          ],
          [-0.3, -1],
          [0.1, 0.5],
        ),
        2,
        2,
      ).buffer,
    );
    assert.equal(found[0], 0);
    // float32 of 0.1, and of −0.3 + 4 × 0.1
    assert.ok(Math.abs(found[2] - 0.1) < 1e-7);
    assert.deepEqual([found[1], found[3]], [3.5, 3.5]);
  });
});

test("states have their binary values again, in their places", () => {
  const table = packed([[0, 2]], [1], [1]);
  const raw = Uint8Array.from([7, 8]);
  const head = {
    states: { a: { name: "x", values: null }, b: { deep: [0, {}] } },
    buffers: [
      ["a", ["values"], 0, table.length, 2, 1],
      ["b", ["deep", 1, "data"], table.length, 2, 0, 0],
    ],
  };
  const text = Buffer.from(JSON.stringify(head));
  const found = statesOf(joined(Uint32Array.from([text.length]), new Uint8Array(text), table, raw));
  assert.equal(found.a.name, "x");
  assert.deepEqual([...new Float32Array(found.a.values.buffer)], [1, 3]);
  assert.deepEqual([...new Uint8Array(found.b.deep[1].data.buffer)], [7, 8]);
});

describe("the node of a grid", () => {
  test("is the nearest of each axis, at the ends too", () => {
    const values = [1, 1.5, 2, 20];
    assert.deepEqual(
      [-5, 1.2, 1.3, 10, 12, 99].map((value) => nearestIndex(values, value)),
      [0, 0, 1, 2, 3, 3],
    );
  });

  test("is counted with the last axis running fastest", () => {
    const sizes = [2, 3, 4];
    const found = [];
    for (let a = 0; a < 2; a++)
      for (let b = 0; b < 3; b++) for (let c = 0; c < 4; c++) found.push(nodeIndex([a, b, c], sizes));
    assert.deepEqual(found, [...Array(24).keys()]);
    assert.equal(nodeIndex([], []), 0);
  });
});

describe("what is chosen besides", () => {
  const choices = [
    [[0, 0, 0], "u"],
    [[0, 0, 1], "u"],
    [[0, 0, 0], "v"],
  ];

  test("has all parts as they are", () => assert.equal(choiceIndex(choices, [[0, 0, 0], "v"], 1), 2));

  test("or the part that was moved", () => {
    assert.equal(choiceIndex(choices, [[0, 0, 1], "v"], 0), 1);
    assert.equal(choiceIndex(choices, [[0, 0, 1], "v"], 1), 2);
  });

  test("or is not there", () => assert.equal(choiceIndex(choices, [[9, 9, 9], "w"], 0), -1));
});

// Widgets of a page: each remembers its traits and calls who listens.
class Widget {
  constructor(traits) {
    Object.assign(this, { traits, listeners: {}, triggered: [] });
  }

  static _deserialize_state(state) {
    return state;
  }

  get(name) {
    return this.traits[name];
  }

  set(changes) {
    for (const [name, value] of Object.entries(changes)) {
      this.traits[name] = value;
      for (const listener of this.listeners[`change:${name}`] ?? []) listener();
    }
  }

  on(name, listener) {
    this.listeners[name] = [...(this.listeners[name] ?? []), listener];
  }

  trigger(name) {
    this.triggered.push(name);
  }
}

describe("a page without a kernel", () => {
  const open = async () => {
    const manager = new Manager(new Map());
    const slider = new Widget({ edit: {} });
    const shown = new Widget({ text: "" });
    manager.models.set("slider", Promise.resolve(slider)).set("shown", Promise.resolve(shown));
    const asked = [];
    const states = async (k) => {
      asked.push(k);
      return { shown: { text: `state ${k}` } };
    };
    const axis = (key) => ({ model: "slider", trait: "edit", key, values: [1, 2, 3], shown: "values" });
    const grid = new Grid(manager, states, {
      axes: [axis("m"), axis("l")],
      nodes: [...Array(9).keys()].map((k) => 100 + k),
      at: [0, 0],
      choice: null,
    });
    await grid.connect();
    const rest = async () => {
      for (let k = 0; k < 50; k++) await Promise.resolve();
    };
    return { slider, shown, asked, rest };
  };

  test("shows the state of the node nearest to a slider", async () => {
    const { slider, shown, rest } = await open();
    slider.set({ edit: { key: "l", value: 2.2 } });
    await rest();
    assert.equal(shown.get("text"), "state 101");
    slider.set({ edit: { key: "m", value: 9 } });
    await rest();
    assert.equal(shown.get("text"), "state 107");
    assert.deepEqual(slider.triggered, ["change:values", "change:values", "change:values", "change:values"]);
  });

  test("passes over wishes that a newer one has overtaken", async () => {
    const { slider, shown, asked, rest } = await open();
    for (const value of [1, 2, 3]) slider.set({ edit: { key: "m", value } });
    await rest();
    assert.equal(shown.get("text"), "state 106");
    assert.deepEqual(asked, [100, 106]);
  });

  test("shows what is chosen besides, at the node, and the last there is where a node has fewer", async () => {
    const manager = new Manager(new Map());
    const [slider, map, shown] = [{ edit: {} }, { chosen: "a" }, {}].map((traits) => new Widget(traits));
    for (const [id, one] of Object.entries({ slider, map, shown })) manager.models.set(id, Promise.resolve(one));
    const asked = [];
    const states = async (k) => {
      asked.push(k);
      return { shown: k < 10 ? { node: k } : { choice: k }, map: { chosen: map.get("chosen") } };
    };
    const grid = new Grid(manager, states, {
      axes: [{ model: "slider", trait: "edit", key: "m", values: [1, 2], shown: "values" }],
      nodes: [0, 1],
      at: [0],
      choice: {
        at: 0,
        near: false,
        parts: [["map", "chosen"]],
        values: [
          [["a"], ["b"], ["c"]],
          [["a"], ["b"]],
        ],
        nodes: [
          [10, 11, 12],
          [20, 21],
        ],
      },
    });
    await grid.connect();
    const rest = async () => {
      for (let k = 0; k < 60; k++) await Promise.resolve();
    };
    map.set({ chosen: "c" });
    await rest();
    assert.deepEqual(asked, [0, 12]);
    assert.deepEqual(shown.traits, { node: 0, choice: 12 });
    map.set({ chosen: "nobody" });
    map.set({ chosen: "c" });
    await rest();
    assert.deepEqual(asked, [0, 12]);
    slider.set({ edit: { key: "m", value: 2 } });
    await rest();
    assert.deepEqual(shown.traits, { node: 1, choice: 21 });
  });

  test("says which widget it does not have", async () => {
    const manager = new Manager(new Map());
    await assert.rejects(manager.get_model("nobody"), /this page has no widget nobody/);
    await assert.rejects(manager.loadClass("View", "module"), /this page has no View of module/);
  });
});
