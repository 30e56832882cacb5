// States that were computed beforehand, at the nodes of a grid: which one answers, and how it is shown.

// Which of some numbers is the nearest to a value.
export function nearestIndex(numbers, value) {
  const away = numbers.map((number) => Math.abs(number - value));
  return away.indexOf(Math.min(...away));
}

// The node at a place of each axis, the last axis first.
export const nodeIndex = (places, sizes) => places.reduce((sum, place, k) => sum * sizes[k] + place, 0);

// The choice with all parts as they are now, or the first that has part k as it is; −1 where there is none.
export function choiceIndex(choices, now, k) {
  const same = (one, i) => JSON.stringify(one[i]) === JSON.stringify(now[i]);
  const whole = choices.findIndex((one) => now.every((_, i) => same(one, i)));
  return whole < 0 ? choices.findIndex((one) => same(one, k)) : whole;
}

// A grid of states: one axis for each slider that was kept alive, and at each node what can be chosen besides; the
// newest wish wins.
export class Grid {
  // `states(k)`: the states of widgets in chunk k of the page.
  constructor(manager, states, { axes, nodes, at, choice }) {
    Object.assign(this, { manager, states, axes, nodes, at: [...at], wanted: [...at], choice, busy: false });
    this.chosen = this.choosing = choice?.at ?? 0;
  }

  async connect() {
    for (const [k, axis] of this.axes.entries()) {
      const model = await this.manager.get_model(axis.model);
      model.on(`change:${axis.trait}`, () => {
        const value = model.get(axis.trait);
        if (axis.key === null) this.wish(k, value);
        else if (value.key === axis.key) this.wish(k, value.value);
      });
    }
    if (!this.choice) return;
    const found = async ([id, trait]) => [await this.manager.get_model(id), trait];
    this.parts = await Promise.all(this.choice.parts.map(found));
    for (const [k, [model, trait]] of this.parts.entries()) {
      model.on(`change:${trait}`, () => this.applying || this.choose(k));
    }
  }

  wish(k, value) {
    this.wanted[k] = nearestIndex(this.axes[k].values, value);
    if (!this.busy) this.go();
  }

  // Part k was moved.
  choose(k) {
    const values = this.choice.values[this.node(this.wanted)];
    const now = this.parts.map(([model, trait]) => model.get(trait));
    const found = choiceIndex(values, now, k);
    if (found < 0 || found === this.choosing) return;
    this.choosing = found;
    if (!this.busy) this.go();
  }

  node(places) {
    const sizes = this.axes.map((axis) => axis.values.length);
    return nodeIndex(places, sizes);
  }

  async changes(index, chosen) {
    const found = await this.states(this.nodes[index]);
    if (!this.choice) return found;
    const row = this.choice.nodes[index];
    const own = await this.states(row[Math.min(chosen, row.length - 1)]);
    for (const [id, state] of Object.entries(own)) found[id] = { ...found[id], ...state };
    return found;
  }

  async go() {
    this.busy = true;
    try {
      while (true) {
        const [aim, chosen] = [[...this.wanted], this.choosing];
        const ready = await this.manager.prepare(await this.changes(this.node(aim), chosen));
        this.applying = true;
        for (const [model, state] of ready) model.set(state);
        this.applying = false;
        [this.at, this.chosen] = [aim, chosen];
        if (aim.every((place, k) => place === this.wanted[k]) && chosen === this.choosing) break;
      }
    } finally {
      this.busy = false;
    }
    // what was typed between two nodes goes to the node
    for (const { model, shown } of this.axes) (await this.manager.get_model(model)).trigger(`change:${shown}`);
  }
}
