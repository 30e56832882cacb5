"""The state that a mechanism starts in, and how long its motion is worth watching."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .fields import Record, any_numbers_kind, declare_field, number_kind, optional_kind

__all__ = ["State"]


@dataclass(frozen=True)
class State(Record):
    """The initial state; what is left out is the zero pose at rest.

    ``duration``, s, is that of the motion which starts here, where nobody asks for another: a light and fast mechanism
    is worth milliseconds, a slow one minutes.

    >>> mb.library.pendulum(1).replace(state=mb.State(q=[0.5])).q0.tolist()
    [0.5]
    >>> float(mb.simulate(mb.library.andrews_squeezer()).t[-1])
    0.03
    """

    q: Any = declare_field(optional_kind(any_numbers_kind()), None)
    u: Any = declare_field(optional_kind(any_numbers_kind()), None)
    duration: Any = declare_field(optional_kind(number_kind()), None)
