// A pale ghost of the bodies as they moved before the last change, at the time that is shown.

import { luminance } from "./labels.js";
import { between, posesAt } from "./poses.js";
import { Before, samePart } from "./shared/before.js";
import { casts } from "./solids.js";
import { classOf, shaderMaterial } from "./three.js";

const GHOST_COLOUR = "#5a7fa8";
const [GHOST_SHARE, GHOST_IN_DARK] = [0.16, 0.3]; // how strongly it is seen on a light and on a dark page
const DARK_PAPER = 0.3; // luminance of a dark page, at most
const GHOST_FADES = 600; // ms in which it goes, by its button or at the next change
export const LAST = 9; // drawn after all else: its depth hides nothing of what is real
const POSE = 7; // numbers of a pose: a place and a quaternion
const UNSEEN = 1e-4; // of how far the bodies reach, or of a turn: a tenth of a pixel
const EQUAL_OR_NEARER = 3; // three.js's own number

const GHOST_PLACE = "void main() { gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }";
const GHOST_FLAT = `
uniform vec3 tint;
uniform float share;
void main() { gl_FragColor = vec4(tint, share); }`;

// The triangles of a body's own meshes, copied: the kernel writes other numbers over them.
function shapeOf(group) {
  return group.children.filter(casts).map(({ geometry }) => ({
    position: geometry.attributes.position.array.slice(),
    index: geometry.index?.array.slice() ?? null,
  }));
}

// Whether nobody could tell two motions apart, as far as both go: one that is solved again more exactly is no other.
function alike(a, b) {
  const length = Math.min(a.length, b.length);
  let reach = 0;
  for (let k = 0; k < length; k++) if (k % POSE < 3 && Math.abs(a[k]) > reach) reach = Math.abs(a[k]);
  for (let k = 0; k < length; k++) {
    const near = Math.abs(a[k] - b[k]) <= UNSEEN * (k % POSE < 3 ? reach : 1);
    if (!near && !(Number.isNaN(a[k]) && Number.isNaN(b[k]))) return false;
  }
  return true;
}

const sameMotion = (a, b) => a.count === b.count && samePart(a.times, b.times) && alike(a.poses, b.poses);

const paintGhost = ({ materials, strength }, share) => {
  for (const { uniforms } of materials) uniforms.share.value = strength * share;
};

function dropGhost({ groups, materials }) {
  for (const mesh of groups.flat()) {
    mesh.parent?.remove(mesh);
    mesh.geometry.dispose();
  }
  for (const material of materials) material.dispose();
}

// Materials of a pale ghost: depth first, so that of what lies behind itself nothing is seen, and it is as pale everywhere.
export function ghostMaterials(scene, like, share = 0) {
  const uniforms = { tint: { value: scene.background.clone().set(GHOST_COLOUR) }, share: { value: share } };
  const look = { vertexShader: GHOST_PLACE, fragmentShader: GHOST_FLAT, uniforms, transparent: true };
  const deep = shaderMaterial(like.material, { ...look, colorWrite: false });
  const flat = shaderMaterial(like.material, { ...look, depthWrite: false, depthFunc: EQUAL_OR_NEARER });
  return [deep, flat];
}

// How strongly a ghost is seen on a page.
export const ghostShare = ({ background }) => (luminance(background) < DARK_PAPER ? GHOST_IN_DARK : GHOST_SHARE);

export class Ghost {
  constructor() {
    this.memory = new Before(sameMotion);
    Object.assign(this, { groups: [], materials: [], shown: null, strength: 0, leaving: [] });
  }

  // A motion is shown, by its times, poses and the groups of its bodies.
  remember(times, poses, bodies, fresh) {
    if (!bodies.every(({ obj }) => obj)) return;
    const now = { times, poses, count: bodies.length };
    const old = this.memory.now;
    // shapes are copied when something moves otherwise: what is only selected has the shapes that it had
    now.shapes = !fresh && old && sameMotion(old, now) ? old.shapes : bodies.map(({ obj }) => shapeOf(obj));
    const before = this.memory.show(now, fresh);
    if (before === this.shown) return;
    this.leave();
    this.shown = before;
  }

  make(scene, like) {
    const Mesh = classOf(like, "isMesh");
    const Geometry = classOf(like.geometry, "isBufferGeometry");
    const Attribute = classOf(like.geometry.attributes.position, "isBufferAttribute");
    const [deep, flat] = ghostMaterials(scene, like);
    this.materials = [deep, flat];
    const meshOf = ({ position, index }, material, order) => {
      const geometry = new Geometry();
      geometry.addAttribute("position", new Attribute(position, 3));
      if (index) geometry.setIndex(new Attribute(index, 1));
      return Object.assign(new Mesh(geometry, material), { renderOrder: order, frustumCulled: false });
    };
    this.groups = this.shown.shapes.map((shapes) => {
      const meshes = shapes.flatMap((shape) => [meshOf(shape, deep, LAST), meshOf(shape, flat, LAST + 1)]);
      scene.add(...meshes);
      return meshes;
    });
  }

  // What is seen fades, and what is to be seen comes in its place.
  leave() {
    const { groups, materials, strength } = this;
    if (groups.length && strength > 0) this.leaving.push({ groups, materials, strength });
    else dropGhost(this);
    Object.assign(this, { groups: [], materials: [], shown: null, strength: 0 });
  }

  // Show it at a time, or let it go, `passed` ms after the picture before; returns whether there is more to fade. Where
  // little motion is asked for, `fades` is zero, and it goes at once.
  draw(scene, like, time, wanted, passed = 0, fades = GHOST_FADES) {
    const poses = this.shown && posesAt(this.shown.poses, this.shown.count, between(this.shown.times, time));
    if (wanted && poses && !this.groups.length && like) this.make(scene, like);
    const share = ghostShare(scene);
    const step = fades > 0 ? passed / fades : 1;
    const stays = Boolean(wanted && poses);
    this.strength = stays ? 1 : Math.max(0, this.strength - step);
    paintGhost(this, share);
    this.groups.forEach((meshes, k) => {
      for (const mesh of meshes) {
        mesh.visible = this.strength > 0;
        if (!poses) continue;
        mesh.position.set(...poses[k][0]);
        mesh.quaternion.set(...poses[k][1]);
      }
    });
    for (const old of this.leaving) {
      old.strength -= step;
      if (old.strength > 0) paintGhost(old, share);
      else dropGhost(old);
    }
    this.leaving = this.leaving.filter(({ strength }) => strength > 0);
    return this.leaving.length > 0 || (!stays && this.strength > 0);
  }

  forget() {
    this.memory.before = null;
    this.clear();
  }

  clear() {
    for (const item of [this, ...this.leaving]) dropGhost(item);
    Object.assign(this, { groups: [], materials: [], shown: null, strength: 0, leaving: [] });
  }
}
