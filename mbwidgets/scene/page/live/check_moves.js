// The names of a problem's numbers and how they move, looked at before any is used: what passes makes every move find the
// numbers that it needs, and no kernel read outside its arrays.

import { refuse, whole } from "./refused.js";

const MOST_NAMES = 100_000;
const MOST_RULES = 200_000;
const LONGEST = 1000; // characters of a text
const LONGEST_NUMBER = 400; // digits of an exact one: a thousand bits, as Python allows, have 302
const PARAMETER = /^[^\s\d][^\s]{0,31}$/;
const LETTER =
  /^((mass|solid) \d+|(com|at) \d+ [012]|inertia \d+ (00|11|22|01|02|12)|(axis|second) \d+ [xyz]|gravity [012]|(q|u|hand) \d+|effort \d+ \d+)$/;
const WIDTHS = { "not negative": 1, positive: 1, "not zero": 3, "not parallel": 6, quaternion: 4, inertia: 10 };
const COMPONENTS = ["00", "11", "22", "01", "02", "12"];

const isText = (value) => typeof value === "string" && value.length <= LONGEST;
const isTable = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

// Each name is a parameter's or a letter's, and has a value.
export function checkNames({ names, values }) {
  if (!Array.isArray(names) || !Array.isArray(values)) refuse("its numbers have no names");
  whole(names.length, 0, MOST_NAMES, "the number of names");
  whole(values.length, names.length, names.length, "the number of values");
  for (const name of names) if (!isText(name) || !(PARAMETER.test(name) || LETTER.test(name))) refuse("a name is none");
  if (new Set(names).size !== names.length) refuse("two numbers have one name");
  if (!values.every((value) => Number.isFinite(value))) refuse("a value is no number");
}

export function checkMoves({ names, nq, bodies, moves }, programs) {
  if (!isTable(moves)) refuse("nothing tells how its numbers move");
  for (const key of ["aliases", "notes", "solids", "bounds"]) if (!isTable(moves[key])) refuse(`${key} are no table`);
  for (const key of ["balls", "rules"]) if (!Array.isArray(moves[key])) refuse(`${key} are no list`);
  const known = new Set(names);
  for (const name of Object.values(moves.aliases)) if (!known.has(name)) refuse("a key moves nothing");
  if (!Object.values(moves.notes).every(isText)) refuse("a note is no text");
  for (const [name, bounds] of Object.entries(moves.bounds)) checkBounds(name, bounds, known);
  checkRules(moves.rules, programs, bodies);
  checkWholes(moves, nq, known);
}

function checkBounds(name, bounds, known) {
  const isBound = (value) => value === null || Number.isFinite(value);
  const right = Array.isArray(bounds) && bounds.length === 3 && isBound(bounds[0]) && isBound(bounds[1]);
  if (!known.has(name) || !right || !isText(bounds[2])) refuse("bounds are none");
}

function checkRules(rules, programs, bodies) {
  whole(rules.length, 0, MOST_RULES, "the number of rules");
  for (const rule of rules) {
    if (!isTable(rule) || !Array.isArray(rule.at) || !Array.isArray(rule.words)) refuse("a rule is none");
    if (rule.kind === "finite") whole(rule.at.length, 1, 9, "the width of a rule");
    else if (!Object.hasOwn(WIDTHS, rule.kind)) refuse("a rule is of no kind");
    else whole(rule.at.length, WIDTHS[rule.kind], WIDTHS[rule.kind], "the width of a rule");
    for (const place of rule.at) whole(place, 0, programs - 1, "a number of a rule");
    const count = rule.kind === "inertia" ? 2 : 1;
    if (rule.kind === "inertia") whole(rule.body, 0, bodies - 1, "the body of a rule");
    if (rule.words.length !== count || !rule.words.every(isText)) refuse("a rule has no words");
  }
}

// Numbers that move together are all there: axes, quaternions, inertias.
function checkWholes({ balls, solids, rules }, nq, known) {
  const tensors = new Set(rules.filter((rule) => rule.kind === "inertia").map((rule) => String(rule.body)));
  for (const name of known) {
    const [field, body] = name.split(" ");
    const axis = field === "axis" || field === "second";
    if (axis && !["x", "y", "z"].every((part) => known.has(`${field} ${body} ${part}`))) refuse("an axis is cut");
    if (field === "inertia" && body !== undefined && !tensors.has(body)) refuse("an inertia has no rule");
  }
  for (const ball of balls) {
    whole(ball, 0, nq - 4, "the place of a quaternion");
    const there = [0, 1, 2, 3].filter((k) => known.has(`q ${ball + k}`)).length;
    if (there !== 0 && there !== 4) refuse("a quaternion is cut");
  }
  for (const [body, parts] of Object.entries(solids)) {
    const needed = [`mass ${body}`, `solid ${body}`, ...COMPONENTS.map((pair) => `inertia ${body} ${pair}`)];
    if (!needed.every((name) => known.has(name))) refuse("a solid has no body");
    if (!Array.isArray(parts) || parts.length !== 6 || !parts.every(isExact)) refuse("a solid has no inertia");
  }
}

function isExact(item) {
  if (typeof item === "number") return Number.isFinite(item);
  if (!Array.isArray(item) || item.length !== 2 || !item.every(isText)) return false;
  const short = item.every((text) => text.length <= LONGEST_NUMBER);
  return short && /^-?\d+$/.test(item[0]) && /^[1-9]\d*$/.test(item[1]);
}
