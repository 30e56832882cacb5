"""`Formula`: an array of exact expressions, the one type that every symbolic result has."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...errors import ExpressionError, UnknownNameError, shorten
from ..ring import generators as letters
from ..ring.element import Element, rational_element, resolve_denominators
from ..ring.generators import Generator, Kind
from ..ring.ring import Ring, make_ring
from ..ring.scalar_reader import Reader, generator_to_differentiate_by
from ..ring.substitution import Substitution
from .evaluation import Defaults, Plan, State

if TYPE_CHECKING:
    from ..code.callables import CompiledFunction
    from ..code.codegen import Code

__all__ = ["Formula", "formula_of"]

Values = Mapping[str, Any]
READABLE: Final = 2000
"""Terms past which a formula is told by its size."""


class Formula:
    """A scalar, vector, matrix or tensor of exact expressions, indexed from 0.

    ``==`` is exact equality of values, whatever the two were built from. The form (`factored`, `expanded`,
    `collected`, `multiple_angle`) changes how the formula is written, never what it is.

    Parameters
    ----------
    entries : nested sequence (or array) of exact values, numbers or model expressions
    values : default parameter values for `evaluate`, by name
    form : how it is written; `factored`, `expanded`, `collected` and `multiple_angle` give the others
    plain : gives the formula without simplification, see `unreduced`
    labels : LaTeX name of an entry with one ``%d`` an index, counted from 1: ``"a_{%d%d}"``
    route : numbers of the formula at a state by way of others, where its own long fractions would lose digits

    >>> mass = mb.covariant(mb.library.pendulum(1)).metric[0, 0]
    >>> mass, float(mass.evaluate(m=2, l=3))  # kg m²
    (<Formula scalar: l**2*m/3>, 6.0)
    """

    __array_ufunc__ = None
    __hash__ = None  # type: ignore[assignment]

    def __init__(
        self,
        entries: Any,
        values: Values | None = None,
        form: str = "expanded",
        *,
        plain: Callable[[], Formula] | None = None,
        labels: Any = None,
        route: Callable[[State], Any] | None = None,
    ) -> None:
        self._array = _array(entries)
        self.values = Defaults.joined(values or {})
        self.form = form
        self._plain = plain
        self._route = route
        self._labels = _labels(labels, self.shape) if isinstance(labels, str) else labels

    # Structure.

    @property
    def shape(self) -> tuple[int, ...]:
        shape: tuple[int, ...] = self._array.shape
        return shape

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def entries(self) -> tuple[Element, ...]:
        """The exact values in row-major order, all in `make_ring`."""
        return self._unified[1]

    @property
    def ring(self) -> Ring:
        """The smallest ring that the entries were given in."""
        return self._unified[0]

    @cached_property
    def _unified(self) -> tuple[Ring, tuple[Element, ...]]:
        flat = list(self._array.reshape(-1))
        rings = {id(e.ring): e.ring for e in flat}
        if len(rings) == 1:
            return flat[0].ring, tuple(flat)
        home = make_ring(
            {g for r in rings.values() for g in r.generators},
            free=bool(rings) and all(r.free for r in rings.values()),
            balls={place for r in rings.values() for place in r.balls},
        )
        return home, tuple(e.into(home) for e in flat)

    @property
    def labels(self) -> Any:
        """The entries' LaTeX names: ``a_{42}``, counted from 1."""
        plain = "y" + ("_{" + ",".join(["%d"] * self.ndim) + "}" if self.ndim else "")
        return _labels(plain, self.shape) if self._labels is None else self._labels

    def _like(self, array: Any) -> Formula:
        return Formula(array, self.values, self.form)

    def __getitem__(self, key: Any) -> Formula:
        plain = self._plain
        return Formula(
            self._array[key],
            self.values,
            self.form,
            plain=None if plain is None else partial(_part_of_plain, plain, key),
            labels=None if self._labels is None else np.asarray(self._labels[key], dtype=object),
            route=None if self._route is None else partial(_part_of_numbers, self, key),
        )

    def _in_form(self, form: str) -> Formula:
        return Formula(self._array, self.values, form, plain=self._plain, labels=self._labels, route=self._route)

    def __len__(self) -> int:
        return len(self._array)

    def __iter__(self) -> Iterator[Formula]:
        if not self.ndim:
            raise TypeError("a scalar formula has no entries to go through")
        return (self[i] for i in range(len(self)))

    @property
    def T(self) -> Formula:
        """The transpose."""
        return self._like(self._array.T)

    @property
    def numerator(self) -> Formula:
        """The numerators."""
        return self._map(lambda e: Element(e.ring, e.num))

    @property
    def denominator(self) -> Formula:
        """The denominators, 1 for polynomials."""
        return self._map(lambda e: Element(e.ring, e.ring.one if e.den is None else e.den))

    def _map(self, change: Callable[[Element], Element]) -> Formula:
        changed = np.empty(self._array.size, dtype=object)
        for i, element in enumerate(self._array.reshape(-1)):
            changed[i] = change(element)
        return self._like(changed.reshape(self.shape))

    # Arithmetic.

    def _with(self, other: Any, operation: Callable[[Any, Any], Any], swap: bool = False) -> Any:
        right = _operand(other)
        if right is None:
            return NotImplemented
        try:
            array = operation(right, self._array) if swap else operation(self._array, right)
        except ValueError as error:
            if isinstance(error, ExpressionError):
                raise
            shapes = f"{self.shape} and {np.shape(right)}"
            raise ExpressionError(f"shapes {shapes} do not go together", remedy="give matching shapes") from None
        values = Defaults.joined(other.values, self.values) if isinstance(other, Formula) else self.values
        return Formula(array, values, self.form)

    def __add__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: a + b)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: a - b)

    def __rsub__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: a - b, swap=True)

    def __mul__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: a * b)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: a / b)

    def __rtruediv__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: a / b, swap=True)

    def __matmul__(self, other: Any) -> Any:
        return self._with(other, _matmul)

    def __rmatmul__(self, other: Any) -> Any:
        return self._with(other, _matmul, swap=True)

    def __neg__(self) -> Formula:
        return self._map(lambda e: -e)

    def __pow__(self, exponent: int) -> Formula:
        if not hasattr(exponent, "__index__"):
            raise ExpressionError(f"power {shorten(exponent)}", remedy="give a whole number")
        return self._map(lambda e: e**exponent)

    def sum(self) -> Formula:
        """The sum of all entries."""
        total = rational_element(0)
        for entry in self.entries:
            total = total + entry
        return self._like(total)

    def __eq__(self, other: object) -> Any:
        right = _operand(other)
        if right is None:
            return NotImplemented
        if np.shape(right) != self.shape and np.shape(right) != ():
            return False
        pairs = np.broadcast_arrays(self._array, np.asarray(right, dtype=object))
        return all(bool(a == b) for a, b in zip(pairs[0].reshape(-1), pairs[1].reshape(-1), strict=True))

    def __bool__(self) -> bool:
        """True unless every entry is zero."""
        return any(bool(e) for e in self._array.reshape(-1))

    # Calculus.

    def diff(self, by: Any) -> Formula:
        """∂/∂ a coordinate (its number from 0, or ``"q[0]"``), a velocity ``"u[0]"``, ``"t"`` or a
        parameter ``"m2"``.

        A list differentiates by each of its members and adds a last dimension.
        """
        if isinstance(by, list | tuple | range):
            parts = [self.diff(one)._array for one in by]
            return self._like(np.stack(parts, axis=-1) if parts else np.empty((*self.shape, 0), dtype=object))
        g = generator_to_differentiate_by(by)
        self._check(g)
        return self._map(lambda e: e.diff(g))

    def dt(self) -> Formula:
        """The total derivative by time."""
        return self._map(lambda e: e.dt())

    def substitute(self, q: Any = None, u: Any = None, ud: Any = None, **parameters: Any) -> Formula:
        """The formula at exact values: numbers, fractions, expressions (``"pi/2"``) or None for what
        stays free.

        ``q``, ``u``, ``ud``: sequences, or dicts from coordinate numbers. A float is the decimal that it
        prints as; sin and cos of what is not a simple fraction of π stay exact, as letters of their own.
        """
        self._check(*(letters.parameter(name) for name in parameters))
        return self._map(Substitution.of(q, u, ud, parameters))

    def evaluate(self, q: Any = None, u: Any = None, ud: Any = None, t: Any = 0.0, **parameters: Any) -> Any:
        """Numbers, as a NumPy array of shape (batch…, shape…).

        ``q``, ``u``, ``ud`` have shape (…, n), parameters and ``t`` shape (…); what is not given takes
        the model's value.
        """
        given = {**self.values, **parameters} if parameters else self.values
        if parameters:
            self._check(*(letters.parameter(name) for name in parameters))
        return self.at(State(q, u, ud, t, given, self.values.sizes))

    def at(self, state: State) -> Any:
        """Numbers at a state that has been read, (batch…, shape…)."""
        if self._route is not None:
            return self._route(state)
        return self._plan(state).reshape((*state.batch, *self.shape))

    @cached_property
    def _plan(self) -> Plan:
        return Plan(self.ring, self.entries)

    def _check(self, *wanted: Generator) -> None:
        """Refuse a parameter or coordinate that neither the model nor the formula has: a slip, not a constant."""
        used = self.ring.generators
        if any(g.definition for g in used):  # roots, functions and axes hold letters of their own
            return
        places = [g.index for g in used if g.kind in (Kind.SIN, Kind.COS, Kind.COORDINATE, Kind.VELOCITY)]
        names = list(dict.fromkeys([*self.values, *(g.name for g in used if g.kind is Kind.PARAMETER)]))
        for g in wanted:
            if g.kind is Kind.PARAMETER and names and g.name not in names:
                raise UnknownNameError(f"{g.name!r} is not a parameter here", remedy=f"known: {', '.join(names)}")
            if g.kind in (Kind.COORDINATE, Kind.VELOCITY) and places and g.index > max(places):
                raise UnknownNameError(f"there is no coordinate {g.index}", remedy=f"count from 0 to {max(places)}")

    # Size.

    @property
    def terms(self) -> int:
        """Terms of all numerators, and of denominators other than 1."""
        return sum(len(e.num) + (0 if e.den is None else len(e.den)) for e in self._array.reshape(-1))

    @cached_property
    def operations(self) -> int:
        """Arithmetic operations of the generated code, common subexpressions shared."""
        from ..code.codegen import trace_formula

        return trace_formula(self).operations

    def unreduced(self) -> Formula:
        """The plain expansion, sin and cos unrelated, where the derivation has it; else the formula itself."""
        return self if self._plain is None else self._plain()

    # Forms.

    def expanded(self) -> Formula:
        """Written as a sum of terms in sin q and cos q, s² → 1 − c²; nothing is gathered."""
        return self._in_form("expanded")

    def factored(self) -> Formula:
        """Written as a product; per angle s² or c² is kept, whichever leaves fewer terms.

        Pairs such as cos x cos y − sin x sin y are gathered into cos(x + y).
        """
        return self._in_form("factored")

    def collected(self) -> Formula:
        """Written by accelerations and products of velocities, each with its factored coefficient."""
        return self._in_form("collected")

    def multiple_angle(self) -> Formula:
        """Written with sines and cosines of sums of angles, which is short where axes are parallel."""
        return self._in_form("angles")

    def shortest(self) -> Formula:
        """The form with the fewest parts."""
        from .written_forms import count_parts

        forms = ("factored", "expanded", "angles")
        return self._in_form(min(forms, key=lambda form: count_parts(self, form)))

    # Other languages.

    @property
    def trees(self) -> Any:
        """The entries as `mbwidgets.expressions` trees in this form, an object array."""
        from .written_forms import expression_tree

        return _filled(self.shape, [expression_tree(e, self.form) for e in self.entries])

    @property
    def sympy(self) -> Any:
        """A SymPy expression, Matrix or Array; coordinates are the symbols ``q[0]``, ``u[0]``, ``ud[0]``."""
        from .written_forms import as_sympy

        return as_sympy(self)

    def latex(self, limit: int | None = READABLE, named: bool | None = None) -> str:
        """LaTeX in the papers' notation, counted from 1; past ``limit`` terms only the size is told.

        ``named``: one line ``a_{42} = …`` an entry that is not zero; by default for three indices and more.
        """
        from ..code.latex import formula_latex

        return formula_latex(self, limit, named)

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex(limit=400)}$"

    def code(self, language: str = "python", name: str = "formula") -> Code:
        """A function in ``python``, ``c``, ``cpp``, ``javascript``, ``mathematica`` or ``modelica``.

        ``latex`` gives the formula with its long subexpressions named. The text has ``.parameters``, the names of the
        entries of p in the model's order, and ``.inputs``, the arguments with their lengths.
        """
        from ..code.codegen import formula_code

        return formula_code(self, language, name)

    def compile(self) -> CompiledFunction:
        """The formula as a function of NumPy arrays: ``f(q)`` or ``f(q, u, ud, t)``, as far as it depends on them.

        >>> force = mb.reactions(mb.library.pendulum(1), "rod 1").force.kinetic.compile()
        >>> force([0.0], [2.0], [0.0]).round(3).tolist(), force.inputs  # N: m l/2 u², at the lowest point
        ([0.0, 0.0, 2.0], (('q', 1), ('u', 1), ('ud', 1)))
        """
        from ..code.callables import CompiledFunction
        from ..code.codegen import formula_arguments, trace_formula

        program = trace_formula(self)
        used = {node.args[0] for node in program.needed if node.op == "input"}
        n, nv = self.values.sizes or (0, 0)
        known = {"q": n, "u": nv, "ud": nv, "t": 0}
        inputs = [
            (name, max(size, known[name])) for name, size in formula_arguments(program) if name in used and name != "p"
        ]
        return CompiledFunction("formula", inputs, self.shape, program, self.values)

    def text(self, limit: int | None = READABLE) -> str:
        """Plain text, coordinates counted from 0; past ``limit`` terms only the size is told.

        ``limit=None`` writes the whole, however long it is.
        """
        from .written_forms import as_text

        if limit is None or self.terms <= limit:
            return as_text(self)
        size = f" in {'×'.join(map(str, self.shape))} entries" if self.shape else ""
        return f"<{self.terms:,} terms{size}; the whole: .text(limit=None), .sympy or .code()>"

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        size = "×".join(map(str, self.shape)) or "scalar"
        text = str(self) if self.terms <= 60 else f"{self.terms:,} terms"
        return f"<Formula {size}: {text}>"


def formula_of(home: Ring, entries: Any, values: Values | None = None, form: str = "factored", **more: Any) -> Formula:
    """Polynomials of a ring (nested lists) as a formula; their letters 1/d become denominators."""

    def nested(part: Any) -> Any:
        return [nested(item) for item in part] if isinstance(part, list | tuple) else resolve_denominators(home, part)

    return Formula(nested(entries), values, form, **more)


def _part_of_plain(plain: Callable[[], Formula], key: Any) -> Formula:
    return plain()[key]


def _part_of_numbers(whole: Formula, key: Any, state: State) -> Any:
    return whole.at(state)[_beyond_batch(state, key)]


def _beyond_batch(state: State, key: Any) -> Any:
    """A key into the formula's own dimensions as one into its numbers."""
    return (*(slice(None) for _ in state.batch), *(key if isinstance(key, tuple) else (key,)))


def _labels(pattern: str, shape: tuple[int, ...]) -> Any:
    labels = np.empty(shape, dtype=object)
    for index in np.ndindex(shape):
        labels[index] = pattern % tuple(i + 1 for i in index)
    return labels


def _array(entries: Any) -> Any:
    if isinstance(entries, Formula):
        return entries._array
    if isinstance(entries, Element):
        entries = _filled((), [entries])
    array = np.asarray(_unwrapped(entries), dtype=object)
    reader = Reader()
    flat = [e if isinstance(e, Element) else reader.read(e) for e in array.reshape(-1)]
    return _filled(array.shape, flat)


def _unwrapped(entries: Any) -> Any:
    if isinstance(entries, Formula):
        return entries._array if entries.shape else entries._array.item()
    return [_unwrapped(entry) for entry in entries] if isinstance(entries, list | tuple) else entries


def _filled(shape: tuple[int, ...], flat: list[Any]) -> Any:
    array = np.empty(len(flat), dtype=object)
    for i, item in enumerate(flat):
        array[i] = item
    return array.reshape(shape)


def _operand(other: Any) -> Any:
    if isinstance(other, Formula):
        return other._array
    if isinstance(other, np.ndarray | list | tuple):
        return _array(other)
    try:
        return _filled((), [Reader().read(other)])
    except ExpressionError:
        return None


def _matmul(a: Any, b: Any) -> Any:
    if not a.ndim or not b.ndim:
        raise ExpressionError("@ needs vectors or matrices", remedy="use * for scalars")
    inner = -1 if b.ndim == 1 else -2
    columns = np.moveaxis(b, inner, 0)
    shape = (*a.shape[:-1], *columns.shape[1:])
    rows = a.reshape(math.prod(a.shape[:-1]), a.shape[-1])  # not −1, which has no meaning for empty arrays
    columns = columns.reshape(len(columns), math.prod(columns.shape[1:]))
    if rows.shape[1] != len(columns):
        raise ValueError
    return _filled(shape, [_dot(row, column) for row in rows for column in columns.T])


def _dot(row: Any, column: Any) -> Element:
    """Σ a_k b_k; np.dot would go on after an error, such as a limit that was passed or Ctrl-C."""
    total = rational_element(0)
    for x, y in zip(row, column, strict=True):
        if x and y:
            total = total + x * y
    return total
