"""A view whose page solves its motions itself: its states as they stand, read and not driven, fitted to that page."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from .fitting import Fitted, retire_controls
from .pack_states import SOLVED_RATE
from .record import thinned
from .states import widget_snapshot, widget_states

__all__ = ["thinking_page", "thinks"]

PYTHON: Final = "Only Python can change this: open the notebook."


def thinks(widget: Any) -> bool:
    """Whether a page can solve all that the sliders of a widget ask for."""
    return bool(getattr(widget, "thinks", False) and widget.page_solver.problem)


def thinking_page(widget: Any, alive: Collection[str]) -> Fitted:
    """The states of a view for a page that thinks; ``alive`` are the ids of controls that the page answers itself."""
    widget.fill_unseen()
    states = {identity: dict(state) for identity, state in widget_snapshot(widget).items()}
    with widget.for_page() as parts:
        for identity, changes in parts.traits.items():
            states[identity].update(changes)
        found = widget_states([item.model_id for item in parts.spare], states)
        states.update({identity: dict(state) for identity, state in found.items()})
        for item in parts.spare:
            states[item.model_id]["visible"] = False  # until it is chosen
        stage = states[widget.picture.stage.scene.model_id]
        stage["children"] = [*stage["children"], *(f"IPY_MODEL_{item.model_id}" for item in parts.spare)]
    taken = set(widget.page_solver.movable)
    for state in states.values():
        if state.keys() >= {"rows", "values", "edit"}:
            state["rows"] = _rows(state["rows"], taken)
        elif state.get("choices"):
            bodies = [{**body, "rows": _rows(body["rows"], taken)} for body in state["choices"]["bodies"]]
            state["choices"] = {**state["choices"], "bodies": bodies}
    if widget.grabs and widget.grabbing.grab.rules:
        alive = {*alive, widget.grabbing.grab.model_id}
    if (handles := widget.page_solver.handles) is not None and handles.rules:
        alive = {*alive, handles.model_id, *(item["button"][len("IPY_MODEL_") :] for item in handles.rules["buttons"])}
    retire_controls(states, alive)
    return Fitted(thinned(states, states, SOLVED_RATE), (), [], [], [], None)


def _rows(rows: list[dict[str, Any]], taken: Collection[str]) -> list[dict[str, Any]]:
    return [row if row["key"] in taken or row["note"] else {**row, "note": PYTHON} for row in rows]
