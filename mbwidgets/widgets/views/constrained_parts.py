"""What the view of constrained motion shows: guides, forces of constraints, L_λ and L_τ, drift, figures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np

from ...errors import MbwidgetsError
from ...export.figures import CURVES, tataru_values
from ...model.model import Model
from ...numeric.base.rotations import farthest_axis, unit_vector
from ...numeric.motion.constraint_forces import ConstraintForce
from ...numeric.motion.euler_angles import euler_angles
from ...numeric.motion.motion import Motion
from ...numeric.motion.traced_motion import TracedMotion, evaluated, present_of
from ...numeric.packing.traced_numbers import lengths_of
from ...numeric.simulation.simulate import simulate
from ...numeric.states.constraint_routes import ROUTES
from ...numeric.states.constraint_system import constraints_of_equations
from ...numeric.states.dynamics import Dynamics
from ...scene.look.arrow_bands import PATTERN_OF
from ...scene.look.palette import BLUE, GREEN, ORANGE, QUANTITY, SKY, VERMILLION
from ...scene.quantities.registry import as_subscript
from ...scene.stage.own_arrows import OwnArrow
from ...symbolic.papers.constrained import Constrained, constrained
from ..base.lifetime import escape
from ..parts.ledger import Column, Entry
from ..parts.matrices import Block, Matrix
from ..text.numerals import scientific
from ..text.paragraphs import BAD, GOOD, displayed_formula, heading_html, note_html
from ..text.sentences import Case, Pick, Sentences, small
from ..text.typesetting import READABLE

__all__ = [
    "DRIFTS",
    "acceleration_routes_text",
    "constraint_arrows",
    "constraint_force_table",
    "constraint_formulae_html",
    "drift_by_stabilisation",
    "euler_angle_rows",
    "exact_constraints",
    "guide_paths",
    "held_numbers",
    "held_sentences",
    "held_sides",
    "jacobian_and_complement_matrices",
    "one_body",
    "paper_figure_curves",
    "rank_badge",
]

DRIFTS: Final = {"projection": BLUE, "baumgarte": ORANGE, "none": VERMILLION}
"""Ways to hold the drift down, with the colours of their curves."""
FLOOR: Final = -17.0
"""log₁₀ of what rounding leaves."""
SECONDS: Final = 4.0
LARGEST: Final = 20
EXACT: Final = 6
"""Velocities of a model whose constraints are still derived as formulae."""
LETTERS: Final = {"force": "R", "moment": "M"}
KINDS: Final = {
    "point": "the pin",
    "weld": "the weld",
    "distance": "the rod",
    "on_circle": "the circle",
    "on_line": "the line",
    "on_plane": "the plane",
    "on_sphere": "the sphere",
    "on_curve": "the curve",
}
"""Constraints that hold by a force, in a word."""
HELD: Final = 1e-9
"""Of the largest constraint force of a motion: what is smaller is rounding."""
FRAMES: Final = 12
"""Of a motion, in which the routes are compared."""
FIGURES: Final = {
    **{n: (f"Figure {n}: {words}", unit, colour) for n, (_, words, unit, colour) in CURVES.items()},
    8: ("Figure 8: path of the mass centre C", "m", BLUE),
}
"""Title, unit and colour of the paper's figures."""
TURN: Final = np.linspace(0.0, 2.0 * np.pi, 121)


def exact_constraints(model: Model) -> Constrained | None:
    """The exact constraints, where they have a form of that kind and are short enough to be waited for."""
    if model.nv > EXACT:
        return None
    try:
        found = constrained(model, seconds=SECONDS)
        _ = found.L_lambda
    except MbwidgetsError:
        return None
    return found


def guide_paths(model: Model, size: float) -> list[np.ndarray]:
    """Circles and lines of the ground to which points are bound, as paths (k, 3)."""
    found = []
    for item in model.constraints:
        if item.type == "on_circle":
            centre, n = _numbers(model, item.centre), unit_vector(_numbers(model, item.normal))
            a, b = _across(n)
            radius = model.number(item.radius)
            found.append(centre + radius * (np.outer(np.cos(TURN), a) + np.outer(np.sin(TURN), b)))
        elif item.type == "on_line":
            point, d = _numbers(model, item.point), unit_vector(_numbers(model, item.direction))
            found.append(point + np.outer([-size, size], d))
        elif item.type == "on_sphere":
            centre, radius = _numbers(model, item.centre), model.number(item.radius)
            for i, j in ((0, 1), (1, 2), (2, 0)):
                ring = np.zeros((len(TURN), 3))
                ring[:, i], ring[:, j] = radius * np.cos(TURN), radius * np.sin(TURN)
                found.append(centre + ring)
    return found


def one_body(model: Model) -> bool:
    """Whether it is one free body, as the paper's."""
    return len(model.bodies) == 1 and model.bodies[0].joint.type == "free"


def _numbers(model: Model, values: Any) -> np.ndarray:
    return np.array([model.number(part) for part in values])


def _across(n: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    start = farthest_axis(n)
    first = unit_vector(start - (start @ n) * n)
    return first, np.cross(n, first)


def held_sides(motion: Any) -> list[ConstraintForce]:
    """What constraints do to bodies by forces; a constraint between two bodies is told of its first one."""
    met, found = set[int](), []
    for item, present in zip(motion.constraint_forces, present_of(motion).constraint_forces, strict=True):
        if item.body is not None and item.constraint not in met and np.abs(present.force).max(initial=0.0) > 0.0:
            met.add(item.constraint)
            found.append(item)
    return found


def held_numbers(motion: Any) -> np.ndarray:
    """1, then the sizes of the forces of `held_sides`, N (frames, 1 + k)."""
    sizes = [lengths_of(item.force) for item in held_sides(motion)]
    first = np.ones(len(motion)) + (0 * sizes[0] if sizes else 0.0)
    return np.stack([first, *sizes], axis=1)


def held_sentences(motion: Motion) -> Sentences:
    """How many ways to move are forbidden and left, and which constraint holds hardest, of `held_numbers`."""
    sides, ways, rank = held_sides(motion), motion.model.nv, motion.closure.rank
    of = "way" if ways == 1 else "ways"
    count = Case(f"*{ways} {of} to move: {rank} forbidden, {ways - rank} left.*")
    largest = max((float(np.abs(item.force).max(initial=0.0)) for item in sides), default=0.0)
    names = tuple(text for item in sides for text in (_kind_in_words(motion.model, item), str(item.body)))
    words = tuple(f"[R_{item.constraint + 1}], {{@{2 * k}}}, holds *{{@{2 * k + 1}}}*" for k, item in enumerate(sides))
    picks = {"hardest": Pick(tuple(range(1, 1 + len(sides))), words)} if sides else {}
    colours = {f"R_{item.constraint + 1}": QUANTITY["constraint force"] for item in sides}
    force = (
        Case("No constraint holds anything now.", (small("hardest", HELD * largest, 0),)),
        Case("{hardest} with *{hardest:N}*" + (", the hardest of all." if len(sides) > 1 else ".")),
    )
    return Sentences(((count,), *((force,) if sides else ())), picks, names, colours)


def _kind_in_words(model: Model, item: ConstraintForce) -> str:
    return KINDS.get(model.constraints[item.constraint].type, "the constraint")


class _Acting(NamedTuple):
    """What one constraint does to one body: its force, or its moment about the point."""

    key: str
    half: str
    sign: str
    action: ConstraintForce
    value: np.ndarray
    unit: str

    @property
    def number(self) -> int:
        """Of the constraint, from 1."""
        return self.action.constraint + 1

    @property
    def letter(self) -> str:
        """R or M; on the second body of a constraint −R or −M."""
        return self.sign + LETTERS[self.half]


def _acting(motion: Any) -> Iterator[_Acting]:
    """Force and moment of every constraint on its bodies, where there are any; the ground's side is left out."""
    met: set[int] = set()
    present = present_of(motion).constraint_forces
    for place, (action, shown) in enumerate(zip(motion.constraint_forces, present, strict=True)):
        if action.body is None:
            continue
        sign = "−" if action.constraint in met else ""
        met.add(action.constraint)
        for half, value, unit in (("force", action.force, "N"), ("moment", action.moment, "N m")):
            if np.abs(np.nan_to_num(getattr(shown, half))).max(initial=0.0) > 1e-9:
                yield _Acting(f"{half} {place}", half, sign, action, value, unit)


def constraint_arrows(motion: Any) -> list[OwnArrow]:
    """Force and moment of every constraint on its bodies, named as in the table."""
    return [
        OwnArrow(
            item.key,
            item.letter + as_subscript(str(item.number)),
            QUANTITY[f"constraint {item.half}"],
            item.action.point,
            item.value if item.value.dtype == object else np.nan_to_num(item.value),
            item.unit,
            item.half == "moment",
            body=None if item.action.body is None else motion.model.index(item.action.body),
            pattern=PATTERN_OF[f"constraint {item.half}"],
        )
        for item in _acting(motion)
    ]


def constraint_force_table(motion: Any) -> tuple[list[Column], list[Entry], np.ndarray]:
    """Multipliers, and the force of each constraint on its bodies: columns, rows, (frames, rows, 4)."""
    columns = [Column("λ"), *(Column(name) for name in "xyz")]
    rows, values = [], []
    nothing = np.full((len(motion), 3), np.nan)
    made_by: dict[int, list[str]] = {}
    for k, owner in enumerate(constraints_of_equations(motion.packed)):
        words = motion.model.constraints[owner].type.replace("_", " ")
        rows.append(Entry(f"λ{k + 1}", f"λ_{k + 1}", f"constraint {owner + 1}: {words}", "", GREEN, "Multipliers"))
        values.append(np.column_stack([motion.multipliers[:, k], nothing]))
        made_by.setdefault(owner, []).append(f"λ{as_subscript(str(k + 1))}")
    group = "What the constraints do to the bodies, world axes"
    for item in _acting(motion):
        made = made_by[item.action.constraint]
        listed = ", ".join(made) if len(made) < 4 else f"{made[0]} … {made[-1]}"
        symbol, name = f"{item.letter}_{item.number}", f"on {item.action.body}, from {listed}"
        rows.append(Entry(item.key, symbol, name, item.unit, QUANTITY[f"constraint {item.half}"], group))
        values.append(np.column_stack([np.full(len(motion), np.nan), item.value]))
    return columns, rows, np.stack(values, axis=1)


def euler_angle_rows(motion: Any) -> tuple[list[Entry], np.ndarray, str]:
    """Ψ, θ, φ of one free body as rows (frames, 3, 4), and what to say of them; none for other models."""
    model = motion.model
    if not one_body(model):
        return [], np.zeros((len(motion), 0, 4)), ""
    angles = euler_angles(motion.q[:, 3:7])
    names = (("Ψ", "precession"), ("θ", "nutation"), ("φ", "rotation"))
    rows = [Entry(letter, letter, name, "rad", SKY, "Euler's angles 3-1-3 of R₁₀ (37)-(40)") for letter, name in names]
    values = np.full((len(motion), 3, 4), np.nan, dtype=angles.nutation.dtype)
    for k, value in enumerate(angles[:3]):
        values[:, k, 0] = value
    return rows, values, euler_angles(present_of(motion).q[:, 3:7]).words


def rank_badge(motion: Motion) -> str:
    """Equations, rank, freedom, in HTML."""
    closure = motion.closure
    good = closure.unique
    mark, colour = ("●", GOOD) if good else ("▲", BAD)
    words = "λ is unique" if good else "λ is not unique, its wrench is"
    kinds = ", ".join(sorted({escape(item.type.replace("_", " ")) for item in motion.model.constraints}))
    return (
        f"<b style='color:{colour}'>{mark} rank {closure.rank} of {closure.equations}</b> · "
        f"{closure.freedom} of {motion.model.nv} degrees of freedom left · {words} · {kinds}"
    )


def jacobian_and_complement_matrices(motion: Any, exact: Constrained | None, form: str) -> list[Matrix]:
    """L_λ and L_τ over the frames, on u or in the paper's form."""
    rows = [f"λ_{k + 1}" for k in range(present_of(motion).closure.equations)]
    if form == "paper" and exact is not None:
        across, along = evaluated(exact.paper.L_lambda, motion), evaluated(exact.paper.L_tau, motion)
        columns = ["v_x1", "v_y1", "v_z1", "ω_x1", "ω_y1", "ω_z1"]
        notes = "on (v of O₁, ω), body axes (42)", "orthogonal complement (64)"
    else:
        across = motion.jacobian if isinstance(motion, TracedMotion) else motion.closure.jacobian
        along = _complement(motion, exact)
        columns = [f"u_{k + 1}" for k in range(motion.model.nv)]
        notes = "on the velocities u (42)", "orthogonal complement (48)"
    names = [f"τ_{k + 1}" for k in range(along.shape[-1])]
    held, free = ([name.replace("_", "") for name in item] for item in (rows, names))
    width = len(columns)
    return [
        Matrix("L_λ", across, rows, columns, [Block("", (0, len(rows)), (0, width), VERMILLION)], notes[0], held),
        Matrix("L_τ", along, columns, names, [Block("", (0, width), (0, len(names)), BLUE)], notes[1], (), free),
    ]


def acceleration_routes_text(motion: Motion) -> str:
    """How far u̇ by the null space, by multipliers and by Udwadia-Kalaba are apart in some frames, in words."""
    try:
        system, gap = Dynamics(motion.model), 0.0
        for k in np.unique(np.linspace(0, len(motion) - 1, FRAMES).astype(int)):
            found = [system.constraints(motion.q[k], motion.u[k], t=motion.t[k], route=name) for name in ROUTES]
            ud = np.array([state.accelerations for state in found])
            gap = max(gap, float(np.ptp(ud, axis=0).max() / max(np.abs(ud).max(), 1e-300)))
    except MbwidgetsError as error:
        return escape(error)
    return (
        f"u̇ by the null space, by multipliers and by Udwadia-Kalaba: largest relative difference {scientific(gap, 0)}"
    )


def _complement(motion: Any, exact: Constrained | None) -> np.ndarray:
    """L_τ (frames, nv, freedom): the paper's basis, else orthonormal ones that turn as little as they can."""
    if exact is not None and one_body(motion.model):
        try:
            basis = evaluated(exact.L_tau, present_of(motion))
            if np.isfinite(basis).all() and (np.abs(basis).max(axis=-2) > 1e-6).all():
                return evaluated(exact.L_tau, motion)
        except MbwidgetsError:
            pass
    if isinstance(motion, TracedMotion):  # a basis of the rest is found by comparing numbers
        return np.full((1, motion.model.nv, motion.present.closure.freedom), np.nan)
    rank = motion.closure.rank
    _, _, rows = np.linalg.svd(motion.closure.jacobian)
    found = np.swapaxes(rows[:, rank:], 1, 2).copy()
    for k in range(1, len(found)):  # the nearest basis to that of the frame before
        u, _, v = np.linalg.svd(found[k].T @ found[k - 1])
        found[k] = found[k] @ (u @ v)
    return found


def constraint_formulae_html(exact: Constrained | None) -> str:
    """Φ, L_λ, L_τ, γ and the paper's matrices, in HTML with LaTeX."""
    if exact is None:
        return note_html(
            "These constraints have no exact form within the time given; the numbers are in the first tab."
        )
    parts: list[tuple[str, str, Any]] = [
        ("Constraints Φ = 0", "(23)-(26)", lambda: (r"\Phi", exact.equations)),
        ("L<sub>λ</sub> on u", "(42), (43)", lambda: (r"L_\lambda", exact.L_lambda)),
        ("L<sub>τ</sub> on u", "(48), (64)", lambda: (r"L_\tau", exact.L_tau)),
        ("γ = −L̇<sub>λ</sub> u", "(50)", lambda: (r"\gamma", exact.gamma)),
    ]
    if one_body(exact.model):
        paper = exact.paper
        parts += [
            ("S<sub>O1</sub>, body axes", "(4)", lambda: ("S_{O_1}", paper.S)),
            ("J<sub>O1</sub>, body axes", "(6)", lambda: ("J_{O_1}", paper.J)),
            ("M<sub>O1</sub>, body axes", "(2)", lambda: ("M_{O_1}", paper.M)),
            ("Ω, body axes", "(11), + [ω][J]", lambda: (r"\Omega", paper.Omega)),
        ]
    text = [
        displayed_formula(
            r"\begin{bmatrix} L_\tau^{T} M \\ L_\lambda \end{bmatrix}\dot v ="
            r"\begin{bmatrix} L_\tau^{T}(Q^{g}+Q) \\ -\dot L_\lambda v \end{bmatrix},\qquad"
            r"\lambda = (L_\lambda L_\lambda^{T})^{-1} L_\lambda (M\dot v - Q^{g} - Q)"
        )
    ]
    for title, number, make in parts:
        text.append(heading_html(title, number, BLUE))
        try:
            name, found = make()
            too_long = found.terms > READABLE
            text.append(
                note_html(f"{found.terms:,} terms are more than can be read ({READABLE}).")
                if too_long
                else displayed_formula(f"{name} = {found.latex(named=False)}")
            )
        except MbwidgetsError as error:
            text.append(note_html(escape(error)))
    return "".join(text)


def drift_by_stabilisation(
    model: Model, duration: float, step: float
) -> dict[str, tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """t, log₁₀ of the constraints' residual and of the energy's error, for each way to hold the drift down; RK4."""
    found = {}
    for name in DRIFTS:
        motion = simulate(model, duration=duration, rate=50, method="rk4", step=step, stabilise=name)
        residual, energy = motion.constraint_residual, np.abs(motion.energy_error)
        found[name] = motion.t, _logarithm(residual), _logarithm(energy)
    return found


def _logarithm(values: np.ndarray) -> np.ndarray:
    return np.asarray(np.log10(np.maximum(np.nan_to_num(values, nan=1.0), 10.0**FLOOR)))


def paper_figure_curves(motion: Any) -> dict[int, tuple[str, str, str, np.ndarray]]:
    """Title, unit, colour and values of the paper's figures; of 8 the path."""
    found = tataru_values(motion)
    return {n: (*look, found[n]) for n, look in FIGURES.items()}
