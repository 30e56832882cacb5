// The stage of a page without a kernel: its floor goes down with what moves on it, and *fit* turns the camera to what is
// shown.

import { frameOf, lowestHeight, outermost, turnedUpright, viewpointOf } from "../../scene/page/live/framing.js";

import { floats, locate } from "../../scene/page/shared/frames.js";
import { modelOf } from "../../scene/page/shared/models.js";
import { rungAbove } from "../../scene/page/shared/ticks.js";
import { solids } from "../../scene/page/solids.js";

const TURNED = 1e-9; // of a direction: less is rounding

// The points of a mesh that triangles have; its buffers have some room.
function pointsOf({ geometry: { attributes, index } }) {
  const { array } = attributes.position;
  const used = new Set(index ? index.array : array.keys());
  const out = new Float32Array(3 * used.size);
  [...used].forEach((k, n) => {
    out.set(array.subarray(3 * k, 3 * k + 3), 3 * n);
  });
  return out;
}

// What is drawn of groups, in the axes of the bodies that they belong to; what stands apart in its group is cut out of it.
const solidsIn = (groups, bodyOf) =>
  groups.flatMap(({ obj }, k) =>
    solids(obj)
      .filter(({ position, geometry }) => position.lengthSq() === 0 && geometry.attributes?.position)
      .map((mesh) => ({ body: bodyOf(k), places: pointsOf(mesh) })),
  );

export class PageStage {
  constructor(player, rules, objects) {
    Object.assign(this, { player, rules, ...objects, frame: null });
    this.up = rules.upright[2];
    this.made = { upright: rules.upright, scenery: player.get("scenery") };
  }

  static async open(manager, player, rules) {
    const all = (references) => Promise.all(references.map((item) => modelOf(manager, item)));
    const [bodies, grounds, [camera, orbit, scene, level]] = await Promise.all([
      all(player.get("bodies")),
      all(player.get("grounds")),
      all([rules.camera, rules.orbit, player.get("scene"), player.get("level")]),
    ]);
    return new PageStage(player, { ...rules }, { bodies, grounds, camera, orbit, scene, level });
  }

  #solids() {
    const [, ...joints] = this.grounds;
    return [...solidsIn(this.bodies, (k) => k), ...solidsIn(joints, () => -1)];
  }

  #motion({ poses, times }) {
    return { poses, bodies: this.bodies.length, count: times.length };
  }

  // Before anything was moved: how far the floor is below the lowest point that the page finds, where there is a floor.
  // Lines of axes are among its points, and Python does not count them.
  measure() {
    if (this.gap !== undefined) return;
    const { ground } = this.player.get("scenery");
    const told = { poses: floats(this.player.get("poses")), times: floats(this.player.get("times")) };
    const usual = -this.rules.gap * this.rules.size;
    this.floor = ground?.height;
    this.gap = ground ? ground.height - lowestHeight(this.#motion(told), this.#solids(), this.up) : usual;
  }

  // Gravity points down: where it has turned the stage turns, and what stood on the floor before has no place there.
  turn(gravity) {
    const { player, made, rules } = this;
    const strength = Math.hypot(...gravity);
    const scenery = player.get("scenery");
    const colour = rules.gravity;
    if (!(strength > 0)) {
      if (scenery.gravity) player.set("scenery", { ...scenery, gravity: null });
      return;
    }
    const up = gravity.map((part) => -part / strength);
    const away = (rows) => Math.hypot(...rows[2].map((part, k) => part - up[k]));
    if (away(rules.upright) < TURNED) {
      if (!scenery.gravity) player.set("scenery", { ...scenery, gravity: { direction: [0, 0, -1], colour } });
      return;
    }
    const isBack = away(made.upright) < TURNED;
    const upright = isBack ? made.upright : turnedUpright(made.upright, up);
    Object.assign(rules, { upright });
    [, , this.up] = upright;
    const { scene, level } = this;
    const [x, y, z] = [0, 1, 2].map((k) => level.obj.position.clone().set(...upright.map((row) => row[k])));
    scene.obj.quaternion.setFromRotationMatrix(level.obj.matrix.clone().makeBasis(x, y, z));
    level.obj.quaternion.copy(scene.obj.quaternion).conjugate();
    for (const { obj } of this.grounds.slice(0, 1)) obj.visible = isBack;
    const axes = scenery.axes.map((axis, k) => ({ ...axis, direction: upright.map((row) => row[k]) }));
    const ground = isBack ? made.scenery.ground : null;
    player.set("scenery", { ...scenery, axes, ground, gravity: { direction: [0, 0, -1], colour } });
  }

  // The floor goes down where something would go through it, and comes back where nothing does any more.
  lower(found) {
    const scenery = this.player.get("scenery");
    if (!scenery.ground) return;
    this.floor ??= scenery.ground.height;
    const height = Math.min(this.floor, lowestHeight(this.#motion(found), this.#solids(), this.up) + this.gap);
    if (height === scenery.ground.height) return;
    const { made = scenery.ground.height } = scenery.ground;
    this.player.set("scenery", { ...scenery, ground: { ...scenery.ground, height, made } });
  }

  // Suit the stage to what is shown, as it is seen from the player's time on; returns how much wider it is than before.
  suit(found) {
    const { rules, player } = this;
    const motion = this.#motion(found);
    const [at] = locate(found.times, player.get("time"));
    const all = this.#solids();
    this.frame = frameOf(motion, all, at, rules);
    const { middle, radius, floor } = this.frame;
    const scenery = player.get("scenery");
    const ground = floor
      ? {
          height: lowestHeight(motion, all, this.up) + this.gap,
          cell: rungAbove(Math.max(rules.size, radius) / rules.finest),
          radius,
          reach: rules.fade * radius,
          made: scenery.ground?.made ?? scenery.ground?.height,
        }
      : null;
    this.floor = ground?.height;
    const turned = rules.upright.map((row) => row.reduce((sum, value, j) => sum + value * middle[j], 0));
    player.set({ scenery: { ...scenery, ground, radius, middle: turned }, head: rules.head * radius });
    // what carries the mechanism has followed the floor
    const carriers = solidsIn(this.grounds.slice(0, 1), () => -1);
    this.frame.balls.push(...carriers.flatMap(({ places }) => outermost(places)).map((place) => [...place, 0]));
    return radius / scenery.radius;
  }

  // Let the camera hold the tips of arrows too, with room for their symbols.
  hold({ times, vectors, drift, lengths }) {
    const { middle, radius, balls } = this.frame;
    const count = lengths.length;
    for (let at = 0; at < vectors.length; at += 6) {
      const [k, n] = [Math.floor(at / 6 / count), (at / 6) % count];
      const away = drift.length === 3 * times.length ? drift.subarray(3 * k, 3 * k + 3) : [0, 0, 0];
      const begin = [0, 1, 2].map((j) => vectors[at + j] - away[j]);
      const way = [0, 1, 2].map((j) => lengths[n] * vectors[at + 3 + j]);
      const far = Math.hypot(...begin.map((value, j) => value - middle[j]));
      if (!(far < this.rules.gone * radius) || !way.every(Number.isFinite) || !way.some(Boolean)) continue;
      balls.push([...begin.map((value, j) => value + way[j]), this.rules.label * radius]);
    }
  }

  // Turn the camera to one of the standard views; false where nothing was fitted yet.
  look(view) {
    if (!this.frame) return false;
    const [eye, turning] = [this.camera.obj, this.orbit.obj];
    const { place, target } = viewpointOf(this.frame, this.rules.views[view], eye.aspect, this.rules);
    eye.position.set(...place);
    turning.target.set(...target);
    turning.update();
    return true;
  }
}
