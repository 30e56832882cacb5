"""The Explorer in a page that thinks: what its menus and ticks choose, told beforehand, without touching the view."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

from ...errors import MbwidgetsError
from ...model.model import Model
from ...scene.look.arrows import Arrow
from ...scene.look.palette import BLUE
from ...scene.look.shapes import THINNEST, model_size
from ...scene.look.trails import Trail
from ...scene.quantities.motion_quantities import find_quantity, quantity_names
from ...scene.stage.composition import ghost_parts, ghost_room
from ...scene.stage.drawn_arrows import VARIES, DrawnArrow, named_by_letters, quantity_arrows
from ...scene.stage.page_arrows import page_arrows, page_units
from ...scene.stage.page_stage import page_stage, page_themes
from ...scene.stage.pin_feet import Pin
from ...scene.stage.scale_bars import owner_of
from ..edit.page_file import page_file
from ..edit.places import editable_places
from ..parts.controls import row_of
from ..parts.plots import CURVES, page_curves, spectrum_state
from ..parts.readout import table_column
from ..parts.second_way import kinetic_program
from .page_formulae import program_document_of, stored_formulae
from .vector_view import SIZES

__all__ = ["TRAIL_COLOURS", "page_choices"]

MOST_BODIES: Final = 40
"""Bodies that can be chosen in a page: of more the file would hold more than their motion."""
TRAIL_COLOURS: Final = (BLUE, "#8A94A0")
"""Of the path of the selected body's mass centre, and of the others'."""
PYTHON: Final = "Only Python computes this: open the notebook."


@contextlib.contextmanager
def page_choices(view: Any) -> Iterator[tuple[dict[str, Any], list[Any]]]:
    """What can be chosen, for JSON, and the widgets that it needs besides, which are closed at the end."""
    picture, model = view.picture, view.model
    keys = [key for key in quantity_names() if find_quantity(key).page_sources(view.motion, 0) is not None]
    bodies = range(len(model.bodies))[:MOST_BODIES]
    arrows = [_arrows_of(view, keys, (index,)) for index in bodies]
    common = _arrows_of(view, view.vectors, bodies) if len(bodies) > 1 else []
    spare = picture.spare_arrows([*(arrow for row in arrows for arrow in row), *common])
    pool = {**picture.drawn_arrows(), **spare}
    trail = Trail(np.zeros((2, 3)), TRAIL_COLOURS[0], comet=True)
    stored, feet = stored_formulae(view, bodies), picture.stage.setting.feet_of(model)
    try:
        choices = {
            "menus": view.menus_in_page(),
            "readout": view.readout.model_id,
            "ellipsoid": picture.ellipsoid.model_id,
            "kinds": list(CURVES),
            "units": page_units(
                [arrow for row in arrows for arrow in row], view.motion, picture.stage.radius, picture.usual
            ),
            "bodies": [_body(view, index, arrows[index], pool) for index in bodies],
            "formulae": stored.texts,
            "programs": stored.programs,
            "check": _check(model),
            "text": view.formulae.ids["text"],
            "stage": page_stage(picture.stage),
            "themes": page_themes(),
            "file": page_file(model),
            "everywhere": _told(view, common, pool, True),
            "title": "Vectors of all bodies, world axes",
            "sizes": [size for _, size in SIZES],
            "magnify": view.magnify,
            "trail": {
                "line": trail.line.model_id,
                "drawn": [line.model_id for line in picture.trail_lines],
                "varies": VARIES,
                "colours": TRAIL_COLOURS,
                "shifts": [feet.shift(index, Pin("centre", index)).tolist() for index in range(len(model.bodies))],
            },
            "missing": {key: PYTHON for key in quantity_names() if key not in keys},
        }
        yield choices, [trail.line, *(item for arrow in spare.values() for item in arrow.objects)]
    finally:
        trail.close()
        for arrow in spare.values():
            arrow.close()


def _arrows_of(view: Any, keys: Sequence[str], indices: Sequence[int]) -> list[DrawnArrow]:
    """All arrows of bodies that a page can compute, with the labels that they have where no others are drawn."""
    picture = view.picture
    made = quantity_arrows(
        view.motion, keys, tuple(indices), picture.stage.radius, view.magnify, view.scales, kept=picture.usual
    )
    return named_by_letters(made.arrows, view.model, picture.stage.setting.feet_of(view.model))


def _told(view: Any, arrows: Sequence[DrawnArrow], pool: dict[tuple[str, str], Arrow], several: bool) -> list[Any]:
    """Arrows for a page: what they are called, and where it finds them."""
    feet = view.picture.stage.setting.feet_of(view.model)
    specs = page_arrows(arrows, view.motion, feet, view.picture.usual)
    return [
        {
            **_names(view.model, arrow, pool[arrow.key, arrow.label], several),
            "on": owner_of(arrow, view.model),
            "page": spec,
        }
        for arrow, spec in zip(arrows, specs, strict=True)
        if spec["from"]
    ]


def _body(view: Any, index: int, arrows: Sequence[DrawnArrow], pool: dict[tuple[str, str], Arrow]) -> dict[str, Any]:
    """Sliders, arrows, curves and words of a body."""
    model, origin = view.model, view.origin
    ghost = next(iter(ghost_parts(model, index, view.picture.stage.size)), None)
    places = editable_places(model, index, model_size(origin), dict(view.azimuths))
    return {
        "rows": [row_of(place, origin) for place in places],
        "title": f"Vectors of {model.bodies[index].name}, world axes",
        "arrows": _told(view, arrows, pool, False),
        "ellipsoid": None if ghost is None else _ellipsoid(view, index, ghost),
        "curves": _curves(view, index),
    }


def _ellipsoid(view: Any, index: int, ghost: Any) -> dict[str, Any]:
    """What an ellipsoid is, and what it becomes with another inertia."""
    size = view.picture.stage.size
    room = ghost_room(view.model, index, size)
    return {"at": ghost.at, "turn": ghost.turn, "scale": ghost.scale, "room": room, "thinnest": THINNEST * size}


def _names(model: Model, arrow: DrawnArrow, drawn: Arrow, several: bool) -> dict[str, Any]:
    group, label = drawn.objects
    owner = model.bodies[arrow.body or 0].name if several else ""
    return {
        "key": arrow.key,
        "column": table_column(arrow.key, arrow.label, arrow.colour, owner),
        "unit": arrow.measure,
        "colour": arrow.colour,
        "symbol": arrow.label,
        "group": f"IPY_MODEL_{group.model_id}",
        "label": f"IPY_MODEL_{label.model_id}",
    }


def _check(model: Model) -> dict[str, Any] | None:
    """The program of the kinetic energy by the exact metric, where that is derived: a second way to a number."""
    made = kinetic_program(model)
    return None if made is None else program_document_of(made)


def _curves(view: Any, index: int) -> dict[str, Any]:
    """Of each kind of curves, what the plot says of them; their numbers are the page's."""
    found = {}
    for kind, curves in CURVES.items():
        if curves.mode == "frequency":
            if view.model.constraints:  # the kinetic part of a reaction is not known there
                continue
            state = spectrum_state(view.motion, index, kind)
        else:
            try:
                state = view.plot.state_of(view.motion, index, kind)
            except MbwidgetsError:  # a body that has none of these
                continue
        shown = {name: value for name, value in state.items() if not isinstance(value, bytes)}
        found[kind] = {"state": shown, "page": page_curves(view.motion, index, kind)}
    return found
