// Curves over time as SVG, with a cursor that follows the player in the page.

const WIDTH = 860;
const HEIGHT = 250;
const LEFT = 62;
const RIGHT = 10;
const TOP = 10;
const BOTTOM = 30;
const DASHES = ["", "7 3", "2 3", "9 3 2 3", "", "7 3", "2 3", "9 3 2 3"];

function ticks(low, high, count) {
  const step = niceStep((high - low) / count);
  const out = [];
  for (let k = Math.ceil(low / step - 1e-9); k <= high / step + 1e-9 && out.length < 50; k++) out.push(k * step);
  return out;
}

const label = (value) => String(Number(value.toPrecision(4)));
const reading = (value) => (Number.isFinite(value) ? (Math.abs(value) >= 1e5 ? value.toExponential(2) : value.toPrecision(4)) : "–");

async function render({ model, el }) {
  el.classList.add("mbw-plot");
  const player = await referred(model, "player");
  const heading = document.createElement("div");
  heading.className = "mbw-plot-title";
  const chart = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img" });
  const legend = document.createElement("div");
  legend.className = "mbw-legend";
  el.append(heading, chart, legend);
  let times = [];
  let values = [];
  let count = 0;
  let cursor = null;
  let readings = [];

  const x = (time) => LEFT + ((WIDTH - LEFT - RIGHT) * (time - times[0])) / (times[times.length - 1] - times[0] || 1);

  const range = () => {
    let low = Infinity;
    let high = -Infinity;
    for (const value of values) {
      if (Number.isFinite(value)) {
        low = Math.min(low, value);
        high = Math.max(high, value);
      }
    }
    if (!(high >= low)) [low, high] = [-1, 1];
    const margin = high > low ? 0.05 * (high - low) : Math.abs(high) || 1;
    return [low - margin, high + margin];
  };

  const build = () => {
    times = floats(model.get("times"));
    values = floats(model.get("values"));
    const names = model.get("names");
    count = names.length;
    heading.textContent = `${model.get("title")}, ${model.get("unit")}`;
    chart.setAttribute("aria-label", heading.textContent);
    chart.replaceChildren();
    legend.replaceChildren();
    if (!times.length || !count) return;
    const [low, high] = range();
    const y = (value) => TOP + ((HEIGHT - TOP - BOTTOM) * (high - value)) / (high - low);
    for (const tick of ticks(low, high, 5)) {
      svg("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y(tick), y2: y(tick), class: "mbw-grid" }, chart);
      svg("text", { x: LEFT - 6, y: y(tick) + 4, "text-anchor": "end", text: label(tick) }, chart);
    }
    for (const tick of ticks(times[0], times[times.length - 1] || 1, 10)) {
      svg("line", { x1: x(tick), x2: x(tick), y1: TOP, y2: HEIGHT - BOTTOM, class: "mbw-grid" }, chart);
      svg("text", { x: x(tick), y: HEIGHT - BOTTOM + 15, "text-anchor": "middle", text: label(tick) }, chart);
    }
    svg("text", { x: WIDTH - RIGHT, y: HEIGHT - 2, "text-anchor": "end", text: "t, s" }, chart);
    readings = names.map((name, k) => {
      const colour = model.get("colours")[k];
      let path = "";
      let pen = "M";
      for (let frame = 0; frame < times.length; frame++) {
        const value = values[frame * count + k];
        if (!Number.isFinite(value)) {
          pen = "M";
          continue;
        }
        path += `${pen}${x(times[frame]).toFixed(1)} ${y(value).toFixed(1)}`;
        pen = "L";
      }
      svg("path", { d: path, stroke: colour, "stroke-dasharray": DASHES[k], class: "mbw-curve" }, chart);
      const item = document.createElement("span");
      const sample = svg("svg", { width: 26, height: 8 }, item);
      svg("line", { x1: 0, x2: 26, y1: 4, y2: 4, stroke: colour, "stroke-width": 2.5, "stroke-dasharray": DASHES[k] }, sample);
      item.append(` ${name} `);
      const value = document.createElement("b");
      item.append(value);
      legend.append(item);
      return value;
    });
    cursor = svg("line", { y1: TOP, y2: HEIGHT - BOTTOM, class: "mbw-cursor" }, chart);
    follow();
  };

  const follow = () => {
    if (!cursor || !times.length) return;
    const end = times[times.length - 1];
    const time = Math.min(end, Math.max(times[0], player.get("time")));
    cursor.setAttribute("x1", x(time));
    cursor.setAttribute("x2", x(time));
    const frame = Math.round(((times.length - 1) * (time - times[0])) / (end - times[0] || 1));
    readings.forEach((node, k) => (node.textContent = reading(values[frame * count + k])));
  };

  const seek = (event, settle) => {
    const box = chart.getBoundingClientRect();
    const share = (((event.clientX - box.left) / box.width) * WIDTH - LEFT) / (WIDTH - LEFT - RIGHT);
    const time = times[0] + Math.min(1, Math.max(0, share)) * (times[times.length - 1] - times[0]);
    player.set({ playing: false, time });
    if (settle) player.save_changes();
  };
  chart.addEventListener("pointerdown", (event) => {
    chart.setPointerCapture(event.pointerId);
    seek(event, false);
  });
  chart.addEventListener("pointermove", (event) => event.buttons && seek(event, false));
  chart.addEventListener("pointerup", (event) => seek(event, true));

  model.on("change:version", build);
  player.on("change:time", follow);
  build();
  return () => {
    model.off("change:version", build);
    player.off("change:time", follow);
  };
}

export default { render };
