"""Sentences that follow a motion: Python says what the page says, and nothing where nothing holds."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from mbwidgets.widgets.text.numerals import shortest
from mbwidgets.widgets.text.sentences import Case, Pick, Sentences, below, large, small

SHARED = Path(__file__).parents[2] / "javascript" / "sentences.json"
"""What Python says; node's tests hold the page to it."""
NAN = float("nan")

SENTENCES = Sentences(
    (
        (
            Case("nothing moves", (small(0, 1e-9, 3),)),
            Case("*{@0}* pulls with {0:N}, against {1:+N m} [F_R]", (large(0, 2.0, 1),)),
            Case("{most} gives {most:+N}, {least} {least:+N} back", (below(1, 0.5, 0),)),
        ),
        (Case("{2:°} off", (large(2, 1.0, 3),)), Case("{most} leads", (large("most", 3.0, "least"),))),
    ),
    {
        "most": Pick((0, 1), ("*first* [ℜ_{12}^S]", "second")),
        "least": Pick((0, 1), ("first", "second"), "least"),
    },
    ("a {0:N} *name* [x]",),
    {"F_R": "#D55E00"},
)


def cases() -> list[dict[str, object]]:
    """Numbers of all sizes, and what is said of them."""
    rng = np.random.default_rng(5)
    drawn = [[float(x) for x in row] for row in rng.normal(size=(40, 4)) * 10.0 ** rng.integers(-9, 9, (40, 4))]
    given = [[0.0, 0.0, 0.0, 1.0], [229.3, 1.0, 30.81, 1.0], [5.0, 1.0, 0.5, 1.0], [1.0, 1.0, 3.0, 2.0]]
    found = [{"numbers": row, "said": SENTENCES.said(row)} for row in (*given, *drawn)]
    return [{"sentences": SENTENCES.document(), "cases": found}]


def test_the_page_is_held_to_what_python_says() -> None:
    assert json.loads(SHARED.read_text(encoding="utf-8")) == json.loads(json.dumps(cases()))


def test_the_first_case_that_holds_is_said() -> None:
    assert SENTENCES.said([0.0, 0.0, 0.0, 1.0]) == ["nothing moves"]
    assert SENTENCES.said([229.3, -1.0, 30.81, 1.0]) == [
        "a {0:N} *name* [x] pulls with 229 N, against −1 N m FR",
        "30.8° off",
    ]
    assert SENTENCES.said([5.0, 2.5, 0.5, 1.0])[:1] == []


def test_what_is_no_number_says_nothing() -> None:
    assert SENTENCES.said([NAN, NAN, NAN, NAN]) == []


def test_a_pick_is_the_greatest_or_the_least_with_its_sign() -> None:
    assert Pick((0, 1, 2), ("a", "b", "c")).chosen([-5.0, 3.0, NAN]) == 1
    assert Pick((0, 1, 2), ("a", "b", "c"), "least").chosen([-5.0, 3.0, NAN]) == 0


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (229.34, 3, "229"),
        (-0.00001234, 3, "−0.0000123"),
        (1234567.0, 3, "1230000"),
        (1e-7, 3, "1e−7"),
        (-2.5e22, 3, "−2.5e22"),
        (0.0, 3, "0"),
        (-0.0, 4, "0"),
        (NAN, 3, "–"),
    ],
)
def test_numbers_are_as_short_as_can_be(value: float, digits: int, text: str) -> None:
    assert shortest(value, digits) == text


if __name__ == "__main__":
    SHARED.write_text(json.dumps(cases(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
