import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { beginSmooth, endSmooth, layBehind } from "../../mbwidgets/scene/page/edges.js";

const NAMES = { 1: "FRAMEBUFFER", 2: "READ_FRAMEBUFFER", 3: "DRAW_FRAMEBUFFER" };

// As much of WebGL as is asked for: who is bound, what is copied from where to where, and what is there.
function fakeRenderer({ antialias = false, multisample = true } = {}) {
  const bound = { READ: null, DRAW: null };
  const alive = new Set();
  const copies = [];
  const listeners = [];
  let made = 0;
  const make = (kind) => {
    const item = { kind, number: made++, samples: null };
    alive.add(item);
    return item;
  };
  let renderbuffer = null;
  const gl = {
    FRAMEBUFFER: 1,
    READ_FRAMEBUFFER: 2,
    DRAW_FRAMEBUFFER: 3,
    RENDERBUFFER: 4,
    MAX_SAMPLES: 5,
    drawingBufferWidth: 30,
    drawingBufferHeight: 20,
    canvas: { addEventListener: (name, call) => listeners.push([name, call]) },
    getContextAttributes: () => ({ antialias }),
    getParameter: () => 8,
    createFramebuffer: () => make("frame"),
    createRenderbuffer: () => make("part"),
    deleteFramebuffer: (item) => alive.delete(item),
    deleteRenderbuffer: (item) => alive.delete(item),
    bindRenderbuffer: (_target, item) => {
      renderbuffer = item;
    },
    framebufferRenderbuffer: () => {
      bound.DRAW.samples = renderbuffer.samples;
    },
    bindFramebuffer: (target, item) => {
      const name = NAMES[target];
      if (name !== "DRAW_FRAMEBUFFER") bound.READ = item;
      if (name !== "READ_FRAMEBUFFER") bound.DRAW = item;
    },
    blitFramebuffer: (...numbers) => copies.push([bound.READ, bound.DRAW, numbers.slice(0, 4)]),
  };
  if (multisample)
    gl.renderbufferStorageMultisample = (_target, samples) => {
      renderbuffer.samples = samples;
    };
  let frame = null;
  const renderer = {
    context: gl,
    setFramebuffer: (item) => {
      frame = item;
    },
    setRenderTarget: () => gl.bindFramebuffer(1, frame),
    get frame() {
      return frame;
    },
  };
  return { renderer, gl, bound, alive, copies, listeners };
}

describe("smooth edges", () => {
  test("are drawn with four samples a pixel, mixed, and shown on the canvas, which is drawn to again afterwards", () => {
    const { renderer, bound, copies } = fakeRenderer();
    beginSmooth(renderer);
    assert.equal(renderer.frame.samples, 4);
    const many = renderer.frame;
    endSmooth(renderer);
    assert.equal(copies.length, 2);
    const [[from, mixed], [again, canvas, box]] = copies;
    assert.equal(from, many);
    assert.equal(mixed.samples, 0);
    assert.equal(again, mixed);
    assert.equal(canvas, null);
    assert.deepEqual(box, [0, 0, 30, 20]);
    assert.equal(renderer.frame, null);
    assert.deepEqual(bound, { READ: null, DRAW: null });
  });

  test("take no more room from picture to picture, and other room where the canvas changes or its context is lost", () => {
    const { renderer, gl, alive, listeners } = fakeRenderer();
    const picture = () => {
      beginSmooth(renderer);
      endSmooth(renderer);
    };
    picture();
    const room = alive.size;
    for (let k = 0; k < 5; k++) picture();
    assert.equal(alive.size, room);
    const old = [...alive];
    gl.drawingBufferWidth = 60;
    picture();
    assert.equal(alive.size, room);
    assert.ok(old.every((item) => !alive.has(item)));
    const [[name, lose]] = listeners;
    assert.equal(name, "webglcontextlost");
    lose();
    picture();
    assert.equal(alive.size, 2 * room, "what was lost is not to be deleted");
  });

  test("are left to a browser that has no such buffers, and to a canvas that has samples itself", () => {
    for (const kind of [{ multisample: false }, { antialias: true }]) {
      const { renderer, copies } = fakeRenderer(kind);
      beginSmooth(renderer);
      assert.equal(renderer.frame, null);
      endSmooth(renderer);
      assert.equal(
        layBehind(renderer, "look", () => assert.fail("nothing is drawn")),
        false,
      );
      assert.equal(copies.length, 0);
    }
  });
});

test("what is behind all is drawn once for each look, smooth, and laid beneath each picture", () => {
  const { renderer, gl, bound, copies } = fakeRenderer();
  let drawn = 0;
  const draw = () => {
    drawn += 1;
    assert.equal(renderer.frame.samples, 4);
  };
  for (let k = 0; k < 3; k++) assert.equal(layBehind(renderer, "one", draw), true);
  assert.equal(drawn, 1);
  const laid = copies.filter(([, to]) => to === null);
  assert.equal(laid.length, 3);
  const [[kept]] = laid;
  beginSmooth(renderer);
  endSmooth(renderer);
  assert.ok(
    copies.slice(-2).every(([, to]) => to !== kept),
    "a smooth picture leaves what is kept as it was",
  );
  layBehind(renderer, "other", draw);
  assert.equal(drawn, 2);
  gl.drawingBufferHeight = 50;
  layBehind(renderer, "other", draw);
  assert.equal(drawn, 3, "a canvas of another size");
  assert.deepEqual(bound, { READ: null, DRAW: null });
});
