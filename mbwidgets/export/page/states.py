"""The stored state of a widget and of all that it refers to, as it would be sent to the page."""

from __future__ import annotations

import re
import threading
from collections.abc import Container, Iterable, Iterator
from typing import Any, Final

import ipywidgets
from ipywidgets.widgets.widget import _instances

__all__ = ["Muted", "open_widgets", "widget_snapshot", "widget_states", "widget_tree"]

REFERENCE: Final = re.compile(r"IPY_MODEL_([0-9a-f]{32})")
LINKS: Final = ("LinkModel", "DirectionalLinkModel")


def widget_snapshot(widget: Any) -> dict[str, dict[str, Any]]:
    """States {model id: {name: value}} of a widget, of all that it refers to, and of links in the page among them."""
    found = widget_states([widget.model_id], {})
    for identity, other in list(_instances.items()):
        if getattr(other, "_model_name", "") in LINKS and identity not in found:
            state = other.get_state(drop_defaults=False)
            if all(end in found for end in referenced_ids([state["source"], state["target"]])):
                found[identity] = state
    return found


def open_widgets() -> dict[str, Any]:
    """Every widget that is not closed, by its model's id."""
    return dict(_instances)


def widget_states(identities: Iterable[str], known: Container[str]) -> dict[str, dict[str, Any]]:
    """States of these widgets, and of those that they refer to and that are not known yet."""
    found: dict[str, dict[str, Any]] = {}
    waiting = list(identities)
    while waiting:
        identity = waiting.pop()
        if identity in found or identity not in _instances:
            continue
        found[identity] = _instances[identity].get_state(drop_defaults=False)
        waiting += [other for other in referenced_ids(found[identity]) if other not in known]
    return found


def referenced_ids(value: Any) -> list[str]:
    """Ids of the widgets that a value refers to."""
    if isinstance(value, str):
        match = REFERENCE.fullmatch(value)
        return [match[1]] if match else []
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return [identity for item in inside for identity in referenced_ids(item)]


def widget_tree(widget: Any) -> Iterator[Any]:
    """A widget and its children, theirs included."""
    yield widget
    for child in getattr(widget, "children", ()):
        yield from widget_tree(child)


class Muted:
    """While it is entered, nothing that this thread does to widgets is told to the page; only noted."""

    def __init__(self) -> None:
        self.changed: set[str] = set()
        """Ids of the widgets whose state would have been told."""
        self._send: Any = None

    def __enter__(self) -> Muted:
        self._send = send = ipywidgets.Widget._send
        here = threading.get_ident()

        def quiet(widget: Any, *arguments: Any, **options: Any) -> None:
            if threading.get_ident() != here:
                send(widget, *arguments, **options)
            else:
                self.changed.add(widget.model_id)

        ipywidgets.Widget._send = quiet
        return self

    def __exit__(self, *_: object) -> None:
        ipywidgets.Widget._send = self._send
