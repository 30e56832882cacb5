"""The ready assignments in nbgrader: released, handed in, graded; full marks, none, and feedback."""

from __future__ import annotations

import csv
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import nbformat
import pytest

from mbwidgets.assignments import FEEDBACK

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "notebooks" / "assignments"


def builder() -> ModuleType:
    spec = importlib.util.spec_from_file_location("build_assignments", FOLDER / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


BUILD = builder()
NAMES = BUILD.names()

# By assignment: question, what a student with the number of the notebook writes, and what is said.
WRONG: dict[str, list[tuple[str, str, str]]] = {
    "rotor": [
        ("q1", "'[0, -m*e, 0]'", FEEDBACK["sign"]),
        ("q2", "'[[1/5, 0, Jxz], [0, 1/4, 0], [Jxz, 0, 1/10]]'", FEEDBACK["pole"]),
        ("q3", "'[0, Jxz - m*e*c, 0]'", FEEDBACK["order"]),
        ("q4", "'[m*e*omega**2, -m*e*alpha, 0]'", "This is the pressure on the bearing"),
        ("q5", "'[5*(Jxz - m*e*c), omega**2*(Jxz - m*e*c), 5*(1/10 + m*e**2)]'", FEEDBACK["effort"]),
        ("q6", "'m1 = 1, x1 = -m*e, m2 = 1, x2 = 0'", "The deviation moment is not zero yet."),
    ],
    "crusher": [
        ("q1", "'[[I1, m*a*R*cos(q[0] - q[1])], [m*a*R*cos(q[0] - q[1]), I2]]'", FEEDBACK["pole"]),
        (
            "q2",
            "'[M - m*g*R*sin(q[0]) + m*a*R*sin(q[0] - q[1])*u[1]**2, '"
            " 'm*a*R*cos(q[0] - q[1])*u[0]**2 + m*g*a*sin(q[1])]'",
            "This is (3.20) with its errata",
        ),
        ("q3", "freed.B[:2].T", FEEDBACK["transposed"]),
        ("q4", "mb.Dynamics(model).forward(model.q0, model.u0)", "relative to the drum"),
        ("q5", "-mb.Dynamics(model).reactions(model.q0, model.u0, ud)[1, :2]", FEEDBACK["sign"]),
        ("q6", "'M0 = 0'", "The drum still has an angular acceleration"),
    ],
    "arm": [
        ("q1", "'[[1, 2], [3'", "a bracket is not closed"),
        ("q2", "[gamma[0, 0, 1], 2 * gamma[0, 1, 0], gamma[1, 1, 0]]", "A factor of 2 is amiss"),
        ("q3", "'[0, m*g*l*sin(q[1])]'", "it is the cosine"),
        ("q4", "covariant.equations() - [gamma[0, 1, 0] * mb.Formula('u[0]*u[1]'), 0]", FEEDBACK["coupled"]),
        ("q5", "-mb.Dynamics(model).bias(model.q0, model.u0)", FEEDBACK["sign"]),
        ("q6", "'t,q[0],q[1]\\n0,0,0\\n'", "the question asks for a CSV table"),
    ],
}
BEFORE = {
    "crusher": (
        "freed = mb.release(crusher, 'hammer', coordinates=mb.library.absolute_angles(crusher))\n"
        "ud = mb.Dynamics(model).forward(model.q0, model.u0)\n"
    ),
    "arm": "covariant = mb.covariant(model)\ngamma = covariant.christoffel(kind=1)\n",
}


def answered(release: Any, texts: dict[str, str], student: str) -> Any:
    """A released notebook with answer cells filled."""
    copy = nbformat.from_dict(release)
    for cell in copy.cells:
        if cell.id in texts:
            cell.source = texts[cell.id]
        cell.source = cell.source.replace('student = "s0000000"', f'student = "{student}"')
    return copy


def solutions(name: str) -> dict[str, str]:
    return {kind.removeprefix("answer "): text for kind, text in BUILD.pieces(name) if kind.startswith("answer ")}


@pytest.mark.parametrize("name", NAMES)
def test_the_notebooks_are_what_the_source_gives(name: str) -> None:
    source = BUILD.notebook(name)
    for path, wanted in (("solutions", source), (".", BUILD.students_version(source))):
        stored = nbformat.read(FOLDER / path / f"{name}.ipynb", as_version=4)
        assert [(c.id, c.source, c.metadata) for c in stored.cells] == [
            (c.id, c.source, c.metadata) for c in wanted.cells
        ], f"run python notebooks/assignments/build.py {name}"
    assert BUILD.load_key(FOLDER / "keys" / f"{name}.json").hash == BUILD.assignment(name).hash


@pytest.mark.parametrize("name", NAMES)
def test_no_answer_is_in_the_students_notebook(name: str) -> None:
    text = (FOLDER / f"{name}.ipynb").read_text(encoding="utf-8")
    assert "KEY" not in text
    assert "BEGIN SOLUTION" not in text
    for question in BUILD.assignment(name).questions:
        secret = getattr(question, "answer", None) or ""
        assert len(secret) < 8 or secret not in text


class Course:
    """A course of nbgrader in a folder."""

    def __init__(self, place: Path) -> None:
        self.place = place
        shutil.copy(FOLDER / "nbgrader_config.py", place)

    def run(self, *arguments: str) -> str:
        paths = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
        # nbgrader calls alembic by its name, whether the environment is activated or not
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
        own = {name: f"{self.place}/{name}" for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "IPYTHONDIR")}
        done = subprocess.run(
            [sys.executable, "-m", "nbgrader", *arguments],
            cwd=self.place,
            env=os.environ | own | {"PYTHONPATH": paths, "PATH": path},
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    def hand_in(self, student: str, name: str, book: Any) -> None:
        path = self.place / "submitted" / student / name / f"{name}.ipynb"
        path.parent.mkdir(parents=True)
        nbformat.write(book, path)

    def grades(self) -> dict[tuple[str, str], tuple[float, float]]:
        self.run("export")
        with open(self.place / "grades.csv", newline="", encoding="utf-8") as stream:
            rows = list(csv.DictReader(stream))
        return {
            (row["assignment"], row["student_id"]): (float(row["score"] or 0), float(row["max_score"])) for row in rows
        }


@pytest.mark.slow
@pytest.mark.parametrize("name", [NAMES[0], *(pytest.param(name, marks=pytest.mark.thorough) for name in NAMES[1:])])
def test_nbgrader_releases_and_grades_the_assignment(name: str, tmp_path: Path) -> None:
    pytest.importorskip("nbgrader", reason="nbgrader is in the test extra: pip install .[test]")
    course = Course(tmp_path)
    (tmp_path / "source" / name).mkdir(parents=True)
    shutil.copy(FOLDER / "solutions" / f"{name}.ipynb", tmp_path / "source" / name)
    course.run("generate_assignment", name)
    release = nbformat.read(tmp_path / "release" / name / f"{name}.ipynb", as_version=4)
    ours = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
    assert [cell.source for cell in release.cells] == [cell.source for cell in ours.cells]
    course.hand_in("solver", name, answered(release, solutions(name), "solver"))
    course.hand_in("idler", name, release)
    wrong = {question: f"{BEFORE.get(name, '')}{question} = {text}" for question, text, _ in WRONG[name]}
    course.hand_in("learner", name, answered(release, wrong, "learner"))
    course.run("autograde", name)
    grades, possible = course.grades(), BUILD.assignment(name).possible
    assert grades[name, "solver"] == (possible, possible)
    assert grades[name, "idler"] == (0, possible)
    assert 0 <= grades[name, "learner"][0] < possible / 2
    graded = nbformat.read(tmp_path / "autograded" / "learner" / name / f"{name}.ipynb", as_version=4)
    said = {cell.id: "".join(output.get("text", "") for output in cell.get("outputs", ())) for cell in graded.cells}
    for question, _, feedback in WRONG[name]:
        assert feedback in said[f"{question}-test"], (question, said[f"{question}-test"])


def test_the_wrong_answers_are_of_many_kinds() -> None:
    told = [feedback for rows in WRONG.values() for _, _, feedback in rows]
    assert set(WRONG) == set(NAMES)
    assert len(told) >= 10
    assert len({*told} & {*FEEDBACK.values()}) >= 5
