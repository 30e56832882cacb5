"""Code of a mechanism's dynamics: the recursions themselves, traced, not the expanded formulae.

Seven general joints take some four thousand operations this way, where the expanded polynomials have half
a million terms.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ...errors import SingularError
from ..code.codegen import Traced, language_printer, parameter_names, print_function
from ..code.operation_trace import Node, Trace
from .covariant_tensors import metric_tensor
from .mechanism import Mechanism, Segment
from .newton_euler import newton_euler

__all__ = ["dynamics_code", "traced_mechanism"]


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


def dynamics_code(equations: Any, language: str, name: str) -> str:
    """Mass matrix, bias, inverse and forward dynamics in one language."""
    n = equations.n
    home = equations.mechanism.ring.union(equations.forces.ring) if n else equations.mechanism.ring
    names = parameter_names(home)
    form = language_printer(language, names)
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
    pieces = [form.header()]
    for suffix, summary, arguments, shape, build in functions:
        trace = Trace(names)
        program = Traced(trace, build(equations, trace))
        pieces.append(print_function(form, program, f"{name}_{suffix}", summary, arguments, shape))
        pieces.append("\n")
    return "".join(pieces).rstrip("\n") + "\n" + form.footer()


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
