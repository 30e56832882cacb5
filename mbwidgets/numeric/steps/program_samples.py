"""Programs of t alone, evaluated on arrays of times."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from ..kernels import expression_vm
from .intervals import Line

__all__ = ["sample"]

_PAIRS: Final[dict[int, Callable[[np.ndarray, np.ndarray], np.ndarray]]] = {
    expression_vm.ADD: np.add,
    expression_vm.MULTIPLY: np.multiply,
    expression_vm.ATAN2: lambda y, x: np.arctan2(y + 0.0, x + 0.0),
    expression_vm.MIN: np.minimum,
    expression_vm.MAX: np.maximum,
}
_CALLS: Final[dict[int, Callable[[np.ndarray], np.ndarray]]] = {
    expression_vm.SIN: np.sin,
    expression_vm.COS: np.cos,
    expression_vm.TAN: np.tan,
    expression_vm.SQRT: np.sqrt,
    expression_vm.EXP: np.exp,
    expression_vm.LOG: np.log,
    expression_vm.TANH: np.tanh,
    expression_vm.ATAN: np.arctan,
    expression_vm.ASIN: np.arcsin,
    expression_vm.ACOS: np.arccos,
    expression_vm.ABS: np.abs,
    expression_vm.SIGN: np.sign,
}


def sample(lines: Sequence[Line], t: np.ndarray) -> np.ndarray:
    """Values of a program of t alone."""
    stack: list[np.ndarray] = []
    with np.errstate(all="ignore"):
        for operation, operand in lines:
            match operation:
                case expression_vm.CONSTANT:
                    stack.append(np.full(t.shape, operand))
                case expression_vm.TIME:
                    stack.append(t)
                case expression_vm.WHERE:
                    b, a, x = stack.pop(), stack.pop(), stack.pop()
                    stack.append(np.where(x >= 0.0, a, np.where(x < 0.0, b, x)))
                case _ if operation in _PAIRS:
                    second = stack.pop()
                    stack[-1] = _PAIRS[operation](stack[-1], second)
                case expression_vm.POWER:
                    stack[-1] = stack[-1] ** int(operand)
                case _:
                    stack[-1] = _CALLS[operation](stack[-1])
    return stack[-1]
