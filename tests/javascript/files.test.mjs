import assert from "node:assert/strict";
import { beforeEach, describe, mock, test } from "node:test";
import { copyText, downloadText } from "../../mbwidgets/scene/page/shared/files.js";
import { openPage } from "./page.mjs";

let page;
beforeEach(() => {
  page = openPage();
});

// A page whose clipboard does this with a text.
function clipboard(writeText) {
  Object.defineProperty(globalThis, "navigator", { value: { clipboard: { writeText } }, configurable: true });
}

describe("copyText", () => {
  test("gives the text to the clipboard", async () => {
    const copied = [];
    clipboard(async (text) => copied.push(text));
    assert.equal(await copyText("a\nb", assert.fail), "copied");
    assert.deepEqual(copied, ["a\nb"]);
  });

  for (const [done, words] of [
    [true, "copied"],
    [false, "selected: press Ctrl+C"],
  ]) {
    test(`without the right to the clipboard marks what is seen, and says “${words}”`, async () => {
      const acts = [];
      clipboard(() => Promise.reject(new Error("not allowed")));
      page.execCommand = (name) => {
        acts.push(name);
        return done;
      };
      assert.equal(await copyText("a", () => acts.push("select")), words);
      assert.deepEqual(acts, ["select", "copy"]);
    });
  }
});

test("a download has its name and its text, which is kept until the browser has read it", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const made = mock.method(URL, "createObjectURL", () => "blob:1");
  const freed = mock.method(URL, "revokeObjectURL", () => {});
  const links = [];
  const create = page.createElement;
  page.createElement = (tag) => {
    const node = create(tag);
    node.addEventListener("click", () => links.push({ ...node.attributes }));
    return node;
  };
  downloadText("x = 1\n", "model.py");
  assert.deepEqual(links, [{ href: "blob:1", download: "model.py" }]);
  assert.equal(await made.mock.calls[0].arguments[0].text(), "x = 1\n");
  assert.equal(freed.mock.callCount(), 0);
  context.mock.timers.tick(1000);
  assert.deepEqual(freed.mock.calls[0].arguments, ["blob:1"]);
});
