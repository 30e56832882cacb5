"""Programs of `trace` as functions of NumPy arrays: no text is made, and nothing is executed but arithmetic."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

import numpy as np

from ...errors import StateError, UnknownNameError, shorten
from .codegen import Traced
from .operation_trace import Node

__all__ = ["CompiledFunction"]

ONE: Final[dict[str, Callable[..., float]]] = {
    **{name: getattr(math, name) for name in ("sin", "cos", "tan", "exp", "log", "sqrt", "tanh", "atan2")},
    **{name: getattr(math, name) for name in ("atan", "asin", "acos")},
    "abs": abs,
    "min": min,
    "max": max,
    "sign": lambda x: float((x > 0.0) - (x < 0.0)),
    "where": lambda x, a, b: a if x >= 0.0 else b,
}
"""What functions are at one state."""
MANY: Final[dict[str, Callable[..., Any]]] = {
    **{name: getattr(np, name) for name in ("sin", "cos", "tan", "exp", "log", "sqrt", "tanh", "abs", "sign")},
    "atan": np.arctan,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan2": np.arctan2,
    "min": np.minimum,
    "max": np.maximum,
    "where": lambda x, a, b: np.where(np.asarray(x) >= 0.0, a, b),
}
"""What they are at many."""
ADD, SUBTRACT, MULTIPLY, DIVIDE, NEGATE, CONSTANT, INPUT, CALL = range(8)
ARITHMETIC: Final = {"add": ADD, "sub": SUBTRACT, "mul": MULTIPLY, "div": DIVIDE}


def _step(node: Node, places: Mapping[int, int]) -> tuple[int, Any, Any]:
    """An operation, and where its operands stand among the values."""
    match node.op:
        case "const":
            return CONSTANT, float(node.args[0]), None
        case "pi":
            return CONSTANT, math.pi, None
        case "input":
            name, index = node.args
            return INPUT, name, None if name == "t" else index
        case "call":
            return CALL, node.args[0], [places[x.index] for x in node.args[1:]]
        case "neg":
            return NEGATE, places[node.args[0].index], None
    first, second = (places[x.index] for x in node.args)
    return ARITHMETIC[node.op], first, second


class CompiledFunction:
    """A function of q, u, … as arrays (…, n), of t and of the parameters; gives an array (…, shape).

    Arguments stand in the order of ``inputs`` or are named; parameters are named, or given all at once as ``p`` in the
    order of ``parameters``. What is not given of the parameters has the model's value.

    Attributes
    ----------
    inputs : name and length of each argument: q, u, ud, tau; t has the length 0
    parameters : names, in the model's order
    shape : of the result at one state
    operations : that one call takes

    >>> metric = mb.covariant(mb.library.pendulum(1)).metric.compile()
    >>> metric([0.3]).round(6).tolist(), metric(np.zeros((5, 1)), m=2).shape, metric.parameters
    ([[0.333333]], (5, 1, 1), ('m', 'l', 'g'))
    """

    def __init__(
        self,
        name: str,
        inputs: Sequence[tuple[str, int]],
        shape: tuple[int, ...],
        program: Traced,
        values: Mapping[str, Any],
    ) -> None:
        self.name, self.shape, self.operations = name, shape, program.operations
        self.inputs = tuple(item for item in inputs if item[0] != "p")
        self.parameters = tuple(program.trace.parameters)
        self._values = dict(values)
        places = {node.index: k for k, node in enumerate(program.needed)}
        self._steps = [_step(node, places) for node in program.needed]
        self._results = [places[node.index] for node in program.results]

    def __repr__(self) -> str:
        told = ", ".join(name for name, _ in self.inputs)
        size = "×".join(map(str, self.shape)) or "scalar"
        return f"<{self.name}({told}; {', '.join(self.parameters)}) → {size}, {self.operations} operations>"

    def __call__(self, *vectors: Any, p: Any = None, **named: Any) -> Any:
        """The values."""
        given, batch = self._given(vectors, p, named)
        try:
            return self._run(given, MANY if batch else ONE, batch).reshape((*batch, *self.shape))[()]
        except (ZeroDivisionError, ValueError, OverflowError):  # Python refuses what floats answer with inf and nan
            whole = {name: np.asarray(value, dtype=float) for name, value in given.items()}
            return self._run(whole, MANY, batch).reshape((*batch, *self.shape))[()]

    def _run(
        self, given: Mapping[str, Any], functions: Mapping[str, Callable[..., Any]], batch: tuple[int, ...]
    ) -> np.ndarray:
        values: list[Any] = []
        put = values.append
        with np.errstate(all="ignore"):
            for kind, what, places in self._steps:
                if kind == MULTIPLY:
                    put(values[what] * values[places])
                elif kind == ADD:
                    put(values[what] + values[places])
                elif kind == SUBTRACT:
                    put(values[what] - values[places])
                elif kind == CONSTANT:
                    put(what)
                elif kind == INPUT:
                    put(given[what] if places is None else given[what][places])
                elif kind == NEGATE:
                    put(-values[what])
                elif kind == DIVIDE:
                    put(values[what] / values[places])
                else:
                    put(functions[what](*[values[k] for k in places]))
        out = np.empty((len(self._results), *batch))
        for place, k in enumerate(self._results):
            out[place] = values[k]
        return np.moveaxis(out, 0, -1)

    def _given(self, vectors: tuple[Any, ...], p: Any, named: dict[str, Any]) -> tuple[dict[str, Any], tuple[int, ...]]:
        """All inputs with their entries first, and the shape of the batch."""
        names = [name for name, _ in self.inputs]
        if len(vectors) > len(names):
            raise StateError(f"{len(vectors)} arguments", where=self.name, remedy=f"give {', '.join(names)}")
        told = dict(zip(names, vectors, strict=False))
        for name in list(named):
            if name in names:
                if name in told:
                    raise StateError(f"{name} is given twice", where=self.name, remedy="give it once")
                told[name] = named.pop(name)
        if "t" in names:
            told.setdefault("t", 0.0)
        if missing := [name for name in names if name not in told]:
            raise StateError(f"{', '.join(missing)} is not given", where=self.name, remedy=f"give {', '.join(names)}")
        arrays = {name: self._array(name, size, told[name]) for name, size in self.inputs}
        parameters = self._parameters(p, named)
        shapes = [array.shape if name == "t" else array.shape[:-1] for name, array in arrays.items()]
        try:
            batch = np.broadcast_shapes(*shapes, *(np.shape(value) for value in parameters))
        except ValueError:
            raise StateError(
                f"leading dimensions {shapes} do not go together", where=self.name, remedy="give as many states in each"
            ) from None
        if not batch:
            found: dict[str, Any] = {name: array.tolist() for name, array in arrays.items()}
            return {**found, "p": [float(value) for value in parameters]}, ()
        found = {}
        for name, array in arrays.items():
            wide = np.broadcast_to(array, batch if name == "t" else (*batch, array.shape[-1]))
            found[name] = wide if name == "t" else np.moveaxis(wide, -1, 0)
        return {**found, "p": [np.broadcast_to(value, batch) for value in parameters]}, batch

    def _array(self, name: str, size: int, given: Any) -> np.ndarray:
        try:
            if np.iscomplexobj(given):
                raise TypeError
            array = np.asarray(given, dtype=float)
        except (TypeError, ValueError):
            raise StateError(f"{name} = {shorten(given)} is not real numbers", where=self.name) from None
        if name != "t" and (not array.ndim or array.shape[-1] != size):
            raise StateError(f"{name} has shape {array.shape}", where=self.name, remedy=f"give (…, {size})")
        return array

    def _parameters(self, p: Any, named: Mapping[str, Any]) -> list[np.ndarray]:
        """The parameters' values, in order."""
        if p is not None:
            if named:
                raise StateError("p and parameters by name are given", where=self.name, remedy="give one of them")
            array = self._array("p", len(self.parameters), p)
            return [array[..., k] for k in range(len(self.parameters))]
        for name in named:
            if name not in self.parameters:
                known = ", ".join([*(item for item, _ in self.inputs), *self.parameters])
                raise UnknownNameError(f"{name!r} is no argument", where=self.name, remedy=f"known: {known}")
        found = []
        for name in self.parameters:
            value = named.get(name, self._values.get(name))
            if value is None:
                raise StateError(f"parameter {name!r} has no value", where=self.name, remedy=f"give {name}=…")
            found.append(self._array("t", 0, float(value) if isinstance(value, Fraction) else value))
        return found
