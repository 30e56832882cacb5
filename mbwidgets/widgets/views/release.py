"""The view of a released joint: it opens, and what held it together is seen on both sides (Do Sanh)."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Final

import ipywidgets
import numpy as np
import traitlets

from ...errors import MbwidgetsError, ModelError
from ...export.figures import main_direction, pin_force_of
from ...model.library.guided import hammer_crusher
from ...model.model import Model
from ...numeric.motion.release import ReleaseFrames, release_of
from ...numeric.packing.traced_numbers import largest_size, lengths_of
from ...scene.look.body_shells import is_link
from ...scene.look.nodes import body_nodes
from ...scene.look.palette import QUANTITY
from ...scene.look.shapes import model_size
from ...scene.page.strip import Strip
from ...scene.stage.own_arrows import OwnArrow
from ...scene.stage.upright import orient_plane_figure
from ..base.lifetime import escape, result_or_error, unwrap_result
from ..edit.places import Place
from ..parts.finding import Finding
from ..parts.ledger import Ledger
from ..parts.matrices import Matrices, Matrix
from ..parts.plots import Plot
from ..parts.polar import Polar
from ..text.paragraphs import BAD, GOOD
from .page_tables import Fill, Stale, own_number
from .page_variants import Menu
from .page_words import Case, Words, said
from .reaction_parts import reactions_by_both_methods
from .release_parts import (
    coordinate_change_matrix,
    gap_in_world,
    holding_numbers,
    holding_sentences,
    nonzero_reaction_rows,
    opened_joint_arrows,
    opened_motion,
    reaction_component_table,
    release_formulae_html,
    release_matrices,
)
from .vector_view import TabPages, VectorView, beside_stage, draw_curves, labelled_menu, own_place

__all__ = ["ReleaseView"]

AGREE: Final = 1e-9
LARGEST: Final = 20
"""Rows of the matrices that are still shown."""
OPENED: Final = 0.25
"""Of the model's size: how far the joint is opened at first, so that the arrows on both sides stand clear."""
AXES: Final = ("world", "parent", "body")
LATER: Final = "The formulae for other numbers of bodies are derived in the notebook."
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
    grabs_in_page = False
    gap = traitlets.Float(-1.0)
    coordinates = traitlets.Enum(["absolute", "joint"], "absolute")
    rows = traitlets.Enum(["that carry", "all six"], "that carry")
    opened = ("Parameters", "Opening")
    live = ("a", "m", "M")
    usual_duration, usual_rate = 2.0, 240.0
    thinks = True
    python_alone = ("another joint",)

    def __init__(self, model: Model | None = None, joint: str | int | None = None, **options: Any) -> None:
        model = hammer_crusher() if model is None else model
        selected = model.bodies[-1 if joint is None else model.index(joint)].name
        usual = {
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
        """Toolbar; stage, what is found and sliders; matrices, formulae, sizes over time in tabs."""
        super().arrange()
        player = self.picture.player
        self.components, self.matrices = Ledger(player=player), Matrices(player=player)
        self.polar, self.plot, self.finding = Polar(player=player), Plot(player=player), Finding(player=player)
        self.strip = player.strip = Strip()
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
            "Over time": [self.plot],
        }
        self.tabs = ipywidgets.Tab([ipywidgets.VBox(page) for page in pages.values()], titles=tuple(pages))
        right = (self.finding, self._axes, self.polar, self.controls)
        return [self.toolbar, beside_stage(self.scene, *right, below=(self.agreement, self.components)), self.tabs]

    def _connect(self) -> None:
        super()._connect()
        self._links += [
            traitlets.link((self, "coordinates"), (self._coordinates, "value")),
            traitlets.link((self, "rows"), (self._rows, "value")),
        ]
        self.observe(lambda _: self.refresh(), "gap")
        for part, name in ((self, "coordinates"), (self, "rows"), (self.tabs, "selected_index")):
            part.observe(lambda _: self._show_tab(), name)
        self._axes.observe(lambda _: self.show_findings(), "value")

    def own_places(self) -> list[Place]:
        """How far the joint is opened."""
        span = (0.0, round(0.6 * model_size(self.origin), 3))
        write = lambda value: self.set_trait("gap", value)  # noqa: E731
        return [own_place("gap", "Opening", "gap", "m", span, lambda: float(self.gap), write)]

    def show(self) -> None:
        """The opened joint first, then the table, then the tab in sight."""
        self._found = result_or_error(lambda: release_of(self.motion, self.index))
        drawn, _ = opened_motion(self.motion, self.index, self.gap)
        self.picture.aside = (tuple(sorted(self.model.subtree(self.index))), "gap")
        self.draw(lambda: self.page_arrows(self.motion), drawn)
        self.show_findings()
        with self.filling(self.components):
            title = f"What the parent does to {self.selected!r}; on the parent the opposite"
            self.components.show(*reaction_component_table(self.motion, self.index, self._frames), title)
        with self.filling(self.agreement):
            (words,) = self.page_words()
            self.agreement.value = words.text(self.motion)
        self._show_tab()

    def own_numbers(self) -> dict[str, float]:
        """The gap."""
        return {"gap": float(self.gap)}

    def page_arrows(self, motion: Any) -> list[OwnArrow]:
        """Force and moment on both sides of the joint, and the gap where there is one."""
        parent = self.model.parents[self.index]
        sides = (self.index, parent if parent >= 0 else None)
        found = opened_joint_arrows(self._frames_of(motion), self._gap_of(motion), *sides, decides=self._frames)
        return found[0 if self.gap > 0 else 1 :]

    def page_fills(self) -> list[Fill]:
        """What is shifted on the stage, components, matrices, the polar curve and the sizes over time."""
        parent = self.model.parents[self.index]
        reaches = parent >= 0 and bool(is_link(self.model, parent, body_nodes(self.model)[parent]))
        carried = {"bodies": sorted(self.model.subtree(self.index)), "joint": self.index, "reaches": reaches}
        return [
            Fill(self.picture.player, self._gap_of, look=lambda: carried, kind="shift"),
            Fill(self.components, self._component_values),
            Fill(self.matrices, self._matrix_values, ("coordinates", "rows"), self._matrices_look),
            Fill(self.plot, self._curve_values),
            Fill(self.formulae, no_numbers, ("coordinates", "rows"), self._formulae_look, "look"),
            *self.findings(),
        ]

    def findings(self) -> list[Fill]:
        """What would close the joint again, in words, as a polar curve and over the motion."""
        return [
            Fill(self.finding, self._holding_numbers, look=self._finding_look),
            Fill(self.polar, lambda motion: self._polar_values(motion)[0], ("_axes",), self._polar_look),
            Fill(
                self.strip,
                lambda motion: self._holding_numbers(motion)[:, self._carried_halves()[0]],
                look=self._strip_look,
            ),
        ]

    def _holding_numbers(self, motion: Any) -> np.ndarray:
        return holding_numbers(motion, self.index, self._frames_of(motion))

    def _finding_look(self) -> dict[str, Any]:
        largest = float(np.abs(self._frames.reactions).max(initial=0.0))
        said = holding_sentences(self.model, self.index, largest)
        return Finding.look_of("What would close the joint again?", said, 4, "(3.26)")

    def _strip_look(self) -> dict[str, Any]:
        half, letter, unit = (("force", "R", "N"), ("moment", "M", "N m"))[self._carried_halves()[0]]
        return Strip.look_of(letter, f"{half} that would close the joint", unit, QUANTITY[half])

    def page_menus(self) -> list[Menu]:
        """Angles and rows of the matrices, axes of the polar curve."""
        return [
            Menu("coordinates", self._coordinates, ("absolute", "joint")),
            Menu("rows", self._rows, ("that carry", "all six")),
            Menu("_axes", self._axes, tuple(SimpleNamespace(value=name) for name in AXES)),
        ]

    def page_stale(self) -> list[Stale]:
        """Formulae have the numbers of bodies in them; parameters are letters."""
        spared = ("gap", *(f"parameter {name}" for name in self.model.parameters))
        return [Stale(self.formulae, LATER, spared)]

    def _frames_of(self, motion: Any) -> ReleaseFrames:
        return self._frames if motion is self.motion else release_of(motion, self.index)

    def _gap_of(self, motion: Any) -> np.ndarray:
        """The gap in world axes (frames, 3)."""
        return gap_in_world(motion, self.index, own_number(motion, "gap", self.gap))

    def _component_values(self, motion: Any) -> np.ndarray:
        return reaction_component_table(motion, self.index, self._frames_of(motion))[2]

    @property
    def _frames(self) -> ReleaseFrames:
        """What the released joint's equations give, or their error."""
        return unwrap_result(self._found)

    def page_words(self) -> list[Words]:
        """Whether the methods agree over the whole motion."""
        _, why = reactions_by_both_methods(self.motion, self.index)
        names = ["Newton-Euler"] if why else ["Rodrigues", "rotators", "Newton-Euler"]
        words = f"release against {', '.join(names)}: largest difference {{0}}, relative {{0/1}}"
        agree = said(f"<b style='color:{GOOD}'>● the methods agree</b> · {words}")
        differ = said(f"<b style='color:{BAD}'>▲ the methods differ</b> · {words}")
        return [Words(self.agreement, self._gap_and_size, [Case(0, AGREE, 1, agree)], differ)]

    def _gap_and_size(self, motion: Any) -> np.ndarray:
        """The largest difference of the methods in each frame, and the largest number (frames, 2)."""
        frames, kernel = self._frames_of(motion), motion.reactions(self.index)
        pair, why = reactions_by_both_methods(motion, self.index)
        others = [kernel] if why else [kernel, *pair]
        gap = largest_size(np.concatenate([other - frames.reactions for other in others], axis=1))
        return np.stack([gap, largest_size(np.concatenate([frames.total, kernel], axis=1))], axis=1)

    def _names(self) -> list[str]:
        """What the coordinates are called in the matrices."""
        absolute = coordinate_change_matrix(self.model, self.coordinates) is not None
        if absolute and self.model.nv <= len(GREEK):
            return list(GREEK[: self.model.nv])
        return [f"q_{k + 1}" for k in range(self.model.nv)]

    def _chosen(self) -> list[int]:
        return list(range(6)) if self.rows == "all six" else nonzero_reaction_rows(self._frames)

    def tab_pages(self) -> TabPages:
        """Matrices, formulae, sizes over time."""
        return (
            (self._show_matrices, self.matrices),
            (self._show_formulae, self.formulae),
            (self._show_curves, self.plot),
        )

    def _show_matrices(self) -> None:
        self.matrices.take(self._matrices_look(), self._matrix_values(self.motion))

    def _matrices_look(self) -> dict[str, Any]:
        rows = self._chosen()
        equation = "A q̈ = G + Q + R" + (" + Φᵀ λ" if self.model.constraints else "")
        title = f"{equation}: the freed system of joint {self.selected!r}, z = 0; live"
        if self.model.nv + len(rows) > LARGEST:
            title = f"{self.model.nv + len(rows)} rows are more than can be read ({LARGEST})"
        return Matrices.look_of(self._matrices_of(self.motion), title)

    def _matrices_of(self, motion: Any) -> list[Matrix]:
        rows, C = self._chosen(), coordinate_change_matrix(self.model, self.coordinates)
        if self.model.nv + len(rows) > LARGEST:
            return []
        return release_matrices(self._frames_of(motion), self._names(), rows, C)

    def _matrix_values(self, motion: Any) -> np.ndarray:
        flat = [item.values.reshape(len(item.values), -1) for item in self._matrices_of(motion)]
        return np.concatenate([np.zeros((len(motion), 0)), *flat], axis=1)

    def _show_formulae(self) -> None:
        self.formulae.value = self._formulae_look()["value"]

    def _formulae_look(self) -> dict[str, Any]:
        names = [escape(name.replace("_", "")) for name in self._names()]
        text = release_formulae_html(self.model, self.index, self._chosen(), self.coordinates, names)
        return {"value": f"<div style='font-size:13px'>{text}</div>"}

    def _polar_look(self) -> dict[str, Any]:
        _, order, axes, down = self._polar_values(self.motion)
        title = f"Force on the joint of {self.selected!r}, {axes} axes, N"
        return Polar.look_of(title, "N", ["xyz"[axis] for axis in order], QUANTITY["force"], down)

    def _polar_values(self, motion: Any) -> tuple[np.ndarray, tuple[int, ...], str, bool]:
        """The force in a plane (frames, 2), which two of x, y, z they are, in which axes, and whether x is down."""
        axes = str(self._axes.value)
        try:
            force, main = pin_force_of(motion, self.index, axes), main_direction(self.motion, self.index)
            plane = ((main + 1) % 3, (main + 2) % 3)
        except MbwidgetsError:  # no single axis: the plane in which most happens
            a, b = sorted(int(axis) for axis in np.argsort(np.ptp(self._frames.reactions[:, :3], axis=0))[1:])
            force, plane, axes = self._frames_of(motion).reactions[:, [a, b]], (a, b), "world"
        order, down = (
            orient_plane_figure(self.picture.stage.setting.upright, *plane) if axes == "world" else (plane, False)
        )
        return force[:, [plane.index(axis) for axis in order]], tuple(order), axes, down

    def _show_curves(self) -> None:
        both, keep = [("|R|, N", QUANTITY["force"]), ("|M|, N m", QUANTITY["moment"])], self._carried_halves()
        names, colours = zip(*(both[k] for k in keep), strict=True)
        title, unit = f"Size of the reaction of joint {self.selected!r}", "N, N m" if len(keep) == 2 else "N"
        draw_curves(self.plot, self.motion, title, unit, names, colours, self._curve_values(self.motion))

    def _carried_halves(self) -> list[int]:
        """Which of force and moment the joint carries in the present motion."""
        values = lengths_of(self._frames.reactions.reshape(-1, 2, 3))
        return [k for k in range(2) if values[:, k].max() > 1e-9 * max(values.max(), 1e-9)] or [0]

    def _curve_values(self, motion: Any) -> np.ndarray:
        return lengths_of(self._frames_of(motion).reactions.reshape(-1, 2, 3))[:, self._carried_halves()]


def no_numbers(motion: Any) -> np.ndarray:
    """Of words that menus choose, and that have no numbers of a motion in them, (frames, 0)."""
    return np.zeros((len(motion), 0))


def _flat(model: Model) -> bool:
    """Whether every joint turns about z: then the mechanism is best seen across its plane."""
    axes = [column.axis for body in model.bodies for column in body.joint.columns() if column.kind == "rotation"]
    return bool(axes) and all(abs(model.number(part)) < 1e-9 for axis in axes for part in axis[:2])
