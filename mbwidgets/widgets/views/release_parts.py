"""What the view of a released joint shows: the opened mechanism, arrows on both sides, blocks, components, formulae."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import numpy as np

from ...errors import MbwidgetsError
from ...model.library.coordinates import absolute_angles
from ...model.model import Model
from ...numeric.motion.motion import Motion
from ...numeric.motion.release import ReleaseFrames
from ...numeric.motion.traced_motion import present_of
from ...numeric.packing.pack import pack_model
from ...numeric.packing.traced_numbers import lengths_of
from ...scene.look.arrow_bands import STRIPES
from ...scene.look.palette import BLUE, GREEN, ORANGE, QUANTITY, SKY
from ...scene.stage.own_arrows import TRUE_LENGTH, OwnArrow
from ...symbolic.papers.release import release
from ..base.lifetime import escape
from ..parts.ledger import Column, Entry
from ..parts.matrices import Block, Matrix
from ..text.paragraphs import displayed_formula, heading_html, note_html
from ..text.sentences import Case, Sentences, small
from ..text.typesetting import READABLE

__all__ = [
    "COLOURS",
    "ROWS",
    "aside",
    "coordinate_change_matrix",
    "gap_in_world",
    "holding_numbers",
    "holding_sentences",
    "nonzero_reaction_rows",
    "opened_joint_arrows",
    "opened_motion",
    "reaction_component_table",
    "release_formulae_html",
    "release_matrices",
]

COLOURS: Final = {"A0": BLUE, "B": ORANGE, "Bᵀ": ORANGE, "0": BLUE, "1": ORANGE, "z": SKY, "D": GREEN}
"""One colour for what belongs to the motion, one for what belongs to the reactions."""
ROWS: Final = ("σ_x", "σ_y", "σ_z", "ϑ_x", "ϑ_y", "ϑ_z")
"""The six displacements of the opened joint, world axes."""
SECONDS: Final = 4.0
"""That the formulae may take before their size is told instead."""
CARRIES: Final = 1e-9
SHORT: Final = 1e-9
"""Of a vector: shorter, m or as a sine, it gives no direction."""
LONG: Final = 2.0
"""How much longer than usual R and M are drawn: they are what the joint is opened for, not the gap beside them."""


def aside(model: Model, index: int, decides: Model | None = None) -> np.ndarray:
    """Which way the joint opens, parent axes: across its axis and the arm that it ends, or else the body's own.

    A body that swings pulls along its arm: moved aside, R and −R stand beside each other and not upon each other.
    ``decides``: the model whose numbers tell which arm and which axis are taken, where those of the first are traced.
    """
    arms, axes = _arms_and_axes(model, index)
    known = (arms, axes) if decides is None else _arms_and_axes(decides, index)
    arm = next(k for k, vector in enumerate(known[0]) if np.linalg.norm(vector) > SHORT)
    long = SHORT * float(np.linalg.norm(known[0][arm]))
    axis = next(k for k, vector in enumerate(known[1]) if np.linalg.norm(np.cross(vector, known[0][arm])) > long)
    across = np.cross(axes[axis], arms[arm])
    return np.asarray(across / lengths_of(across))


def _arms_and_axes(model: Model, index: int) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """What may be taken for the arm, and for the axis, the first first; an arm is not along three axes."""
    body = model.bodies[index]
    arms = [np.array([model.number(part) for part in vector]) for vector in (body.joint.at, body.com)]
    turning = [column.axis for column in body.joint.columns() if column.kind == "rotation"]
    axes = [np.array([model.number(part) for part in axis]) for axis in turning[:1]]
    return [*arms, np.array([0.0, 0.0, 1.0])], [*axes, *np.eye(3)[::-1]]


def opened_motion(motion: Motion, index: int, gap: float) -> tuple[Motion, np.ndarray]:
    """The same motion with a gap in the joint, to be drawn only; and the gap in world axes, (frames, 3)."""
    model = motion.model
    shift = gap * aside(model, index)
    at = [model.number(part) + float(step) for part, step in zip(model.bodies[index].joint.at, shift, strict=True)]
    drawn = model.with_joint(model.bodies[index].name, at=tuple(at)).replace(constraints=())
    return replace(motion, model=drawn, packed=pack_model(drawn), source=None), gap_in_world(motion, index, gap)


def gap_in_world(motion: Any, index: int, gap: Any) -> np.ndarray:
    """The gap of a joint in world axes (frames, 3), of a traced motion too."""
    shift, parent = gap * aside(motion.model, index, present_of(motion).model), motion.model.parents[index]
    return np.tile(shift, (len(motion), 1)) if parent < 0 else np.asarray(motion.rotations[:, parent] @ shift)


def holding_numbers(motion: Any, index: int, frames: ReleaseFrames) -> np.ndarray:
    """|R|, |M|, the weight of what the joint carries, and 1: of a size to be compared with (frames, 4)."""
    force, moment = frames.reactions[:, :3], frames.reactions[:, 3:]
    carried = motion.model.subtree(index)
    weight = sum((motion.model.number(motion.model.bodies[i].mass) for i in carried[1:]), 0.0)
    weight = weight + motion.model.number(motion.model.bodies[carried[0]].mass)
    gravity = lengths_of(np.array([[motion.model.number(part) for part in motion.model.gravity]]))
    rest = np.broadcast_to(weight * gravity, (len(motion),))
    return np.stack([lengths_of(force), lengths_of(moment), rest, np.ones(len(motion)) + 0 * rest], axis=1)


def holding_sentences(model: Model, index: int, largest_force: float) -> Sentences:
    """What would close the joint again, of `holding_numbers`.

    Forces are compared with the largest of the motion and with what hangs on the joint: of a fall rounding is left.
    """
    parent = model.parents[index]
    mass = sum(model.number(model.bodies[i].mass) for i in model.subtree(index))
    weight = mass * float(np.linalg.norm([model.number(part) for part in model.gravity]))
    names = ("the ground" if parent < 0 else model.bodies[parent].name, model.bodies[index].name)
    floor = CARRIES * max(largest_force, weight, CARRIES)
    force = "*{@0}* holds *{@1}* with *{0:N}*, and is held back with as much"
    what = "what hangs on it weighs" if len(model.subtree(index)) > 1 else "it weighs"
    line = (
        Case(
            "No force passes through the joint now: opened here, nothing would change.",
            (small(0, floor, 3), small(1, floor, 3)),
        ),
        Case("*{@0}* turns *{@1}* with *{1:N m}* and holds it with no force.", (small(0, floor, 3),)),
        Case(f"{force}.", (small(2, floor, 3),)),
        Case(f"{force}; {what} {{2:N}}."),
    )
    return Sentences((line,), {}, names, {})


def opened_joint_arrows(
    frames: ReleaseFrames,
    gap: np.ndarray,
    body: int | None = None,
    parent: int | None = None,
    decides: ReleaseFrames | None = None,
) -> list[OwnArrow]:
    """Force and moment on the body's side, their opposites on the parent's side, and the gap.

    ``decides``: the frames by which it is known what the joint carries, where the first are traced.
    """
    found = [OwnArrow("gap", "σ", QUANTITY["axis"], frames.point, gap, TRUE_LENGTH)]
    known = (frames if decides is None else decides).reactions
    scale = np.abs(known).max(initial=0.0)
    for half, part, letter, double in (("force", slice(0, 3), "R", False), ("moment", slice(3, 6), "M", True)):
        value = frames.reactions[:, part]
        if np.abs(known[:, part]).max(initial=0.0) <= CARRIES * max(scale, 1e-9):
            continue
        unit, colour = ("N m" if double else "N"), QUANTITY[half]
        for key, sign, at, of, pattern in (
            (half, "", frames.point + gap, body, ""),
            (f"minus {half}", "−", frames.point, parent, STRIPES),
        ):
            vector = -value if sign else value
            found.append(
                OwnArrow(key, sign + letter, colour, at, vector, unit, double, magnify=LONG, body=of, pattern=pattern)
            )
    return found


def reaction_component_table(
    motion: Motion, index: int, frames: ReleaseFrames
) -> tuple[list[Column], list[Entry], np.ndarray]:
    """Force, moment and effort in world, parent and body axes: columns, rows, (frames, rows, 3)."""
    model = motion.model
    turns = {"world": None, "parent": model.parents[index], "body": index}
    values, rows = [], []
    for half, part, letter, unit in (("force", slice(0, 3), "R", "N"), ("moment", slice(3, 6), "M", "N m")):
        seen = [_seen(motion, frames.reactions[:, part], place) for place in turns.values()]
        for k, axis in enumerate("xyz"):
            group = f"{half.capitalize()} of the parent on the body at O, {unit}   (3.26)"
            rows.append(Entry(f"{letter}{axis}", f"{letter}_{axis}", "", unit, QUANTITY[half], group))
            values.append(np.stack([vector[:, k] for vector in seen], axis=1))
        size = lengths_of(frames.reactions[:, part])
        rows.append(Entry(half, f"|{letter}|", "", unit, QUANTITY[half], rows[-1].group, strong=True))
        values.append(np.stack([size] * 3, axis=1))
    columns = [Column(f"{name} axes") for name in turns]
    return columns, rows, np.stack(values, axis=1)


def _seen(motion: Motion, vector: np.ndarray, body: int | None) -> np.ndarray:
    if body is None or body < 0:
        return vector
    return np.asarray(np.einsum("fji,fj->fi", motion.rotations[:, body], vector))


def coordinate_change_matrix(model: Model, kind: str) -> np.ndarray | None:
    """C of the coordinates that are shown; None for the joints' own."""
    if kind != "absolute" or not model.nv:
        return None
    try:
        return np.array(absolute_angles(model), dtype=float)
    except MbwidgetsError:
        return None


def nonzero_reaction_rows(frames: ReleaseFrames) -> list[int]:
    """Those of the six rows in which something is felt, at some time; the others are zero all along."""
    felt = np.abs(frames.total).max(axis=0)
    scale = felt.max(initial=0.0)
    found = [k for k in range(6) if felt[k] > CARRIES * scale]
    return found or list(range(6))


def release_matrices(frames: ReleaseFrames, names: list[str], rows: list[int], C: np.ndarray | None) -> list[Matrix]:
    """A, G, Q, q̈ and R with their blocks over the frames."""
    n = frames.nv
    keep = [*range(n), *(n + k for k in rows)]
    T = np.eye(n + 6)
    if C is not None:
        T[:n, :n] = np.linalg.inv(C)
    A = (T.T @ frames.A @ T)[:, keep][:, :, keep]
    G, Q = ((vector @ T)[:, keep] for vector in (frames.G, frames.Q))
    ud = frames.ud if C is None else frames.ud @ C.T
    R = np.concatenate([np.zeros_like(frames.ud), frames.total], axis=1)[:, keep]
    end = len(keep)
    labels = [*names, *(ROWS[k] for k in rows)]
    blocks = [
        Block("A_0", (0, n), (0, n), COLOURS["A0"]),
        Block("B", (n, end), (0, n), COLOURS["B"]),
        Block("Bᵀ", (0, n), (n, end), COLOURS["Bᵀ"]),
        Block("", (n, end), (n, end), COLOURS["z"]),
    ]

    def below(first: str, second: str) -> list[Block]:
        return [Block(first, (0, n), (0, 1), COLOURS["0"]), Block(second, (n, end), (0, 1), COLOURS["1"])]

    speeds = np.concatenate([ud, np.zeros((len(ud), end - n))], axis=1)
    return [
        Matrix("A", A, labels, labels, blocks, "inertia (3.5)"),
        Matrix("q̈", speeds[:, :, None], labels, [""], below("q̈_0", ""), "(3.15)"),
        Matrix("G", G[:, :, None], labels, [""], below("G_0", "G_1"), "velocities (3.9)"),
        Matrix("Q", Q[:, :, None], labels, [""], below("Q_0", "Q_1"), "forces (3.10)"),
        Matrix("R", R[:, :, None], labels, [""], below("0", "R_1"), "reactions (3.13)"),
    ]


def release_formulae_html(model: Model, index: int, rows: list[int], kind: str, names: list[str]) -> str:
    """The blocks as formulae, in HTML with LaTeX; what is too long is told by its size."""
    coordinates = "absolute" if coordinate_change_matrix(model, kind) is not None else None
    found = release(model, index, coordinates, seconds=SECONDS)
    loops = bool(model.constraints)
    words = ", ".join(f"q<sup>{k + 1}</sup> = {name}" for k, name in enumerate(names))
    parts: list[tuple[str, str, str, Any]] = [
        ("A<sub>0</sub>", "(3.7)", "A0", lambda: ("A_0", found.A0)),
        ("B", "(3.23)", "B", lambda: ("B", found.B[rows])),
        ("G<sub>0</sub>", "(3.20)", "0", lambda: ("G_0", found.G0)),
        ("Q<sub>0</sub>", "(3.20)", "0", lambda: ("Q_0", found.Q0)),
        ("G<sub>1</sub>", "(3.24)", "1", lambda: ("G_1", found.G1[rows])),
        ("Q<sub>1</sub>", "(3.24)", "1", lambda: ("Q_1", found.Q1[rows])),
    ]
    reactions = r"\boldsymbol R_1 = \boldsymbol B\,\ddot{\boldsymbol q}_0 - \boldsymbol G_1 - \boldsymbol Q_1"
    solved = r" = \boldsymbol B \boldsymbol A_0^{-1}(\boldsymbol G_0 + \boldsymbol Q_0) - \boldsymbol G_1"
    reactions += r" - \boldsymbol\Phi_z^{T}\boldsymbol\lambda" if loops else solved + r" - \boldsymbol Q_1"
    motion = r"\boldsymbol A_0\,\ddot{\boldsymbol q}_0 = \boldsymbol G_0 + \boldsymbol Q_0"
    motion += r" + \boldsymbol\Phi_q^{T}\boldsymbol\lambda" if loops else ""
    text = [
        note_html(
            f"Coordinates: {words or 'none'}; rows of the reactions: {', '.join(_plain(ROWS[k]) for k in rows)}."
        ),
        heading_html("Motion", "(3.21)", COLOURS["0"]),
        displayed_formula(motion),
        heading_html("Reactions", "(3.26)" if loops else "(3.26), (3.28)", COLOURS["1"]),
        displayed_formula(reactions),
    ]
    for title, number, colour, make in parts:
        text.append(heading_html(title, number, COLOURS[colour]))
        try:
            letter, block = make()
            if block.terms > READABLE:
                text.append(note_html(f"{block.terms:,} terms are more than can be read ({READABLE})."))
            else:
                text.append(displayed_formula(f"{letter} = {block.latex(named=False)}"))
        except MbwidgetsError as error:
            text.append(note_html(escape(error)))
    return "".join(text)


def _plain(name: str) -> str:
    letter, _, below = name.partition("_")
    return f"{letter}<sub>{below}</sub>"
