"""Ready mechanisms: each call gives a new `Model` with sliders, shapes and an initial state that moves.

``mb.library.names()`` lists them. All are conservative, so that the energy of a motion stays what it was.
"""

from __future__ import annotations

from .arms import opnchain_manipulator, scara, six_axis_arm, three_body_arm
from .carousels import carousel
from .figures import walking_figure
from .pendulums import cart_pendulum, pendulum, spherical_chain
from .spinning import gyroscope, rotor, spinning_top

__all__ = [
    "carousel",
    "cart_pendulum",
    "gyroscope",
    "names",
    "opnchain_manipulator",
    "pendulum",
    "rotor",
    "scara",
    "six_axis_arm",
    "spherical_chain",
    "spinning_top",
    "three_body_arm",
    "walking_figure",
]


def names() -> tuple[str, ...]:
    """The names of all mechanisms; ``getattr(mb.library, name)()`` makes one."""
    return tuple(name for name in __all__ if name != "names")
