"""Code export: every language that has a tool here is compiled or run, and compared with the formulae."""

from __future__ import annotations

import ctypes
import json
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.errors import ExpressionError
from mbwidgets.model import forces as f
from mbwidgets.model.model import Model
from mbwidgets.model.parameters import Parameter
from mbwidgets.symbolic import Covariant, covariant
from tests.symbolic.mechanisms import general_chain, manipulator, random_mechanism

Call = Callable[[str, list[Any]], np.ndarray]
FUNCTIONS = {
    "mass_matrix": ("q", "p"),
    "bias": ("q", "u", "t", "p"),
    "inverse": ("q", "u", "ud", "t", "p"),
    "forward": ("q", "u", "tau", "t", "p"),
}


def spring_arm() -> Model:
    model = random_mechanism(random.Random(5), 4, tree=True)
    k = Parameter("k", 20.0)
    loads = [
        f.Spring(f.Anchor("b3", (0, 0, 1)), f.Anchor(None, (1, 1, 1)), stiffness=k, length=0.5),
        f.Damper(f.Anchor("b2"), f.Anchor("b0", (1, 0, 0)), damping=2),
        f.JointFriction("b1", viscous=0.5, coulomb=1, smoothing=0.1),
        f.Effort("b0", "k*sin(3*t) - u[0]"),
    ]
    return model.replace(forces=loads)


MODELS = {
    "manipulator": manipulator,
    "general": lambda: with_numbers(general_chain(4)),
    "springs": spring_arm,
}


def with_numbers(model: Model) -> Model:
    return model.with_values(g=9.81)


def python(code: str, shapes: dict[str, Any], folder: Path) -> Call:
    scope: dict[str, Any] = {}
    exec(compile(code, "generated", "exec"), scope)  # noqa: S102 - the text under test
    return lambda name, arguments: scope[name](*arguments)


def cpp(code: str, shapes: dict[str, Any], folder: Path) -> Call:
    # as it is, a header; a library exports no inline functions
    exported = code.replace("\ninline void ", '\nextern "C" void ')
    assert exported != code
    return c(exported, shapes, folder, ["g++", "-std=c++11"], "generated.cpp")


def c(
    code: str, shapes: dict[str, Any], folder: Path, compiler: Any = ("gcc", "-std=c99"), name: str = "generated.c"
) -> Call:
    # a library of its own for each text: the loader keeps the first one of a name
    place = Path(tempfile.mkdtemp(dir=folder))
    source, library = place / name, place / "generated.so"
    source.write_text(code)
    flags = ["-Wall", "-Wextra", "-Werror", "-pedantic", "-O1", "-shared", "-fPIC"]
    subprocess.run([*compiler, *flags, str(source), "-o", str(library), "-lm"], check=True, timeout=60)
    loaded = ctypes.CDLL(str(library))

    def call(name: str, arguments: list[Any]) -> np.ndarray:
        out = np.empty(int(np.prod(shapes[name])))
        given: list[Any] = []
        kept = []
        for argument in arguments:
            if np.ndim(argument):
                kept.append(np.ascontiguousarray(argument, dtype=float))
                given.append(kept[-1].ctypes.data_as(ctypes.c_void_p))
            else:
                given.append(ctypes.c_double(argument))
        getattr(loaded, name)(*given, out.ctypes.data_as(ctypes.c_void_p))
        return out.reshape(shapes[name])

    return call


def javascript(code: str, shapes: dict[str, Any], folder: Path) -> Call:
    def call(name: str, arguments: list[Any]) -> np.ndarray:
        given = ", ".join(json.dumps(np.asarray(argument).tolist()) for argument in arguments)
        script = folder / "generated.js"
        script.write_text(f'"use strict";\n{code}\nconsole.log(JSON.stringify({name}({given})));\n')
        output = subprocess.run(["node", str(script)], capture_output=True, check=True, timeout=60, text=True).stdout
        return np.array(json.loads(output)).reshape(shapes[name])

    return call


def translated(code: str, name: str, arguments: list[Any]) -> Any:
    """Run Mathematica or Modelica text by rewriting its few constructs as Python."""
    scope = {n: getattr(np, n) for n in ("sin", "cos", "tan", "sqrt", "exp", "log", "tanh")}
    scope |= {n: getattr(np, f"arc{n[1:]}") for n in ("asin", "acos")} | {"sign": np.sign, "atan2": np.arctan2}
    scope["choose"] = lambda condition, a, b: a if condition else b
    scope["atan"] = lambda x, *y: np.arctan2(*y, x) if y else np.arctan(x)  # Mathematica's ArcTan[x, y]
    if ":= Module" in code:
        plain = name.replace("_", "")
        found = re.search(rf"{plain}\[([^\]]*)\] := Module\[{{[^}}]*}},\n(.*?)\n\];", code, re.S)
        assert found, name
        names, body = [part.strip("_ ") for part in found[1].split(",")], found[2]
        body = re.sub(r"\[\[(\d+)\]\]", lambda m: f"‹{int(m[1]) - 1}›", body)
        body = body.replace("If[", "choose[")
        body = re.sub(r"Arc(Sin|Cos|Tan)\[", lambda m: f"a{m[1].lower()}[", body)
        body = re.sub(r"(Sin|Cos|Tan|Sqrt|Exp|Log|Tanh|Abs|Sign|Min|Max)\[", lambda m: m[1].lower() + "[", body)
        body = (
            body.replace("[", "(")
            .replace("]", ")")
            .replace("{", "[")
            .replace("}", "]")
            .replace("Pi", "3.141592653589793")
        )
        body = body.replace("‹", "[").replace("›", "]")
        *lines, result = [line.strip().rstrip(";") for line in body.splitlines()]
    else:
        found = re.search(rf"function {name}\n(.*?)algorithm\n(.*?)end {name};", code, re.S)
        assert found, name
        names = re.findall(r"input Real (\w+)", found[1])
        body = re.sub(r"(\w+)\[(\d+)\]", lambda m: f"{m[1]}[{int(m[2]) - 1}]", found[2])
        body = body.replace("{", "[").replace("}", "]").replace(":=", "=")
        body = body.replace("(if ", "choose(").replace(" then ", ", ").replace(" else ", ", ")
        *lines, result = [line.strip().rstrip(";") for line in body.splitlines() if line.strip()]
        result = result.removeprefix("out = ")
    scope.update(zip(names, arguments, strict=True))
    exec("\n".join(lines), scope)  # noqa: S102 - the text under test
    return np.array(eval(result, scope), dtype=float)  # noqa: S307 - the text under test


def other(code: str, shapes: dict[str, Any], folder: Path) -> Call:
    return lambda name, arguments: translated(code, name, arguments).reshape(shapes[name])


RUNNERS: dict[str, Any] = {
    "python": python,
    "c": c,
    "cpp": cpp,
    "javascript": javascript,
    "mathematica": other,
    "modelica": other,
}
TOOLS = {"c": "gcc", "cpp": "g++", "javascript": "node"}


def need(language: str) -> None:
    tool = TOOLS.get(language)
    if tool and shutil.which(tool) is None:
        pytest.skip(f"{tool} is not installed")


def expected(equations: Covariant, state: dict[str, Any]) -> dict[str, np.ndarray]:
    q, u, ud, tau, t = (state[name] for name in ("q", "u", "ud", "tau", "t"))
    mass = equations.metric.evaluate(q=q, t=t)
    bias = equations.bias.evaluate(q=q, u=u, t=t)
    return {
        "mass_matrix": mass,
        "bias": bias,
        "inverse": mass @ ud + bias,
        "forward": np.linalg.solve(mass, tau - bias),
    }


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("language", RUNNERS)
def test_generated_dynamics_agree_with_the_formulae(
    language: str, model: str, tmp_path: Path, rng: np.random.Generator
) -> None:
    need(language)
    equations = covariant(MODELS[model]())
    n = equations.n
    code = equations.code(language, "arm")
    names = re.findall(r"p\[\d+\] = (\w+)", code)
    p = np.array([float(equations.values[name]) for name in dict.fromkeys(names)])
    shapes = {f"arm_{name}": (n, n) if name == "mass_matrix" else (n,) for name in FUNCTIONS}
    run = RUNNERS[language](code, shapes, tmp_path)
    for _ in range(2):
        q, u, ud, tau = rng.normal(size=(4, n))
        state = {"q": q, "u": u, "ud": ud, "tau": tau, "t": 0.7, "p": p}
        for name, value in expected(equations, state).items():
            found = run(f"arm_{name}", [state[key] for key in FUNCTIONS[name]])
            # doubles in another order of operations; the solution of M x = b has its condition number too
            np.testing.assert_allclose(found, value, rtol=0, atol=1e-11 * max(1.0, np.abs(value).max()))


@pytest.mark.parametrize("language", RUNNERS)
def test_generated_formulae_agree_with_their_values(language: str, tmp_path: Path, rng: np.random.Generator) -> None:
    need(language)
    equations = covariant(manipulator())
    for formula in (equations.metric, equations.contravariant_metric[0, 0], equations.coriolis):
        code = formula.code(language, "tensor")
        q, u = rng.normal(size=(2, 5))
        run = RUNNERS[language](code, {"tensor": formula.shape}, tmp_path)
        found = run("tensor", [q, u, np.zeros(5), 0.0, np.array([9.81])])
        np.testing.assert_allclose(found, formula.evaluate(q=q, u=u), rtol=1e-11, atol=1e-11)


def test_generated_python_takes_batches_of_states(tmp_path: Path, rng: np.random.Generator) -> None:
    equations = covariant(manipulator())
    run = python(equations.code("python", "arm"), {}, tmp_path)
    q = rng.normal(size=(6, 5))
    found = run("arm_mass_matrix", [q, [9.81]])
    np.testing.assert_allclose(found, equations.metric.evaluate(q=q), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("language", [*RUNNERS, "latex"])
def test_code_is_the_same_on_every_run(language: str) -> None:
    script = (
        "from tests.symbolic.mechanisms import general_chain\n"
        "from mbwidgets.symbolic import covariant\n"
        f"print(covariant(general_chain(3, symbolic=True)).code({language!r}))\n"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", script],
            capture_output=True,
            check=True,
            timeout=120,
            cwd=Path(__file__).parents[3],
            env={"PYTHONHASHSEED": str(k), "PYTHONPATH": "."},
        ).stdout
        for k in (1, 2)
    }
    assert len(outputs) == 1


def test_latex_names_long_subexpressions() -> None:
    text = covariant(manipulator()).contravariant_metric[0, 0].code("latex")
    assert text.startswith("\\begin{aligned}\nz_{1} &= ")
    assert "y &= \\frac{" in text


def test_common_subexpressions_are_computed_once() -> None:
    equations = covariant(manipulator())
    assert equations.metric.operations < 60
    code = equations.metric.code("c")
    assert code.count("sin(q[4])") == 1
    assert code.count("cos(q[3])") == 1


def test_general_joints_cost_thousands_of_operations_not_half_a_million_terms() -> None:
    code = covariant(general_chain(7)).code("c", "seven")
    assert len(code) < 200_000


@pytest.mark.parametrize("name", ["x; system('rm')", "1a", "", "a b", "a\nb", None])
def test_a_function_name_that_is_no_identifier_is_refused(name: Any) -> None:
    with pytest.raises(ExpressionError, match="cannot name a function"):
        covariant(manipulator()).metric.code("c", name)


def test_an_unknown_language_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ExpressionError, match=r"cobol.*python, c, cpp, javascript"):
        covariant(manipulator()).code("cobol")


@pytest.mark.parametrize(
    ("language", "name"),
    [
        ("python", "np"),
        ("python", "batch"),
        ("python", "x0"),
        ("c", "cos"),
        ("c", "sqrtf"),
        ("c", "gamma"),
        ("c", "main"),
        ("c", "sizeof"),
        ("c", "x12"),
        ("javascript", "Math"),
        ("javascript", "typeof"),
        ("mathematica", "Sin"),
        ("mathematica", "S_in"),
        ("mathematica", "E"),
        ("mathematica", "u_d"),
        ("modelica", "Real"),
        ("modelica", "der"),
    ],
)
def test_a_function_cannot_have_a_name_that_the_code_uses(language: str, name: str) -> None:
    formula = mb.covariant(mb.library.pendulum(2)).metric
    with pytest.raises(ExpressionError, match=f"'{name}' cannot name a function in {language}"):
        formula.code(language, name=name)
    mb.covariant(mb.library.pendulum(1)).code(language, name="cos")  # as a beginning it does no harm


def test_a_coefficient_that_no_double_holds_is_refused_in_code() -> None:
    for mass in (1e200, 1e-200):
        bodies = [
            mb.Body(f"b{k}", mb.Revolute("y"), mass=mass, com=(0, 0, -1), inertia=(mass, mass, mass)) for k in range(2)
        ]
        equations = mb.covariant(mb.Model(bodies))
        for language in ("c", "python", "javascript", "modelica"):
            with pytest.raises(ExpressionError, match=f"code in {language}: a coefficient near 1e.*mathematica"):
                equations.determinant.code(language)
        assert "0" * 390 in equations.determinant.code("mathematica")
        if mass > 1:
            with pytest.raises(ExpressionError, match="a coefficient has no double"):
                equations.determinant.evaluate(q=[0, 0])
