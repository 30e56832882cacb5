"""Sliders that stay alive without a kernel: the states of a widget at every node of a grid of parameters."""

from __future__ import annotations

import gzip
import math
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

import ipywidgets

from ..errors import ModelError, UnknownNameError
from ..model.fields import suggest
from ..model.model import Model
from .pack import FRAMES, pack, thinned
from .states import Muted, references, snapshot, states, tree

__all__ = ["Axis", "Recording", "Sliders", "affordable", "choose_axes", "record"]

MOST: Final = 3
"""Sliders of one page that can stay alive."""
NODES: Final = 220
"""Of a grid, at most, where the user does not say: six values for each of three sliders."""
FINEST: Final = 21
COARSEST: Final = 4
"""Values of one slider, at most and at least, where the user does not say."""
SECONDS: Final = 25.0
BYTES: Final = 6e6
"""That a grid may take where the user does not say."""
LARGEST: Final = 2000
"""Nodes of a grid."""

Sliders = Mapping[str, int | Sequence[float]] | bool | None


@dataclass(frozen=True)
class Axis:
    """A parameter and the values that its slider can take, ascending; ``at`` is the place of the present one."""

    name: str
    values: tuple[float, ...]
    at: int


@dataclass(frozen=True)
class Recording:
    """What a page needs: all states at the present values, and at each node of the grid those that differ anywhere."""

    states: dict[str, dict[str, Any]]
    axes: tuple[Axis, ...]
    nodes: list[dict[str, dict[str, Any]]]


def choose_axes(model: Model | None, sliders: Sliders = None, nodes: int = NODES) -> tuple[Axis, ...]:
    """The axes that a user asks for: ``{"m2": 7}``, ``{"m2": (1, 5, 9)}``; None: the model's first parameters.

    Of those there are as many as give each slider a few values with ``nodes`` in all, and at most three.
    """
    if model is None or sliders is False:
        return ()
    if sliders is None or sliders is True:
        able = [name for name, item in model.parameters.items() if item.value is not None][:MOST]
        while len(able) > 1 and nodes ** (1 / len(able)) < COARSEST:
            able.pop()
        count = int(nodes ** (1 / max(1, len(able))) + 1e-9)
        sliders = dict.fromkeys(able, max(2, min(FINEST, count)))
    if len(sliders) > MOST:
        raise ModelError(f"{len(sliders)} sliders", where="sliders", remedy=f"name at most {MOST} parameters")
    axes = tuple(_axis(model, name, wanted) for name, wanted in sliders.items())
    if math.prod(len(axis.values) for axis in axes) > LARGEST:
        raise ModelError(f"a grid of more than {LARGEST} motions", where="sliders", remedy="ask for fewer values")
    return axes


def affordable(widget: Any, share: float = 1.0) -> int:
    """How many nodes a share of the time and the size that a page may take allows, tried with two of them."""
    model = getattr(widget, "model", None)
    able = [] if model is None else [name for name, item in model.parameters.items() if item.value is not None]
    if not able:
        return 1
    start = time.monotonic()
    trial = record(widget, choose_axes(model, {able[0]: 2}))
    seconds = (time.monotonic() - start) / len(trial.nodes)
    size = max(len(gzip.compress(pack(node))) for node in trial.nodes) * 4 / 3
    return max(1, int(share * min(NODES, SECONDS / max(seconds, 1e-3), BYTES / size)))


def _axis(model: Model, name: str, wanted: int | Sequence[float]) -> Axis:
    if name not in model.parameters:
        raise UnknownNameError(f"no parameter {name!r}", where="sliders", remedy=suggest(name, model.parameters))
    parameter = model.parameters[name]
    if parameter.value is None:
        raise ModelError("has no value", where=f"parameter {name!r}", remedy="give it one with model.with_values")
    present = float(parameter.value)
    if isinstance(wanted, int):
        low = float(parameter.min) if parameter.min is not None else min(0.5 * present, 1.5 * present) - 0.5
        high = float(parameter.max) if parameter.max is not None else max(0.5 * present, 1.5 * present) + 0.5
        values = _nice(present, low, high, wanted)
    else:
        values = tuple(sorted({*map(float, wanted), present}))
    return Axis(name, values, values.index(present))


def _nice(present: float, low: float, high: float, count: int) -> tuple[float, ...]:
    """At most ``count`` values with a round step within the range, the present one among them."""
    if count < 2 or not low < high:
        return (present,)
    rough = (high - low) / count
    decade = 10.0 ** math.floor(math.log10(rough))
    for factor in (1, 1.5, 2, 2.5, 3, 4, 5, 10, 20):
        step = factor * decade
        below, above = (math.floor(part / step + 1e-9) for part in (present - low, high - present))
        if below + above + 1 <= count:
            break
    digits = 2 - math.floor(math.log10(step))
    return tuple(present if k == 0 else round(present + k * step, digits) for k in range(-below, above + 1))


def record(widget: Any, axes: Sequence[Axis] = (), progress: Callable[[float], None] | None = None) -> Recording:
    """The states of a widget over a grid of its model's parameters; afterwards it is as it was.

    The work is done in a thread of its own, where no event loop runs: what a widget puts off in a notebook is done
    at once there.
    """
    out: list[Recording] = []
    trouble: list[BaseException] = []

    def work() -> None:
        try:
            with Muted() as ear:
                out.append(_record(widget, axes, progress, ear))
        except BaseException as error:  # told to the caller, in the caller's thread
            trouble.append(error)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join()
    if trouble:
        raise trouble[0]
    return out[0]


def _record(widget: Any, axes: Sequence[Axis], progress: Callable[[float], None] | None, ear: Muted) -> Recording:
    finish = getattr(widget, "finish", None)
    if finish is not None:
        finish()
    _open_tabs(widget)
    start = snapshot(widget)
    if not axes:
        return Recording(_thinned(start, start), (), [])
    ear.changed.clear()
    base, motion = widget.model, getattr(widget, "motion", None)
    every: list[dict[str, dict[str, Any]]] = []
    total = math.prod(len(axis.values) for axis in axes)
    try:
        for number, values in enumerate(product(*(axis.values for axis in axes))):
            widget.model = base.with_values(**{axis.name: value for axis, value in zip(axes, values, strict=True)})
            _open_tabs(widget)
            # only what ever was told can differ
            every.append(_thinned(states(ear.changed, start), start))
            if progress is not None:
                progress((number + 1) / total)
    finally:
        widget.model = base
        if motion is not None:
            widget.motion = motion
        _open_tabs(widget)
    whole = _thinned(start, start)
    for node in every:
        for identity, state in node.items():
            whole.setdefault(identity, state)
    return Recording(whole, tuple(axes), _differences(whole, every))


def _thinned(found: dict[str, dict[str, Any]], start: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    def times(state: dict[str, Any]) -> Any:
        (player,) = references([state.get("player")]) or ("",)
        return found.get(player, start.get(player, {})).get("times")

    return {identity: thinned(state, times(state)) for identity, state in found.items()}


def _differences(whole: dict[str, Any], every: list[dict[str, dict[str, Any]]]) -> list[dict[str, dict[str, Any]]]:
    """Of each node, the values that are not the same at all nodes."""
    moving: dict[str, set[str]] = {}
    for node in every:
        for identity, state in node.items():
            first = whole[identity]
            names = {name for name, value in state.items() if value is not first.get(name) and value != first.get(name)}
            moving.setdefault(identity, set()).update(names)
    out = []
    for node in every:
        chosen = {}
        for identity, names in moving.items():
            state = node.get(identity, whole[identity])
            if names:
                chosen[identity] = {name: state[name] for name in sorted(names | ({FRAMES} & state.keys()))}
        out.append(chosen)
    return out


def _open_tabs(widget: Any) -> None:
    """Go through all tabs once: what is filled when it is seen is filled then."""
    for item in tree(widget):
        if isinstance(item, ipywidgets.Tab | ipywidgets.Accordion) and item.selected_index is not None:
            before = item.selected_index
            for index in [*range(len(item.children)), before]:
                item.selected_index = index
