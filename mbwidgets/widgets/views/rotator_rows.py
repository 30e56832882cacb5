"""What the view of rotators shows: the table of contributions, the polygon that they make, and one rotator alone."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ...numeric.motion.motion import Motion
from ...numeric.motion.rotators import RotatorFrames, RotatorsFrames
from ...numeric.packing.traced_numbers import lengths_of, traced_where
from ...scene.look.arrow_bands import STRIPES
from ...scene.look.palette import QUANTITY, body_colour
from ...scene.quantities.reading import kinematics_of
from ...scene.quantities.registry import as_subscript
from ...scene.stage.own_arrows import TRUE_LENGTH, OwnArrow
from ..parts.ledger import Column, Entry
from ..parts.terms import Term, TermRow
from ..parts.waterfall import Fall
from ..text.sentences import Case, Pick, Sentences, below, small

__all__ = [
    "COLUMNS",
    "KINDS",
    "UNITS",
    "contribution_polygon",
    "contribution_table",
    "contribution_table_values",
    "falls_of",
    "finding_of_rotators",
    "law_latex",
    "law_terms",
    "law_values",
    "parts_along_sum",
    "rotator_contribution",
    "row_name",
    "rows_contributing_to",
    "single_rotator_arrows",
    "single_rotator_rows",
    "single_rotator_vectors",
]

KINDS: Final = {
    "own": QUANTITY["rotator"],
    "coupled": QUANTITY["coupled rotators"],
    "axial": QUANTITY["axis"],
    "deviation": QUANTITY["deviation rotator"],
    "mixed": QUANTITY["inertia"],
}
"""Kinds of rows and their colours; the first two carry force."""
SUM: Final = {"force": QUANTITY["kinetic force"], "moment": QUANTITY["kinetic moment"]}
PICKED: Final = "#8F4BC4"
"""The rotator that is looked at."""
STEPS: Final = {"force": ("#E39A63", QUANTITY["force"]), "moment": ("#CFA0BE", QUANTITY["moment"])}
"""What rotators contribute is a force or a moment, whose colour it has: pale, and full where it is looked at."""
DIRECTION: Final = "#46505C"
"""Of u, which has no size of its own."""
FEW: Final = 0.1
"""A share of the sum below which what a rotator takes back is not told of: it would hardly be seen as a bar."""
LEAST_LENGTH: Final = 1e-300
"""Added to the length of a sum before it divides: where nothing moves the parts are zero, and no NaN."""
REACH: Final = 1.3
"""How much larger than single arrows the polygon is."""
CARRIERS: Final = {
    "r": ("M [n, r]", "kg m"),
    "q": ("M [n, q e]", "kg m"),
    "S": ("static moment S", "kg m"),
    "M": ("mass M n", "kg"),
    "J": ("axial moment J n", "kg m²"),
    "D": ("deviation D", "kg m²"),
    "I": ("of two axes", "kg m²"),
}
"""What carries a rotator, in words, and the unit of |w|."""
SUPERSCRIPT: Final = str.maketrans("0123456789rSM", "⁰¹²³⁴⁵⁶⁷⁸⁹ʳˢᴹ")
UNITS: Final = {"force": "N", "moment": "N m"}
COLUMNS: Final = (
    Column("ℜ in the paper", kind="text"),
    Column("carried by w", kind="text"),
    Column("|w|"),
    Column("", kind="text"),
    Column("|ℜ|", "1/s²"),
    Column("angle", "°"),
    *(Column(name) for name in ("x", "y", "z", "length")),
)
LAWS: Final = {
    "own": r"\dot\omega\,\vec u+\omega^2[\vec n,\vec u]",
    "coupled": r"2\,\omega_a\,\dot q_b\,[\vec n_a,\vec u]",
    "deviation": r"\dot\omega\,\vec u+\omega^2[\vec n,\vec u],\quad \vec u=\vec{\mathbf D}/|\vec{\mathbf D}|",
    "axial": r"\vec n\,\dot\omega\,J_{\vec n}",
    "mixed": r"\omega_a\omega_b\bigl([\vec n_a,\vec{\mathfrak J}_b]+[\vec n_b,\vec{\mathfrak J}_a]"
    r"+\mathbb J[\vec n_a,\vec n_b]\bigr)",
}


def law_latex(row: Any) -> str:
    """The law of a row's kind, in LaTeX."""
    return LAWS[row.kind]


def rotator_symbol(row: RotatorFrames) -> str:
    """ℜ with its axes below and its carrier above, for a `Ledger`."""
    text = row.label.text
    name, _, carrier = text.partition(":")
    axes = name.partition("(")[0].lstrip("RJ").lstrip("*")
    if row.kind == "axial":
        return f"ω̇J_{axes}"
    return f"ℜ_{axes}^{carrier or '*'}"


def contribution_symbol(row: RotatorFrames) -> str:
    """What the row contributes, for a `Ledger`: |w| ℜ, or the term itself where there is no rotator."""
    return rotator_symbol(row) if row.kind in ("axial", "mixed") else "|w|ℜ"


def row_name(row: RotatorFrames) -> str:
    """The row's symbol with its body, as plain text."""
    return f"{_plain(rotator_symbol(row))} {row.body}"


def _plain(name: str) -> str:
    """A symbol of a `Ledger` as the text of a label."""
    base, _, upper = name.partition("^")
    letter, _, lower = base.partition("_")
    return letter + as_subscript(lower) + upper.translate(SUPERSCRIPT)


def rows_contributing_to(table: RotatorsFrames, force_or_moment: str, kinds: tuple[str, ...]) -> list[RotatorFrames]:
    """The rows of these kinds that have a share in the force, or in the moment."""
    return [row for row in table if row.kind in kinds and (force_or_moment == "moment" or row.row.force)]


def rotator_contribution(row: RotatorFrames, force_or_moment: str) -> np.ndarray:
    """What the row contributes (frames, 3)."""
    return row.contribution if force_or_moment == "force" else row.moment


def contribution_table(table: RotatorsFrames, rows: list[RotatorFrames], force_or_moment: str) -> list[Entry]:
    """Rows of the table, body by body, and their sum."""
    found = []
    for row in rows:
        words, unit = CARRIERS[row.carrier]
        paper = f"ℜ{row.label.paper}" if row.label.paper else "–"
        group = f"Body {row.body!r}"
        found.append(
            Entry(
                row.label.text,
                rotator_symbol(row),
                row.kind,
                UNITS[force_or_moment],
                KINDS[row.kind],
                group,
                texts=(paper, words, unit),
            )
        )
    whole = "dK/dt" if force_or_moment == "force" else "dL/dt + [v,K]"
    name = (
        "sum of the rows shown"
        if len(rows) < len(rows_contributing_to(table, force_or_moment, tuple(KINDS)))
        else "sum"
    )
    return [
        *found,
        Entry("sum", whole, name, UNITS[force_or_moment], SUM[force_or_moment], "All together", strong=True),
    ]


def contribution_table_values(table: RotatorsFrames, rows: list[RotatorFrames], force_or_moment: str) -> np.ndarray:
    """|w|, |ℜ|, the angle from u to ℜ, and the contribution with its length (frames, rows + 1, 7)."""
    kind = np.result_type(float, *(row.vector for row in rows))
    out = np.full((table.frames, len(rows) + 1, 7), np.nan, dtype=kind)
    total = np.zeros((table.frames, 3))
    for k, row in enumerate(rows):
        out[:, k, 0] = row.magnitude
        if row.kind not in ("axial", "mixed"):
            out[:, k, 1] = row.speed
        if row.kind in ("own", "deviation"):
            out[:, k, 2] = np.degrees(row.angle)
        value = rotator_contribution(row, force_or_moment)
        out[:, k, 3:6], out[:, k, 6] = value, lengths_of(value)
        total = total + value
    out[:, -1, 3:6], out[:, -1, 6] = total, lengths_of(total)
    return out


def contribution_polygon(
    motion: Motion, table: RotatorsFrames, rows: list[RotatorFrames], force_or_moment: str, picked: str
) -> list[OwnArrow]:
    """The contributions one after the other from O_k, and their sum; the picked one carries its name."""
    at = kinematics_of(motion).joint_point(table.index)
    sofar = np.zeros((len(motion), 3))
    found = []
    for row in rows:
        value, mine = rotator_contribution(row, force_or_moment), row.label.text == picked
        # an arrow keeps its label for ever: picked and not are two arrows
        key, label = f"{force_or_moment} {row.label.text}", _plain(contribution_symbol(row)) if mine else " "
        colour = STEPS[force_or_moment][mine]
        key += " picked" if mine else ""
        found.append(
            OwnArrow(
                key,
                label,
                colour,
                at,
                value,
                force_or_moment,
                False,
                sofar,
                REACH,
                UNITS[force_or_moment],
                pattern=STRIPES if row.kind == "coupled" else "",
            )
        )
        sofar = sofar + value
    total = OwnArrow(
        f"sum {force_or_moment}",
        {"force": "F_kin", "moment": "M_kin"}[force_or_moment],
        SUM[force_or_moment],
        at,
        sofar,
        force_or_moment,
        force_or_moment == "moment",
        None,
        REACH,
        UNITS[force_or_moment],
    )
    return [*found, total]


def falls_of(table: RotatorsFrames, rows: list[RotatorFrames]) -> list[Fall]:
    """Bars of the rows: own ones plain, coupled ones striped, each with its body's number."""
    names = [body.name for body in table.model.bodies]
    found = []
    for row in rows:
        body = names.index(row.body)
        striped = row.kind in ("coupled", "mixed")
        found.append(Fall(row.label.text, rotator_symbol(row), str(body + 1), body_colour(body), striped))
    return found


def direction_of_sum(table: RotatorsFrames, rows: list[RotatorFrames], force_or_moment: str) -> tuple[Any, Any]:
    """The length of what the rows add up to (frames,), and its direction (frames, 3)."""
    total = sum((rotator_contribution(row, force_or_moment) for row in rows), np.zeros((table.frames, 3)))
    length = lengths_of(total)
    return length, total / (length + LEAST_LENGTH)[:, None]


def parts_along_sum(table: RotatorsFrames, rows: list[RotatorFrames], force_or_moment: str) -> np.ndarray:
    """What each row has along the sum of all, and the length of the sum, to which they add up (frames, rows + 1)."""
    length, direction = direction_of_sum(table, rows, force_or_moment)
    shares = [(rotator_contribution(row, force_or_moment) * direction).sum(axis=1) for row in rows]
    return np.stack([*shares, length], axis=1)


def finding_of_rotators(table: RotatorsFrames, rows: list[RotatorFrames], force_or_moment: str) -> Sentences:
    """Which rotator gives most of the sum, and which takes most of it back."""
    unit, places = UNITS[force_or_moment], tuple(range(len(rows)))
    names = tuple(body.name for body in table.model.bodies)
    words = tuple(f"[{rotator_symbol(row)}] of *{{@{names.index(row.body)}}}*, {_manner(row)}," for row in rows)
    picks = {"most": Pick(places, words), "least": Pick(places, words, "least")}
    last = len(rows)
    still = f"Nothing moves what *{{@{table.index}}}* carries: no kinetic {force_or_moment}."
    gives = f"{{most}} gives *{{most:+{unit}}}*"
    line = (
        Case(still, (small("most", 0.0, last), small("least", 0.0, last))),
        Case(f"{gives}; {{least}} takes *{{least:{unit}}}* back.", (below("least", -FEW, last),)),
        Case(f"{gives} of {{{last}:{unit}}}; none takes much back."),
    )
    colours = {rotator_symbol(row): KINDS[row.kind] for row in rows}
    return Sentences((line,), picks, names, colours)


def _manner(row: RotatorFrames) -> str:
    return {"own": "about one axis", "coupled": "coupled"}.get(row.kind, row.kind)


def law_terms(row: RotatorFrames, force_or_moment: str) -> TermRow:
    """The law of a row as terms: the whole, and of an own rotator what ω̇ and what ω² give."""
    number, unit = "(54)" if force_or_moment == "force" else "(55)", UNITS[force_or_moment]
    whole = Term("", contribution_symbol(row), SUM[force_or_moment])
    parts = [Term("=", rotator_symbol(row), KINDS[row.kind])]
    if row.kind == "own" and force_or_moment == "force":
        colour = QUANTITY["angular velocity"]
        parts = [Term("=", "|w|ω̇u", colour), Term("+", "|w|ω^{2}v", colour)]
    return TermRow(row_name(row), number, (whole, *parts), unit)


def law_values(
    table: RotatorsFrames, rows: list[RotatorFrames], row: RotatorFrames, force_or_moment: str
) -> np.ndarray:
    """The terms of `law_terms` along the sum of all rows (frames, terms)."""
    _, direction = direction_of_sum(table, rows, force_or_moment)
    whole = (rotator_contribution(row, force_or_moment) * direction).sum(axis=1)
    if row.kind != "own" or force_or_moment == "moment":
        return np.stack([whole, whole], axis=1)
    turning = np.broadcast_to(row.row.along, (table.frames,)) * (row.vector * direction).sum(axis=1)
    return np.stack([whole, turning, whole - turning], axis=1)


def single_rotator_arrows(motion: Motion, table: RotatorsFrames, row: RotatorFrames, size: float) -> list[OwnArrow]:
    """u at O_i*, and ℜ from the tip of u."""
    at = motion.poses[0][:, table.carriers.r.segments[row.row.body].body]
    length = traced_where(row.defined, row.magnitude, np.nan)[:, None]
    u = 0.3 * size * row.vector / length
    found = [OwnArrow("u", "u", DIRECTION, at, u, TRUE_LENGTH)]
    if row.kind not in ("axial", "mixed"):
        found.append(
            OwnArrow("rotator", _plain(rotator_symbol(row)), PICKED, at + u, row.rotator, "rotator", unit="1/s²")
        )
    return found


def single_rotator_rows(row: RotatorFrames, force_or_moment: str) -> list[Entry]:
    """Rows of the table of one rotator: w, ℜ where there is one, and what it contributes."""
    words, unit = CARRIERS[row.carrier]
    found = [
        Entry("w", "w", f"{words} = |w| u", unit, QUANTITY["static"]),
        Entry("R", rotator_symbol(row), "rotator", "1/s²", PICKED),
        Entry("part", contribution_symbol(row), "contribution", UNITS[force_or_moment], STEPS[force_or_moment][1]),
    ]
    return found[::2] if row.kind in ("axial", "mixed") else found


def single_rotator_vectors(row: RotatorFrames, force_or_moment: str) -> list[np.ndarray]:
    """The vectors of `single_rotator_rows`, each (frames, 3)."""
    contribution = rotator_contribution(row, force_or_moment)
    if row.kind in ("axial", "mixed"):
        return [row.vector, contribution]
    return [row.vector, row.rotator, contribution]
