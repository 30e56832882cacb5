"""The keys of the ready assignments, checked against the compiled dynamics and against mechanics done in NumPy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.assignments import Verdict, load_key
from mbwidgets.assignments.answers import read_answer
from mbwidgets.expressions import evaluate
from tests.assignments.test_nbgrader import FOLDER

STUDENTS = [f"s{number}" for number in range(20)]
KEYS = {name: load_key(FOLDER / "keys" / f"{name}.json") for name in ("rotor", "arm", "crusher")}
EXACT = 1e-9  # a dozen roundings of numbers of size one


def value(text: str, numbers: Mapping[str, Any], state: Mapping[str, float] | None = None) -> np.ndarray:
    """A key's formulae at numbers."""
    entries = read_answer(text).entries
    flat = [evaluate(item, numbers, lambda leaf: (state or {})[repr(leaf)]) for item in entries.flat]
    return np.array(flat).reshape(entries.shape)


def cross(v: Any) -> np.ndarray:
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]], dtype=float)


@pytest.mark.parametrize("student", STUDENTS)
def test_the_rotors_key_is_mechanics(student: str) -> None:
    key = KEYS["rotor"]
    own = key.variant(student)
    n = {name: float(number) for name, number in own.numbers.items()}
    d = np.array([n["e"], 0, n["c"]])
    at_c = np.array([[0.2, 0, n["Jxz"]], [0, 0.25, 0], [n["Jxz"], 0, 0.1]])
    at_o = at_c - n["m"] * cross(d) @ cross(d)  # Steiner: −m [d][d]
    z = np.array([0, 0, 1.0])
    right = {
        "q1": n["m"] * np.cross(z, d),
        "q2": at_o,
        "q3": at_o @ z - (z @ at_o @ z) * z,
    }
    weightless = mb.Dynamics(own.model.with_values(g=0))
    force, moment = np.split(weightless.reactions([0], [n["omega"]], [5.0])[0], 2)
    right["q5"] = moment
    for name, answer in right.items():
        assert key.check(student, name, answer).verdict is Verdict.RIGHT, name
    formula = value(key.question("q4").answer, {**n, "alpha": 5.0})  # type: ignore[attr-defined]
    assert formula == pytest.approx(force, rel=EXACT, abs=EXACT)
    found = mb.balance(own.model, planes=(-0.2, 0.3))
    (m1, m2), (p1, p2) = found.masses(0.1), found.points(0.1)
    assert key.check(student, "q6", {"m1": m1, "x1": p1[0], "m2": m2, "x2": p2[0]}).verdict is Verdict.RIGHT


def test_a_rotor_that_is_balanced_by_the_key_is_quiet() -> None:
    """The conditions of the key, solved by hand: then the compiled kinetic reactions vanish."""
    own = KEYS["rotor"].variant("s1")
    n = {name: float(number) for name, number in own.numbers.items()}
    matrix = np.array([[1, 1], [1 / 5, -3 / 10]])
    p1, p2 = np.linalg.solve(matrix, [-n["m"] * n["e"], n["m"] * n["e"] * n["c"] - n["Jxz"]])
    body = own.model.body(0)
    total = n["m"] + 2
    first = n["m"] * np.array([n["e"], 0, n["c"]]) + np.array([p1 + p2, 0, -0.2 + 0.3])
    com = first / total
    tensor = np.array([[own.model.number(part) for part in row] for row in body.inertia])
    for mass, at in ((n["m"], [n["e"], 0, n["c"]]), (1, [p1, 0, -0.2]), (1, [p2, 0, 0.3])):
        tensor = tensor - mass * cross(at - com) @ cross(at - com)
    quiet = own.model.with_body(0, mass=total, com=tuple(com), inertia=tensor.tolist()).with_values(g=0)
    assert abs(mb.Dynamics(quiet).reactions([0.3], [100.0], [5.0])).max() < 1e-7  # of some 1e3 N before


@pytest.mark.parametrize("student", STUDENTS)
def test_the_arms_key_is_the_compiled_dynamics(student: str, rng: np.random.Generator) -> None:
    key = KEYS["arm"]
    own = key.variant(student)
    dynamics, numbers = mb.Dynamics(own.model), own.numbers
    q, u, ud = rng.uniform(-1, 1, (3, 2))
    state = {f"{name}[{i}]": float(x[i]) for name, x in (("q", q), ("u", u), ("ud", ud)) for i in range(2)}
    text = {name: key.question(name).answer for name in ("q1", "q2", "q3", "q4")}  # type: ignore[attr-defined]
    assert value(text["q1"], numbers, state) == pytest.approx(dynamics.mass_matrix(q), rel=EXACT, abs=EXACT)
    assert value(text["q4"], numbers, state) == pytest.approx(dynamics.inverse(q, u, ud), rel=EXACT, abs=EXACT)
    assert value(text["q3"], numbers, state) == pytest.approx(dynamics.bias(q, [0, 0]), rel=EXACT, abs=EXACT)
    step = 1e-5
    metric = dynamics.mass_matrix
    slope = np.array([(metric(q + h) - metric(q - h)) / (2 * step) for h in step * np.eye(2)])
    # Γ_βγ,α = (∂_β a_γα + ∂_γ a_βα − ∂_α a_βγ)/2 with slope[k, i, j] = ∂_k a_ij
    by_hand = np.empty((2, 2, 2))
    for b, c, a in np.ndindex(2, 2, 2):
        by_hand[b, c, a] = (slope[b, c, a] + slope[c, b, a] - slope[a, b, c]) / 2
    wanted = [by_hand[0, 0, 1], by_hand[0, 1, 0], by_hand[1, 1, 0]]
    assert value(text["q2"], numbers, state) == pytest.approx(wanted, abs=1e-7)  # central differences
    assert key.check(student, "q5", dynamics.bias(own.model.q0, own.model.u0)).verdict is Verdict.RIGHT


@pytest.mark.parametrize("student", STUDENTS)
def test_the_crushers_key_is_the_compiled_dynamics(student: str) -> None:
    key = KEYS["crusher"]
    own = key.variant(student)
    dynamics = mb.Dynamics(own.model)
    q, u = own.model.q0, own.model.u0
    ud = dynamics.forward(q, u)
    accelerations = value(key.question("q4").answer, own.numbers)  # type: ignore[attr-defined]
    assert accelerations == pytest.approx([ud[0], ud[0] + ud[1]], rel=EXACT, abs=EXACT)
    force = value(key.question("q5").answer, own.numbers)  # type: ignore[attr-defined]
    assert force == pytest.approx(dynamics.reactions(q, u, ud)[1, :2], rel=EXACT, abs=EXACT)
    # A0 in (φ, θ) and in the model's (φ, θ − φ): C^T A0 C with θ = φ + q2
    turn = np.array([[1, 0], [1, 1]])
    state = {"q[0]": q[0], "q[1]": q[0] + q[1], "u[0]": u[0], "u[1]": u[0] + u[1]}
    inertia = value(key.question("q1").answer, own.numbers, state)  # type: ignore[attr-defined]
    assert turn.T @ inertia @ turn == pytest.approx(dynamics.mass_matrix(q), rel=EXACT)
    sides = value(key.question("q2").answer, own.numbers, state)  # type: ignore[attr-defined]
    assert turn.T @ sides == pytest.approx(-dynamics.bias(q, u), rel=EXACT, abs=EXACT)
    quiet = dynamics.model.with_values(M=0)
    torque = -mb.Dynamics(quiet).forward(q, u)[0] / (
        mb.Dynamics(dynamics.model.with_values(M=1)).forward(q, u)[0] - mb.Dynamics(quiet).forward(q, u)[0]
    )
    assert key.check(student, "q6", {"M0": torque}).verdict is Verdict.RIGHT


def test_the_crushers_key_gives_the_verified_numbers_of_the_paper() -> None:
    """theory of the release method: Newton-Euler at 40 digits; (3.32) as printed gives other numbers."""
    numbers = {"R": 0.4, "a": 0.25, "m": 3, "I1": 0.8, "I2": 0.05, "M": 12, "g": 9.81}
    numbers |= {"phi0": 0.7, "theta0": -0.3, "w_phi": 2, "w_theta": -1.5}
    key = KEYS["crusher"]
    accelerations = value(key.question("q4").answer, numbers)  # type: ignore[attr-defined]
    assert accelerations == pytest.approx([1.432559779298, 12.428844196487], rel=1e-12)
    force = value(key.question("q5").answer, numbers)  # type: ignore[attr-defined]
    assert force == pytest.approx([-33.066098287653, 7.626560319938], rel=1e-12)
