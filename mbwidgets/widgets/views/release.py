"""The view of a released joint: it opens, and what held it together is seen on both sides (Do Sanh)."""

from __future__ import annotations

from typing import Any, Final

import ipywidgets
import numpy as np
import traitlets

from ...errors import MbwidgetsError, ModelError
from ...export.figures import pin_force_of
from ...model.library.guided import hammer_crusher
from ...model.model import Model
from ...numeric.motion.release import ReleaseFrames, release_of
from ...scene.look.palette import QUANTITY
from ...scene.look.shapes import model_size
from ...scene.stage.upright import orient_plane_figure
from ..base.lifetime import escape, result_or_error, unwrap_result
from ..edit.places import Place
from ..parts.ledger import Ledger
from ..parts.matrices import Matrices
from ..parts.plots import Plot
from ..parts.polar import Polar
from ..text.paragraphs import BAD, GOOD
from .reaction_parts import reactions_by_both_methods
from .release_parts import (
    coordinate_change_matrix,
    nonzero_reaction_rows,
    opened_joint_arrows,
    opened_motion,
    reaction_component_table,
    release_formulae_html,
    release_matrices,
)
from .vector_view import VectorView, beside_stage, draw_curves, labelled_menu, own_place

__all__ = ["ReleaseView"]

AGREE: Final = 1e-9
LARGEST: Final = 20
"""Rows of the matrices that are still shown."""
OPENED: Final = 0.25
"""Of the model's size: how far the joint is opened at first, so that the arrows on both sides stand clear."""
AXES: Final = ("world", "parent", "body")
GREEK: Final = ("φ", "θ", "ψ", "χ")


class ReleaseView(VectorView):
    """One joint opened: the gap, force and moment on both sides, the freed system's blocks, the force's polar curve.

    Parameters
    ----------
    model : a mechanism; the paper's hammer crusher unless given
    joint : the body that it carries, by name or index; the last one unless told
    options : those of `View`

    Besides the traits of `View`, ``gap`` (m, how far the joint is opened in the picture), ``coordinates``
    (``"absolute"`` or ``"joint"``) and ``rows`` (``"that carry"`` or ``"all six"``) can be set and observed;
    ``selected`` is the joint, named by the body that it carries.

    >>> view = mb.ReleaseView(mb.library.pendulum(2), duration=0.2)
    >>> view.selected
    'rod 2'
    >>> view.close()
    """

    opens_at_peak = True
    gap = traitlets.Float(-1.0)
    coordinates = traitlets.Enum(["absolute", "joint"], "absolute")
    rows = traitlets.Enum(["that carry", "all six"], "that carry")
    opened = ("Parameters", "Opening")
    live = ("a", "m", "M")
    usual_duration, usual_rate = 2.0, 240.0

    def __init__(self, model: Model | None = None, joint: str | int | None = None, **options: Any) -> None:
        model = hammer_crusher() if model is None else model
        selected = model.bodies[-1 if joint is None else model.index(joint)].name
        usual = {
            "width": 520,
            "height": 470,
            "gap": round(OPENED * model_size(model), 3),
            "view": "front" if _flat(model) else "iso",
        }
        super().__init__(model, selected, **{**usual, **options})

    @traitlets.validate("gap")
    def _check_gap(self, proposal: Any) -> float:
        if not (np.isfinite(proposal.value) and proposal.value >= 0):
            raise ModelError(f"a gap of {proposal.value:g} m", where="gap", remedy="give metres, 0 to close the joint")
        return float(proposal.value)

    def arrange(self) -> list[Any]:
        """Toolbar; stage, components and sliders; matrices, formulae, polar curve in tabs."""
        super().arrange()
        player = self.picture.player
        self.components, self.matrices = Ledger(player=player), Matrices(player=player)
        self.polar, self.plot = Polar(player=player), Plot(player=player)
        self.formulae, self.agreement = ipywidgets.HTMLMath(), ipywidgets.HTML()
        self.toolbar.children[0].description = "joint"
        self._coordinates = labelled_menu(
            "angles", [("absolute", "absolute"), ("of the joints", "joint")], "absolute", "190px", "46px"
        )
        self._rows = labelled_menu(
            "rows", [("that carry something", "that carry"), ("all six", "all six")], "that carry", "230px", "36px"
        )
        self._axes = labelled_menu("axes", [(f"of the {name}", name) for name in AXES], "world", "190px", "36px")
        menus = ipywidgets.HBox([self._coordinates, self._rows], layout={"flex_flow": "row wrap"})
        pages = {
            "Matrices": [menus, self.matrices],
            "Formulae": [self.formulae],
            "Polar curve": [self._axes, _side_by_side(self.polar, self.plot)],
        }
        self.tabs = ipywidgets.Tab([ipywidgets.VBox(page) for page in pages.values()], titles=tuple(pages))
        return [self.toolbar, beside_stage(self.scene, self.agreement, self.components, self.controls), self.tabs]

    def _connect(self) -> None:
        super()._connect()
        self._links += [
            traitlets.link((self, "coordinates"), (self._coordinates, "value")),
            traitlets.link((self, "rows"), (self._rows, "value")),
        ]
        self.observe(lambda _: self.refresh(), "gap")
        for part, name in ((self, "coordinates"), (self, "rows"), (self._axes, "value"), (self.tabs, "selected_index")):
            part.observe(lambda _: self._show_tab(), name)

    def own_places(self) -> list[Place]:
        """How far the joint is opened."""
        span = (0.0, round(0.6 * model_size(self.origin), 3))
        write = lambda value: self.set_trait("gap", value)  # noqa: E731
        return [own_place("gap", "Opening", "gap", "m", span, lambda: float(self.gap), write)]

    def show(self) -> None:
        """The opened joint first, then the table, then the tab in sight."""
        self._found = result_or_error(lambda: release_of(self.motion, self.index))
        drawn, gap = opened_motion(self.motion, self.index, self.gap)
        parent = self.model.parents[self.index]
        sides = (self.index, parent if parent >= 0 else None)
        self.draw(lambda: opened_joint_arrows(self._frames, gap, *sides)[0 if self.gap > 0 else 1 :], drawn)
        with self.filling(self.components):
            title = f"What the parent does to {self.selected!r}; on the parent the opposite"
            self.components.show(*reaction_component_table(self.motion, self.index, self._frames), title)
        with self.filling(self.agreement):
            words = self._verdict()
            self.agreement.value = f"<div role='status' style='font-size:12px;line-height:20px'>{words}</div>"
        self._show_tab()

    @property
    def _frames(self) -> ReleaseFrames:
        """What the released joint's equations give, or their error."""
        return unwrap_result(self._found)

    def _verdict(self) -> str:
        """Whether the methods agree over the whole motion, and what the rows along free directions return."""
        ours, kernel = self._frames.reactions, self.motion.reactions(self.index)
        size = max(float(np.abs(self._frames.total).max()), float(np.abs(kernel).max()), 1e-300)
        gap = float(np.abs(ours - kernel).max())
        names = ["Newton-Euler"]
        pair, why = reactions_by_both_methods(self.motion, self.index)
        if not why:
            gap = max(gap, float(np.abs(pair - ours).max()))
            names = ["Rodrigues", "rotators", *names]
        mark, colour = ("● the methods agree", GOOD) if gap <= AGREE * size else ("▲ the methods differ", BAD)
        words = f"release against {', '.join(names)}: largest difference {gap:.1e}, relative {gap / size:.0e}"
        return f"<b style='color:{colour}'>{mark}</b> · {words}"

    def _names(self) -> list[str]:
        """What the coordinates are called in the matrices."""
        absolute = coordinate_change_matrix(self.model, self.coordinates) is not None
        if absolute and self.model.nv <= len(GREEK):
            return list(GREEK[: self.model.nv])
        return [f"q_{k + 1}" for k in range(self.model.nv)]

    def _chosen(self) -> list[int]:
        return list(range(6)) if self.rows == "all six" else nonzero_reaction_rows(self._frames)

    def _show_tab(self) -> None:
        """Fill the tab in sight; the others wait until they are."""
        pages = (
            (self._show_matrices, self.matrices),
            (self._show_formulae, self.formulae),
            (self._show_polar, self.polar, self.plot),
        )
        show, *parts = pages[self.tabs.selected_index or 0]
        if self.is_current:
            with self.filling(*parts):
                show()

    def _show_matrices(self) -> None:
        rows = self._chosen()
        if self.model.nv + len(rows) > LARGEST:
            self.matrices.show([], f"{self.model.nv + len(rows)} rows are more than can be read ({LARGEST})")
            return
        C = coordinate_change_matrix(self.model, self.coordinates)
        equation = "A q̈ = G + Q + R" + (" + Φᵀ λ" if self.model.constraints else "")
        title = f"{equation}: the freed system of joint {self.selected!r}, z = 0; live"
        self.matrices.show(release_matrices(self._frames, self._names(), rows, C), title)

    def _show_formulae(self) -> None:
        names = [escape(name.replace("_", "")) for name in self._names()]
        text = release_formulae_html(self.model, self.index, self._chosen(), self.coordinates, names)
        self.formulae.value = f"<div style='font-size:13px'>{text}</div>"

    def _show_polar(self) -> None:
        axes = str(self._axes.value)
        try:
            force, plane = pin_force_of(self.motion, self.index, axes), self._plane()
        except MbwidgetsError:  # no single axis: the plane in which most happens
            whole = self._frames.reactions[:, :3]
            a, b = sorted(int(axis) for axis in np.argsort(np.ptp(whole, axis=0))[1:])
            force, plane, axes = whole[:, [a, b]], (a, b), "world"
        order, down = (
            orient_plane_figure(self.picture.stage.setting.upright, *plane) if axes == "world" else (plane, False)
        )
        title = f"Force on the joint of {self.selected!r}, {axes} axes, N"
        names, force = ["xyz"[axis] for axis in order], force[:, [plane.index(axis) for axis in order]]
        self.polar.show(force, title, "N", names, QUANTITY["force"], down)
        self._show_curves()

    def _plane(self) -> tuple[int, int]:
        """The two of x, y, z that are across the joint's axis."""
        turning = [c for c in self.model.bodies[self.index].joint.columns() if c.kind == "rotation"]
        main = int(np.argmax([abs(self.model.number(part)) for part in turning[0].axis]))
        return (main + 1) % 3, (main + 2) % 3

    def _show_curves(self) -> None:
        parts = self._frames.reactions.reshape(-1, 2, 3)
        values = np.linalg.norm(parts, axis=2)
        both = [("|R|, N", QUANTITY["force"]), ("|M|, N m", QUANTITY["moment"])]
        keep = [k for k in range(2) if values[:, k].max() > 1e-9 * max(values.max(), 1e-9)] or [0]
        names, colours = zip(*(both[k] for k in keep), strict=True)
        title, unit = f"Size of the reaction of joint {self.selected!r}", "N, N m" if len(keep) == 2 else "N"
        draw_curves(self.plot, self.motion, title, unit, names, colours, values[:, keep])


def _side_by_side(left: Any, right: Any) -> Any:
    left.layout.flex, right.layout.flex = "0 1 400px", "1 1 480px"
    return ipywidgets.HBox([left, right], layout={"flex_flow": "row wrap", "grid_gap": "18px"})


def _flat(model: Model) -> bool:
    """Whether every joint turns about z: then the mechanism is best seen across its plane."""
    axes = [column.axis for body in model.bodies for column in body.joint.columns() if column.kind == "rotation"]
    return bool(axes) and all(abs(model.number(part)) < 1e-9 for axis in axes for part in axis[:2])
