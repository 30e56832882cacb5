"""The covariant equations: the paper's printed results, reference values, and exact identities."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.errors import ModelError, SingularError
from mbwidgets.expressions import parse_expression
from mbwidgets.model.bodies import Body
from mbwidgets.model.joints import Cylindrical, Fixed, Prismatic, Revolute, Spherical, Universal
from mbwidgets.model.model import Model
from mbwidgets.model.parameters import Parameter
from mbwidgets.symbolic import Formula, covariant
from mbwidgets.symbolic.mechanics.covariant_tensors import (
    christoffel_by_metric,
    christoffel_by_planar,
    gravity_gradient,
    metric_tensor,
)
from mbwidgets.symbolic.mechanics.mechanism import Mechanism
from mbwidgets.symbolic.mechanics.newton_euler import newton_euler
from mbwidgets.symbolic.papers.opnchain_literal import Literal
from mbwidgets.symbolic.ring.element import Element, letter_element
from mbwidgets.symbolic.ring.generators import acceleration, velocity
from mbwidgets.symbolic.ring.ring import make_ring
from mbwidgets.symbolic.ring.scalar_reader import Reader
from tests.symbolic.mechanisms import data, manipulator, random_mechanism

REFERENCE = data("covariant.json")["cases"]


def printed(text: str) -> Formula:
    """A result of the reference file, c4 for cos q⁴ and so on, counted from 1."""
    for k in range(5, 0, -1):
        text = text.replace(f"c{k}", f"cos(q[{k - 1}])").replace(f"s{k}", f"sin(q[{k - 1}])")
        text = text.replace(f"q{k}", f"q[{k - 1}]")
    return Formula(Reader(angles=frozenset({1, 3, 4})).read(parse_expression(text)))


# The five-axis manipulator of Marković and Obradović, CTAM 1 (1992), section 5.


def test_potential_gradient_is_printed_as_in_the_paper() -> None:
    gradient = covariant(manipulator()).potential_gradient
    assert [str(entry) for entry in gradient] == [
        "500*g",
        "0",
        "0",
        "-5*g*sin(q[3])*sin(q[4])",
        "5*g*cos(q[3])*cos(q[4])",
    ]
    assert gradient[3].latex() == r"-5 g \sin q^{4} \sin q^{5}"


def test_metric_entry_42_is_printed_as_in_the_paper() -> None:
    entry = covariant(manipulator()).metric.factored()[3, 1]
    assert str(entry) == "-cos(q[3])*sin(q[4])*(50 + 71*cos(q[4]) + 100*q[2])/20"
    assert entry.latex() == r"-\frac{\cos q^{4} \sin q^{5} \left(50 + 71 \cos q^{5} + 100 q^{3}\right)}{20}"


@pytest.mark.parametrize("route", ["metric", "planar"])
def test_christoffel_symbol_55_2_is_printed_as_in_the_paper_by_both_routes(route: str) -> None:
    symbol = covariant(manipulator()).christoffel(1, route)[4, 4, 1]
    assert symbol.factored().latex() == r"\frac{5 \sin q^{4} \sin q^{5} \left(1 + 2 q^{3}\right)}{2}"


def test_christoffel_symbol_55_2_without_simplification_is_the_papers_formula_12() -> None:
    equations = covariant(manipulator())
    unreduced = equations.christoffel(1, "planar")[4, 4, 1].unreduced()
    # result d) of the paper: −sin q⁴ sin q⁵ (−10 − cos q⁵ + cos² q⁴ cos q⁵ + cos q⁵ sin² q⁴ − 20 q³)/4
    assert str(unreduced.factored()) == (
        "sin(q[3])*sin(q[4])*(10 + cos(q[4]) + 20*q[2] - cos(q[3])**2*cos(q[4]) - cos(q[4])*sin(q[3])**2)/4"
    )
    assert unreduced == equations.christoffel()[4, 4, 1]


def test_contravariant_11_has_73_over_130_terms_unreduced_and_21_over_24_in_normal_form() -> None:
    entry = covariant(manipulator()).contravariant_metric[0, 0]
    assert (entry.numerator.terms, entry.denominator.terms) == (21, 24)
    plain = entry.unreduced()
    assert (plain.numerator.terms, plain.denominator.terms) == (73, 130)
    assert plain == entry
    top, bottom = plain.numerator.sympy.as_coefficients_dict(), plain.denominator.sympy.as_coefficients_dict()
    expected = data("manipulator.json")["a11_contra"]
    assert str(top[1]) == expected["numerator_const"] == "733125/8"
    assert str(bottom[1]) == expected["denominator_const"] == "91640625/2"
    coefficients = {str(key): str(value) for key, value in {**top}.items()}
    assert coefficients["q[2]**2*sin(q[4])**4*cos(q[3])**2"] == "625"
    coefficients = {str(key): str(value) for key, value in {**bottom}.items()}
    assert coefficients["q[2]**2*sin(q[3])**2*sin(q[4])**4"] == "156250"


def test_every_entry_of_the_manipulator_is_that_of_the_reference() -> None:
    equations, expected = covariant(manipulator()), data("manipulator.json")
    a, gradient, gamma = equations.metric, equations.potential_gradient, equations.christoffel()
    for i in range(5):
        assert gradient[i] == printed(expected["dPi"][i])
        for j in range(i, 5):
            assert a[i, j] == a[j, i] == printed(expected["a"].get(f"{i + 1}{j + 1}", "0"))
            for k in range(5):
                text = expected["gamma1"].get(f"{i + 1}{j + 1},{k + 1}", "0")
                assert gamma[i, j, k] == gamma[j, i, k] == printed(text)
    nonzero = sum(bool(gamma[i, j, k]) for i in range(5) for j in range(i, 5) for k in range(5))
    assert nonzero == expected["counts"]["gamma_nonzero"]


def test_contravariant_metric_is_the_inverse_exactly() -> None:
    equations = covariant(manipulator())
    assert equations.metric @ equations.contravariant_metric == np.eye(5, dtype=int)


# Reference values computed with 50 digits.


def reference_chain(chain: dict[str, Any]) -> Model:
    bodies = []
    for i in range(chain["n"]):
        kind = Prismatic if chain["t"][i] else Revolute
        at = chain["ro"][i - 1] if i else (0, 0, 0)
        # exact sums: the reference adds the decimals, not their binary neighbours
        com = [
            Fraction(repr(float(a))) + Fraction(repr(float(b)))
            for a, b in zip(chain["ro"][i], chain["roo"][i], strict=True)
        ]
        bodies.append(Body(f"b{i}", kind(chain["e"][i], at=at), mass=chain["m"][i], com=com, inertia=chain["J"][i]))
    return Model(bodies, gravity=(0, 0, -chain["g"]))


@pytest.mark.oracle
@pytest.mark.parametrize("case", [c for c in REFERENCE if c["chain"]["n"] <= 6], ids=lambda case: case["id"])
def test_reference_values_are_met_to_1e_12(case: dict[str, Any]) -> None:
    equations = covariant(reference_chain(case["chain"]))
    for state in case["states"]:
        q, u = np.array(state["q"]), np.array(state["qd"])
        scale = state["a_norm"]
        found = {
            "a": equations.metric.evaluate(q=q),
            "dPi": equations.potential_gradient.evaluate(q=q),
            "gamma1": equations.christoffel().evaluate(q=q),
            "bias": equations.bias.evaluate(q=q, u=u),
        }
        for name, value in found.items():
            expected = np.array(state[name])
            np.testing.assert_allclose(value, expected, rtol=0, atol=1e-12 * max(scale, np.abs(expected).max()))
        inverse = equations.contravariant_at(q)
        expected = np.array(state["a_contra"])
        # an inverse carries the error of the matrix, multiplied by its condition number
        np.testing.assert_allclose(inverse, expected, rtol=0, atol=1e-14 * state["cond1"] * np.abs(expected).max())


@pytest.mark.oracle
@pytest.mark.slow
@pytest.mark.parametrize("case", [c for c in REFERENCE if c["chain"]["n"] > 6], ids=lambda case: case["id"])
def test_reference_values_of_long_chains_are_met_to_1e_12(case: dict[str, Any]) -> None:
    test_reference_values_are_met_to_1e_12(case)


@pytest.mark.oracle
@pytest.mark.parametrize("name", ["manipulator5", "generic_n3", "aligned_n4"])
def test_second_kind_and_accelerations_are_those_of_the_reference(name: str) -> None:
    case = next(c for c in REFERENCE if c["id"] == name)
    equations = covariant(reference_chain(case["chain"]))
    for state in case["states"]:
        q, u = np.array(state["q"]), np.array(state["qd"])
        for formula, expected in (
            (equations.contravariant_metric, state["a_contra"]),
            (equations.christoffel(2), state["gamma2"]),
        ):
            expected = np.array(expected)
            # exact numerators and determinants, evaluated in doubles: cancellation up to the condition number
            bound = 1e-13 * state["cond1"] * np.abs(expected).max()
            np.testing.assert_allclose(formula.evaluate(q=q), expected, rtol=0, atol=bound)
        ud = equations.equations("contravariant").evaluate(q=q, u=u)
        driven = ud + equations.contravariant_metric.evaluate(q=q) @ np.array(state["Q"])
        expected = np.array(state["qdd"])
        np.testing.assert_allclose(driven, expected, rtol=0, atol=1e-13 * state["cond1"] * np.abs(expected).max())


# Exact identities on random chains and trees.


def test_both_christoffel_routes_are_the_same_polynomials_on_300_chains_and_trees(seed: int) -> None:
    rng = random.Random(seed)
    for case in range(300):
        n = rng.randint(1, 6) if case % 3 else rng.randint(1, 4)
        model = random_mechanism(rng, n, tree=bool(case % 2), slides=0.35)
        mechanism = Mechanism.from_model(model)
        by_metric = christoffel_by_metric(mechanism.ring, metric_tensor(mechanism))
        assert by_metric == christoffel_by_planar(mechanism), (seed, case)


def test_composites_give_the_papers_sums_over_bodies(seed: int) -> None:
    rng = random.Random(seed + 1)
    for case in range(40):
        mechanism = Mechanism.from_model(random_mechanism(rng, rng.randint(1, 4), tree=bool(case % 2)))
        literal = Literal(mechanism)
        assert literal.metric == metric_tensor(mechanism), (seed, case)
        assert literal.christoffel == christoffel_by_planar(mechanism), (seed, case)


def test_christoffel_symbols_are_odd_in_the_later_joints(seed: int) -> None:
    """Γ_αβ,γ = −Γ_αγ,β for α before both, so Γ_αβ,β = 0 there."""
    rng = random.Random(seed + 2)
    for _ in range(20):
        gamma = covariant(random_mechanism(rng, 4)).christoffel()
        for alpha in range(4):
            for beta in range(alpha, 4):
                assert not gamma[alpha, beta, beta]
                for gam in range(beta, 4):
                    assert gamma[alpha, beta, gam] == -gamma[alpha, gam, beta]


def test_inverse_dynamics_is_newton_eulers_exactly(seed: int) -> None:
    rng = random.Random(seed + 3)
    for case in range(20):
        equations = covariant(random_mechanism(rng, rng.randint(1, 4), tree=bool(case % 2)))
        n = equations.n
        motion = make_ring([velocity(k) for k in range(n)] + [acceleration(k) for k in range(n)])
        home = equations.mechanism.ring.union(motion)
        lifted = _lifted(equations.mechanism, home)
        u = [home.gen(velocity(k)) for k in range(n)]
        ud = [home.gen(acceleration(k)) for k in range(n)]
        efforts = newton_euler(lifted, u, ud)
        assert equations.effort == [Element(home, effort) for effort in efforts], (seed, case)


def _lifted(mechanism: Mechanism, home: Any) -> Mechanism:
    from dataclasses import replace

    def convert(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(convert(part) for part in value)
        return None if value is None else home.lift(value, mechanism.ring)

    fields = ("axis", "at", "offset", "turn", "mass", "com", "inertia", "planar")
    segments = tuple(replace(s, **{f: convert(getattr(s, f)) for f in fields}) for s in mechanism.segments)
    return Mechanism(home, segments, convert(mechanism.gravity), mechanism.n)


def test_lagranges_equations_of_the_lagrangian_are_the_covariant_equations(seed: int) -> None:
    rng = random.Random(seed + 4)
    for case in range(10):
        equations = covariant(random_mechanism(rng, rng.randint(1, 3), tree=bool(case % 2)))
        lagrangian = equations.lagrangian
        for k in range(equations.n):
            left = lagrangian.diff(f"u[{k}]").dt() - lagrangian.diff(k)
            assert left == equations.equations()[k], (seed, case, k)


def test_potential_gradient_is_the_gradient_of_the_potential(seed: int) -> None:
    rng = random.Random(seed + 5)
    equations = covariant(random_mechanism(rng, 5, tree=True))
    assert equations.potential_energy.diff(range(5)) == equations.potential_gradient
    assert gravity_gradient(equations.mechanism)


# Joints, parameters, special answers.


def test_compound_joints_are_read_as_one_axis_joints() -> None:
    bodies = [
        Body("a", Cylindrical("z"), mass=1, com=(Fraction(1, 3), 0, 0), inertia=(1, 2, 2)),
        Body("b", Universal("x", "y", at=(1, 0, 0)), mass=2, com=(0, 1, 1), inertia=(1, 1, 1)),
    ]
    equations = covariant(Model(bodies))
    assert equations.metric.shape == (4, 4)
    assert equations.metric[0, 0] == 3
    assert equations.christoffel() == equations.christoffel(route="planar")


def test_a_ball_joint_is_refused_with_its_name_and_the_numeric_alternative() -> None:
    with pytest.raises(ModelError, match=r"'ball'.*Dynamics"):
        covariant(Model([Body("ball", Spherical(), mass=1, inertia=(1, 1, 1))]))


def test_parameters_stay_symbols_whether_or_not_they_have_values() -> None:
    length, mass = Parameter("L", 2.0), Parameter("m")
    pendulum = Model([Body("bob", Revolute("x"), mass=mass, com=(0, 0, -length), inertia=(0, 0, 0))])
    metric_entry = covariant(pendulum).metric[0, 0]
    assert str(metric_entry) == "L**2*m"
    assert metric_entry.evaluate(q=[0.0], m=3.0) == pytest.approx(12.0)
    with pytest.raises(ValueError, match=r"'m' has no value.*m=value"):
        metric_entry.evaluate(q=[0.0])


def test_a_quotient_of_parameters_gives_exact_fractions() -> None:
    m, k = Parameter("m", 2.0), Parameter("k", 5.0)
    body = Body("a", Revolute("z"), mass=m, com=(m / k, 0, 0), inertia=(1 / k, 1 / k, 1 / k))
    tip = Body("b", Revolute("x", at=(1 / m, 0, 0)), mass=1, com=(0, 1, 0), inertia=(1, 1, 1))
    equations = covariant(Model([body, tip]))
    assert equations.metric[0, 0].substitute(q=[0, 0]) == printed("m**3/k**2 + 1/k + 1/m**2 + 2")
    assert equations.christoffel() == equations.christoffel(route="planar")
    assert equations.metric @ equations.contravariant_metric == np.eye(2, dtype=int)


def test_general_and_parametric_axes_keep_both_routes_identical() -> None:
    alpha, w = Parameter("alpha", 0.3), Parameter("w", 0.7)
    axes: list[Any] = [
        (1, 1, 0),
        (0, parse_expression("sin(alpha)"), parse_expression("cos(alpha)")),
        (w, 1, 2),
        (0.1, 0.2, -0.9),
    ]
    bodies = [
        Body(f"b{i}", Revolute(axis, at=(1, 0, i)), mass=i + 1, com=(0, 1, 1), inertia=(2, 2, 3))
        for i, axis in enumerate(axes)
    ]
    equations = covariant(Model(bodies, parameters=[alpha, w]))
    assert equations.christoffel() == equations.christoffel(route="planar")
    q = np.array([0.4, -0.2, 0.9, 0.1])
    fixed = [(1, 1, 0), (0, np.sin(0.3), np.cos(0.3)), (0.7, 1, 2), (0.1, 0.2, -0.9)]
    numbers = [
        Body(f"b{i}", Revolute(axis, at=(1, 0, i)), mass=i + 1, com=(0, 1, 1), inertia=(2, 2, 3))
        for i, axis in enumerate(fixed)
    ]
    expected = covariant(Model(numbers)).metric.evaluate(q=q)
    np.testing.assert_allclose(equations.metric.evaluate(q=q), expected, rtol=1e-13)
    as_sympy = equations.metric[2, 2].sympy.subs({"alpha": 0.3, "w": 0.7, **{f"q[{i}]": q[i] for i in range(4)}})
    assert float(as_sympy) == pytest.approx(expected[2, 2], rel=1e-13)
    fixed_w = equations.metric.substitute(w=Fraction(7, 10))
    np.testing.assert_allclose(fixed_w.evaluate(q=q, w=99.0), expected, rtol=1e-13)


def test_a_mechanism_without_motion_has_empty_equations() -> None:
    equations = covariant(Model([Body("a", Fixed(), mass=1, inertia=(1, 1, 1))]))
    assert equations.n == 0
    assert equations.metric.terms == equations.effort.terms == 0
    assert equations.potential_gradient.shape == (0,)


def test_ignorable_coordinates_are_found() -> None:
    assert covariant(manipulator()).ignorable == (1,)
    weightless = manipulator().replace(gravity=(0, 0, 0))
    assert covariant(weightless).ignorable == (0, 1)


def test_a_joint_that_moves_nothing_has_no_contravariant_metric() -> None:
    still = Model([Body("a", Revolute("z"), mass=1, com=(1, 0, 0)), Body("b", Prismatic("x"))])
    with pytest.raises(SingularError, match="determinant"):
        _ = covariant(still).contravariant_metric


def test_linearisation_of_a_pendulum_gives_its_frequency_exactly() -> None:
    g, length = Parameter("g", 9.81), Parameter("L", 2)
    bob = Body("bob", Revolute("x"), mass=3, com=(0, 0, -length), inertia=(0, 0, 0))
    equations = covariant(Model([bob], gravity=(0, 0, -g)))
    hanging = equations.linearised()
    assert str((hanging.stiffness / hanging.mass)[0, 0]) == "g/L"
    assert not hanging.residual
    upright = equations.linearised(q=["pi"])
    assert upright.stiffness == -hanging.stiffness
    assert equations.linearised(q=["pi/2"]).residual == [Formula("-3*g*L")]


def test_floats_are_shown_with_the_fractions_that_stand_for_them() -> None:
    model = Model([Body("arm", Revolute("z"), mass=0.1, com=(1 / 3, 0, 0), inertia=(1, 1, 1))])
    table = covariant(model).rationalised
    assert ("body 'arm', mass", 0.1, Fraction(1, 10)) in table
    assert ("body 'arm', com", 1 / 3, Fraction("0.3333333333333333")) in table


def test_the_sympy_ring_derives_the_same_manipulator(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MBWIDGETS_RING", "sympy")
    slow = covariant(manipulator())
    assert slow.mechanism.ring.name == "sympy"
    texts = [x.text(limit=None) for x in (slow.metric, slow.christoffel(), slow.potential_gradient)]
    inverse = slow.contravariant_metric[0, 0]
    assert (inverse.numerator.terms, inverse.denominator.terms) == (21, 24)
    monkeypatch.setenv("MBWIDGETS_RING", "flint")
    fast = covariant(manipulator())
    assert texts == [x.text(limit=None) for x in (fast.metric, fast.christoffel(), fast.potential_gradient)]


def test_velocities_enter_as_letters() -> None:
    equations = covariant(manipulator())
    assert equations.velocities[0] == Formula(letter_element(velocity(0)))
    energy = equations.kinetic_energy
    assert energy.diff("u[0]").diff("u[0]") == 500


def test_a_slip_in_a_name_is_refused_not_taken_for_a_constant() -> None:
    equations = mb.covariant(mb.library.pendulum(2))
    for slip in (
        lambda: equations.metric.diff("theta"),
        lambda: equations.metric.diff(9),
        lambda: equations.metric.evaluate(q=[0, 0], zz=1),
        lambda: equations.metric.substitute(zz=1),
        lambda: equations.linearised(q=["pi/2"]),
        lambda: equations.linearised(q="ab"),
    ):
        with pytest.raises((mb.UnknownNameError, mb.StateError)):
            slip()


def test_a_common_factor_of_the_contravariant_metric_is_cancelled() -> None:
    l1, l2, m1, m2 = (mb.Parameter(name, 1.0) for name in ("l1", "l2", "m1", "m2"))
    first = mb.Body("a", mb.Revolute("y"), mass=m1, com=(0, 0, -l1))
    second = mb.Body("b", mb.Revolute("y", at=(0, 0, -l1)), mass=m2, com=(0, 0, -l2))
    inverse = mb.covariant(mb.Model([first, second])).contravariant_metric
    assert str(inverse[0, 0].factored()) == "1/(l1**2*(m1 + m2*sin(q[1])**2))"
