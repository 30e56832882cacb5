"""Every public object can be copied, and sent to another process: clusters and caches need both."""

from __future__ import annotations

import copy
import dataclasses
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.model.fields import Record
from mbwidgets.symbolic import Formula

a = mb.assignments
ARM = mb.library.three_body_arm()
CAROUSEL = mb.library.carousel()


def _assignment() -> Any:
    template = a.Template(
        "rotor",
        mb.library.rotor(),
        {"m": a.Grid(5, 15, "0.5"), "e": a.OneOf(["0.01"]), "c": a.Fractions("0", "1/4", 4)},
    )
    questions = [
        a.Scalar(name="scalar", answer="m", unit="kg"),
        a.Vector(name="vector", answer="[0, m*e, 0]", mistakes=[a.Mistake("pole", "[0, 0, 0]", credit=0.25)]),
        a.Matrix(name="matrix", answer="[[m, 0], [0, m]]"),
        a.Symbolic(name="symbolic", answer="m*e", letters={"m": None, "e": ["1/100", 1]}),
        a.FreeChoice(name="choice", choose={"p": [-5, 5]}, conditions={"m + p": "not zero"}),
        a.MotionTable(name="motion", columns=["q[0]"]),
    ]
    return a.Assignment("course", template, questions)


MAKERS: dict[str, Callable[[], Any]] = {
    "expression": lambda: mb.Parameter("m", 0.1) * 2 + mb.sin(mb.Parameter("x")) / 3,
    "model": lambda: ARM,
    "closed model": mb.library.four_bar,
    "formula": lambda: mb.covariant(ARM).metric,
    "part of a formula": lambda: mb.covariant(ARM).metric[1, 2].factored(),
    "accelerations": lambda: mb.covariant(mb.library.pendulum(2)).equations("contravariant")[0],
    "covariant": lambda: mb.covariant(ARM),
    "used covariant": lambda: _used(mb.covariant(ARM)),
    **{
        f"reactions by {method}": (lambda method=method: mb.reactions(ARM, "fore", method=method))  # type: ignore[misc]
        for method in ("rotators", "rodrigues", "release")
    },
    "release": lambda: mb.release(ARM, "fore"),
    "rotators": lambda: mb.rotators(ARM, "fore"),
    "mass moments": lambda: mb.mass_moments(ARM, "fore", "x"),
    "motion vectors": lambda: mb.motion_vectors(ARM),
    "volume integrals": lambda: mb.volume_integrals(mb.Cone("1/2", 1), "x"),
    "constrained": lambda: mb.constrained(mb.library.four_bar()),
    "body on a circle": lambda: mb.constrained(mb.library.body_on_circle()),
    "augmented": lambda: mb.augmented(CAROUSEL),
    "kharlamov": lambda: mb.kharlamov(CAROUSEL),
    "permanent formulae": lambda: mb.permanent_formulae(CAROUSEL),
    "errata": lambda: mb.errata("tataru"),
    "staude cone": lambda: mb.staude_cone(CAROUSEL),
    "dynamics": lambda: mb.Dynamics(ARM),
    "motion": lambda: mb.simulate(ARM, duration=0.1),
    "closed motion": lambda: mb.simulate(mb.library.four_bar(), duration=0.1),
    "table": lambda: mb.simulate(ARM, duration=0.1).table(),
    "budget": lambda: mb.Budget(seconds=3),
    "assignment": _assignment,
    "template": lambda: _assignment().template,
    "variant": lambda: _used_variant(_assignment().variant("s1")),
    "grade": lambda: _assignment().grade("s1", {"scalar": "m"}),
    "solid": lambda: _used_solid(mb.Composite([mb.Box((0.1, 0.2, 0.3), mass=1.0), mb.Sphere(0.1)])),
    "error": lambda: mb.ModelError("problem", where="place", remedy="remedy"),
    "ground": lambda: mb.ground,
}
COPIES: dict[str, Callable[[Any], Any]] = {
    "pickle": lambda value: pickle.loads(pickle.dumps(value)),  # noqa: S301
    "deepcopy": copy.deepcopy,
    "copy": copy.copy,
}


def _used(equations: Any) -> Any:
    """With all that it keeps once it has been asked for."""
    equations.metric.text()
    equations.metric.evaluate(q=[0.1, 0.2, 0.3])
    equations.metric.unreduced()
    equations.christoffel(2)
    equations.contravariant_metric.unreduced()
    return equations


def _used_variant(variant: Any) -> Any:
    assert variant.values
    assert variant.numbers
    assert variant.model
    return variant


def _used_solid(solid: Any) -> Any:
    solid.properties()
    return solid


def _same(one: Any, other: Any, depth: int = 0) -> bool:
    """Equal in all that can be seen, formulae exactly."""
    assert type(one) is type(other)
    if isinstance(one, Formula):
        return bool(one == other) and one.form == other.form and one.text(limit=None) == other.text(limit=None)
    if isinstance(one, np.ndarray):
        return bool(np.array_equal(one, other, equal_nan=one.dtype.kind == "f"))
    if isinstance(one, mb.Model | Record):
        return bool(one == other)
    if isinstance(one, tuple | list) and depth < 5:
        return len(one) == len(other) and all(_same(x, y, depth + 1) for x, y in zip(one, other, strict=True))
    if dataclasses.is_dataclass(one) and depth < 5:
        return all(_same(getattr(one, f.name), getattr(other, f.name), depth + 1) for f in dataclasses.fields(one))
    return " at 0x" in repr(one) or repr(one) == repr(other)


@pytest.mark.parametrize("way", COPIES)
@pytest.mark.parametrize("name", MAKERS)
def test_every_public_object_can_be_copied(name: str, way: str) -> None:
    value = MAKERS[name]()
    assert _same(value, COPIES[way](value))


@pytest.mark.parametrize("name", ["formula", "part of a formula", "covariant", "accelerations"])
def test_copies_go_on_working(name: str) -> None:
    value = MAKERS[name]()
    for make in COPIES.values():
        again = make(value)
        one, other = (x.metric if name == "covariant" else x for x in (value, again))
        state = {"q": [0.1, 0.2, 0.3][: 2 if name == "accelerations" else 3], "u": [1.0, 2.0, 3.0]}
        state = {key: item[: len(state["q"])] for key, item in state.items()}
        np.testing.assert_array_equal(one.evaluate(**state), other.evaluate(**state))
        assert one.unreduced() == other.unreduced()
        assert one - other == one * 0


def test_a_copied_assignment_grades_as_the_first() -> None:
    key = _assignment()
    again = COPIES["pickle"](key)
    assert again.hash == key.hash
    assert again.variant("s7").values == key.variant("s7").values
    assert again.check("s7", "symbolic", "e*m").points == 1


def test_copied_dynamics_give_the_same_numbers() -> None:
    dynamics = mb.Dynamics(ARM)
    again = COPIES["pickle"](dynamics)
    np.testing.assert_array_equal(dynamics.mass_matrix([0.1, 0.2, 0.3]), again.mass_matrix([0.1, 0.2, 0.3]))


def test_formulae_reach_another_process(tmp_path: Path) -> None:
    reaction = mb.reactions(ARM, "fore")
    place = tmp_path / "reaction"
    place.write_bytes(pickle.dumps((reaction, mb.covariant(ARM).metric)))
    script = (
        "import pickle, sys; reaction, metric = pickle.load(open(sys.argv[1], 'rb'));"
        "sys.stdout.write(str(reaction.force.static.text()) + metric.text())"
    )
    found = subprocess.run(
        [sys.executable, "-c", script, str(place)],
        capture_output=True,
        text=True,
        check=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )
    assert found.stdout == reaction.force.static.text() + mb.covariant(ARM).metric.text()


def test_formulae_of_the_other_backend_are_copied_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MBWIDGETS_RING", "sympy")
    metric = mb.covariant(mb.library.pendulum(2)).metric
    assert metric.ring.name == "sympy"
    for make in COPIES.values():
        assert make(metric) == metric
