// The model's file and code with the numbers that a page has moved, as Python writes them; and its motion as CSV.

import { representation } from "../../scene/page/live/python_words.js";

const TOKEN = /\s*("(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+)/y;

// JSON as a tree whose leaves are their text: objects are maps, lists arrays.
export function parsedTexts(text) {
  let at = 0;
  const next = () => {
    TOKEN.lastIndex = at;
    const [whole, token] = TOKEN.exec(text);
    at += whole.length;
    return token;
  };
  const read = (token) => {
    if (token === "[") return readUntil("]", read);
    if (token !== "{") return token;
    return new Map(readUntil("}", readEntry));
  };
  const readEntry = (key) => {
    next(); // the colon
    return [JSON.parse(key), read(next())];
  };
  const readUntil = (end, item) => {
    const found = [];
    for (let token = next(); token !== end; token = next()) if (token !== ",") found.push(item(token));
    return found;
  };
  return read(next());
}

// Such a tree as text, each item on a line of its own, one blank further in.
export function writtenTexts(tree, depth = 0) {
  if (typeof tree === "string") return tree;
  const isList = Array.isArray(tree);
  const items = isList
    ? tree.map((item) => writtenTexts(item, depth + 1))
    : Array.from(tree, ([key, item]) => `${JSON.stringify(key)}: ${writtenTexts(item, depth + 1)}`);
  const [open, close] = isList ? "[]" : "{}";
  const [inner, outer] = [`\n${" ".repeat(depth + 1)}`, `\n${" ".repeat(depth)}`];
  return items.length ? `${open}${inner}${items.join(`,${inner}`)}${outer}${close}` : open + close;
}

// In one line, which is Python too.
const inLine = (tree) => (typeof tree === "string" ? tree : `[${tree.map(inLine).join(", ")}]`);

// The texts of a field's numbers: those that were moved as Python prints floats, the others as they were given.
function textsOf({ keys, given, together = [] }, moved) {
  const write = (key, text) => {
    if (Array.isArray(key)) return key.map((item, k) => write(item, text[k]));
    if (moved.has(key)) return representation(moved.numberOf(key));
    return moved.byHand(key) === 0 ? text : added(text, moved.byHand(key));
  };
  const found = write(keys, given);
  for (const [first, end] of together) {
    const own = keys.slice(first, end);
    if (!own.some((key) => moved.has(key))) continue;
    own.forEach((key, k) => {
      found[first + k] = representation(moved.numberOf(key));
    });
  }
  return found;
}

// A scalar of a file, and a number besides.
function added(text, number) {
  const scalar = JSON.parse(text);
  return JSON.stringify(`${scalar} ${number < 0 ? "-" : "+"} ${representation(Math.abs(number))}`);
}

// What has been moved: which numbers are not as they were, their values, and the bodies whose inertia is their solid's.
export function movedNumbers({ names, values: before, moves }, now) {
  const places = new Map(names.map((name, k) => [name, k]));
  const numberOf = (key) => now[places.get(key)];
  // what a hand adds to an initial coordinate that follows from parameters
  const byHand = (key) => (/^q \d+$/.test(key) ? (now[places.get(key.replace("q", "hand"))] ?? 0) : 0);
  return {
    keys: names.filter((_, k) => now[k] !== before[k]),
    has: (key) => places.has(key) && numberOf(key) !== before[places.get(key)],
    numberOf,
    byHand,
    solids: new Set(
      Object.keys(moves.solids)
        .map(Number)
        .filter((body) => numberOf(`solid ${body}`) === 1),
    ),
  };
}

// Put a field into its record, at its place.
function putField(record, name, value, order) {
  if (record.has(name)) {
    record.set(name, value);
    return;
  }
  const fields = [...record];
  const place = fields.findIndex(([key]) => order.indexOf(key) > order.indexOf(name));
  fields.splice(place < 0 ? fields.length : place, 0, [name, value]);
  record.clear();
  for (const [key, item] of fields) record.set(key, item);
}

// The fields that moves have changed: [field, its texts].
function changedFields(fields, moved) {
  const touched = (keys) => [keys].flat(2).some((key) => moved.has(key) || moved.byHand(key) !== 0);
  const found = fields.filter(({ keys, path }) => touched(keys) && !followsSolid(path, moved));
  const paths = new Set(found.map(({ path }) => path.join()));
  const besides = found.flatMap(({ path, besides: names = [] }) => names.map((name) => [...path.slice(0, -1), name]));
  const more = fields.filter(
    ({ path }) => !paths.has(path.join()) && besides.some((one) => one.join() === path.join()),
  );
  return [...found, ...more].map((field) => [field, textsOf(field, moved)]);
}

// An inertia that is a solid's is not in the file, whatever the mass makes of it.
function followsSolid([first, body, name], moved) {
  return first === "bodies" && name === "inertia" && moved.solids.has(body);
}

// Efforts that were moved: body, direction, value.
const effortsIn = (moved) =>
  moved.keys.flatMap((key) => {
    const [word, body, direction] = key.split(" ");
    return word === "effort" ? [{ body: Number(body), direction: Number(direction), now: moved.numberOf(key) }] : [];
  });

// {json, code} of a model whose file and code are these, with what a page has moved, as `movedNumbers` tells it.
export function movedTexts({ json, code }, { fields, bodies }, moved) {
  if (!moved.keys.length) return { json, code };
  const tree = parsedTexts(json);
  const changed = changedFields(fields, moved);
  for (const [{ path, order }, texts] of changed) {
    const record = path.slice(0, -1).reduce((item, step) => (Array.isArray(item) ? item[step] : item.get(step)), tree);
    putField(record, path[path.length - 1], texts, order);
  }
  const lines = linesOf(changed, bodies, tree);
  for (const effort of effortsIn(moved)) lines.push(...drive(tree.get("forces"), effort, bodies));
  return { json: writtenTexts(tree), code: [code.trimEnd(), ...lines, ""].join("\n") };
}

// Lines of Python that change a model likewise.
function linesOf(changed, bodies, tree) {
  const calls = new Map();
  const note = (call, name, text) => calls.set(call, [...(calls.get(call) ?? []), `${name}=${text}`]);
  for (const [{ path }, texts] of changed) {
    const name = path[path.length - 1];
    if (path[0] === "parameters") note("with_values(", path[1], inLine(texts));
    else if (path[0] === "gravity") note("replace(", name, inLine(texts));
    else if (path[0] === "bodies") {
      const call = path.length > 3 ? "with_joint(" : "with_body(";
      note(`${call}${JSON.stringify(bodies[path[1]])}, `, name, inLine(texts));
    }
  }
  if (changed.some(([{ path }]) => path[0] === "state")) {
    const items = Array.from(tree.get("state"), ([key, item]) => `${JSON.stringify(key)}: ${inLine(item)}`);
    note("replace(", "state", `{${items.join(", ")}}`);
  }
  return Array.from(calls, ([call, parts]) => `model = model.${call}${parts.join(", ")})`);
}

// Put a constant effort among the forces, or take it away; returns the lines of Python that do so.
function drive(forces, { body, direction, now }, bodies) {
  const name = JSON.stringify(bodies[body]);
  const acts = (force) =>
    force.get("type") === '"effort"' &&
    [name, String(body)].includes(force.get("joint")) &&
    (force.get("coordinate") ?? "0") === String(direction);
  const place = forces.findIndex(acts);
  for (let k = forces.length - 1; k >= 0; k--) if (acts(forces[k])) forces.splice(k, 1);
  const where = direction === 0 ? [] : [["coordinate", String(direction)]];
  const effort = [["type", '"effort"'], ["joint", name], ["value", representation(now)], ...where];
  if (now !== 0) forces.push(new Map(effort));
  const mine = `force.type == "effort" and model.index(force.joint) == ${body} and force.coordinate == ${direction}`;
  const others = place < 0 ? "*model.forces" : `*(force for force in model.forces if not (${mine}))`;
  const own =
    now === 0 ? "" : `, mb.Effort(${name}, ${representation(now)}${direction ? `, coordinate=${direction}` : ""})`;
  return [`model = model.replace(forces=[${others}${own}])`];
}

// A table as CSV, as Python's Table.to_csv writes it.
export function csvText(columns, numbers) {
  const quoted = (name) => (/[",\r\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);
  const rows = [columns.map(quoted).join(",")];
  for (let at = 0; at < numbers.length; at += columns.length) {
    rows.push(Array.from(numbers.subarray(at, at + columns.length), representation).join(","));
  }
  return rows.map((row) => `${row}\r\n`).join("");
}
