"""Code of a mechanism's dynamics: the recursions themselves, traced, not the expanded formulae.

Seven general joints take some four thousand operations this way, where the expanded polynomials have half
a million terms.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any, Final

from ...errors import SingularError
from ..code.callables import CompiledFunction
from ..code.codegen import Code, Traced, language_printer, parameter_names, plain_parameters, print_function
from ..code.operation_trace import Node, Trace
from .covariant_tensors import metric_tensor
from .mechanism import Mechanism, Segment
from .newton_euler import newton_euler

__all__ = ["DynamicsFunction", "compiled_dynamics", "dynamics_code", "dynamics_functions", "traced_mechanism"]

ALL: Final = ("mass_matrix", "bias", "inverse", "forward")
SUMMARIES: Final = {
    "constraints": "Phi(q, t), zero where the constraints hold",
    "jacobian": "J(q, t), J u + dPhi/dt = 0",
    "gamma": "gamma(q, u, t), J ud = gamma",
}
"""What the functions of constraints are; with them M ud + h = tau + J^T lambda."""


def traced_mechanism(mechanism: Mechanism, trace: Trace) -> Mechanism:
    """The same mechanism with operations in place of polynomials."""

    def convert(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(convert(part) for part in value)
        return None if value is None else trace.polynomial(mechanism.ring, value)

    def segment(s: Segment) -> Segment:
        fields = ("axis", "at", "offset", "turn", "mass", "com", "inertia", "planar")
        return replace(s, **{name: convert(getattr(s, name)) for name in fields})

    return Mechanism(trace, tuple(map(segment, mechanism.segments)), convert(mechanism.gravity), mechanism.n)


@dataclass(frozen=True)
class DynamicsFunction:
    """A function of a mechanism's dynamics: what its name ends with, what it is, its arguments, shape and program."""

    suffix: str
    summary: str
    arguments: tuple[tuple[str, int], ...]
    shape: tuple[int, ...]
    program: Traced


def dynamics_functions(
    equations: Any, wanted: Sequence[str] = ALL, rows: Mapping[str, Any] | None = None
) -> list[DynamicsFunction]:
    """Mass matrix, bias, inverse and forward dynamics of `Covariant` equations, those ``wanted`` of them.

    ``rows``: formulae of constraints by name, which become functions of (q, u, t, p) beside them.
    """
    n = equations.n
    formulae = dict(rows or {})
    home = equations.mechanism.ring.union(equations.forces.ring) if n else equations.mechanism.ring
    for formula in formulae.values():
        home = home.union(formula.ring)
    names = parameter_names(home, plain_parameters(equations.values))
    p = ("p", len(names))
    q, u, ud, tau, t = ("q", n), ("u", n), ("ud", n), ("tau", n), ("t", 0)
    functions = (
        ("mass_matrix", "M(q), the covariant metric", (q, p), (n, n), _mass),
        (
            "bias",
            "h(q, u, t) = velocity and gravity terms minus the model's forces",
            (q, u, t, p),
            (n,),
            _bias,
        ),
        ("inverse", "tau = M ud + h", (q, u, ud, t, p), (n,), _inverse),
        ("forward", "ud = M^-1 (tau - h)", (q, u, tau, t, p), (n,), _forward),
    )
    made = []
    for suffix, summary, arguments, shape, build in functions:
        if suffix in wanted:
            trace = Trace(names)
            made.append(DynamicsFunction(suffix, summary, arguments, shape, Traced(trace, build(equations, trace))))
    for suffix, formula in formulae.items():
        trace = Trace(names)
        program = Traced(trace, [trace.element(entry) for entry in formula.entries])
        made.append(DynamicsFunction(suffix, SUMMARIES[suffix], (q, u, t, p), formula.shape, program))
    return made


def dynamics_code(functions: Sequence[DynamicsFunction], language: str, name: str) -> Code:
    """The functions in one language."""
    names = functions[0].program.trace.parameters
    form = language_printer(language, names)
    pieces = [form.header()]
    for one in functions:
        pieces.append(print_function(form, one.program, f"{name}_{one.suffix}", one.summary, one.arguments, one.shape))
        pieces.append("\n")
    text = "".join(pieces).rstrip("\n") + "\n" + form.footer()
    return Code.of(text, names, {f"{name}_{one.suffix}": one.arguments for one in functions})


def compiled_dynamics(functions: Sequence[DynamicsFunction], values: Any) -> SimpleNamespace:
    """The functions as callables of NumPy arrays, by name, with ``parameters``."""
    made = {
        one.suffix: CompiledFunction(one.suffix, one.arguments, one.shape, one.program, values) for one in functions
    }
    return SimpleNamespace(**made, parameters=tuple(functions[0].program.trace.parameters))


def _inputs(trace: Trace, name: str, n: int) -> list[Node]:
    return [trace.input(name, k) for k in range(n)]


def _mass(equations: Any, trace: Trace) -> list[Node]:
    square = metric_tensor(traced_mechanism(equations.mechanism, trace))
    return [entry for row in square for entry in row]


def _efforts(equations: Any, trace: Trace, ud: list[Node] | None) -> list[Node]:
    mechanism = traced_mechanism(equations.mechanism, trace)
    efforts = newton_euler(mechanism, _inputs(trace, "u", equations.n), ud)
    forces = [trace.element(entry) for entry in equations.forces.entries]
    return [effort - force for effort, force in zip(efforts, forces, strict=True)]


def _bias(equations: Any, trace: Trace) -> list[Node]:
    return _efforts(equations, trace, None)


def _inverse(equations: Any, trace: Trace) -> list[Node]:
    return _efforts(equations, trace, _inputs(trace, "ud", equations.n))


def _forward(equations: Any, trace: Trace) -> list[Node]:
    """M = L D Lᵀ, then three triangular steps; zeros of M cost nothing."""
    n = equations.n
    a = metric_tensor(traced_mechanism(equations.mechanism, trace))
    bias = _efforts(equations, trace, None)
    x = [tau - h for tau, h in zip(_inputs(trace, "tau", n), bias, strict=True)]
    lower: list[list[Node]] = [[trace.zero] * n for _ in range(n)]
    pivots: list[Node] = []
    for j in range(n):
        scaled = [trace.mul(lower[j][k], pivots[k]) for k in range(j)]
        pivots.append(a[j][j] - trace.dot(lower[j][:j], scaled))
        if not pivots[j]:
            raise SingularError(
                "the metric has no inverse: the joint moves nothing that has mass or inertia",
                where=f"coordinate {j}",
                remedy="give the bodies that it carries mass or inertia",
            )
        for i in range(j + 1, n):
            rest = a[i][j] - trace.dot(lower[i][:j], scaled)
            lower[i][j] = rest / pivots[j]
    for i in range(n):
        x[i] = x[i] - trace.dot(lower[i][:i], x[:i])
    x = [value / pivot for value, pivot in zip(x, pivots, strict=True)]
    for i in range(n - 1, -1, -1):
        x[i] = x[i] - trace.dot([lower[k][i] for k in range(i + 1, n)], x[i + 1 :])
    return x
