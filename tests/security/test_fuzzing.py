"""Files and answers from strangers under an audit hook, in a process of their own.

MBWIDGETS_FUZZ=10000 tries that many of each kind (default 500) and then holds every case to 100 ms of processor time
and 200 MB as well.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mbwidgets import assignments as a
from mbwidgets.assignments import Verdict
from mbwidgets.assignments.answers import read_answer
from mbwidgets.assignments.keyfile import read_answers, read_key
from mbwidgets.errors import MbwidgetsError
from mbwidgets.files import loads_urdf
from tests.assignments.samples import assignment
from tests.security import corpus

ROOT = Path(__file__).resolve().parents[2]
FUZZ = os.environ.get("MBWIDGETS_FUZZ")
COUNT = int(FUZZ or 500)
KEY = assignment()


def fuzz(kind: str, seed: int) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.security.fuzz", kind, str(COUNT), str(seed)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60 + COUNT,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


@pytest.mark.parametrize("kind", ["strings", "models", "robots", "keys", "submissions", "answers"])
def test_spoilt_input_is_valid_or_refused_and_nothing_in_it_runs(kind: str, seed: int) -> None:
    report = fuzz(kind, seed)
    assert report["faults"] == [], f"seed {seed}"
    assert report["events"] == []
    assert 0 < report["valid"] <= report["cases"]
    assert report["cases"] >= min(COUNT, 500)
    print({name: report[name] for name in ("kind", "cases", "valid", "slowest", "megabytes")})
    if FUZZ:
        assert report["slowest"] < 0.1, report["slow"]
        assert report["megabytes"] < 200


def test_the_watch_sees_what_a_hostile_file_would_do() -> None:
    assert [event.split()[0] for event in fuzz("canary", 1)["events"]] == ["open"]


def test_the_corpus_has_five_hundred_different_strings() -> None:
    assert len(set(corpus.hostile())) == len(corpus.hostile()) >= 500


@given(st.one_of(st.text(), st.text("0123456789.eE+-*/()[], msincoqtudpi=\n", max_size=200)))
@pytest.mark.parametrize("question", ["static", "tensor", "speed", "force", "balance"])
def test_any_text_is_an_answer_that_is_judged(question: str, text: str) -> None:
    result = KEY.check("s1", question, text)
    assert 0 <= result.points <= result.possible
    assert isinstance(result.verdict, Verdict)


@given(st.text("0123456789.eE+-,\n\"'t naif", max_size=200))
def test_any_table_is_read_or_refused(text: str) -> None:
    assert KEY.public().check("s1", "motion", text).verdict in (Verdict.MISSING, Verdict.UNREADABLE)


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=20)),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=12), inner, max_size=4)),
    max_leaves=12,
)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from([question.to_dict() for question in KEY.questions]), st.data())
def test_any_value_in_a_question_is_valid_or_refused(question: dict[str, Any], data: st.DataObject) -> None:
    field = data.draw(st.sampled_from(sorted(question)))
    changed = {**question, field: data.draw(JSON)}
    try:
        own = a.Assignment(KEY.course, KEY.template, [changed])
    except MbwidgetsError:
        return
    own.questions[0].hint()
    own.public()


@given(JSON)
def test_any_json_is_a_key_or_answers_or_refused(data: Any) -> None:
    for read in (read_key, read_answers):
        with pytest.raises(MbwidgetsError):
            read(json.dumps(data))


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.text(alphabet="<>/=\"' robtlinkjame&;![]-?x0123456789.", max_size=300))
def test_any_markup_is_a_robot_or_refused(text: str) -> None:
    for whole in (text, f'<robot name="r"><link name="a"/>{text}</robot>'):
        try:
            loads_urdf(whole)
        except MbwidgetsError:
            continue


@pytest.mark.parametrize(
    "filename",
    [
        "http://127.0.0.1:1/x.stl",
        "file:///etc/passwd",
        "package://a/../../../etc/passwd",
        "../x.stl",
        "x.stl",
        "/etc/passwd",
    ],
)
def test_a_mesh_is_named_in_a_note_and_never_opened(filename: str) -> None:
    from tests.watch import nothing_executes

    loads_urdf('<robot name="r"><link name="a"/></robot>')
    mesh = f'<visual><geometry><mesh filename="{filename}"/></geometry></visual>'
    text = f'<robot name="r"><link name="a">{mesh}</link></robot>'
    with nothing_executes():
        imported = loads_urdf(text)
    assert any("mesh" in note for note in imported.notes)


@pytest.mark.parametrize("power", ["m**32", "((m+1)**32)**32", "exp(exp(exp(m)))", "(m+e+c)**32*(m-e)**32"])
def test_dear_expressions_are_read(power: str) -> None:
    assert read_answer(power).entries.shape == ()
