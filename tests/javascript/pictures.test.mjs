import assert from "node:assert/strict";
import { describe, mock, test } from "node:test";
import { afterPicture } from "../../mbwidgets/widgets/parts/live_pictures.js";

describe("what waits for the next picture", () => {
  test("is done with it, once, and without one a little later", () => {
    mock.timers.enable({ apis: ["setTimeout"] });
    try {
      const done = [];
      const frames = [];
      afterPicture(
        () => done.push("seen"),
        (go) => frames.push(go),
      );
      assert.deepEqual(done, []);
      frames[0]();
      mock.timers.tick(1000);
      assert.deepEqual(done, ["seen"]);
      const wait = afterPicture(
        () => done.push("hidden"),
        (go) => frames.push(go),
      );
      assert.equal(wait.over, false);
      mock.timers.tick(100);
      frames[1]();
      assert.deepEqual(done, ["seen", "hidden"]);
      assert.equal(wait.over, true);
    } finally {
      mock.timers.reset();
    }
  });
});
