"""The view of constrained motion: guides, forces of constraints, L_λ and L_τ, drift, the paper's figures (Tătaru)."""

from __future__ import annotations

from typing import Any, Final

import ipywidgets
import numpy as np
import traitlets

from ..errors import MbwidgetsError, ModelError
from ..expressions import Symbol
from ..model.library.guided import body_on_circle
from ..model.model import Model
from ..numeric.outcome import Result
from ..scene.palette import BLUE
from ..scene.shapes import body_balls, equivalent_ellipsoid, model_size
from .base import safe
from .constrained_parts import (
    DRIFTS,
    LARGEST,
    angles_of,
    arrows_of,
    badge,
    drifts_of,
    figures_of,
    formulae_of,
    guides_of,
    matrices_of,
    routes_of,
    rows_of,
    studied,
)
from .ledger import Ledger
from .matrices import Matrices
from .places import Place
from .plots import Plot
from .polar import Polar
from .vector_view import VectorView, beside, choice, curves

__all__ = ["ConstrainedView"]

STEPS: Final = (("2 ms", 2e-3), ("5 ms", 5e-3), ("10 ms", 1e-2))


class ConstrainedView(VectorView):
    """A motion under constraints: what they forbid, what they leave, what they carry, and how well they hold.

    Parameters
    ----------
    model : a mechanism with constraints; the paper's body on a circle unless given
    options : those of `View`

    Besides the traits of `View`, ``form`` (``"u"`` or ``"paper"``: what L_λ acts on), ``gravity`` (degrees: the
    direction of g in the plane of x and y) and ``stabilise`` (how drift is held down, as in `simulate`) can be set and
    observed.
    """

    form = traitlets.Enum(["u", "paper"], "u")
    gravity = traitlets.Float(0.0)
    stabilise = traitlets.Enum(list(DRIFTS), "projection")
    opened = ("Parameters", "Gravity's dial")
    live = ("dial", "d")

    def __init__(self, model: Model | None = None, **options: Any) -> None:
        model = body_on_circle() if model is None else model
        if not model.constraints:
            raise ModelError(
                "the model has no constraints", where=f"model {model.name!r}", remedy="give it some: constraints=[…]"
            )
        self._one = len(model.bodies) == 1 and model.bodies[0].joint.type == "free"
        usual = {
            "width": 530,
            "height": 470,
            "gravity": _angle(model),
            "form": "paper" if self._one else "u",
            "view": "top" if self._one else "iso",
        }
        super().__init__(model, **{**usual, **options})

    def arrange(self) -> list[Any]:
        """Toolbar; stage, sliders and multipliers; matrices, formulae, drift and figures in tabs."""
        super().arrange()
        player = self.picture.player
        self._looked = False
        self._drifts: Any = None
        self._exact: Any = None
        self.table, self.matrices = Ledger(player=player), Matrices(player=player)
        self.drift, self.energy = Plot(player=player), Plot(player=player)
        self.rank, self.formulae, self.product = ipywidgets.HTML(), ipywidgets.HTMLMath(), ipywidgets.HTML()
        self.figures = {n: Polar(player=player) if n == 8 else Plot(player=player) for n in range(2, 11)}
        self.controls.layout.max_height = "180px"
        forms = [("velocities u", "u"), ("(v of O₁, ω), body axes", "paper")]
        first = "paper" if self._one else "u"
        self._form = choice("L acts on", forms if self._one else forms[:1], first, "260px", "60px")
        self._step = choice("Runge-Kutta 4, step", STEPS, 2e-3, "240px", "130px")
        held = [(name, name) for name in DRIFTS]
        self._held = choice("the motion above is held by", held, "projection", "370px", "220px")
        steps = ipywidgets.HBox([self._step, self._held], layout={"flex_flow": "row wrap", "grid_gap": "2px 18px"})
        pages = {
            "Matrices": [self._form, self.matrices, self.product],
            "Formulae": [self.formulae],
            "Drift": [steps, self.drift, self.energy],
        }
        if self._one:
            pages["Figures 2-10"] = [self._grid()]
        self.tabs = ipywidgets.Tab([ipywidgets.VBox(page) for page in pages.values()], titles=tuple(pages))
        return [self.toolbar, beside(self.scene, self.controls, self.rank, self.table), self.tabs]

    def _grid(self) -> Any:
        layout = {"grid_template_columns": "repeat(auto-fit, minmax(330px, 1fr))", "grid_gap": "6px 14px"}
        grid = ipywidgets.GridBox(list(self.figures.values()), layout=layout)
        return grid.add_class("mbw-figures")

    def _connect(self) -> None:
        super()._connect()
        self._links += [
            traitlets.link((self, "form"), (self._form, "value")),
            traitlets.link((self, "stabilise"), (self._held, "value")),
        ]
        for part, name in ((self, "form"), (self._step, "value"), (self.tabs, "selected_index")):
            part.observe(lambda _: self._show_tab(), name)
        self._step.observe(lambda _: setattr(self, "_drifts", None), "value")
        self.observe(self._on_gravity, "gravity")
        self.observe(lambda _: self._solver.solve(self.model, **self.options()), "stabilise")

    def options(self) -> dict[str, Any]:
        """The drift held down as told."""
        return {**super().options(), "stabilise": self.stabilise}

    def _on_gravity(self, change: Any) -> None:
        if not np.isclose(_angle(self.model), change.new, rtol=0, atol=1e-9):
            self.attempt(lambda model: _turned(model, change.new), "dial")

    def own_places(self) -> list[Place]:
        """A dial for gravity in the plane of x and y."""
        dial = Place("dial", "Gravity's dial", "g from x", "°", -180.0, 180.0, _angle, _turned)
        return [dial] if self._one else []

    def show(self) -> None:
        """The guides and arrows first, then the tables, then the tab in sight."""
        self._exact, self._drifts = None, None
        if self._one:
            self.gravity = _angle(self.model)
        size = model_size(self.origin)
        trails = guides_of(self.model, 4 * size)
        centre = self.motion.point(self.index, self.model.bodies[self.index].com).position
        if not self._looked:
            self.draw([])  # this furnishes the stage, for the mechanism at its start
            self._frame([path for path, _ in trails if len(path) > 2] + [centre], size)
            self._looked = self.motion.outcome.result is not Result.BUDGET  # the rest of the path is on its way
        self.draw(arrows_of(self.motion))
        self.picture.trails([*trails, (centre, BLUE)])
        self.rank.value = f"<div role='status' style='font-size:12px;line-height:20px'>{badge(self.motion)}</div>"
        columns, rows, values = rows_of(self.motion)
        more, angles, words = angles_of(self.motion)
        values = np.concatenate([values, angles], axis=1)
        self.table.show(columns, [*rows, *more], values, "Constraint forces", words)
        self._show_tab()

    def _frame(self, paths: list[np.ndarray], size: float) -> None:
        """Fit the guides and the body along the path of its mass centre into the picture."""
        stage = self.picture.stage
        if self._one:
            ghost = equivalent_ellipsoid(self.model, self.index, size)
            reach = max(radius for _, radius in body_balls(self.model, self.index, size))
            reach = max(reach, *ghost.scale) if ghost is not None else reach
            points = np.concatenate([*paths, paths[-1] - reach, paths[-1] + reach])
            low, high = points.min(axis=0), points.max(axis=0)
            radius = max(float((high - low)[:2].max()) / 2, size / 2)
            stage.furnish(stage.size, (low + high) / 2, radius)
            stage.point_gravity([self.model.number(part) for part in self.model.gravity])
        stage.look(self.view)

    @property
    def exact(self) -> Any:
        """The exact constraints of the present model, derived when first asked for; None where there are none."""
        if self._exact is None:
            self._exact = (studied(self.model),)
        return self._exact[0]

    def _show_tab(self) -> None:
        """Fill the tab in sight; the others wait until they are."""
        if self.motion is None or self.motion.model is not self.model:
            return
        shows = (self._show_matrices, self._show_formulae, self._show_drift, self._show_figures)
        shows[self.tabs.selected_index or 0]()

    def _show_matrices(self) -> None:
        if self.model.nv + self.motion.closure.equations > 2 * LARGEST:
            self.matrices.show([], f"{self.motion.closure.equations} equations are more than can be read")
            return
        matrices, words = matrices_of(self.motion, self.exact, self.form)
        self.matrices.show(matrices, "What the constraints forbid, and what they leave; live")
        lines = f"{words}<br>{routes_of(self.motion)}"
        self.product.value = f"<div role='status' style='font-size:12px;line-height:1.5'>{lines}</div>"

    def _show_formulae(self) -> None:
        self.formulae.value = f"<div style='font-size:13px'>{formulae_of(self.exact)}</div>"

    def _show_drift(self) -> None:
        if self._drifts is None:
            self.drift.note = "Three motions are being computed …"
            try:
                self._drifts = drifts_of(self.model, self.duration, float(self._step.value))
            except MbwidgetsError as error:
                self.complain(safe(error))
                return
            finally:
                self.drift.note = ""
        names, colours = list(DRIFTS), list(DRIFTS.values())
        frames = min(len(found[0]) for found in self._drifts.values())
        for plot, part, title in (
            (self.drift, 1, "Drift off the constraints, log₁₀ of the largest |Φ|"),
            (self.energy, 2, "Error of the energy, log₁₀, relative"),
        ):
            values = np.stack([self._drifts[name][part][:frames] for name in names], axis=1)
            plot.draw(title, "by stabilisation", names, self._drifts["projection"][0][:frames], values, colours)

    def _show_figures(self) -> None:
        for number, (title, unit, colour, values) in figures_of(self.motion).items():
            widget = self.figures[number]
            if isinstance(widget, Polar):
                widget.show(values, title, unit, ["x", "y"], colour)
            else:
                curves(widget, self.motion, title, unit, [unit], [colour], values[:, None])


def _angle(model: Model) -> float:
    """The direction of gravity in the plane of x and y, degrees from x."""
    x, y = (model.number(part) for part in model.gravity[:2])
    return float(np.degrees(np.arctan2(y, x)))


def _turned(model: Model, degrees: float) -> Model:
    """The model with gravity of the same size in the plane of x and y, turned from x."""
    if not np.isfinite(degrees):
        raise ModelError(f"gravity at {degrees} degrees", where="gravity", remedy="give a finite angle")
    length = float(np.linalg.norm([model.number(part) for part in model.gravity]))
    size: Any = Symbol("g") if "g" in model.parameters else length
    c, s = (round(float(part), 15) + 0.0 for part in (np.cos(np.radians(degrees)), np.sin(np.radians(degrees))))
    return model.replace(gravity=(size * c, size * s, 0))
