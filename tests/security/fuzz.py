"""Open spoilt files and answers under an audit hook: ``python -m tests.security.fuzz models 10000 1``.

Kinds: models, robots, keys, submissions, answers, strings, and canary, which does what none of them may. Prints one
line of JSON: how many were valid (the others were refused with a typed error), what else was raised, what the
interpreter was asked to execute, import, open or connect to meanwhile, the slowest case in seconds of processor time,
and the growth of memory in megabytes.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import resource
import sys
import time
from collections.abc import Callable
from typing import Any

from mbwidgets.assignments import Verdict
from mbwidgets.assignments.keyfile import read_answers, read_key
from mbwidgets.errors import MbwidgetsError
from mbwidgets.files import dumps, loads, loads_urdf
from tests.assignments.samples import assignment
from tests.security import corpus
from tests.watch import FORBIDDEN

KEY = assignment()
LONGEST_MESSAGE = 3000
NOTICED = 0.03
_events: list[str] | None = None


def _hook(event: str, arguments: tuple[object, ...]) -> None:
    if _events is not None and event.startswith(FORBIDDEN):
        _events.append(f"{event} {arguments!r:.80}")


def open_model(data: Any) -> bool:
    """A model file is opened, shown and written again."""
    model = loads(data)
    repr(model), model._repr_html_()
    assert loads(dumps(model)) == model
    return True


def open_robot(data: Any) -> bool:
    """A URDF file is opened."""
    imported = loads_urdf(data)
    repr(imported.model), imported.model._repr_html_()
    return True


def open_key(data: Any) -> bool:
    """A key is opened, and a variant drawn."""
    key = read_key(data)
    variant = key.variant("s1")
    repr(variant), variant._repr_markdown_(), variant.model_hash
    for question in key.questions:
        question.hint()
    return True


def open_answers(data: Any) -> bool:
    """A file of answers is opened."""
    read_answers(data)
    return True


def judge(case: Any) -> bool:
    """An answer is judged; one that cannot be read is a verdict, not an error."""
    question, text = case
    result = KEY.check("s1", question, text)
    assert 0 <= result.points <= result.possible
    assert len(str(result)) < LONGEST_MESSAGE
    return result.verdict is not Verdict.UNREADABLE


def _judged_everywhere(text: Any) -> bool:
    """A hostile string as every kind of answer, as a file and inside files."""
    for question in KEY.questions:
        judge((question.name, text))
    for opens in (open_model, open_robot, open_key, open_answers):
        _typed(opens, text)
    _typed(open_model, json.dumps({"bodies": [{"name": text, "mass": text}], "name": text}))
    attribute = text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
    _typed(open_robot, f'<robot name="{attribute}"><link name="{attribute}"/></robot>')
    return True


def _typed(opens: Callable[[Any], bool], data: Any) -> bool:
    try:
        return opens(data)
    except MbwidgetsError as error:
        assert len(str(error)) < LONGEST_MESSAGE  # noqa: PT017
        return False


def cases(kind: str, count: int, seed: int) -> Any:
    """(what opens it, the case), so many times."""
    source = random.Random(f"{kind} {seed}")
    if kind == "canary":
        yield lambda _: bool(open(os.devnull).close()), "what a hostile file would do"
        return
    if kind == "strings":
        for text in corpus.hostile():
            yield _judged_everywhere, text
        return
    for _ in range(count):
        if kind == "models":
            text = source.choice(corpus.models())
            spoil = source.choice([corpus.spoilt_bytes, corpus.spoilt_data, corpus.spoilt_data])
            yield open_model, spoil(source, text)
        elif kind == "robots":
            spoil = source.choice([corpus.spoilt_bytes, corpus.spoilt_markup, corpus.spoilt_markup])
            yield open_robot, spoil(source, source.choice(corpus.robots()))
        elif kind in ("keys", "submissions"):
            texts, opens = (corpus.keys(), open_key) if kind == "keys" else (corpus.submissions(), open_answers)
            spoil = source.choice([corpus.spoilt_bytes, corpus.spoilt_data, corpus.spoilt_data])
            yield opens, spoil(source, texts[0])
        else:
            yield judge, _answer(source)


def _answer(source: random.Random) -> tuple[str, str]:
    question, right = source.choice(corpus.answers())
    kind = source.randrange(4)
    if kind == 0:
        return question, corpus.spoilt_bytes(source, right).decode("utf-8", "replace")
    if kind == 1:
        parts = [corpus.made_up(source) for _ in range(3)]
        return question, f"[{', '.join(parts)}]"
    if kind == 2:
        return question, corpus.made_up(source)
    hostile = source.choice(corpus.hostile())
    place = source.randrange(len(right))
    return question, source.choice([hostile, right[:place] + hostile + right[place:], f"[0, {hostile}, 0]"])


def run(kind: str, count: int, seed: int) -> dict[str, Any]:
    """Open every case and tell what happened."""
    global _events
    _warm()
    prepared = list(cases(kind, count, seed))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    report: dict[str, Any] = {
        "kind": kind,
        "cases": len(prepared),
        "valid": 0,
        "faults": [],
        "slowest": 0.0,
        "slow": "",
    }
    _events = []
    for opens, case in prepared:
        begin = time.process_time()
        try:
            report["valid"] += _typed(opens, case)
        except Exception as error:
            report["faults"].append(f"{type(error).__name__}: {error!s:.200} for {case!r:.300}")
        spent = time.process_time() - begin
        for _ in range(3 if spent > NOTICED else 0):  # a busy machine slows a case down once, not four times
            begin = time.process_time()
            with contextlib.suppress(Exception):
                opens(case)
            spent = min(spent, time.process_time() - begin)
        if spent > report["slowest"]:
            report["slowest"], report["slow"] = spent, f"{case!r:.200}"
    report["events"], _events = _events, None
    report["megabytes"] = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    return report


def _warm() -> None:
    """Lazy imports happen here, not under the watch."""
    for text in corpus.models():
        open_model(text)
    for text in (
        "{",
        '{"bodies": [{"name": "a", "mass": "sqrt(-1.0)"}]}',
        '{"bodies": [{"name": "a", "parent": "b"}]}',
    ):
        _typed(open_model, text)
    for text in (*corpus.robots(), "<", "<robot/>"):
        _typed(open_robot, text)
    open_key(corpus.keys()[0])
    for question, text in corpus.answers():
        judge((question, text))
        judge((question, "log(-m) + zz"))
    judge(("force", "[sin(2*m)/2 - sin(m)*cos(m) - m*e*omega**2, m*e*alpha, 0]"))
    judge(("force", "[1, 2, 3]"))


if __name__ == "__main__":
    sys.addaudithook(_hook)
    print(json.dumps(run(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))))
