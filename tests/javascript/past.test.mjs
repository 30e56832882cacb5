import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { pathRow, smoothTail, tailOf, velocityAt } from "../../mbwidgets/scene/page/comets.js";
import { Ghost } from "../../mbwidgets/scene/page/ghost.js";
import { RIBBON_POINTS, ribbonFaces } from "../../mbwidgets/scene/page/ribbons.js";
import { Before, samePart } from "../../mbwidgets/scene/page/shared/before.js";
import { sameCurves, sameKind } from "../../mbwidgets/widgets/parts/plots.js";
import { near } from "./near.mjs";

describe("the tail of a comet", () => {
  const along = (k) => [k, 0, 0]; // a metre a frame

  test("is the past only, and fades to nothing", () => {
    const tail = tailOf(along, [5.5, 0, 0], 5, 100);
    assert.deepEqual(tail[0], { at: [5.5, 0, 0], share: 1, k: 6 });
    assert.deepEqual(tail[tail.length - 1], { at: [0, 0, 0], share: 0, k: 0 });
    assert.ok(tail.every(({ at }) => at[0] <= 5.5));
    tail.slice(1).forEach(({ share }, k) => {
      assert.ok(share < tail[k].share);
    });
  });

  test("is smooth: on a circle of 12 points the points between are on it, as in stills", () => {
    const circle = (k) => [Math.cos((k * Math.PI) / 6), Math.sin((k * Math.PI) / 6), 0];
    const tail = smoothTail(tailOf(circle, circle(10), 9, 6), circle, 12);
    assert.equal(tail.length, 2 + 9 * 4);
    tail.slice(1, -8).forEach(({ at }) => {
      assert.ok(Math.abs(Math.hypot(...at) - 1) < 0.002, String(at));
    });
    near(
      velocityAt((k) => [k ** 4, k * k, k], 4, 8),
      [256, 8, 1],
    );
    near(
      velocityAt((k) => [k * k, k, 0], 0, 8),
      [0, 1, 0],
    );
    near(
      velocityAt((k) => (k === 4 ? [Number.NaN, 0, 0] : [k, k, 0]), 5, 8),
      [1, 1, 0],
    );
  });

  test("has no more points than a ribbon has room for", () => {
    const path = (k) => [k * 1e-2, Math.sin(k), 0];
    assert.ok(smoothTail(tailOf(path, path(5001), 5000, 200), path, 6000).length <= RIBBON_POINTS);
  });

  test("is as long as it may be, to the last part of a frame", () => {
    const tail = tailOf(along, [5.5, 0, 0], 5, 2.25);
    near(tail[tail.length - 1].at, [3.25, 0, 0]);
    assert.equal(tail[tail.length - 1].share, 0);
  });

  test("has at most some hundreds of points, however many frames there are", () => {
    const tail = tailOf((k) => [k * 1e-4, 0, 0], [1, 0, 0], 10000, 1);
    assert.ok(tail.length > 120 && tail.length <= 163, String(tail.length));
  });

  test("ends at a place that is none, and what stands still has none", () => {
    assert.equal(tailOf((k) => (k < 3 ? [Number.NaN, 0, 0] : along(k)), [5, 0, 0], 5, 100).length, 3);
    assert.deepEqual(
      tailOf(() => [1, 1, 1], [1, 1, 1], 5, 100),
      [],
    );
  });
});

test("a ribbon has two triangles between two pairs of points", () => {
  assert.deepEqual(ribbonFaces(2), [0, 1, 2, 1, 3, 2]);
  assert.equal(ribbonFaces(240).length, 6 * 239);
});

describe("what was before the last change", () => {
  const memory = () => new Before((a, b) => a === b);

  test("is what was shown before, and changes in quick succession are one", () => {
    const shown = memory();
    assert.equal(shown.show("a", false, 0), null);
    assert.equal(shown.show("b", false, 5000), "a");
    assert.equal(shown.show("c", false, 5500), "a", "a slider is dragged");
    assert.equal(shown.show("c", false, 9000), "a", "nothing has changed");
    assert.equal(shown.show("d", false, 9500), "c");
  });

  test("is nothing where a slider is back, nor where it is forgotten", () => {
    const shown = memory();
    shown.show("a", false, 0);
    shown.show("b", false, 5000);
    assert.equal(shown.show("a", false, 5400), null);
    shown.show("b", false, 9000);
    assert.equal(shown.show("c", true, 15000), null);
    assert.equal(shown.show("d", false, 20000), "c");
  });

  test("a motion that is computed further is the same one", () => {
    assert.ok(samePart([1, 2, Number.NaN], [1, 2, Number.NaN, 4]));
    assert.ok(!samePart([1, 2], [1, 3]));
  });

  test("curves of another plot are no ghost", () => {
    assert.ok(sameKind({ kind: "a" }, { kind: "a" }) && !sameKind({ kind: "a" }, { kind: "b" }));
    assert.ok(sameCurves({ values: [1], across: [0] }, { values: [1, 2], across: [0, 1] }));
  });
});

test("a ghost keeps the shapes of before, which the kernel writes over, and copies nothing for a selection", () => {
  const position = { array: new Float32Array([1, 2, 3]) };
  const mesh = { isMesh: true, material: { isMeshPhongMaterial: true }, geometry: { attributes: { position } } };
  const bodies = [{ obj: { children: [mesh] } }];
  const ghost = new Ghost();
  const times = [0, 1];
  ghost.remember(times, [0, 0, 0, 0, 0, 0, 1], bodies, true);
  const { shapes } = ghost.memory.now;
  ghost.remember(times, [0, 0, 0, 0, 0, 0, 1], bodies, false);
  assert.equal(ghost.memory.now.shapes, shapes);
  assert.equal(ghost.shown, null);
  position.array[0] = 7;
  ghost.remember(times, [5, 0, 0, 0, 0, 0, 1], bodies, false);
  assert.deepEqual([...ghost.shown.shapes[0][0].position], [1, 2, 3]);
  ghost.forget();
  assert.equal(ghost.shown, null);
  assert.equal(ghost.memory.before, null);
});

test("a ghost fades in 600 ms by its button and at the next change, and at once where little motion is asked for", () => {
  const scene = { background: { r: 1, g: 1, b: 1 } };
  const still = { set: () => {} };
  const made = () => {
    const ghost = new Ghost();
    const gone = [];
    const mesh = { position: still, quaternion: still, geometry: { dispose: () => gone.push("mesh") } };
    const material = { uniforms: { share: { value: 0 } }, dispose: () => gone.push("material") };
    const shown = { times: [0, 1], poses: [0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1], count: 1 };
    Object.assign(ghost, { groups: [[mesh]], materials: [material], shown });
    assert.equal(ghost.draw(scene, null, 0, true), false);
    return { ghost, mesh, material, gone };
  };
  const { ghost, mesh, material } = made();
  assert.equal(material.uniforms.share.value, 0.16);
  assert.equal(ghost.draw(scene, null, 0, false, 0), true);
  assert.equal(ghost.draw(scene, null, 0, false, 300), true);
  assert.equal(material.uniforms.share.value, 0.08);
  assert.equal(ghost.draw(scene, null, 0, false, 300), false);
  assert.equal(mesh.visible, false);
  const other = made();
  other.ghost.leave();
  assert.equal(other.ghost.draw(scene, null, 0, true, 450), true);
  assert.equal(other.material.uniforms.share.value, 0.04);
  assert.deepEqual(other.gone, []);
  assert.equal(other.ghost.draw(scene, null, 0, true, 450), false);
  assert.deepEqual(other.gone, ["mesh", "material"]);
  const quick = made();
  assert.equal(quick.ghost.draw(scene, null, 0, false, 0, 0), false);
});

test("a path that has all frames is read at the frames that a page has kept", () => {
  // numpy's rint(linspace(0, 600, 301)) and rint(linspace(0, 10, 5))
  assert.deepEqual(
    [0, 1, 155, 300].map((k) => pathRow(k, 301, 601)),
    [0, 2, 310, 600],
  );
  assert.deepEqual(
    [0, 2, 4].map((k) => pathRow(k, 5, 11)),
    [0, 5, 10],
  );
  assert.deepEqual(
    [0, 3, 7].map((k) => pathRow(k, 8, 8)),
    [0, 3, 7],
  );
  assert.equal(pathRow(0, 1, 601), 0);
});

test("a motion that is solved again more exactly leaves no ghost, another one does", () => {
  const ghost = new Ghost();
  const bodies = [{ obj: { children: [] } }];
  const pose = (x) => [x, 0, 0, 0, 0, 0, 1];
  const times = [0, 1];
  ghost.remember(times, [...pose(0), ...pose(2)], bodies, true);
  ghost.remember(times, [...pose(0), ...pose(2 + 1e-5)], bodies, false);
  assert.equal(ghost.shown, null);
  ghost.remember(times, [...pose(0), ...pose(2.01)], bodies, false);
  assert.deepEqual(ghost.shown.poses.slice(7), pose(2 + 1e-5));
});
