"""The functions of expressions mean one thing in text, kernels, formulae, SymPy, LaTeX and generated code."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy

import mbwidgets as mb
from mbwidgets.assignments.answers import named_entries
from mbwidgets.assignments.balls import ball_precision, ball_value_at
from mbwidgets.errors import ExpressionError, ModelError
from mbwidgets.expressions import TIME, derivative, evaluate, from_sympy, parse_expression, to_sympy
from mbwidgets.files import dumps, loads
from mbwidgets.numeric.kernels.memory_layout import tables_of
from mbwidgets.numeric.kernels.term_magnitude import LARGE, terms_magnitude
from mbwidgets.numeric.packing.pack import pack_model
from mbwidgets.numeric.steps import stepper
from mbwidgets.symbolic import Formula
from mbwidgets.symbolic.code.latex import node_latex
from mbwidgets.symbolic.ring.scalar_reader import Reader
from tests.symbolic.code.test_codegen import RUNNERS, need

ROTOR = mb.Model([mb.Body("rotor", mb.Revolute("z"), mass=1, inertia=(1, 1, 1))])

SMOOTH: dict[str, Any] = {
    "tanh(3*t)": lambda t: mpmath.tanh(3 * t),
    "atan(5*t)": lambda t: mpmath.atan(5 * t),
    "asin(t)": mpmath.asin,
    "acos(t)": mpmath.acos,
    "asin(t/(2 + t))": lambda t: mpmath.asin(t / (2 + t)),
    "t*tanh(t)**2 - acos(t/2)/(1 + atan(t)**2)": lambda t: (
        t * mpmath.tanh(t) ** 2 - mpmath.acos(t / 2) / (1 + mpmath.atan(t) ** 2)
    ),
}
KINKED: dict[str, Any] = {
    "abs(t - 1/5)": lambda t: abs(t - mpmath.mpf(1) / 5),
    "sign(t)*t**2": lambda t: mpmath.sign(t) * t**2,
    "abs(sin(3*t))**3 - sign(1 - 4*t)/(1 + abs(t))": lambda t: (
        abs(mpmath.sin(3 * t)) ** 3 - mpmath.sign(1 - 4 * t) / (1 + abs(t))
    ),
    "abs(exp(t) - 1)": lambda t: abs(mpmath.expm1(t)),
    "min(t, 1/3 - t)": lambda t: min(t, mpmath.mpf(1) / 3 - t),
    "max(t**2, 0.05)*min(2, 1 + t)": lambda t: max(t**2, mpmath.mpf("0.05")) * min(2, 1 + t),
    "max(min(t, 1/4), -1/4)": lambda t: max(min(t, mpmath.mpf(1) / 4), -mpmath.mpf(1) / 4),
    "atan2(t, -1 - t)": lambda t: mpmath.atan2(t, -1 - t),
    "atan2(sin(9*t), cos(9*t)/(2 + t))": lambda t: mpmath.atan2(mpmath.sin(9 * t), mpmath.cos(9 * t) / (2 + t)),
    "where(t - 1/5, t**2, -t)": lambda t: t**2 if t >= 0.2 else -t,
    "2*where(t, where(t - 1/2, 1, t), exp(t))/(3 + t)": lambda t: (
        2 * (mpmath.exp(t) if t < 0 else mpmath.mpf(1) if t >= 0.5 else t) / (3 + t)
    ),
}
ALL = SMOOTH | KINKED
POINTS = [-0.95, -0.5, -0.01, 0.125, 0.3, 0.9]


def formula(text: str) -> Formula:
    return Formula(Reader().read(parse_expression(text)))


def signal(text: str, t: float) -> float:
    """The value that the stack machine of the kernels gives."""
    out = np.zeros(1)
    packed = pack_model(ROTOR, signals=[parse_expression(text)])
    stepper.read_signals(packed.model, packed.new_data(), t, np.zeros(3), 1, out)
    return float(out[0])


@pytest.fixture
def engines() -> Iterator[None]:
    before = mb.engine()
    yield
    mb.engine(before)


@pytest.mark.parametrize("text", ALL)
def test_text_kernels_and_formulae_have_the_value_of_mpmath(text: str, engines: None) -> None:
    for t in POINTS:
        true = float(ALL[text](mpmath.mpf(t)))
        # each function errs by two units of the last place at most, and the texts hold up to six of them
        near = pytest.approx(true, rel=1e-14, abs=1e-16)
        assert evaluate(parse_expression(text), {}, lambda _, t=t: t) == near
        assert formula(text).evaluate(t=t) == near
        found = {}
        for engine in ("wasm", "python"):
            mb.engine(engine)
            found[engine] = signal(text, t)
        assert found["wasm"] == found["python"] == near


@pytest.mark.parametrize("text", ALL)
def test_derivatives_of_text_and_of_formulae_are_those_of_differences(text: str) -> None:
    slope, exact = derivative(parse_expression(text), TIME), formula(text).diff("t")
    for t in POINTS:
        with mpmath.workdps(40):
            true = float(mpmath.diff(ALL[text], mpmath.mpf(t)))
        # 1/√(1 − x²) at 0.95 loses a digit
        assert evaluate(slope, {}, lambda _, t=t: t) == pytest.approx(true, rel=1e-13, abs=1e-14)
        assert exact.evaluate(t=t) == pytest.approx(true, rel=1e-13, abs=1e-14)


@pytest.mark.parametrize("text", ALL)
def test_text_and_formulae_read_back(text: str) -> None:
    value = parse_expression(text)
    assert parse_expression(str(value)) == value
    assert formula(str(formula(text))) == formula(text)


@pytest.mark.parametrize("text", ALL)
def test_sympy_takes_them_and_gives_them_back(text: str) -> None:
    value = parse_expression(text)
    back = from_sympy(to_sympy(value))
    for t in POINTS:
        true = evaluate(value, {}, lambda _, t=t: t)
        assert evaluate(back, {}, lambda _, t=t: t) == pytest.approx(true, rel=1e-14, abs=1e-16)
        there = to_sympy(value).xreplace({sympy.Symbol("t"): sympy.Float(t, 40)})
        assert float(there.evalf(30)) == pytest.approx(true, rel=1e-14, abs=1e-16)
    assert formula(text).sympy == to_sympy(parse_expression(str(formula(text))))


@pytest.mark.parametrize("text", ALL)
def test_files_keep_them(text: str) -> None:
    model = ROTOR.replace(forces=[mb.Effort("rotor", text)])
    assert loads(dumps(model)) == model


@pytest.mark.parametrize("language", RUNNERS)
def test_generated_code_gives_their_values(language: str, tmp_path: Path) -> None:
    need(language)
    texts = list(ALL)
    array = Formula([Reader().read(parse_expression(text)) for text in texts])
    run = RUNNERS[language](array.code(language, "values"), {"values": array.shape}, tmp_path)
    for t in (-0.5, 0.3):
        found = run("values", [np.zeros(1), np.zeros(1), np.zeros(1), t, np.zeros(1)])
        # other libraries err by a unit of the last place here and there
        np.testing.assert_allclose(found, array.evaluate(t=t), rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("tanh(x)", r"\tanh x"),
        ("atan(2*x)", r"\arctan \left(2 x\right)"),
        ("asin(x)**2", r"\arcsin^{2} x"),
        ("1/acos(x)", r"\frac{1}{\arccos x}"),
        ("abs(x)**2", r"\left|x\right|^{2}"),
        ("m*abs(2*x)", r"m \left|2 x\right|"),
        ("sign(x)", r"\operatorname{sgn} x"),
        ("atan2(x, 2)", r"\operatorname{atan2}\left(x, 2\right)"),
        ("min(x, y)**2", r"\left(\min\left(x, y\right)\right)^{2}"),
        ("where(x, y, -1)", r"\begin{cases}y & x \ge 0 \\ -1 & x < 0\end{cases}"),
        ("m*where(x, y, 2)", r"m \left(\begin{cases}y & x \ge 0 \\ 2 & x < 0\end{cases}\right)"),
        ("m*max(x, 0)", r"m \max\left(x, 0\right)"),
    ],
)
def test_latex_writes_them_as_books_do(text: str, expected: str) -> None:
    assert node_latex(parse_expression(text)) == expected
    assert formula(text).latex() == expected


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("tanh(0)", "0"),
        ("atan(0.0)", "0"),
        ("asin(0)", "0"),
        ("acos(1)", "0"),
        ("acos(1.0)", "0"),
        ("acos(1/2)", "acos(1/2)"),
        ("abs(-2/3)", "2/3"),
        ("abs(-0.5)", "0.5"),
        ("sign(-0.5)", "-1"),
        ("sign(0.0)", "0"),
        ("min(1/3, 0.3)", "0.3"),
        ("max(1/3, 0.3)", "1/3"),
        ("max(x, x)", "x"),
        ("atan2(0, 2)", "0"),
        ("where(0, 1, 2)", "1"),
        ("where(-0.5, 1, x)", "x"),
        ("where(x, y, y)", "y"),
        ("atan2(1, 2)", "atan2(1, 2)"),
    ],
)
def test_constants_fold_where_they_are_exact(text: str, shown: str) -> None:
    assert str(parse_expression(text)) == shown


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("asin(1/2)", "pi/6"),
        ("acos(-1/2) + asin(-1)", "pi/6"),
        ("atan(-1)", "-pi/4"),
        ("atan(-x) + atan(x)", "0"),
        ("asin(x - y) + asin(y - x)", "0"),
        ("abs(x - y) - abs(y - x)", "0"),
        ("sign(x - y) + sign(y - x)", "0"),
        ("abs(1/2 - 1) + sign(-3)", "-1/2"),
        ("min(x, y) - min(y, x)", "0"),
        ("max(x + 1, x) - min(x + 1, x)", "1"),
        ("atan2(0, 3)", "0"),
        ("where(x - x, y, 2)", "y"),
        ("where(x, y + y, 2*y)", "2*y"),
    ],
)
def test_formulae_know_angles_and_signs(text: str, other: str) -> None:
    assert formula(text) == formula(other)


@pytest.mark.parametrize("text", ["asin(1.5)", "acos(-1.5)"])
def test_a_constant_without_a_value_is_refused(text: str) -> None:
    with pytest.raises(ExpressionError, match="no finite value"):
        parse_expression(text)


@pytest.mark.parametrize("text", ["asin(2 + t)", "acos(-2 - t)"])
def test_what_has_no_value_is_nan_in_kernels_and_large_in_their_sizes(text: str) -> None:
    assert math.isnan(signal(text, 0.1))
    packed = pack_model(ROTOR, signals=[parse_expression(text)])
    assert terms_magnitude(*tables_of(packed.model, packed.new_data()), 0, 0.1, np.zeros(1), np.zeros(1)) == LARGE


@pytest.mark.parametrize("text", ALL)
def test_the_size_of_terms_bounds_what_rounding_does(text: str) -> None:
    packed = pack_model(ROTOR, signals=[parse_expression(text)])
    tables = tables_of(packed.model, packed.new_data())
    for t in POINTS:
        size = terms_magnitude(*tables, 0, t, np.zeros(1), np.zeros(1))
        near = np.nextafter(t, 2.0)
        # t and its neighbour are one rounding apart, each value errs by two more
        assert abs(signal(text, near) - signal(text, t)) <= 6 * np.finfo(float).eps * size


@pytest.mark.parametrize("name", ["tanh", "atan", "asin", "acos", "abs", "sign", "atan2", "min", "max", "where"])
def test_their_names_are_taken(name: str) -> None:
    with pytest.raises(ModelError, match=f"'{name}' cannot name a parameter"):
        mb.Parameter(name, 1)
    with pytest.raises(ExpressionError, match=r"expected '\('"):
        parse_expression(f"2*{name}")


def test_python_functions_keep_parameters_and_numpy_finds_them() -> None:
    m = mb.Parameter("m", 0.5)
    for name, theirs in (("tanh", np.tanh), ("atan", np.arctan), ("asin", np.arcsin), ("acos", np.arccos)):
        ours = getattr(mb, name)
        assert str(ours(m)) == f"{name}(m)"
        assert str(theirs(np.array([m], dtype=object))[0]) == f"{name}(m)"
        assert ours(0.5) == getattr(math, name)(0.5)


def test_the_size_of_an_expression_is_pythons_own() -> None:
    m = mb.Parameter("m", -0.5)
    assert str(abs(m - 1)) == "abs(m - 1)"
    assert str(np.abs(np.array([m], dtype=object))[0]) == "abs(m)"
    assert str(mb.sign(m)) == "sign(m)"
    assert mb.sign(-0.25) == -1.0


def test_sympy_may_bring_real_parts_which_all_of_a_model_are() -> None:
    x = sympy.Symbol("x")
    assert str(from_sympy(sympy.Abs(sympy.exp(x)))) == "exp(x)"


def test_functions_of_two_arguments_are_asked_for_both() -> None:
    for text in ("min(1)", "max(1, 2, 3)", "atan2(t)", "sin(1, 2)", "min(1 2)", "min(, 1)"):
        with pytest.raises(ExpressionError, match="position"):
            parse_expression(text)
    with pytest.raises(ExpressionError, match=r"atan of 2 arguments"):
        from_sympy(sympy.Function("atan")(1, sympy.Symbol("x")))


def test_python_has_functions_of_two_arguments() -> None:
    m = mb.Parameter("m", 0.5)
    assert str(mb.minimum(m, 1)) == "min(m, 1)"
    assert str(mb.maximum("t", m)) == "max(t, m)"
    assert str(mb.atan2(m, 2.0)) == "atan2(m, 2.0)"
    assert mb.minimum(0.5, 1) == 0.5
    assert mb.atan2(-1.0, 0) == -math.pi / 2
    x = sympy.Symbol("x")
    assert str(from_sympy(sympy.Max(x, 1, sympy.Symbol("y")))).count("max") == 2


def test_answers_by_name_may_hold_two_arguments() -> None:
    assert {name: str(value) for name, value in named_entries("a = min(1, x), b = 2").items()} == {
        "a": "min(1, x)",
        "b": "2",
    }


def test_substitution_reaches_every_argument() -> None:
    assert formula("min(x, y) + atan2(x, y)").substitute(x=3, y=2) == formula("2 + atan2(3, 2)")


def test_the_part_that_is_not_chosen_needs_no_value(engines: None) -> None:
    text = "where(t, sqrt(t), log(-t))"
    for engine in ("wasm", "python"):
        mb.engine(engine)
        assert signal(text, 0.25) == 0.5
        assert signal(text, -1.0) == 0.0
    assert evaluate(parse_expression(text), {}, lambda _: 0.25) == 0.5
    assert evaluate(parse_expression(text), {}, lambda _: -1.0) == 0.0


def test_every_comparison_of_sympy_is_read() -> None:
    x = sympy.Symbol("x")
    for condition in (x > 1, x >= 1, x < 1, x <= 1, x > 1):
        value = from_sympy(sympy.Piecewise((x, condition), (7, True)))
        for number in (0, 1, 2):
            expected = number if condition.subs(x, number) else 7
            assert evaluate(value, {"x": number}) == expected
    several = from_sympy(sympy.Piecewise((0, x < 0), (x, x < 1), (1, True)))
    assert [evaluate(several, {"x": number}) for number in (-1, 0.5, 3)] == [0, 0.5, 1]
    for refused in (sympy.Piecewise((x, x > 1)), sympy.Piecewise((x, (x > 1) & (x < 2)), (0, True))):
        with pytest.raises(ExpressionError, match="SymPy's"):
            from_sympy(refused)


def test_python_chooses_too() -> None:
    m = mb.Parameter("m", 0.5)
    assert str(mb.where("t - 1", m, 0)) == "where(t - 1, m, 0)"
    assert mb.where(-1.0, 2, 3) == 3.0


def test_answers_with_choices_are_compared() -> None:
    point = {"x": Fraction(1, 3)}
    with ball_precision():
        for text in ("where(x, 2, 3)", "min(x, 2) + 5/3", "max(2, x)", "abs(-2*x)*3", "2*sign(x)", "2 + 0*atan2(x, 1)"):
            assert abs(ball_value_at(parse_expression(text), point) - 2) < 1e-80
        assert ball_value_at(parse_expression("where(sin(x)**2 + cos(x)**2 - 1, 2, 3)"), point) is None


REFUSED = {
    "expression": lambda: mb.EquationConstraint("q[0] - abs(t - 1)"),
    "value": lambda: mb.Prescribed("rotor", "max(t - 1, 0)"),
    "curve": lambda: mb.OnCurve("rotor", ("s", "where(s, s, 0)", 0)),
}


@pytest.mark.parametrize("where", REFUSED)
def test_a_constraint_with_a_kink_is_refused_with_its_place_and_a_remedy(where: str) -> None:
    with pytest.raises(ModelError, match=rf"{where}: .* has a kink or a jump.*write a smooth function"):
        REFUSED[where]()


@pytest.mark.parametrize("kinked", ["abs(t - 1)", "sign(t)", "min(t, 1)", "max(1, t)", "where(t - 1, 2, 3)"])
def test_no_kinked_function_of_time_is_prescribed(kinked: str) -> None:
    with pytest.raises(ModelError, match="has a kink or a jump") as refused:
        mb.Prescribed("rotor", f"1 + 2*{kinked}")
    assert kinked in str(refused.value)


def test_a_constraint_may_hold_a_kinked_function_of_parameters() -> None:
    k = mb.Parameter("k", -2.0)
    model = ROTOR.replace(parameters=[k], constraints=[mb.Prescribed("rotor", "where(k, t**2, abs(k)*t)")])
    assert mb.simulate(model, duration=1).q[-1, 0] == pytest.approx(2.0, abs=1e-12)


def test_constraints_of_smooth_functions_are_followed() -> None:
    for text in ("tanh(3*t)", "atan(5*t)", "asin(t/4)", "acos(t/4)", "atan2(t, 1 + t)"):
        model = ROTOR.replace(constraints=[mb.Prescribed("rotor", text)])
        motion = mb.simulate(model, duration=2)
        assert motion.outcome.ok
        assert motion.q[-1, 0] == pytest.approx(evaluate(parse_expression(text), {}, lambda _: 2.0), abs=1e-12)
        assert motion.constraint_residual.max() < 1e-12


def test_a_short_pulse_of_tanh_is_felt_at_any_rate() -> None:
    pulse = "tanh((t - 5)/0.001) - tanh((t - 5.01)/0.001)"
    ends = [mb.simulate(ROTOR, tau=[pulse], duration=10, rate=rate) for rate in (1, 7, 60)]
    # ∫ of the pulse is 2 · 0.01 beside tails of e⁻⁵⁰⁰⁰
    assert ends[0].u[-1, 0] == pytest.approx(0.02, rel=1e-8)
    assert all(np.array_equal(one.u[-1], ends[0].u[-1]) for one in ends)
