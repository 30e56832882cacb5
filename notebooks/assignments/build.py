"""Notebooks of the assignments from one source each: ``python notebooks/assignments/build.py``.

A source in ``sources/`` is a program cut into cells by ``# %%`` lines:

    # %% [markdown]       text
    # %%                  code that everybody sees
    # %% [key]            the list ``QUESTIONS`` with the right answers, for hidden tests and ``keys/`` alone
    # %% [answer q1]      where the student writes; what stands between BEGIN SOLUTION and END SOLUTION is cut out

Out of it come the student's notebook, the solution (which is nbgrader's source version: solution and hidden tests are
marked as it wants them), and the key file for ``mbwidgets grade``. ``--otter folder`` writes tests for otter-grader.
"""

from __future__ import annotations

import argparse
import importlib.util
import re
import sys
from pathlib import Path
from typing import Any

import nbclient
import nbformat

from mbwidgets.assignments import Assignment, load_key, save_key
from mbwidgets.files.jsonfile import write_json

__all__ = ["assignment", "load_key", "main", "names", "notebook", "otter_tests", "pieces", "students_version"]

HERE = Path(__file__).resolve().parent
CUT = re.compile(r"^# %%(?: \[(.*)\])?$", re.MULTILINE)
SOLUTION = re.compile(r"### BEGIN SOLUTION\n.*?### END SOLUTION", re.DOTALL)
HIDDEN = re.compile(r"\n### BEGIN HIDDEN TESTS\n.*?### END HIDDEN TESTS", re.DOTALL)
STUB = "# your answer"
OTTER = '''OK_FORMAT = False

from otter.test_files import test_case

name = "{name}"
points = {points:g}
KEY = r"""{key}"""


@test_case(points={points:g}, hidden=True)
def test_{name}(student, {name}):
    from mbwidgets import assignments

    assignments.demand(KEY, student, "{name}", {name})
'''


def names() -> list[str]:
    """The assignments, by their sources."""
    return sorted(path.stem for path in (HERE / "sources").glob("*.py"))


def assignment(name: str) -> Assignment:
    """The assignment that a source describes; its solutions are run on the way."""
    path = HERE / "sources" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"assignment_{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return Assignment(module.variant.course, module.template, module.QUESTIONS)


def pieces(name: str) -> list[tuple[str, str]]:
    """(kind, text) of the source's cells."""
    parts = CUT.split((HERE / "sources" / f"{name}.py").read_text(encoding="utf-8"))
    kinds, texts = parts[1::2], parts[2::2]
    return [(kind or "code", text.strip("\n")) for kind, text in zip(kinds, texts, strict=True)]


def notebook(name: str) -> Any:
    """The solution, which is nbgrader's source version."""
    key = assignment(name)
    cells = []
    for kind, text in pieces(name):
        number = f"{name}-{len(cells):02}"
        if kind == "markdown":
            plain = "\n".join(line.removeprefix("#").removeprefix(" ") for line in text.splitlines())
            cells.append(_cell("markdown", plain, number, locked=True))
        elif kind == "key":
            cells.append(_cell("code", _key_cell(key), f"{name}-key", locked=True, grade=True, points=0))
        elif kind.startswith("answer "):
            question = kind.removeprefix("answer ")
            cells.append(_cell("code", text, question, solution=True))
            test = _test_cell(question, key.question(question).points)
            points = key.question(question).points
            cells.append(_cell("code", test, f"{question}-test", locked=True, grade=True, points=points))
        else:
            cells.append(_cell("code", text, number, locked="student =" not in text))
    return nbformat.v4.new_notebook(cells=cells, metadata=_metadata())


def students_version(source: Any) -> Any:
    """The notebook without solutions and hidden tests."""
    cells = []
    for cell in source.cells:
        copy = nbformat.from_dict(dict(cell))
        copy.source = HIDDEN.sub("", SOLUTION.sub(STUB, cell.source))
        if copy.cell_type == "code":
            copy.outputs, copy.execution_count = [], None
        cells.append(copy)
    return nbformat.v4.new_notebook(cells=cells, metadata=_metadata())


def _metadata() -> dict[str, Any]:
    return {
        "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }


def _cell(
    kind: str,
    text: str,
    number: str,
    *,
    locked: bool = False,
    grade: bool = False,
    solution: bool = False,
    points: float | None = None,
) -> Any:
    grader = {
        "cell_type": kind,
        "grade": grade,
        "grade_id": number,
        "locked": locked,
        "schema_version": 3,
        "solution": solution,
        "task": False,
        **({} if points is None else {"points": points}),
    }
    make = nbformat.v4.new_markdown_cell if kind == "markdown" else nbformat.v4.new_code_cell
    # nbgrader leaves a cell that it does not know as the student wrote it
    return make(text, id=number, metadata={"nbgrader": grader} if locked or solution else {})


def _key_cell(key: Assignment) -> str:
    text = write_json(key.to_dict()).strip()
    return (
        f"# The right answers stand here when it is graded: {key.possible:g} points in all.\n"
        f'### BEGIN HIDDEN TESTS\nKEY = r"""{text}"""\n### END HIDDEN TESTS'
    )


def _test_cell(question: str, points: float) -> str:
    return (
        f"# {question}, {points:g} points: this is what will be graded\n"
        f"print(assignments.preview({question}))\n"
        f'### BEGIN HIDDEN TESTS\nassignments.score(KEY, student, "{question}", {question})\n### END HIDDEN TESTS'
    )


def run(book: Any, folder: Path) -> Any:
    """The notebook with its outputs."""
    done = nbclient.NotebookClient(book, timeout=120, resources={"metadata": {"path": str(folder)}}).execute()
    for cell in done.cells:
        cell.metadata.pop("execution", None)
        streams = [output for output in cell.get("outputs", ()) if output.output_type == "stream"]
        for extra in streams[1:]:  # one stream, however the kernel cut it
            streams[0].text += extra.text
            cell.outputs.remove(extra)
    return done


def otter_tests(name: str) -> dict[str, str]:
    """A test file for otter-grader by question."""
    key = assignment(name)
    found = {}
    for question in key.questions:
        own = Assignment(key.course, key.template, [question])
        text = write_json(own.to_dict()).strip()
        found[question.name] = OTTER.format(name=question.name, points=question.points, key=text)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", default=names(), help="assignments (default: all)")
    parser.add_argument("--otter", type=Path, help="write tests for otter-grader into this folder instead")
    options = parser.parse_args()
    for name in options.names:
        if options.otter:
            (options.otter / name / "tests").mkdir(parents=True, exist_ok=True)
            for question, text in otter_tests(name).items():
                (options.otter / name / "tests" / f"{question}.py").write_text(text, encoding="utf-8")
            continue
        for folder in ("solutions", "keys"):
            (HERE / folder).mkdir(exist_ok=True)
        source = notebook(name)
        nbformat.write(run(students_version(source), HERE), HERE / f"{name}.ipynb")
        nbformat.write(run(source, HERE), HERE / "solutions" / f"{name}.ipynb")
        save_key(assignment(name), HERE / "keys" / f"{name}.json")
        print(f"{name}: student, solution, key")
    return 0


if __name__ == "__main__":
    sys.exit(main())
