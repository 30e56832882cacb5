"""The notebook that answers *how do I …?*: twelve tasks, each in at most a dozen lines beyond the model."""

from __future__ import annotations

import ast
import json
from pathlib import Path

NOTEBOOK = Path(__file__).parents[1] / "notebooks" / "08_how_do_i.ipynb"
MAKERS = {
    "Body",
    "Model",
    "Parameter",
    "load",
    "pendulum",
    "slider_crank",
    "cart_pendulum",
    "three_body_arm",
    "four_bar",
}
"""What a statement calls that makes the model."""


def _makes_the_model(statement: ast.stmt) -> bool:
    if not (isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call | ast.Tuple)):
        return False
    made = statement.value.elts if isinstance(statement.value, ast.Tuple) else [statement.value]
    called = [item.func.attr for item in made if isinstance(item, ast.Call) and isinstance(item.func, ast.Attribute)]
    return bool(called) and set(called) <= MAKERS


def lines_beyond_the_model(source: str) -> int:
    """Lines with code, less those of statements that make the model."""
    models = [part for part in ast.parse(source).body if _makes_the_model(part)]
    left = set(range(1, len(source.splitlines()) + 1))
    for part in models:
        left -= set(range(part.lineno, (part.end_lineno or part.lineno) + 1))
    lines = source.splitlines()
    return sum(bool(lines[k - 1].strip()) for k in left)


def test_twelve_tasks_take_at_most_a_dozen_lines_each() -> None:
    cells = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    titles = [line for c in cells if c["cell_type"] == "markdown" for line in c["source"] if line.startswith("## …")]
    first, *tasks = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    assert all(isinstance(part, ast.Import | ast.ImportFrom) for part in ast.parse(first).body)
    assert len(titles) == len(tasks) == 12
    assert {
        title: count for title, task in zip(titles, tasks, strict=True) if (count := lines_beyond_the_model(task)) > 12
    } == {}


def test_lines_are_counted_as_a_reader_does() -> None:
    source = "arm = mb.load(\n    'arm.urdf'\n)\n\nmotion = mb.simulate(arm)\nprint(\n    motion\n)\n"
    assert lines_beyond_the_model(source) == 4
    assert lines_beyond_the_model("m, n = mb.Parameter('m'), 2\nmodel = mb.Model([mb.Body('a')])\nprint(1)") == 1
