// What is kept of a renderer of three.js from picture to picture, whichever view it draws: pythreejs lends it from one to
// another.

const full = new WeakMap(); // pixels of the picture for one of the page, as the renderer was made
const kept = new WeakSet(); // programs that stay

// Draw with a share of the pixels along each side; the picture stays as large.
export function setFineness(renderer, share) {
  if (!full.has(renderer)) full.set(renderer, renderer.getPixelRatio());
  const wanted = share * full.get(renderer);
  if (renderer.getPixelRatio() !== wanted) renderer.setPixelRatio(wanted);
}

// A material whose light changes takes another program, and three.js throws one away that no material has: going to and
// fro between two qualities it would compile all of them each time. Those that were made stay, as long as the renderer;
// materials that look alike share theirs, so they do not become more.
export function keepPrograms({ info }) {
  for (const program of info.programs ?? []) {
    if (kept.has(program)) continue;
    kept.add(program);
    program.usedTimes += 1;
  }
}
