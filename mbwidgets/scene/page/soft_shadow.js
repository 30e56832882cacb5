// The shadow on the ground: what casts one is projected along the light, seen from below, and blurred. Red is the shadow
// that reaches far and fades with the height of what casts it, green the dark line where something touches the ground.

import { cornersAbout, extentOf } from "./body_cover.js";
import { blindCamera, dispose, renderTarget, shaderMaterial, squareMesh } from "./three.js";

export const CASTS = 1; // the layer of what casts a shadow
const BLUR = 0.022; // of the width of the shadow's picture
const SPREAD = BLUR + 0.008; // of it: how far a blurred shadow reaches beyond the shadow, with a pixel of the coarsest picture
const SHARP = 0.3; // of that for the dark line of contact

const PROJECT = `
uniform mat4 level;
uniform vec2 slant;
uniform vec4 area; // middle, half width, height of the ground
varying float h;
void main() {
  vec4 p = level * modelMatrix * vec4(position, 1.0);
  h = p.z - area.w;
  vec2 q = (p.xy - max(h, 0.0) * slant - area.xy) / area.z;
  gl_Position = vec4(q, clamp(h / (4.0 * area.z), 0.0, 1.0) * 2.0 - 1.0, 1.0);
}`;
const HEIGHT = `
uniform vec4 area;
varying float h;
void main() {
  if (h < -0.02 * area.z) discard;
  gl_FragColor = vec4(max(0.0, 1.0 - max(h, 0.0) / (2.2 * area.z)), exp(-max(h, 0.0) / (0.05 * area.z)), 0.0, 1.0);
}`;
const WHOLE = `
varying vec2 at;
void main() {
  at = 0.5 * position.xy + 0.5;
  gl_Position = vec4(position.xy, 0.0, 1.0);
}`;
// Points of a line that are mixed, four to each side, and their weights, which add up to one.
const WEIGHTS = [-4, -3, -2, -1, 0, 1, 2, 3, 4].map((k) => [k / 4, Math.exp(-0.14 * k * k)]);
const WHOLE_WEIGHT = WEIGHTS.reduce((sum, [, weight]) => sum + weight, 0);
const TAPS = WEIGHTS.map(([far, weight]) => [far, weight / WHOLE_WEIGHT]);
const tapOf = ([far, weight]) => {
  const at = (share) => `texture2D(picture, at + ${(share * far).toFixed(4)} * way)`;
  return `${weight.toFixed(9)} * vec2(${at(1)}.r, ${at(SHARP)}.g)`;
};
const BLUR_TO = (colour) => `
uniform sampler2D picture;
uniform vec2 way;
uniform vec4 about; // middle of what is seen from that of the picture, half width, how far the ground reaches
varying vec2 at;
void main() {
  vec2 dark = ${TAPS.map(tapOf).join("\n    + ")};
  ${colour}
}`;
const BLURRED = BLUR_TO("gl_FragColor = vec4(dark, 0.0, 1.0);");
// How dark the ground is at last: a shadow fades sooner than the lines of the ground, so that no streak leaves the
// picture, and ends with its own picture.
const DARKNESS =
  BLUR_TO(`vec2 rim = smoothstep(vec2(0.0), vec2(0.08), at) * smoothstep(vec2(0.0), vec2(0.08), 1.0 - at);
  dark *= rim.x * rim.y;
  float fade = 1.0 - smoothstep(0.22, 0.52, length(about.z * (2.0 * at - 1.0) + about.xy) / about.w);
  gl_FragColor = vec4(fade * min(1.0, 0.85 * dark.r + 0.45 * dark.g), 0.0, 0.0, 1.0);`);

// The box, low and high corner, that the shadows of some bodies cover in a picture of the ground, both from 0 to 1. Bodies
// are corners about them, in the axes of the ground; the picture has its middle, half width and height of the ground.
export function shadowBox(bodies, slant, [x, y, half, height]) {
  const box = [1, 1, 0, 0];
  const cover = (at, k, from) => {
    const share = 0.5 + (at - from) / (2 * half);
    box[k] = Math.min(box[k], share - SPREAD);
    box[k + 2] = Math.max(box[k + 2], share + SPREAD);
  };
  for (const corners of bodies) {
    const dips = corners.some(([, , z]) => z < height);
    for (const corner of corners) {
      const high = Math.max(corner[2] - height, 0);
      [x, y].forEach((from, k) => {
        cover(corner[k] - high * slant[k], k, from);
        if (dips) cover(corner[k], k, from); // where it goes through the ground
      });
    }
  }
  return box.map((value) => Math.min(Math.max(value, 0), 1));
}

export class SoftShadow {
  // `mesh` and `camera` are any of three.js's, `Scene` its class.
  constructor(mesh, camera, Scene) {
    this.like = mesh;
    this.camera = blindCamera(camera);
    this.casters = blindCamera(camera);
    this.casters.layers.set(CASTS);
    const uniforms = { level: { value: null }, slant: { value: [0, 0] }, area: { value: [0, 0, 1, 0] } };
    const solid = { side: 2, vertexShader: PROJECT, fragmentShader: HEIGHT, uniforms };
    this.height = shaderMaterial(mesh.material, solid);
    const flat = { depthTest: false, depthWrite: false, vertexShader: WHOLE, fragmentShader: BLURRED };
    const smeared = { picture: {}, way: { value: [0, 0] }, about: { value: [0, 0, 1, 1] } };
    this.blur = shaderMaterial(mesh.material, { ...flat, uniforms: smeared });
    this.darken = shaderMaterial(mesh.material, { ...flat, fragmentShader: DARKNESS, uniforms: smeared });
    this.quad = squareMesh(mesh, this.blur);
    this.room = new Scene();
    this.room.add(this.quad);
    this.black = null;
    this.targets = [];
  }

  get texture() {
    return this.targets[0]?.texture ?? null;
  }

  // Draw the shadow of a scene's casters. `level` leads from the world to the axes of the ground, which reaches as far as
  // `reach` about a middle.
  draw(renderer, scene, { level, slant, area, fine, middle, reach }) {
    if (this.targets[0]?.width !== fine) {
      this.targets.map(dispose);
      this.targets = [renderTarget(this.like, fine), renderTarget(this.like, fine)];
    }
    const { uniforms } = this.height;
    [uniforms.level.value, uniforms.slant.value, uniforms.area.value] = [level, slant, area];
    this.black ??= scene.background.clone().set("#000000");
    const [paper, material] = [scene.background, scene.overrideMaterial];
    [scene.background, scene.overrideMaterial] = [this.black, this.height];
    renderer.render(scene, this.casters, this.targets[0]);
    [scene.background, scene.overrideMaterial] = [paper, material];
    this.blur.uniforms.about.value = [area[0] - middle[0], area[1] - middle[1], area[2], reach];
    this.smear(renderer, this.blur, this.targets[0], this.targets[1], [BLUR, 0]);
    this.smear(renderer, this.darken, this.targets[1], this.targets[0], [0, BLUR]);
    renderer.setRenderTarget(null);
  }

  // The part of its picture that the shadow of these casters covers.
  boxOf(casters, { level, slant, area }) {
    const vector = this.camera.position.clone();
    const cornersOf = ({ geometry, matrixWorld }) =>
      cornersAbout(extentOf(geometry)).map((corner) =>
        vector
          .set(...corner)
          .applyMatrix4(matrixWorld)
          .applyMatrix4(level)
          .toArray(),
      );
    return shadowBox(casters.map(cornersOf), slant, area);
  }

  smear(renderer, material, from, to, way) {
    this.quad.material = material;
    material.uniforms.picture.value = from.texture;
    material.uniforms.way.value = way;
    renderer.render(this.room, this.camera, to);
  }

  close() {
    this.targets.map(dispose);
    for (const item of [this.quad.geometry, this.blur, this.darken, this.height]) dispose(item);
  }
}
