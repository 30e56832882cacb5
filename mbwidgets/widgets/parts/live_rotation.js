// A chain that turns about the vertical, in the page: its speeds, its axis on the map, the cone on map and stage, and a
// push beside the rotation. The desk finds the rotation (`live/rotation.js`); here it is asked for and shown.

import { listen, modelOf, together } from "../../scene/page/shared/models.js";
import { readNumber } from "../../scene/page/shared/numbers.js";
import { keepAside, layReadings } from "../../scene/page/shared/overlay.js";
import { inner } from "../../scene/page/shared/vectors.js";

const WIDEST = 60; // degrees of a push
const FIRST = "speed 0"; // the first body's own speed leaves the cone on purpose
const FALLEN = "The cone of these values falls apart into planes: it is drawn in the notebook.";

// Colours of speeds on a ramp from slow to fast, by their logarithm.
export function rampColours(ramp, [low, high], speeds) {
  const parts = ramp.map((text) => [1, 3, 5].map((at) => Number.parseInt(text.slice(at, at + 2), 16)));
  return speeds.map((speed) => {
    const share = Math.log(speed / low) / Math.log(high / low);
    const place = Math.min(1, Math.max(0, share)) * (ramp.length - 1);
    const k = Math.min(Math.floor(place), ramp.length - 2);
    return parts[k].map((part, j) => part + (place - k) * (parts[k + 1][j] - part));
  });
}

const hexOf = (colour) => `#${colour.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;

// Triangles from the joint along the axes, and their colours, 0 … 1; `room` numbers, what is left being zero.
export function fanOf(curves, length, room) {
  const [corners, tints] = [new Float32Array(room), new Float32Array(room)];
  let at = 0;
  for (const { points, colours } of curves) {
    for (let k = 0; k + 1 < points.length && at + 9 <= room; k++, at += 9) {
      const [a, b] = [points[k], points[k + 1]].map((point) => point.map((part) => length * part));
      corners.set([0, 0, 0, ...a, ...b], at);
      const [p, q] = [colours[k], colours[k + 1]].map((colour) => colour.map((part) => part / 255));
      tints.set([...p.map((part, j) => (part + q[j]) / 2), ...p, ...q], at);
    }
  }
  return { corners, tints };
}

export async function connectRotation(model, answers) {
  const told = () => model.get("wanted").tables?.rotation ?? {};
  const parts = ["snap", "push", "angle", "map", "speeds", "handles", "fan"];
  const found = await Promise.all(parts.map((name) => modelOf(model.widget_manager, told()[name])));
  const [snap, push, angle, map, speeds, handles, fan] = found;
  let cone = null; // that of the values which were drawn here
  let before = null; // what the map and the handles were told, while other things stand there
  let degrees = told().tilt ?? 0;

  answers.rotation = {
    takes: (key) => told().keys?.includes(key) ?? false,
    touch: (key) => {
      if (key !== FIRST) return;
      snap.set("value", false);
      map.set("snap", false);
    },
    wish: () => ({ snap: snap.get("value"), tilt: told().alone ? degrees : (told().tilt ?? 0) }),
    settle: () => {
      cone = null;
      layReadings(speeds, null);
      restore();
    },
  };
  keepAside(speeds, "_live", answers.hand);
  keepAside(map, "_live", { ...answers.hand, axisOf: (v) => inBody(v) });

  const NAMES = ["basis", "curves", "principal", "note", "handle"];
  const keep = () => {
    before ??= { map: Object.fromEntries(NAMES.map((name) => [name, map.get(name)])), rows: handles.get("rows") };
  };
  // What was told stands again, unless something else has been told since.
  const restore = () => {
    if (!before) return;
    for (const [name, value] of Object.entries(before.map))
      if (map.get(name) === before.shown[name]) map.set(name, value);
    if (handles.get("rows") === before.shown.rows) handles.set("rows", before.rows);
    before = null;
  };
  // Whether the bodies are those of which the kernel told the cone.
  const areTold = () => {
    const values = model.get("values");
    return answers.document.names.every((name, k) => /^[qu] \d+$/.test(name) || answers.values[k] === values[k]);
  };

  const inMap = (axis) => map.get("basis").map((row) => inner(row, axis));
  const inBody = (v) => [0, 1, 2].map((j) => map.get("basis").reduce((sum, row, k) => sum + v[k] * row[j], 0));

  // Right and up of the map stay as they are, but for its centre, which follows the barycentre.
  const turnMap = (centre) => {
    const length = Math.hypot(...centre);
    const [right] = map.get("basis");
    if (!(length > 0)) return;
    const middle = centre.map((part) => part / length);
    const level = right.map((part, j) => part - inner(right, middle) * middle[j]);
    const first = level.map((part) => part / Math.hypot(...level));
    const up = [0, 1, 2].map(
      (j) => middle[(j + 1) % 3] * first[(j + 2) % 3] - middle[(j + 2) % 3] * first[(j + 1) % 3],
    );
    map.set("basis", [first, up, middle]);
  };

  const drawCone = ({ curves, principal, centre }) => {
    if (curves) turnMap(centre);
    const coloured = (curves ?? []).map((curve) => ({
      ...curve,
      colours: rampColours(map.get("ramp"), told().scale, curve.speeds),
    }));
    const drawn = coloured.map(({ points, colours, ...rest }) => ({
      ...rest,
      points: points.map(inMap),
      colours: colours.map(hexOf),
    }));
    map.set({ curves: drawn, principal: principal.map(inMap), note: curves ? "" : FALLEN });
    const { position, color } = fan.obj.geometry.attributes;
    const { corners, tints } = fanOf(coloured, told().length, position.array.length);
    position.array.set(corners);
    color.array.set(tints);
    position.needsUpdate = true;
    color.needsUpdate = true;
    const snaps = coloured.flatMap(({ points, speeds: fast }) =>
      points.map((value, k) => ({ value, caption: `ω = ${fast[k].toPrecision(3)} rad/s` })),
    );
    handles.set(
      "rows",
      handles.get("rows").map((row) => ({ ...row, snaps: snap.get("value") ? snaps : [] })),
    );
  };

  answers.looks.push(({ turned }) => {
    if (!turned) return;
    keep();
    if (cone === null && areTold()) cone = turned.cone.key;
    if (turned.cone.key !== cone) {
      cone = turned.cone.key;
      drawCone(turned.cone);
    }
    map.set("handle", { spot: inMap(turned.axis), speed: turned.speeds[0] });
    handles.set(
      "rows",
      handles.get("rows").map((row) => ({ ...row, direction: turned.axis })),
    );
    before.shown = Object.fromEntries([...NAMES.map((name) => [name, map.get(name)]), ["rows", handles.get("rows")]]);
    const mean = turned.speeds.reduce((sum, speed) => sum + speed, 0) / turned.speeds.length;
    layReadings(
      speeds,
      speeds.get("rows").map(({ key }) => (key === "speed of all" ? mean : turned.speeds[Number(key.slice(6))])),
    );
  });

  if (!told().alone) return () => undefined;
  // without a kernel the page answers these too
  const read = () => {
    const number = readNumber(angle.get("value"));
    if (number >= 0 && number <= WIDEST) degrees = push.get("value") ? number : 0;
    answers.again();
  };
  return together(
    listen(push, { "change:value": read }),
    listen(angle, { "change:value": read }),
    listen(snap, {
      "change:value": () => {
        map.set("snap", snap.get("value"));
        answers.again();
      },
    }),
    listen(handles, {
      "change:edit": () => {
        const { key, value, number } = handles.get("edit");
        answers.move(key, value);
        handles.set("answered", number);
      },
    }),
  );
}
