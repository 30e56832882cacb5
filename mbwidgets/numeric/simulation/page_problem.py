"""A motion as data for a page: all that it needs to solve it by itself, for any values of its numbers.

The document holds the recipe of the model with its letters, how long to solve, and how its numbers move.
The page runs the same kernels on it, and its frames have the bits of `simulate`.
"""

from __future__ import annotations

import base64
from typing import Any, Final

import numpy as np

from ...errors import ModelError
from ...model.fields import has_table, iterate_scalars
from ...model.model import Model
from ...model.point_places import holds_points
from ..engines.product import read_product
from ..kernels import memory_layout as layout
from ..packing.pack import Packed, lettered_recipe
from ..steps import error_scale
from .page_moves import moves_of

__all__ = ["FORMAT", "lettered_pack", "page_problem"]

FORMAT: Final = 1
"""Version of the document; a page refuses others."""


def page_problem(model: Model, duration: float, frames: int, rtol: float = 1e-10) -> dict[str, Any]:
    """The document of a model's motion from its own start, for JSON.

    ``names`` are the parameters, then the keys of plain numbers (`model.number_keys`); ``values`` are theirs.
    ``moves`` tells how they move together and what is refused, see `page_moves`.
    """
    if any(map(has_table, iterate_scalars((model.forces, model.constraints)))):
        raise ModelError("a table over time stays with Python", where="page", remedy="write it as an expression of t")
    if any(map(holds_points, iterate_scalars((model.forces, model.constraints)))):
        # a slider may move a joint of plain numbers: the expression of a point would not follow
        raise ModelError(
            "a force of a point's place, x[…], stays with Python", where="page", remedy="write it in coordinates, q[0]"
        )
    made, letters = lettered_recipe(model)
    values = {**model.values, **letters}
    recipe, packed = made.recipe, made.pack(values)
    start, array = made.coordinates + made.velocities, packed.model
    sizes = error_scale.sizes_of(model, float(array[layout.LENGTH]))
    table = layout.constraint_table(packed.tables)
    moves, rules = moves_of(model, recipe.names)
    return {
        "format": FORMAT,
        "kernels": read_product()[1].digest,
        "names": list(recipe.names),
        "values": [float(values[name]) for name in recipe.names],
        "nq": model.nq,
        "nv": model.nv,
        "bodies": len(model.bodies),
        "equations": int(array[layout.EQUATIONS]),
        "rows": int(array[layout.ROWS]),
        "curves": bool((table[:, layout.C_KIND] >= layout.CURVE).any()),
        "start": start,
        "duration": duration,
        "frames": frames,
        "rtol": rtol,
        "template": _text(recipe.template),
        "steps": _text(recipe.steps),
        "machine": _text(recipe.machine),
        "moves": moves,
        "rules": _text(rules),
        "groups": _text(sizes[error_scale.GROUP, : start + 1]),
    }


def lettered_pack(model: Model) -> Packed:
    """A model as a page packs it: with an effort for each free direction."""
    made, letters = lettered_recipe(model)
    return made.pack({**model.values, **letters})


def _text(numbers: np.ndarray) -> str:
    return base64.b64encode(np.ascontiguousarray(numbers, dtype="<f8").tobytes()).decode("ascii")
