// Arrows of the player: placed, and thickened when pointed at.

const SHAFT = 0.13;
const CONE = 0.34;
const THICK = 1.7;
const NEAR = 12; // pixels

// Place one arrow group along its value; returns where it begins and ends, or null if there is none.
export function placeArrow(group, label, v, scale, head, bold, faint) {
  const size = Math.hypot(v[3], v[4], v[5]);
  const length = size * scale;
  const shown = Number.isFinite(length) && length > 1e-3 * head && v.every(Number.isFinite);
  group.visible = label.visible = shown;
  if (!shown) return null;
  const d = [v[3] / size, v[4] / size, v[5] / size];
  // the smallest rotation that takes y to the direction
  if (d[1] < -1 + 1e-9) group.quaternion.set(1, 0, 0, 0);
  else group.quaternion.set(d[2], 0, -d[0], 1 + d[1]).normalize();
  group.position.set(v[0], v[1], v[2]);
  const [shaft, ...heads] = group.children;
  const thick = bold ? THICK * head : head;
  // a short arrow is all head, shrunk; a longer one keeps its head
  const tip = Math.min(thick, length / (heads.length > 1 ? 1.7 : 1));
  const body = Math.max(length - tip, 1e-6 * head);
  shaft.scale.set(SHAFT * thick, body, SHAFT * thick);
  shaft.position.y = body / 2;
  heads.forEach((item, k) => {
    item.scale.set(CONE * tip, tip, CONE * tip);
    item.position.y = length - tip / 2 - 0.7 * k * tip;
  });
  shaft.material.opacity = label.material.opacity = faint ? 0.22 : 1;
  return [[v[0], v[1], v[2]], [0, 1, 2].map((k) => v[k] + d[k] * length)];
}

// Tells which arrow is under the pointer, by its index, or −1.
export function nearestArrow(event, canvas, scene, camera, ends) {
  const box = canvas.getBoundingClientRect();
  const pixel = (point) => {
    const seen = camera.position.clone().set(...point).applyMatrix4(scene.matrixWorld).project(camera);
    return [((1 + seen.x) / 2) * box.width, ((1 - seen.y) / 2) * box.height];
  };
  const [x, y] = [event.clientX - box.left, event.clientY - box.top];
  let [best, found] = [NEAR, -1];
  ends.forEach((pair, k) => {
    if (!pair) return;
    const [[ax, ay], [bx, by]] = pair.map(pixel);
    const square = (bx - ax) ** 2 + (by - ay) ** 2;
    const share = square > 0 ? Math.min(1, Math.max(0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / square)) : 0;
    const far = Math.hypot(ax + share * (bx - ax) - x, ay + share * (by - ay) - y);
    if (far < best) [best, found] = [far, k];
  });
  return found;
}
