// The shadow on the ground: what casts one is projected along the light, seen from below, and blurred. Red is the shadow
// that reaches far and fades with the height of what casts it, green the dark line where something touches the ground.

import { blindCamera, dispose, renderTarget, shaderMaterial, squareMesh } from "./three.js";

export const CASTS = 1; // the layer of what casts a shadow
const BLUR = 0.022; // of the width of the shadow's picture
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
const BLURRED = `
uniform sampler2D picture;
uniform vec2 way;
varying vec2 at;
void main() {
  vec2 sum = vec2(0.0);
  float whole = 0.0;
  for (int k = -4; k <= 4; k++) {
    float w = exp(-0.14 * float(k * k));
    vec2 far = way * float(k) / 4.0;
    sum += w * vec2(texture2D(picture, at + far).r, texture2D(picture, at + ${SHARP.toFixed(1)} * far).g);
    whole += w;
  }
  gl_FragColor = vec4(sum / whole, 0.0, 1.0);
}`;

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
    this.blur = shaderMaterial(mesh.material, { ...flat, uniforms: { picture: {}, way: { value: [0, 0] } } });
    this.quad = squareMesh(mesh, this.blur);
    this.room = new Scene();
    this.room.add(this.quad);
    this.black = null;
    this.targets = [];
  }

  get texture() {
    return this.targets[0]?.texture ?? null;
  }

  // Draw the shadow of a scene's casters. `level` leads from the world to the axes of the ground.
  draw(renderer, scene, { level, slant, area, fine }) {
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
    this.smear(renderer, this.targets[0], this.targets[1], [BLUR, 0]);
    this.smear(renderer, this.targets[1], this.targets[0], [0, BLUR]);
    renderer.setRenderTarget(null);
  }

  smear(renderer, from, to, way) {
    this.blur.uniforms.picture.value = from.texture;
    this.blur.uniforms.way.value = way;
    renderer.render(this.room, this.camera, to);
  }

  close() {
    this.targets.map(dispose);
    for (const item of [this.quad.geometry, this.blur, this.height]) dispose(item);
  }
}
