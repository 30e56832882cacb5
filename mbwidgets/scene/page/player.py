"""The player: a motion is sent to the page once, as binary buffers; the page plays, scrubs and loops it alone.

A new motion replaces the buffers in place, while playing too. `driver.js` and what it imports know the insides
of pythreejs, and nothing else does.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anywidget
import numpy as np
import traitlets
from ipywidgets import widget_serialization

from ...numeric.base.rotations import continuous_quaternions
from .javascript import join_modules, read_stylesheet

__all__ = ["Player", "packed_poses"]


class Player(anywidget.AnyWidget):
    """Drives three.js objects through time, and shows the timeline.

    ``time`` and ``playing`` can be set and observed; while the page plays, ``time`` is told when it stops.
    """

    _esm = join_modules(Path(__file__).parent / "player.js")
    _css = "".join(read_stylesheet(Path(__file__).parent / name) for name in ("chrome.css", "player.css"))

    scene = traitlets.Any().tag(sync=True, **widget_serialization)
    level = traitlets.Any(None, allow_none=True).tag(sync=True, **widget_serialization)
    """The group with the picture's axes, right, away and up, in which the page puts ground and lights."""
    scenery = traitlets.Dict().tag(sync=True)
    """What is about the mechanism: the colours of sky and ground, lights with a direction, where the ground is."""
    follows = traitlets.Bool(False).tag(sync=True)
    """Whether the picture is dark where the page is; else it is as its theme says."""
    on_dark = traitlets.Bool(False).tag(sync=True)
    """Whether the page is dark; it tells so."""
    camera = traitlets.Any(None, allow_none=True).tag(sync=True, **widget_serialization)
    orbit = traitlets.Any(None, allow_none=True).tag(sync=True, **widget_serialization)
    """The controls of the camera, which know what it looks at."""
    renderer = traitlets.Any(None, allow_none=True).tag(sync=True, **widget_serialization)
    bodies: Any = traitlets.List().tag(sync=True, **widget_serialization)
    """Groups that take the poses."""
    grounds: Any = traitlets.List().tag(sync=True, **widget_serialization)
    """Groups that stand in the world: what carries the mechanism, then the ground's part of the joints on it."""
    arrows: Any = traitlets.List().tag(sync=True, **widget_serialization)
    """Arrow groups: shaft, head, second head."""
    spans: Any = traitlets.List().tag(sync=True, **widget_serialization)
    """Groups that are laid between two ends: what is at the first, what is stretched, what is at the second."""
    labels: Any = traitlets.List().tag(sync=True, **widget_serialization)
    quantities = traitlets.List(traitlets.Unicode()).tag(sync=True)
    """The quantity of each arrow."""
    symbols = traitlets.List(traitlets.Unicode()).tag(sync=True)
    """The symbol of each arrow."""
    units = traitlets.List(traitlets.Unicode()).tag(sync=True)
    """The unit in which the length of each arrow is read, or none."""
    colours = traitlets.List(traitlets.Unicode()).tag(sync=True)
    """The colour of each arrow."""
    acts_on: Any = traitlets.List().tag(sync=True)
    """Name and colour of the body that each arrow belongs to; empty where it belongs to none."""
    forces: Any = traitlets.List().tag(sync=True)
    """Of each body its name and the quantities of all forces on it, which add up to m a_C, where one is drawn."""
    described = traitlets.Unicode("a mechanism").tag(sync=True)
    """What is seen, in words, for who does not see it."""
    highlight = traitlets.Unicode().tag(sync=True)
    """The quantity that is pointed at, in the picture, the table or a formula; the page's own matter."""
    traces = traitlets.List(traitlets.Int()).tag(sync=True)
    """The arrows, by their places in the list, whose tips leave a trace: a hodograph about where they begin."""
    ghost = traitlets.Bool(False).tag(sync=True)
    """Whether the bodies are shown pale as they moved before the last change; the page remembers it."""
    aside: Any = traitlets.Dict().tag(sync=True)
    """``bodies`` that are drawn moved along an ``arrow``, a quantity: a pale ghost of them stands where they were."""
    forgotten = traitlets.Int(0).tag(sync=True)
    """Counts how often what was shown before is none of the motion that comes next."""
    strip = traitlets.Any(None, allow_none=True).tag(sync=True, **widget_serialization)
    """A `Strip`, whose curve stands above the slider; without one it is the size of the first force that is drawn."""
    lengths = traitlets.List(traitlets.Float()).tag(sync=True)
    """Metres on the stage for one unit of each arrow's quantity."""
    head = traitlets.Float(0.05).tag(sync=True)
    """Length of an arrow's head, m."""

    times = traitlets.Bytes().tag(sync=True)
    """(frames,) float32, s."""
    frames = traitlets.Int(0).tag(sync=True)
    """How many frames the motion has: an exported page keeps fewer, evenly, but all places of a path."""
    poses = traitlets.Bytes().tag(sync=True)
    """(frames, bodies, 7) float32: O*, quaternion x, y, z, w."""
    vectors = traitlets.Bytes().tag(sync=True)
    """(frames, arrows, 6) float32: beginning, value in its own unit."""
    span_ends = traitlets.Bytes().tag(sync=True)
    """(frames, spans, 6) float32, m: between which places springs, dampers and rods lie."""
    drift = traitlets.Bytes().tag(sync=True)
    """(frames, 3) float32, m: how far the camera goes along with a mechanism that runs away; empty if it stays."""
    errors = traitlets.Bytes().tag(sync=True)
    """(frames,) float32: the relative error of the energy balance, drawn beneath the slider; empty: not told."""
    version = traitlets.Int(0).tag(sync=True)
    """Counts motions; it comes with the buffers, in the same message."""

    shift = traitlets.Float(0.0).tag(sync=True)
    """Seconds of the motion before at which a new one begins: the page, which plays on, is as much earlier in it."""

    time = traitlets.Float(0.0).tag(sync=True)
    playing = traitlets.Bool(False).tag(sync=True)
    loop = traitlets.Bool(True).tag(sync=True)
    speed = traitlets.Float(1.0).tag(sync=True)

    def load(
        self,
        times: np.ndarray,
        poses: np.ndarray,
        vectors: np.ndarray | None = None,
        lengths: list[float] | None = None,
        drift: np.ndarray | None = None,
        span_ends: np.ndarray | None = None,
        shift: float = 0.0,
        errors: np.ndarray | None = None,
        **objects: Any,
    ) -> None:
        """Replace the motion, its arrows and, if given, the objects, in one message.

        ``shift``: at which time of the motion before it begins, where the page is to play on without a jump, s.
        """
        frames = len(times)
        vectors = np.zeros((frames, 0, 6)) if vectors is None else vectors
        with self.hold_sync():
            for name, value in objects.items():
                setattr(self, name, value)
            self.times, self.poses, self.vectors = _bytes(times), _bytes(poses), _bytes(vectors)
            self.frames = frames
            self.drift = b"" if drift is None else _bytes(drift)
            self.span_ends = b"" if span_ends is None else _bytes(span_ends)
            self.errors = b"" if errors is None else _bytes(errors)
            self.lengths = [] if lengths is None else [float(value) for value in lengths]
            self.shift = shift
            self.time = float(min(max(self.time, 0.0), times[-1]))
            self.version += 1

    def close(self) -> None:
        """Free it in the page, and the motion here too."""
        if self.strip is not None:
            self.strip.layout.close()
            self.strip.close()
        super().close()
        self.times = self.poses = self.vectors = self.drift = self.span_ends = self.errors = b""


def packed_poses(position: np.ndarray, quaternion: np.ndarray) -> np.ndarray:
    """Positions (frames, n, 3) and quaternions (frames, n, 4) as one (frames, n, 7), signs without jumps."""
    return np.concatenate([position, continuous_quaternions(quaternion)], axis=2)


def _bytes(values: np.ndarray) -> bytes:
    # beyond float32 there is no picture: the page sees infinity and keeps its last good frame
    with np.errstate(over="ignore"):
        return np.ascontiguousarray(values, dtype=np.float32).tobytes()
