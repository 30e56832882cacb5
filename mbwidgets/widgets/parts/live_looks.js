// How a page without a kernel shows a motion: light or dark, with tails of mass centres and forces, with the ellipsoid of
// the chosen body.

import { isDark } from "../../scene/page/paper.js";
import { modelOf } from "../../scene/page/shared/models.js";
import { principalAxes } from "../../scene/page/shared/vectors.js";

const FORCE = "N";

// Change from light to dark, or back; a picture that followed the page does so no more.
export function switchTheme(player, themes) {
  const scenery = player.get("scenery");
  const dark = player.get("follows") ? isDark() : scenery.background === themes.dark.background;
  player.set({ follows: false, scenery: { ...scenery, ...themes[dark ? "light" : "dark"] } });
}

// The path of a point of a body, (frames, 3), from poses (frames, bodies, 7).
export function pathOf(poses, bodies, body, [a, b, c]) {
  const frames = poses.length / (7 * bodies);
  const out = new Float32Array(3 * frames);
  for (let k = 0; k < frames; k++) {
    const [px, py, pz, x, y, z, w] = poses.subarray(7 * (k * bodies + body), 7 * (k * bodies + body) + 7);
    const [p, q, r] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
    out.set([px + a + w * p + y * r - z * q, py + b + w * q + z * p - x * r, pz + c + w * r + x * q - y * p], 3 * k);
  }
  return out;
}

// The places in the list of forces that change over a motion by more than a share of their largest value.
export function tracedArrows(vectors, arrows, varies) {
  const wide = 6 * arrows.length;
  return arrows.flatMap(({ unit }, n) => {
    if (unit !== FORCE) return [];
    let most = 0;
    const [low, high] = [[0, 0, 0].fill(Infinity), [0, 0, 0].fill(-Infinity)];
    for (let at = 6 * n + 3; at < vectors.length; at += wide) {
      for (let j = 0; j < 3; j++) {
        const value = vectors[at + j];
        if (!Number.isFinite(value)) continue;
        most = Math.max(most, Math.abs(value));
        low[j] = Math.min(low[j], value);
        high[j] = Math.max(high[j], value);
      }
    }
    return Math.max(...high.map((value, j) => value - low[j])) > varies * most ? [n] : [];
  });
}

// Tails of mass centres, as lines of the stage that the player draws; more are made like the one that there is.
export class PageTrails {
  constructor(line, drawn, rules, bodies) {
    Object.assign(this, { line, drawn, rules, bodies, lines: [] });
  }

  static async open(manager, { line, drawn, ...rules }, bodies) {
    const [first, ...others] = await Promise.all([line, ...drawn].map((id) => modelOf(manager, id)));
    return new PageTrails(first.obj, others, rules, bodies);
  }

  // Lines for the mass centres of these bodies of a motion {poses, anchors}, the selected one in its own colour.
  draw({ poses, anchors }, wanted, selected) {
    for (const { obj } of this.drawn) obj.visible = false;
    while (this.lines.length < wanted.length) this.lines.push(this.#another());
    this.lines.forEach((line, k) => {
      line.visible = k < wanted.length;
      if (!line.visible) return;
      const body = wanted[k];
      const place = [0, 1, 2].map((j) => anchors[6 * body + j] + this.rules.shifts[body][j]);
      line.geometry.attributes.position.array = pathOf(poses, this.bodies, body, place);
      line.material.color.set(this.rules.colours[body === selected ? 0 : 1]);
    });
  }

  #another() {
    const { line } = this;
    const made = line.clone();
    made.geometry = line.geometry.clone();
    made.material = line.material.clone();
    line.parent.add(made);
    return made;
  }
}

// The uniform ellipsoid with this mass, mass centre and inertia (10), as `equivalent_ellipsoid` and `ghost_parts` have it:
// semi-axes a₁² = 5 (J₂ + J₃ − J₁) / 2m, smaller where there is no room, none thinner than can be seen; null without mass.
export function ellipsoidOf([mass, x, y, z, ...tensor], { room, thinnest }) {
  if (!(mass > 0)) return null;
  const [xx, yy, zz, xy, xz, yz] = tensor;
  const left = principalAxes(tensor);
  // each as near to x, y, z as can be
  const axes = [0, 1, 2].map((k) => {
    const best = left.reduce((found, axis, n) => (Math.abs(axis[k]) > Math.abs(left[found][k]) ? n : found), 0);
    return left.splice(best, 1)[0];
  });
  const moments = axes.map(
    ([a, b, c]) => a * (xx * a + xy * b + xz * c) + b * (xy * a + yy * b + yz * c) + c * (xz * a + yz * b + zz * c),
  );
  const whole = moments.reduce((sum, item) => sum + item, 0);
  const radii = moments.map((item) => Math.sqrt(Math.max((2.5 / mass) * (whole - 2 * item), thinnest ** 2)));
  const shrunk = Math.min(1, room / Math.max(...radii));
  return { at: [x, y, z], axes, scale: radii.map((radius) => shrunk * radius) };
}

function rightHanded([x, y, z]) {
  const across = [0, 1, 2].map((k) => x[(k + 1) % 3] * y[(k + 2) % 3] - x[(k + 2) % 3] * y[(k + 1) % 3]);
  return across.reduce((sum, part, k) => sum + part * z[k], 0) < 0 ? [x, y, z.map((part) => -part)] : [x, y, z];
}

// Hang the ellipsoid of a body's inertia on its group, or hide it.
export function hangEllipsoid(ellipsoid, group, shape) {
  ellipsoid.visible = Boolean(shape);
  if (!shape) return;
  group.add(ellipsoid);
  for (const item of ellipsoid.children) {
    item.position.set(...shape.at);
    if (shape.axes) {
      const [x, y, z] = rightHanded(shape.axes).map((axis) => item.position.clone().set(...axis));
      item.quaternion.setFromRotationMatrix(item.matrix.clone().makeBasis(x, y, z));
    } else item.quaternion.set(...shape.turn);
    item.scale.set(...shape.scale);
  }
}
