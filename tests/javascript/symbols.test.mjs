import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { lettersOf } from "../../mbwidgets/scene/page/labels.js";
import { plainSymbol, symbolPieces, writeSymbol } from "../../mbwidgets/scene/page/shared/symbols.js";
import { symbolOf } from "../../mbwidgets/widgets/parts/controls.js";
import { Node, openPage } from "./page.mjs";

describe("symbolPieces", () => {
  const cases = [
    ["", []],
    ["F", [["F", 0]]],
    [
      "F_R",
      [
        ["F", 0],
        ["R", -1],
      ],
    ],
    [
      "ℜ_12^S",
      [
        ["ℜ", 0],
        ["12", -1],
        ["S", 1],
      ],
    ],
    [
      "a_{42}",
      [
        ["a", 0],
        ["42", -1],
      ],
    ],
    [
      "Γ^{1}_{23}",
      [
        ["Γ", 0],
        ["1", 1],
        ["23", -1],
      ],
    ],
    [
      "∂Π/∂q^{4} = 0",
      [
        ["∂Π/∂q", 0],
        ["4", 1],
        [" = 0", 0],
      ],
    ],
    [
      "F_left_arm",
      [
        ["F", 0],
        ["left arm", -1],
      ],
    ],
    [
      "a_{1}_{2}",
      [
        ["a", 0],
        ["1", -1],
        ["2", -1],
      ],
    ],
    ["a_", [["a", 0]]],
    ["_x", [["x", -1]]],
    [
      "a_{1",
      [
        ["a", 0],
        ["{1", -1],
      ],
    ],
  ];
  for (const [text, pieces] of cases) test(`of “${text}”`, () => assert.deepEqual(symbolPieces(text), pieces));
});

describe("writeSymbol", () => {
  const written = (text) => {
    openPage();
    const node = new Node("td");
    writeSymbol(node, text);
    return node.html;
  };

  test("lowers and raises", () => {
    assert.equal(written("ℜ_12^S"), "ℜ<sub>12</sub><sup>S</sup>");
    assert.equal(written("Γ^{1}_{23}"), "Γ<sup>1</sup><sub>23</sub>");
    assert.equal(written(" L_λ"), " L<sub>λ</sub>");
    assert.equal(written("crank"), "crank");
  });

  test("sets text as text", () => {
    openPage();
    const node = new Node("td");
    writeSymbol(node, "<b>_<i>");
    assert.deepEqual(node.children[0], "<b>");
    assert.deepEqual(node.children[1].children, ["<i>"]);
  });
});

test("a symbol in a row of text has no marks", () => assert.equal(plainSymbol("Γ^{1}_{23}"), "Γ123"));

describe("letters of a label", () => {
  test("have the level of their piece", () => {
    assert.deepEqual(lettersOf("F_ab^c"), [
      ["F", 0],
      ["a", -1],
      ["b", -1],
      ["c", 1],
    ]);
  });

  test("that are small in Unicode are written as the others", () => {
    assert.deepEqual(lettersOf("S₂ᵃ"), [
      ["S", 0],
      ["2", -1],
      ["a", 1],
    ]);
    assert.deepEqual(lettersOf("q²"), [
      ["q", 0],
      ["2", 1],
    ]);
    assert.deepEqual(lettersOf("a_₂"), [
      ["a", 0],
      ["2", -1],
    ]);
  });

  test("of two code units stay whole", () =>
    assert.deepEqual(lettersOf("𝔍_n"), [
      ["𝔍", 0],
      ["n", -1],
    ]));
});

describe("the title of a slider", () => {
  test("of a component has its index below", () => {
    assert.equal(symbolOf({ title: "ρ_x", group: "rod" }), "ρ_{x}");
    assert.equal(symbolOf({ title: "J_xy of the rod", group: "rod" }), "J_{xy} of the rod");
    assert.equal(symbolOf({ title: "e₂_z", group: "joint" }), "e₂_{z}");
  });

  test("of a parameter is its symbol in formulae, or a word, and so is any other", () => {
    assert.equal(symbolOf({ title: "J_xx", group: "Parameters", symbol: "" }), null);
    assert.equal(symbolOf({ title: "m2", group: "Parameters", symbol: "m_{2}" }), "m_{2}");
    assert.equal(symbolOf({ title: "m_x", group: "rod" }), null);
    assert.equal(symbolOf({ title: "mass", group: "rod" }), null);
  });
});
