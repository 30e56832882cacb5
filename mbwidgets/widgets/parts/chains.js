// Polygons of vectors in the stage's directions, with which they turn, or in a plane of their own; they follow the player.

import { placeLabels } from "../../scene/page/label_places.js";
import { element, svg } from "../../scene/page/shared/elements.js";
import { frameAt } from "../../scene/page/shared/frames.js";
import { listen, referred, together } from "../../scene/page/shared/models.js";
import { shortest } from "../../scene/page/shared/numbers.js";
import { bufferOf, traitOf } from "../../scene/page/shared/overlay.js";
import { symbolPieces, writeSymbol } from "../../scene/page/shared/symbols.js";

const CHART = { width: 200, height: 150, margin: 26 }; // units of a polygon's picture
const TIP = 7; // units of an arrow's head
const NAMED = 0.16; // part of the longest below which a vector has no name
const LETTERS = 4; // names in a polygon: more are a heap
const [LETTER_WIDE, INDEX_WIDE, NAME_HIGH] = [10, 6, 17]; // units of a letter, of one of an index, and how high a name is
const RING = 14; // units that the ends keep free of names
const PLANE = [
  [1, 0, 0],
  [0, 1, 0],
]; // rows right and up of vectors that are told in their plane
const ARC = 34; // units from the origin to the arc of an angle
const LEAST_ANGLE = 3; // degrees below which an arc is a dot

// Rows right and up of a camera, in world axes: `elements` of its matrix, `axes` the picture's directions of x, y, z.
export function viewRows(elements, axes) {
  return [0, 4].map((o) => axes.map(([x, y, z]) => x * elements[o] + y * elements[o + 1] + z * elements[o + 2]));
}

// Corners (k + 1, 2) of vectors laid tip to tail, as seen, from (0, 0) on; up is positive.
export function cornersOf(vectors, [right, up]) {
  const corners = [[0, 0]];
  for (let k = 0; k < vectors.length; k += 3) {
    const seen = [right, up].map((row) => row.reduce((sum, part, j) => sum + part * vectors[k + j], 0));
    const [x, y] = corners[corners.length - 1];
    corners.push([x + seen[0], y + seen[1]]);
  }
  return corners;
}

// How corners are put into a picture: one scale for all, the middle of what they cover in its middle.
export function placing(corners, { width, height, margin }) {
  const [xs, ys] = [0, 1].map((j) => corners.map((corner) => corner[j]));
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [low, high] = [Math.min(...ys), Math.max(...ys)];
  const room = [width - 2 * margin, height - 2 * margin];
  const scale = Math.min(room[0] / (right - left || 1e-300), room[1] / (high - low || 1e-300));
  return ([x, y]) => [width / 2 + scale * (x - (left + right) / 2), height / 2 - scale * (y - (low + high) / 2)];
}

function drawVector(chart, from, to, colour, name) {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(dx, dy);
  if (length < 0.5) return;
  const [x, y] = [dx / length, dy / length];
  const tip = Math.min(TIP, length);
  const neck = [to[0] - tip * x, to[1] - tip * y];
  const wing = tip / 2.8;
  const group = svg("g", { class: name.class, "data-key": name.key ?? "" }, chart);
  group.style.setProperty("--mbw-own", colour);
  svg("line", { x1: from[0], y1: from[1], x2: neck[0], y2: neck[1] }, group);
  const head = [to, [neck[0] - wing * y, neck[1] + wing * x], [neck[0] + wing * y, neck[1] - wing * x]];
  svg("polygon", { points: head.map((point) => point.join(",")).join(" ") }, group);
}

// Where the names of links stand: beside their middles, outwards first, off vectors, ends and one another. With a `total`
// its name stands beside the vector from the first point to the last, after the others.
export function namePlaces(points, links, named, total = null) {
  const middle = [0, 1].map((j) => points.reduce((sum, point) => sum + point[j], 0) / points.length);
  const whole = total ? [[total, points[0], points[points.length - 1]]] : [];
  const items = [...named.map((n) => [links[n], points[n], points[n + 1]]), ...whole].map(([link, from, to]) => {
    const tip = [0, 1].map((j) => (from[j] + to[j]) / 2);
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
    const across = [-(to[1] - from[1]) / length, (to[0] - from[0]) / length];
    const out = across[0] * (tip[0] - middle[0]) + across[1] * (tip[1] - middle[1]) < 0 ? -1 : 1;
    const wide = symbolPieces(link.symbol).map(
      ([piece, level]) => [...piece].length * (level ? INDEX_WIDE : LETTER_WIDE),
    );
    return { tip, way: across.map((part) => out * part), w: wide.reduce((sum, part) => sum + part, 0), h: NAME_HIGH };
  });
  const lines = [...points.slice(1).map((point, n) => [points[n], point]), ...whole.map(([, from, to]) => [from, to])];
  const ends = [points[0], points[points.length - 1]].map(([x, y]) => ({ x, y, w: RING, h: RING }));
  return placeLabels(items, { lines, spots: ends, ...CHART });
}

// A symbol in an SVG text: what is below or above the line in small letters there.
export function writeSign(text, symbol) {
  let level = 0;
  for (const [piece, wanted] of symbolPieces(symbol)) {
    const shift = (level - wanted) * 4;
    const span = svg("tspan", { dy: shift, class: wanted ? "mbw-small" : "", text: piece }, text);
    span.setAttribute("xml:space", "preserve");
    level = wanted;
  }
}

// The direction that is up, through the origin, and how far the sum leans from it.
function drawUpright(chart, origin, tip, symbol) {
  const [x, y] = origin;
  const axis = svg("g", { class: "mbw-chain-upright" }, chart);
  svg("line", { x1: x, y1: y + CHART.margin / 2, x2: x, y2: 14 }, axis);
  writeSign(svg("text", { x: x - 10, y: 18, "text-anchor": "middle" }, axis), symbol);
  const angle = Math.atan2(tip[0] - x, y - tip[1]);
  const degrees = Math.abs((180 / Math.PI) * angle);
  if (!(degrees > LEAST_ANGLE) || Math.hypot(tip[0] - x, tip[1] - y) < ARC) return;
  const end = [x + ARC * Math.sin(angle), y - ARC * Math.cos(angle)];
  svg("path", { d: `M ${x} ${y - ARC} A ${ARC} ${ARC} 0 0 ${angle > 0 ? 1 : 0} ${end[0]} ${end[1]}` }, axis);
  svg("text", { x: x - 8, y: y - ARC / 2, "text-anchor": "end", text: `${shortest(degrees, 3)}°` }, axis);
}

async function render({ model, el }) {
  el.classList.add("mbw-chains");
  const player = await referred(model, "player");
  const [camera, orbit] = await Promise.all(["camera", "orbit"].map((trait) => referred(player, trait)));
  await Promise.all([camera.initPromise, orbit.initPromise]);
  const head = element("div", { class: "mbw-finding-head" }, el);
  const body = element("div", { class: "mbw-chains-row" }, el);
  let values = new Float32Array(0);
  let charts = [];

  const name = (chart, { symbol, colour }, { x, y }) => {
    const text = svg("text", { x, y: y + 5, "text-anchor": "middle" }, chart);
    text.style.setProperty("--mbw-own", colour);
    writeSign(text, symbol);
  };

  const seenRows = (axes) => {
    camera.obj.updateMatrixWorld();
    return viewRows(
      camera.obj.matrixWorld.elements,
      axes.map(({ direction }) => direction),
    );
  };

  const draw = () => {
    const chains = traitOf(model, "chains");
    const count = 3 * (1 + chains.reduce((sum, { links }) => sum + links.length, 0));
    const frames = values.length / count;
    const shown = chains.length && frames >= 1 && Number.isInteger(frames);
    const axes = player.get("scenery").axes ?? [];
    for (const { chart } of charts) chart.replaceChildren();
    if (!shown || axes.length < 3) return;
    const upright = traitOf(model, "upright");
    const rows = upright ? PLANE : seenRows(axes);
    const first = frameAt(bufferOf(player, "times"), player.get("time"), frames) * count;
    const vectors = values.subarray(first, first + count);
    if (!vectors.every(Number.isFinite)) return;
    const total = traitOf(model, "total");
    const [, end] = cornersOf(vectors.subarray(0, 3), rows);
    let at = 3;
    const corners = chains.map(({ links }) => {
      const found = cornersOf(vectors.subarray(at, at + 3 * links.length), rows);
      at += 3 * links.length;
      return found;
    });
    const place = placing([[0, 0], end, ...corners.flat()], CHART);
    charts.forEach(({ chart }, c) => {
      const points = corners[c].map(place);
      const [origin, tip] = [place([0, 0]), place(end)];
      const { links } = chains[c];
      if (upright) drawUpright(chart, origin, tip, upright);
      drawVector(chart, origin, tip, total.colour, { class: "mbw-chain-total", key: total.key });
      links.forEach((link, n) => {
        const kind = link.striped ? "mbw-chain-striped" : "";
        drawVector(chart, points[n], points[n + 1], link.colour, { class: kind, key: link.key });
      });
      const lengths = links.map((_, n) => Math.hypot(points[n + 1][0] - points[n][0], points[n + 1][1] - points[n][1]));
      const longest = Math.max(...lengths, 0);
      const order = lengths.map((length, n) => [length, n]).sort((a, b) => b[0] - a[0]);
      const seen = order.slice(0, LETTERS).filter(([length]) => length > NAMED * longest);
      const named = seen.map(([, n]) => n);
      namePlaces(points, links, named, upright ? total : null).forEach((box, k) => {
        name(chart, k < named.length ? links[named[k]] : total, box);
      });
      svg("circle", { cx: tip[0], cy: tip[1], r: 6, class: "mbw-chain-ring" }, chart);
      svg("circle", { cx: origin[0], cy: origin[1], r: 3, class: "mbw-chain-origin" }, chart);
    });
  };

  const build = () => {
    values = bufferOf(model, "values");
    head.replaceChildren();
    element("b", { text: traitOf(model, "title") }, head);
    writeSymbol(element("span", {}, head), traitOf(model, "hint"));
    body.replaceChildren();
    charts = traitOf(model, "chains").map((chain) => {
      const box = element("figure", {}, body);
      const words = element("figcaption", {}, box);
      element("b", { text: chain.name }, words);
      words.append(` ${chain.hint}`);
      const label = `${chain.name}: ${chain.links.length} vectors that add up to the sum`;
      const view = { viewBox: `0 0 ${CHART.width} ${CHART.height}`, role: "img", "aria-label": label };
      return { chart: svg("svg", view, box) };
    });
    if (traitOf(model, "note")) element("p", { text: traitOf(model, "note") }, body);
    draw();
  };

  const stop = together(
    listen(model, { "change:version": build }),
    listen(player, { "change:time": draw, "change:version": draw, "change:scenery": draw }),
  );
  orbit.obj.addEventListener("change", draw);
  build();
  return () => {
    orbit.obj.removeEventListener("change", draw);
    stop();
  };
}

export default { render };
