"""Ready mechanisms: each call gives a new `Model` with sliders, shapes and an initial state that moves.

``mb.library.names()`` lists them. All are conservative, so that the energy of a motion stays what it was, but for the
driven `andrews_squeezer` and `hammer_crusher` and the damped `flyball_governor`.

>>> mb.library.names()[:3]
('andrews_squeezer', 'body_on_circle', 'bricard')
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..guesses import answer_module
from .arms import opnchain_manipulator, scara, six_axis_arm, three_body_arm
from .carousels import carousel
from .coordinates import absolute_angles
from .figures import walking_figure
from .guided import body_on_circle, bricard, flyball_governor, hammer_crusher
from .linkages import andrews_squeezer, four_bar, n_four_bar, slider_crank
from .pendulums import cart_pendulum, pendulum, spherical_chain
from .spinning import gyroscope, rotor, spinning_top

__all__ = [
    "absolute_angles",
    "andrews_squeezer",
    "body_on_circle",
    "bricard",
    "carousel",
    "cart_pendulum",
    "flyball_governor",
    "four_bar",
    "gyroscope",
    "hammer_crusher",
    "n_four_bar",
    "names",
    "opnchain_manipulator",
    "pendulum",
    "rotor",
    "scara",
    "six_axis_arm",
    "slider_crank",
    "spherical_chain",
    "spinning_top",
    "three_body_arm",
    "walking_figure",
]


def names() -> tuple[str, ...]:
    """The names of all mechanisms; ``getattr(mb.library, name)()`` makes one."""
    return tuple(name for name in __all__ if name not in ("names", "absolute_angles"))


if not TYPE_CHECKING:  # types know the mechanisms that there are

    def __getattr__(name):
        raise answer_module(__name__, "library", name, names())
