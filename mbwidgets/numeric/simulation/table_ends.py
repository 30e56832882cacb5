"""Tables that end while they move: after its last time a table stands still, and no mechanism stops at once."""

from __future__ import annotations

from typing import Final

import numpy as np

from ...errors import StateError
from ...expressions import TIME, Table
from ...model.constraints import Prescribed
from ...model.model import Model

__all__ = ["refuse_table_ends"]

STOPS: Final = 0.01
"""Part of a table's largest speed that it may lose at an end: the spline through a curve that comes to rest has some
1e-3 of it left there."""


def refuse_table_ends(model: Model, begin: float, end: float) -> None:
    """Refuse a motion from ``begin`` to ``end``, s, in which a prescribed table begins or ends with a jump of speed."""
    for number, item in enumerate(model.constraints):
        value = item.value if isinstance(item, Prescribed) else None
        if not isinstance(value, Table) or value.argument != TIME:
            continue
        speed = value.slope()
        inside = np.linspace(value.t[0], value.t[-1], 2 * len(value.t) + 1)[1:-1]
        largest = abs(speed.value_at(inside)).max()
        for at, side, word in ((value.t[0], np.inf, "begins"), (value.t[-1], -np.inf, "ends")):
            lost = float(speed.value_at(np.nextafter(at, side)))
            if begin < at < end and abs(lost) > STOPS * largest:
                raise StateError(
                    f"its table {word} at {at:g} s with the speed {lost:.4g}, and stands still beyond: none moves so",
                    where=f"constraint {number} (prescribed)",
                    remedy=f"simulate from {max(begin, value.t[0]):g} to {min(end, value.t[-1]):g} s, or give a table "
                    "for all of the motion",
                )
