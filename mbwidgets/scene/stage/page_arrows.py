"""What a page must draw of a motion that it solves itself: its arrows, springs and rods, and how the camera follows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ...model.model import Model
from ...numeric.motion.motion import Motion
from ...numeric.packing.pack import Packed
from ...numeric.simulation.page_lines import line_ends
from ..quantities.motion_quantities import find_quantity, quantity_names
from ..quantities.registry import PageSource
from .drawn_arrows import TRUE_LENGTH, DrawnArrow, OwnArrow, allowed_length
from .pin_feet import Feet
from .spans import KINDS

__all__ = ["own_page_arrows", "own_page_units", "page_arrows", "page_source", "page_spans", "page_units"]


def page_arrows(
    arrows: Sequence[DrawnArrow], motion: Motion, feet: Feet, usual: Mapping[str, float]
) -> list[dict[str, Any]]:
    """Each arrow as a page finds it: in which table and column, of which body, where it begins, how long it is.

    An arrow whose quantity a page cannot compute has no table; the page hides it until the kernel has told it.
    """
    count: Counter[tuple[str, int | None]] = Counter()
    found = []
    for arrow in arrows:
        number = count[arrow.key, arrow.body]
        count[arrow.key, arrow.body] += 1
        source = page_source(arrow.key, motion, arrow.body, number)
        if source is None or arrow.body is None:
            found.append({"from": "", "column": 0, "at": "O", "body": 0})
            continue
        scale = usual.get(arrow.unit, 0.0)
        found.append(
            {
                "from": source.table,
                "column": source.column,
                "sign": source.sign,
                "at": source.at,
                "body": source.body,
                "frame": arrow.body,
                "owner": source.owner,
                "shift": feet.shift(arrow.body, arrow.pin).tolist(),
                "unit": arrow.unit,
                "magnify": arrow.scale / scale if scale > 0.0 else 1.0,
            }
        )
    return found


def page_source(key: str, motion: Motion, body: int | None, number: int) -> PageSource | None:
    """Where a page finds an arrow of a body, one of several of its quantity; None where it cannot."""
    if body is None or key not in quantity_names():
        return None
    sources = find_quantity(key).page_sources(motion, body)
    return sources[number] if sources is not None and number < len(sources) else None


def page_units(
    arrows: Sequence[DrawnArrow], motion: Motion, radius: float, usual: Mapping[str, float]
) -> dict[str, Any]:
    """For each unit of arrows how long they may be, their present scale, and the tables whose lengths count."""
    found: dict[str, Any] = {}
    for key in dict.fromkeys(arrow.key for arrow in arrows if arrow.key in quantity_names()):
        item = find_quantity(key)
        entry = found.setdefault(
            item.unit,
            {
                "allowed": allowed_length(item.unit, radius),
                "scale": usual.get(item.unit, 0.0),
                "tables": [],
                "known": True,
            },
        )
        sources = item.page_sources(motion, 0)
        if sources is None:  # longer than all others, perhaps: the scale stays as it is
            entry["known"] = False
        else:
            entry["tables"] += [[source.table, source.column] for source in sources[:1] if source.owner < 0]
    return found


def page_spans(model: Model, packed: Packed) -> list[list[list[int]]]:
    """Of each spring, damper and rod, in the order of `spans_of`, both ends: body, place in the model's array."""
    forces, rods = line_ends(packed)
    lines = sum(item.type in KINDS for item in model.forces)
    bars = sum(item.type in KINDS for item in model.constraints)
    if lines != len(forces) or bars != len(rods):  # a load of another kind acts along a line: nothing is drawn of it
        return []
    return [[list(first), list(second)] for first, second in (*forces, *rods)]


def own_page_arrows(
    items: Sequence[OwnArrow], drawn: Sequence[DrawnArrow], feet: Feet, usual: Mapping[str, float]
) -> list[dict[str, Any]]:
    """Arrows of a view's own as a page finds them: nine results each of the view's program, one after the other."""
    found = []
    for place, (item, arrow) in enumerate(zip(items, drawn, strict=True)):
        scale = usual.get(item.scale, 0.0)
        found.append(
            {
                "from": "program",
                "column": 9 * place,
                "stacked": item.offset is not None,
                "body": 0 if item.body is None else item.body,
                "frame": 0 if item.body is None else item.body,
                "shift": None if item.body is None else feet.shift(item.body, arrow.pin).tolist(),
                "unit": item.scale,
                "magnify": arrow.scale / scale if scale > 0.0 else 1.0,
            }
        )
    return found


def own_page_units(items: Sequence[OwnArrow], radius: float, usual: Mapping[str, float]) -> dict[str, Any]:
    """For each scale of a view's own arrows how long they may be, and the present one; true lengths stay."""
    return {
        item.scale: {
            "allowed": item.magnify * allowed_length(item.unit, radius),
            "scale": usual.get(item.scale, 0.0),
            "tables": [],
            "known": item.scale != TRUE_LENGTH,
        }
        for item in items
    }
