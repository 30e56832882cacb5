import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  arrowLengths,
  distanceToLine,
  headAt,
  nearestArrow,
  paintSeat,
  placeArrow,
  sharedTails,
  showHidden,
  turnFromY,
} from "../../mbwidgets/scene/page/arrows.js";
import { onSphere } from "../../mbwidgets/scene/page/handles.js";
import { contrastOf, luminance } from "../../mbwidgets/scene/page/labels.js";
import { inner, slopeOf, sum, toPixels, unit } from "../../mbwidgets/scene/page/shared/vectors.js";
import { near } from "./near.mjs";

test("vectors are added, multiplied and made of length one", () => {
  assert.deepEqual(sum([1, 2], [10, 20]), [11, 22]);
  assert.deepEqual(sum([1, 2], [10, 20], -1), [-9, -18]);
  assert.equal(inner([1, 2, 3], [4, 5, 6]), 32);
  assert.deepEqual(unit([0, 3, -4]), [0, 0.6, -0.8]);
  assert.deepEqual(unit([0, 0, 0]), [0, 0, 0]);
});

test("what a camera sees is counted in pixels from the upper left corner", () => {
  assert.deepEqual(toPixels({ x: -1, y: 1 }, 400, 300), [0, 0]);
  assert.deepEqual(toPixels({ x: 1, y: -1 }, 400, 300), [400, 300]);
  assert.deepEqual(toPixels({ x: 0, y: 0.5 }, 400, 300), [200, 75]);
});

test("the slope of a camera is that of half its angle", () => {
  near([slopeOf({ fov: 90 }), slopeOf({ fov: 60 })], [1, 1 / Math.sqrt(3)]);
});

describe("the lengths of an arrow", () => {
  test("a long one keeps its head, and the shaft has the rest", () => {
    assert.deepEqual(arrowLengths(1, 0.25, 1, false), { tip: 0.25, shaft: 0.75 });
  });

  test("one that is pointed at is thicker and as long", () => {
    const { tip, shaft } = arrowLengths(1, 0.25, 1, true);
    assert.equal(tip, 0.425);
    assert.equal(tip + shaft, 1);
  });

  test("one below a head and a quarter shrinks as a whole, and one with two heads leaves room for both", () => {
    near(Object.values(arrowLengths(0.125, 0.25, 1, false)), [0.1, 0.025]);
    assert.equal(arrowLengths(0.3125, 0.25, 1, false).tip, 0.25);
    near([arrowLengths(0.2125, 0.25, 2, false).tip], [0.1]);
  });

  test("what is too short or no number is not drawn", () => {
    assert.equal(arrowLengths(0, 0.25, 1, false), null);
    assert.equal(arrowLengths(0.0002, 0.25, 1, false), null);
    assert.notEqual(arrowLengths(0.0003, 0.25, 1, false), null);
    assert.equal(arrowLengths(Number.NaN, 0.25, 1, false), null);
    assert.equal(arrowLengths(Number.POSITIVE_INFINITY, 0.25, 1, false), null);
  });
});

describe("the turn from y", () => {
  // v + 2 q × (q × v + w v), for v = y
  const turned = (quaternion) => {
    const length = Math.hypot(...quaternion);
    const [x, y, z, w] = quaternion.map((part) => part / length);
    return [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)];
  };

  for (const d of [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, -1],
    [0.6, 0, 0.8],
    [0.48, -0.6, 0.64],
    [0, -1, 0],
  ]) {
    test(`leads to ${d}`, () => near(turned(turnFromY(d)), d));
  }
});

describe("placeArrow", () => {
  const part = () => {
    const found = { scale: {}, position: {}, material: {} };
    found.scale.set = (...values) => Object.assign(found.scale, { values });
    return found;
  };
  const arrow = () => {
    const group = { children: [part(), part()], position: {}, quaternion: {} };
    group.position.set = (...values) => Object.assign(group.position, { values });
    group.quaternion.set = () => ({ normalize: () => {} });
    return { group, label: { material: {} } };
  };

  test("tells where an arrow begins and ends", () => {
    const { group, label } = arrow();
    const ends = placeArrow(group, label, [1, 2, 3, 0, 0, 10], 0.2, 0.5, false, false);
    assert.deepEqual(ends, [
      [1, 2, 3],
      [1, 2, 5],
    ]);
    assert.ok(group.visible && label.visible);
    assert.equal(label.material.opacity, 1);
    assert.deepEqual(group.position.values, [1, 2, 3]);
  });

  test("puts the heads one behind the other from the tip, and the shaft below them", () => {
    const { group, label } = arrow();
    group.children.push(part());
    placeArrow(group, label, [0, 0, 0, 0, 4, 0], 1, 0.5, false, true);
    const [shaft, first, second] = group.children;
    near([shaft.position.y, first.position.y, second.position.y], [1.75, 3.75, 3.4]);
    near(shaft.scale.values, [(0.5 * 1.55) / 15, 3.5, (0.5 * 1.55) / 15]);
    near(first.scale.values, [0.5 / 3, 0.5, 0.5 / 3]);
    assert.equal(shaft.material.opacity, 0.22);
  });

  test("puts a dot where the arrow acts, which is no head", () => {
    const { group, label } = arrow();
    const [foot, seat] = ["foot", "seat"].map((name) => Object.assign(part(), { name }));
    group.children.push(foot, seat);
    placeArrow(group, label, [0, 0, 0, 0, 4, 0], 1, 0.5, false, false);
    near(foot.scale.values, [0.14, 0.14, 0.14]);
    near(seat.scale.values, [0.09, 0.09, 0.09]);
    assert.equal(foot.position.y, 0);
  });

  test("gives the middle of that dot the colour of the body on which the arrow acts", () => {
    const { group } = arrow();
    const seat = Object.assign(part(), { name: "seat" });
    const painted = [];
    seat.material.color = { set: (colour) => painted.push(colour) };
    group.children.push(seat);
    paintSeat(group, "red", "blue");
    paintSeat(group, "red", "");
    assert.deepEqual(painted, ["blue", "red"]);
  });

  test("puts bands on the shaft as their names say, and leaves them away where it is short", () => {
    const { group, label } = arrow();
    const band = Object.assign(part(), { name: "band 0.5 3 4 2" });
    group.children.push(band);
    placeArrow(group, label, [0, 0, 0, 0, 4, 0], 1, 0.15, false, false);
    // a head of 15 pixels is 0.15 m long
    near(band.scale.values, [0.04, 0.02, 0.04]);
    near([band.position.y], [(4 - 0.15) / 2 + 0.03]);
    assert.equal(band.visible, true);
    placeArrow(group, label, [0, 0, 0, 0, 0.3, 0], 1, 0.15, false, false);
    assert.equal(band.visible, false);
  });

  test("hides what has no length or no place, and its label", () => {
    for (const v of [
      [0, 0, 0, 0, 0, 0],
      [Number.NaN, 0, 0, 1, 0, 0],
    ]) {
      const { group, label } = arrow();
      assert.equal(placeArrow(group, label, v, 1, 0.5, false, false), null);
      assert.equal(group.visible, false);
      assert.equal(label.visible, false);
    }
  });
});

test("a head is fifteen pixels long at any depth", () => {
  // a camera at zero that looks along −z; half the picture's height is as high as its depth
  const vector = (x, y, z) => ({ z, clone: () => vector(x, y, z), set: vector, applyMatrix4: () => vector(x, y, z) });
  const camera = { fov: 90, near: 0.1, position: vector(0, 0, 0) };
  for (const depth of [1, 4, 50]) near([(headAt([0, 0, -depth], {}, camera, 400) * 200) / (15 * depth)], [1]);
  // what is behind the camera has a head too, which nobody sees
  near([headAt([0, 0, 3], {}, camera, 400)], [(15 * 0.1) / 200]);
});

test("what a body hides of an arrow is drawn once more, pale, and as faint as the arrow is", () => {
  const drawn = [];
  const renderer = { renderBufferDirect: (...given) => drawn.push(given) };
  const material = { opacity: 1, emissive: "orange" };
  const [known, mesh, other] = [new Map(), { material }, { material }];
  for (const item of [mesh, other, mesh]) showHidden(item, known, (_, look) => look);
  assert.equal(known.size, 1);
  mesh.onAfterRender(renderer, { fog: null }, "camera", "geometry", material, null);
  const [[, , geometry, pale, item]] = drawn;
  assert.deepEqual([geometry, item], ["geometry", mesh]);
  // 6 is three.js's GreaterDepth
  assert.deepEqual([pale.depthFunc, pale.depthWrite, pale.transparent], [6, false, true]);
  assert.deepEqual([pale.uniforms.tint.value, pale.uniforms.share.value], ["orange", 0.5]);
  material.opacity = 0.5;
  mesh.onAfterRender(renderer, { fog: null }, "camera", "geometry", material, null);
  assert.equal(pale.uniforms.share.value, 0.25);
  known.whole = false;
  mesh.onAfterRender(renderer, { fog: null }, "camera", "geometry", material, null);
  assert.equal(drawn.length, 2, "there was no time for it");
});

test("a point is as far from a line as from its nearest point", () => {
  assert.equal(distanceToLine([5, 3], [0, 0], [10, 0]), 3);
  assert.equal(distanceToLine([-3, 4], [0, 0], [10, 0]), 5);
  assert.equal(distanceToLine([13, -4], [0, 0], [10, 0]), 5);
  assert.equal(distanceToLine([3, 4], [0, 0], [0, 0]), 5);
  // beside the line from (10, 20) to (16, 28), whose direction is (0.6, 0.8), 5 along it and 10 to its right
  assert.equal(distanceToLine([10 + 3 + 8, 20 + 4 - 6], [10, 20], [16, 28]), 10);
  assert.equal(distanceToLine([10 - 3, 20 - 4], [10, 20], [16, 28]), 5);
});

describe("the arrow under the pointer", () => {
  const canvas = { getBoundingClientRect: () => ({ left: 30, top: 40, width: 200, height: 100 }) };
  // a camera that sees places as they are
  const vector = (x, y, z) => ({
    x,
    y,
    z,
    clone: vector,
    set: vector,
    applyMatrix4: () => vector(x, y, z),
    project: () => ({ x, y }),
  });
  const ends = [
    null,
    [
      [-1, 0, 0],
      [0, 0, 0],
    ],
    [
      [0, 0.5, 0],
      [1, 0.5, 0],
    ],
  ];
  const under = (x, y) =>
    nearestArrow({ clientX: 30 + x, clientY: 40 + y }, canvas, {}, { position: vector(0, 0, 0) }, ends);

  test("is the nearest within twelve pixels", () => {
    assert.equal(under(50, 52), 1);
    assert.equal(under(150, 20), 2);
    assert.equal(under(105, 40), 1); // 11.2 from the first, 15 from the second
  });

  test("is none further away", () => {
    assert.equal(under(50, 63), -1);
    assert.equal(under(200, 90), -1);
  });
});

describe("a ray against a sphere", () => {
  const down = (x, y) => [
    [x, y, 10],
    [0, 0, -1],
  ];

  test("meets it in front or behind", () => {
    assert.deepEqual(onSphere(down(0, 0), [0, 0, 0], 2, true), { direction: [0, 0, 1], near: true });
    assert.deepEqual(onSphere(down(0, 0), [0, 0, 0], 2, false), { direction: [0, 0, -1], near: false });
    near(onSphere(down(1.2, 0), [0, 0, 0], 2, true).direction, [0.6, 0, 0.8]);
  });

  test("goes to the rim where it passes by, and on from there in front", () => {
    assert.deepEqual(onSphere(down(0, 5), [0, 0, 0], 2, false), { direction: [0, 1, 0], near: true });
  });

  test("is told from the middle of the sphere, wherever that is", () => {
    near(onSphere(down(1.2 + 7, 3), [7, 3, 1], 2, true).direction, [0.6, 0, 0.8]);
  });
});

test("contrast is that of WCAG: 21 between black and white, 1 with itself", () => {
  const [black, white, red] = [
    { r: 0, g: 0, b: 0 },
    { r: 1, g: 1, b: 1 },
    { r: 1, g: 0, b: 0 },
  ];
  assert.equal(luminance(red), 0.2126);
  assert.ok(Math.abs(contrastOf(black, white) - 21) < 1e-12); // 1.05 / 0.05, rounded
  assert.equal(contrastOf(white, black), contrastOf(black, white));
  assert.equal(contrastOf(red, red), 1);
});

describe("arrows whose tails are seen at one point", () => {
  const flat = ([x, y]) => [x, y];
  const arrow = (x, y, length = 1) => ({ begin: [x, y, 7 * x], length });

  test("are told by the first of them, and one that is alone or has no length is not", () => {
    assert.deepEqual(sharedTails([arrow(0, 0), arrow(100, 0), arrow(3, 3), null], flat), [0, -1, 0, -1]);
    assert.deepEqual(sharedTails([arrow(0, 0), arrow(0, 0, 0)], flat), [-1, -1]);
  });

  test("begin at its rim, as long as they are, and the first has the dot there", () => {
    const thing = () => ({ scale: { set() {} }, position: {}, material: {} });
    const group = {
      children: [thing(), thing(), { ...thing(), name: "foot" }],
      quaternion: { set: () => ({ normalize() {} }) },
      position: { set() {} },
    };
    const [begin, tip] = placeArrow(group, thing(), [1, 2, 3, 0, 4, 0], 1, 0.5, false, false, true, false);
    near(begin, [1, 2.14, 3]);
    near(tip, [1, 6.14, 3]);
    assert.equal(group.children[2].position.y, -0.14);
    assert.equal(group.children[2].visible, false);
  });
});
