"""Sliders that stay alive without a kernel: the states of a widget at every node of a grid of parameters."""

from __future__ import annotations

import gzip
import math
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

import ipywidgets

from ...errors import MbwidgetsError, ModelError, UnknownNameError, shorten
from ...model.fields import suggest_name
from ...model.model import Model
from .pack_states import FRAMES, RATE, pack_states, thin_frames
from .states import Muted, referenced_ids, widget_snapshot, widget_states, widget_tree

__all__ = [
    "CHOSEN",
    "Axis",
    "Choices",
    "Recording",
    "Sliders",
    "affordable_grid",
    "choose_axes",
    "record_grid",
    "recording_axes",
    "thinned",
]

MOST: Final = 3
"""Sliders of one page that can stay alive."""
NODES: Final = 220
"""Of a grid, at most, where the user does not say: six values for each of three sliders."""
FINEST: Final = 21
COARSEST: Final = 4
"""Values of one slider, at most and at least, where the user does not say."""
QUARTERS: Final = 5
"""Values of a dial at least, where the user does not say: the quarters of a turn."""
ANGLES: Final = (5.0, 10.0, 15.0, 30.0, 45.0, 90.0, 180.0)
"""Steps of a dial, degrees."""
CHOSEN: Final = 320
"""States of a widget's own choices over all nodes; beyond that the part in which one chooses is still."""
FEWEST: Final = 3
"""Nodes beside choices: a slider with less is none."""
SECONDS: Final = 25.0
BYTES: Final = 0.5e6
"""That a grid may take where the user does not say; the rest of such a page has 1.4 MB, and all of it less than 2."""
LARGEST: Final = 2000
"""Nodes of a grid."""

Sliders = Mapping[str, int | Sequence[float]] | bool | None


@dataclass(frozen=True)
class Axis:
    """What a slider moves, and the values that it can take, ascending; ``at`` is the place of the present one.

    ``key`` is that of the slider's row, ``write(model, value)`` gives the model with a value.
    """

    name: str
    values: tuple[float, ...]
    at: int
    key: str
    write: Callable[[Model, float], Model]


@dataclass(frozen=True)
class Choices:
    """What can be chosen in a widget besides its parameters, such as an entry of a tensor; ``widget.choices()`` says.

    Attributes
    ----------
    parts : the widgets in which the choice is made, each with its trait that tells it in the page
    values : what can be chosen: a value of each of these traits
    at : the present one
    choose : makes the widget show value k
    """

    parts: Sequence[tuple[Any, str]]
    values: Sequence[Sequence[Any]]
    at: int
    choose: Callable[[int], None]


States = dict[str, dict[str, Any]]


@dataclass(frozen=True)
class Recording:
    """What a page needs: all states at the present values, and at each node of the grid those that differ anywhere.

    ``options`` are, at each node, what differs from choice to choice; ``choices`` are those of each node.
    """

    states: States
    axes: tuple[Axis, ...]
    nodes: list[States]
    options: list[list[States]]
    choices: list[Choices]


def choose_axes(
    model: Model | None, sliders: Sliders = None, nodes: int = NODES, own: Sequence[Any] = (), first: Sequence[str] = ()
) -> tuple[Axis, ...]:
    """The axes that a user asks for: ``{"m2": 7}``, ``{"m2": (1, 5, 9)}``; None: the model's first parameters.

    Of those there are as many as give each slider a few values with ``nodes`` in all, and at most three. ``own`` are
    sliders of a view besides the parameters, by their keys; ``first`` names those that come before the others.
    """
    if model is None or sliders is False:
        return ()
    places = {place.key: place for place in own}
    if sliders is None or sliders is True:
        known = [name for name, item in model.parameters.items() if item.value is not None]
        favoured = [name for name in first if name in known or name in places]
        able = list(dict.fromkeys([*favoured, *known]))[:MOST]
        while len(able) > 1 and nodes ** (1 / len(able)) < COARSEST:
            able.pop()
        count = int(nodes ** (1 / max(1, len(able))) + 1e-9)
        count = max(2, min(FINEST, count))
        sliders = {name: max(QUARTERS, count) if name in places else count for name in able}
    if not isinstance(sliders, Mapping):
        raise ModelError(
            f"{shorten(sliders)} does not say how many values each slider has",
            where="sliders",
            remedy='give the parameters with their values, as {"m": 5} or {"m": (1, 2, 4)}',
        )
    if len(sliders) > MOST:
        raise ModelError(f"{len(sliders)} sliders", where="sliders", remedy=f"name at most {MOST} parameters")
    axes = tuple(_axis(model, name, wanted, places) for name, wanted in sliders.items())
    if math.prod(len(axis.values) for axis in axes) > LARGEST:
        raise ModelError(f"a grid of more than {LARGEST} motions", where="sliders", remedy="ask for fewer values")
    return axes


def recording_axes(widget: Any, sliders: Sliders = None, nodes: int = NODES) -> tuple[Axis, ...]:
    """`choose_axes` for the model of a widget, with what the widget itself can move."""
    first = getattr(widget, "live", ())
    own: list[Any] = [place for place in getattr(widget, "own_places", list)() if place.key in first]
    return choose_axes(getattr(widget, "model", None), sliders, nodes, own, first)


def affordable_grid(widget: Any, share: float = 1.0) -> tuple[int, int]:
    """How many nodes, and states of choices over all of them, a share of a page's time and size allows: two are tried.

    Where a widget has choices of its own, each node holds all of them.
    """
    model = getattr(widget, "model", None)
    able = [] if model is None else [name for name, item in model.parameters.items() if item.value is not None]
    if not able:
        return 1, CHOSEN
    start = time.monotonic()
    trial = record_grid(widget, choose_axes(model, {able[0]: 2}), most=0)
    seconds = (time.monotonic() - start) / len(trial.nodes)
    size = max(len(gzip.compress(pack_states(node))) for node in trial.nodes) * 4 / 3
    states = int(share * min(SECONDS / max(seconds, 1e-3), BYTES / size))
    full = choice_count(widget)
    if not full:
        return max(2, min(int(share * NODES), states)), 0
    nodes = states // full
    return (nodes, min(CHOSEN, states)) if nodes >= FEWEST else (1, CHOSEN)


def choice_count(widget: Any, most: int = CHOSEN) -> int:
    """How many choices of its own a widget offers a page that can hold ``most``."""
    found = _choices(widget, most)
    return 0 if found is None else len(found.values)


def _choices(widget: Any, most: int) -> Choices | None:
    offer = getattr(widget, "choices", None)
    found = offer(most) if callable(offer) else None
    return found if isinstance(found, Choices) and 1 < len(found.values) <= most else None


def _axis(model: Model, name: str, wanted: int | Sequence[float], places: Mapping[str, Any]) -> Axis:
    if name in places:
        place = places[name]
        span = (place.read(model), place.low, place.high)
        return _spread(place.title, wanted, *span, name, place.write, place.unit == "°")
    if name not in model.parameters:
        known = [*model.parameters, *places]
        raise UnknownNameError(f"no parameter {name!r}", where="sliders", remedy=suggest_name(name, known))
    parameter = model.parameters[name]
    if parameter.value is None:
        raise ModelError("has no value", where=f"parameter {name!r}", remedy="give it one with model.with_values")
    present = float(parameter.value)
    low = float(parameter.min) if parameter.min is not None else min(0.5 * present, 1.5 * present) - 0.5
    high = float(parameter.max) if parameter.max is not None else max(0.5 * present, 1.5 * present) + 0.5

    def write(model: Model, value: float) -> Model:
        return model.with_values(**{name: value})

    return _spread(name, wanted, present, low, high, f"parameter {name}", write)


def _spread(
    name: str,
    wanted: int | Sequence[float],
    present: float,
    low: float,
    high: float,
    key: str,
    write: Callable[[Model, float], Model],
    angle: bool = False,
) -> Axis:
    if not isinstance(wanted, int):
        values = tuple(sorted({*map(float, wanted), present}))
    elif angle:
        step = next((step for step in ANGLES if (high - low) / step + 1 <= wanted), high - low)
        values = tuple(sorted({present, *(low + k * step for k in range(int((high - low) / step) + 1))}))
    else:
        values = _nice(present, low, high, wanted)
    return Axis(name, values, values.index(present), key, write)


def _nice(present: float, low: float, high: float, count: int) -> tuple[float, ...]:
    """At most ``count`` values with a round step within the range, the present one among them, some on either side."""
    if count < 2 or not low < high:
        return (present,)
    rough = (high - low) / count
    decade = 10.0 ** math.floor(math.log10(rough))
    for factor in (1, 1.5, 2, 2.5, 3, 4, 5, 10, 20):
        step = factor * decade
        below, above = (math.floor(part / step + 1e-9) for part in (present - low, high - present))
        if below + above + 1 <= count:
            break
    side = min(present - low, high - present)
    if count > 2 and min(below, above) == 0 and side > 0.1 * (high - low):
        decade = 10.0 ** math.floor(math.log10(side))
        step = decade * max(factor for factor in (1, 1.5, 2, 2.5, 3, 4, 5) if factor * decade <= side * (1 + 1e-9))
        below, above = (math.floor(part / step + 1e-9) for part in (present - low, high - present))
        below, above = min(below, max(1, count - 1 - above)), min(above, max(1, count - 1 - below))
    digits = 2 - math.floor(math.log10(step))
    return tuple(present if k == 0 else round(present + k * step, digits) for k in range(-below, above + 1))


def record_grid(
    widget: Any, axes: Sequence[Axis] = (), progress: Callable[[float], None] | None = None, most: int = CHOSEN
) -> Recording:
    """The states of a widget over a grid of its model's parameters; afterwards it is as it was.

    Its own choices are recorded too, where with the grid they are at most ``most``. The work is done in a thread of
    its own, where no event loop runs: what a widget puts off in a notebook is done at once there.
    """
    out: list[Recording] = []
    trouble: list[BaseException] = []
    shares = [0.0]

    def work() -> None:
        try:
            with Muted() as ear:
                out.append(_record(widget, axes, shares.append, ear, most))
        except BaseException as error:  # told to the caller, in the caller's thread
            trouble.append(error)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    told = 0
    while thread.is_alive():
        thread.join(0.1)
        # in the caller's thread: what the other one says reaches nobody
        if progress is not None and len(shares) > told:
            told = len(shares)
            progress(shares[-1])
    if trouble:
        raise trouble[0]
    return out[0]


def _record(widget: Any, axes: Sequence[Axis], progress: Callable[[float], None], ear: Muted, most: int) -> Recording:
    finish = getattr(widget, "finish", None)
    if finish is not None:
        finish()
    _open_tabs(widget)
    start = widget_snapshot(widget)
    total = math.prod(len(axis.values) for axis in axes)
    most //= max(1, total)
    chosen = choice_count(widget, most) > 0
    if not axes and not chosen:
        return Recording(thinned(start, start), (), [], [], [])
    ear.changed.clear()
    base, motion = getattr(widget, "model", None), getattr(widget, "motion", None)
    every: list[list[States]] = []
    choices: list[Choices] = []
    try:
        for number, values in enumerate(product(*(axis.values for axis in axes))):
            if base is not None and axes:
                _go_to(widget, base, axes, values)
                _open_tabs(widget)

            def done(share: float, number: int = number) -> None:
                progress((number + share) / total)

            every.append(_each(widget, ear, start, choices if chosen else None, most, done))
            done(1.0)
    finally:
        if base is not None and axes:
            widget.model = base
        if motion is not None:
            widget.motion = motion
        _open_tabs(widget)
    whole = thinned(start, start)
    for state in (state for row in every for state in row):
        for identity, item in state.items():
            whole.setdefault(identity, item)
    nodes, options = _differences(whole, every)
    return Recording(whole, tuple(axes), nodes, options if chosen else [], choices)


def _go_to(widget: Any, base: Model, axes: Sequence[Axis], values: Sequence[float]) -> None:
    """Set the model of a node; values that no model can have leave the widget where it was, and it says why."""
    model = base
    try:
        for axis, value in zip(axes, values, strict=True):
            model = axis.write(model, value)
        widget.model = model
    except MbwidgetsError as error:
        if not hasattr(widget, "show_error"):
            raise
        widget.model = base
        widget.show_error(error)


def _each(
    widget: Any, ear: Muted, start: States, choices: list[Choices] | None, most: int, done: Callable[[float], None]
) -> list[States]:
    """The states of the present node: one, or one for each choice, which are noted."""

    def now() -> States:
        # only what ever was told can differ
        return thinned(widget_states(ear.changed, start), start)

    found = None if choices is None else _choices(widget, most)
    if choices is None or found is None:
        return [now()]
    choices.append(found)
    out = []
    try:
        for k in range(len(found.values)):
            found.choose(k)
            out.append(now())
            done((k + 1) / (len(found.values) + 1))
    finally:
        found.choose(found.at)
    return out


def thinned(found: States, start: States, rate: float = RATE) -> States:
    """States whose numbers over time have no more frames than a page needs."""

    def player(state: dict[str, Any]) -> dict[str, Any]:
        (identity,) = referenced_ids([state.get("player")]) or ("",)
        return found.get(identity, start.get(identity, {}))

    return {identity: thin_frames(state, player(state), rate) for identity, state in found.items()}


def _differences(whole: States, every: list[list[States]]) -> tuple[list[States], list[list[States]]]:
    """Of each node, the values that are not the same at all nodes; apart from them, those that the choice changes."""
    moving = _moving([(state, whole) for row in every for state in row])
    by_choice = _moving([(state, {**whole, **row[0]}) for row in every for state in row[1:]])
    by_node = {identity: names - by_choice.get(identity, set()) for identity, names in moving.items()}
    nodes = [_part(whole, row[0], by_node) for row in every]
    return nodes, [[_part(whole, state, by_choice) for state in row] for row in every]


def _moving(pairs: Iterable[tuple[States, States]]) -> dict[str, set[str]]:
    """Names of the values, by widget, in which any state differs from the one beside it."""
    moving: dict[str, set[str]] = {}
    for state, other in pairs:
        for identity, item in state.items():
            first = other[identity]
            names = {name for name, value in item.items() if value is not first.get(name) and value != first.get(name)}
            moving.setdefault(identity, set()).update(names)
    return moving


def _part(whole: States, state: States, wanted: Mapping[str, set[str]]) -> States:
    out = {}
    for identity, names in wanted.items():
        item = state.get(identity, whole[identity])
        if names:
            # a part that is empty at this node has no frames
            out[identity] = {name: item[name] for name in sorted((names | {FRAMES}) & item.keys())}
    return out


def _open_tabs(widget: Any) -> None:
    """Go through all tabs once: what is filled when it is seen is filled then."""
    for item in widget_tree(widget):
        if isinstance(item, ipywidgets.Tab | ipywidgets.Accordion) and item.selected_index is not None:
            before = item.selected_index
            for index in [*range(len(item.children)), before]:
                item.selected_index = index
