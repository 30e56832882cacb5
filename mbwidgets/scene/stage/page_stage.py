"""The stage as data for a page that fits it itself: how the camera holds a motion, and where a floor lies below it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..look.arrow_shape import HEAD, LABEL
from ..look.palette import THEMES
from .floor import GAP
from .framing import FAR, LEAST, LEFT, ORIGIN, ROOM
from .setting import FADE, FINEST, GRAVITY
from .stage import Stage, behind
from .viewpoint import ASIDE_OF_WORDS, CLOSE, FIELD, VIEWS, direction_of

__all__ = ["page_stage", "page_themes"]


def page_stage(stage: Stage) -> dict[str, Any]:
    """Camera and controls by their ids, and the rules of `framing`, `viewpoint` and `setting` as numbers."""
    return {
        "camera": stage.camera.model_id,
        "orbit": stage.orbit.model_id,
        "size": stage.setting.size,
        "upright": stage.setting.upright.tolist(),
        "views": [direction_of(stage.setting, view).tolist() for view in VIEWS],
        "slope": float(np.tan(np.radians(FIELD / 2))),
        "close": CLOSE,
        "aside": ASIDE_OF_WORDS,
        "gone": FAR,
        "left": LEFT,
        "room": ROOM,
        "least": LEAST,
        "origin": ORIGIN,
        "gap": GAP,
        "head": HEAD,
        "label": LABEL * HEAD,
        "finest": FINEST,
        "fade": FADE,
        "gravity": GRAVITY,
    }


def page_themes() -> dict[str, Any]:
    """What lies behind the mechanism in every theme."""
    return {name: behind(theme) for name, theme in THEMES.items()}
