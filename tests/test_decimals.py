"""A written decimal is its decimal fraction: in texts, in Python, in solids, in files, in answers and in formulae."""

from __future__ import annotations

import itertools
import math
import operator
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets import assignments as a
from mbwidgets.errors import ExpressionError, FileError
from mbwidgets.expressions import Expression, Symbol, parse_expression
from mbwidgets.files.jsonfile import dumps, loads
from mbwidgets.symbolic.ring.scalar_reader import Reader

EXPRESSIONS = 1000
OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}


def said(value: Any) -> Fraction:
    """The fraction that a folded constant stands for."""
    assert not isinstance(value, Expression), value
    return Fraction(repr(value)) if isinstance(value, float) else Fraction(value)


def random_number(chance: random.Random) -> str:
    """One to seventeen digits, with a point or an exponent or neither."""
    digits = str(chance.randrange(1, 10 ** chance.randint(1, 17)))
    place = chance.randint(0, len(digits))
    plain = f"{digits[:place] or '0'}.{digits[place:] or '0'}"
    return chance.choice([digits, plain, plain, f"{plain}e{chance.randint(-12, 12)}"])


def random_expression(chance: random.Random, depth: int = 3) -> tuple[str, Fraction]:
    """A text in decimals and the fraction that it says."""
    if depth == 0 or chance.random() < 0.15:
        text = random_number(chance)
        return text, Fraction(text)
    if chance.random() < 0.15:
        inside, value = random_expression(chance, 0)
        power = chance.randint(2, 4)
        return f"({inside})**{power}", value**power
    (left, one), (right, two) = random_expression(chance, depth - 1), random_expression(chance, depth - 1)
    sign = chance.choice([name for name in OPERATIONS if two or name != "/"])
    return f"({left}) {sign} ({right})", OPERATIONS[sign](one, two)


def test_a_thousand_random_decimal_expressions_are_what_fractions_say(seed: int) -> None:
    chance = random.Random(seed)
    reader = Reader()
    for number in range(EXPRESSIONS):
        text, expected = random_expression(chance)
        note = f"seed {seed}, number {number}: {text}"
        assert said(parse_expression(text)) == expected, note
        assert reader.read(parse_expression(f"({text})*m")) == reader.read("m") * expected, note


def test_python_floats_meet_parameters_as_decimals(seed: int) -> None:
    chance, m = random.Random(seed), mb.Parameter("m", 0.1)
    reader = Reader()
    for number in range(200):
        factors = [float(random_number(chance)) for _ in range(4)]
        product: Any = m
        for factor in factors:
            product = product * factor if chance.random() < 0.5 else factor * product
        expected = math.prod(Fraction(repr(factor)) for factor in factors)
        assert reader.read(product) == reader.read("m") * expected, f"seed {seed}, number {number}: {factors}"
    assert str(0.5 * m / 3) == "1/6*m"
    assert str(m / 3.0) == "1/3*m"
    assert str(0.1 * m * 3) == "0.3*m"
    assert m**2.0 == m**2
    assert m**0.5 == mb.sqrt(m)
    assert str(m * np.float32(0.1)) == "0.1*m"


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("0.5*m*l**2/3*u[0]**2", "m*l**2*u[0]**2/6"),
        ("m/3.0", "m/3"),
        ("2.0*m/3", "2*m/3"),
        ("m/1.5", "2*m/3"),
        ("(0.1 + 0.2)*m", "3*m/10"),
        ("m*sqrt(2.0)", "m*sqrt(2)"),
        ("m*sqrt(0.5)", "m/sqrt(2)"),
        ("m*sin(0.1*3)", "m*sin(3/10)"),
        ("m*l**2.0", "m*l**2"),
        ("m**0.5", "sqrt(m)"),
        ("0.33333333333333333333*m", "33333333333333333333/100000000000000000000*m"),
    ],
)
def test_an_answer_in_decimals_is_marked_as_one_in_fractions(text: str, same: str) -> None:
    letters = dict.fromkeys(("m", "l", "u[0]"))
    template = a.Template("rotor", mb.library.rotor(), {"m": a.Grid(5, 15, "0.5")})
    for key, answer in ((same, text), (text, same)):
        question = a.Symbolic(name="q", answer=key, letters=letters)
        assert a.Assignment("course", template, [question]).check("s1", "q", answer).points == 1, (key, answer)


def test_a_wrong_decimal_is_still_wrong() -> None:
    template = a.Template("rotor", mb.library.rotor(), {"m": a.Grid(5, 15, "0.5")})
    question = a.Symbolic(name="q", answer="m/3", letters={"m": None})
    assert a.Assignment("course", template, [question]).check("s1", "q", "0.3333333333333333*m").points == 0


def test_solids_of_decimals_have_the_mass_properties_of_the_same_fractions(seed: int) -> None:
    chance = random.Random(seed)

    def some() -> Fraction:
        return Fraction(chance.randint(1, 999_999), 10 ** chance.randint(1, 6))

    for _ in range(15):
        x, y, z, mass, density, shift = (some() for _ in range(6))
        kinds: list[tuple[Callable[..., Any], tuple[Fraction, ...]]] = [
            (lambda p, q, r, **k: mb.Box((p, q, r), **k), (x, y, z)),
            (lambda p, q, r, **k: mb.Ellipsoid((p, q, r), **k), (x, y, z)),
            (mb.Cylinder, (x, y)),
            (mb.Cone, (x, y)),
            (mb.Sphere, (x,)),
            (mb.Rod, (x,)),
            (lambda p, q, r, **k: mb.Tube(p + q, q, r, **k), (x, y, z)),
        ]
        for (make, sizes), given in itertools.product(kinds, ({"mass": mass}, {"density": density})):
            if make is kinds[-1][0]:
                sizes = (sizes[0] + sizes[1], sizes[1], sizes[2])
                make = mb.Tube
            exact = make(*sizes, at=(shift, 0, 0), **given)
            floats = make(*map(float, sizes), at=(float(shift), 0, 0), **{k: float(v) for k, v in given.items()})
            assert _fractions(floats.properties()) == _fractions(exact.properties()), f"seed {seed}: {floats!r}"
            whole = mb.Composite([floats, mb.Point(at=(0.1, 0.2, 0.3), mass=0.7)])
            other = mb.Composite([exact, mb.Point(at=("1/10", "1/5", "3/10"), mass="7/10")])
            assert _fractions(whole.properties()) == _fractions(other.properties()), f"seed {seed}: {floats!r}"


def _fractions(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(_fractions(item) for item in value)
    if isinstance(value, Expression):
        return Reader().read(value)
    return said(value)


def test_a_solids_decimals_stay_decimals_where_they_can() -> None:
    found = mb.Box((0.1, 0.2, 0.3), at=(0.1, 0, 0), density=1000.0).properties()
    assert (found.mass, found.com) == (6.0, (0.1, 0, 0))
    assert found.inertia[0][0] == 0.065
    assert isinstance(found.inertia[0][0], float)


@pytest.mark.parametrize("name", ["gyroscope", "scara", "three_body_arm", "walking_figure", "rotor", "spinning_top"])
def test_formulae_of_the_library_have_no_digits_of_rounding(name: str) -> None:
    model = getattr(mb.library, name)()
    texts = [mb.covariant(model).metric.text(limit=None)] if name != "spinning_top" else []
    texts += [
        mb.mass_moments(model, body.name, (1, 0, 0), axes="body").inertia.text(limit=None) for body in model.bodies
    ]
    digits = "".join(character if character.isdigit() else " " for text in texts for character in text).split()
    # five decimals of three digits meet in the walking figure; what was rounded has sixteen digits and more
    assert max(map(len, digits)) < 16, max(digits, key=len)


def test_the_quick_starts_own_arm_reads_as_written() -> None:
    m2 = mb.Parameter("m2", 5.0, min=0.1, max=20, unit="kg")
    length = mb.Parameter("l2", 0.6, min=0.1, max=1.5, unit="m")
    upper = mb.Box((0.08, length, 0.08), at=(0, length / 2, 0), mass=m2)
    arm = mb.Model([mb.Body("upper", mb.Revolute("x"), inertia=upper)])
    assert mb.mass_moments(arm, "upper", "x").axial.text() == "m2*(1 + 625*l2**2)/1875"
    assert mb.covariant(arm).metric[0, 0].text() == "m2*(1 + 625*l2**2)/1875"


def test_decimals_come_back_from_files_as_they_went(tmp_path: Any) -> None:
    m = mb.Parameter("m", 0.1)
    body = mb.Body("b", mb.Revolute("z"), mass=0.1 * m * 3, com=(m / 3.0, 0.3, "0.1*3"), inertia=(0.1, 0.1, 0.1))
    model = mb.Model([body])
    again = loads(dumps(model))
    assert again == model
    assert [str(part) for part in again.bodies[0].com] == ["1/3*m", "0.3", "0.3"]
    long = "0.12345678901234567890123"
    longer = loads(dumps(model).replace("0.3", long))
    assert said(longer.bodies[0].com[1]) == Fraction(long)
    assert loads(dumps(longer)) == longer


def test_a_number_too_small_for_a_float_is_refused_not_zero() -> None:
    for text in ("1e-400", "0.000001e-330", "m + 1e-999"):
        with pytest.raises(ExpressionError, match="too small"):
            parse_expression(text)
    assert parse_expression("0.0e-400") == 0
    assert parse_expression("5e-324") == 5e-324
    with pytest.raises(FileError, match="too small"):
        loads('{"format": "mbwidgets-model", "version": 1, "gravity": [0, 0, 1e-400], "bodies": []}')


def test_many_computed_floats_in_one_product_go_on_as_a_float() -> None:
    m: Any = Symbol("m")
    product = m
    for _ in range(60):
        product = product * (math.pi / 3)
    assert product.factors[0] == pytest.approx((math.pi / 3) ** 60, rel=1e-13)  # 60 roundings of 1.1e-16 each


def test_products_of_tiny_decimals_go_on_as_floats() -> None:
    place = (1.3029014752471532e-144, 0, mb.Parameter("a", 1.5))
    can = mb.Composite([mb.Cylinder(3, 6, at=place, density=1)])
    body = mb.Body("can", mb.Revolute("z"), inertia=can)
    assert mb.Model([body]).number(body.mass) == pytest.approx(54 * np.pi)


def test_a_solid_asked_twice_is_the_same_solid() -> None:
    """Whether its numbers are decimals does not depend on which equal floats were met before."""
    bodies = [mb.Body("ball", shape=mb.Sphere(1, at=(0, 0, float("1.46325882568576e-176")), mass=1)) for _ in range(2)]
    assert bodies[0] == bodies[1]
