"""The Staude cone as a map of the sphere: every axis of the first body that may be vertical, coloured by its speed.

The centre is the axis through the barycentre (the body hangs), the rim its opposite (the body stands); the distance
from the centre grows with the tilt, equal areas of the sphere being equal areas of the map (Lambert). The handle is
dragged in the page and snaps to the cone there; the kernel is told the newest place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import anywidget
import numpy as np
import traitlets

from ...numeric.base.rotations import farthest_axis, unit_vector
from ...numeric.permanent.cone_curves import ConeCurve
from ...numeric.permanent.staude import StaudeCone
from ...scene.look.cone_shape import SpeedScale
from ...scene.page.javascript import join_modules, read_stylesheet

__all__ = ["ConeMap", "map_basis"]


def map_basis(cone: StaudeCone) -> np.ndarray:
    """Columns: right and up on the map, and its centre a/|a| (z where a = 0), in body axes."""
    length = float(np.linalg.norm(cone.static))
    centre = cone.static / length if length > 0.0 else np.array([0.0, 0.0, 1.0])
    right = unit_vector(np.cross(farthest_axis(centre), centre))
    return np.column_stack([right, np.cross(centre, right), centre])


class ConeMap(anywidget.AnyWidget):
    """The map. ``moved(axis)`` is called with the axis (3,), body axes, that the handle was dragged to."""

    _esm = join_modules(Path(__file__).parent / "conemap.js")
    _css = read_stylesheet(Path(__file__).parent / "conemap.css")

    basis: Any = traitlets.List().tag(sync=True)
    """Right, up and centre of the map, rows, body axes."""
    curves: Any = traitlets.List().tag(sync=True)
    """Each with points [right, up, centre], speeds (null: any), colours and whether small motions grow."""
    principal: Any = traitlets.List().tag(sync=True)
    """Principal axes in the same components."""
    ramp: Any = traitlets.List().tag(sync=True)
    """Colours of the scale, slow to fast."""
    ticks: Any = traitlets.List().tag(sync=True)
    """[share of the scale, speed] of its marks."""
    handle: Any = traitlets.Dict({"spot": [0.0, 0.0, 1.0], "speed": 0.0}).tag(sync=True)
    """Where the handle is, and the speed there. They are told as one: a page that has found the same number itself sees
    by the new record that it was told, and does not go back to the one before."""
    snap = traitlets.Bool(True).tag(sync=True)
    still = traitlets.Bool(False).tag(sync=True)
    """Whether nobody answers: a page without a kernel says so."""
    title = traitlets.Unicode().tag(sync=True)
    note = traitlets.Unicode().tag(sync=True)
    edit: Any = traitlets.Dict().tag(sync=True)
    """The newest place of the handle in the page: axis, number."""

    def __init__(self, moved: Callable[[np.ndarray], None], **options: Any) -> None:
        super().__init__(**options)
        self._moved = moved
        self._basis = np.eye(3)
        self.observe(self._on_edit, "edit")

    def show(self, cone: StaudeCone, curves: Sequence[ConeCurve], scale: SpeedScale, note: str = "") -> None:
        """Show the cone of a body, with a remark."""
        self._basis = basis = map_basis(cone)
        shares = np.linspace(0.0, 1.0, 24)
        speeds = scale.low * (scale.high / scale.low) ** shares
        with self.hold_sync():
            self.basis = basis.T.tolist()
            self.principal = (cone.principal.T @ basis).tolist()
            self.ramp = scale.hexes(speeds)
            self.ticks = [[float(scale.share(tick)), tick] for tick in scale.ticks]
            self.title = f"Staude cone of {cone.name}, with what it carries"
            self.note = note or cone.degenerate
            self.curves = [
                {
                    "points": np.round(curve.axes @ basis, 6).tolist(),
                    "speeds": [None if np.isnan(value) else round(float(value), 4) for value in curve.speeds],
                    "colours": scale.hexes(curve.speeds),
                    "grows": [bool(value > 0.0) for value in curve.growth],
                }
                for curve in curves
            ]

    def blank(self, why: str) -> None:
        """No cone, and why."""
        with self.hold_sync():
            self.curves, self.principal, self.ticks, self.ramp = [], [], [], []
            self.title, self.note = "", why

    def seen(self, axis: np.ndarray) -> list[float]:
        """An axis, body axes, in the components of the map."""
        return [float(x) for x in axis @ self._basis]

    def point(self, axis: np.ndarray, speed: float) -> None:
        """Put the handle on an axis, body axes."""
        self.handle = {"spot": self.seen(axis), "speed": float(speed)}

    def _on_edit(self, change: Any) -> None:
        wanted = change.new.get("axis")
        try:
            axis = np.array(wanted, dtype=float)
        except (TypeError, ValueError):
            return
        if axis.shape == (3,) and np.isfinite(axis).all() and np.linalg.norm(axis) > 1e-6:
            before = self.handle
            self._moved(self._basis @ axis)
            if self.handle == before:  # refused, or where it was: the handle in the page goes back
                self.send_state("handle")
