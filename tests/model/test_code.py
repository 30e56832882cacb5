"""A model as code: run, the lines make an equal model."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given

import mbwidgets as mb
from tests.model import strategies


def rebuilt(model: mb.Model) -> mb.Model:
    """What the lines make. Only tests run them: the package never runs text."""
    space: dict[str, Any] = {}
    exec(compile(model.to_code(), "model", "exec"), space)  # noqa: S102
    return space["model"]


@pytest.mark.parametrize("name", mb.library.names())
def test_the_code_of_every_library_model_makes_an_equal_model(name: str) -> None:
    model = getattr(mb.library, name)()
    again = rebuilt(model)
    assert again == model
    assert again.to_dict() == model.to_dict()


def test_what_sliders_made_comes_back_to_the_last_digit() -> None:
    model = mb.library.three_body_arm().with_values(m2=0.1 + 0.2).with_joint("fore", axis=(1, 2, 3))
    assert rebuilt(model).bodies[2].joint.axis == model.bodies[2].joint.axis
    assert rebuilt(model) == model


TWO = mb.Composite([mb.Sphere(0.1, mass=1), mb.Rod(1, mass=2)])


def test_forces_constraints_solids_and_exact_numbers_come_back() -> None:
    k = mb.Parameter("k", Fraction(1, 3), min=0, unit="N/m")
    model = mb.Model(
        [
            mb.Body("a", mb.Universal("x", "z"), mass=2 * k, com=(k, 0, 0), inertia=(1, 1, 1)),
            mb.Body("b", mb.Free(at=(0, 0, 1)), parent=mb.ground, shape=mb.Box((1, 2, 3), density=1000)),
            mb.Body("c", mb.Spherical(), parent="a", inertia=TWO),
        ],
        forces=[
            mb.Spring(("a", (0, 0, 1)), None, stiffness=k, length="k/7"),
            mb.Effort("a", "sin(2*t) - q[0]", coordinate=1),
            mb.Force("b", (1, 0, "t"), axes="body"),
        ],
        constraints=[mb.DistanceConstraint(("b", (0, 0, 1)), None, length=2)],
        state={"u": [1, 0.25, 0, 0, 0, 0, 0, 0, 0, 0, 0]},
        name="quotes ' \" and \\ slashes",
    )  # fmt: skip
    assert rebuilt(model) == model


@given(strategies.models())
def test_the_code_of_any_model_makes_an_equal_model(model: mb.Model) -> None:
    assert rebuilt(model) == model


def test_hostile_text_stays_text() -> None:
    model = mb.Model(
        [mb.Body("a", mass=mb.Parameter("m", 1, unit="'); raise SystemExit #"))],
        name="\"\"\" + '''; raise SystemExit #",
    )
    assert rebuilt(model) == model
