// Buffers of frames.

export function floats(view) {
  if (!view || view.byteLength < 4) return new Float32Array(0);
  const bytes = view.buffer ? view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength) : view.slice(0);
  return new Float32Array(bytes);
}
