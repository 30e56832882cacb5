// Ribbons: lines of some pixels' width in space, thick and strong at their end, thin and faint at their beginning.

import { classOf, shaderMaterial, squareMesh } from "./three.js";

const BEHIND_ALL = 6; // three.js's own number: drawn where something is nearer
const BEHIND_BODIES = 0.3; // how strongly a path is seen through a body
export const RIBBON_POINTS = 480; // that a ribbon has room for

const RIBBON = `
attribute vec3 ahead;
attribute vec2 look; // to which side, and how far from the faint end, 0 … 1
uniform vec2 view, widths; // pixels
varying float share;
void main() {
  share = look.y;
  vec4 p = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  vec4 q = projectionMatrix * modelViewMatrix * vec4(ahead, 1.0);
  vec2 way = (q.xy / q.w - p.xy / p.w) * view;
  float far = length(way);
  vec2 across = far > 1e-6 ? vec2(-way.y, way.x) / far : vec2(0.0);
  p.xy += look.x * mix(widths.x, widths.y, share) * across / view * p.w;
  gl_Position = p;
}`;
const RIBBON_COLOUR = `
uniform vec3 tint;
uniform float strength;
varying float share;
void main() { gl_FragColor = vec4(tint, strength * pow(share, 1.5)); }`;

// The triangles between two rows of points, 2k and 2k + 1.
export function ribbonFaces(points) {
  const out = [];
  for (let k = 0; k < points - 1; k++) out.push(2 * k, 2 * k + 1, 2 * k + 2, 2 * k + 1, 2 * k + 3, 2 * k + 2);
  return out;
}

export class Ribbon {
  // `like` is any mesh; `widths` are those of the faint and of the strong end, pixels.
  constructor(group, like, widths, strength) {
    const uniforms = { tint: { value: null }, view: { value: [1, 1] }, widths: { value: widths } };
    const look = { transparent: true, depthWrite: false, side: 2, vertexShader: RIBBON, fragmentShader: RIBBON_COLOUR };
    uniforms.strength = { value: strength };
    this.mesh = squareMesh(like, shaderMaterial(like.material, { ...look, uniforms }));
    const { geometry } = this.mesh;
    const Attribute = classOf(geometry.attributes.position, "isBufferAttribute");
    for (const [name, size] of Object.entries({ position: 3, ahead: 3, look: 2 })) {
      const attribute = new Attribute(new Float32Array(2 * RIBBON_POINTS * size), size);
      attribute.dynamic = true;
      geometry.addAttribute(name, attribute);
    }
    geometry.setIndex(new Attribute(new Uint16Array(ribbonFaces(RIBBON_POINTS)), 1));
    this.mesh.renderOrder = 2; // after bodies, before marks and arrows
    // once more where a body hides it, pale: a path is not torn in two
    const dim = { ...uniforms, strength: { value: BEHIND_BODIES * strength } };
    this.pale = shaderMaterial(like.material, { ...look, depthFunc: BEHIND_ALL, uniforms: dim });
    this.mesh.onAfterRender = (renderer, scene, camera, shape, _material, part) => {
      renderer.renderBufferDirect(camera, scene.fog, shape, this.pale, this.mesh, part);
    };
    group.add(this.mesh);
  }

  // Lay it through points with their shares, from the strong end on.
  lay(points, tint, [width, height]) {
    const count = Math.min(points.length, RIBBON_POINTS);
    this.mesh.visible = count > 1;
    if (!this.mesh.visible) return;
    const { geometry, material } = this.mesh;
    const { position, ahead, look } = geometry.attributes;
    for (let k = 0; k < count; k++) {
      const { at, share } = points[k];
      const before = points[Math.max(k - 1, 0)].at;
      const after = points[Math.min(k + 1, count - 1)].at;
      for (let side = 0; side < 2; side++) {
        const n = 2 * k + side;
        for (let i = 0; i < 3; i++) {
          position.array[3 * n + i] = at[i];
          ahead.array[3 * n + i] = at[i] + before[i] - after[i];
        }
        look.array[2 * n] = 2 * side - 1;
        look.array[2 * n + 1] = share;
      }
    }
    for (const item of [position, ahead, look]) item.needsUpdate = true;
    geometry.setDrawRange(0, 6 * (count - 1));
    material.uniforms.tint.value = tint;
    material.uniforms.view.value = [width, height];
    this.pale.uniforms.tint.value = tint;
    this.pale.uniforms.view.value = [width, height];
  }

  close() {
    this.mesh.parent?.remove(this.mesh);
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
    this.pale.dispose();
  }
}
