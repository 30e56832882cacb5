"""`Formula`: an array of exact expressions, written and evaluated in many ways."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest
import sympy

import mbwidgets as mb
from mbwidgets.errors import ExpressionError, StateError
from mbwidgets.expressions import Symbol, parse_expression
from mbwidgets.model.bodies import Body
from mbwidgets.model.joints import Revolute
from mbwidgets.model.model import Model
from mbwidgets.model.parameters import Parameter
from mbwidgets.symbolic import Formula, covariant
from mbwidgets.symbolic.code.latex import symbol_latex, symbol_text
from mbwidgets.symbolic.ring.element import Element, rational_element
from mbwidgets.symbolic.ring.scalar_reader import Reader
from tests.symbolic.mechanisms import general_chain, manipulator, random_mechanism

FORMS = ("expanded", "factored", "collected", "multiple_angle", "shortest")


def formula(*texts: str, angles: tuple[int, ...] = (0, 1)) -> Formula:
    reader = Reader(angles=frozenset(angles))
    entries = [reader.read(parse_expression(text)) for text in texts]
    return Formula(entries) if len(entries) > 1 else Formula(entries[0])


def test_shape_and_indexing_are_those_of_an_array() -> None:
    a = covariant(manipulator()).metric
    assert a.shape == (5, 5)
    assert a[0].shape == (5,)
    assert a[1:3, 2].shape == (2,)
    assert a[-1, -1] == Fraction(17, 4)
    assert len(a) == 5
    assert [row.shape for row in a] == [(5,)] * 5
    assert a == a.T
    with pytest.raises(IndexError):
        a[5]


def test_arithmetic_is_exact_and_broadcasts() -> None:
    x = formula("m*sin(q[0])", "cos(q[0])")
    assert x + x == 2 * x
    assert x - x == 0
    assert not (x - x)
    assert (x * x)[0] + formula("m**2") * x[1] ** 2 == formula("m**2")
    assert x @ x == formula("m**2*sin(q[0])**2 + cos(q[0])**2")
    assert x / formula("m") * formula("m") == x
    assert 1 / (1 / x[0]) == x[0]
    assert Fraction(1, 2) * x == x / 2
    assert x.sum() == formula("m*sin(q[0]) + cos(q[0])")
    assert x != x[::-1]
    assert x != formula("m")
    assert (x == [1, 2, 3]) is False


def test_division_by_zero_is_refused() -> None:
    with pytest.raises(ExpressionError, match="division by zero"):
        formula("m") / formula("sin(q[0])**2 + cos(q[0])**2 - 1")


def test_derivatives_by_coordinate_velocity_time_and_parameter() -> None:
    x = formula("m**2*sin(q[0])*u[1] + exp(t)")
    assert x.diff(0) == x.diff("q[0]") == formula("m**2*cos(q[0])*u[1]")
    assert x.diff("u[1]") == formula("m**2*sin(q[0])")
    assert x.dt().diff("ud[1]") == x.diff("u[1]")
    assert x.diff("t") == formula("exp(t)")
    assert x.diff("m") == x.diff(sympy.Symbol("m")) == formula("2*m*sin(q[0])*u[1]")
    assert x.diff([0, 1]).shape == (2,)
    with pytest.raises(ExpressionError, match="nothing to differentiate"):
        x.diff("m + 1")


def test_sympy_agrees_with_every_form(seed: int) -> None:
    rng = random.Random(seed)
    equations = covariant(random_mechanism(rng, 3))
    sample = equations.bias[1]
    state = np.random.default_rng(seed).normal(size=(2, 3))
    expected = sample.evaluate(q=state[0], u=state[1])
    for form in FORMS:
        expression = getattr(sample, form)().sympy
        names = {f"{n}[{k}]": state[i][k] for i, n in enumerate("qu") for k in range(3)}
        found = expression.subs({symbol: names[symbol.name] for symbol in expression.free_symbols})
        assert float(found) == pytest.approx(float(expected), rel=1e-11), form


def test_text_in_every_form_reads_back_to_the_same_value(seed: int) -> None:
    rng = random.Random(seed + 1)
    equations = covariant(random_mechanism(rng, 2, slides=0.5))
    angles = equations.mechanism.reader.angles
    for form in ("expanded", "factored", "collected"):
        for entry in getattr(equations.metric, form)().entries:
            text = str(getattr(Formula(entry), form)())
            assert Formula(Reader(angles=angles).read(parse_expression(text))) == Formula(entry)


def test_sympy_shapes() -> None:
    equations = covariant(manipulator())
    assert equations.metric.sympy.shape == (5, 5)
    assert equations.potential_gradient.sympy.shape == (5, 1)
    assert equations.christoffel().sympy.shape == (5, 5, 5)
    assert equations.metric[0, 0].sympy == 500


def test_evaluation_is_batched_over_leading_dimensions(rng: np.random.Generator) -> None:
    equations = covariant(manipulator())
    q, u = rng.normal(size=(4, 3, 5)), rng.normal(size=(3, 5))
    found = equations.bias.evaluate(q=q, u=u, g=np.full((4, 1), 9.81))
    assert found.shape == (4, 3, 5)
    one = equations.bias.evaluate(q=q[2, 1], u=u[1])
    np.testing.assert_allclose(found[2, 1], one, rtol=1e-14, atol=1e-12)
    assert equations.metric[0, 0].evaluate(q=q[0, 0]).shape == ()


def test_evaluation_in_pieces_gives_the_same_numbers(rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch) -> None:
    a = covariant(manipulator()).metric
    q = rng.normal(size=(100, 5))
    whole = a.evaluate(q=q)
    monkeypatch.setattr("mbwidgets.symbolic.formula.evaluation.CHUNK", 200)
    np.testing.assert_array_equal(a.evaluate(q=q), whole)


def test_evaluation_names_what_is_missing_or_wrong() -> None:
    bias = covariant(general_chain(2, symbolic=True)).bias
    with pytest.raises(StateError, match="u has 0 entries"):
        covariant(manipulator()).bias.evaluate(q=np.zeros(5))
    with pytest.raises(ExpressionError, match=r"parameter '.*' has no value"):
        bias.evaluate(q=np.zeros(2), u=np.zeros(2))
    with pytest.raises(StateError, match="not finite"):
        bias.evaluate(q=[np.nan, 0.0], u=np.zeros(2))
    with pytest.raises(StateError, match="do not go together"):
        covariant(manipulator()).bias.evaluate(q=np.zeros((2, 5)), u=np.zeros((3, 5)))


def test_substitution_is_exact() -> None:
    x = formula("m*sin(q[0])**3*cos(q[1]) + sqrt(m + q[2])")
    assert x.substitute(q=["pi/2", "pi/3", 2], m=7) == formula("7/2 + 3")
    assert x.substitute(q={0: 0}, m="k") == formula("sqrt(k + q[2])")
    assert formula("m - k").substitute(m="k", k="m") == formula("k - m")
    half = x.substitute(q=[0.5, 0, 0], m=1)
    assert half == formula("sin(1/2)**3 + 1")
    assert float(half.evaluate()) == pytest.approx(np.sin(0.5) ** 3 + 1, rel=1e-15)


def test_the_factored_form_keeps_the_square_that_leaves_fewer_terms() -> None:
    assert str(formula("m - m*cos(q[0])**2").factored()) == "m*sin(q[0])**2"
    assert str(formula("m*cos(q[0])**2 + m*k").factored()) == "m*(k + cos(q[0])**2)"


def test_long_sums_of_parameters_are_factored_and_grouped(seed: int) -> None:
    equations = covariant(general_chain(3, symbolic=True))
    longest = max(equations.metric.entries, key=lambda entry: len(entry.num))
    assert len(longest.num) > 300
    for entry in (longest, *equations.potential_gradient.entries):
        expression = Formula(entry).factored().sympy
        rng = np.random.default_rng(seed)
        values = {symbol: rng.uniform(0.5, 1.5) for symbol in sorted(expression.free_symbols, key=str)}
        q = [values.get(sympy.Symbol(f"q[{k}]"), 0.0) for k in range(3)]
        numbers = {symbol.name: value for symbol, value in values.items() if "[" not in symbol.name}
        expected = Formula(entry).evaluate(q=q, **numbers)
        assert float(expression.subs(values)) == pytest.approx(float(expected), rel=1e-10)


def test_fractions_with_enormous_coefficients_are_evaluated_and_exported() -> None:
    huge = rational_element(10**400)
    top, bottom = (formula(text).entries[0] * huge for text in ("1 + m", "m"))
    ratio = Formula([Element(top.ring, top.num, bottom.into(top.ring).num)])
    assert ratio.evaluate(m=2.0) == pytest.approx([1.5])
    assert "e+" not in ratio.code("c")


def test_collected_form_groups_by_velocities() -> None:
    x = formula("m*u[0]**2*sin(q[0]) + k*u[0]**2*sin(q[0]) + u[0]*u[1]*m")
    assert str(x.collected()) == "sin(q[0])*u[0]**2*(k + m) + m*u[0]*u[1]"


def test_multiple_angles_shorten_parallel_axes() -> None:
    def planar(n: int) -> Model:
        half = Fraction(1, 2)
        bodies = [
            Body(
                f"b{i}",
                Revolute("z", at=(1 if i else 0, 0, 0)),
                mass=1 + i,
                com=(half, 0, 0),
                inertia=(1, 1, 1),
            )
            for i in range(n)
        ]
        return Model(bodies, gravity=(0, -Parameter("g"), 0))

    assert str(formula("cos(q[0])*cos(q[1]) - sin(q[0])*sin(q[1])").multiple_angle()) == "cos(q[0] + q[1])"
    gradient = covariant(planar(3)).potential_gradient
    assert str(gradient[2].multiple_angle()) == "3*g*cos(q[0] + q[1] + q[2])/2"
    assert str(gradient[2].factored()) == "3*g*cos(q[0] + q[1] + q[2])/2"
    assert formula("m*cos(q[0])**2 - m/2").shortest().form == "angles"
    gamma = covariant(planar(3)).christoffel()
    assert gamma[0, 0, 1].multiple_angle().sympy.count(sympy.sin) < gamma[0, 0, 1].expanded().sympy.count(sympy.sin)


def test_latex_follows_the_papers_notation() -> None:
    x = formula("m2*u[0]**2*sin(q[0])/3 - alpha*q[2]**2")
    assert x.latex() == r"-\alpha \left(q^{3}\right)^{2} + \frac{m_{2} \sin q^{1} \left(\dot q^{1}\right)^{2}}{3}"
    assert formula("sqrt(m)/k").latex() == r"\frac{\sqrt{m}}{k}"
    assert formula("cos(q[0])", "0").latex() == r"\begin{bmatrix}\cos q^{1} \\ 0\end{bmatrix}"
    assert covariant(manipulator()).metric._repr_latex_().startswith("$\\displaystyle \\begin{bmatrix}500 & 0")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("m2", "m_{2}"),
        ("omega", r"\omega"),
        ("rho_1x", r"\rho_{1x}"),
        ("Jx1", "J_{1x}"),
        ("stiffness", r"\mathrm{stiffness}"),
        ("a_b_c", "a_{b,c}"),
        ("l1", "l_{1}"),
    ],
)
def test_names_become_latex_without_raw_underscores(name: str, expected: str) -> None:
    assert symbol_latex(name) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("m2", "m_{2}"),
        ("phi0", "φ_{0}"),
        ("Omega", "Ω"),
        ("lambda", "λ"),
        ("Jxz", "J_{xz}"),
        ("k_harness", "k_{harness}"),
        ("a_b_c", "a_{b,c}"),
        ("payload", ""),
    ],
)
def test_names_that_are_symbols_are_written_with_their_letters(name: str, expected: str) -> None:
    assert symbol_text(name) == expected


def test_a_huge_text_tells_its_size_and_the_whole_is_there_for_the_asking() -> None:
    huge = covariant(general_chain(5)).metric
    assert huge.terms > 2000
    assert str(huge) == f"<{huge.terms:,} terms in 5×5 entries; the whole: .text(limit=None), .sympy or .code()>"
    assert huge.text(limit=None).count("[") > 5
    assert len(huge.text(limit=None)) > 50_000
    entry = covariant(general_chain(3)).metric[0, 1]
    assert entry.text(limit=3) == f"<{entry.terms} terms; the whole: .text(limit=None), .sympy or .code()>"
    assert formula(entry.text(limit=entry.terms), angles=(0, 1, 2)) == entry


def test_long_formulae_tell_their_size_instead_of_filling_the_page() -> None:
    gamma = covariant(general_chain(4)).christoffel()
    assert gamma.terms > 400
    assert (
        gamma._repr_latex_()
        == f"$\\displaystyle \\text{{{gamma.terms:,} terms}}\\;\\left(4 \\times 4 \\times 4\\right)$"
    )
    assert "terms" in repr(gamma)
    assert gamma[1:2, 1, 0].operations > 0


def test_forms_change_the_writing_not_the_value() -> None:
    gamma = covariant(manipulator()).christoffel()
    for form in FORMS:
        assert getattr(gamma, form)() == gamma
    assert gamma.factored().form == "factored"


def test_formulae_of_two_models_compare_by_value() -> None:
    one, other = covariant(manipulator()), covariant(manipulator().with_values(g=1.62))
    assert one.potential_gradient == other.potential_gradient
    g = one.potential_gradient.evaluate(q=np.zeros(5))[0], other.potential_gradient.evaluate(q=np.zeros(5))[0]
    assert g == pytest.approx((500 * 9.81, 500 * 1.62))


def test_a_formula_of_numbers_and_text() -> None:
    assert Formula([1, Fraction(1, 2), "m"])[2] == Formula("m")
    assert isinstance(Formula("m").entries[0], Element)
    with pytest.raises(ExpressionError):
        Formula(object())
    with pytest.raises(ExpressionError, match="cannot name a parameter"):
        Formula(Symbol("</script>"))


@pytest.mark.parametrize("name", ["q", "u", "ud"])
def test_more_coordinates_than_the_model_has_are_refused(name: str) -> None:
    model = mb.library.pendulum(2)
    equations = mb.covariant(model)
    reaction = mb.reactions(model, 1)
    two, three = [0.1, 0.2], [0.1, 0.2, 0.3]
    for formula in (equations.effort, equations.metric, equations.metric[0, 0] * 2, reaction.force, reaction.force[0]):
        good = {"q": two, "u": two, "ud": two}
        formula.evaluate(**good)
        formula.evaluate(**{**good, name: [two, two, two]})
        for bad in (three, [three, three]):
            with pytest.raises(StateError, match=f"{name} has 3 entries, the model has 2; give 2 numbers"):
                formula.evaluate(**{**good, name: bad})


def test_a_quaternion_counts_as_four_coordinates_and_three_velocities() -> None:
    found = mb.constrained(mb.library.body_on_circle())
    q, u = np.asarray([0.0] * found.study.model.nq), [0.0] * (found.study.model.nv + 1)
    with pytest.raises(StateError, match="u has 7 entries, the model has 6"):
        found.L_lambda.evaluate(q=q, u=u)
