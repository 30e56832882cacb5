"""Recipes: packed numbers follow from the values of parameters, to the bits of a model packed anew."""

from __future__ import annotations

import math

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.expressions import Expression, evaluate
from mbwidgets.model.joints import perpendicular_axes
from mbwidgets.model.model import Model
from mbwidgets.numeric.base.rotations import unit_components
from mbwidgets.numeric.kernels.recipe_steps import turn_across, vector_length
from mbwidgets.numeric.packing.pack import pack_model, recipe_of
from mbwidgets.numeric.packing.recipe import Recipe, UnitCells

SEED = 20


def _random_values(model: Model, random: np.random.Generator) -> dict[str, float]:
    values = {}
    for name, parameter in model.parameters.items():
        low = -math.inf if parameter.min is None else float(parameter.min)
        high = math.inf if parameter.max is None else float(parameter.max)
        values[name] = float(np.clip(float(parameter.value) * random.uniform(0.8, 1.2), low, high))
    return values


def _possible_models(name: str, count: int) -> list[Model]:
    """A library model at random values of its parameters, those left out that no mechanism has."""
    model, random, found = getattr(mb.library, name)(), np.random.default_rng(SEED), []
    for _ in range(count):
        try:
            found.append(model.with_values(**_random_values(model, random)))
        except mb.MbwidgetsError:
            continue
    assert len(found) > count // 4, name
    return found


def _ulps(found: float, wanted: float) -> float:
    return abs(found - wanted) / np.spacing(max(abs(wanted), 5e-324))


@pytest.mark.parametrize("name", mb.library.names())
def test_new_values_in_a_recipe_give_the_bits_of_a_model_packed_anew(name: str) -> None:
    for model in _possible_models(name, 20):
        anew = Model.from_dict(model.to_dict())
        assert anew.reductions is not model.reductions
        assert pack_model(model).model.tobytes() == pack_model(anew).model.tobytes()


@pytest.mark.parametrize("name", mb.library.names())
def test_each_number_of_a_recipe_is_within_one_ulp_of_its_expression(name: str) -> None:
    for model in _possible_models(name, 20):
        recipe = recipe_of(model).recipe
        numbers, checked = recipe.numbers(model.values), 0
        for slot, cell in recipe.cells.items():
            if isinstance(cell, Expression):
                if any(isinstance(other, UnitCells) and 0 <= slot - k < 3 for k, other in recipe.cells.items()):
                    continue  # a component that has been divided by the length
                assert _ulps(numbers[slot], evaluate(cell, model.values)) <= 1.0, cell
            else:
                wanted = unit_components([evaluate(item, model.values) for item in cell.axis])
                if cell.across is not None:
                    wanted = perpendicular_axes(wanted)[cell.across]
                for j in range(3):
                    assert _ulps(numbers[slot + j], wanted[j]) <= 1.0, cell
            checked += 1
        assert checked >= model.nv


@pytest.mark.parametrize("name", mb.library.names())
def test_both_engines_follow_a_recipe_to_the_same_bits(name: str) -> None:
    before = mb.engine()
    try:
        for model in _possible_models(name, 4):
            mb.engine("wasm")
            found = pack_model(model).model.tobytes()
            mb.engine("python")
            assert pack_model(model).model.tobytes() == found
    finally:
        mb.engine(before)


def test_the_start_is_part_of_a_recipe() -> None:
    a = mb.Parameter("a", 0.3)
    rod = mb.Body("rod", mass=1, com=(0, 0, 1), joint=mb.Revolute(axis=(1, 0, 0)))
    model = mb.Model([rod], state=mb.State(q=[mb.sin(a)], u=[a * a])).with_values(a=0.7)
    q, u = recipe_of(model).start(model.values)
    assert _ulps(q[0], math.sin(0.7)) <= 1.0
    assert u[0] == 0.7 * 0.7
    assert mb.simulate(model, duration=0.1).q[0, 0] == q[0]


def test_the_longest_length_follows_the_parameters() -> None:
    from mbwidgets.numeric.kernels.memory_layout import LENGTH

    model = mb.library.pendulum(2)
    for length in (0.25, 3.0, 0.5):
        assert pack_model(model.with_values(l=length)).model[LENGTH] == length


def test_lengths_of_vectors_are_those_of_hypot_at_any_size() -> None:
    random = np.random.default_rng(SEED)
    same = 0
    for _ in range(5000):
        vector = random.normal(size=3) * 10.0 ** random.uniform(-200, 200) * (random.uniform(size=3) < 0.8)
        if not vector.any():
            continue
        wanted = math.hypot(*vector)
        found = vector_length(*map(float, vector))
        assert _ulps(found, wanted) <= 1.0, vector
        same += found == wanted
    assert same > 4900


def test_vectors_across_are_those_of_the_model() -> None:
    random = np.random.default_rng(SEED)
    special = [[0, 0, 1], [0, 0, -1], [1e-9, 0, -1], [0, 1, 0], [1, 0, 0], [0, -1e-12, 1]]
    for normal in [*special, *random.normal(size=(500, 3))]:
        axis = unit_components([float(item) for item in normal])
        for which, wanted in enumerate(perpendicular_axes(axis)):
            numbers = np.array(axis)
            turn_across(numbers, 0, which)
            assert np.allclose(numbers, wanted, rtol=0, atol=4e-16)
            assert abs(numbers @ axis) < 1e-15  # each of six numbers is rounded, by 1e-16 at most


def test_the_recipe_of_a_model_is_made_once_for_all_its_values() -> None:
    model = mb.library.three_body_arm()
    recipe = recipe_of(model)
    assert recipe_of(model.with_values(m2=7)) is recipe
    assert recipe_of(model.with_body(1, mass=9)) is not recipe


def _recipe() -> Recipe:
    a = mb.Parameter("a", 1.0)
    rod = mb.Body("rod", mass=1, com=(0, 0, 1 / a), joint=mb.Revolute(axis=(a, 0, 0)))
    return recipe_of(mb.Model([rod])).recipe


def test_a_number_that_is_not_finite_is_refused_by_its_expression() -> None:
    recipe = _recipe()
    with pytest.raises(mb.ExpressionError, match="a"):
        recipe.numbers({"a": 0.0})


def test_a_zero_axis_is_refused() -> None:
    a = mb.Parameter("a", 1.0)
    model = mb.Model([mb.Body("rod", mass=1, com=(0, 0, 1), joint=mb.Revolute(axis=(a, 0, 0)))])
    with pytest.raises(mb.ModelError, match="zero vector"):
        recipe_of(model).recipe.numbers({"a": 0.0})


def test_a_parameter_without_a_value_is_named() -> None:
    recipe = _recipe()
    with pytest.raises(mb.ExpressionError, match="'a' has no value"):
        recipe.numbers({"a": None})
