// What is behind the mechanism: the sky, and the ground as lines that fade away from what stands on it, with its shadow.
// The ground is beneath all that moves: it need not hide anything, and is not painted between its lines.

import { classOf, shaderMaterial, squareMesh } from "./three.js";

const LINES = 45; // of the grid to each side, where the ground has faded
const THIN_LINE = 0.45; // how strongly a line is seen that is not each fifth
const STRONG = 5; // each fifth line is strong, and stays where it is when the ground goes along

const SKY = `
varying float high;
void main() {
  high = 0.5 * position.y + 0.5;
  gl_Position = vec4(position.xy, 1.0, 1.0);
}`;
const SKY_COLOUR = `
uniform vec3 above, below;
varying float high;
void main() { gl_FragColor = vec4(mix(below, above, high), 1.0); }`;

// Positions are in cells from the middle of the grid, z is how strong a line is; `at` is from the middle of what is seen.
const GRID = `
uniform vec2 shift;
uniform float cell;
varying vec2 at;
varying float strong;
void main() {
  at = cell * position.xy + shift;
  strong = position.z;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(at, 0.0, 1.0);
}`;
const GRID_COLOUR = `
uniform vec3 ink;
uniform float reach;
varying vec2 at;
varying float strong;
void main() { gl_FragColor = vec4(ink, strong * (1.0 - smoothstep(0.25, 1.0, length(at) / reach))); }`;

// Of the shadow's picture only the part `box`, its low and its high corner, is laid on the ground: it is empty beside it.
const SHADE = `
uniform vec2 shift;
uniform vec4 box;
uniform float half_width;
varying vec2 q;
void main() {
  q = mix(box.xy, box.zw, 0.5 * position.xy + 0.5);
  gl_Position = projectionMatrix * modelViewMatrix * vec4(half_width * (2.0 * q - 1.0) + shift, 0.0, 1.0);
}`;
const SHADE_COLOUR = `
uniform float shade;
uniform sampler2D shadow;
varying vec2 q;
void main() { gl_FragColor = vec4(0.0, 0.0, 0.0, shade * texture2D(shadow, q).r); }`;

const uniforms = (...names) => Object.fromEntries(names.map((name) => [name, { value: null }]));

// Ends of the pieces of the grid's lines, and how strong each is. A line that reaches behind the camera is not drawn by
// every machine: pieces are lost there and not the whole.
export function gridLines(count = LINES) {
  const out = [];
  for (let k = -count; k <= count; k++) {
    const strong = k % STRONG === 0 ? 1 : THIN_LINE;
    for (let from = -count; from < count; from += STRONG) {
      const to = from + STRONG;
      out.push(k, from, strong, k, to, strong, from, k, strong, to, k, strong);
    }
  }
  return out;
}

// How near a piece of a line, six numbers at a place, comes to the middle of the grid, in cells.
function nearness(lines, k) {
  const within = (a, b) => (a * b <= 0 ? 0 : Math.min(Math.abs(a), Math.abs(b)));
  return Math.hypot(within(lines[k], lines[k + 3]), within(lines[k + 1], lines[k + 4]));
}

// The pieces of lines, the nearest to the middle first, and how near each is: what has faded away need not be drawn.
export function nearestFirst(lines) {
  const pieces = [];
  for (let k = 0; k < lines.length; k += 6) pieces.push([nearness(lines, k), lines.slice(k, k + 6)]);
  pieces.sort(([one], [other]) => one - other);
  return { lines: pieces.flatMap(([, piece]) => piece), near: pieces.map(([far]) => far) };
}

// How many of the first pieces come nearer than so many cells.
export function piecesWithin(near, cells) {
  const beyond = near.findIndex((far) => far > cells);
  return beyond < 0 ? near.length : beyond;
}

// Where the middle of a grid is that stands still while the ground is drawn about another point.
export const gridShift = (middle, cell) =>
  middle.map((value) => Math.round(value / (STRONG * cell)) * STRONG * cell - value);

function skyMesh(like) {
  const paint = { depthWrite: false, vertexShader: SKY, fragmentShader: SKY_COLOUR };
  const mesh = squareMesh(like, shaderMaterial(like.material, { ...paint, uniforms: uniforms("above", "below") }));
  mesh.renderOrder = 1; // after the bodies, which leave it less to do
  return mesh;
}

const laid = { transparent: true, depthWrite: false };

function gridOf(like) {
  const paint = { ...laid, vertexShader: GRID, fragmentShader: GRID_COLOUR };
  const names = uniforms("shift", "cell", "ink", "reach");
  const mesh = squareMesh(like, shaderMaterial(like.material, { ...paint, uniforms: names }));
  const Attribute = classOf(mesh.geometry.attributes.position, "isBufferAttribute");
  const { lines, near } = nearestFirst(gridLines());
  mesh.geometry.addAttribute("position", new Attribute(new Float32Array(lines), 3));
  mesh.geometry.setIndex(null);
  mesh.renderOrder = -2; // before all else that is seen through
  return Object.assign(mesh, { isMesh: false, isLine: true, isLineSegments: true, near });
}

function shadeMesh(like) {
  const paint = { ...laid, vertexShader: SHADE, fragmentShader: SHADE_COLOUR };
  const names = uniforms("shift", "box", "half_width", "shade", "shadow");
  const mesh = squareMesh(like, shaderMaterial(like.material, { ...paint, uniforms: names }));
  mesh.renderOrder = -1;
  return mesh;
}

// Sky, grid and shadow on a group with the axes of the ground; `like` is any mesh, `Scene` three.js's class.
export class Backdrop {
  constructor(group, like, Scene) {
    Object.assign(this, { group, sky: skyMesh(like), grid: gridOf(like), shade: shadeMesh(like) });
    this.parts = [this.sky, this.grid, this.shade];
    group.add(...this.parts);
    this.alone = new Scene();
    this.seat = new (classOf(group, "isObject3D"))();
    this.seat.matrixAutoUpdate = false;
    this.alone.add(this.seat);
  }

  // What sky and grid look like to a camera: as long as these words are the same they need not be drawn again. Null where
  // they are not behind all: to a camera beneath the ground.
  lookTo(camera) {
    const { group, sky, grid } = this;
    const eye = group.worldToLocal(camera.position.clone().setFromMatrixPosition(camera.matrixWorld));
    if (grid.visible && eye.z <= grid.position.z) return null;
    const matrices = [group.matrixWorld, camera.matrixWorldInverse, camera.projectionMatrix];
    const paints = [sky, grid].map(({ material }) => Object.values(material.uniforms).map(({ value }) => value));
    const place = grid.visible && [grid.position.toArray(), grid.geometry.drawRange.count];
    return JSON.stringify([group.uuid, matrices.map(({ elements }) => elements), paints, place]);
  }

  // Draw sky and grid by themselves.
  drawFar(renderer, camera) {
    const far = [this.sky, this.grid];
    this.seat.matrix.copy(this.group.matrixWorld);
    this.seat.add(...far);
    renderer.render(this.alone, camera);
    this.group.add(...far);
  }

  // Lay the ground below the middle of what is seen, with a shadow about another point, or take it away; `box` is the part
  // of the shadow's picture that is not empty.
  lay(ground, middle, shadowed, box) {
    this.sky.visible = true;
    this.grid.visible = this.shade.visible = ground !== null;
    if (!ground) return;
    this.shade.visible = box[0] < box[2] && box[1] < box[3];
    const { cell, reach, height, half_width } = ground;
    for (const item of [this.grid, this.shade]) item.position.set(middle[0], middle[1], height);
    const shift = shadowed.map((value, k) => value - middle[k]);
    const aside = gridShift(middle.slice(0, 2), cell);
    Backdrop.paint(this.grid, { cell, reach, shift: aside });
    const seen = piecesWithin(this.grid.near, (reach + Math.hypot(...aside)) / cell);
    this.grid.geometry.setDrawRange(0, 2 * seen);
    Backdrop.paint(this.shade, { half_width, shift, box });
  }

  static paint(mesh, values) {
    for (const [name, value] of Object.entries(values)) mesh.material.uniforms[name].value = value;
  }

  close() {
    for (const item of this.parts) {
      item.parent?.remove(item);
      item.geometry.dispose();
      item.material.dispose();
    }
  }
}
