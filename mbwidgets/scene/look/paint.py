"""Colours of what bodies, joints and the ground are made of."""

from __future__ import annotations

from typing import Final

import numpy as np

from .palette import Theme, body_colour
from .shell import Role, Shell

__all__ = ["GROUND", "role_tints", "shell_tints"]

GROUND: Final = "#838B94"
PINS: Final = "#3A434E"
STEEL: Final = "#C5CCD4"
BRIGHT, DARK = "#FFFFFF", "#16191D"
"""The marks of a mass centre."""
POCKET, MARK = 0.86, 0.8
"""Brightness of a pocket's floor, and of the marks on what spins, over that of the body."""
EDGE: Final = 0.55
"""Brightness of the lines along which rims begin, over that of what they are on: what is machined has edges."""
HATCH: Final = 0.45
"""Share of white in the hatching of a foot."""


def role_tints(index: int, theme: Theme) -> np.ndarray:
    """The colours (roles, 3), 0 … 1, of a body's parts; of the ground's for an index below zero."""
    own = _rgb(body_colour(index)) if index >= 0 else _rgb(GROUND)
    ground = _rgb(GROUND)
    tints = {
        Role.BODY: own,
        Role.POCKET: POCKET * own,
        Role.MARK: MARK * own,
        Role.PIN: _rgb(PINS),
        Role.STEEL: _rgb(STEEL),
        Role.GROUND: ground,
        Role.HATCH: ground + HATCH * (1 - ground),
        Role.AXIS: _rgb(theme.joints),
        Role.BRIGHT: _rgb(BRIGHT),
        Role.DARK: _rgb(DARK),
        Role.EDGE: EDGE * own,
        Role.RIDGE: EDGE * ground,
        Role.MOTION: _rgb(theme.motion),
    }
    return np.array([tints[role] for role in Role])


def shell_tints(shell: Shell, index: int, theme: Theme) -> np.ndarray:
    """The colour (points, 3) of every point of a body's shell."""
    return np.asarray(role_tints(index, theme)[shell.roles])


def _rgb(colour: str) -> np.ndarray:
    return np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)]) / 255
