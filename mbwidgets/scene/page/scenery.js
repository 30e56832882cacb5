// What is about the mechanism: sky, ground, a light with a direction and the shadows that it casts. The renderer belongs
// to whoever draws next: what is changed of it before a picture is as it was after it.

import { Backdrop } from "./backdrop.js";
import { beginSmooth, endSmooth, layBehind } from "./edges.js";
import { sceneryOf } from "./paper.js";
import { FIRST, LEVELS, nextQuality, PAUSE, restAfter, STALLED } from "./quality.js";
import { keepPrograms } from "./renderers.js";
import { CASTS, SoftShadow } from "./soft_shadow.js";
import { solids } from "./solids.js";
import { Sun } from "./suns.js";

const ROOM = 1.5; // half the width of the shadow's picture, and of what the light sees, in radii of what is seen
const CLOSED = new Set(["BoxBufferGeometry", "CylinderBufferGeometry", "SphereBufferGeometry"]);

export class Scenery {
  constructor(model, redraw) {
    Object.assign(this, { model, redraw, quality: FIRST, last: 0, patience: 0, count: 0 });
  }

  // Make what is drawn, when there is something to make it of.
  make(scene, level, camera) {
    const like = solids(scene)[0];
    const sky = level.children.find((item) => item.isLight);
    if (this.backdrop || !like || !sky) return Boolean(this.backdrop);
    this.sun = new Sun(level, sky, camera, this.model.get("scenery").sun);
    this.backdrop = new Backdrop(level, like, scene.constructor);
    this.shadow = new SoftShadow(like, camera, scene.constructor);
    return true;
  }

  // Before a picture of the scene, whose mechanism has gone `away` in the axes of the level.
  before(scene, level, renderer, camera, away, now = performance.now()) {
    const quality = LEVELS[this.measure(now)];
    this.smooth = quality.smooth;
    if (this.smooth) beginSmooth(renderer);
    if (!this.make(scene, level, camera)) return;
    const scenery = sceneryOf(this.model);
    this.whole = quality.cast;
    const { shadowMap, sortObjects, autoClearColor } = renderer;
    this.usual = { shadows: shadowMap.enabled, sortObjects, autoClearColor };
    renderer.shadowMap.enabled = quality.cast;
    renderer.sortObjects = true; // pythreejs draws things as they come, whatever their order says
    const middle = scenery.middle.map((value, k) => value + away[k]);
    this.sun.comeFrom(scenery.sun.towards); // the first view of another mechanism may be from another side
    this.sun.shine(middle, ROOM * scenery.radius, quality.cast);
    for (const item of solids(scene)) {
      item.layers.enable(CASTS);
      item.castShadow = item.receiveShadow = true;
      if (CLOSED.has(item.geometry.type)) item.material.side = 0; // its inside is never seen
    }
    const { backdrop } = this;
    const parts = (text) => scene.background.clone().set(text).toArray();
    const [above, below] = scenery.sky.map(parts);
    Backdrop.paint(backdrop.sky, { above, below });
    Backdrop.paint(backdrop.grid, { ink: parts(scenery.lines) });
    const { ground, shade } = scenery;
    if (ground) this.castOn(ground, scene, level, renderer, middle, quality);
    backdrop.lay(ground && { ...ground, half_width: ROOM * ground.radius }, middle, this.shadowed, this.box);
    Backdrop.paint(backdrop.shade, { shade, shadow: this.shadow.texture });
    this.layFar(renderer, camera, quality);
  }

  // Sky and grid are the same in each picture as long as the camera rests: where there is little time they are kept.
  layFar(renderer, camera, { smooth }) {
    const { backdrop, look } = this;
    this.look = smooth ? null : backdrop.lookTo(camera);
    if (!this.look || this.look !== look) return;
    if (!layBehind(renderer, look, () => backdrop.drawFar(renderer, camera))) return;
    backdrop.sky.visible = backdrop.grid.visible = false;
    renderer.autoClearColor = false;
  }

  // Draw the shadow on the ground, where the middle of what is seen throws its own, or half way there.
  castOn({ height, radius, reach }, scene, level, renderer, middle, { fine, every }) {
    if (this.count++ % every !== 0 && this.fine === fine) return;
    this.fine = fine;
    const { slant } = this.sun;
    const high = Math.max(middle[2] - height, 0);
    this.shadowed = [0, 1].map((k) => middle[k] - 0.5 * high * slant[k]);
    const area = [...this.shadowed, ROOM * radius, height];
    scene.updateMatrixWorld();
    const toLevel = level.matrixWorld.clone().getInverse(level.matrixWorld);
    const thrown = { level: toLevel, slant, area, fine, middle, reach };
    this.shadow.draw(renderer, scene, thrown);
    this.box = this.shadow.boxOf(solids(scene), thrown);
  }

  after(renderer) {
    keepPrograms(renderer);
    if (this.smooth) endSmooth(renderer);
    this.smooth = false;
    if (!this.usual) return;
    renderer.shadowMap.enabled = this.usual.shadows;
    renderer.sortObjects = this.usual.sortObjects;
    renderer.autoClearColor = this.usual.autoClearColor;
    this.usual = null;
  }

  // Something else is to be seen: how it was moved nobody knows yet, and it is shown as soon as it can be.
  stir() {
    this.stirred = true;
  }

  // The level of quality for a picture at a time, ms. When no more pictures come the last is drawn again with all.
  measure(now) {
    const took = now - this.last;
    this.last = now;
    clearTimeout(this.rest);
    if (this.resting) {
      this.resting = false;
      return 0;
    }
    const playing = this.model.get("playing");
    // the first picture that plays comes after a rest, of any length
    this.quality = nextQuality(this.quality, took, playing && this.played ? STALLED : PAUSE);
    this.played = playing;
    const moving = playing || this.stirred || took < this.patience;
    this.stirred = false;
    this.patience = restAfter(took);
    const level = moving ? this.quality.level : 0;
    if (level > 0) this.awaitRest();
    return level;
  }

  // A motion that plays does not rest, however long its next picture takes.
  awaitRest() {
    this.rest = setTimeout(() => {
      if (this.model.get("playing")) {
        this.awaitRest();
        return;
      }
      this.resting = true;
      this.redraw();
    }, this.patience);
  }

  close() {
    clearTimeout(this.rest);
    if (!this.backdrop) return;
    this.sun.close();
    this.backdrop.close();
    this.shadow.close();
  }
}
