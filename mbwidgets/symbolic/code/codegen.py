"""Code from formulae: operations traced once, values that are used twice named, the same text on every run.

Names in the code are ours (x0, x1, q, u, ud, t, p, out); a parameter's name stands in comments only, and
a function's name must be a plain identifier.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ...errors import ExpressionError, shorten
from ...expressions import NAME
from ..ring.generators import Generator, Kind
from ..ring.ring import Ring
from .languages import LANGUAGES, Function, Language, Latex
from .operation_trace import Node, Trace
from .reserved_names import is_reserved

__all__ = [
    "Code",
    "Traced",
    "formula_arguments",
    "formula_code",
    "language_printer",
    "parameter_names",
    "plain_parameters",
    "print_function",
    "trace_formula",
]

INLINE_UP_TO = 24
"""Operations in one line: longer values are named even when they are used once."""


class Code(str):
    """The text of generated code, and how its functions are called.

    Attributes
    ----------
    parameters : names of the entries of ``p``, in the model's order
    inputs : for each function its arguments in order, with their lengths; t, a number, has the length 0
    """

    parameters: tuple[str, ...]
    inputs: dict[str, tuple[tuple[str, int], ...]]

    @classmethod
    def of(cls, text: str, parameters: Sequence[str], inputs: Mapping[str, tuple[tuple[str, int], ...]]) -> Code:
        """A text with what is to be known of it."""
        made = cls(text)
        made.parameters, made.inputs = tuple(parameters), dict(inputs)
        return made


class Traced:
    """Results of a trace, with what it takes to print them."""

    def __init__(self, trace: Trace, results: Sequence[Node]) -> None:
        self.trace = trace
        self.results = tuple(results)
        self.needed = _needed(self.results)

    @property
    def operations(self) -> int:
        """Additions, multiplications, divisions and calls."""
        return sum(node.op in ("add", "sub", "mul", "div", "call") for node in self.needed)


def _needed(results: Sequence[Node]) -> list[Node]:
    """The nodes that the results use, each after those that it uses."""
    found: dict[int, Node] = {}
    pending = list(results)
    while pending:
        node = pending.pop()
        if node.index not in found:
            found[node.index] = node
            pending.extend(a for a in node.args if isinstance(a, Node))
    return [found[i] for i in sorted(found)]


def parameter_names(home: Ring, known: Iterable[str] = ()) -> list[str]:
    """The parameters that are ``known``, in their order, as a model has them; then those of a ring that are not.

    All of a model's stand there, used or not, so that one array serves all that is derived from it.
    """
    first = list(dict.fromkeys(known))
    names: set[str] = set()
    for g in home.generators:
        names |= _names(g)
    return first + sorted(names - set(first))


def _names(g: Generator) -> set[str]:
    if g.kind is Kind.PARAMETER:
        return {g.name}
    if g.kind is Kind.AXIS:
        return {leaf.name for part in g.definition for leaf in getattr(part, "leaves", tuple)()}
    return set()


def plain_parameters(values: Mapping[str, Any]) -> list[str]:
    """The names of parameters that are numbers: what follows from the state, as the foot on a curve, is none."""
    return [name for name, value in values.items() if not hasattr(value, "at")]


def trace_formula(formula: Any) -> Traced:
    """The operations of a formula, by Horner's scheme with common subexpressions shared."""
    trace = Trace(parameter_names(formula.ring, plain_parameters(formula.values)))
    return Traced(trace, [trace.element(entry) for entry in formula.entries])


def language_printer(language: str, parameters: Sequence[str]) -> Language:
    """The language by its name."""
    if language not in LANGUAGES:
        raise ExpressionError(f"no code in {shorten(language)}", remedy=f"use one of {', '.join(LANGUAGES)}")
    return Latex(parameters) if language == "latex" else LANGUAGES[language]()


def formula_code(formula: Any, language: str, name: str) -> Code:
    """A function of (q, u, ud, t, p) that gives the formula's numbers."""
    program = trace_formula(formula)
    form = language_printer(language, program.trace.parameters)
    arguments = formula_arguments(program)
    text = print_function(form, program, name, f"{name}(q, u, ud, t, p)", arguments, formula.shape)
    return Code.of(form.header() + text + form.footer(), program.trace.parameters, {name: arguments})


def formula_arguments(program: Traced) -> tuple[tuple[str, int], ...]:
    """What a formula is a function of, with the lengths that it reads."""
    sizes = dict.fromkeys((Kind.COORDINATE, Kind.VELOCITY, Kind.ACCELERATION), 0)
    for node in program.needed:
        if node.op == "input" and node.args[0] in ("q", "u", "ud"):
            kind = {"q": Kind.COORDINATE, "u": Kind.VELOCITY, "ud": Kind.ACCELERATION}[node.args[0]]
            sizes[kind] = max(sizes[kind], node.args[1] + 1)
    q, u, ud = sizes.values()
    return ("q", q), ("u", u), ("ud", ud), ("t", 0), ("p", len(program.trace.parameters))


def print_function(
    form: Language,
    program: Traced,
    name: Any,
    summary: str,
    arguments: tuple[tuple[str, int], ...],
    shape: tuple[int, ...],
) -> str:
    """One function's text."""
    if not isinstance(name, str) or NAME.match(name) is None or is_reserved(name, form.name):
        raise ExpressionError(
            f"{shorten(name)} cannot name a function in {form.name}",
            remedy="start with a letter, then letters, digits or '_'; no word of the language or of its mathematics",
        )
    lines, results = _statements(form, program)
    return form.function(
        Function(name, summary, arguments, tuple(lines), tuple(results), shape, tuple(program.trace.parameters))
    )


def _statements(form: Language, program: Traced) -> tuple[list[tuple[str, str]], list[str]]:
    uses = _uses(program)
    results = {node.index for node in program.results}
    texts: dict[int, tuple[str, int, int]] = {}
    lines: list[tuple[str, str]] = []
    for node in program.needed:
        text, rank, size = _text(form, node, texts)
        long = size > INLINE_UP_TO and node.index not in results
        named = node.op not in ("const", "input", "pi", "neg") and (uses[node.index] > 1 or long)
        if named:
            local = form.local(len(lines))
            lines.append((local, text))
            text, rank, size = local, 3, 0
        texts[node.index] = (text, rank, size)
    return lines, [texts[node.index][0] for node in program.results]


def _uses(program: Traced) -> dict[int, int]:
    """How often each value is used; a sign is written in place, so its uses count for what it changes."""
    uses = dict.fromkeys((node.index for node in program.needed), 0)
    for node in program.results:
        uses[node.index] += 1
    for node in reversed(program.needed):
        for a in node.args:
            if isinstance(a, Node):
                uses[a.index] += uses[node.index] if node.op == "neg" else 2 if _writes_twice(node) else 1
    return uses


def _writes_twice(node: Node) -> bool:
    """Whether a language writes the argument of a call twice: it is to have a name."""
    return node.op == "call" and node.args[0] == "sign"


def _text(form: Language, node: Node, texts: dict[int, tuple[str, int, int]]) -> tuple[str, int, int]:
    """(text, rank, operations): rank 0 a sum or a sign, 1 a product, 3 an atom."""

    def part(k: int, level: int) -> str:
        text, rank, _ = texts[node.args[k].index]
        return form.brackets(text) if rank < level else text

    size = 1 + sum(texts[a.index][2] for a in node.args if isinstance(a, Node))
    match node.op:
        case "const":
            text = form.number(node.args[0])
            return text, 0 if text.startswith("-") else 3, 0
        case "input":
            return form.input(*node.args), 3, 0
        case "pi":
            return form.pi(), 3, 0
        case "call":
            return (
                form.call(node.args[0], *(texts[argument.index][0] for argument in node.args[1:])),
                3 if form.name != "latex" else 2,
                size,
            )
        case "neg":
            return f"-{part(0, 1)}", 0, size - 1
        case "add":
            return f"{part(0, 0)} + {part(1, 1)}", 0, size
        case "sub":
            return f"{part(0, 0)} - {part(1, 1)}", 0, size
        case "mul":
            return f"{part(0, 1)}{form.product}{part(1, 2)}", 1, size
    latex = form.name == "latex"
    return form.quotient(part(0, 0 if latex else 1), part(1, 0 if latex else 3)), 1, size
