"""The papers' figures, drawn with matplotlib from our own numbers.

mb.figures.tataru()[8]                # Tătaru's figure 8, the path of the mass centre
mb.figures.tataru().save("figures")   # figures 2 to 10 as PNG
mb.figures.pin_force()                # Do Sanh's hammer crusher: the force on its pin as a polar curve
mb.figures.geometry(model)            # a mechanism as a drawing, each coordinate with its name

>>> figures = mb.figures.tataru(duration=1)
>>> sorted(figures)[:3]
[2, 3, 4]
"""

from __future__ import annotations

import io
from base64 import b64encode
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..errors import ModelError
from ..files.whole import write_whole
from ..model.library.guided import body_on_circle, hammer_crusher
from ..model.model import Model
from ..numeric.motion.motion import Motion
from ..numeric.motion.release import release_of
from ..numeric.motion.traced_motion import present_of
from ..numeric.simulation.simulate import simulate
from ..scene.look.palette import BLUE, GREEN, GREY, VERMILLION
from .geometry import geometry

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Figures", "geometry", "main_direction", "pin_force", "pin_force_of", "tataru", "tataru_values"]

INK: Final = "#23272E"
FRAMES: Final = 100.0
"""Frames per second: a hundred points in the quickest swing."""
TIGHT: Final = 1e-13
"""Tolerance of the papers' own curves: what is drawn is exact to 1e-10, and takes no longer to be seen."""
CURVES: Final[dict[int, tuple[str, str, str, str]]] = {
    2: ("φ₁", "angle φ₁ of the body", "rad", BLUE),
    3: ("ω₁", "angular velocity ω₁", "rad/s", VERMILLION),
    4: ("x_O1", "abscissa of O₁", "m", GREEN),
    5: ("y_O1", "ordinate of O₁", "m", GREEN),
    6: ("x_C", "abscissa of the mass centre C", "m", BLUE),
    7: ("y_C", "ordinate of the mass centre C", "m", BLUE),
    9: ("v_x1", "velocity of O₁ along its axis x₁", "m/s", VERMILLION),
    10: ("v_y1", "velocity of O₁ along its axis y₁", "m/s", VERMILLION),
}
"""Figure: symbol, what is drawn over time, unit, colour. Figure 8 is the path of C."""


class Figures(Mapping[int, Any]):
    """Figures by their number in the paper; shown side by side, saved with `save`."""

    def __init__(self, figures: dict[int, Figure], name: str) -> None:
        self._figures = figures
        self.name = name

    def __getitem__(self, number: int) -> Figure:
        if number not in self._figures:
            known = ", ".join(map(str, self._figures))
            raise KeyError(f"no figure {number}; there are {known}")
        return self._figures[number]

    def __iter__(self) -> Iterator[int]:
        return iter(self._figures)

    def __len__(self) -> int:
        return len(self._figures)

    def save(self, folder: str | Path, dpi: int = 150) -> tuple[Path, ...]:
        """Write each figure as PNG; returns the paths."""
        place = Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        paths = []
        for number, figure in self._figures.items():
            paths.append(place / f"{self.name}-{number:02d}.png")
            write_whole(paths[-1], _png(figure, dpi))
        return tuple(paths)

    def _repr_html_(self) -> str:
        images = "".join(
            f"<img alt='figure {number}' style='width:32%;min-width:260px' "
            f"src='data:image/png;base64,{b64encode(_png(figure)).decode()}'>"
            for number, figure in self._figures.items()
        )
        return f"<div style='display:flex;flex-wrap:wrap;gap:6px'>{images}</div>"

    def __repr__(self) -> str:
        return f"<figures {', '.join(map(str, self._figures))} of {self.name}>"


def tataru_values(motion: Any, figures: Collection[int] = range(2, 11)) -> dict[int, np.ndarray]:
    """What Tătaru's figures 2 to 10 show, by figure: (frames,), and (frames, 2) for the path of C in 8.

    ``motion`` is that of one free body in the plane z = 0; φ₁ is followed over whole turns.
    """
    model = motion.model
    if len(model.bodies) != 1 or model.bodies[0].joint.type != "free":
        raise ModelError("Tătaru's figures are of one free body", where=f"model {model.name!r}", remedy="give that")
    centre = motion.point(0, model.bodies[0].com).position
    turn = motion.rotations[:, 0]
    speed = np.einsum("fji,fj->fi", turn, motion.u[:, :3])
    found = {} if 2 not in figures else {2: _followed_angle(motion)}
    return {
        **found,
        3: motion.u[:, 5],
        4: motion.q[:, 0],
        5: motion.q[:, 1],
        6: centre[:, 0],
        7: centre[:, 1],
        8: centre[:, :2],
        9: speed[:, 0],
        10: speed[:, 1],
    }


def _followed_angle(motion: Motion) -> np.ndarray:
    """φ₁ over whole turns."""
    half = np.unwrap(np.arctan2(motion.q[:, 5], motion.q[:, 6]), period=np.pi)
    return np.asarray(2 * half - 2 * np.pi * np.round((2 * half[0] - motion_start(motion)) / (2 * np.pi)))


def motion_start(motion: Motion) -> float:
    """φ₁ at the start, between −π and π."""
    return float(2 * np.arctan2(motion.q[0, 5], motion.q[0, 6]))


def tataru(model: Model | None = None, duration: float = 10.0, **values: float) -> Figures:
    """Tătaru's figures 2 to 10: the body on a circle for ten seconds.

    The paper gives neither mass nor inertia, and gravity along z, which moves nothing; here m = 1, a uniform rod and
    gravity along x (see ``mb.errata("tataru")``). ``values`` change the model's parameters: ``tataru(d=0.3)``.
    """
    model = body_on_circle() if model is None else model
    model = model.with_values(**values) if values else model
    motion = simulate(model, duration=duration, rate=FRAMES, rtol=TIGHT)
    found = tataru_values(motion)
    figures: dict[int, Figure] = {}
    for number in sorted([*CURVES, 8]):
        figure, axes = _sheet((4.8, 3.2) if number != 8 else (4.8, 4.6))
        if number == 8:
            _path(axes, found[8], model)
        else:
            symbol, words, unit, colour = CURVES[number]
            axes.plot(motion.t, found[number], color=colour, linewidth=1.5)
            axes.set_xlabel("time t, s")
            axes.set_ylabel(f"{_mathematics(symbol)}, {unit}")
            axes.set_title(f"Figure {number}: {words}", loc="left", fontsize=10.5)
            axes.set_xlim(0, duration)
        figures[number] = figure
    return Figures(figures, "tataru")


def _path(axes: Any, path: np.ndarray, model: Model) -> None:
    """Figure 8, with the circle of O₁."""
    angle = np.linspace(0, 2 * np.pi, 200)
    radius = max((model.number(item.radius) for item in model.constraints if item.type == "on_circle"), default=0.0)
    axes.plot(
        radius * np.cos(angle), radius * np.sin(angle), color=GREY, linewidth=1, linestyle="--", label="circle of O₁"
    )
    axes.plot(path[:, 0], path[:, 1], color=BLUE, linewidth=1.1, label="path of C")
    axes.plot(
        *path[0], "o", color=VERMILLION, markersize=6, label=f"start ({_short(path[0, 0])}, {_short(path[0, 1])})"
    )
    axes.set_aspect("equal")
    axes.set_xlabel("$x_C$, m")
    axes.set_ylabel("$y_C$, m")
    axes.set_title("Figure 8: path of the mass centre C", loc="left", fontsize=10.5)
    axes.legend(loc="upper left", fontsize=8, frameon=True, framealpha=0.9)


def pin_force_of(motion: Any, joint: str | int, axes: str = "world") -> np.ndarray:
    """Force of the parent on a joint across its axis (frames, 2), N: by release of the joint (Do Sanh (3.26)).

    ``axes``: components in ``"world"`` axes, or in those of the ``"parent"`` or of the ``"body"``. The plane is that of
    x and y for an axis z, else the two directions across the axis that follow it: y, z for x and z, x for y.
    """
    model, k = motion.model, motion.model.index(joint)
    columns = model.bodies[k].joint.columns()
    turning = [column for column in columns if column.kind == "rotation"]
    if len(turning) != 1:
        raise ModelError(
            "a polar curve needs one axis of rotation",
            where=f"joint {model.bodies[k].name!r}",
            remedy="choose a revolute joint",
        )
    force = release_of(motion, k).total[:, :3]
    seen = {"world": -1, "parent": model.parents[k], "body": k}
    if axes not in seen:
        raise ModelError(f"no axes {axes!r}", remedy='use "world", "parent" or "body"')
    if (body := seen[axes]) >= 0:
        force = np.einsum("fji,fj->fi", motion.rotations[:, body], force)
    main = main_direction(motion, k)
    return np.asarray(force[:, [(main + 1) % 3, (main + 2) % 3]])


def main_direction(motion: Any, index: int) -> int:
    """The one of x, y, z that the first axis of rotation of a joint is nearest to; a traced motion's stays as it is."""
    model = present_of(motion).model
    turning = [column for column in model.bodies[index].joint.columns() if column.kind == "rotation"]
    return int(np.argmax([abs(model.number(part)) for part in turning[0].axis]))


def pin_force(
    model: Model | None = None,
    joint: str | int = -1,
    duration: float = 2.0,
    axes: str = "world",
    motion: Motion | None = None,
    **values: float,
) -> Figure:
    """The force on a pin as a polar curve, by release of the joint; the hammer crusher's pin unless told.

    ``values`` change the model's parameters: ``pin_force(M=20)``. ``axes`` as in `pin_force_of`: in those of the parent
    the curve shows which side of the hole is worn.
    """
    if motion is None:
        model = hammer_crusher() if model is None else model
        model = model.with_values(**values) if values else model
        motion = simulate(model, duration=duration, rate=4 * FRAMES)
    model = motion.model
    name = model.bodies[joint if isinstance(joint, int) else model.index(joint)].name
    force = pin_force_of(motion, name, axes)
    from matplotlib import colormaps
    from matplotlib.collections import LineCollection
    from matplotlib.colors import ListedColormap
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5.4, 5.2), layout="constrained")
    polar: Any = figure.add_subplot(projection="polar")
    size, angle = np.linalg.norm(force, axis=1), np.unwrap(np.arctan2(force[:, 1], force[:, 0]))
    points = np.stack([angle, size], axis=1)
    dark = ListedColormap(colormaps["viridis"](np.linspace(0, 0.85, 200)))  # its yellow end is lost on white
    pieces = list(np.stack([points[:-1], points[1:]], axis=1))
    lines = LineCollection(pieces, array=motion.t[:-1], cmap=dark, linewidth=1.8)
    polar.add_collection(lines)
    largest = int(size.argmax())
    polar.plot(angle[largest], size[largest], "o", color=VERMILLION, markersize=7)
    polar.annotate(
        f"{size[largest]:.0f} N at {motion.t[largest]:.2f} s",
        (angle[largest], size[largest]),
        textcoords="offset points",
        xytext=(0, 12),
        ha="center",
        fontsize=9,
        color=VERMILLION,
        bbox={"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none", "alpha": 0.85},
    )
    polar.set_ylim(0, 1.15 * size.max())
    # the paper's x points down; world axes are drawn so
    polar.set_theta_zero_location("S" if model.number(model.gravity[0]) > 0 and axes == "world" else "E")
    polar.set_title(
        f"Force on the pin of {name!r}, N, {axes} axes\nby release of the joint, Do Sanh (3.26)", fontsize=10.5
    )
    polar.tick_params(labelsize=8, colors=INK)
    polar.grid(color="#D4D9DF", linewidth=0.7)
    bar = figure.colorbar(lines, ax=polar, shrink=0.62, pad=0.1)
    bar.set_label("time t, s", fontsize=9)
    bar.ax.tick_params(labelsize=8)
    return figure


def _sheet(size: tuple[float, float]) -> tuple[Figure, Any]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, layout="constrained")
    axes: Any = figure.add_subplot()
    axes.grid(color="#E3E7EB", linewidth=0.8)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color("#9AA3AD")
    axes.tick_params(colors=INK, labelsize=8.5)
    return figure, axes


def _mathematics(symbol: str) -> str:
    letter, _, below = symbol.partition("_")
    return f"${letter}_{{{below}}}$" if below else symbol


def _short(value: float) -> str:
    return f"{round(float(value), 3) + 0.0:g}"


def _png(figure: Figure, dpi: int = 110) -> bytes:
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=dpi, metadata={"Software": None})
    return buffer.getvalue()
