// How a page without a kernel shows a motion: light or dark, with tails of mass centres and forces, with the ellipsoid of
// the chosen body.

import { isDark } from "../../scene/page/paper.js";
import { modelOf } from "../../scene/page/shared/models.js";

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

// Hang the ellipsoid of a body's inertia on its group, or hide it.
export function hangEllipsoid(ellipsoid, group, shape) {
  ellipsoid.visible = Boolean(shape);
  if (!shape) return;
  group.add(ellipsoid);
  for (const item of ellipsoid.children) {
    item.position.set(...shape.at);
    item.quaternion.set(...shape.turn);
    item.scale.set(...shape.scale);
  }
}
