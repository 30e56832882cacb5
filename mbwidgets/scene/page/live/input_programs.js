// Programs of t alone, parts of those that drive a motion: their lines, their values and bounds, by the kernels.

// A machine whose first program has these lines, with a program of each function behind it: as machine_of_lines in Python.
export function machineOfLines(lines, { layout, machine }) {
  const constants = [];
  const own = lines.map(([operation, operand]) => {
    if (operation !== machine.CONSTANT) return [operation, operand];
    return [operation, constants.push(operand) - 1];
  });
  const programs = [own];
  for (let k = machine.SIN; k <= machine.ATAN2; k++) {
    const given = k === machine.ATAN2 ? [0, 1] : [0];
    programs.push([...given.map((place) => [machine.COORDINATE, place]), [k, 0]]);
  }
  const starts = [0];
  for (const program of programs) starts.push(starts.at(-1) + program.length);
  const flat = programs.flat(2);
  const header = new Array(layout.HEADER).fill(0);
  const begin = layout.HEADER + starts.length;
  header[layout.PROGRAMS] = programs.length;
  header.fill(layout.HEADER, layout.AT_COLUMNS, layout.AT_STARTS + 1);
  header[layout.AT_LINES] = begin;
  header[layout.AT_CONSTANTS] = begin + flat.length;
  header.fill(begin + flat.length + constants.length, layout.AT_ROWS, layout.GRAVITY);
  header.fill(layout.DATA_HEADER, layout.DATA_COLUMNS, layout.DATA_FEET);
  header.fill(layout.DATA_HEADER + 2 * layout.STACK, layout.DATA_FEET, layout.HEADER);
  return Float64Array.from([...header, ...starts, ...flat, ...constants]);
}

// A program of t alone, ready to be evaluated.
export class InputProgram {
  constructor(kernels, names, lines) {
    Object.assign(this, { kernels, heap: kernels.heap, names, lines });
    this.machine = machineOfLines(lines, names);
  }

  // Its values at these times.
  sample(times) {
    return this.#run(times.length, (machine, data, values) => {
      this.kernels.call("sample_program", machine, data, this.heap.put(times), values);
    });
  }

  // Low, high, least and most slope over the intervals from these times on, four numbers each.
  bounds(start, end, across) {
    return this.#run(4 * start.length, (machine, data, found) => {
      const { heap, names } = this;
      const stack = heap.take(names.layout.STACK + 2, 4);
      const given = [heap.put(start), heap.put(end), across, stack, heap.take(2)];
      this.kernels.call("bound_program", machine, data, ...given, { ...found, shape: [start.length, 4] });
    });
  }

  #run(size, compute) {
    const { heap, machine, names } = this;
    const top = heap.top;
    try {
      const found = heap.take(size);
      compute(heap.put(machine), heap.take(machine[names.layout.DATA_SIZE]), found);
      return Float64Array.from(heap.view(found));
    } finally {
      heap.release(top);
    }
  }
}

const taken = (operation, machine) => {
  const pairs = [machine.ADD, machine.MULTIPLY, machine.ATAN2, machine.MIN, machine.MAX];
  if (operation === machine.WHERE) return 3;
  return pairs.includes(operation) ? 2 : 1;
};

// The lines of a program of a model; the operand of a constant is its value.
function programLines(model, number, { layout, machine }) {
  const [starts, lines, constants] = [layout.AT_STARTS, layout.AT_LINES, layout.AT_CONSTANTS].map((at) => model[at]);
  const found = [];
  for (let k = model[starts + number]; k < model[starts + number + 1]; k++) {
    const [operation, operand] = model.subarray(lines + 2 * k, lines + 2 * k + 2);
    found.push([operation, operation === machine.CONSTANT ? model[constants + operand] : operand]);
  }
  return found;
}

// The inputs of all programs that drive a motion, without curves' in their s: as input_programs and inputs_of in Python.
export function inputsOfModel(model, names) {
  const { layout } = names;
  const curves = new Set();
  for (let r = 0; r < model[layout.ROWS]; r++) {
    const row = model[layout.AT_ROWS] + layout.ROW_SIZE * r;
    if (model[row + layout.C_KIND] !== layout.CURVE) continue;
    for (let j = 0; j < layout.CURVE_PROGRAMS; j++) curves.add(model[row + layout.C_PROGRAM] + j);
  }
  const found = new Map();
  for (let k = 0; k < model[layout.PROGRAMS]; k++) {
    if (curves.has(k)) continue;
    for (const lines of inputsOf(programLines(model, k, names), names)) found.set(lines.join(";"), lines);
  }
  return [...found.values()];
}

// The largest parts of a program that depend on t and not on the state, without polynomials of low degree.
function inputsOf(lines, { machine, inputs }) {
  const found = [];
  const stack = [];
  const note = (value) => {
    if (value.timely && !value.state && value.degree > inputs.DEGREE) found.push(value.lines);
  };
  for (const line of lines) {
    const [operation, operand] = line;
    const leaf = { lines: [line], timely: operation === machine.TIME, state: false, degree: 0 };
    if (operation <= machine.VELOCITY) {
      const state = operation === machine.COORDINATE || operation === machine.VELOCITY;
      stack.push({ ...leaf, state, degree: leaf.timely ? 1 : 0 });
      continue;
    }
    const values = stack.splice(stack.length - taken(operation, machine));
    if (values.length > 1 && values.some((value) => value.state)) {
      values.forEach(note);
      const [choice] = values;
      const chosen = operation === machine.WHERE && choice.timely && !choice.state;
      if (chosen) found.push([...choice.lines, [machine.SIGN, 0]]); // which jumps where the choice does
    }
    stack.push(joinedValue(line, values, operand, machine));
  }
  note(stack.at(-1));
  return found;
}

function joinedValue(line, values, operand, machine) {
  const [operation] = line;
  const degrees = values.map((value) => value.degree);
  const timely = values.some((value) => value.timely);
  let degree = timely ? Number.POSITIVE_INFINITY : 0;
  if (operation === machine.ADD) degree = Math.max(...degrees);
  else if (operation === machine.MULTIPLY) degree = degrees[0] + degrees[1];
  else if (timely && operation === machine.POWER && operand >= 0) degree = degrees[0] * operand;
  const lines = [...values.flatMap((value) => value.lines), line];
  return { lines, timely, state: values.some((value) => value.state), degree };
}

// The parts at whose zeros a program has kinks or jumps: as bent_at in Python.
export function bentAt(lines, { machine }) {
  const found = [];
  const starts = [];
  lines.forEach(([operation, operand], k) => {
    if (operation === machine.CONSTANT || operation === machine.TIME) {
      starts.push(k);
      return;
    }
    const first = starts.splice(starts.length - taken(operation, machine));
    const root = operation === machine.POWER && operand > 0 && operand % 4 === 2 && lines[k + 1]?.[0] === machine.SQRT;
    if (operation === machine.ABS || operation === machine.SIGN || root) found.push(lines.slice(first[0], k));
    else if (operation === machine.ATAN2 || operation === machine.WHERE) found.push(lines.slice(first[0], first[1]));
    else if (operation === machine.MIN || operation === machine.MAX) {
      const minus = [
        [machine.CONSTANT, -1],
        [machine.MULTIPLY, 0],
        [machine.ADD, 0],
      ];
      found.push([...lines.slice(first[0], k), ...minus]);
    }
    starts.push(first[0]);
  });
  return found;
}
