"""The smaller parts of a URDF file: numbers, places, shapes, names."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final
from xml.etree.ElementTree import Element

import numpy as np

from ..errors import FileError, ModelError, shorten
from ..expressions import underflows_to_zero
from ..model.fields import BODY_NAME
from ..model.solids import Box, Composite, Cylinder, Solid, Sphere

MAX_SHAPES: Final = 100
SNAP: Final = 1e-15
"""A component of a rotation this close to −1, 0 or 1 is that: cos(π/2) in floats is 6e-17."""


@dataclass(frozen=True)
class Place:
    """An ``<origin>``: position, and orientation as a rotation matrix."""

    at: np.ndarray
    matrix: np.ndarray

    def after(self, turned: np.ndarray) -> np.ndarray:
        """This orientation seen through another: R_outer R."""
        return snap(turned @ self.matrix)


class Reader:
    """Numbers from attributes: `float` and nothing else, finite, with the place in every error."""

    def number(self, element: Element, key: str, where: str, default: float | None) -> float:
        text = element.get(key)
        if text is None:
            if default is None:
                raise FileError(f"<{element.tag[:40]}> lacks {key}", where=where, remedy=f'write {key}="…"')
            return default
        return self._float(text, f"{where}: {element.tag[:40]} {key}")

    def vector(self, element: Element, key: str, where: str, default: tuple[float, float, float] | None) -> np.ndarray:
        text = element.get(key)
        if text is None:
            if default is None:
                raise FileError(f"<{element.tag[:40]}> lacks {key}", where=where, remedy=f'write {key}="a b c"')
            return np.array(default)
        place = f"{where}: {element.tag[:40]} {key}"
        parts = text.split(maxsplit=3)
        if len(parts) != 3:
            raise FileError(f"{shorten(text)} is not a vector", where=place, remedy="give three numbers")
        return np.array([self._float(part, place) for part in parts])

    def place(self, element: Element, where: str) -> Place:
        """The ``<origin>`` inside an element; without one, no shift and no turn."""
        origin = element.find("origin")
        if origin is None:
            return Place(np.zeros(3), np.eye(3))
        nothing = (0.0, 0.0, 0.0)
        angles = self.vector(origin, "rpy", where, nothing)
        return Place(self.vector(origin, "xyz", where, nothing), rotation(*angles.tolist()))

    def _float(self, text: str, where: str) -> float:
        try:
            value = float(text) if len(text) <= 100 and "_" not in text else math.nan
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise FileError(f"{shorten(text)} is not a finite number", where=where, remedy="give a plain number")
        if underflows_to_zero(text, value):
            raise FileError(f"{shorten(text)} is too small for a float", where=where, remedy="give 0, or more")
        return value


def rotation(roll: float, pitch: float, yaw: float) -> np.ndarray:
    """R_z(yaw) R_y(pitch) R_x(roll): URDF's fixed-axis angles."""
    (cr, cp, cy), (sr, sp, sy) = np.cos([roll, pitch, yaw]), np.sin([roll, pitch, yaw])
    return snap(
        np.array(
            [
                [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
                [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
                [-sp, cp * sr, cp * cr],
            ]
        )
    )


def snap(matrix: np.ndarray) -> np.ndarray:
    """The same rotation with −1, 0 and 1 where rounding only just missed them."""
    whole = np.round(matrix)
    result: np.ndarray = np.where(abs(matrix - whole) < SNAP, whole + 0.0, matrix)
    return result


def quaternion(matrix: np.ndarray) -> tuple[float, float, float, float]:
    """x, y, z, w of a rotation matrix, from its largest component (Shepperd)."""
    trace = float(np.trace(matrix))
    squares = [1 - trace + 2 * float(matrix[i, i]) for i in range(3)] + [1 + trace]
    largest = int(np.argmax(squares))
    result = np.zeros(4)
    if largest == 3:
        result[:] = (*_skew(matrix), squares[3])
    else:
        for i in range(3):
            result[i] = matrix[i, largest] + matrix[largest, i]
        result[largest] = squares[largest]
        result[3] = _skew(matrix)[largest]
    result /= np.linalg.norm(result)
    x, y, z, w = (result + 0.0).tolist()
    return x, y, z, w


def _skew(matrix: np.ndarray) -> tuple[float, float, float]:
    return (matrix[2, 1] - matrix[1, 2], matrix[0, 2] - matrix[2, 0], matrix[1, 0] - matrix[0, 1])


def read_shape(link: Element, turned: np.ndarray, reader: Reader, where: str, notes: list[str]) -> Solid | None:
    """The link's visuals, or its collisions where it has none, as one solid for the eye."""
    visible = link.findall("visual")
    elements = visible or link.findall("collision")
    if len(elements) > MAX_SHAPES:
        notes.append(f"{where}: the first {MAX_SHAPES} of {len(elements)} shapes are kept")
    shapes: list[Solid] = []
    for element in elements[:MAX_SHAPES]:
        place = reader.place(element, where)
        try:
            shape = _solid(element, turned @ place.at, place.after(turned), reader, where)
        except ModelError as error:
            notes.append(f"{where}: a shape is ignored: {error.problem}")
            continue
        if isinstance(shape, str):
            notes.append(f"{where}: {shape} is ignored")
        else:
            shapes.append(shape)
    if not shapes:
        return None
    return shapes[0] if len(shapes) == 1 else Composite(tuple(shapes))


def _solid(element: Element, at: np.ndarray, turned: np.ndarray, reader: Reader, where: str) -> Solid | str:
    geometry = element.find("geometry")
    found: Any = next(iter(geometry), None) if geometry is not None else None
    if found is None:
        return "a shape without geometry"
    place = tuple(at.tolist())
    if found.tag == "box":
        size = tuple(reader.vector(found, "size", where, None).tolist())
        return Box(size, at=place, rotation=quaternion(turned))
    if found.tag == "cylinder":
        radius, length = (reader.number(found, key, where, None) for key in ("radius", "length"))
        return Cylinder(radius, length, axis=tuple(turned[:, 2].tolist()), at=place)
    if found.tag == "sphere":
        return Sphere(reader.number(found, "radius", where, None), at=place)
    name = f" {shorten(found.get('filename'))}" if found.get("filename") else ""
    return f"the {found.tag[:40]}{name}"


def unique_names(links: Iterable[str], notes: list[str]) -> dict[str, str]:
    """A valid body name for each link: other characters become ``_``, a number keeps names apart."""
    names: dict[str, str] = {}
    taken = {link for link in links if BODY_NAME.match(link)}
    for link in links:
        if link in taken:
            names[link] = link
            continue
        plain = "".join(letter if letter.isalnum() or letter in " _.-" else "_" for letter in link)
        base = (plain if plain[:1].isalpha() else f"link{plain}")[:56]
        name, number = base, 2
        while name in taken or not BODY_NAME.match(name):
            name, number = (f"{base} {number}" if BODY_NAME.match(base) else f"link {number}"), number + 1
        taken.add(name)
        names[link] = name
        notes.append(f"link {shorten(link)} is the body {name!r}")
    return names
