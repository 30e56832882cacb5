// Arrows and labels of the player: placed, thickened when pointed at, labels kept apart on the screen.

const SHAFT = 0.13;
const CONE = 0.34;
const THICK = 1.7;
const NEAR = 12; // pixels
const PIECES = 8;
const SLIM = 0.012; // half the thickness of an arrow, in units of half the picture's height

// Place one arrow group along its value; returns where it begins and ends, or null if there is none.
function placeArrow(group, label, v, scale, head, bold, faint) {
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
  label.position.set(...[0, 1, 2].map((k) => v[k] + d[k] * (length + 0.8 * head)));
  return [[v[0], v[1], v[2]], [0, 1, 2].map((k) => v[k] + d[k] * length)];
}

// Where a label stands on the screen and how far it reaches, in units of half the picture's height.
function onScreen(label, camera) {
  const seen = label.position.clone().applyMatrix4(camera.matrixWorldInverse);
  const unit = -seen.z * Math.tan((camera.fov * Math.PI) / 360);
  if (!(unit > 0)) return null;
  return { x: seen.x / unit, y: seen.y / unit, w: label.scale.x / 2 / unit, h: label.scale.y / 2 / unit, unit };
}

// Small boxes along an arrow on the screen.
function alongArrow([begin, end], camera) {
  const point = camera.position.clone();
  const height = Math.tan((camera.fov * Math.PI) / 360);
  return Array.from({ length: PIECES + 1 }, (_, k) => {
    point.set(...begin.map((value, i) => value + (k / PIECES) * (end[i] - value))).applyMatrix4(camera.matrixWorldInverse);
    return { x: point.x / -point.z / height, y: point.y / -point.z / height, w: SLIM, h: SLIM };
  });
}

// Push labels up or down the screen until none covers another, nor an arrow; `ends` are the arrows' on the stage.
function spreadLabels(labels, camera, ends = []) {
  camera.updateMatrixWorld();
  camera.matrixWorldInverse.getInverse(camera.matrixWorld);
  const up = camera.matrixWorld.elements.slice(4, 7);
  const taken = ends.flatMap((pair) => (pair ? alongArrow(pair, camera) : []));
  for (const label of labels.filter((item) => item.visible)) {
    const box = onScreen(label, camera);
    if (!box) continue;
    const free = (y) => taken.every((b) => Math.abs(b.x - box.x) > 0.8 * (b.w + box.w) || Math.abs(b.y - y) > 0.85 * (b.h + box.h));
    let best = 0;
    for (let k = 0; k < 14 && !free(box.y + best); k++) best = (k % 2 ? -1 : 1) * (1 + (k >> 1)) * 0.6 * box.h;
    box.y += best;
    taken.push(box);
    label.position.set(...label.position.toArray().map((value, k) => value + up[k] * best * box.unit));
  }
}

// Tells which arrow is under the pointer, by its index, or −1.
function nearestArrow(event, canvas, camera, ends) {
  const box = canvas.getBoundingClientRect();
  const pixel = (point) => {
    const seen = camera.position.clone().set(...point).project(camera);
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

