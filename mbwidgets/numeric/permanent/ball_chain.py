"""A chain on spherical joints as numbers: its bodies, its augmented bodies, and both in a pose.

Source: Chebanov, Khlistunova, section 1. c_i = O_iC_i, s_i = O_iO_{i+1}; s_n is zero: nothing hangs on the last.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from ...errors import ModelError, StateError, shorten
from ...model.model import Model
from ...symbolic.papers.augmented import chain_names, coincident_joints_error, refuse_all_but_weight
from ..base.arguments import as_array
from ..base.rotations import parallel_axes
from ..packing.traced_numbers import greater, lengths_of, traced_where

__all__ = ["Chain", "Posed", "finite_array", "speeds_of", "vertical_basis"]


def vertical_basis(gravity: np.ndarray) -> np.ndarray:
    """Columns e1, e2, e3 = ν = g/|g| in world axes: z and its companions by the smallest rotation from z to ν.

    For ν = −z, where every half turn is as small, the half turn about x: e1 = x, e2 = −y.
    """
    length = lengths_of(gravity)[()]
    if gravity.dtype == object:
        return _traced_basis(gravity / length)
    if not length > 0.0:
        raise ModelError("gravity is zero: there is no vertical", where="gravity", remedy="give g other than 0")
    nu = gravity / length
    x, y, z = nu
    across = x * x + y * y
    if across == 0.0:
        return np.diag([1.0, 1.0, 1.0] if z > 0.0 else [1.0, -1.0, -1.0])
    share = 1.0 / (1.0 + z) if z > 0.0 else (1.0 - z) / across  # 1 + z without cancellation
    return np.array([[1 - x * x * share, -x * y * share, x], [-x * y * share, 1 - y * y * share, y], [-x, -y, z]])


def _traced_basis(nu: np.ndarray) -> np.ndarray:
    """The same for traced numbers, all cases in one."""
    x, y, z = nu
    across = np.array(x * x + y * y, dtype=object)
    down = greater(np.array(z, dtype=object), 0.0)
    tilted = greater(across, 0.0)
    share = traced_where(tilted, traced_where(down, 1.0 / (1.0 + z), (1.0 - z) / across[()]), 0.0)[()]
    sign = traced_where(tilted, 1.0, traced_where(down, 1.0, -1.0))[()]
    rows = [[1 - x * x * share, -x * y * share, x], [-x * y * share, sign * (1 - y * y * share), y], [-x, -y, z]]
    return np.array(rows)


@dataclass(frozen=True)
class Chain:
    """A chain's numbers, each vector and tensor in its body's axes.

    ``mass`` (n,), ``com`` c_i (n, 3), ``arm`` s_i (n, 3), ``central`` J_C (n, 3, 3), ``gravity`` (3,) world axes.
    """

    names: tuple[str, ...]
    mass: np.ndarray
    com: np.ndarray
    arm: np.ndarray
    central: np.ndarray
    gravity: np.ndarray

    @classmethod
    def of(cls, model: Model, forces: bool = False) -> Chain:
        """Read a model; ``forces`` says whether it may have some (its constraints are never read)."""
        chain_names(model)
        refuse_all_but_weight(model.replace(forces=()) if forces else model)
        chain = cls.read(model)
        for i in range(len(chain) - 1):
            if not chain.arm[i].any():
                raise coincident_joints_error(chain.names[i], chain.names[i + 1])
        return chain

    @classmethod
    def read(cls, model: Model) -> Chain:
        """Read a model that is known to be a chain; of a traced one the numbers are traced."""
        number = model.number
        arms = [[number(x) for x in body.joint.at] for body in model.bodies[1:]] + [[0.0] * 3]
        return cls(
            names=tuple(body.name for body in model.bodies),
            mass=np.array([number(body.mass) for body in model.bodies]),
            com=np.array([[number(x) for x in body.com] for body in model.bodies]),
            arm=np.array(arms),
            central=np.array([[[number(x) for x in row] for row in body.inertia] for body in model.bodies]),
            gravity=np.array([number(x) for x in model.gravity]),
        )

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def inertia(self) -> np.ndarray:
        """A_i (n, 3, 3), at O_i."""
        return parallel_axes(self.central, self.mass, self.com)

    @cached_property
    def below(self) -> np.ndarray:
        """m_i* = Σ_{j>i} m_j (n,)."""
        return np.append(np.cumsum(self.mass[::-1])[::-1][1:], 0.0)

    @cached_property
    def static(self) -> np.ndarray:
        """a_i = m_i c_i + m_i* s_i (n, 3)."""
        return self.mass[:, None] * self.com + self.below[:, None] * self.arm

    @cached_property
    def barycentre(self) -> np.ndarray:
        """c_i* = a_i / (m_i + m_i*) (n, 3)."""
        return self.static / (self.mass + self.below)[:, None]

    @cached_property
    def augmented(self) -> np.ndarray:
        """A_i* (n, 3, 3), at O_i   (1.2)"""
        return parallel_axes(self.inertia, self.below, self.arm)

    @property
    def weight(self) -> Any:
        """g = |g|, m/s²."""
        return lengths_of(self.gravity)[()]

    @cached_property
    def basis(self) -> np.ndarray:
        """The vertical basis, see `vertical_basis`."""
        return vertical_basis(self.gravity)

    def turns(self, q: Any) -> np.ndarray:
        """World rotations R_i (n, 3, 3) of the bodies at relative quaternions q (4n,)."""
        relative = np.reshape(q, (-1, 4))
        lengths = np.linalg.norm(relative, axis=1)
        if not np.all(np.isfinite(relative)) or not np.all(lengths > 0.0):
            raise StateError("a quaternion is zero or not finite", where="q", remedy="give x, y, z, w of length one")
        world = np.empty((len(relative), 3, 3))
        last = np.eye(3)
        for i, turn in enumerate(Rotation.from_quat(relative).as_matrix()):
            last = world[i] = last @ turn
        return world

    def quaternions(self, turns: np.ndarray) -> np.ndarray:
        """Relative quaternions q (4n,) of world rotations R_i (n, 3, 3)."""
        before = np.concatenate([np.eye(3)[None], turns[:-1]])
        return np.asarray(Rotation.from_matrix(np.swapaxes(before, 1, 2) @ turns).as_quat()).ravel()

    def relative_speeds(self, turns: np.ndarray, speeds: np.ndarray) -> np.ndarray:
        """u (3n,) of the absolute angular velocities (n, 3), world axes."""
        before = np.concatenate([np.zeros((1, 3)), speeds[:-1]])
        return np.asarray(np.einsum("iba,ib->ia", turns, speeds - before)).ravel()

    def posed(self, turns: np.ndarray) -> Posed:
        """The bodies in the vertical basis, for world rotations R_i (n, 3, 3)."""
        local = self.basis.T @ turns
        return Posed(
            static=np.einsum("iab,ib->ia", local, self.static),
            arm=np.einsum("iab,ib->ia", local, self.arm),
            inertia=local @ self.augmented @ np.swapaxes(local, 1, 2),
            weight=self.weight,
        )


@dataclass(frozen=True)
class Posed:
    """a_i (n, 3), s_i (n, 3) and A_i* (n, 3, 3) in axes with e3 = ν, and g."""

    static: np.ndarray
    arm: np.ndarray
    inertia: np.ndarray
    weight: float

    def __len__(self) -> int:
        return len(self.static)

    def turned(self, angles: np.ndarray) -> Posed:
        """Each body turned about ν by its angle (n,)."""
        c, s, o, one = np.cos(angles), np.sin(angles), np.zeros_like(angles), np.ones_like(angles)
        turn = np.array([[c, -s, o], [s, c, o], [o, o, one]]).transpose(2, 0, 1)
        return Posed(
            np.einsum("iab,ib->ia", turn, self.static),
            np.einsum("iab,ib->ia", turn, self.arm),
            turn @ self.inertia @ np.swapaxes(turn, 1, 2),
            self.weight,
        )


def finite_array(given: Any, name: str, shape: tuple[int, ...] | None = None) -> np.ndarray:
    """Finite real numbers of a shape, or an error that names them."""
    try:
        if given is None or np.iscomplexobj(given):
            raise TypeError
        array = np.asarray(given, dtype=float)
    except (TypeError, ValueError):
        array = np.array(np.nan)
    if not np.isfinite(array).all() or (shape is not None and array.shape != shape):
        wanted = "finite numbers" if not shape else f"{' by '.join(map(str, shape))} finite numbers"
        raise StateError(f"{name} = {shorten(given)}", remedy=f"give {'a finite number' if shape == () else wanted}")
    return array


def speeds_of(omega: Any, names: tuple[str, ...]) -> np.ndarray:
    """One angular speed a body, a single number for all of them, or an error that lists the bodies."""
    speeds = as_array([omega] * len(names) if np.ndim(omega) == 0 else omega, names, "omega")
    for name, value in zip(names, speeds, strict=True):
        if not math.isfinite(value):
            raise StateError(f"omega of {name!r} is {value}", remedy="give finite numbers, rad/s")
    return speeds
