"""The view of mass moments: a body, a pole, an axis, and the vectors S, 𝔍 and D that belong to them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import ipywidgets
import numpy as np
import traitlets

from ...errors import ModelError
from ...model.library.spinning import rotor
from ...model.model import Model
from ...model.number_keys import INERTIA_PAIRS
from ...numeric.motion.traced_motion import TracedMotion
from ...numeric.packing.traced_numbers import greater, lengths_of, traced_where
from ...scene.look.arrow_bands import DASHES, PATTERN_OF
from ...scene.look.markers import Markers
from ...scene.look.palette import BLUE, QUANTITY, SKY
from ...scene.look.shapes import model_size
from ...scene.page.handles import Handle, Handles, Snap
from ...scene.stage.own_arrows import TRUE_LENGTH, OwnArrow
from ..base.lifetime import Debounced, close_tree
from ..edit.places import Place
from ..edit.pole_and_axis import (
    BALANCE_NUMBERS,
    LOOKS,
    PoleAndAxis,
    balance_sentences,
    joint_axis_or_z,
    three_numbers,
)
from ..parts.chains import Chain, Chains, Link
from ..parts.chart import Chart, Mark
from ..parts.finding import Finding
from ..parts.ledger import Entry, Ledger
from ..parts.terms import Term, TermRow, Terms
from .page_tables import Fill, Stale, own_number, reference_to
from .page_variants import Menu
from .vector_view import COMPONENTS, VECTOR, VectorView, append_length, beside_stage, own_place

__all__ = ["MassMomentsView"]

FIRST: Final = ("n", "static", "inertia", "axial", "deviation")
"""Vectors that are drawn at first."""
ROWS: Final = (
    ("n", "n", "axis", "1", QUANTITY["axis"], "n"),
    ("lever", "ρ_C", "pole to C", "m", QUANTITY["weight"], TRUE_LENGTH),
    ("mass", "M_n", "mass vector (40)", "kg", SKY, "mass"),
    ("static", "S_n", "static moment (41)", "kg m", QUANTITY["static"], "static"),
    ("inertia", "𝔍_n", "inertia moment (42)", "kg m²", QUANTITY["inertia"], "inertia"),
    ("axial", "J_n", "axial part J n (44)", "kg m²", BLUE, "inertia"),
    ("deviation", "D_n", "deviation (45)", "kg m²", QUANTITY["deviation"], "inertia"),
)
"""Key, symbol, words, unit, colour, scale: what shares a scale can be added by eye, 𝔍 = J n + D."""
SPLIT: Final = ("inertia", "axial", "deviation")
"""𝔍 = J n + D: where all three are drawn, dashes close their rectangle."""
RINGS: Final = {"kg m": PATTERN_OF["static"], "kg m²": PATTERN_OF["inertia"]}
"""Rings on the arrows of mass moments, by their units: one for each length in it."""
JOINT_LINE, FRAME_LINES = 6, (8, 10, 12)
"""Places of snaps of the axis: that of the joint, after those of three principal ones, and x, y, z."""
OWN: Final = ("azimuth", "elevation", "pole x", "pole y", "pole z")
"""Keys of the view's own sliders."""
LATER: Final = "The formulae for another pole, axis or body are derived in the notebook."
NO_COSINE: Final = 5e-16
"""What rounding leaves of a component of n that is zero: half of the last digit that is kept."""
ANGLES: Final = np.linspace(-90, 90, 181)
LONG: Final = {"n": 2.0, "inertia": 2.0}
"""How much longer than usual arrows of a scale are drawn: all begin at the pole, and their names stand clear of it."""
REACH: Final = 0.55
"""From the pole to the handle of the axis, as a share of the model's size."""
ROOM: Final = 0.95
"""Sizes of the model about its middle that are seen: a pole is dragged off the body, and its axis any way."""


class MassMomentsView(VectorView):
    """Mass moments of a body for a pole and an axis that are dragged in the picture, or moved by sliders and buttons.

    Parameters
    ----------
    model : a mechanism; an unbalanced rotor that turns slowly unless given
    body : name or index; the last one unless told
    options : those of `View`

    Besides the traits of `View`, ``axis`` (n) and ``pole``, both in body axes, the pole from O*, ``axes``, ``"body"``
    or ``"world"``, and ``vectors`` can be set and observed. A double click on a body puts the pole there.

    >>> view = mb.MassMomentsView(mb.library.rotor(), duration=0.2)
    >>> view.axis, view.pole
    ((0.0, 0.0, 1.0), (0.0, 0.0, 0.0))
    >>> view.close()
    """

    axis: Any = traitlets.Any((0.0, 0.0, 1.0))
    pole: Any = traitlets.Any((0.0, 0.0, 0.0))
    axes = traitlets.Enum(["body", "world"], "body")
    vectors = traitlets.Tuple(FIRST)
    opened = ("Axis n", "Pole")
    thinks = True
    python_alone = ("another body",)

    def __init__(self, model: Model | None = None, body: str | int | None = None, **options: Any) -> None:
        model = rotor().with_values(omega=2.0) if model is None else model
        index = len(model.bodies) - 1 if body is None else model.index(body)
        start = {"axis": joint_axis_or_z(model, index), "pole": (0.0, 0.0, 0.0)}
        super().__init__(model, model.bodies[index].name, **{**start, **options})

    @traitlets.validate("axis")
    def _check_axis(self, proposal: Any) -> tuple[float, ...]:
        n = three_numbers(proposal.value, "axis")
        length = math.hypot(*n)
        if length == 0:
            raise ModelError("the axis is the zero vector", where="axis", remedy="give a direction")
        # cos 90° becomes zero, and the moments are still those of the joint's own axis
        return tuple(round(item / length, 15) + 0.0 for item in n)

    @traitlets.validate("pole")
    def _check_pole(self, proposal: Any) -> tuple[float, ...]:
        return three_numbers(proposal.value, "pole")

    @property
    def chosen(self) -> PoleAndAxis:
        """The body with its pole and axis."""
        return PoleAndAxis(self.model, self.index, self.pole, self.axis)

    def arrange(self) -> list[Any]:
        """Toolbar; stage, vectors, ways to set pole and axis; formulae and the turning of n in tabs."""
        super().arrange()
        self.picture.room = ROOM
        self.picture.glass = True  # pole, axis and moments are inside the body
        self.markers = Markers(self.picture.stage.geometries, LOOKS)
        self.picture.adornments.append(self.markers)
        self.handles = self.page_solver.handles = Handles(self.picture, self._on_handle)
        self.table, self.chart = Ledger(player=self.picture.player), Chart()
        self.formulae = ipywidgets.HTMLMath()
        self.finding, self.terms = Finding(player=self.picture.player), Terms(player=self.picture.player)
        self.split = Chains(player=self.picture.player)
        self._later, self._azimuth = Debounced(0.05), 0.0
        self._axes = ipywidgets.ToggleButtons(options=["body", "world"], style={"button_width": "58px"})
        axis = [("joint", self._along_joint), *((name, self._along(k)) for k, name in enumerate(COMPONENTS))]
        axis += [(f"principal {k + 1}", self._along_principal(k)) for k in range(3)]
        pole = [("at O*", lambda: self._place((0, 0, 0))), ("at C", lambda: self._place(self.chosen.centre))]
        rows = [_buttons("axis n", axis), _buttons("pole", pole, ipywidgets.Label("components in axes of"), self._axes)]
        self._setters = [row.children[1 : 1 + len(made)] for row, made in zip(rows, (axis, pole), strict=True)]
        self.tabs = ipywidgets.Tab([self.formulae, self.chart], titles=("Formulae", "Turn the axis"))
        right = (self.finding, self.split, self.table, *rows, self.controls)
        return [self.toolbar, beside_stage(self.scene, *right, below=(self.terms,)), self.tabs]

    def _connect(self) -> None:
        self.observe(self._on_selected, "selected")
        super()._connect()
        self._links.append(traitlets.link((self, "axes"), (self._axes, "value")))
        self.observe(lambda _: self.refresh(), ["axis", "pole", "axes", "vectors"])
        self.table.observe(lambda change: self.set_trait("vectors", tuple(change.new)), "chosen")
        self.tabs.observe(lambda _: self._show_tab(), "selected_index")
        self.picture.stage.picker.observe(self._on_point, "point")

    def _on_selected(self, change: Any) -> None:
        """Another body has its own axis and its own O*."""
        with self.hold_trait_notifications():
            self.axis, self.pole = joint_axis_or_z(self.model, self.index), (0.0, 0.0, 0.0)

    def _on_point(self, change: Any) -> None:
        """A double click on a body puts the pole there; while it plays, nobody could aim."""
        mesh = self.picture.stage.picker.object
        if mesh is None or self.playing or self.motion is None:
            return
        found = self.picture.body_of(mesh)
        index = self.index if found is None else found  # the ellipsoid and the marks belong to the selected body
        self.selected = self.model.bodies[index].name
        frame = self.motion.index(self.time)
        away = self.picture.point_at(change.new, frame) - self.motion.poses[0][frame, index]
        self._place(self.motion.rotations[frame, index].T @ away)

    def _place(self, pole: Any) -> None:
        self.pole = tuple(round(float(item), 9) for item in pole)

    def _on_handle(self, key: str, value: np.ndarray) -> None:
        """The pole or the axis was dragged in the picture."""
        if key == "pole":
            self._place(value)
        else:
            self.axis = tuple(float(item) for item in value)

    def _show_handles(self) -> None:
        chosen, home, reach = self.chosen, self.picture.bodies[self.index].group, REACH * self.picture.stage.size
        points = [Snap((0.0, 0.0, 0.0), "O*"), Snap(chosen.centre, "C, the mass centre")]
        lines = [Snap(sign * n, text) for n, text in self._special_axes() for sign in (1.0, -1.0)]
        pole = Handle("pole", "Pole", "pole", LOOKS["pole"][0], home, self.pole, unit="m", snaps=points)
        axis = Handle("axis", "Axis n", "n", BLUE, home, self.pole, self.axis, reach, snaps=lines)
        turns, places = self._setters
        rules = {
            "axis": {"kind": "angles", "keys": list(OWN[:2])},
            "pole": {"kind": "point", "keys": list(OWN[2:]), "centred": 1},
            "clicked": "pole",
            "body": self.index,
            "buttons": [
                *_setting("axis", turns, [JOINT_LINE, *FRAME_LINES, 0, 2, 4]),
                *_setting("pole", places, range(2)),
            ],
        }
        self.handles.show([axis, pole], rules)

    def _handled(self, motion: Any) -> np.ndarray:
        """Pole, n, mass centre, and the inertia at the pole, one frame: where handles are."""
        chosen = self.chosen_in(motion)
        tensor = [chosen.tensor[i, j] for i, j in INERTIA_PAIRS]
        return np.array([[*chosen.pole, *chosen.n, *chosen.centre, *tensor]])

    def _special_axes(self) -> list[tuple[np.ndarray, str]]:
        """Directions that an axis is drawn to: the principal ones at the pole, the joint's, those of the body."""
        principal = [(n, f"principal axis {k + 1}: D = 0") for k, n in enumerate(self.chosen.principal.T)]
        return [
            *principal,
            (np.array(joint_axis_or_z(self.model, self.index)), "axis of the joint"),
            *zip(np.eye(3), COMPONENTS, strict=True),
        ]

    def _along_joint(self) -> None:
        self.axis = joint_axis_or_z(self.model, self.index)

    def _along(self, k: int) -> Callable[[], None]:
        return lambda: self.set_trait("axis", tuple(float(k == j) for j in range(3)))

    def _along_principal(self, k: int) -> Callable[[], None]:
        return lambda: self.set_trait("axis", tuple(self.chosen.principal[:, k]))

    def _angles(self) -> tuple[float, float]:
        """Azimuth and elevation of n, degrees."""
        x, y, z = self.axis
        if math.hypot(x, y) > 1e-9:  # upright, n has no azimuth: the slider keeps the last one
            self._azimuth = math.degrees(math.atan2(y, x))
        return self._azimuth, math.degrees(math.asin(max(-1.0, min(1.0, z))))

    def own_numbers(self) -> dict[str, float]:
        """The angles of n and the coordinates of the pole, as their sliders have them."""
        return dict(zip(OWN, (*self._angles(), *self.pole), strict=True))

    def chosen_in(self, motion: Any) -> PoleAndAxis:
        """The body of a motion with the pole and the axis: traced ones where its numbers are."""
        if not isinstance(motion, TracedMotion):
            return PoleAndAxis(motion.model, self.index, self.pole, self.axis)
        azimuth, elevation, *pole = (own_number(motion, key, 0.0) for key in OWN)
        a, e = (math.pi / 180.0 * angle for angle in (azimuth, elevation))
        axis = np.array([e.cos() * a.cos(), e.cos() * a.sin(), e.sin()])
        # cos 90° becomes zero, as in the trait
        axis = traced_where(greater(np.abs(axis), NO_COSINE), axis, 0.0)
        return PoleAndAxis(motion.model, self.index, tuple(pole), tuple(axis))

    def own_places(self) -> list[Place]:
        """Two angles of n, three coordinates of the pole."""
        now = self._angles()

        def turn(k: int, value: float) -> None:
            azimuth, elevation = (math.radians(value if j == k else now[j]) for j in range(2))
            self._azimuth = math.degrees(azimuth)
            level = math.cos(elevation)
            self.axis = (level * math.cos(azimuth), level * math.sin(azimuth), math.sin(elevation))

        def angle(k: int, name: str, limit: float) -> Place:
            return own_place(name, "Axis n", name, "°", (-limit, limit), lambda: now[k], lambda value: turn(k, value))

        def coordinate(k: int, name: str) -> Place:
            def shift(value: float) -> None:
                self._place([value if j == k else item for j, item in enumerate(self.pole)])

            return own_place(f"pole {name}", "Pole", name, "m", span, lambda: float(self.pole[k]), shift)

        size = model_size(self.origin)
        span = (min(-size, *self.pole), max(size, *self.pole))
        coordinates = [coordinate(k, name) for k, name in enumerate(COMPONENTS)]
        return [angle(0, "azimuth", 180.0), angle(1, "elevation", 90.0), *coordinates]

    def show(self) -> None:
        """Arrows and marks first, then the table, the verdict and the tab in sight."""
        self.draw(lambda: self.page_arrows(self.motion))
        with self.filling(self.markers, aloud=True):
            marks = self.chosen.marks(self.picture.stage.size)
            self.markers.show(self.picture.bodies[self.index].group, marks)
        with self.filling(self.handles, aloud=True):
            self._show_handles()
        with self.filling(self.table):
            self.table.take(self._table_look(), self._table_values(self.motion))
            self.table.chosen = [row["key"] for row in self.table.rows if row["key"] in self.vectors]
        self.show_findings()
        self._show_tab()

    def page_fills(self) -> list[Fill]:
        """The table; pole, axis and their marks, and the turning of n, which are those of all frames."""
        table = Fill(self.table, self._table_values, ("axes",), self._table_look)
        chart = Fill(self.chart, lambda motion: self.chosen_in(motion).turned(ANGLES)[None], kind="chart")
        marks = [Fill(mesh, self._mark(name), kind="mark") for name, mesh in self.markers.meshes.items()]
        return [*self.findings(), table, *marks, chart, Fill(self.handles, self._handled, kind="handles")]

    def findings(self) -> list[Fill]:
        """What S and D say about the axis; 𝔍 split in the plane of n and 𝔍; what J_n is made of."""
        return [
            Fill(self.finding, self._finding_numbers, look=self._finding_look),
            Fill(self.split, self._split_vectors, look=_split_look),
            Fill(self.terms, self._term_values, look=self._terms_look),
        ]

    def _finding_numbers(self, motion: Any) -> np.ndarray:
        found = self.chosen_in(motion).verdict_numbers(model_size(self.model))
        return np.broadcast_to(found, (len(motion), BALANCE_NUMBERS))

    def _finding_look(self) -> dict[str, Any]:
        return Finding.look_of("What the axis must hold", balance_sentences(), BALANCE_NUMBERS)

    def _split_vectors(self, motion: Any) -> np.ndarray:
        """𝔍, J n and D in their plane: along D, along n, nothing across   (42), (44), (45)."""
        world = self._vectors(motion)
        axial, across = (world["axial"] * world["n"]).sum(axis=1), lengths_of(world["deviation"])
        zero = 0 * across
        found = ((across, axial, zero), (zero, axial, zero), (across, zero, zero))
        return np.stack([np.stack(vector, axis=1) for vector in found], axis=1)

    def _term_values(self, motion: Any) -> np.ndarray:
        """J_n, the same for the parallel axis through C, and what their distance adds   (Huygens, Steiner)."""
        chosen = self.chosen_in(motion)
        at_pole, at_centre = (
            motion.mass_moments(self.index, chosen.axis, place).axial for place in (chosen.pole, chosen.centre)
        )
        return np.stack([at_pole, at_centre, at_pole - at_centre], axis=1)

    def _terms_look(self) -> dict[str, Any]:
        names = ("J_n", "J_{nC}", "M d^{2}")
        terms = [Term(before, name, BLUE, "axial") for before, name in zip(("", "=", "+"), names, strict=True)]
        row = TermRow("", "(44)", tuple(terms), "kg m²")
        return Terms.look_of("The axial moment", [row], "d from C to the axis")

    def _mark(self, name: str) -> Callable[[Any], np.ndarray]:
        return lambda motion: self.chosen_in(motion).marked()[name]

    def page_stale(self) -> list[Stale]:
        """Formulae have the numbers of pole, axis and body in them; parameters are letters."""
        return [Stale(self.formulae, LATER, tuple(f"parameter {name}" for name in self.model.parameters))]

    def page_menus(self) -> list[Menu]:
        """The axes in which components are told."""
        return [Menu("axes", self._axes, ("body", "world"))]

    def every_arrow(self) -> dict[str, Any]:
        """Those of all rows."""
        return {"vectors": tuple(row[0] for row in ROWS)}

    def vector_table(self) -> Any:
        """That of vectors."""
        return self.table

    def ticks_in_page(self) -> str:
        """Id of the table."""
        return str(self.table.model_id)

    def page_arrows(self, motion: Any) -> list[OwnArrow]:
        """Those of the ticked rows."""
        chosen, world = self.chosen_in(motion), self._vectors(motion)
        at = motion.poses[0][:, self.index] + motion.rotations[:, self.index] @ np.array(chosen.pole)
        return [
            OwnArrow(
                key,
                _label(symbol),
                colour,
                at,
                world[key],
                scale,
                magnify=LONG.get(scale, 1.0),
                unit=unit,
                pattern=RINGS.get(unit, ""),
            )
            for key, symbol, _, unit, colour, scale in ROWS
            if key in self.vectors
        ] + (_closing_dashes(at, world) if set(SPLIT) <= set(self.vectors) else [])

    def _table_look(self) -> dict[str, Any]:
        rows = [Entry(key, symbol, name, unit, colour, tick=True) for key, symbol, name, unit, colour, _ in ROWS]
        return Ledger.state_of(VECTOR, rows, f"Mass moments of {self.selected!r} in {self.axes} axes")

    def _table_values(self, motion: Any) -> np.ndarray:
        world = self._vectors(motion)
        if self.axes == "body":
            turns = motion.rotations[:, self.index]
            world = {key: np.einsum("fji,fj->fi", turns, value) for key, value in world.items()}
        return np.stack([append_length(world[key]) for key, *_ in ROWS], axis=1)

    def _vectors(self, motion: Any) -> dict[str, np.ndarray]:
        """The vectors by key, world axes (frames, 3)."""
        chosen, turns = self.chosen_in(motion), motion.rotations[:, self.index]
        found = motion.mass_moments(self.index, chosen.axis, chosen.pole)
        vectors = {name: getattr(found, name) for name in ("mass", "static", "inertia", "deviation")}
        return {"n": found.axis, "lever": turns @ chosen.lever, "axial": found.axial[:, None] * found.axis, **vectors}

    def fill_unseen(self) -> None:
        """Both tabs, for a page."""
        self._show_formulae()
        self._show_chart()

    def _show_tab(self) -> None:
        if self.tabs.selected_index == 1:
            self._show_chart()
        else:
            self._later(self._show_formulae)

    def _show_formulae(self) -> None:
        with self.filling(self.formulae):
            self.formulae.value = self.chosen.formulae()

    def _show_chart(self) -> None:
        with self.filling(self.chart):
            self._draw_chart()

    def _draw_chart(self) -> None:
        colours = (BLUE, QUANTITY["deviation"])
        title = "n turned in the plane of n and 𝔍: where D vanishes J is stationary, and n is a principal axis, kg m²"
        self.chart.show(
            ANGLES,
            self.chosen.turned(ANGLES),
            ["J", "|D|"],
            colours,
            title=title,
            along="angle, °",
            marks=[Mark(0, "n", QUANTITY["axis"])],
        )

    def close(self) -> None:
        """Free every widget of the view, in the kernel and in the page."""
        self._later.cancel()
        self.markers.close()
        close_tree(self.handles)
        super().close()


def _closing_dashes(at: np.ndarray, world: dict[str, np.ndarray]) -> list[OwnArrow]:
    """The other two sides of the rectangle whose diagonal is 𝔍 and whose sides are J n and D."""
    scale = "inertia"
    look: dict[str, Any] = {"magnify": LONG[scale], "unit": "kg m²", "pattern": DASHES, "ticks": SPLIT}
    axial, deviation = world["axial"], world["deviation"]
    return [
        OwnArrow("beside J n", " ", BLUE, at, axial, scale, offset=deviation, **look),
        OwnArrow("beside D", " ", QUANTITY["deviation"], at, deviation, scale, offset=axial, **look),
    ]


def _split_look() -> dict[str, Any]:
    links = (Link("J_{n}n", BLUE, "axial"), Link("D_n", QUANTITY["deviation"], "deviation"))
    chain = Chain("𝔍 = J n + D", "from the pole", links)
    total = Link("𝔍_n", QUANTITY["inertia"], "inertia")
    return Chains.look_of("In the deviation plane", total, [chain], "seen across the plane of n and 𝔍", upright="n")


def _label(symbol: str) -> str:
    """A symbol of the table as plain text; there is no small C."""
    return symbol.replace("_n", "ₙ").removesuffix("_C")


def _setting(key: str, buttons: Sequence[Any], snaps: Iterable[int]) -> list[dict[str, Any]]:
    """For JSON: which snap of a handle each button puts it to."""
    return [
        {"button": reference_to(button), "key": key, "snap": snap} for button, snap in zip(buttons, snaps, strict=True)
    ]


def _buttons(text: str, actions: list[tuple[str, Callable[[], None]]], *more: Any) -> Any:
    """A label and small buttons in a row."""
    made = [ipywidgets.Label(text, layout={"width": "48px"})]
    for name, action in actions:
        button = ipywidgets.Button(description=name, layout={"width": "auto", "padding": "0 8px"})
        button.on_click(lambda _, action=action: action())
        made.append(button)
    return ipywidgets.HBox([*made, *more], layout={"flex_flow": "row wrap", "grid_gap": "2px"})
