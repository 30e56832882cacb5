"""The mechanism of a model as the papers write it: one-axis joints and massless links in place of compound joints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import ModelError

if TYPE_CHECKING:
    from .model import Model

__all__ = ["Link", "elementary_links"]

LINKS = {"rotation": "revolute", "translation": "prismatic", "ball": "ball"}
"""Kind of a joint's column: kind of its link."""


class Link(NamedTuple):
    """One body of the mechanism written with one-axis joints only, as the papers do.

    A compound joint becomes several links, massless but for the last. ``parent`` counts links from 0, −1 is
    the ground; ``coordinate`` counts u, ``place`` counts q; ``body`` is the model's body that the link belongs to.
    """

    name: str
    parent: int
    kind: str
    axis: tuple[Any, Any, Any]
    at: tuple[Any, Any, Any]
    mass: Any
    com: tuple[Any, Any, Any]
    inertia: tuple[tuple[Any, ...], ...]
    coordinate: int | None
    body: int
    place: int | None = None


def elementary_links(model: Model, balls: bool = False) -> tuple[Link, ...]:
    """The links of a model, parents first; see `Model.elementary`."""
    links: list[Link] = []
    last: dict[int, int] = {-1: -1}
    nothing = ((0, 0, 0),) * 3
    for index in model.order:
        body = model.bodies[index]
        columns = body.joint.columns()
        parent, at = last[model.parents[index]], body.joint.at
        if not balls and any(column.kind == "ball" for column in columns):
            raise ModelError(
                f"a {body.joint.type} joint has no one-axis form",
                where=f"joint {body.name!r}",
                remedy="use one-axis joints, or the compiled mb.Dynamics",
            )
        kinds = [(LINKS[c.kind], c.axis) for c in columns] or [("fixed", (0, 0, 1))]
        for number, (kind, axis) in enumerate(kinds):
            whole = number == len(kinds) - 1
            links.append(
                Link(
                    name=body.name if whole else f"{body.name}.{columns[number].label}",
                    parent=parent,
                    kind=kind,
                    axis=axis,
                    at=at,
                    mass=body.mass if whole else 0,
                    com=body.com if whole else (0, 0, 0),
                    inertia=body.inertia if whole else nothing,
                    coordinate=model.u_offsets[index] + number if columns else None,
                    body=index,
                    place=model.q_offsets[index] + number if columns else None,
                )
            )
            parent, at = len(links) - 1, (0, 0, 0)
        last[index] = parent
    return tuple(links)
