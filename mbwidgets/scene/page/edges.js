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

// The buffers of a context, as large as its canvas: one of many samples, one to which they are mixed, and one that keeps
// what is behind all.
function roomsOf(gl) {
  const [width, height] = [gl.drawingBufferWidth, gl.drawingBufferHeight];
  const old = rooms.get(gl);
  if (old?.width === width && old.height === height) return old;
  if (old) for (const room of [old.many, old.one, old.behind]) vacate(gl, room);
  // what a lost context had is gone with it
  else gl.canvas.addEventListener("webglcontextlost", () => rooms.delete(gl), { once: true });
  const samples = Math.min(SAMPLES, gl.getParameter(gl.MAX_SAMPLES));
  const [many, one, behind] = [samples, 0, 0].map((count) => roomFor(gl, width, height, count));
  const made = { width, height, many, one, behind, kept: null };
  rooms.set(gl, made);
  return made;
}

function layPixels(gl, from, to, { width, height }) {
  gl.bindFramebuffer(gl.READ_FRAMEBUFFER, from);
  gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, to);
  gl.blitFramebuffer(0, 0, width, height, 0, 0, width, height, gl.COLOR_BUFFER_BIT, gl.NEAREST);
}

// A canvas with samples of its own takes no pixels from elsewhere.
const canSmooth = ({ context }) =>
  Boolean(context.renderbufferStorageMultisample) && !context.getContextAttributes()?.antialias;

// Let what is drawn next go where edges become smooth. Where a browser has no such buffers, it goes to the canvas.
export function beginSmooth(renderer) {
  if (!canSmooth(renderer)) return;
  const gl = renderer.context;
  const { many } = roomsOf(gl);
  gl.bindFramebuffer(gl.FRAMEBUFFER, null); // as three.js remembers it
  renderer.setFramebuffer(many.frame);
}

// Show on the canvas what was drawn since, or keep it to be laid behind what comes.
export function endSmooth(renderer, kept = null) {
  if (!canSmooth(renderer)) return;
  const gl = renderer.context;
  const made = rooms.get(gl);
  renderer.setFramebuffer(null);
  if (!made) return;
  // samples are mixed between buffers of one kind only, and what a canvas is made of nobody knows
  layPixels(gl, made.many.frame, kept ? made.behind.frame : made.one.frame, made);
  if (kept) made.kept = kept;
  else layPixels(gl, made.one.frame, null, made);
  gl.bindFramebuffer(gl.FRAMEBUFFER, made.many.frame); // as three.js remembers it
  renderer.setRenderTarget(null);
}

// Lay on the canvas what `draw` draws, which is kept as long as `look`, any words, says the same; false where it cannot be.
export function layBehind(renderer, look, draw) {
  if (!canSmooth(renderer)) return false;
  const gl = renderer.context;
  if (roomsOf(gl).kept !== look) {
    beginSmooth(renderer);
    draw();
    endSmooth(renderer, look);
  }
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  layPixels(gl, rooms.get(gl).behind.frame, null, rooms.get(gl));
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  return true;
}
