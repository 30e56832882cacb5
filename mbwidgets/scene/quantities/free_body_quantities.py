"""What else acts on a body besides its weight, its joint and its constraints, so that a free-body diagram closes.

m a_C = G + F_R − Σ F_R of the joints that it carries + Σ constraint forces + Σ applied forces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final
from weakref import WeakKeyDictionary

import numpy as np

from ...model.force_primitives import acts_inside_joints
from ...model.forces import Gravity, Load
from ...model.model import Model
from ...numeric.kernels import body_vectors as columns
from ...numeric.motion.motion import Motion
from ...numeric.motion.reaction_parts import static_kinetic_applied_parts
from ...numeric.packing.pack import pack_model
from ..look.nodes import joint_axis, numbers_of, plane_bodies
from ..look.palette import QUANTITY
from .reading import kinematics_of
from .registry import Drawn, PageSource, Quantity, place_of, register_quantity

__all__ = ["declare_free_body_quantities", "free_body_vectors", "holds_moments"]

GROUP: Final = "Free body"
ROUNDING: Final = 1e-9
"""A force this much smaller than the others on the bodies is none."""
LEVEL: Final = 1e-9
"""Share of a length, or of an inertia, below which it is rounding: then something lies in a plane."""


def free_body_vectors(model: Model) -> tuple[str, ...]:
    """Keys of the quantities that are all forces on the bodies of a model: for any body they add up to m a_C."""
    carries = any(parent >= 0 for parent in model.parents)
    slides = any(column.kind == "translation" for body in model.bodies for column in body.joint.columns())
    applied = slides or any(not acts_inside_joints(model, force) for force in model.forces)
    bound = any(body.joint.type != "free" for body in model.bodies)
    wanted = {
        "force": bound,
        "carried force": carries,
        "constraint force": bool(model.constraints),
        "load": applied,
        "weight": True,
    }
    return tuple(key for key, there in wanted.items() if there)


def holds_moments(model: Model) -> bool:
    """Whether moments in joints are worth drawing: some joint can hold one, and the mechanism is no plane figure.

    In a plane figure, all of whose bodies turn about one direction, with joints and mass centres in one plane across it
    that is a principal plane of each, joints hold none but those of slides.
    """
    held = any(sum(column.kind != "translation" for column in body.joint.columns()) < 3 for body in model.bodies)
    axes = (joint_axis(model, index, True) for index in range(len(model.bodies)))
    axis = next((axis for axis in axes if axis is not None), None)
    return held and axis is not None and not _is_plane_figure(model, axis)


def _is_plane_figure(model: Model, axis: np.ndarray) -> bool:
    if len(plane_bodies(model, axis)) < len(model.bodies):
        return False
    for body in model.bodies:
        place, centre = numbers_of(model, body.joint.at), numbers_of(model, body.com)
        tensor = np.array([[model.number(value) for value in row] for row in body.inertia], dtype=float)
        product = np.cross(axis, tensor @ axis)
        if abs(centre @ axis) > LEVEL * np.linalg.norm(centre) or abs(place @ axis) > LEVEL * np.linalg.norm(place):
            return False
        if np.linalg.norm(product) > LEVEL * np.linalg.norm(tensor):
            return False
    return True


_found: WeakKeyDictionary[Motion, list[list[Drawn]]] = WeakKeyDictionary()


def _carried(motion: Motion, index: int) -> list[Drawn]:
    """−F_R at each joint that the body carries."""
    return [
        Drawn(f"−F_R{child + 1}", _held_at(motion, child), -motion.reactions(child)[:, :3])
        for child in _children(motion.model, index)
    ]


def _loads(motion: Motion, index: int) -> list[Drawn]:
    """Springs, dampers and forces at their points, and what drives the slides of its own joint and of those it carries.

    A slide's effort is what the parent gives along it; on the parent the opposite.
    """
    found = _found.get(motion)
    if found is None:
        found = _found[motion] = _applied(motion)
    return found[index]


def _applied(motion: Motion) -> list[list[Drawn]]:
    """For each body the applied forces that are not zero throughout."""
    model = motion.model
    arrows: list[list[Drawn]] = [[] for _ in model.bodies]
    for number, force in enumerate(model.forces):
        if acts_inside_joints(model, force):
            continue
        for body, drawn in _of_force(motion, force, f"F_a{number + 1}"):
            arrows[body].append(drawn)
    for body, drawn in _of_slides(motion):
        arrows[body].append(drawn)
    others = [motion.body_vectors[:, :, columns.G : columns.G + 3], *(item.force for item in motion.constraint_forces)]
    others += [motion.reactions(k)[:, :3] for k in range(len(arrows))]
    size = max(_size(value) for value in (*others, *(item.value for items in arrows for item in items)))
    return [[item for item in items if _size(item.value) > ROUNDING * size] for items in arrows]


def _of_force(motion: Motion, force: Load, label: str) -> Iterator[tuple[int, Drawn]]:
    """What one force does to its bodies: the reactions of massless bodies that bear it alone, differenced."""
    model = motion.model.replace(forces=[force])
    efforts, reactions = static_kinetic_applied_parts(
        model, pack_model(model), motion.t, motion.q, motion.u, motion.ud
    )["applied"]
    whole = [
        reactions[:, k, :3] + _along_slides(motion, k, efforts[:, model.u_offsets[k] : model.u_offsets[k + 1]])
        for k in range(len(model.bodies))
    ]
    for body, value in enumerate(whole):
        place = _place(motion, force, body)
        if place is not None:
            yield body, Drawn(label, place, sum((whole[k] for k in _children(model, body)), np.zeros(3)) - value)


def _of_slides(motion: Motion) -> Iterator[tuple[int, Drawn]]:
    model = motion.model
    for index, body in enumerate(model.bodies):
        if all(column.kind != "translation" for column in body.joint.columns()):
            continue
        value, place = _along_slides(motion, index, motion.reaction_parts(index).effort), _held_at(motion, index)
        yield index, Drawn("Q_F", place, value)
        if model.parents[index] >= 0:
            yield model.parents[index], Drawn(f"−Q_F{index + 1}", place, -value)


def _held_at(motion: Motion, index: int) -> np.ndarray:
    """Where a joint holds its body (frames, 3): O, or O* where it slides."""
    look = kinematics_of(motion)
    return look.joint_point(index) if place_of("held", motion.model, index) == "O" else look.positions[:, index]


def _along_slides(motion: Motion, index: int, efforts: np.ndarray) -> np.ndarray:
    """Σ Q_k e_k over the translations of a joint (frames, 3)."""
    out = np.zeros((len(motion), 3))
    for k, (kind, axis) in enumerate(kinematics_of(motion).free_directions(index)):
        if kind == "translation":
            out += efforts[:, k, None] * axis
    return out


def _place(motion: Motion, force: Load, body: int) -> np.ndarray | None:
    """Where a force acts on a body (frames, 3); None where it does not."""
    model, look = motion.model, kinematics_of(motion)
    if isinstance(force, Gravity):
        lever = np.array(look.vector(model.bodies[body].com))
        return np.asarray(look.positions[:, body] + look.rotations[:, body] @ lever)
    ends: list[Any] = [
        getattr(force, "start", None),
        getattr(force, "end", None),
        force if hasattr(force, "at") else None,
    ]
    for end in ends:
        if end is not None and end.body is not None and model.index(end.body) == body:
            lever = np.array(look.vector(end.at))
            return np.asarray(look.positions[:, body] + look.rotations[:, body] @ lever)
    return None


def _children(model: Model, index: int) -> list[int]:
    return [child for child, parent in enumerate(model.parents) if parent == index]


def _size(values: np.ndarray) -> float:
    finite = values[np.isfinite(values)]
    return float(np.abs(finite).max(initial=0.0))


Arrows = Callable[[Motion, int], list[Drawn]]


def _stacked(arrows: Arrows, field: str) -> Callable[[Motion, int], np.ndarray]:
    def values(motion: Motion, index: int) -> np.ndarray:
        found = [getattr(item, field) for item in arrows(motion, index)]
        return np.stack(found, axis=1) if found else np.zeros((len(motion), 0, 3))

    return values


def _carried_in_page(motion: Motion, index: int) -> list[PageSource]:
    """−F_R of each joint that the body carries, from the table of reactions."""
    return [
        PageSource("reactions", 0, -1, place_of("held", motion.model, child), child)
        for child in _children(motion.model, index)
    ]


def _declare(key: str, symbol: str, name: str, arrows: Arrows, sources: Any = None) -> None:
    at, values, colour = _stacked(arrows, "begin"), _stacked(arrows, "value"), QUANTITY[key]

    def labels(motion: Motion, index: int) -> list[str]:
        return [item.label for item in arrows(motion, index)]

    register_quantity(
        Quantity(key, symbol, symbol, name, "N", colour, at, values, False, GROUP, labels, sources=sources)
    )


def declare_free_body_quantities() -> None:
    """Register them, in the order of menus."""
    _declare("carried force", "−F_R", "reactions to what it carries", _carried, _carried_in_page)
    _declare("load", "F_a", "applied forces", _loads)
