"""Makes recorded states fit a page without a kernel: what nobody could answer is taken out or made to rest."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from .record import Axis, Choices, Recording
from .states import LINKS, referenced_ids

__all__ = ["Fitted", "retire_controls", "with_live_sliders"]

GONE: Final = {
    f"{name}Model"
    for name in (
        "Button",
        "ToggleButton",
        "Checkbox",
        "ToggleButtons",
        "FileUpload",
        "BoundedFloatText",
        "FloatText",
        "Text",
    )
} | {"BoundedIntTextModel", "IntTextModel", "TextModel"}
"""Controls that say nothing once nobody answers them."""
ROWS: Final = {"rows", "values", "edit"}
"""The traits by which a table of sliders is known: one row a place of the model."""
TICKS: Final = {"rows", "chosen", "columns", "player"}
"""Those of a table of vectors with ticks: only the arrows that were drawn are in the page.

A table with values of its own keeps its rows and loses the ticks.
"""
SOLVER: Final = {"problem", "wanted", "kernels"}
"""Those of what solves motions in a page; it rests where they were computed beforehand."""
STILL: Final = {"still": True, "pickable": False}
"""Traits by which a part of a view is told that nobody answers."""
FIXED: Final = "Computed beforehand: this page keeps it as it is."


@dataclass(frozen=True)
class Fitted:
    """A recording for the page. ``handles`` tell which widget moves which axis, ``choice`` where one chooses."""

    states: dict[str, dict[str, Any]]
    axes: tuple[Axis, ...]
    nodes: list[dict[str, dict[str, Any]]]
    handles: list[dict[str, Any]]
    options: list[list[dict[str, dict[str, Any]]]]
    choice: dict[str, Any] | None


def with_live_sliders(recording: Recording, answered_by_page: Collection[str] = ()) -> Fitted:
    """The recording with live sliders for its axes, and without controls that nobody answers.

    ``answered_by_page`` are the ids of controls that the page itself answers.
    """
    states = {identity: dict(state) for identity, state in recording.states.items()}
    nodes = [_copied(node) for node in recording.nodes]
    options = [[_copied(option) for option in row] for row in recording.options]
    every = [*nodes, *(option for row in options for option in row)]
    handles: list[dict[str, Any]] = []
    empty = set()
    for state in states.values():
        if state.keys() >= SOLVER:
            state["problem"] = {}
    for identity, state in states.items():
        if state.keys() >= ROWS:
            _keep_rows(identity, state, every, recording.axes)
            kept = {row["key"] for row in state["rows"]}
            if not handles and kept and kept == {axis.key for axis in recording.axes}:
                handles = [_handle(identity, axis) for axis in recording.axes]
            if not kept:
                empty.add(identity)
        elif state.keys() >= TICKS and "values" in state:
            for one in (state, *(node.get(identity, {}) for node in every)):
                if "rows" in one:
                    one["rows"] = [{**row, "tick": False} for row in one["rows"]]
        elif state.keys() >= TICKS:
            state["rows"] = [row for row in state["rows"] if row["key"] in state["chosen"]]
    choice = _choice(recording.choices) if recording.choices and (handles or not recording.axes) else None
    parts = {part for part, _ in choice["parts"]} if choice is not None else set()
    _still(states, every, parts)
    _retire(states, every, empty, parts.union(answered_by_page))
    return Fitted(
        states, recording.axes, nodes if handles or choice else [], handles, options if choice else [], choice
    )


def _copied(states: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {identity: dict(state) for identity, state in states.items()}


def _choice(choices: list[Choices]) -> dict[str, Any]:
    """Where a choice is made, what can be chosen at each node, and what is chosen."""
    first = choices[0]
    values = [list(one.values) for one in choices]
    return {
        "parts": [(part.model_id, trait) for part, trait in first.parts],
        "values": values,
        "at": first.at,
    }


def _still(states: dict[str, Any], every: list[dict[str, Any]], alive: set[str]) -> None:
    """Parts that only Python answers are told to rest: they show, and invite nobody."""
    for identity, state in states.items():
        if identity in alive:
            continue
        for name, value in STILL.items():
            if name in state:
                for one in (state, *(node[identity] for node in every if name in node.get(identity, {}))):
                    one[name] = value


def _handle(identity: str, axis: Axis) -> dict[str, Any]:
    return {"model": identity, "trait": "edit", "key": axis.key, "shown": "values", "values": axis.values}


def _keep_rows(identity: str, state: dict[str, Any], nodes: list[dict[str, Any]], axes: tuple[Axis, ...]) -> None:
    """Leave the rows of the axes, with their steps; without axes the parameters, at rest."""
    by_key = {axis.key: axis for axis in axes}
    keys = [row["key"] for row in state["rows"] if row["key"] in by_key]
    if not axes:
        keys = [row["key"] for row in state["rows"] if row["key"].startswith("parameter ")]
    for node in nodes:
        if "values" in node.get(identity, {}):
            own = node[identity]
            own["values"] = _picked(own.pop("rows", state["rows"]), own["values"], keys)
    state["values"] = _picked(state["rows"], state["values"], keys)
    rows = {row["key"]: row for row in state["rows"]}
    state["rows"] = [_row(rows[key], by_key.get(key)) for key in keys]


def _picked(rows: list[dict[str, Any]], values: list[Any], keys: list[str]) -> list[Any]:
    at = {row["key"]: value for row, value in zip(rows, values, strict=True)}
    return [at.get(key) for key in keys]


def _row(row: dict[str, Any], axis: Axis | None) -> dict[str, Any]:
    if axis is None:
        return {**row, "note": FIXED}
    values = axis.values
    steps = {round(b - a, 9) for a, b in pairwise(values)}
    step = steps.pop() if len(steps) == 1 else "any"
    return {**row, "low": values[0], "high": values[-1], "step": step, "origin": values[axis.at]}


def _retire(states: dict[str, Any], nodes: list[dict[str, Any]], empty: set[str], alive: set[str]) -> None:
    """Take out what is empty, buttons and ticks, and let menus rest, unless the page or a link in it answers them."""
    linked = alive | {
        identity
        for state in states.values()
        if state.get("_model_name") in LINKS
        for identity in referenced_ids([state["source"], state["target"]])
    }
    dead = {identity for identity, state in states.items() if identity not in linked and _is_control(state)}
    gone = {identity for identity in dead if _says_nothing(states[identity])} | empty
    for identity in dead - gone:
        states[identity]["disabled"] = True
    _drop(states, gone)
    for node in nodes:
        for identity in dead & node.keys():
            node[identity].pop("disabled", None)
        for identity in [identity for identity, state in node.items() if identity in gone or not state]:
            del node[identity]


def retire_controls(states: dict[str, dict[str, Any]], alive: Collection[str]) -> None:
    """Take out buttons and ticks that nobody answers, and let menus rest; ``alive`` are the ids of those that stay."""
    _still(states, [], set(alive))
    _retire(states, [], set(), set(alive))


def _says_nothing(state: dict[str, Any]) -> bool:
    """Whether a control without an answer tells nothing: a button, a tick, a menu of things to do (``load …``)."""
    labels, index = state.get("_options_labels"), state.get("index")
    chosen = labels[index] if labels and isinstance(index, int) and index < len(labels) else ""
    return state["_model_name"] in GONE or chosen.endswith("…")


def _is_control(state: dict[str, Any]) -> bool:
    return state.get("_model_module") == "@jupyter-widgets/controls" and "disabled" in state


def _drop(states: dict[str, Any], gone: set[str]) -> None:
    """Take widgets out of the boxes that hold them, and boxes that nothing is left in."""
    while gone:
        empty = set()
        for identity, state in states.items():
            children = state.get("children")
            if children and any(other in gone for other in referenced_ids(children)):
                stays = [not _is_gone(child, states, gone) for child in children]
                for name in ("children", "titles"):  # a tab goes with its title
                    if len(state.get(name) or ()) == len(stays):
                        state[name] = [item for item, kept in zip(state[name], stays, strict=True) if kept]
                if not any(stays) and state.get("_model_name") in {"HBoxModel", "VBoxModel", "BoxModel"}:
                    empty.add(identity)
        gone = empty


def _is_gone(child: str, states: dict[str, Any], gone: set[str]) -> bool:
    """Whether a child goes; the label of a control goes with it."""
    return any(
        identity in gone or states.get(identity, {}).get("_model_name") == "LabelModel"
        for identity in referenced_ids(child)
    )
