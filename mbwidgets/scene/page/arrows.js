// Arrows: as thick on the screen wherever they stand, thicker when pointed at, and pale where a body hides them.

import { pointerIn } from "./shared/elements.js";
import { clamp } from "./shared/numbers.js";
import { slopeOf, toPixels } from "./shared/vectors.js";
import { shaderMaterial } from "./three.js";

const HEAD_PIXELS = 15; // length of a head
const SHAFT = 1.55 / HEAD_PIXELS; // radius of the shaft, in heads
const CONE = 5 / HEAD_PIXELS; // radius of a head, in heads
const FOOT = 4.2 / HEAD_PIXELS; // radius of the dot where an arrow acts, in heads
const SEAT = 2.7 / HEAD_PIXELS; // radius of its middle, which has the colour of the body
const HIDDEN = 0.5; // how strongly an arrow is seen through a body
const GREATER = 6; // three.js's own number: drawn where something is nearer
const LITTLE = 1.25; // heads and a little shaft: a shorter arrow shrinks as a whole
const THICK = 1.7;
const NEAR = 12; // pixels
const RIM = FOOT; // heads from the point where several arrows act to the beginning of each: they come out of its dot
const ONE_POINT = 5; // pixels between tails below which they are seen at one point
const SHORTEST = 1e-3; // heads: a shorter arrow is not seen
const BAND = "band "; // begins the names of bands
const LEAST_BANDED = 24; // pixels of a shaft below which it has no bands
const TWO_HEADS = 1.7; // lengths of a head that two of them take

// Lengths of an arrow: its tip, its shaft and how thick it is. A short arrow shrinks, with a little shaft behind its head.
// Null where there is nothing to be seen.
export function arrowLengths(length, head, heads, bold) {
  if (!(Number.isFinite(length) && length > SHORTEST * head)) return null;
  const tip = Math.min(bold ? THICK * head : head, length / (LITTLE * (heads > 1 ? TWO_HEADS : 1)));
  return { tip, shaft: length - tip };
}

// The smallest rotation that takes y to a direction, as a quaternion (x, y, z, w), not normalised.
export const turnFromY = ([x, y, z]) => (y < -1 + 1e-9 ? [1, 0, 0, 0] : [z, 0, -x, 1 + y]);

// Rings, bars and stripes of a shaft, whose names have their places and sizes.
const isBand = ({ name }) => Boolean(name?.startsWith(BAND));
// The dot where an arrow acts, and its middle, which are seen through all.
const DOTS = { foot: FOOT, seat: SEAT };
export const isFoot = ({ name }) => name in DOTS;
const isHead = (item) => !isBand(item) && !isFoot(item);

// Give shaft, heads, bands and foot of an arrow of a length their sizes.
function shapeArrow({ children: [shaft, ...rest] }, length, { tip, shaft: long }, rim, dotted) {
  const pixel = tip / HEAD_PIXELS;
  shaft.scale.set(SHAFT * tip, long, SHAFT * tip);
  shaft.position.y = long / 2;
  rest.filter(isHead).forEach((item, k) => {
    item.scale.set(CONE * tip, tip, CONE * tip);
    item.position.y = length - tip / 2 - 0.7 * k * tip;
  });
  for (const dot of rest.filter(isFoot)) {
    const radius = DOTS[dot.name] * tip;
    dot.scale.set(radius, radius, radius);
    dot.position.y = rim ? -rim : 0; // where it acts
    dot.visible = dotted;
  }
  for (const band of rest.filter(isBand)) {
    const [share, beyond, radius, thick] = band.name.slice(BAND.length).split(" ").map(Number);
    band.visible = long >= LEAST_BANDED * pixel;
    band.scale.set(radius * pixel, thick * pixel, radius * pixel);
    band.position.y = share * long + beyond * pixel;
  }
}

// Metres of a head at a point of the stage that is so many pixels long on the screen, in a picture so many pixels high.
export function headAt(point, scene, camera, height) {
  const depth = -camera.position
    .clone()
    .set(...point)
    .applyMatrix4(scene.matrixWorld)
    .applyMatrix4(camera.matrixWorldInverse).z;
  return (HEAD_PIXELS * 2 * slopeOf(camera) * Math.max(depth, camera.near)) / height;
}

// The hidden part is flat, in the arrow's own colour.
const PALE_PLACE = "void main() { gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }";
const PALE_COLOUR = `
uniform vec3 tint;
uniform float share;
void main() { gl_FragColor = vec4(tint, share); }`;

// Let a mesh be drawn once more where something hides it, pale; `known` are the materials for that. Where there is no time
// for it, `known.whole` is false, and the mesh is drawn over all.
export function showHidden(mesh, known, make = shaderMaterial) {
  const { material } = mesh;
  if (!known.has(material)) {
    const uniforms = { tint: { value: material.emissive }, share: { value: HIDDEN } };
    const look = { depthFunc: GREATER, depthWrite: false, transparent: true, uniforms };
    known.set(material, make(material, { ...look, vertexShader: PALE_PLACE, fragmentShader: PALE_COLOUR }));
  }
  if (mesh.pale === known.get(material)) return;
  const pale = known.get(material);
  mesh.pale = pale;
  mesh.onAfterRender = (renderer, scene, camera, geometry, _material, group) => {
    if (known.whole === false) return;
    pale.uniforms.share.value = HIDDEN * material.opacity;
    renderer.renderBufferDirect(camera, scene.fog, geometry, pale, mesh, group);
  };
}

// Which arrows, {begin, length} or null each, have their tails at one point of the picture with others: a force can be
// moved along its line, so that each of them begins at the rim of the point, and all are seen. `pixel` tells where a point
// of the stage is seen. Gives for each the first of those at its point, or −1 where it is alone.
export function sharedTails(arrows, pixel) {
  const places = arrows.map((arrow) => arrow && arrow.length > 0 && pixel(arrow.begin));
  const near = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]) < ONE_POINT;
  return places.map((at, i) => {
    const others = at ? places.flatMap((other, j) => (other && j !== i && near(at, other) ? [j] : [])) : [];
    return others.length ? Math.min(i, ...others) : -1;
  });
}

// Place one arrow group along its value, from the rim of its point if that is shared, where one of them has the dot;
// returns where it begins and ends, or null if there is none.
export function placeArrow(group, label, v, scale, head, bold, faint, shared = false, dotted = true) {
  const size = Math.hypot(v[3], v[4], v[5]);
  const length = size * scale;
  const [shaft, ...rest] = group.children;
  const heads = rest.filter(isHead);
  const lengths = v.every(Number.isFinite) ? arrowLengths(length, head, heads.length, bold) : null;
  group.visible = label.visible = lengths !== null;
  if (!lengths) return null;
  const d = [v[3] / size, v[4] / size, v[5] / size];
  group.quaternion.set(...turnFromY(d)).normalize();
  const rim = shared ? RIM * head : 0;
  const begin = [0, 1, 2].map((k) => v[k] + rim * d[k]);
  group.position.set(...begin);
  shapeArrow(group, length, lengths, rim, dotted);
  for (const item of [shaft, ...rest, label]) item.material.opacity = faint ? 0.22 : 1;
  return [begin, begin.map((value, k) => value + d[k] * length)];
}

// The middle of an arrow's foot has the colour of the body on which it acts, or the arrow's own where there is none.
export function paintSeat({ children }, own, colour) {
  for (const { name, material } of children) if (name === "seat") material.color.set(colour || own);
}

// How far a point of the screen is from the line from a to b.
export function distanceToLine([x, y], [ax, ay], [bx, by]) {
  const square = (bx - ax) ** 2 + (by - ay) ** 2;
  const share = square > 0 ? clamp(((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / square, 0, 1) : 0;
  return Math.hypot(ax + share * (bx - ax) - x, ay + share * (by - ay) - y);
}

// Tells which arrow is under the pointer, by its index, or −1.
export function nearestArrow(event, canvas, scene, camera, ends) {
  const { width, height } = canvas.getBoundingClientRect();
  const seen = (point) =>
    camera.position
      .clone()
      .set(...point)
      .applyMatrix4(scene.matrixWorld)
      .project(camera);
  const at = pointerIn(canvas, event, width, height);
  let [best, found] = [NEAR, -1];
  ends.forEach((pair, k) => {
    if (!pair) return;
    const far = distanceToLine(at, ...pair.map((point) => toPixels(seen(point), width, height)));
    if (far < best) [best, found] = [far, k];
  });
  return found;
}
