// Smooth edges: a picture is drawn with several samples a pixel into buffers of its own, and laid on the canvas when it
// is done. A canvas that had the samples itself would have them in every picture, however little time there is.

const SAMPLES = 4; // a pixel: as many as a browser gives a canvas

const rooms = new WeakMap(); // of contexts: renderers are lent from one view to another, what they draw into stays

// A buffer to draw into, with so many samples a pixel, or with one.
function roomFor(gl, width, height, samples) {
  const frame = gl.createFramebuffer();
  const parts = [];
  const attach = (place, format) => {
    const part = gl.createRenderbuffer();
    parts.push(part);
    gl.bindRenderbuffer(gl.RENDERBUFFER, part);
    gl.renderbufferStorageMultisample(gl.RENDERBUFFER, samples, format, width, height);
    gl.framebufferRenderbuffer(gl.FRAMEBUFFER, place, gl.RENDERBUFFER, part);
  };
  gl.bindFramebuffer(gl.FRAMEBUFFER, frame);
  attach(gl.COLOR_ATTACHMENT0, gl.RGBA8);
  if (samples > 0) attach(gl.DEPTH_ATTACHMENT, gl.DEPTH_COMPONENT24);
  gl.bindRenderbuffer(gl.RENDERBUFFER, null);
  return { frame, parts };
}

function vacate(gl, { frame, parts }) {
  for (const part of parts) gl.deleteRenderbuffer(part);
  gl.deleteFramebuffer(frame);
}

// The buffers of a context, as large as its canvas: one of many samples, and one to which they are mixed.
function roomsOf(gl) {
  const [width, height] = [gl.drawingBufferWidth, gl.drawingBufferHeight];
  const old = rooms.get(gl);
  if (old?.width === width && old.height === height) return old;
  if (old) for (const buffer of [old.many, old.one]) vacate(gl, buffer);
  // what a lost context had is gone with it
  else gl.canvas.addEventListener("webglcontextlost", () => rooms.delete(gl));
  const samples = Math.min(SAMPLES, gl.getParameter(gl.MAX_SAMPLES));
  const made = { width, height, many: roomFor(gl, width, height, samples), one: roomFor(gl, width, height, 0) };
  rooms.set(gl, made);
  return made;
}

function layPixels(gl, from, to, { width, height }) {
  gl.bindFramebuffer(gl.READ_FRAMEBUFFER, from);
  gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, to);
  gl.blitFramebuffer(0, 0, width, height, 0, 0, width, height, gl.COLOR_BUFFER_BIT, gl.NEAREST);
}

// Let what is drawn next go where edges become smooth. Where a browser has no such buffers, it goes to the canvas.
export function beginSmooth(renderer) {
  const gl = renderer.context;
  if (!gl.renderbufferStorageMultisample) return;
  const { many } = roomsOf(gl);
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  renderer.setFramebuffer(many.frame);
}

// Show on the canvas what was drawn since.
export function endSmooth(renderer) {
  const gl = renderer.context;
  const made = rooms.get(gl);
  renderer.setFramebuffer(null);
  if (!made) return;
  // samples are mixed between buffers of one kind only, and what a canvas is made of nobody knows
  layPixels(gl, made.many.frame, made.one.frame, made);
  layPixels(gl, made.one.frame, null, made);
  gl.bindFramebuffer(gl.FRAMEBUFFER, made.many.frame); // as three.js remembers it
  renderer.setRenderTarget(null);
}
