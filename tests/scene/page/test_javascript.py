"""Modules with imports become one text: what is joined, in which order, and what is refused."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import mbwidgets
from mbwidgets.scene.page.es_modules import read_module
from mbwidgets.scene.page.javascript import JavaScriptError, join_modules, join_script
from mbwidgets.scene.page.javascript_text import blank_literals

PACKAGE = Path(mbwidgets.__file__).parent
OURS = sorted(PACKAGE.rglob("*.js"))
WIDGETS = [path for path in OURS if "\nexport default " in path.read_text(encoding="utf-8")]
NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="node runs the text that was joined")


def write(folder: Path, **modules: str) -> Path:
    """Files of these names; returns the path of `entry`."""
    for name, text in modules.items():
        (folder / f"{name}.js").write_text(text, encoding="utf-8")
    return (folder / "entry.js").resolve()


def evaluate(folder: Path, text: str, expression: str) -> str:
    """What node prints for an expression of `widget`, the default export of a text."""
    assert NODE is not None
    (folder / "joined.mjs").write_text(text, encoding="utf-8")
    script = f'import widget from "./joined.mjs"; console.log({expression});'
    (folder / "run.mjs").write_text(script, encoding="utf-8")
    done = subprocess.run([NODE, "run.mjs"], cwd=folder, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def refused(folder: Path, **modules: str) -> str:
    """The words with which a widget of these modules is refused."""
    with pytest.raises(JavaScriptError) as caught:
        join_modules(write(folder, **modules))
    return str(caught.value)


@needs_node
def test_a_widget_gets_what_it_imports_and_what_that_imports(tmp_path: Path) -> None:
    entry = write(
        tmp_path,
        low="export const two = 2;\n",
        high='import { two } from "./low.js";\n\nexport function four() {\n  return two * two;\n}\n',
        entry='import { four } from "./high.js";\nimport { two } from "./low.js";\n'
        "export default { sum: four() + two };\n",
    )
    assert evaluate(tmp_path, join_modules(entry), "widget().sum") == "6"


def test_a_module_that_two_import_is_there_once_and_before_both(tmp_path: Path) -> None:
    entry = write(
        tmp_path,
        base="export const base = 1;\n",
        left='import { base } from "./base.js";\nexport const left = base;\n',
        right='import { base } from "./base.js";\nexport const right = base;\n',
        entry='import { right } from "./right.js";\nimport { left } from "./left.js";\n'
        "export default { left, right };\n",
    )
    text = join_modules(entry)
    assert re.findall(r"^const (\w+) = ", text, re.MULTILINE) == ["make", "base", "right", "left"]
    assert "import" not in text
    assert text.count("export") == 1


@needs_node
def test_the_second_widget_of_a_kind_takes_what_the_first_one_made(tmp_path: Path) -> None:
    text = join_modules(write(tmp_path, entry="export default { made: Symbol() };\n"))
    (tmp_path / "again.mjs").write_text(text, encoding="utf-8")
    same = '(await import("./again.mjs")).default().made === widget().made'
    assert evaluate(tmp_path, text, same) == "true"


def test_widgets_of_other_text_have_other_keys(tmp_path: Path) -> None:
    def key(value: int) -> str:
        (tmp_path / str(value)).mkdir()
        text = join_modules(write(tmp_path / str(value), entry=f"export default {{ value: {value} }};\n"))
        (found,) = re.findall(r'\["(\w+)"\] \?\?= make', text)
        return str(found)

    assert key(1) != key(2)


def test_a_script_of_a_page_is_joined_without_a_wrapper(tmp_path: Path) -> None:
    entry = write(
        tmp_path,
        part="export const word = 1;\n",
        entry='// A page.\nimport { word } from "./part.js";\n\nshow(word);\n',
    )
    assert join_script(entry) == "const word = 1;\n// A page.\n\nshow(word);\n"


def test_a_script_with_a_default_export_is_refused(tmp_path: Path) -> None:
    with pytest.raises(JavaScriptError, match="is a script"):
        join_script(write(tmp_path, entry="export default { a };\n"))


def test_words_of_the_language_in_texts_comments_and_patterns_are_left_alone(tmp_path: Path) -> None:
    text = (
        "// import { no } from './nowhere.js';\n"
        "/*\nexport const no = 1;\n*/\n"
        'const words = "import(no)";\n'
        "const lines = `\nimport { no } from ${words + `export ${1 / 2}`}\nconst no = 1;\n`;\n"
        "const pattern = /[/\"'`]export{2}/g;\n"
        "const half = (1 + 2) / 2 / 3;\n"
    )
    module = read_module(write(tmp_path, entry=text))
    assert module.names == ("words", "lines", "pattern", "half")
    assert module.body == text
    assert module.imports == ()


def test_blanks_keep_every_line_in_its_place() -> None:
    for path in OURS:
        text = path.read_text(encoding="utf-8")
        for blanked in blank_literals(text):
            assert len(blanked) == len(text), path
            assert [i for i, c in enumerate(blanked) if c == "\n"] == [i for i, c in enumerate(text) if c == "\n"], path


def test_every_kind_of_declaration_is_known_by_its_name(tmp_path: Path) -> None:
    entry = write(
        tmp_path,
        entry="export const a = 1;\nlet b;\nconst [c, d] = [1, 2];\nexport function e() {}\n"
        "async function f() {}\nexport async function g() {}\nfunction* h() {}\nexport class I {}\nb = 2;\n",
    )
    module = read_module(entry)
    assert module.names == ("a", "b", "c", "d", "e", "f", "g", "h", "I")
    assert module.exports == {"a", "e", "g", "I"}
    assert "export" not in module.body


@pytest.mark.parametrize(
    "line",
    [
        'import part from "./part.js";',
        'import * as part from "./part.js";',
        'import { part as other } from "./part.js";',
        'import "./part.js";',
        'import { part } from "part";',
        'import { part } from "https://somewhere.org/part.js";',
        'const part = await import("./part.js");',
        'const part = () => import("./part.js");',
        "const here = import.meta.url;",
        "const part = await fetch(1);",
        'export { part } from "./part.js";',
        'export * from "./part.js";',
        "export { part };",
        "export default\n  { part };",
        "var part = 1;",
        "const { part } = { part: 1 };",
        "const [part, ...rest] = [1, 2];",
        "const part = 1, other = 2;",
        "const part = 1; const other = 2;",
        "const part = function () {};",
        "  const part = 1;",
        "const part = 1",
        "const part = 'one;",
        "const part = `one;",
        "const part = (1;",
        "const part = 1);",
    ],
)
def test_what_is_not_understood_is_refused_with_its_module(tmp_path: Path, line: str) -> None:
    words = refused(tmp_path, part="export const part = 1;\n", entry=f"{line}\n")
    assert words.startswith("entry.js: ")


def test_a_refusal_names_the_line(tmp_path: Path) -> None:
    words = refused(tmp_path, entry='// A widget.\n\nimport part from "./part.js";\n\nexport default { part };\n')
    assert words == 'entry.js: line 3 is not understood: “import part from "./part.js";”'


def test_a_name_that_is_not_exported_is_refused(tmp_path: Path) -> None:
    entry = 'import { known, hidden, missing } from "./part.js";\nexport default { known };\n'
    words = refused(tmp_path, part="export const known = 1;\nconst hidden = 2;\n", entry=entry)
    assert words == "entry.js imports hidden, missing: part.js does not export it"


def test_a_module_that_is_not_there_is_refused(tmp_path: Path) -> None:
    words = refused(tmp_path, entry='import { a } from "./nowhere.js";\nexport default { a };\n')
    assert words == f"there is no module {tmp_path.resolve() / 'nowhere.js'}"


IMPORTS_ONE = 'import { one } from "./one.js";\n'
REFUSED_TOGETHER = {
    "modules import each other: one.js → two.js → one.js": {
        "one": 'import { two } from "./two.js";\nexport const one = 1;\n',
        "two": f"{IMPORTS_ONE}export const two = 2;\n",
        "entry": f"{IMPORTS_ONE}export default {{ one }};\n",
    },
    "entry.js defines SIZE, which is defined in one.js too": {
        "one": "const SIZE = 1;\nexport const one = SIZE;\n",
        "entry": f"{IMPORTS_ONE}const SIZE = 2;\nexport default {{ one, SIZE }};\n",
    },
    "entry.js imports one.js, which is a widget's own: it has `export default`": {
        "one": "export const one = 1;\nexport default { one };\n",
        "entry": f"{IMPORTS_ONE}export default {{ one }};\n",
    },
}
"""Modules of which each could be joined alone, by the words with which they are refused together."""


@pytest.mark.parametrize(("words", "modules"), REFUSED_TOGETHER.items(), ids=["a circle", "a name twice", "a widget"])
def test_modules_that_do_not_go_together_are_refused(tmp_path: Path, words: str, modules: dict[str, str]) -> None:
    assert refused(tmp_path, **modules) == words


def test_a_widget_without_a_default_export_is_refused(tmp_path: Path) -> None:
    assert refused(tmp_path, entry="export const render = 1;\n") == "entry.js must have one `export default`"


@pytest.mark.parametrize("rest", ["export default { b: 2 };\n", "const after = 1;\n", "after();\n"])
def test_a_default_export_is_the_last_statement(tmp_path: Path, rest: str) -> None:
    assert (
        refused(tmp_path, entry=f"export default {{ a: 1 }};\n{rest}")
        == "entry.js: `export default` is the last statement"
    )


@needs_node
@pytest.mark.parametrize("path", WIDGETS, ids=lambda path: path.stem)
def test_every_widget_of_ours_gives_what_anywidget_asks_for(tmp_path: Path, path: Path) -> None:
    kinds = evaluate(tmp_path, join_modules(path), "Object.entries(widget()).map(([k, v]) => k + typeof v).join()")
    assert set(kinds.split(",")) <= {"renderfunction", "initializefunction"}
    assert kinds


def test_the_script_of_a_page_is_one_text() -> None:
    text = join_script(PACKAGE / "export" / "page" / "page.js")
    assert not re.search(r"^(?:import|export)\b", text, re.MULTILINE)
    assert "start().catch" in text
