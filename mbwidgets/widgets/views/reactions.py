"""The view of joint reactions: what a bearing carries, by two methods, in parts, over time and as a spectrum."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Final

import ipywidgets
import numpy as np
import traitlets

from ...errors import ModelError
from ...model.library.arms import three_body_arm
from ...model.model import Model
from ...numeric.packing.traced_numbers import largest_size, lengths_of
from ...scene.look.palette import QUANTITY, SERIES
from ...scene.page.strip import Strip
from ...scene.stage.own_arrows import OwnArrow
from ..base.lifetime import escape
from ..edit.places import Place
from ..parts.chains import Chains
from ..parts.chart import Chart
from ..parts.finding import Finding
from ..parts.formulas import FormulaPanel
from ..parts.ledger import Column, Entry, Ledger
from ..parts.plots import Plot
from ..parts.terms import Terms
from ..text.paragraphs import BAD, GOOD
from ..text.readings import reaction_reading
from .page_tables import Fill
from .page_variants import Menu
from .page_words import Case, Words, said
from .reaction_parts import (
    EQUATIONS,
    HALVES,
    PARTS,
    POLES,
    joint_slides,
    reaction_rows_and_arrows,
    reactions_by_both_methods,
    shift_wrench,
    vector_to_pole,
)
from .reaction_roads import (
    TOTAL,
    WIDTH,
    Road,
    along_total,
    chains_of,
    finding_numbers,
    finding_of,
    force_by_accelerations,
    force_by_rotators,
    term_rows,
)
from .reaction_spectrum import STIFFNESS, SpectrumView
from .vector_view import (
    COMPONENTS,
    VECTOR,
    TabPages,
    append_length,
    beside_stage,
    labelled_menu,
    own_place,
)

__all__ = ["ReactionsView"]

FIRST: Final = ("axis", "force", "static force", "kinetic force")
AGREE: Final = 1e-9
PARTED: Final = ("reaction", "static", "kinetic")
CURVES: Final = {
    "force": "Force: static part, kinetic part, reaction",
    "moment": "Moment: static part, kinetic part, reaction",
    "pressure force": "Kinetic pressure, force",
    "pressure moment": "Kinetic pressure, moment",
    "residual": "Difference of the two methods",
}


class ReactionsView(SpectrumView):
    """Force and moment in one joint: arrows, parts, two methods side by side, spectrum of the kinetic pressures.

    Parameters
    ----------
    model : a mechanism; the paper's three-body arm unless given
    joint : the body that it carries, by name or index; the second one unless told
    stiffness : of the joint's shaft in bending, N/m, whose eigenfrequency √(c/m)/2π is marked in the spectrum
    options : those of `View`

    Besides the traits of `View`, ``stiffness``, ``vectors`` (keys of the arrows drawn) and ``pole`` (``"O"`` or
    ``"O*"``, which a joint that slides parts from it) can be set and observed; ``selected`` is the joint, named by the
    body that it carries.

    >>> view = mb.ReactionsView(mb.library.three_body_arm(), joint="upper", duration=0.2)
    >>> view.selected
    'upper'
    >>> view.close()
    """

    opens_at_peak = True
    stiffness = traitlets.Float(5000.0)
    vectors = traitlets.Tuple(FIRST)
    pole = traitlets.Enum(POLES, "O")
    opened = ("Parameters", "Shaft")
    live = ("m3", "g")
    thinks = True

    def __init__(self, model: Model | None = None, joint: str | int | None = None, **options: Any) -> None:
        model = three_body_arm() if model is None else model
        selected = model.bodies[-1 if joint is None else model.index(joint)].name
        super().__init__(model, selected, **options)

    @traitlets.validate("stiffness")
    def _check_stiffness(self, proposal: Any) -> float:
        if not (np.isfinite(proposal.value) and proposal.value > 0):
            raise ModelError(f"stiffness {proposal.value:g} is not positive", where="shaft", remedy="give N/m > 0")
        return float(proposal.value)

    def arrange(self) -> list[Any]:
        """Toolbar; stage, parts and sliders; methods, time, spectrum, formulae in tabs."""
        super().arrange()
        player = self.picture.player
        self.strip = player.strip = Strip()
        self.parts, self.methods = Ledger(player=player), Ledger(player=player, layout={"max_width": "760px"})
        self.plot, self.spectrum, self.formulae = Plot(player=player), Chart(), FormulaPanel()
        self.finding, self.roads, self.terms = (kind(player=player) for kind in (Finding, Chains, Terms))
        self.agreement = ipywidgets.HTML()
        self.toolbar.children[0].description = "joint"
        self._curves = labelled_menu("show", [(title, key) for key, title in CURVES.items()], "force", "330px", "36px")
        poles = [("O, fixed in the parent", "O"), ("O*, fixed in the body", "O*")]
        self._pole = labelled_menu("moments about", poles, "O", "290px", "112px")
        self._half = labelled_menu("of the", list(HALVES), "force", "150px", "42px")
        pages = {
            "Two methods": [ipywidgets.HTMLMath(EQUATIONS), self.methods],
            "Over time": [self._curves, self.plot],
            "Spectrum": [self._half, self.spectrum],
            "Formulae": [self.formulae],
        }
        self.tabs = ipywidgets.Tab([ipywidgets.VBox(page) for page in pages.values()], titles=tuple(pages))
        return [
            self.toolbar,
            beside_stage(
                self.scene,
                *(self.finding, self.roads, self.agreement, self._pole, self.parts, self.controls),
                below=(self.terms,),
            ),
            self.tabs,
        ]

    def _connect(self) -> None:
        super()._connect()
        self.formulae.kind = reaction_reading(self.model)
        self._links.append(traitlets.link((self, "pole"), (self._pole, "value")))
        self.parts.observe(lambda change: self.set_trait("vectors", tuple(change.new)), "chosen")
        self.observe(lambda _: self.refresh(), ["vectors", "stiffness", "pole"])
        for part, name in ((self._curves, "value"), (self._half, "value"), (self.tabs, "selected_index")):
            part.observe(lambda _: self._show_tab(), name)

    def own_places(self) -> list[Place]:
        """The stiffness of the shaft, as far as half the highest frequency that the frames can show."""
        carried = sum(self.origin.number(self.origin.bodies[i].mass) for i in self.origin.subtree(self.index))
        high = max(carried, 1e-3) * (np.pi * self.rate / 2) ** 2
        span = (1e-3 * high, max(high, self.stiffness))
        write = lambda value: self.set_trait("stiffness", value)  # noqa: E731
        return [own_place(STIFFNESS, "Shaft", "stiffness c", "N/m", span, lambda: float(self.stiffness), write)]

    def show(self) -> None:
        """The arrows first, then the tables, then the tab in sight."""
        motion, index = self.motion, self.index
        self._pole.layout.display = None if joint_slides(motion, index) else "none"
        self.draw(lambda: self.page_arrows(motion))
        with self.filling(self.parts):
            self.parts.take(self._parts_look(), self._part_values(motion))
            self.parts.chosen = [row["key"] for row in self.parts.rows if row["key"] in self.vectors]
        self.show_findings()
        with self.filling(self.agreement):
            (words,) = self.page_words()
            self.agreement.value = words.text(motion)
        self._show_tab()

    def page_arrows(self, motion: Any) -> list[OwnArrow]:
        """Those of the ticked rows."""
        found = reaction_rows_and_arrows(motion, self.index, self.pole, self.vectors)
        return [arrow for row, arrow in found if row.key in self.vectors]

    def page_fills(self) -> list[Fill]:
        """The tables and the curves."""
        which = ("selected", "pole")
        return [
            *self.findings(),
            Fill(self.parts, self._part_values, which, self._parts_look),
            Fill(self.methods, self._method_values, which, self._methods_look),
            Fill(self.plot, self._curve_values, (*which, "_curves"), self._curves_look),
        ]

    def page_menus(self) -> list[Menu]:
        """Joint, pole and curves."""
        kinds = tuple(SimpleNamespace(value=kind) for kind in CURVES)
        return [*self.body_menu(), Menu("pole", self._pole, POLES), Menu("_curves", self._curves, kinds)]

    arrow_menus = ("selected", "pole")

    def every_arrow(self) -> dict[str, Any]:
        """Those of all rows."""
        return {"vectors": [row.key for row, _ in reaction_rows_and_arrows(self.motion, self.index, self.pole)]}

    def vector_table(self) -> Any:
        """That of vectors."""
        return self.parts

    def ticks_in_page(self) -> str:
        """Id of the table of parts."""
        return str(self.parts.model_id)

    def findings(self) -> list[Fill]:
        """Who holds whom, the two roads as polygons and as terms, the force over the motion."""
        joint = ("selected",)
        return [
            Fill(self.finding, lambda motion: finding_numbers(motion, self.index), joint, self._finding_look),
            Fill(self.roads, self._road_vectors, joint, self._roads_look),
            Fill(self.terms, self._term_values, joint, self._terms_look),
            Fill(self.strip, self._strip_values, joint, self._strip_look),
        ]

    def _finding_look(self) -> dict[str, Any]:
        return Finding.look_of("What the joint carries", finding_of(self.motion, self.index), WIDTH)

    def _roads(self, motion: Any) -> list[Road]:
        return [force_by_accelerations(motion, self.index), force_by_rotators(motion, self.index)]

    def _road_vectors(self, motion: Any) -> np.ndarray:
        roads = [road.vectors for road in self._roads(motion)]
        return np.concatenate([motion.reactions(self.index)[:, None, :3], *roads], axis=1)

    def _roads_look(self) -> dict[str, Any]:
        return Chains.look_of("Two roads to one force", TOTAL, chains_of(self._roads(self.motion)), "as on the stage")

    def _term_values(self, motion: Any) -> np.ndarray:
        return np.concatenate([along_total(motion, self.index, road) for road in self._roads(motion)], axis=1)

    def _terms_look(self) -> dict[str, Any]:
        return Terms.look_of("The same force twice", term_rows(self._roads(self.motion)), "parts along F, which add up")

    def _strip_values(self, motion: Any) -> np.ndarray:
        return lengths_of(motion.reactions(self.index)[:, :3])

    def _strip_look(self) -> dict[str, Any]:
        return Strip.look_of("F_R", f"force in the joint {self.selected!r}", "N", QUANTITY["force"])

    def _part_values(self, motion: Any) -> np.ndarray:
        found = reaction_rows_and_arrows(motion, self.index, self.pole)
        return np.stack([append_length(arrow.value) for _, arrow in found], axis=1)

    def _parts_look(self) -> dict[str, Any]:
        rows = [row for row, _ in reaction_rows_and_arrows(self.motion, self.index, self.pole)]
        folded = list(dict.fromkeys(row.group for row in rows if not row.group.startswith("Force")))
        parent = self.model.parents[self.index]
        above = "the ground" if parent < 0 else self.model.bodies[parent].name
        return Ledger.state_of(VECTOR, rows, f"What {above} does to {self.selected}, world axes", folded=folded)

    def _method_values(self, motion: Any) -> np.ndarray:
        pair, _ = reactions_by_both_methods(motion, self.index)
        kernel = motion.reactions(self.index)
        a, b, compiled = shift_wrench(np.stack([*pair, kernel]), vector_to_pole(motion, self.index, self.pole))
        return np.stack([a, b, a - b, compiled, a - compiled], axis=2)

    def page_words(self) -> list[Words]:
        """Whether both methods agree over the whole motion."""
        _, why = reactions_by_both_methods(self.motion, self.index)
        if why:
            alone = said(f"<b style='color:#B34700'>▲ one method only</b> · {escape(why)}")
            return [Words(self.agreement, lambda motion: np.zeros((len(motion), 0)), (), alone)]
        gap = "· largest |A − B| of all frames {0}"
        agree = said(f"<b style='color:{GOOD}'>● the methods agree</b> {gap}, relative {{0/1}}")
        differ = said(f"<b style='color:{BAD}'>▲ the methods differ</b> {gap}, relative {{0/1}}")
        return [Words(self.agreement, self._gap_and_size, [Case(0, AGREE, 1, agree)], differ)]

    def _gap_and_size(self, motion: Any) -> np.ndarray:
        """The largest |A − B| of each frame, and the largest number of both (frames, 2)."""
        (a, b), _ = reactions_by_both_methods(motion, self.index)
        return np.stack([largest_size(a - b), largest_size(np.hstack([a, b]))], axis=1)

    def tab_pages(self) -> TabPages:
        """Methods, curves, spectrum, formulae."""
        return (
            (self._show_methods, self.methods),
            (self._show_curves, self.plot),
            (self._show_spectrum, self.spectrum),
            (self._show_formulae, self.formulae),
        )

    def _show_methods(self) -> None:
        self.methods.take(self._methods_look(), self._method_values(self.motion))

    def _methods_look(self) -> dict[str, Any]:
        rows = [
            Entry(
                f"{letter}{axis}", f"{letter}_{axis}", unit=unit, group=f"{half} at {self.pole}", colour=QUANTITY[half]
            )
            for half, (_, letter, unit, _) in HALVES.items()
            for axis in COMPONENTS
        ]
        columns = [
            Column("A · Rodrigues"),
            Column("B · rotators"),
            Column("A − B", kind="small"),
            Column("compiled kernel"),
            Column("A − kernel", kind="small"),
        ]
        return Ledger.state_of(columns, rows, f"Joint {self.selected!r}: three computations of one reaction")

    def _show_curves(self) -> None:
        self.plot.take_curves(self._curves_look(), self.motion.t, self._curve_values(self.motion))

    def _curves_look(self) -> dict[str, Any]:
        kind = self._curves.value
        title = f"{CURVES[kind]}, joint {self.selected!r}"
        if kind == "residual":
            names = ["|F| by A − B, N", "|M| by A − B, N m"]
            return Plot.look_of(title, "N and N m", names, [QUANTITY["force"], QUANTITY["moment"]])
        _, letter, unit, _ = HALVES["moment" if "moment" in kind else "force"]
        if kind.startswith("pressure"):
            return Plot.look_of(title, unit, [f"{letter}{axis}" for axis in COMPONENTS], SERIES[:3])
        return Plot.look_of(title, unit, PARTED, [QUANTITY[PARTS[kind][name]] for name in PARTED])

    def _curve_values(self, motion: Any) -> np.ndarray:
        """The curves of the kind that is chosen, (frames, curves)."""
        kind, index = self._curves.value, self.index
        part, shift = HALVES["moment" if "moment" in kind else "force"][0], vector_to_pole(motion, index, self.pole)
        if kind == "residual":
            pair, _ = reactions_by_both_methods(motion, index)
            return lengths_of((pair[0] - pair[1]).reshape(-1, 2, 3))
        whole = shift_wrench(motion.reactions(index), shift)
        if kind.startswith("pressure"):
            if self.model.constraints:
                return np.full((len(motion), 3), np.nan)
            return shift_wrench(motion.reaction_parts(index).pressure, shift)[:, part]
        frames = motion.reaction_parts(index)
        parts = shift_wrench(np.stack([frames.static, frames.kinetic]), shift)
        return np.stack([lengths_of(item[:, part]) for item in (whole, *parts)], axis=1)

    def _show_formulae(self) -> None:
        self.formulae.show(self.model, self.index)
