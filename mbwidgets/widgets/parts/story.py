"""Stories: numbered steps of a view, each a sentence with what is shown with it; the page goes through them alone."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anywidget
import traitlets
from ipywidgets import widget_serialization

from ...errors import ModelError
from ...scene.page.javascript import join_modules, read_stylesheet

__all__ = ["Step", "Story", "whole_steps"]


@dataclass(frozen=True)
class Step:
    """A step of a story: what is said, and what is shown with it. What is not given is as in the step before.

    Attributes
    ----------
    text : a sentence; ``*…*`` stands out, ``[F_R]`` is a symbol
    time : of the motion, s
    values : of sliders, by the names of parameters, or by the keys of other sliders, in their units
    camera : where it stands and what it looks at, six numbers in the picture's axes, m; `View.camera` tells them
    vectors : keys of the vectors that are drawn
    playing : whether the motion plays

    >>> mb.Step("The *heavier* forearm pulls harder.", time=1.2, values={"m3": 6}).values
    {'m3': 6}
    """

    text: str
    time: float | None = None
    values: Mapping[str, float] = field(default_factory=dict)
    camera: Sequence[float] | None = None
    vectors: tuple[str, ...] | None = None
    playing: bool = False

    def __post_init__(self) -> None:
        numbers = [*self.values.values(), *(self.camera or ()), *(() if self.time is None else (self.time,))]
        if not all(isinstance(value, int | float) and math.isfinite(value) for value in numbers):
            raise ModelError(
                "a number that is not finite", where=f"step {self.text[:40]!r}", remedy="give finite numbers"
            )
        if self.camera is not None and len(self.camera) != 6:
            raise ModelError(
                f"{len(self.camera)} numbers for the camera",
                where=f"step {self.text[:40]!r}",
                remedy="give six, its place and what it looks at: view.camera",
            )


def whole_steps(steps: Sequence[Step], given: Mapping[str, float]) -> list[dict[str, Any]]:
    """Steps for JSON, each with all that the ones before have set, so that *back* shows what was there.

    ``given`` are the values of parameters before the first step, by their names.
    """
    moved = {name for step in steps for name in step.values}
    values = {name: value for name, value in given.items() if name in moved}
    time, camera, vectors, found = None, None, None, list[dict[str, Any]]()
    for step in steps:
        values = {**values, **step.values}
        time = step.time if step.time is not None else time
        camera = step.camera if step.camera is not None else camera
        vectors = step.vectors if step.vectors is not None else vectors
        keyed = {f"parameter {name}" if name in given else name: float(value) for name, value in values.items()}
        found.append(
            {
                "text": step.text,
                "time": time,
                "values": keyed,
                "camera": None if camera is None else [float(value) for value in camera],
                "vectors": None if vectors is None else list(vectors),
                "playing": step.playing,
            }
        )
    return found


class Story(anywidget.AnyWidget):
    """The sentence of a step with *back* and *next*; ``step`` counts from 0, −1 before the first."""

    _esm = join_modules(Path(__file__).parent / "story.js")
    _css = read_stylesheet(Path(__file__).parent / "story.css")

    player = traitlets.Any().tag(sync=True, **widget_serialization)
    controls = traitlets.Any(None, allow_none=True).tag(sync=True, **widget_serialization)
    """The sliders that the steps move."""
    table = traitlets.Any(None, allow_none=True).tag(sync=True, **widget_serialization)
    """The table whose ticks choose the vectors."""
    title = traitlets.Unicode().tag(sync=True)
    steps: Any = traitlets.List().tag(sync=True)
    step = traitlets.Int(-1).tag(sync=True)
