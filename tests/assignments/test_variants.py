"""Variants: the same numbers for student and grader, on every machine and in every later version."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from math import gcd
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mbwidgets as mb
from mbwidgets import assignments as a
from tests.assignments.samples import COURSE, template

# Published with version 0.1.0: a change of any of these breaks every course that is under way.
PUBLISHED = {
    "s1234567": {"m": Fraction(13, 2), "e": Fraction(2, 71), "c": Fraction(1, 25)},
    "s7654321": {"m": 14, "e": Fraction(1, 51), "c": Fraction(1, 25)},
    "Дејан": {"m": 6, "e": Fraction(1, 44), "c": Fraction(1, 20)},
}


@pytest.mark.parametrize("student", PUBLISHED)
def test_published_values_stay(student: str) -> None:
    assert dict(a.Variant(COURSE, student, template()).values) == PUBLISHED[student]


def by_hand(course: str, student: str, parameter: str) -> int:
    """The documented algorithm written out: HMAC by its definition (RFC 2104), block size 64."""
    key = course.encode()
    key = hashlib.sha256(key).digest() if len(key) > 64 else key
    key = key.ljust(64, b"\0")
    message = b"mbwidgets-variant-1\x1frotor\x1f" + student.encode() + b"\x1f" + parameter.encode()
    inner = hashlib.sha256(bytes(x ^ 0x36 for x in key) + message).digest()
    return int(hashlib.sha256(bytes(x ^ 0x5C for x in key) + inner).hexdigest(), 16)


@given(st.text("abcdefgh0123456789-", min_size=1, max_size=80), st.text("xyz0123456789", min_size=1, max_size=20))
def test_the_draw_is_the_documented_one(course: str, student: str) -> None:
    values = a.Variant(course, student, template()).values
    assert values["m"] == 5 + Fraction(by_hand(course, student, "m") % 21, 2)
    assert values["c"] == [Fraction(4, 100), Fraction(5, 100), Fraction(6, 100)][by_hand(course, student, "c") % 3]


def test_another_process_with_another_hash_seed_draws_the_same() -> None:
    code = (
        "from tests.assignments.samples import *; print(dict(a.Variant(COURSE, 's1234567', template()).values)); "
        "print(a.Variant(COURSE, 's1234567', template()).model_hash)"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={"PYTHONHASHSEED": "77", "PYTHONPATH": "."}
    )
    own = a.Variant(COURSE, "s1234567", template())
    assert run.stdout.splitlines() == [str(dict(own.values)), own.model_hash], run.stderr


def test_students_courses_and_templates_differ() -> None:
    own = [a.Variant(COURSE, f"s{i}", template()) for i in range(200)]
    assert len({variant.seed for variant in own}) == 200
    counts = Counter(variant.values["m"] for variant in own)
    assert len(counts) == 21
    assert max(counts.values()) < 30  # 200 draws of 21: more than 30 of one has probability below 1e-6
    other = a.Variant("mechanics-2027", "s1", template())
    assert other.seed != own[1].seed
    assert own[1].model != own[2].model


def test_a_new_parameter_leaves_the_other_numbers() -> None:
    old = template()
    wide = a.Template(old.name, old.model, {**old.draws, "omega": a.Grid(50, 150, 10)})
    more = a.Variant(COURSE, "s1", wide).values
    assert {name: more[name] for name in old.draws} == dict(a.Variant(COURSE, "s1", old).values)


def test_white_space_and_unicode_form_do_not_matter() -> None:
    assert a.Variant(COURSE, " Ünal\n", template()).seed == a.Variant(COURSE, "U\u0308nal", template()).seed


def test_nice_numbers_are_all_small_fractions_once_and_sorted() -> None:
    nice = a.Fractions(-1, 2, denominator=6)
    found = [Fraction(nice.pick(i)) for i in range(len(nice))]
    plain = {Fraction(n, d) for d in range(1, 7) for n in range(-d, 2 * d + 1) if gcd(n, d) == 1}
    assert found == sorted(plain)


def test_the_model_has_the_drawn_numbers() -> None:
    own = a.Variant(COURSE, "s1", template())
    assert own.model.values["m"] == own.values["m"]
    assert own.numbers["Jxz"] == mb.library.rotor().values["Jxz"]
    assert "your value" in own._repr_markdown_()


def test_a_template_survives_its_json_form() -> None:
    old = template()
    new = a.Template.from_dict(old.to_dict())
    assert a.Variant(COURSE, "s1", new).model_hash == a.Variant(COURSE, "s1", old).model_hash


@pytest.mark.parametrize(
    "make",
    [
        lambda: a.Grid(2, 1, 1),
        lambda: a.Grid(0, 1, 0),
        lambda: a.Grid(0, 1, "1e-300"),
        lambda: a.Grid("m", 1, 1),
        lambda: a.Grid(0, float("inf"), 1),
        lambda: a.Fractions(0, 1, 0),
        lambda: a.Fractions(0, 1, 1000),
        lambda: a.Fractions(0, 10**9, 5),
        lambda: a.Fractions("1/3", "2/5", 2),
        lambda: a.OneOf([]),
        lambda: a.OneOf("12"),
        lambda: a.Template("x", mb.library.rotor(), {"nope": a.Grid(0, 1, 1)}),
        lambda: a.Template("x", mb.library.rotor(), {"m": {"type": "grid", "low": 1}}),
        lambda: a.Template("x", mb.library.rotor(), {"m": {"type": ["grid"]}}),
        lambda: a.Template("x", 3, {}),
        lambda: a.Template("", mb.library.rotor(), {}),
        lambda: a.Variant(COURSE, "", template()),
        lambda: a.Variant(COURSE, "a\x1fb", template()),
        lambda: a.Variant(COURSE, "s" * 201, template()),
        lambda: a.Variant(COURSE, 7, template()),
        lambda: a.Variant(COURSE, "\ud800", template()),
        lambda: a.Variant(COURSE, "s", None),
    ],
)
def test_what_cannot_be_drawn_is_refused(make: Any) -> None:
    with pytest.raises(mb.AssignmentError):
        make()
