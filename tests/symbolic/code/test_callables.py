"""Formulae and dynamics as functions of NumPy arrays, the order of parameters, and code of closed loops."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import mbwidgets as mb
from tests.symbolic.code.test_codegen import RUNNERS, need

LOOPS = ("four_bar", "slider_crank", "n_four_bar")


@pytest.mark.parametrize("name", ["three_body_arm", "opnchain_manipulator", "cart_pendulum", "scara", "pendulum"])
def test_compiled_dynamics_are_those_of_the_kernels(name: str, rng: np.random.Generator) -> None:
    model = getattr(mb.library, name)()
    ours, dynamics = mb.covariant(model).compile(), mb.Dynamics(model)
    q, u, ud, tau = rng.normal(size=(4, 6, model.nv))
    for found, expected in (
        (ours.mass_matrix(q), dynamics.mass_matrix(q)),
        (ours.bias(q, u), dynamics.bias(q, u)),
        (ours.inverse(q, u, ud), dynamics.inverse(q, u, ud)),
        (ours.forward(q, u, tau), dynamics.forward(q, u, tau)),
    ):
        assert found == pytest.approx(expected, rel=1e-10, abs=1e-10 * abs(expected).max())
    assert ours.forward(q[2], u[2], tau[2]) == pytest.approx(ours.forward(q, u, tau)[2], rel=1e-14, abs=1e-13)


def test_a_compiled_formula_gives_its_values(rng: np.random.Generator) -> None:
    force = mb.reactions(mb.library.three_body_arm(), "fore").force
    reaction = force.static + force.kinetic
    q, u, ud = rng.normal(size=(3, 4, 3))
    found = reaction.compile()
    assert found(q, u, ud, m3=[1, 2, 3, 4]) == pytest.approx(
        reaction.evaluate(q=q, u=u, ud=ud, m3=np.array([1.0, 2, 3, 4])), rel=1e-12, abs=1e-11
    )
    assert found(ud=ud[0], q=q[0], u=u[0], p=[8, 5, 0.6, 2.0, 9.81]) == pytest.approx(
        reaction.evaluate(q=q[0], u=u[0], ud=ud[0], m3=2.0), rel=1e-12, abs=1e-11
    )
    assert found.inputs == (("q", 3), ("u", 3), ("ud", 3))
    assert mb.Formula("m*g").compile()(m=2, g=3) == 6.0
    assert mb.Formula("1/q[0]").compile()([0.0]) == np.inf
    assert mb.Formula("t*q[0]").compile()([2.0], t=[1, 2, 3]).tolist() == [2, 4, 6]


def test_a_wrong_call_is_told() -> None:
    metric = mb.covariant(mb.library.pendulum(2)).metric.compile()
    for call, told in (
        (lambda: metric(), "q is not given"),
        (lambda: metric([1.0]), r"q has shape \(1,\); give \(…, 2\)"),
        (lambda: metric([1.0, 2.0], [3.0]), "2 arguments; give q"),
        (lambda: metric([1.0, 2.0], q=[1, 2]), "q is given twice"),
        (lambda: metric([1.0, 2.0], mass=3), "'mass' is no argument; known: q, m, l, g"),
        (lambda: metric([1.0, 2.0], p=[1, 2, 3, 4], m=3), "p and parameters by name"),
        (lambda: metric([1j, 2.0]), "not real numbers"),
        (lambda: mb.Formula("a*b").compile()(a=1), "parameter 'b' has no value"),
    ):
        with pytest.raises(mb.MbwidgetsError, match=told):
            call()


@pytest.mark.parametrize("name", mb.library.names())
def test_parameters_stand_in_the_models_order(name: str) -> None:
    model = getattr(mb.library, name)()
    if any(column.kind == "ball" for body in model.bodies for column in body.joint.columns()):
        return  # no code of balls
    equations = mb.constrained(model) if model.constraints else mb.covariant(model)
    code = equations.code("c", "f")
    assert code.parameters == tuple(model.parameters)
    told = re.search(r"parameters: (.*)", code)
    assert told is None or re.findall(r"p\[\d+\] = (\w+)", told[1]) == list(model.parameters)
    assert code.inputs["f_mass_matrix"] == (("q", model.nq), ("p", len(model.parameters)))


@pytest.mark.parametrize("name", mb.library.names())
def test_code_multiplies_no_two_constants(name: str) -> None:
    model = getattr(mb.library, name)()
    try:
        code = (mb.constrained(model) if model.constraints else mb.covariant(model)).code("c")
    except mb.ModelError:
        return  # balls
    number = r"[0-9]+\.[0-9e-]+"
    begin = r"(?<![\w.\]])" + number
    assert not re.search(begin + r"\*" + number, code)
    for product in re.finditer(begin + r"\*\(", code):  # a product in brackets has no constant factor
        inside = _bracket(code, product.end() - 1)
        if not re.search(r" [-+] |/", inside):
            assert not re.search(r"(?<![\w.\[])" + number, inside), code[product.start() : product.end() + len(inside)]


def _bracket(code: str, begin: int) -> str:
    """What stands in the brackets that open at a place."""
    depth = 0
    for k in range(begin, len(code)):
        depth += (code[k] == "(") - (code[k] == ")")
        if depth == 0:
            return code[begin + 1 : k]
    return code[begin + 1 :]


@pytest.mark.parametrize("name", [*LOOPS, "andrews_squeezer", "bricard"])
def test_c_of_a_closed_loop_has_the_numbers_of_the_kernels(name: str, tmp_path: Path) -> None:
    """M, h, J and γ, compiled by gcc, at the start: J u̇ = γ for the accelerations of the kernels."""
    need("c")
    model = getattr(mb.library, name)()
    dynamics, q, u = mb.Dynamics(model), model.q0, model.u0
    state = dynamics.constraints(q, u)
    rows, nv = state.L_lambda.shape
    code = mb.constrained(model).code("c", "loop")
    shapes = {"mass_matrix": (nv, nv), "bias": (nv,), "jacobian": (rows, nv), "gamma": (rows,)}
    run = RUNNERS["c"](code, {f"loop_{part}": shape for part, shape in shapes.items()}, tmp_path)
    given = {"q": q, "u": u, "t": 0.0, "p": np.array([float(model.values[key]) for key in code.parameters] or [0.0])}
    found = {part: run(f"loop_{part}", [given[key] for key, _ in code.inputs[f"loop_{part}"]]) for part in shapes}
    for part, expected in (
        ("mass_matrix", dynamics.mass_matrix(q)),
        ("bias", dynamics.bias(q, u)),
        ("jacobian", state.L_lambda),
        ("gamma", state.L_lambda @ state.accelerations),
    ):
        assert found[part] == pytest.approx(expected, rel=1e-11, abs=1e-11 * max(1.0, abs(expected).max())), part


@pytest.mark.parametrize("name", LOOPS)
def test_code_of_a_closed_loop_has_its_accelerations(name: str) -> None:
    motion = mb.simulate(getattr(mb.library, name)(), duration=0.5, rate=8)
    loop, model = mb.constrained(motion.model).compile(), motion.model
    for q, u, ud in zip(motion.q, motion.u, motion.ud, strict=True):
        M, J, h, gamma = loop.mass_matrix(q), loop.jacobian(q, u), loop.bias(q, u), loop.gamma(q, u)
        assert abs(loop.constraints(q, u)).max() < 1e-11
        system = np.block([[M, -J.T], [J, np.zeros((len(J), len(J)))]])
        found = np.linalg.lstsq(system, np.concatenate([-h, gamma]), rcond=1e-11)[0][: model.nv]
        assert found == pytest.approx(ud, rel=1e-6, abs=1e-6 * abs(motion.ud).max())


def test_a_guide_with_a_foot_is_refused_in_code() -> None:
    rail = mb.OnCurve("bead", curve=("s", "s**2", 0), parameter="s")
    bead = mb.Body("bead", mb.Planar("z"), mass=1, inertia=(1, 1, 1))
    guided = mb.constrained(mb.Model([bead], constraints=[rail]))
    with pytest.raises(mb.ModelError, match="code of constraints"):
        guided.code("c")
