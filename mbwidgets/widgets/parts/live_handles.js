// Handles in the picture of a page without a kernel: a direction or a point that is dragged moves the sliders it stands
// for, and follows them. Buttons that set a direction or a point do likewise.

import { listen, modelOf } from "../../scene/page/shared/models.js";
import { overlayOf } from "../../scene/page/shared/overlay.js";
import { principalAxes } from "../../scene/page/shared/vectors.js";
import { connectPicking } from "./live_picking.js";

const DEGREE = Math.PI / 180;
const LEVEL = 1e-9; // of a unit vector: shorter in the plane it has no azimuth, as in mass_moments.py
const AT_REST = 300; // ms after a drag, until what was answered coarsely is answered again

// Azimuth and elevation of a direction, degrees; upright it keeps the azimuth that it had.
export function anglesOf([x, y, z], azimuth = 0) {
  const level = Math.hypot(x, y);
  return [level > LEVEL ? Math.atan2(y, x) / DEGREE : azimuth, Math.atan2(z, level) / DEGREE];
}

// What handles are told anew from `numbers`: place (3), direction (3), mass centre from the place that `centre` is told
// from (3), inertia at the place (xx, yy, zz, xy, xz, yz). Snaps to principal axes and to the centre follow.
export function movedRows(rows, numbers, rules) {
  const at = [...numbers.slice(0, 3)];
  const direction = [...numbers.slice(3, 6)];
  const centre = [...numbers.slice(6, 9)];
  const axes = principalAxes(numbers.slice(9, 15)).flatMap((axis) => [axis, axis.map((part) => -part)]);
  return rows.map((row) => {
    const { principal = 0, centred = -1 } = rules[row.key] ?? {};
    const snaps = row.snaps.map((snap, k) => {
      const place = k - principal;
      if (row.direction !== null && place >= 0 && place < 6) return { ...snap, value: axes[place] };
      return k === centred ? { ...snap, value: centre } : snap;
    });
    return { ...row, at, direction: row.direction && direction, snaps };
  });
}

class Handling {
  constructor(model, answers, handles) {
    Object.assign(this, { model, answers, handles, azimuth: 0 });
  }

  // The number that a key moves, as it stands.
  number(key) {
    const { answers } = this;
    const { names, moves } = answers.document;
    return answers.moves.get(key) ?? answers.values[names.indexOf(moves.aliases[key] ?? key)];
  }

  set(key, value) {
    const { answers } = this;
    const rule = this.handles.get("rules")[key];
    if (!rule || !answers.id) return;
    if (rule.kind === "angles") {
      const angles = anglesOf(value, this.azimuth);
      [this.azimuth] = angles;
      rule.keys.forEach((name, k) => {
        answers.move(name, angles[k]);
      });
    } else if (rule.kind === "point") {
      rule.keys.forEach((name, k) => {
        answers.move(name, value[k]);
      });
    } else this.#shift(rule, value);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => answers.rest(), AT_REST);
  }

  // A joint goes elsewhere, and what is told from it in the body stays where it is.
  #shift({ keys, back, digits }, value) {
    const { answers } = this;
    const way = keys.map((name, k) => Number((value[k] - this.number(name)).toFixed(digits)));
    keys.forEach((name, k) => {
      answers.move(name, this.number(name) + way[k]);
    });
    for (const names of back) {
      names.forEach((name, k) => {
        answers.move(name, this.number(name) - way[k]);
      });
    }
  }
}

export async function connectHandles(model, answers) {
  const reference = model.get("handles");
  if (!reference) return;
  const handles = await modelOf(model.widget_manager, reference);
  if (handles.comm_live !== false || handles.get("still") || model.get("wanted").tables?.rotation) return;
  const handling = new Handling(model, answers, handles);
  const [given, homes] = [handles.get("rows"), handles.get("homes")];
  const { menu, buttons = [] } = handles.get("rules");
  const choice = menu ? await modelOf(model.widget_manager, menu) : null;
  const first = choice?.get("index");
  const numbers = () => overlayOf(handles)?.numbers;

  const follow = () => {
    const here = !choice || choice.get("index") === first; // handles of other joints were not told
    const rules = handles.get("rules");
    const rows = here ? given.filter(({ key }) => rules[key]) : [];
    handles.set({
      homes: homes.filter((_, k) => rows.includes(given[k])),
      rows: numbers() ? movedRows(rows, numbers(), rules) : rows,
    });
  };
  follow();
  listen(handles, {
    "change:version": follow,
    "change:edit": () => {
      const { key, value, number } = handles.get("edit");
      handling.set(key, value);
      handles.set("answered", number);
    },
  });
  choice?.on("change:index", follow);

  const { clicked, body } = handles.get("rules");
  if (clicked)
    connectPicking(model.widget_manager, answers.player, (met, at) => met === body && handling.set(clicked, at));

  // Where a button puts a handle: one of the snaps that it has now.
  for (const { button, key, snap } of buttons) {
    const pressed = await modelOf(model.widget_manager, button);
    pressed.send = () => {
      const row = handles.get("rows").find((item) => item.key === key);
      if (row) handling.set(key, row.snaps[snap].value);
    };
  }
}
