// What is kept of a renderer of three.js from picture to picture, whichever view it draws: pythreejs lends it from one to
// another.

const kept = new WeakSet(); // programs that stay

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
