"""The view of constrained motion: guides, forces of constraints, L_λ and L_τ, drift, the paper's figures (Tătaru)."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, Final

import ipywidgets
import numpy as np
import traitlets

from ...errors import ModelError
from ...expressions import Pi, Symbol, cos, sin
from ...model.library.guided import body_on_circle
from ...model.model import Model
from ...model.parameters import Parameter
from ...numeric.base.outcome import Result
from ...scene.look.nodes import numbers_of
from ...scene.look.palette import BLUE
from ...scene.look.shapes import equivalent_ellipsoid, model_size
from ...scene.page.strip import Strip
from ...scene.stage.upright import orient_plane_figure
from ..edit.places import Place
from ..parts.finding import Finding
from ..parts.ledger import Ledger
from ..parts.matrices import Matrices
from ..parts.plots import Plot
from ..parts.polar import Polar
from .constrained_page import ConstrainedPage
from .constrained_parts import (
    DRIFTS,
    LARGEST,
    acceleration_routes_text,
    constraint_force_table,
    constraint_formulae_html,
    drift_by_stabilisation,
    euler_angle_rows,
    exact_constraints,
    guide_paths,
    one_body,
    paper_figure_curves,
    rank_badge,
)
from .constrained_ways import WAYS
from .page_words import said
from .vector_view import beside_stage, draw_curves, labelled_menu

__all__ = ["ConstrainedView"]

DIAL: Final = "dial"
FIGURES: Final = "Figures 2-10"
FORMS: Final = (("velocities u", "u"), ("(v of O₁, ω), body axes", "paper"))
STEPS: Final = (("2 ms", 2e-3), ("5 ms", 5e-3), ("10 ms", 1e-2))


class ConstrainedView(ConstrainedPage):
    """A motion under constraints: what they forbid, what they leave, what they carry, and how well they hold.

    Parameters
    ----------
    model : a mechanism with constraints; the paper's body on a circle unless given
    options : those of `View`

    Besides the traits of `View`, ``form`` (``"u"`` or ``"paper"``: what L_λ acts on), ``ways`` (``"forbidden and
    left"``, one of them or ``"neither"``: what is drawn at a free body), ``gravity_angle`` (degrees: the
    direction of g in the plane of x and y) and ``stabilise`` (how drift is held down, as in `simulate`) can be set and
    observed.

    >>> view = mb.ConstrainedView(mb.library.four_bar(), duration=0.2)
    >>> view.gravity_angle
    -90.0
    >>> view.close()
    """

    opens_at_peak = True
    form = traitlets.Enum(["u", "paper"], "u")
    ways = traitlets.Enum(list(WAYS), next(iter(WAYS)))
    gravity_angle = traitlets.Float(0.0)
    stabilise = traitlets.Enum(list(DRIFTS), "projection")
    opened = ("Parameters", "Gravity's dial")
    live = ("dial", "d")

    def __init__(self, model: Model | None = None, **options: Any) -> None:
        model = body_on_circle() if model is None else model
        self.admit(model)
        self._looked_at = ""
        usual = {
            "gravity_angle": _angle(model),
            "form": "paper" if one_body(model) else "u",
        }
        super().__init__(model, **{**usual, **options})

    def admit(self, model: Model) -> None:
        """Without constraints there is nothing to be seen here."""
        if not model.constraints:
            raise ModelError(
                "the model has no constraints", where=f"model {model.name!r}", remedy="give it some: constraints=[…]"
            )

    @property
    def _one(self) -> bool:
        """Whether it is one free body, as the paper's."""
        return one_body(self.model)

    def arrange(self) -> list[Any]:
        """Toolbar; stage, what is found, matrices and sliders; formulae, drift and figures in tabs."""
        super().arrange()
        player = self.picture.player
        self._drifts: Any = None
        self._exact: Any = None
        self.table, self.matrices = Ledger(player=player), Matrices(player=player)
        self.drift, self.energy = Plot(player=player), Plot(player=player)
        self.rank, self.formulae, self.product = ipywidgets.HTML(), ipywidgets.HTMLMath(), ipywidgets.HTML()
        self.figures = {n: Polar(player=player) if n == 8 else Plot(player=player) for n in range(2, 11)}
        self._form = labelled_menu("L acts on", FORMS, "u", "260px", "60px")
        self._ways = labelled_menu("at the body", list(WAYS), self.ways, "240px", "76px")
        self.toolbar.insert(self._ways)
        self._step = labelled_menu("Runge-Kutta 4, step", STEPS, 2e-3, "240px", "130px")
        held = [(name, name) for name in DRIFTS]
        self._held = labelled_menu("the motion above is held by", held, "projection", "370px", "220px")
        steps = ipywidgets.HBox([self._step, self._held], layout={"flex_flow": "row wrap", "grid_gap": "2px 18px"})
        pages = {
            "Formulae": [self.formulae],
            "Drift": [steps, self.drift, self.energy],
            FIGURES: [self._grid()],
        }
        self._pages = {title: ipywidgets.VBox(page) for title, page in pages.items()}
        self.tabs = ipywidgets.Tab()
        self.finding, self.strip = Finding(player=player), Strip()
        player.strip = self.strip
        right = (self.finding, self._form, self.matrices, self.product, self.controls)
        return [self.toolbar, beside_stage(self.scene, *right, below=(self.rank, self.table)), self.tabs]

    def _grid(self) -> Any:
        layout = {"grid_template_columns": "repeat(auto-fit, minmax(330px, 1fr))", "grid_gap": "6px 14px"}
        grid = ipywidgets.GridBox(list(self.figures.values()), layout=layout)
        return grid.add_class("mbw-figures")

    def _connect(self) -> None:
        super()._connect()
        self._links += [
            traitlets.link((self, "form"), (self._form, "value")),
            traitlets.link((self, "stabilise"), (self._held, "value")),
            traitlets.link((self, "ways"), (self._ways, "value")),
        ]
        self._step.observe(lambda _: setattr(self, "_drifts", None), "value")  # before they are drawn again
        for part, name in ((self._step, "value"), (self.tabs, "selected_index")):
            part.observe(lambda _: self._show_tab(), name)
        self.observe(lambda _: self._fill_matrices(), "form")
        self.observe(self._on_gravity, "gravity_angle")
        self.observe(lambda _: self.refresh(), "ways")
        self.observe(lambda _: self._solve(), "stabilise")

    def _solve(self) -> None:
        try:
            self._solver.solve(self.model, **self.options())
        except Exception as error:
            self._refuse(error)

    def _suit(self) -> None:
        """The menu and the tabs that the model has: figures and the paper's form are those of one free body."""
        titles = tuple(title for title in self._pages if self._one or title != FIGURES)
        if self.tabs.titles != titles:
            self.tabs.children, self.tabs.titles = tuple(self._pages[title] for title in titles), titles
            self.tabs.selected_index = min(self.tabs.selected_index or 0, len(titles) - 1)
        self._ways.layout.display = None if self._one else "none"
        forms = FORMS if self._one else FORMS[:1]
        if self._form.options != forms:
            form = self.form if self._one else "u"
            self._form.options = forms
            self.form = self._form.value = form

    def options(self) -> dict[str, Any]:
        """The drift held down as told."""
        return {**super().options(), "stabilise": self.stabilise}

    def _on_gravity(self, change: Any) -> None:
        if not np.isclose(_angle(self.model), change.new, rtol=0, atol=1e-9):
            self.attempt(lambda model: _turned(model, change.new), "dial")

    def page_model(self, model: Model) -> Model:
        """With the dial as a parameter."""
        return _with_dial(model) if one_body(model) else model

    def own_places(self) -> list[Place]:
        """A dial for gravity in the plane of x and y."""
        dial = Place(DIAL, "Gravity's dial", "g from x", "°", -180.0, 180.0, _angle, _turned)
        return [dial] if self._one else []

    def show(self) -> None:
        """The guides and arrows first, then what is found, then the tab in sight."""
        self._exact, self._drifts = None, None
        self._suit()
        if self._one:
            self.gravity_angle = _angle(self.model)
        self._show_stage()
        self.show_findings()
        with self.filling(self.rank):
            words = rank_badge(self.motion)
            self.rank.value = f"<div role='status' style='font-size:12px;line-height:20px'>{words}</div>"
        with self.filling(self.table):
            columns, rows, values = constraint_force_table(self.motion)
            more, angles, words = euler_angle_rows(self.motion)
            values = np.concatenate([values, angles], axis=1)
            self.table.show(columns, [*rows, *more], values, "Constraint forces", words)
        self._fill_matrices()
        self._show_tab()

    def _show_stage(self) -> None:
        size, mechanism = model_size(self.origin), self.origin.name
        trails = list[tuple[np.ndarray, str]]()
        with self.filling(aloud=True):
            trails = [(self._centre(self.motion), BLUE)]
        if self._looked_at != mechanism:
            self.draw(list)  # this furnishes the stage, for the mechanism at its start
            with self.filling(aloud=True):
                paths = [*guide_paths(self.model, 4 * size), *(path for path, _ in trails)]
                self._frame([path for path in paths if len(path) > 2], size)
        self.draw(lambda: self.page_arrows(self.motion))
        self.picture.trails(trails)
        if self._looked_at != mechanism:
            self.picture.hold_arrows()
            self.picture.stage.look(self.view)
            if self.motion.outcome.result is not Result.BUDGET:  # the rest of the path is on its way
                self._looked_at = mechanism

    def fit(self) -> None:
        """Turn the camera to the guides, the path and the arrows as they are now."""
        self._looked_at = ""
        super().fit()

    def _frame(self, paths: list[np.ndarray], size: float) -> None:
        """Fit the guides and the body along the path of its mass centre into the picture."""
        stage = self.picture.stage
        if self._one:
            ghost = equivalent_ellipsoid(self.model, self.index, size)
            centre = numbers_of(self.model, self.model.bodies[self.index].com)
            points = self.picture.composition.bodies[self.index].points
            reach = float(np.linalg.norm(points - centre, axis=1).max(initial=0.0))
            reach = max(reach, *ghost.scale) if ghost is not None else reach
            points = np.concatenate([*paths, paths[-1] - reach, paths[-1] + reach])
            low, high = points.min(axis=0), points.max(axis=0)
            radius = max(float((high - low)[:2].max()) / 2, size / 2)
            wide = [np.zeros(len(path)) for path in paths[:-1]] + [np.full(len(paths[-1]), reach)]
            balls = np.column_stack([np.concatenate(paths), np.concatenate(wide)])
            stage.furnish(replace(stage.setting, target=(low + high) / 2, radius=radius, balls=balls))

    @property
    def exact(self) -> Any:
        """The exact constraints of the present model, derived when first asked for; None where there are none."""
        if self._exact is None:
            self._exact = (exact_constraints(self.model),)
        return self._exact[0]

    def _show_tab(self) -> None:
        """Fill the tab in sight; the others wait until they are."""
        pages: tuple[tuple[Any, ...], ...] = (
            (self._show_formulae, self.formulae),
            (self._show_drift, self.drift, self.energy),
            (self._show_figures, *self.figures.values()),
        )
        show, *parts = pages[self.tabs.selected_index or 0]
        if self.is_current:
            with self.filling(*parts):
                show()

    def _fill_matrices(self) -> None:
        if self.is_current:
            with self.filling(self.matrices, self.product):
                self._show_matrices()

    def _show_matrices(self) -> None:
        if self.model.nv + self.motion.closure.equations > 2 * LARGEST:
            self.matrices.show([], f"{self.motion.closure.equations} equations are more than can be read")
            self.product.value = ""
            return
        self.matrices.take(self._matrices_look(), self._matrix_values(self.motion))
        (words,) = self.page_words()
        self.product.value = words.text(self.motion) + said(acceleration_routes_text(self.motion))

    def fill_unseen(self) -> None:
        """The tabs, for a page; three motions for the drift are not computed for it."""
        with self.filling(self.formulae):
            self._show_formulae()
        if self._one:
            with self.filling(*self.figures.values()):
                self._show_figures()

    def _show_formulae(self) -> None:
        self.formulae.value = f"<div style='font-size:13px'>{constraint_formulae_html(self.exact)}</div>"

    def _show_drift(self) -> None:
        if self._drifts is None:
            for plot in (self.drift, self.energy):
                plot.blank("Three motions are being computed …")
            self._drifts = drift_by_stabilisation(self.model, self.duration, float(self._step.value))
        names, colours = list(DRIFTS), list(DRIFTS.values())
        frames = min(len(found[0]) for found in self._drifts.values())
        for plot, part, title in (
            (self.drift, 1, "Drift off the constraints, log₁₀ of the largest |Φ|"),
            (self.energy, 2, "Error of the energy, log₁₀, relative"),
        ):
            values = np.stack([self._drifts[name][part][:frames] for name in names], axis=1)
            plot.draw(title, "by stabilisation", names, self._drifts["projection"][0][:frames], values, colours)

    def _show_figures(self) -> None:
        for number, (title, unit, colour, values) in paper_figure_curves(self.motion).items():
            widget = self.figures[number]
            if isinstance(widget, Polar):
                order, down = orient_plane_figure(self.picture.stage.setting.upright, 0, 1)
                widget.show(values[:, order], title, unit, ["xyz"[axis] for axis in order], colour, down)
            else:
                draw_curves(widget, self.motion, title, unit, [unit], [colour], values[:, None])


def _with_dial(model: Model) -> Model:
    """The model with a parameter for the direction of gravity, where that is in the plane of x and y."""
    across = [model.number(part) for part in model.gravity]
    if DIAL in model.parameters or across[2] != 0.0 or not any(across):
        return model
    size: Any = Symbol("g") if "g" in model.parameters else math.hypot(*across)
    angle = Symbol(DIAL) * Pi() / 180
    dial = Parameter(DIAL, _angle(model), -180.0, 180.0, "°")
    turned = (size * cos(angle), size * sin(angle), 0)
    return model.replace(gravity=turned, parameters=(*model.parameters.values(), dial))


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
