import assert from "node:assert/strict";
import { test } from "node:test";
import { Answers } from "../../mbwidgets/widgets/parts/live_answers.js";

// Answers to a view with a slider of its own, `tilt`, and one of the model, `m`; what is posted to the desk is kept.
function begin() {
  const wanted = { arrows: [], units: {}, spans: [], tables: { keys: ["tilt"], own: [90], fills: [] } };
  const traits = { wanted, values: [1], words: {}, origin: [1] };
  const model = {
    attributes: {},
    get: (name) => traits[name],
    set: (name, value) => Object.assign(traits, { [name]: value }),
  };
  const player = { get: () => 0, set: () => {} };
  const posted = [];
  const answers = new Answers(model, { player });
  const document = { names: ["m"], values: [1], moves: { notes: {}, aliases: {} } };
  const post = { post: ({ wish }) => wish && posted.push(wish) };
  Object.assign(answers, { id: 1, document, post, values: [1], own: new Map(), horizon: null });
  let shown = 0;
  answers.show = () => {
    shown += 1;
  };
  return { answers, posted, count: () => shown };
}

test("what was asked before the kernel told other numbers of the view is not shown over what it told", () => {
  const { answers, posted, count } = begin();
  answers.move("tilt", 60);
  assert.deepEqual(posted[0].wanted.tables.own, [60]);
  answers.tellAgain();
  answers.hear({ number: posted[0].number, values: [1], readings: [] });
  assert.equal(count(), 0);
  assert.equal(posted.length, 1);
});

test("a move of the model that the kernel has not heard of is asked again with what it told", () => {
  const { answers, posted, count } = begin();
  answers.move("m", 3);
  answers.tellAgain();
  assert.equal(posted.length, 2);
  assert.deepEqual(posted[1].moves, [["m", 3]]);
  assert.deepEqual(posted[1].wanted.tables.own, [90]);
  answers.hear({ number: posted[0].number, values: [2], readings: [] });
  assert.equal(count(), 0);
});

test("what the page itself wants otherwise leaves a wish under way", () => {
  const { answers, posted } = begin();
  answers.move("tilt", 60);
  const { flight } = answers;
  answers.wanting = true;
  answers.tellAgain();
  assert.equal(answers.flight, flight);
  assert.equal(posted.length, 1);
});
