"""URDF robots as models.

URDF gives every link a frame of its own, turned against its parent's; here all body frames are parallel to
the inertial frame at q = 0. With R_i the link's orientation in the zero pose, every vector of link i becomes
R_i v and every tensor R_i J R_iᵀ; O_i* is the link's origin. The root link is fixed to the ground.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element, ParseError

import numpy as np
from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from ..errors import FileError, MbwidgetsError, ModelError, shorten
from ..model.bodies import Body
from ..model.checks import check_inertia
from ..model.constraints import EquationConstraint
from ..model.forces import JointDamper, JointFriction, Load
from ..model.joints import Fixed, Free, Joint, Planar, Prismatic, Revolute
from ..model.model import Model
from ..model.reading import MAX_BODIES
from .text import as_path, check_size, decode_text, read_text
from .urdf_parts import Reader, read_shape, unique_names

__all__ = ["Imported", "UrdfNote", "load_urdf", "loads_urdf"]

KINDS: Final = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")
COMPONENTS: Final = (
    ("ixx", 0, 0), ("iyy", 1, 1), ("izz", 2, 2), ("ixy", 0, 1), ("ixz", 0, 2), ("iyz", 1, 2),
)  # fmt: skip
KNOWN: Final = frozenset({"link", "joint", "material"})


class UrdfNote(UserWarning):
    """What a URDF file holds and the model does not: meshes, renamed links …"""


class Limits(NamedTuple):
    """What a drive can do: the largest effort and velocity of a joint."""

    effort: float | None
    velocity: float | None


@dataclass(frozen=True)
class Imported:
    """A URDF robot as a model, with what was left out or changed on the way.

    Attributes
    ----------
    model : the model
    notes : one sentence for each thing that was ignored, renamed or replaced
    links : the body's name for each link
    joints : the name of the body that each joint carries, which is the joint's name in the model
    limits : the effort (N, N m) and velocity (m/s, rad/s) that each joint may have, None where the file says nothing
    orientations : R_i (3×3) for each body, the link's frame in the inertial frame at q = 0
    """

    model: Model
    notes: tuple[str, ...]
    links: Mapping[str, str]
    joints: Mapping[str, str]
    orientations: Mapping[str, np.ndarray]
    limits: Mapping[str, Limits] = field(default_factory=dict)


def load_urdf(path: str | os.PathLike[str]) -> Imported:
    """The robot in a URDF file. Meshes are never opened, nothing is fetched."""
    return loads_urdf(read_text(path), as_path(path).name)


def loads_urdf(text: str | bytes, name: str = "URDF") -> Imported:
    """The robot that URDF text describes; ``name`` stands in front of every error message."""
    text = decode_text(text, name)
    check_size(text, name)
    root = _parse(text, name)
    try:
        return _Robot(root, Path(name).stem).build()
    except FileError as error:
        raise error.at(name) from None
    except MbwidgetsError as error:
        where = f"{name}: {error.where}" if error.where else name
        raise FileError(error.problem, where=where, remedy=error.remedy) from None


def _parse(text: str, name: str) -> Element:
    try:
        root: Element = fromstring(text, forbid_dtd=True)
    except DefusedXmlException:
        raise FileError(
            "it declares entities or a document type", where=name, remedy="remove the <!DOCTYPE …> part"
        ) from None
    except ParseError as error:
        line, column = error.position
        raise FileError(
            f"not XML: {shorten(str(error))}",
            where=f"{name}: line {line}, column {column}",
            remedy="correct it there",
        ) from None
    except (ValueError, LookupError) as error:
        raise FileError(f"not XML: {shorten(str(error))}", where=name, remedy="save it as UTF-8 XML") from None
    if root.tag != "robot":
        raise FileError(f"the root element is <{root.tag[:40]}>", where=name, remedy="give a URDF file: <robot …>")
    if any("xacro" in child.tag for child in root):
        raise FileError("it holds xacro macros", where=name, remedy="expand it first: xacro file.xacro > file.urdf")
    return root


@dataclass(frozen=True)
class _Edge:
    """A joint of the file: the element, its type and the two links."""

    element: Element
    name: str
    kind: str
    parent: str
    child: str


class _Robot:
    """One pass over the file: links, joints, tree, then a body for each link, parents first."""

    def __init__(self, root: Element, stem: str) -> None:
        self.root = root
        self.title = root.get("name") or stem
        self.notes: list[str] = []
        self.links = self._named("link")
        if not self.links:
            raise FileError("no links", remedy="give at least one <link>")
        if len(self.links) > MAX_BODIES:
            raise FileError(f"{len(self.links)} links", remedy=f"give at most {MAX_BODIES}")
        self.edges = {name: self._edge(name, element) for name, element in self._named("joint").items()}
        self.names = unique_names(self.links, self.notes)
        self.limits: dict[str, Limits] = {}
        self.joint_names = unique_names(self.edges, [])
        self.reader = Reader()

    def _named(self, tag: str) -> dict[str, Element]:
        found: dict[str, Element] = {}
        for number, element in enumerate(self.root.findall(tag)):
            name = element.get("name")
            if not name:
                raise FileError("it has no name", where=f"{tag} {number}", remedy='write name="…"')
            if name in found:
                raise FileError(f"two {tag}s have this name", where=f"{tag} {shorten(name)}", remedy="rename one")
            found[name] = element
        return found

    def _edge(self, name: str, element: Element) -> _Edge:
        where = f"joint {shorten(name)}"
        kind = element.get("type", "")
        if kind not in KINDS:
            raise FileError(f"type {shorten(kind)} is not known", where=where, remedy=f"use {', '.join(KINDS)}")
        ends = []
        for tag in ("parent", "child"):
            end = element.find(tag)
            link = end.get("link") if end is not None else None
            if link not in self.links:
                raise FileError(f"its {tag} link {shorten(link)} does not exist", where=where, remedy="name a link")
            ends.append(link)
        return _Edge(element, name, kind, str(ends[0]), str(ends[1]))

    def _sorted(self) -> tuple[str, list[_Edge]]:
        """The root link, and the joints with parents before children, depth first in the file's order."""
        carried: dict[str, str] = {}
        below: dict[str, list[_Edge]] = {}
        for edge in self.edges.values():
            if edge.child in carried:
                raise FileError(
                    f"joints {shorten(carried[edge.child])} and {shorten(edge.name)} both carry it",
                    where=f"link {shorten(edge.child)}",
                    remedy="a URDF robot is a tree: keep one of them",
                )
            carried[edge.child] = edge.name
            below.setdefault(edge.parent, []).append(edge)
        roots = [name for name in self.links if name not in carried]
        if len(roots) != 1:
            shown = ", ".join(shorten(name) for name in roots[:4])
            raise FileError(
                f"{len(roots)} root links: {shown}" if roots else "the joints form a cycle",
                remedy="give exactly one link that no joint carries",
            )
        order: list[_Edge] = []
        waiting = list(reversed(below.get(roots[0], [])))
        while waiting:
            edge = waiting.pop()
            order.append(edge)
            waiting += reversed(below.get(edge.child, []))
        if len(order) < len(self.edges):
            lost = next(edge for edge in self.edges.values() if edge not in order)
            raise FileError("it is part of a cycle", where=f"joint {shorten(lost.name)}", remedy="hang it on the root")
        return roots[0], order

    def build(self) -> Imported:
        root, order = self._sorted()
        turned = {root: np.eye(3)}
        bodies = [self._body(root, Fixed(), None, turned[root])]
        forces: list[Load] = []
        for edge in order:
            where = f"joint {shorten(edge.name)}"
            place = self.reader.place(edge.element, where)
            at = turned[edge.parent] @ place.at
            turned[edge.child] = place.after(turned[edge.parent])
            joint = self._joint(edge, at, turned[edge.child], where)
            bodies.append(self._body(edge.child, joint, edge.parent, turned[edge.child]))
            forces += self._forces(edge, where)
        limits = self._drives(order)
        self._note_the_rest()
        model = Model(bodies, forces=forces, constraints=self._mimics(bodies), name=self._title())
        return Imported(
            model=model,
            notes=tuple(self.notes),
            links=dict(self.names),
            joints={edge.name: self.names[edge.child] for edge in order},
            orientations={self.names[link]: matrix for link, matrix in turned.items()},
            limits=limits,
        )

    def _drives(self, order: list[_Edge]) -> dict[str, Limits]:
        """Effort and velocity limits of the joints; what a joint loses is noted with them."""
        found = {edge.name: self.limits[edge.name] for edge in order if edge.name in self.limits}
        taken = [edge.name for edge in order if self._own_name(edge) is None and edge.name != self.names[edge.child]]
        if taken:
            self.notes.append(
                f"joints {_listed(taken)} have the name of another body: they go by the bodies that they carry"
            )
        tags = ("origin", "parent", "child", "axis", "limit", "dynamics", "mimic")
        others = sorted({child.tag[:40] for edge in order for child in edge.element if child.tag not in tags})
        if others:
            self.notes.append(f"ignored in joints: {', '.join(f'<{tag}>' for tag in others[:10])}")
        return found

    def _drive(self, limit: Element, key: str, where: str) -> float | None:
        """A limit of a drive; one that cannot be read is told and does no harm, since the model does not need it."""
        if limit.get(key) is None:
            return None
        try:
            value = self.reader.number(limit, key, where, None)
        except FileError as error:
            self.notes.append(f"{error.where}: {error.problem}")
            return None
        if value < 0.0:
            self.notes.append(f"{where}: limit {key}: {value:g} is negative")
            return None
        return value

    def _own_name(self, edge: _Edge) -> str | None:
        """The name by which the model knows a joint beside that of its body; none that a body has."""
        name = self.joint_names[edge.name]
        return None if name in self.names.values() else name

    def _drive_limits(self, edge: _Edge, where: str) -> Limits:
        """What the drive of a joint can do, kept for those who ask."""
        limit = edge.element.find("limit")
        if limit is None or not (limit.get("effort") or limit.get("velocity")):
            return Limits(None, None)
        self.limits[edge.name] = Limits(self._drive(limit, "effort", where), self._drive(limit, "velocity", where))
        return self.limits[edge.name]

    def _joint(self, edge: _Edge, at: np.ndarray, turned: np.ndarray, where: str) -> Joint:
        place = tuple(at.tolist())
        name = self._own_name(edge)
        if edge.kind == "fixed":
            return Fixed(place, name=name)
        if edge.kind == "floating":
            return Free(place, name=name)
        axis = self._axis(edge.element, turned, where)
        if edge.kind == "planar":
            return Planar(axis, place, name=name)
        drive = self._drive_limits(edge, where)
        kept = {"name": name, "max_effort": drive.effort, "max_speed": drive.velocity}
        if edge.kind == "continuous":
            return Revolute(axis, place, **kept)
        limits = self._limits(edge.element, where)
        return (Revolute if edge.kind == "revolute" else Prismatic)(axis, place, limits, **kept)

    def _axis(self, element: Element, turned: np.ndarray, where: str) -> tuple[float, ...]:
        found = element.find("axis")
        local = np.array([1.0, 0.0, 0.0])
        if found is not None:
            local = self.reader.vector(found, "xyz", where, (1.0, 0.0, 0.0))
        largest = abs(local).max()
        if largest == 0.0:
            raise FileError("its axis is the zero vector", where=where, remedy="give a direction")
        local = local / largest
        return tuple((turned @ (local / np.linalg.norm(local))).tolist())

    def _limits(self, element: Element, where: str) -> tuple[float, float] | None:
        found = element.find("limit")
        if found is None:
            return None
        lower = self.reader.number(found, "lower", where, 0.0)
        upper = self.reader.number(found, "upper", where, 0.0)
        if lower > upper:
            raise FileError(f"lower limit {lower:g} is above upper {upper:g}", where=where, remedy="exchange them")
        return None if lower == upper == 0.0 else (lower, upper)

    def _body(self, link: str, joint: Joint, parent: str | None, turned: np.ndarray) -> Body:
        where = f"link {shorten(link)}"
        mass, com, inertia = self._inertial(self.links[link].find("inertial"), turned, where)
        return Body(
            self.names[link],
            joint=joint,
            parent=None if parent is None else self.names[parent],
            mass=mass,
            com=tuple(com.tolist()),
            inertia=tuple(tuple(row) for row in inertia.tolist()),
            shape=read_shape(self.links[link], turned, self.reader, where, self.notes),
        )

    def _inertial(
        self, element: Element | None, turned: np.ndarray, where: str
    ) -> tuple[float, np.ndarray, np.ndarray]:
        if element is None:
            return 0.0, np.zeros(3), np.zeros((3, 3))
        where = f"{where}: inertial"
        place = self.reader.place(element, where)
        found = element.find("mass")
        mass = 0.0 if found is None else self.reader.number(found, "value", where, None)
        if mass < 0:
            raise FileError(f"mass {mass:g} is negative", where=where, remedy="give a mass ≥ 0")
        tensor = np.zeros((3, 3))
        found = element.find("inertia")
        if found is not None:
            for key, i, j in (
                ("ixx", 0, 0),
                ("iyy", 1, 1),
                ("izz", 2, 2),
                ("ixy", 0, 1),
                ("ixz", 0, 2),
                ("iyz", 1, 2),
            ):
                tensor[i, j] = tensor[j, i] = self.reader.number(found, key, where, None if i == j else 0.0)
        try:
            check_inertia(tensor)
        except ModelError as error:
            raise FileError(error.problem, where=where, remedy=error.remedy) from None
        whole = place.after(turned)
        # Mirrored, so that the tensor is symmetric to the last digit.
        product = whole @ tensor @ whole.T
        return mass, turned @ place.at, (product + product.T) / 2

    def _forces(self, edge: _Edge, where: str) -> list[Load]:
        found = edge.element.find("dynamics")
        if found is None:
            return []
        damping = self.reader.number(found, "damping", where, 0.0)
        friction = self.reader.number(found, "friction", where, 0.0)
        if min(damping, friction) < 0:
            raise FileError("damping or friction is negative", where=where, remedy="give numbers ≥ 0")
        if edge.kind == "fixed":
            return []
        body = self.names[edge.child]
        forces: list[Load] = [JointDamper(body, damping)] if damping else []
        return [*forces, JointFriction(body, coulomb=friction)] if friction else forces

    def _mimics(self, bodies: list[Body]) -> list[EquationConstraint]:
        """A joint that mimics another: q = multiplier q_other + offset, kept as an equation."""
        begins: dict[str, int] = {}
        count = 0
        for body in bodies:
            begins[body.name] = count
            count += body.joint.nq
        equations = []
        for edge in self.edges.values():
            found = edge.element.find("mimic")
            if found is None:
                continue
            where = f"joint {shorten(edge.name)}: mimic"
            other = self.edges.get(found.get("joint", ""))
            movable = ("revolute", "continuous", "prismatic")
            if other is None or other is edge or other.kind not in movable or edge.kind not in movable:
                raise FileError(
                    f"it cannot follow {shorten(found.get('joint'))}",
                    where=where,
                    remedy="name a joint with one axis",
                )
            factor = self.reader.number(found, "multiplier", where, 1.0)
            offset = self.reader.number(found, "offset", where, 0.0)
            own, leader = begins[self.names[edge.child]], begins[self.names[other.child]]
            equations.append(EquationConstraint(f"q[{own}] - ({factor!r})*q[{leader}] - ({offset!r})"))
            self.notes.append(f"{where}: kept as the constraint {equations[-1].expression} = 0")
        return equations

    def _note_the_rest(self) -> None:
        others = sorted({child.tag[:40] for child in self.root if child.tag not in KNOWN})
        if others:
            self.notes.append(f"ignored: {', '.join(f'<{tag}>' for tag in others[:10])}")

    def _title(self) -> str:
        title = "".join(letter for letter in self.title if letter.isprintable())[:200] or "robot"
        if title != self.title:
            self.notes.append(f"the robot is named {shorten(title)}")
        return title


def _listed(names: Iterable[str]) -> str:
    shown = [shorten(name) for name in names]
    return f"{', '.join(shown[:5])}{f' … {len(shown)} in all' if len(shown) > 5 else ''}"
