"""What takes a moment to compute about a rotation: growth rates, the cone's curves, the branch diagram.

The cone and the branches belong to the bodies, not to the rotation: they are computed once for each chain.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from ...model.model import Model
from ...numeric.motion.motion import Motion
from ...numeric.permanent.ball_chain import Chain
from ...numeric.permanent.branch_diagram import branch_diagram
from ...numeric.permanent.cone_curves import ConeCurve, cone_curves, natural_speed
from ...numeric.permanent.growth_rates import Growth
from ...numeric.permanent.permanent import Permanent
from ...numeric.permanent.rotation_states import axis_errors, cone_of, with_first_body_axis_down, with_rotation
from ...numeric.permanent.staude import StaudeCone
from ...scene.look.cone_shape import SpeedScale
from ...scene.look.palette import GREY, SERIES
from ..base.lifetime import result_or_error, unwrap_result
from ..edit.speeds import all_turn_at_one_speed
from ..parts.diagram import Series

__all__ = ["Studied", "Study"]

QUIET: Final = 1e-6
"""Degrees that are only rounding."""
CHAIN_FASTEST: Final = 12.0
"""Branches of a chain are followed up to here, rad/s."""


@dataclass(frozen=True)
class Studied:
    """Growth rates of a rotation, the cone with its curves and colours, and the arguments of `Diagram.show`.

    Each of them, or the error that it ended with: see `unwrap_result`.
    """

    growth: Growth | Exception
    cone: tuple[StaudeCone, tuple[ConeCurve, ...], SpeedScale] | Exception
    diagram: tuple[Any, ...] | Exception | None


class Study:
    """Remembers the cone and the branches of the last chain. `of` may run in a thread of its own."""

    def __init__(self) -> None:
        self._cone: tuple[Any, tuple[ConeCurve, ...]] = (None, ())
        self._chain: tuple[Any, Any] = (None, None)
        self._points: dict[int, Any] = {}

    def of(self, now: Permanent, model: Model, branches: bool) -> Studied:
        """All of it; the diagram only where it is wanted."""
        cone = result_or_error(lambda: self._cone_with_curves(now))
        diagram = result_or_error(lambda: self._diagram(now, model, *unwrap_result(cone)[:2])) if branches else None
        return Studied(result_or_error(lambda: now.small_motions), cone, diagram)

    def _cone_with_curves(self, now: Permanent) -> tuple[StaudeCone, tuple[ConeCurve, ...], SpeedScale]:
        cone = cone_of(now.chain)
        return cone, self._curves(cone), SpeedScale.of(natural_speed(cone))

    def chosen(self, model: Model, key: int, index: int) -> Model:
        """The model in the rotation of a point of the diagram."""
        found = self._points[key]
        if isinstance(found, ConeCurve):
            speed = float(found.speeds[index])
            return with_first_body_axis_down(model, found.axes[index], None if np.isnan(speed) else speed)
        return with_rotation(model, found.turns[index], np.full(len(found.chain), found.omega[index]))

    def _curves(self, cone: StaudeCone) -> tuple[ConeCurve, ...]:
        key = (cone.inertia.tobytes(), cone.static.tobytes(), cone.weight)
        if self._cone[0] != key:
            self._cone = (key, cone_curves(cone))
        return self._cone[1]

    def _diagram(
        self, now: Permanent, model: Model, cone: StaudeCone, curves: tuple[ConeCurve, ...]
    ) -> tuple[Any, ...]:
        if all_turn_at_one_speed(now):
            return self._equilibria(now.chain, model)
        series, self._points = [], {}
        centre = cone.static / max(float(np.linalg.norm(cone.static)), 1e-300)
        for key, curve in enumerate(curves):
            if np.isnan(curve.speeds).any():  # permanent at any speed: no curve over the speed
                continue
            angle = np.degrees(np.arccos(np.clip(curve.axes @ centre, -1.0, 1.0)))
            series.append(Series(curve.speeds, angle, curve.growth, 0, key))
            self._points[key] = curve
        title = f"Tilt of {now.chain.names[0]}'s barycentre along its cone"
        return title, series, now.chain.names, ()

    def _equilibria(self, chain: Chain, model: Model) -> tuple[Any, ...]:
        key = tuple(part.tobytes() for part in (chain.mass, chain.com, chain.arm, chain.central, chain.gravity))
        if self._chain[0] != key:
            self._chain = (key, branch_diagram(model, 0.0, CHAIN_FASTEST))
        found = self._chain[1]
        series, self._points = [], {}
        for number, branch in enumerate(found):
            self._points[number] = branch
            angles = np.degrees(branch.tilt)
            series += [Series(branch.omega, angles[:, i], branch.growth, i, number) for i in range(len(chain))]
        return "Tilts of the barycentres, all bodies at one speed", series, chain.names, found.critical


def deviation_curves(
    now: Permanent, motion: Motion, angle: float, growth: float
) -> tuple[list[str], np.ndarray, list[str]]:
    """How far each body is from the rotation, degrees, with what the linear theory expects until it must fail."""
    names, colours = list(now.chain.names), list(SERIES[: len(now.chain)])
    away = np.degrees(axis_errors(now, motion))
    away[away < QUIET] = 0.0
    if growth > 0.0 and angle:
        expected = angle * np.exp(np.minimum(growth * motion.t, 30.0))
        expected[expected > 90.0] = np.nan
        return [*names, f"{angle:g}° e^(λt)"], np.column_stack([away, expected]), [*colours, GREY]
    return names, away, colours


def residual_curves(now: Permanent, motion: Motion) -> tuple[list[str], np.ndarray, np.ndarray]:
    """The rows of (2.4) over the times of a motion, N m; what is zero within the tolerance is drawn as zero."""
    left = now.residual(motion.t)
    left[np.abs(left) <= now.tolerance * now.scale] = 0.0
    labels = [f"{name}, k = {k + 1}" for name in now.chain.names for k in range(3)]
    return labels, motion.t, left.reshape(len(motion), -1)
