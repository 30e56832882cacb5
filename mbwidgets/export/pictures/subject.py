"""What a picture is taken of: what a view shows, a motion, a model at its start."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ...errors import ModelError
from ...model.model import Model
from ...numeric.motion.motion import Motion
from ...numeric.simulation.simulate import simulate
from ...scene.quantities.motion_quantities import find_quantity
from ...scene.stage.composition import Composition, compose, with_camera_holding_arrows
from ...scene.stage.drawn_arrows import laid_aside, quantity_arrows

__all__ = ["composed"]


def composed(subject: Any, vectors: Sequence[str] | None, bodies: Sequence[str] | None) -> Composition:
    """What a view shows, or what a stage would show of a motion; arrows that were asked for, or the reason why not."""
    keys = [find_quantity(key).key for key in vectors or ()]
    shown = getattr(getattr(subject, "picture", None), "composition", None)
    if isinstance(shown, Composition) and vectors is None and bodies is None:
        return shown
    seen = shown if isinstance(shown, Composition) else compose(_motion(subject))
    names = bodies if bodies is not None else [getattr(subject, "selected", "") or seen.model.bodies[-1].name]
    indices = [seen.model.index(name) for name in names]
    made = quantity_arrows(seen.motion, keys, indices, seen.setting.radius)
    for error in made.missing.values():
        raise error
    arrows = laid_aside(made.arrows, seen.motion, seen.setting.feet_of(seen.model))
    return replace(seen, arrows=arrows, setting=with_camera_holding_arrows(seen.setting, arrows, seen.drift))


def _motion(subject: Any) -> Motion:
    if isinstance(subject, Motion):
        return subject
    if isinstance(subject, Model):
        return simulate(subject, duration=0.1, rate=10)
    motion = getattr(subject, "motion", None)
    if isinstance(motion, Motion):
        return motion
    raise ModelError(
        f"{type(subject).__name__} has no motion", where="picture", remedy="give a motion, a view or a model"
    )
