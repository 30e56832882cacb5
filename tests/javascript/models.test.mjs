import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { listen, referred, tell, teller, together, withItem } from "../../mbwidgets/scene/page/shared/models.js";
import { Model } from "./page.mjs";

test("a trait refers to a model by its id", () => {
  const model = new Model({ player: "IPY_MODEL_abc" });
  model.widget_manager = { get_model: (id) => `the model ${id}` };
  assert.equal(referred(model, "player"), "the model abc");
});

test("what listens can be stopped, and only that", () => {
  const model = new Model({});
  const [one, other] = [() => {}, () => {}];
  model.on("change:time", other);
  const stop = listen(model, { "change:time": one, "change:rows": one });
  assert.equal(model.heard.length, 3);
  stop();
  assert.deepEqual(model.heard, [["change:time", other]]);
});

test("several are stopped at once", () => {
  const [one, other] = [new Model({}), new Model({})];
  const stop = together(listen(one, { "change:time": () => {} }), listen(other, { "change:time": () => {} }));
  stop();
  assert.deepEqual([one.heard, other.heard], [[], []]);
});

test("several traits are told at once", () => {
  const model = new Model({ time: 0, playing: true });
  tell(model, { time: 2, playing: false });
  assert.deepEqual(model.told, [{ time: 2, playing: false }]);
});

describe("acts", () => {
  test("are counted, so that the same one twice is two", () => {
    const model = new Model({});
    const edit = teller(model, "edit");
    assert.equal(edit({ key: "m" }), 1);
    assert.equal(edit({ key: "m" }), 2);
    assert.deepEqual(
      model.told.map((one) => one.edit),
      [
        { key: "m", number: 1 },
        { key: "m", number: 2 },
      ],
    );
  });

  test("count on from what was answered", () => assert.equal(teller(new Model({}), "edit", 7)({}), 8));
});

test("an item is put last or taken out, and the list stays as it was", () => {
  const list = ["a", "b", "c"];
  assert.deepEqual(withItem(list, "b", true), ["a", "c", "b"]);
  assert.deepEqual(withItem(list, "b", false), ["a", "c"]);
  assert.deepEqual(withItem(list, "d", true), ["a", "b", "c", "d"]);
  assert.deepEqual(list, ["a", "b", "c"]);
});
