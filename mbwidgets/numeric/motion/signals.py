"""Signals of a motion: what a person asks about, as numbers or vectors over the frames.

A signal is an expression of t, q[rod], u[rod], ud[rod] and of the quantities of READERS by joint or body,
``"force[rod] - 2*m*9.81"``, of which a vector counts by its length; or a pair, ``("force", "rod")``, which stays a
vector.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...errors import ExpressionError, ModelError, StateError, UnknownNameError, shorten
from ...expressions import Call, Expression, Pi, Power, Product, Sum, Symbol, Table, Variable, parse_expression
from ...expressions.place_texts import read_place
from ...model.fields import suggest_name
from ...model.model import Model
from ..base.call_signatures import takes_time_alone
from .signal_sizes import SIZES
from .wrenches import AXES, bearing_forces, drive_efforts, joint_efforts, reactions_about

if TYPE_CHECKING:
    from .motion import Motion

__all__ = ["READERS", "Signal", "lengths", "read_signal"]

Reader = Callable[..., np.ndarray]


def _point(name: str) -> Reader:
    return lambda motion, body, at=(0, 0, 0): np.asarray(getattr(motion.point(body, at), name))


def _component(quantity: str, axis: int) -> Reader:
    return lambda motion, body, at=(0, 0, 0): np.asarray(getattr(motion.point(body, at), quantity))[:, axis]


def _wrench(first: int) -> Reader:
    def read(motion: Motion, joint: Any, pole: Any = "O", axes: str = "world") -> np.ndarray:
        return reactions_about(motion, joint, pole, axes)[:, first : first + 3]

    return read


def _wrench_component(place: int) -> Reader:
    def read(motion: Motion, joint: Any, *at: Any) -> np.ndarray:
        pole = "O" if not at else at[0] if len(at) == 1 and isinstance(at[0], str) else at
        return reactions_about(motion, joint, pole, "world")[:, place]

    return read


def _state(name: str) -> Reader:
    def read(motion: Motion, joint: Any) -> np.ndarray:
        offsets = motion.model.q_offsets if name == "q" else motion.model.u_offsets
        names = motion.model.coordinate_names if name == "q" else motion.model.velocity_names
        if joint in names:
            return np.asarray(getattr(motion, name)[:, names.index(joint)])
        k = motion.model.index(joint)
        found = getattr(motion, name)[:, offsets[k] : offsets[k + 1]]
        return np.asarray(found[:, 0] if found.shape[1] == 1 else found)

    return read


def _turning(motion: Motion, body: Any) -> np.ndarray:
    return motion.angular_velocities[:, motion.model.index(body)]


def _turning_component(axis: int) -> Reader:
    return lambda motion, body: _turning(motion, body)[:, axis]


READERS: Final[Mapping[str, Reader]] = {
    "force": _wrench(0),
    "moment": _wrench(3),
    "bearing": lambda motion, joint, at, other: bearing_forces(motion, joint, at, other).a,
    "effort": joint_efforts,
    "drive": drive_efforts,
    "position": _point("position"),
    "velocity": _point("velocity"),
    "acceleration": _point("acceleration"),
    "angular_velocity": _turning,
    "q": _state("q"),
    "u": _state("u"),
    "ud": _state("ud"),
    **{name: _component("position", axis) for axis, name in enumerate(("x", "y", "z"))},
    **{name: _component("velocity", axis) for axis, name in enumerate(("vx", "vy", "vz"))},
    **{name: _component("acceleration", axis) for axis, name in enumerate(("ax", "ay", "az"))},
    **{name: _wrench_component(place) for place, name in enumerate(("fx", "fy", "fz", "mx", "my", "mz"))},
    **{name: _turning_component(axis) for axis, name in enumerate(("wx", "wy", "wz"))},
}
"""Quantity: its numbers (frames,) or vectors (frames, 3) by motion and joint or body; force, moment: pole and axes too;
points: their place in the body's axes from O*; bearing: where it is on the axis and where the other one is. fx … mz are
components of force and moment, wx … of ω, world axes."""
UNITS: Final = {
    "force": "N", "bearing": "N", "moment": "N m", "position": "m", "velocity": "m/s", "acceleration": "m/s²",
    "angular_velocity": "rad/s", "x": "m", "y": "m", "z": "m", "vx": "m/s", "vy": "m/s", "vz": "m/s",
    "ax": "m/s²", "ay": "m/s²", "az": "m/s²", "fx": "N", "fy": "N", "fz": "N", "mx": "N m", "my": "N m", "mz": "N m",
    "wx": "rad/s", "wy": "rad/s", "wz": "rad/s", "kinetic": "J", "potential": "J", "energy": "J",
}  # fmt: skip
MEANT: Final = {
    **dict.fromkeys(("reaction", "reactions", "tension", "pressure"), "say 'force', or 'moment'"),
    **dict.fromkeys(("torque", "motor"), "say 'drive' of what drives a joint, 'moment' of what its bearing carries"),
    "speed": "say 'velocity', or 'u'", "angle": "say 'q'", "displacement": "say 'q', or 'position'",
    "omega": "say 'angular_velocity', or 'u'", "alpha": "say 'ud'", "bearings": "say ('bearing', joint, at, other)",
}  # fmt: skip
"""Quantities as people call them elsewhere, and their names here."""
WHOLE: Final[Mapping[str, Callable[[Any], np.ndarray]]] = {
    "kinetic": lambda motion: motion.energy.kinetic,
    "potential": lambda motion: motion.energy.potential,
    "energy": lambda motion: motion.energy.total,
}
"""Quantities of the whole mechanism, J."""
MARKED: Final = re.compile(r"(?<![A-Za-z0-9_])(?P<name>[A-Za-z_]+)\s*\[\s*(?P<of>[^\[\]]*?)\s*\]")
LETTER: Final = "SIGNAL{}"
"""Stands for a quantity in an expression, where no parameter has that name."""
COMPONENTS: Final = ("fx", "fy", "fz", "mx", "my", "mz")
"""Components of a wrench, whose three numbers are a pole."""
WRENCHES: Final = ("force", "moment")
"""Vectors of a wrench, which take a pole and axes."""
FORMS: Final = dict.fromkeys(WRENCHES, 'force[rod, x, y, z] or moment[rod, "O*"]')
"""How a quantity that takes a point is written, where not as x[rod, x, y, z]."""
SPATIAL: Final = (
    *WRENCHES, "position", "velocity", "acceleration", "x", "y", "z", "vx", "vy", "vz", "ax", "ay", "az",
)  # fmt: skip
"""Quantities that take a point of a body."""
ARRAYS: Final[Mapping[str, Callable[..., Any]]] = {
    "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "min": np.minimum, "max": np.maximum,
    "atan2": lambda y, x: np.arctan2(y + 0.0, x + 0.0), "where": lambda x, a, b: np.where(x >= 0.0, a, b),
}  # fmt: skip
"""NumPy's functions where they have another name."""


@dataclass(frozen=True)
class Signal:
    """What is asked about a motion: its name, its unit where it is known, and how it is read.

    ``size``: of the terms that cancel in it, where there are some: it is known to their rounding.
    """

    name: str
    read: Callable[[Any], np.ndarray]
    unit: str = ""
    size: Callable[[Any], float] = lambda motion: 0.0


def read_signal(model: Model, given: Any) -> Signal:
    """A signal from an expression, its text, a pair such as ("force", "rod"), or a function of (t, q, u)."""
    if isinstance(given, Signal):
        return given
    if isinstance(given, str):
        return _text_signal(model, given)
    if isinstance(given, Expression):
        _check(model, given, {}, str(given))
        return _of_expression(given, {}, str(given))
    if isinstance(given, np.ndarray):
        raise StateError(
            f"an array of shape {given.shape} is no signal: nothing tells what it is between the frames",
            where="signal",
            remedy='give the pair that is read: ("bearing", joint, at, other) of motion.bearings(joint, at, other).a, '
            '("force", joint) of motion.reactions(joint), ("position", body, at) of motion.point(body, at).position',
        )
    if isinstance(given, Sequence) and given and isinstance(given[0], str):
        return _pair_signal(model, tuple(given))
    if callable(given):
        return Signal(getattr(given, "__name__", "signal"), lambda motion: _called(given, motion))
    raise StateError(f"signal {shorten(given)}", remedy='give an expression, "q[rod]", or a pair, ("force", "rod")')


def _text_signal(model: Model, text: str) -> Signal:
    if text.strip() in WHOLE and text.strip() not in model.parameters:
        return Signal(text.strip(), WHOLE[text.strip()], "J", SIZES[text.strip()])
    parts: dict[str, Signal] = {}

    def mark(found: re.Match[str]) -> str:
        name, of = found["name"], found["of"]
        if name in ("q", "u", "ud") and of.isdigit():
            return found[0]
        letter = LETTER.format(len(parts))
        body, at = read_place(of)
        parts[letter] = _pair_signal(model, (name, body, *_arguments(name, at, found[0])))
        return letter

    marked = MARKED.sub(mark, text)
    try:
        value = parse_expression(marked, accelerations=True)
    except ExpressionError as error:
        if called := re.search(rf"(?<![A-Za-z0-9_])({'|'.join(READERS)})\s*\(", text):
            raise ExpressionError(
                f"{called[1]}(…) is no function", where=f"signal {shorten(text)}", remedy=f"write {called[1]}[rod]"
            ) from None
        raise error.at(f"signal {shorten(text)}") from None
    if not isinstance(value, Expression):
        number = float(value)
        return Signal(text, lambda motion: np.full(len(motion.t), number))
    _check(model, value, parts, text)
    if isinstance(value, Symbol) and value.name in parts:  # one quantity alone keeps its vector
        return replace(parts[value.name], name=text)
    return _of_expression(value, parts, text)


def _arguments(name: str, at: tuple[str, ...], text: str) -> tuple[Any, ...]:
    """What stands behind the joint in the brackets of a quantity, as its reader takes it."""
    if not at or name in COMPONENTS or name == "bearing" or name not in SPATIAL:
        return at
    axes = at[-1:] if name in WRENCHES and at[-1] in AXES else ()
    point = tuple(part.strip("() ") for part in at[: len(at) - len(axes)])
    if name in WRENCHES and point in (("O",), ("O*",)):
        return point + axes
    if len(point) != 3:
        raise StateError(
            f"the point {', '.join(point)} of the body has {len(point)} of 3 coordinates",
            where=f"signal {text}",
            remedy=f"write {FORMS.get(name, f'{name}[rod, x, y, z]')}, in m from O* in the body's axes",
        )
    return (point, *axes)


def _of_expression(value: Expression, parts: Mapping[str, Signal], text: str) -> Signal:
    return Signal(text, lambda motion: _evaluated(value, motion, parts), "", lambda motion: _size(value, motion, parts))


def _pair_signal(model: Model, given: tuple[Any, ...]) -> Signal:
    name, rest = given[0].replace(" ", "_"), given[1:]
    label = f"{given[0]}[{', '.join(map(str, rest))}]"
    if name in WHOLE and not rest:
        return Signal(name, WHOLE[name], "J", SIZES[name])
    if name not in READERS:
        meant = MEANT.get(name) or suggest_name(name, [*READERS, *WHOLE])
        raise UnknownNameError(f"no quantity {given[0]!r}", where=f"signal {label}", remedy=meant)
    if not rest:
        raise StateError("the joint or body is missing", where=f"signal {given[0]!r}", remedy=f"give {_form(name)}")
    of = int(rest[0]) if isinstance(rest[0], str) and rest[0].isdigit() else rest[0]
    names = model.coordinate_names if name == "q" else model.velocity_names
    if name in ("q", "u", "ud") and of in names:
        pass
    else:
        try:
            of = model.index(of)
        except UnknownNameError as error:
            raise error.at(f"signal {label}") from None
    reader, arguments = READERS[name], (of, *rest[1:])
    try:
        inspect.signature(reader).bind(None, *arguments)
    except TypeError:
        raise StateError(f"signal {shorten(given)}", remedy=f"give {_form(name)}") from None
    return Signal(label, lambda motion: np.asarray(reader(motion, *arguments)), UNITS.get(name, ""), SIZES[name])


def _form(name: str) -> str:
    """The pair that asks for a quantity."""
    if name in WRENCHES:
        return f'("{name}", joint, pole, axes)'
    if name == "bearing":
        return '("bearing", joint, at, other), places in m along the axis'
    if name in COMPONENTS:
        return f'("{name}", joint, x, y, z)'
    return f'("{name}", body, (x, y, z))' if name in SPATIAL else f'("{name}", joint)'


def _check(model: Model, value: Expression, parts: Mapping[str, Any], text: str) -> None:
    """Refuse names and coordinates that the model does not have."""
    for leaf in value.leaves():
        if isinstance(leaf, Symbol) and leaf.name not in parts:
            if leaf.name not in model.parameters and leaf.name not in WHOLE and getattr(leaf, "value", None) is None:
                known = ["t", "q[0]", *model.parameters, *WHOLE, *(f"{name}[…]" for name in READERS)]
                raise UnknownNameError(
                    f"{leaf.name!r} is not a parameter", where=f"signal {text}", remedy=suggest_name(leaf.name, known)
                )
        elif isinstance(leaf, Variable) and leaf.kind != "t":
            size = model.nq if leaf.kind == "q" else model.nv
            if leaf.index >= size:
                raise UnknownNameError(
                    f"{leaf!r} does not exist", where=f"signal {text}", remedy=f"count from 0 to {size - 1}"
                )


def _evaluated(value: Any, motion: Motion, parts: Mapping[str, Signal]) -> np.ndarray:
    """An expression over the frames."""
    with np.errstate(all="ignore"):
        found = _array(value, motion, parts)
    return np.array(np.broadcast_to(found, (len(motion.t),)), dtype=float)


def _size(value: Any, motion: Motion, parts: Mapping[str, Signal]) -> float:
    """The largest terms of the sums in an expression, which may cancel, and what its quantities are known to."""
    if isinstance(value, Symbol):
        known = parts[value.name].size if value.name in parts else SIZES.get(value.name)
        return 0.0 if known is None or value.name in motion.model.parameters else known(motion)
    if isinstance(value, Variable):
        return 0.0 if value.kind == "t" else SIZES[value.kind](motion)
    if not isinstance(value, Expression):
        return 0.0
    found = max((_size(child, motion, parts) for child in value.children()), default=0.0)
    if isinstance(value, Sum):
        with np.errstate(all="ignore"):
            terms = [abs(np.asarray(_array(term, motion, parts), dtype=float)).max() for term in value.terms]
        found = max(found, float(np.nan_to_num(sum(terms), posinf=0.0)))
    return found


def _array(value: Any, motion: Motion, parts: Mapping[str, Signal]) -> Any:
    match value:
        case Symbol(name=name) if name in parts:
            return lengths(parts[name].read(motion))
        case Symbol(name=name) if name in WHOLE and name not in motion.model.parameters:
            return WHOLE[name](motion)
        case Symbol():
            return motion.model.number(value)
        case Variable(kind="t"):
            return motion.t
        case Variable(kind=kind, index=index):
            return getattr(motion, kind)[:, index]
        case Pi():
            return np.pi
        case Sum(terms=terms):
            return sum(_array(term, motion, parts) for term in terms)
        case Product(factors=factors):
            found = 1.0
            for factor in factors:
                found = found * _array(factor, motion, parts)
            return found
        case Power(base=base, exponent=exponent):
            return np.asarray(_array(base, motion, parts), dtype=float) ** exponent
        case Table(argument=argument):
            return value.value_at(_array(argument, motion, parts))
        case Call(name=name, arguments=arguments):
            function = ARRAYS.get(name) or getattr(np, name)
            return function(*(_array(argument, motion, parts) for argument in arguments))
    return float(value)


def _called(function: Callable[..., Any], motion: Motion) -> np.ndarray:
    """A Python function in every frame."""
    if takes_time_alone(function, "signal"):
        rows = [function(float(t)) for t in motion.t]
    else:
        rows = [function(float(t), q.copy(), u.copy()) for t, q, u in zip(motion.t, motion.q, motion.u, strict=True)]
    try:
        found = np.empty(0) if any(row is None for row in rows) else np.array(rows, dtype=float)
    except (TypeError, ValueError):
        found = np.empty(0)
    if found.shape[:1] != motion.t.shape or found.ndim > 2:
        raise StateError("the function gave no number", where="signal", remedy="return one number, or a vector")
    return found


def lengths(values: np.ndarray) -> np.ndarray:
    """Of vectors (frames, k) their length, of numbers (frames,) themselves."""
    return values if values.ndim == 1 else np.asarray(np.linalg.norm(values, axis=1))


def refuse_vector(signal: Signal, values: np.ndarray, what: str) -> None:
    """Refuse a vector where a number is needed."""
    if values.ndim > 1:
        raise ModelError(
            f"{what} of a vector",
            where=f"signal {signal.name}",
            remedy='ask for a component, "x[rod]" or "fx[rod]", or for a length, "force[rod]-10"',
        )
