"""A joint elsewhere in the same bodies: the axis passes through other points of them, and they stay where they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from .forces import Anchor
from .model import Model
from .solids import Composite, Solid

__all__ = ["with_joint_moved"]

DIGITS = 6
"""Of the shift, in metres: numbers that a reader of a formula can bear."""


def with_joint_moved(model: Model, joint: str | int, at: Any) -> Model:
    """The model with O_k at another place of the parent, parent axes, m; where q = 0 no body moves.

    All that is told from O_k* in the body follows: ρ_C, the solid, the joints that it carries, and the points where
    loads and constraints take hold.
    """
    index = model.index(joint)
    body = model.bodies[index]
    now = [model.number(item) for item in body.joint.at]
    shift = [round(float(new) - old, DIGITS) for new, old in zip(at, now, strict=True)]
    if not any(shift):
        return model
    back = [-item for item in shift]
    changes: dict[str, Any] = {"joint": body.joint.replace(at=_sum(body.joint.at, shift))}
    if body.shape is not None:
        changes["shape"] = _shifted(body.shape, back)
    if "com" not in body.derived:
        changes["com"] = _sum(body.com, back)
    bodies = list(model.bodies)
    bodies[index] = body.replace(**changes)
    for child, parent in enumerate(model.parents):
        if parent == index:
            carried = bodies[child].joint
            bodies[child] = bodies[child].replace(joint=carried.replace(at=_sum(carried.at, back)))
    held = {
        name: tuple(_held(item, model, index, back) for item in getattr(model, name))
        for name in ("forces", "constraints")
    }
    return model.replace(bodies=bodies, **held)


def _sum(vector: Sequence[Any], shift: Sequence[float]) -> tuple[Any, ...]:
    return tuple(_plus(item, step) for item, step in zip(vector, shift, strict=True))


def _plus(item: Any, step: float) -> Any:
    """A number stays a short one; an expression keeps its parameters."""
    if not step:
        return item
    total = item + step
    return round(total, 12) if isinstance(total, float) else total


def _shifted(solid: Solid, shift: Sequence[float]) -> Any:
    if isinstance(solid, Composite):
        parts, holes = ([_shifted(item, shift) for item in items] for items in (solid.parts, solid.holes))
        return solid.replace(parts=parts, holes=holes)
    return solid.replace(at=_sum(solid.at, shift))  # type: ignore[attr-defined]


def _held(item: Any, model: Model, index: int, shift: Sequence[float]) -> Any:
    """A load or constraint whose points on the body stay the same points of it."""
    changes: dict[str, Any] = {}
    if _on(item, model, index):
        changes["at"] = _sum(item.at, shift)
    for field in fields(item):
        anchor = getattr(item, field.name)
        if isinstance(anchor, Anchor) and _on(anchor, model, index):
            changes[field.name] = anchor.replace(at=_sum(anchor.at, shift))
    return item.replace(**changes) if changes else item


def _on(item: Any, model: Model, index: int) -> bool:
    body = getattr(item, "body", None)
    return hasattr(item, "at") and body is not None and model.index(body) == index
