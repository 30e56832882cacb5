"""Formulae as programs give the numbers of the formulae, and those of the kernels by another way."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.numeric.packing import formula_programs
from mbwidgets.numeric.packing.formula_programs import formula_program
from mbwidgets.symbolic.formula.formula import Formula

FRAMES = 20
TREES = ("pendulum", "cart_pendulum", "three_body_arm", "scara", "flyball_governor", "rotor", "hammer_crusher")
CLOSE = 1e-12
"""Of the largest entry: sums of hundreds of products in another order, each rounded to 1e-16."""


def _states(model: mb.Model, seed: int) -> dict[str, np.ndarray]:
    random = np.random.default_rng(seed)
    q, u, ud = (random.normal(size=(FRAMES, size)) for size in (model.nq, model.nv, model.nv))
    return {"q": q, "u": u, "ud": ud, "t": random.uniform(0, 3, size=FRAMES)}


def _formulae(model: mb.Model) -> Iterator[tuple[str, Formula]]:
    found = mb.covariant(model)
    yield "metric", found.metric
    yield "equations", found.equations()
    yield "potential energy", found.potential_energy
    for body in model.bodies:
        reaction = mb.reactions(model, body.name)
        yield f"force on {body.name}", reaction.force
        yield f"moment on {body.name}", reaction.moment


@pytest.mark.parametrize("name", TREES)
def test_a_program_gives_the_numbers_of_its_formula(name: str, seed: int) -> None:
    model = getattr(mb.library, name)()
    state = _states(model, seed)
    for what, formula in _formulae(model):
        program = formula_program(formula, model.nq, model.nv)
        wanted = formula.evaluate(**state)
        found = program.evaluate(state["q"], state["u"], state["ud"], state["t"], model.values)
        assert found.shape == (FRAMES, *formula.shape)
        assert abs(found - wanted).max() <= CLOSE * max(1.0, abs(wanted).max()), what


@pytest.mark.parametrize("name", TREES)
def test_a_program_of_the_metric_gives_the_kernels_mass_matrix(name: str, seed: int) -> None:
    model = getattr(mb.library, name)()
    state, dynamics = _states(model, seed), mb.Dynamics(model)
    program = formula_program(mb.covariant(model).metric, model.nq, model.nv)
    values = {key: 1.1 * float(value) for key, value in model.values.items()}
    other = model.with_values(**values) if name in ("pendulum", "three_body_arm") else model
    found = program.evaluate(state["q"], state["u"], state["ud"], state["t"], other.values)
    dynamics = mb.Dynamics(other)
    for q, matrix in zip(state["q"], found, strict=True):
        wanted = dynamics.mass_matrix(q)
        assert abs(matrix - wanted).max() <= CLOSE * abs(wanted).max()


def test_both_engines_run_a_formula_to_the_same_bits(seed: int) -> None:
    model = mb.library.three_body_arm()
    state = _states(model, seed)
    program = formula_program(mb.covariant(model).equations(), model.nq, model.nv)
    before, found = mb.engine(), []
    try:
        for name in ("wasm", "python"):
            mb.engine(name)
            found.append(program.evaluate(state["q"], state["u"], state["ud"], state["t"], model.values).tobytes())
    finally:
        mb.engine(before)
    assert found[0] == found[1]


def test_every_function_of_expressions_has_a_program(seed: int) -> None:
    a = mb.Parameter("a", 0.3)
    texts = ["sin(a)+cos(a)+tan(a)", "sqrt(1+a)+exp(a)-log(2+a)", "tanh(a)*atan(a)/asin(a)+acos(a)", "abs(a)*sign(a)"]
    texts += ["atan2(a, 2)+min(a, 1)-max(a, 1)", "where(a, 3, a)", "pi*a/7"]
    for text in texts:
        rod = mb.Body("rod", mass=1, com=(0, 0, text), joint=mb.Revolute(axis=(1, 0, 0)))
        model = mb.Model([rod], parameters=[a])
        formula = mb.covariant(model).metric
        state = _states(model, seed)
        found = formula_program(formula, 1, 1).evaluate(state["q"], state["u"], state["ud"], state["t"], model.values)
        assert np.allclose(found, formula.evaluate(**state), rtol=1e-13, atol=0), text


def test_a_formula_with_too_many_operations_is_refused_with_their_number(monkeypatch: pytest.MonkeyPatch) -> None:
    model = mb.library.three_body_arm()
    formula = mb.covariant(model).metric
    monkeypatch.setattr(formula_programs, "LARGEST", formula.operations - 1)
    with pytest.raises(mb.ExpressionError, match=f"{formula.operations} operations"):
        formula_program(formula, model.nq, model.nv)


@pytest.mark.parametrize("name", TREES)
def test_what_cancels_is_told_from_what_is_small_by_the_size_of_its_terms(name: str, seed: int) -> None:
    model = getattr(mb.library, name)()
    state, dynamics = _states(model, seed), mb.Dynamics(model)
    program = formula_program(mb.covariant(model).equations(), model.nq, model.nv, sized=True)
    q, u, t = state["q"], state["u"], 0 * state["t"]
    free = np.array([dynamics.forward(*pair) for pair in zip(q, u, strict=True)])
    given = q, u, free, t, model.values
    # u̇ of the kernels is a solution for all rows together: it is exact beside the largest of them
    assert (np.abs(program.evaluate(*given)) <= program.rounding(*given).max(axis=1, keepdims=True)).all()
    pushed = q, u, free + 1e-6 * np.sign(state["ud"]), t, model.values
    moved = np.abs(program.evaluate(*pushed))
    assert (moved[:, 0] > program.rounding(*pushed)[:, 0]).all(), "a real effort was taken for rounding"


def test_a_small_sine_is_no_rounding_and_that_of_half_a_turn_is() -> None:
    model = mb.library.pendulum(1)
    program = formula_program(mb.covariant(model).potential_gradient, model.nq, model.nv, sized=True)
    for angle, rounded in ((1e-9, False), (np.pi, True), (1e-18, True)):
        given = np.array([[angle]]), np.zeros((1, 1)), np.zeros((1, 1)), np.zeros(1), model.values
        assert (np.abs(program.evaluate(*given)) <= program.rounding(*given)).all() == rounded, angle
