"""The view of vector rotators: what turns the mass moments, the table of contributions, and balancing."""

from __future__ import annotations

from typing import Any, Final

import ipywidgets
import numpy as np
import traitlets

from ...errors import MbwidgetsError, ModelError
from ...expressions import Symbol
from ...model.library.arms import three_body_arm
from ...model.model import Model
from ...model.moved_joint import DIGITS, with_joint_moved
from ...model.number_keys import INERTIA_PAIRS, at_key, axis_key, com_key, is_plain
from ...numeric.motion.rotators import RotatorFrames, RotatorsFrames
from ...numeric.packing.traced_numbers import lengths_of
from ...scene.look.palette import BLUE, QUANTITY, SERIES, body_colour
from ...scene.page.handles import Handle, Handles, Snap
from ...scene.page.strip import Strip
from ...scene.stage.own_arrows import OwnArrow
from ...symbolic import rotators
from ..base.lifetime import Debounced, LatestOnly, blank_part, close_tree, explain_error, result_or_error, unwrap_result
from ..edit.pole_and_axis import LOOKS, PoleAndAxis
from ..parts.finding import Finding
from ..parts.formulas import model_structure
from ..parts.ledger import Ledger
from ..parts.plots import Plot
from ..parts.terms import Terms
from ..parts.waterfall import Waterfall
from ..text.paragraphs import note_html, numbered_equations
from .balancing import LATER, BalancePanel, can_be_balanced, pressure_sizes
from .page_tables import Fill, Stale, reference_to
from .page_variants import Menu
from .rotator_rows import (
    COLUMNS,
    KINDS,
    UNITS,
    contribution_polygon,
    contribution_table,
    contribution_table_values,
    falls_of,
    finding_of_rotators,
    law_latex,
    law_terms,
    law_values,
    parts_along_sum,
    rotator_contribution,
    row_name,
    rows_contributing_to,
    single_rotator_arrows,
    single_rotator_rows,
    single_rotator_vectors,
)
from .vector_view import COMPONENTS, VECTOR, VectorView, append_length, beside_stage

__all__ = ["RotatorsView"]

REACH: Final = 0.5
"""From the pole to the handle of the axis, as a share of the model's size."""
NONE: Final = "No kind of rotators is ticked that has a share in it."
SUMS: Final = {
    "force": ("F_kin", QUANTITY["kinetic force"]),
    "moment": ("M_kin", QUANTITY["kinetic moment"]),
}
"""Symbol and colour of what the rows add up to."""
HALVES: Final = ("force", "moment")
MOST: Final = 8
"""Contributions in one plot, the largest first."""


class RotatorsView(VectorView):
    """Vector rotators of all that a joint carries, own and coupled, and what each contributes.

    Parameters
    ----------
    model : a mechanism of one-axis joints; the paper's three-body arm unless given
    joint : the body that it carries, by name or index; the first one unless told
    options : those of `View`

    Besides the traits of `View`, ``half`` (``"force"`` or ``"moment"``), ``kinds`` and ``rotator`` (the label of the
    row that is looked at, ``"R12(3):S"``, or nothing; at first the largest) can be set and observed. Pole and axis of
    the joint are dragged in the picture: the axis then passes through other points of the bodies, which stay.

    >>> view = mb.RotatorsView(mb.library.rotor(), duration=0.2)
    >>> view.selected
    'rotor'
    >>> view.close()
    """

    opens_at_peak = True
    half = traitlets.Enum(["force", "moment"], "force")
    kinds = traitlets.Tuple(tuple(KINDS))
    rotator = traitlets.Unicode()
    thinks = True
    python_alone = ("another joint", "some kinds of rotators alone", "another row")

    def __init__(self, model: Model | None = None, joint: str | int | None = None, **options: Any) -> None:
        model = three_body_arm() if model is None else model
        selected = model.bodies[-1 if joint is None else model.index(joint)].name
        super().__init__(model, selected, **options)
        if not isinstance(self._found, Exception) and self._rows and not self.rotator:
            frame = self.motion.index(self.time)
            largest = max(
                self._rows, key=lambda row: float(np.linalg.norm(rotator_contribution(row, self.half)[frame]))
            )
            self.rotator = largest.label.text

    @traitlets.validate("kinds")
    def _check_kinds(self, proposal: Any) -> tuple[str, ...]:
        return tuple(kind for kind in KINDS if kind in proposal.value)

    def arrange(self) -> list[Any]:
        """Toolbar; stage, sliders, one rotator; the table, its rows over time, and balancing in tabs."""
        super().arrange()
        player = self.picture.player
        self.table = Ledger(player=player, pickable=True, tall=500)
        self.alone, self.plot = Ledger(player=player), Plot(player=player)
        self.balance = BalancePanel(player, self.attempt)
        self.handles = self.page_solver.handles = Handles(self.picture, self._on_handle)
        self.strip = player.strip = Strip()
        self.finding, self.waterfall, self.terms = (kind(player=player) for kind in (Finding, Waterfall, Terms))
        self.formula = ipywidgets.HTMLMath(layout={"overflow": "auto", "max_height": "170px"})
        self._later, self._ticking = Debounced(0.05), False
        self._work = LatestOnly(self._typeset, lambda error: blank_part(self.formula, explain_error(error)))
        self._formula_of: Any = None
        self._tables: dict[tuple[int, int], tuple[Any, Any]] = {}
        self.toolbar.children[0].description = "joint"
        self._half = ipywidgets.ToggleButtons(options=["force", "moment"], style={"button_width": "86px"})
        self._boxes = {
            kind: ipywidgets.Checkbox(True, description=kind, indent=False, layout={"width": "auto"}) for kind in KINDS
        }
        row = ipywidgets.HBox(
            [self._half, *self._boxes.values()], layout={"flex_flow": "row wrap", "grid_gap": "2px 10px"}
        )
        self.tabs = ipywidgets.Tab(
            [self.table, self.plot, self.balance], titles=("Contributions", "Over time", "Balance")
        )
        right = (row, self.finding, self.waterfall, self.controls)
        return [
            self.toolbar,
            beside_stage(self.scene, *right, below=(self.terms, self.formula, self.alone)),
            self.tabs,
        ]

    def _connect(self) -> None:
        super()._connect()
        self._links += [
            traitlets.link((self, "half"), (self._half, "value")),
            traitlets.link((self, "rotator"), (self.table, "picked")),
            traitlets.link((self, "rotator"), (self.waterfall, "picked")),
        ]
        for box in self._boxes.values():
            box.observe(lambda _: self._on_box(), "value")
        self.observe(lambda _: self.refresh(), ["half", "rotator", "kinds"])
        self.tabs.observe(lambda _: self._show_tab(), "selected_index")

    def _on_box(self) -> None:
        if not self._ticking:
            self.kinds = tuple(kind for kind, box in self._boxes.items() if box.value)

    def _on_handle(self, key: str, value: np.ndarray) -> None:
        """Pole or axis of the joint was dragged in the picture."""
        index = self.index
        if key == "pole":
            self.attempt(lambda model: with_joint_moved(model, index, value), "pole")
        else:
            axis = tuple(round(float(item), 12) for item in value)
            self.attempt(lambda model: model.with_joint(index, axis=axis), "axis")

    def _show_handles(self) -> None:
        """Handles at the joint, in the axes of the body that it hangs on."""
        model, joint, parent = self.model, self.model.bodies[self.index].joint, self.model.parents[self.index]
        home = self.picture.bodies[parent].group if parent >= 0 else self.picture.stage.actors
        at = np.array([model.number(item) for item in joint.at])
        # the axis that is dragged is the one in the axes of the parent: of a universal joint the first
        dragged = [model.number(item) for item in joint.axis] if hasattr(joint, "axis") else (0.0, 0.0, 1.0)
        chosen = PoleAndAxis(model, self.index, (0.0, 0.0, 0.0), tuple(dragged))
        found = []
        if hasattr(joint, "axis"):
            lines = [(n, f"{name} axis") for n, name in zip(np.eye(3), COMPONENTS, strict=True)]
            lines += [(n, f"principal axis {k + 1}: D = 0") for k, n in enumerate(chosen.principal.T)]
            snaps = [Snap(sign * n, text) for n, text in lines for sign in (1.0, -1.0)]
            reach = REACH * self.picture.stage.size
            found.append(Handle("axis", "Axis of the joint", "n", BLUE, home, at, chosen.n, reach, snaps=snaps))
        centre = Snap(at + chosen.centre - (chosen.n @ chosen.centre) * chosen.n, "through C: S = 0")
        found.append(Handle("pole", "Pole O", "O", LOOKS["pole"][0], home, at, unit="m", snaps=[centre]))
        rules = {**self._page_rules(), "menu": reference_to(self.toolbar.children[0]), "buttons": []}
        self.handles.show(found, rules)

    def _page_rules(self) -> dict[str, Any]:
        """The sliders that the handles stand for, where a page can move all that goes along."""
        model, index = self.model, self.index
        joint, found = model.bodies[index].joint, dict[str, Any]()
        if all(map(is_plain, getattr(joint, "axis", (Symbol("none"),)))):
            found["axis"] = {"kind": "angles", "keys": [axis_key("axis", index, k) for k in (0, 1)], "principal": 6}
        follow = [child for child, parent in enumerate(model.parents) if parent == index]
        moved = [*joint.at, *model.bodies[index].com]
        moved += [item for child in follow for item in model.bodies[child].joint.at]
        if all(map(is_plain, moved)) and not model.forces and not model.constraints:
            back = [[com_key(index, k) for k in range(3)], *([at_key(child, k) for k in range(3)] for child in follow)]
            keys = [at_key(index, k) for k in range(3)]
            found["pole"] = {"kind": "shift", "keys": keys, "back": back, "digits": DIGITS, "centred": 0}
        return found

    def _handled(self, motion: Any) -> np.ndarray:
        """Place and axis of the joint, where an axis would pass through C, and the inertia at O, one frame."""
        model = motion.model
        joint = model.bodies[self.index].joint
        at = np.array([model.number(item) for item in joint.at])
        axis = tuple(model.number(item) for item in getattr(joint, "axis", (0.0, 0.0, 1.0)))
        chosen = PoleAndAxis(model, self.index, (0.0, 0.0, 0.0), axis)
        through = at + chosen.centre - (chosen.n @ chosen.centre) * chosen.n
        return np.array([[*at, *chosen.n, *through, *(chosen.tensor[i, j] for i, j in INERTIA_PAIRS)]])

    def show(self) -> None:
        """Arrows first, then the rotator looked at, then the tab in sight."""
        self._tick()
        self._found = result_or_error(lambda: self.motion.rotators(self.index))
        self._tables = {(id(self.motion), self.index): (self.motion, self._found)}
        self.draw(lambda: self.page_arrows(self.motion))
        with self.filling(self.handles, aloud=True):
            self._show_handles()
        if isinstance(self._found, Exception) or not self._rows:
            for part in (self.finding, self.waterfall, self.terms, self.strip):
                part.blank(explain_error(self._found) if isinstance(self._found, Exception) else NONE)
        else:
            if not self.rotator:
                self.terms.blank("")
            self.show_findings()
        self._forget_formula()
        with self.filling(self.alone, self.formula):
            self._show_alone(self._picked(self._rows))
        self._show_tab()

    def page_arrows(self, motion: Any) -> list[OwnArrow]:
        """The polygon, and the rotator that is looked at."""
        if isinstance(self._found, MbwidgetsError):  # the theory does not reach this mechanism: the tables say so
            return []
        table, rows = self._table_of(motion)
        if not rows:
            return []
        arrows = contribution_polygon(motion, table, rows, self.half, self.rotator)
        if (picked := self._picked(rows)) is not None:
            arrows += single_rotator_arrows(motion, table, picked, self.picture.stage.size)
        return arrows

    def page_fills(self) -> list[Fill]:
        """The table, the rotator that is looked at, the curves and the pressures."""
        found = [
            Fill(self.balance.plot, lambda motion: pressure_sizes(motion, self.index)),
            Fill(self.handles, self._handled, kind="handles"),
        ]
        if isinstance(self._found, Exception) or not self._rows:
            return found
        if all(self._picked(self._rows_of(half)) is not None for half in HALVES):
            found.append(Fill(self.alone, self._alone_values, ("half",), self._alone_look))
        table = Fill(self.table, self._table_values, ("half",), self._table_look)
        return [*self.findings(), table, Fill(self.plot, self._curve_values, ("half",), self._curves_look), *found]

    def page_never(self) -> list[Any]:
        """The rotator that is looked at, where it has a share in one half alone."""
        if isinstance(self._found, Exception) or self._picked(self._rows) is None:
            return []
        return [] if all(self._picked(self._rows_of(half)) is not None for half in HALVES) else [self.alone]

    def page_menus(self) -> list[Menu]:
        """The force, or the moment."""
        return [Menu("half", self._half, HALVES)]

    arrow_menus = ("half",)

    def _rows_of(self, half: str) -> list[RotatorFrames]:
        return rows_contributing_to(unwrap_result(self._found), half, self.kinds)

    def findings(self) -> list[Fill]:
        """Which rotator gives most, the waterfall of all, the law of the one that is looked at, the sum over time."""
        found = [
            Fill(self.finding, self._part_values, ("half",), self._finding_look),
            Fill(self.waterfall, self._part_values, ("half",), self._waterfall_look),
            Fill(self.strip, self._sum_sizes, ("half",), self._strip_look),
        ]
        if any(self._picked(self._rows_of(half)) is not None for half in HALVES):
            found.append(Fill(self.terms, self._law_values, ("half",), self._law_look))
        return found

    def _looked_at(self, rows: list[RotatorFrames]) -> RotatorFrames:
        """The row that is looked at, or an error that says where it has no share."""
        row = self._picked(rows)
        if row is None:
            raise ModelError(f"the chosen row has no share in the {self.half}")
        return row

    def _sum_sizes(self, motion: Any) -> np.ndarray:
        return self._part_values(motion)[:, -1]

    def _part_values(self, motion: Any) -> np.ndarray:
        return parts_along_sum(*self._table_of(motion), self.half)

    def _finding_look(self) -> dict[str, Any]:
        table, rows = self._table_of(self.motion)
        return Finding.look_of(
            f"Who carries the kinetic {self.half}?",
            finding_of_rotators(table, rows, self.half),
            len(rows) + 1,
            f"parts along {SUMS[self.half][0]}",
        )

    def _waterfall_look(self) -> dict[str, Any]:
        table, rows = self._table_of(self.motion)
        numbers = sorted({self.model.index(row.body) for row in rows})
        legend = [(str(k + 1), body_colour(k), self.model.bodies[k].name) for k in numbers]
        symbol, colour = SUMS[self.half]
        sums = (symbol, colour, QUANTITY[self.half])
        return Waterfall.look_of("", falls_of(table, rows), sums, UNITS[self.half], KINDS["own"], legend)

    def _strip_look(self) -> dict[str, Any]:
        symbol, colour = SUMS[self.half]
        return Strip.look_of(symbol, f"kinetic {self.half} in the joint {self.selected!r}", UNITS[self.half], colour)

    def _law_look(self) -> dict[str, Any]:
        row = self._looked_at(self._rows)
        return Terms.look_of("The chosen rotator", [law_terms(row, self.half)], f"along {SUMS[self.half][0]}")

    def _law_values(self, motion: Any) -> np.ndarray:
        table, rows = self._table_of(motion)
        return law_values(table, rows, self._looked_at(rows), self.half)

    def page_stale(self) -> list[Stale]:
        """How far a rotor is from balance is told of a whole motion."""
        return [Stale(self.balance.text, LATER)] if can_be_balanced(self.model) else []

    def _table_of(self, motion: Any) -> tuple[RotatorsFrames, list[RotatorFrames]]:
        """The rotators of a motion, traced ones too, and the rows that are shown of them."""
        key = (id(motion), self.index)
        if key not in self._tables:  # its numbers are made once, for arrows, tables and curves
            self._tables[key] = motion, result_or_error(lambda: motion.rotators(self.index))
        table: RotatorsFrames = unwrap_result(self._tables[key][1])
        return table, rows_contributing_to(table, self.half, self.kinds)

    @property
    def _rows(self) -> list[RotatorFrames]:
        """The rows that are shown, or the error that they ended with."""
        return rows_contributing_to(unwrap_result(self._found), self.half, self.kinds)

    def _tick(self) -> None:
        """Tick the boxes of the kinds shown; only those that carry force are there for the force."""
        self._ticking = True
        for kind, box in self._boxes.items():
            box.value = kind in self.kinds
            box.layout.display = "none" if self.half == "force" and kind not in ("own", "coupled") else None
        self._ticking = False

    def _picked(self, rows: list[RotatorFrames]) -> RotatorFrames | None:
        """The row that is looked at, where it is among those shown."""
        return next((row for row in rows if row.label.text == self.rotator), None)

    def _show_alone(self, row: RotatorFrames | None) -> None:
        if row is None:
            self.formula.value = (
                "<p style='line-height:1.4;margin:4px 2px'>Each arrow of the chain is one row of the table, |w| ℜ; "
                f"together they make the kinetic {self.half}. Click a row to see its rotator: "
                "u = w/|w| at its body, and ℜ from the tip of u.</p>"
            )
            self.alone.show(VECTOR, [], np.zeros((len(self.motion), 0, 4)))
            self._formula_of = None
            return
        self.alone.take(self._alone_look(), self._alone_values(self.motion))
        model, index, name, half = self.model, self.index, row.label.text, self.half
        wanted = (model_structure(model), index, name, half)
        if self._formula_of != wanted:  # the formula of another row does not stand beside this one's numbers
            self.formula.value = note_html("Its formula is on its way …")
        self._later(lambda: self._work(lambda: (wanted, _exact(model, index, name, half))))

    def _alone_look(self) -> dict[str, Any]:
        row = self._picked(self._rows)
        assert row is not None
        title = f"{row.label.text}: {row.kind}, body {row.body!r}"
        return Ledger.state_of(VECTOR, single_rotator_rows(row, self.half), title)

    def _alone_values(self, motion: Any) -> np.ndarray:
        row = self._picked(self._table_of(motion)[1])
        assert row is not None
        return np.stack([append_length(value) for value in single_rotator_vectors(row, self.half)], axis=1)

    def _forget_formula(self) -> None:
        """What is still being derived belongs to what was shown before."""
        self._later.cancel()
        self._work.cancel()

    def _typeset(self, found: tuple[Any, str]) -> None:
        self._formula_of, self.formula.value = found

    def _show_tab(self) -> None:
        if self.is_current:
            self._fill_tab(self.tabs.selected_index or 0)

    def fill_unseen(self) -> None:
        """All tabs and the formula, for a page."""
        for work in (self._later, self._work):
            work.finish()
        for tab in range(len(self.tabs.children)):
            self._fill_tab(tab)

    def _fill_tab(self, tab: int) -> None:
        if tab == 2:
            self.balance.show(self.motion, self.index)
            return
        curves = tab == 1
        with self.filling(self.plot if curves else self.table):
            (self._show_curves if curves else self._show_table)()

    def _show_table(self) -> None:
        empty = np.zeros((len(self.motion), 0, 7))
        self.table.take(self._table_look(), self._table_values(self.motion) if self._rows else empty)

    def _table_look(self) -> dict[str, Any]:
        title = f"Contributions to the kinetic {self.half} of joint {self.selected!r} at O, world axes"
        if not self._rows:
            return Ledger.state_of(COLUMNS, [], title, NONE)
        return Ledger.state_of(COLUMNS, contribution_table(unwrap_result(self._found), self._rows, self.half), title)

    def _table_values(self, motion: Any) -> np.ndarray:
        return contribution_table_values(*self._table_of(motion), self.half)

    def _show_curves(self) -> None:
        """|contribution| of the largest rows."""
        self.plot.take_curves(self._curves_look(), self.motion.t, self._curve_values(self.motion))

    def _curves_look(self) -> dict[str, Any]:
        names = self._largest()
        title = f"Largest contributions to the kinetic {self.half}, joint {self.selected!r}"
        return Plot.look_of(title, UNITS[self.half], names, SERIES[: len(names)])

    def _largest(self) -> list[str]:
        """Names of the rows that contribute most in the present motion; in a page they stay the same."""
        sizes = self._sizes_of(self._rows)
        return sorted(sizes, key=lambda name: -float(sizes[name].max(initial=0.0)))[:MOST]

    def _sizes_of(self, rows: list[RotatorFrames]) -> dict[str, np.ndarray]:
        return {row_name(row): lengths_of(rotator_contribution(row, self.half)) for row in rows}

    def _curve_values(self, motion: Any) -> np.ndarray:
        sizes, names = self._sizes_of(self._table_of(motion)[1]), self._largest()
        return np.stack([sizes[name] for name in names], axis=1) if names else np.zeros((len(motion), 0))

    def close(self) -> None:
        """Free every widget of the view, in the kernel and in the page."""
        self._later.cancel()
        self._work.close()
        close_tree(self.handles)
        super().close()


def _exact(model: Model, index: int, name: str, half: str) -> str:
    """The law of a rotator and its exact contribution, as HTML for MathJax."""
    row = rotators(model, index, seconds=3.0)[name]
    value, number = (row.contribution, "(54)") if half == "force" else (row.moment, "(55)")
    left = row.label.latex if row.kind in ("axial", "mixed") else f"|w|\\,{row.label.latex}"
    return f"$${row.label.latex} = {law_latex(row)}$$" + numbered_equations([(number, left, value, UNITS[half])])
